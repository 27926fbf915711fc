/* ptx/words.c - the tables of types, modifiers, instructions and special registers. */
#include <string.h>

#include "ptx/ptx.h"

static const struct {
  const char *text;
  int bits;
  TypeClass class;
} types[TY_COUNT] = {
    [TY_NONE] = {"", 0, TC_NONE},
#define X(name, text, bits, class) [TY_##name] = {text, bits, TC_##class},
#include "ptx/types.def"
#undef X
};

const char *type_name(PtxType t) { return types[t].text; }
int type_bits(PtxType t) { return types[t].bits; }
TypeClass type_class(PtxType t) { return types[t].class; }
int type_bytes(PtxType t) { return (types[t].bits + 7) / 8; }

int type_lane_bytes(PtxType t) {
  int bits = types[t].bits;
  if (t == TY_PRED) return 0;
  return bits <= 16 ? 2 : bits / 8;
}

static const char *const mods[MOD_VALUES] = {
    [MOD_NONE] = "",
#define X(cat, value, text) [MOD_##cat##_##value] = text,
#include "ptx/mods.def"
#undef X
};

const char *mod_text(ModValue v) { return mods[v]; }

void mod_shape(ModValue v, int dim[3]) {
  int *which = NULL;
  dim[0] = dim[1] = dim[2] = 0;
  for (const char *s = mods[v]; *s; s++) {
    if (*s >= '0' && *s <= '9' && which)
      *which = *which * 10 + (*s - '0');
    else
      which = *s == 'm' ? &dim[0] : *s == 'n' ? &dim[1] : *s == 'k' ? &dim[2] : NULL;
  }
}

/* ---- ops.def: sets of types and of modifier categories ---- */

#define T_I8 (TYPE_BIT(U8) | TYPE_BIT(S8))
#define T_I32 (TYPE_BIT(U32) | TYPE_BIT(S32))
#define T_I1632 (TYPE_BIT(U16) | TYPE_BIT(S16) | T_I32)
#define T_I3264 (T_I32 | TYPE_BIT(U64) | TYPE_BIT(S64))
#define T_U3264 (TYPE_BIT(U32) | TYPE_BIT(U64))
#define T_B3264 (TYPE_BIT(B32) | TYPE_BIT(B64))
#define T_INT (T_I1632 | T_I3264)
#define T_SIGNED (TYPE_BIT(S16) | TYPE_BIT(S32) | TYPE_BIT(S64))
#define T_BITS (TYPE_BIT(B16) | T_B3264)
#define T_F (TYPE_BIT(F32) | TYPE_BIT(F64))
#define T_HALF (TYPE_BIT(F16) | TYPE_BIT(F16X2) | TYPE_BIT(BF16) | TYPE_BIT(BF16X2))
#define T_FLOAT (T_F | TYPE_BIT(F16) | TYPE_BIT(BF16))
#define T_PACKED (TYPE_BIT(F16X2) | TYPE_BIT(BF16X2) | TYPE_BIT(F32X2))
#define T_ANY (~0ull & ~TYPE_BIT(B128))
#define T_MMA                                                                                      \
  (T_F | T_I8 | TYPE_BIT(F16) | TYPE_BIT(BF16) | TYPE_BIT(TF32) | TYPE_BIT(E4M3) |                 \
   TYPE_BIT(E5M2) | TYPE_BIT(S32) | TYPE_BIT(U4) | TYPE_BIT(S4) | TYPE_BIT(B1))
#define M(cat) (1ull << MC_##cat)
#define M_LDST (M(SPACE) | M(CACHE) | M(SEM) | M(SCOPE) | M(VEC))
#define M_ATOM (M(SEM) | M(SCOPE) | M(SPACE) | M(ATOM) | M(NOFTZ) | M(VEC))

static const OpInfo ops[OP_COUNT] = {
    [OP_NONE] = {"", "*", 0, 0, UNIT_NONE},
#define X(name, text, sig, types, mods, unit) [OP_##name] = {text, sig, types, mods, unit},
#include "ptx/ops.def"
#undef X
};

const OpInfo *op_info(PtxOp op) { return &ops[op]; }

static const struct {
  const char *name;
  PtxType type;
} sregs[SR_COUNT] = {
    [SR_NONE] = {"", TY_U32},
    [SR_TID_X] = {"%tid.x", TY_U32},
    [SR_TID_Y] = {"%tid.y", TY_U32},
    [SR_TID_Z] = {"%tid.z", TY_U32},
    [SR_NTID_X] = {"%ntid.x", TY_U32},
    [SR_NTID_Y] = {"%ntid.y", TY_U32},
    [SR_NTID_Z] = {"%ntid.z", TY_U32},
    [SR_CTAID_X] = {"%ctaid.x", TY_U32},
    [SR_CTAID_Y] = {"%ctaid.y", TY_U32},
    [SR_CTAID_Z] = {"%ctaid.z", TY_U32},
    [SR_NCTAID_X] = {"%nctaid.x", TY_U32},
    [SR_NCTAID_Y] = {"%nctaid.y", TY_U32},
    [SR_NCTAID_Z] = {"%nctaid.z", TY_U32},
    [SR_LANEID] = {"%laneid", TY_U32},
    [SR_WARPID] = {"%warpid", TY_U32},
    [SR_NWARPID] = {"%nwarpid", TY_U32},
    [SR_SMID] = {"%smid", TY_U32},
    [SR_NSMID] = {"%nsmid", TY_U32},
    [SR_GRIDID] = {"%gridid", TY_U64},
    [SR_LANEMASK_EQ] = {"%lanemask_eq", TY_U32},
    [SR_LANEMASK_LE] = {"%lanemask_le", TY_U32},
    [SR_LANEMASK_LT] = {"%lanemask_lt", TY_U32},
    [SR_LANEMASK_GE] = {"%lanemask_ge", TY_U32},
    [SR_LANEMASK_GT] = {"%lanemask_gt", TY_U32},
    [SR_CLOCK] = {"%clock", TY_U32},
    [SR_CLOCK_HI] = {"%clock_hi", TY_U32},
    [SR_CLOCK64] = {"%clock64", TY_U64},
    [SR_GLOBALTIMER] = {"%globaltimer", TY_U64},
    [SR_GLOBALTIMER_LO] = {"%globaltimer_lo", TY_U32},
    [SR_GLOBALTIMER_HI] = {"%globaltimer_hi", TY_U32},
    [SR_DYNAMIC_SMEM_SIZE] = {"%dynamic_smem_size", TY_U32},
    [SR_TOTAL_SMEM_SIZE] = {"%total_smem_size", TY_U32},
    [SR_CLUSTERID_X] = {"%clusterid.x", TY_U32},
    [SR_CLUSTERID_Y] = {"%clusterid.y", TY_U32},
    [SR_CLUSTERID_Z] = {"%clusterid.z", TY_U32},
    [SR_NCLUSTERID_X] = {"%nclusterid.x", TY_U32},
    [SR_NCLUSTERID_Y] = {"%nclusterid.y", TY_U32},
    [SR_NCLUSTERID_Z] = {"%nclusterid.z", TY_U32},
    [SR_CLUSTER_CTAID_X] = {"%cluster_ctaid.x", TY_U32},
    [SR_CLUSTER_CTAID_Y] = {"%cluster_ctaid.y", TY_U32},
    [SR_CLUSTER_CTAID_Z] = {"%cluster_ctaid.z", TY_U32},
    [SR_CLUSTER_NCTAID_X] = {"%cluster_nctaid.x", TY_U32},
    [SR_CLUSTER_NCTAID_Y] = {"%cluster_nctaid.y", TY_U32},
    [SR_CLUSTER_NCTAID_Z] = {"%cluster_nctaid.z", TY_U32},
    [SR_CLUSTER_CTARANK] = {"%cluster_ctarank", TY_U32},
    [SR_CLUSTER_NCTARANK] = {"%cluster_nctarank", TY_U32},
    [SR_IS_EXPLICIT_CLUSTER] = {"%is_explicit_cluster", TY_PRED},
    [SR_ENVREG] = {"%envreg", TY_U32},
    [SR_PM] = {"%pm", TY_U32},
};

const char *special_reg_name(SpecialReg r) { return sregs[r].name; }
PtxType special_reg_type(SpecialReg r) { return sregs[r].type; }
