// Microbenchmarks behind the values of sim/arch/h200.arch that say "measured": one instruction or one effect each, in
// the form of kernels.cu; what an H200 answered is in h200/micro-timing.tsv.
typedef long long i64;
#define LANE ((int)(threadIdx.x & 31))
#define WARP ((int)(threadIdx.x >> 5))
#define BEGIN i64 t0_; __syncthreads(); t0_ = clock64();
#define END(val) { i64 t1_ = clock64(); sink[blockIdx.x*blockDim.x+threadIdx.x] = (val); \
  if (LANE == 0) { unsigned sm_; asm volatile("mov.u32 %0, %%smid;" : "=r"(sm_)); \
    i64 *c_ = cyc + 3*(blockIdx.x*(blockDim.x/32) + WARP); c_[0]=t0_; c_[1]=t1_; c_[2]=sm_; } }
#define REP4(x) x x x x
#define REP16(x) REP4(x) REP4(x) REP4(x) REP4(x)
#define REP64(x) REP16(x) REP16(x) REP16(x) REP16(x)
#define REP256(x) REP64(x) REP64(x) REP64(x) REP64(x)
#define FFMA(x) asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x) : "f"(a), "f"(b));
#define FADD(x) asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(x) : "f"(a));
#define FMUL(x) asm volatile("mul.rn.f32 %0, %0, %1;" : "+f"(x) : "f"(a));
#define IMAD(x) asm volatile("mad.lo.s32 %0, %0, %1, %2;" : "+r"(x) : "r"(ia), "r"(ib));
#define IADDLOP(x) asm volatile("add.s32 %0, %0, %1; lop3.b32 %0, %0, %1, %2, 0xe8;" : "+r"(x) : "r"(ia), "r"(ib));
#define LOP3(x) asm volatile("lop3.b32 %0, %0, %1, %2, 0xe8; lop3.b32 %0, %0, %1, %2, 0x96;" : "+r"(x) : "r"(ia), "r"(ib));
#define ISHL(x) asm volatile("shf.l.wrap.b32 %0, %0, %0, %1;" : "+r"(x) : "r"(ia));
#define IMINMAX(x) asm volatile("max.s32 %0, %0, %1; add.s32 %0, %0, %2;" : "+r"(x) : "r"(ia), "r"(ib));
#define POPC(x) asm volatile("popc.b32 %0, %0;" : "+r"(x));
#define EX2(x) asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x));
#define RSQ(x) asm volatile("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(x));
#define DFMA(x) asm volatile("fma.rn.f64 %0, %0, %1, %2;" : "+d"(x) : "d"(da), "d"(db));
#define SHFLX(x) asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 31, 0xffffffff;" : "+r"(x));
#define SHFLI(x) asm volatile("shfl.sync.idx.b32 %0, %0, %1, 31, 0xffffffff;" : "+r"(x) : "r"(ia));
#define SHFLUP(x) asm volatile("shfl.sync.up.b32 %0, %0, 1, 0, 0xffffffff;" : "+r"(x));
#define BALLOT(x) asm volatile("{ .reg .pred p; setp.ne.s32 p, %0, %1; vote.sync.ballot.b32 %0, p, 0xffffffff; }" : "+r"(x) : "r"(ia));
#define MATCHANY(x) asm volatile("match.any.sync.b32 %0, %0, 0xffffffff;" : "+r"(x));
#define REDUX(x) asm volatile("redux.sync.add.s32 %0, %0, 0xffffffff;" : "+r"(x));
#define FADD3(x,p) asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(x) : "f"(p));
#define SYNCW asm volatile("" ::: "memory");
__device__ inline int2 make_int2_(int a, int b) { int2 v; v.x = a; v.y = b; return v; }
__device__ inline int4 make_int4_(int a) { int4 v; v.x = v.y = v.z = v.w = a; return v; }
#define SYNCWARP asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");

#define K extern "C" __global__ void
// --- latencies: predicates, branches
K m_selp(i64 *cyc, float *sink, int ia, int ib) { int x = ia + threadIdx.x; BEGIN REP64(asm volatile("{.reg .pred p; setp.ne.s32 p, %0, %1; selp.s32 %0, %2, %0, p;}" : "+r"(x) : "r"(ia), "r"(ib));) END((float)x) }
K m_guard(i64 *cyc, float *sink, int ia, int ib) { int x = ia + threadIdx.x; BEGIN REP64(asm volatile("{.reg .pred p; setp.ne.s32 p, %0, %1; @p add.s32 %0, %0, %2;}" : "+r"(x) : "r"(ia), "r"(ib));) END((float)x) }
K m_loop_uniform(i64 *cyc, float *sink, float a, float b, int n) { float x = a + threadIdx.x; BEGIN
#pragma unroll 1
  for (int i = 0; i < n; i++) { FADD(x) } END(x) }
K m_loop_vector(i64 *cyc, float *sink, float a, float b, int n) { float x = a + threadIdx.x; int m = n + (threadIdx.x >> 10); BEGIN
#pragma unroll 1
  for (int i = 0; i < m; i++) { FADD(x) } END(x) }
K m_loop_long(i64 *cyc, float *sink, float a, float b, int n) { float x = a + threadIdx.x; BEGIN
#pragma unroll 1
  for (int i = 0; i < n; i++) { REP16(FADD(x)) REP16(FADD(x)) REP16(FADD(x)) } END(x) }
K m_if_uniform(i64 *cyc, float *sink, float a, float b, int n, int t) { float x = a + threadIdx.x; BEGIN
#pragma unroll 1
  for (int i = 0; i < n; i++) { FADD(x) if (t > 0) { REP16(FADD(x)) } FADD(x) } END(x) }
K m_if_div(i64 *cyc, float *sink, float a, float b, int n, int t) { float x = a + threadIdx.x; BEGIN
#pragma unroll 1
  for (int i = 0; i < n; i++) { FADD(x) if (LANE < t) { REP16(FADD(x)) } FADD(x) } END(x) }
K m_ifelse_div(i64 *cyc, float *sink, float a, float b, int n, int t) { float x = a + threadIdx.x; BEGIN
#pragma unroll 1
  for (int i = 0; i < n; i++) { FADD(x) if (LANE < t) { REP16(FADD(x)) } else { REP16(FMUL(x)) } FADD(x) } END(x) }
K m_if_data(i64 *cyc, float *sink, float a, float b, int n) { float x = a + threadIdx.x; BEGIN
#pragma unroll 1
  for (int i = 0; i < n; i++) { FADD(x) if (x > b) { REP16(FADD(x)) } FADD(x) } END(x) }
// --- constants and special registers
K m_param_block(i64 *cyc, float *sink, int n, float p0, float p1, float p2, float p3, float p4, float p5) { float x = threadIdx.x; BEGIN
  if (n > 0) { FADD3(x,p0) } SYNCW if (n > 1) { FADD3(x,p1) } SYNCW if (n > 2) { FADD3(x,p2) } SYNCW if (n > 3) { FADD3(x,p3) } SYNCW if (n > 4) { FADD3(x,p4) } SYNCW if (n > 5) { FADD3(x,p5) } END(x) }
K m_s2r(i64 *cyc, float *sink, int n) { int x = n; BEGIN REP16(asm volatile("{.reg .u32 t; mov.u32 t, %%laneid; add.s32 %0, %0, t;}" : "+r"(x));) END((float)x) }
K m_s2r_tid(i64 *cyc, float *sink, int n) { int x = n; BEGIN x += threadIdx.x * 3 + blockIdx.x; asm volatile("" : "+r"(x)); END((float)x) }
K m_ptr(i64 *cyc, float *sink, const float *p) { BEGIN float v = __ldcg(p + threadIdx.x); END(v) }
K m_clock2(i64 *cyc, float *sink, float a) { BEGIN END(a) }
__constant__ float ctab[1024];
K m_const(i64 *cyc, float *sink, int i0) { int i = i0; float x = 0; BEGIN
  for (int k = 0; k < 32; k++) { float v = ctab[i & 1023]; x += v; i += 1 + (int)v; } END(x) }
// --- conversions, halves, special functions
K m_i2f_f2i(i64 *cyc, float *sink, int ia) { int x = ia + threadIdx.x; float f; BEGIN REP64(asm volatile("cvt.rn.f32.s32 %1, %0; cvt.rzi.s32.f32 %0, %1;" : "+r"(x), "=f"(f));) END((float)x) }
K m_f2d_d2f(i64 *cyc, float *sink, float a) { float x = a + threadIdx.x; double d; BEGIN REP64(asm volatile("cvt.f64.f32 %1, %0; cvt.rn.f32.f64 %0, %1;" : "+f"(x), "=d"(d));) END(x) }
K m_hfma2(i64 *cyc, float *sink, int ia, int ib) { int x = ia + threadIdx.x; BEGIN REP64(asm volatile("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(x) : "r"(ia), "r"(ib));) END((float)x) }
K m_h2f_f2h(i64 *cyc, float *sink, int ia) { unsigned short x = ia; float f; BEGIN REP64(asm volatile("cvt.f32.f16 %1, %0; cvt.rn.f16.f32 %0, %1;" : "+h"(x), "=f"(f));) END((float)x) }
K m_div(i64 *cyc, float *sink, float a, float b) { float x = a + threadIdx.x; BEGIN
#pragma unroll 1
  for (int i = 0; i < 32; i++) x = __fdiv_rn(b, x) ; END(x) }
K m_divapprox(i64 *cyc, float *sink, float a, float b) { float x = a + threadIdx.x; BEGIN REP16(x = __fdividef(b, x);) END(x) }
K m_sqrt(i64 *cyc, float *sink, float a, float b) { float x = a + threadIdx.x; BEGIN
#pragma unroll 1
  for (int i = 0; i < 32; i++) x = __fsqrt_rn(x) + b; END(x) }
K m_rcp(i64 *cyc, float *sink, float a, float b) { float x = a + threadIdx.x; BEGIN
#pragma unroll 1
  for (int i = 0; i < 32; i++) x = __frcp_rn(x) + b; END(x) }
K m_sinf(i64 *cyc, float *sink, float a, float b) { float x = a + threadIdx.x; BEGIN REP16(x = __sinf(x);) END(x) }
K m_expf(i64 *cyc, float *sink, float a, float b) { float x = a + threadIdx.x; BEGIN REP16(x = __expf(x);) END(x) }
K m_logf(i64 *cyc, float *sink, float a, float b) { float x = a + threadIdx.x; BEGIN REP16(x = __logf(x);) END(x) }
K m_udiv(i64 *cyc, float *sink, unsigned ia, unsigned ib) { unsigned x = ia + threadIdx.x; BEGIN
#pragma unroll 1
  for (int i = 0; i < 32; i++) x = (ia ^ x) / ib + i; END((float)x) }
K m_sdiv(i64 *cyc, float *sink, int ia, int ib) { int x = ia + threadIdx.x; BEGIN
#pragma unroll 1
  for (int i = 0; i < 32; i++) x = (ia ^ x) / ib + i; END((float)x) }
K m_urem(i64 *cyc, float *sink, unsigned ia, unsigned ib) { unsigned x = ia + threadIdx.x; BEGIN
#pragma unroll 1
  for (int i = 0; i < 32; i++) x = (ia ^ x) % ib + i; END((float)x) }
K m_udiv64(i64 *cyc, float *sink, unsigned long long ia, unsigned long long ib) { unsigned long long x = ia + threadIdx.x; BEGIN
#pragma unroll 1
  for (int i = 0; i < 16; i++) x = (ia ^ x) / ib + i; END((float)x) }
K m_ddiv(i64 *cyc, float *sink, double a, double b) { double x = a + threadIdx.x; BEGIN
#pragma unroll 1
  for (int i = 0; i < 16; i++) x = b / x + a; END((float)x) }
K m_dadd(i64 *cyc, float *sink, double a, double b) { double x = a + threadIdx.x; BEGIN REP64(asm volatile("add.rn.f64 %0, %0, %1;" : "+d"(x) : "d"(a));) END((float)x) }
K m_add64(i64 *cyc, float *sink, i64 a) { i64 x = a + threadIdx.x; BEGIN REP64(asm volatile("add.s64 %0, %0, %1;" : "+l"(x) : "l"(a));) END((float)x) }
K m_mul64(i64 *cyc, float *sink, i64 a) { i64 x = a + threadIdx.x; BEGIN REP64(asm volatile("mul.lo.s64 %0, %0, %1;" : "+l"(x) : "l"(a));) END((float)x) }
K m_mulhi(i64 *cyc, float *sink, unsigned a) { unsigned x = a + threadIdx.x; BEGIN REP64(asm volatile("mul.hi.u32 %0, %0, %1;" : "+r"(x) : "r"(a));) END((float)x) }
K m_mulwide(i64 *cyc, float *sink, unsigned a) { unsigned x = a + threadIdx.x; BEGIN REP64(asm volatile("{.reg .u64 w; .reg .u32 h; mul.wide.u32 w, %0, %1; mov.b64 {%0,h}, w; xor.b32 %0, %0, h;}" : "+r"(x) : "r"(a));) END((float)x) }
K m_iadd(i64 *cyc, float *sink, int a) { int x = a + threadIdx.x; BEGIN REP64(asm volatile("add.s32 %0, %0, %1;" : "+r"(x) : "r"(a));) END((float)x) }
K m_shl(i64 *cyc, float *sink, int a) { int x = a + threadIdx.x; BEGIN REP64(asm volatile("shl.b32 %0, %0, %1;" : "+r"(x) : "r"(a));) END((float)x) }
K m_prmt(i64 *cyc, float *sink, int a) { int x = a + threadIdx.x; BEGIN REP64(asm volatile("prmt.b32 %0, %0, %1, 0x3210;" : "+r"(x) : "r"(a));) END((float)x) }
K m_bfe(i64 *cyc, float *sink, int a) { int x = a + threadIdx.x; BEGIN REP64(asm volatile("bfe.u32 %0, %0, %1, 13;" : "+r"(x) : "r"(a));) END((float)x) }
K m_bfi(i64 *cyc, float *sink, int a) { int x = a + threadIdx.x; BEGIN REP64(asm volatile("bfi.b32 %0, %0, %1, 5, 7;" : "+r"(x) : "r"(a));) END((float)x) }
K m_clz(i64 *cyc, float *sink, int a) { int x = a + threadIdx.x; BEGIN REP64(asm volatile("clz.b32 %0, %0;" : "+r"(x));) END((float)x) }
K m_fmin(i64 *cyc, float *sink, float a) { float x = a + threadIdx.x; BEGIN REP64(asm volatile("min.f32 %0, %0, %1;" : "+f"(x) : "f"(a));) END(x) }
K m_dp4a(i64 *cyc, float *sink, int a) { int x = a + threadIdx.x; BEGIN REP64(asm volatile("dp4a.s32.s32 %0, %1, %1, %0;" : "+r"(x) : "r"(a));) END((float)x) }
K m_mma(i64 *cyc, float *sink, int a) { float c0=0,c1=0,c2=0,c3=0; int b = a + threadIdx.x; BEGIN REP16(asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%4,%4}, {%0,%1,%2,%3};" : "+f"(c0),"+f"(c1),"+f"(c2),"+f"(c3) : "r"(b));) END(c0+c1+c2+c3) }
// --- vote, match, redux
K m_any(i64 *cyc, float *sink, int ia) { int x = ia + threadIdx.x; BEGIN REP64(x = __any_sync(0xffffffffu, x) + ia;) END((float)x) }
K m_matchall(i64 *cyc, float *sink, int ia) { int x = ia; BEGIN REP16({ int q; x = __match_all_sync(0xffffffffu, x, &q) + q; }) END((float)x) }
K m_match_same(i64 *cyc, float *sink, int ia) { int x = ia; BEGIN REP16(x = __match_any_sync(0xffffffffu, x);) END((float)x) }
K m_match_two(i64 *cyc, float *sink, int ia) { int x = ia + (threadIdx.x & 1); BEGIN REP16(x = __match_any_sync(0xffffffffu, x);) END((float)x) }
K m_match_four(i64 *cyc, float *sink, int ia) { int x = ia + (threadIdx.x & 3); BEGIN REP16(x = __match_any_sync(0xffffffffu, x) ;) END((float)x) }
K m_activemask(i64 *cyc, float *sink, int ia) { int x = ia; BEGIN REP16(x += __activemask(); asm volatile("" : "+r"(x));) END((float)x) }
K m_shfl_fadd(i64 *cyc, float *sink, float a) { float x = a + threadIdx.x; BEGIN REP16(x += __shfl_xor_sync(0xffffffffu, x, 1);) END(x) }
K m_shfl_sub(i64 *cyc, float *sink, float a) { float x = a + threadIdx.x; BEGIN if (LANE < 16) { REP16(x += __shfl_xor_sync(0xffffu, x, 1);) } END(x) }
// --- shared memory
K m_sts_lds(i64 *cyc, float *sink, int a) { __shared__ int s[1024]; int x = threadIdx.x; s[x] = x; BEGIN REP16(asm volatile("" : "+r"(x)); s[x & 1023] = x + a; x = *(volatile int *)&s[threadIdx.x]; ) END((float)x) }
K m_lds64(i64 *cyc, float *sink, int a) { __shared__ int2 s[1024]; int x = threadIdx.x; s[x] = make_int2_(x, x); BEGIN REP16(x = s[x & 1023].x;) END((float)x) }
K m_lds128(i64 *cyc, float *sink, int a) { __shared__ int4 s[1024]; int x = threadIdx.x; s[x] = make_int4_(x); BEGIN REP16(x = s[x & 1023].x;) END((float)x) }
K m_lds_many(i64 *cyc, float *sink, int a) { __shared__ int s[2048]; int x = threadIdx.x; s[x] = x; s[x+1024]=x; BEGIN int y = 0; REP16(y += ((volatile int*)s)[threadIdx.x + 32]; y += ((volatile int*)s)[threadIdx.x + 64];) END((float)y) }
K m_atoms_same(i64 *cyc, float *sink, int a) { __shared__ int s[32]; s[LANE] = 0; int x = 0; BEGIN REP16(x += atomicAdd(&s[0], x + 1);) END((float)x) }
K m_atoms_diff(i64 *cyc, float *sink, int a) { __shared__ int s[32]; s[LANE] = 0; int x = 0; BEGIN REP16(x += atomicAdd(&s[LANE], x + 1);) END((float)x) }
K m_atoms_cas(i64 *cyc, float *sink, int a) { __shared__ int s[32]; s[LANE] = 0; int x = 0; BEGIN REP16(x = atomicCAS(&s[LANE], x, x + 1);) END((float)x) }
K m_atoms_max2(i64 *cyc, float *sink, int a) { __shared__ int s[32]; s[LANE] = 0; int x = 0; BEGIN REP16(x += atomicMax(&s[LANE & ~1], x + 1);) END((float)x) }
K m_reds_hist(i64 *cyc, float *sink, int a) { __shared__ int s[256]; s[threadIdx.x & 255] = 0; unsigned x = threadIdx.x * 2654435761u; BEGIN REP16(atomicAdd(&s[x >> 24], 1); x = x * 1664525u + 1013904223u;) END((float)x) }
// --- global memory
K m_ld_ca_miss(i64 *cyc, float *sink, const float *in, int iters) { float x = 0; const float *p = in + threadIdx.x; BEGIN
#pragma unroll 1
  for (int i = 0; i < iters; i++) { x += __ldca(p); p += 1024; } END(x) }
K m_ld_ca_miss_dep(i64 *cyc, float *sink, const int *in, int iters) { int x = 0; const int *p = in + threadIdx.x; BEGIN
#pragma unroll 1
  for (int i = 0; i < iters; i++) { x = __ldca(p + x); p += 1024; } END((float)x) }
K m_ld_cg_dep(i64 *cyc, float *sink, const int *in, int iters) { int x = 0; const int *p = in + threadIdx.x; BEGIN
#pragma unroll 1
  for (int i = 0; i < iters; i++) { x = __ldcg(p + x); p += 1024; } END((float)x) }
K m_ld_ca_hit_dep(i64 *cyc, float *sink, const int *in, int iters) { int x = in[threadIdx.x]; BEGIN
#pragma unroll 1
  for (int i = 0; i < iters; i++) { x = __ldca(in + threadIdx.x + x); } END((float)x) }
K m_ldst(i64 *cyc, float *sink, float *io, int iters) { float *p = io + threadIdx.x; BEGIN
#pragma unroll 1
  for (int i = 0; i < iters; i++) { *p = *p + 1.0f; p += 1024; } END(0.0f) }
K m_st(i64 *cyc, float *sink, float *io, int iters) { float *p = io + threadIdx.x; BEGIN
#pragma unroll 1
  for (int i = 0; i < iters; i++) { *p = (float)i; p += 1024; } END(0.0f) }
K m_st_ld_same(i64 *cyc, float *sink, volatile int *io, int iters) { int x = threadIdx.x; BEGIN
#pragma unroll 1
  for (int i = 0; i < iters; i++) { io[threadIdx.x] = x; x = io[threadIdx.x] + 1; } END((float)x) }
K m_ld128(i64 *cyc, float *sink, const float4 *in, int iters) { float x = 0; const float4 *p = in + threadIdx.x; BEGIN
#pragma unroll 1
  for (int i = 0; i < iters; i++) { float4 v = __ldcg(p); x += v.x + v.y + v.z + v.w; p += 1024; } END(x) }
K m_ld4_indep(i64 *cyc, float *sink, const float *in, int iters) { float x = 0; const float *p = in + threadIdx.x; BEGIN
#pragma unroll 1
  for (int i = 0; i < iters; i++) { x += __ldcg(p) + __ldcg(p + 4096) + __ldcg(p + 8192) + __ldcg(p + 12288); p += 16384; } END(x) }
K m_atomg_ret(i64 *cyc, float *sink, int *io) { int x = 0; BEGIN REP16(x = atomicExch(io + (threadIdx.x + x) % 1024, x);) END((float)x) }
K m_atomg_same(i64 *cyc, float *sink, int *io) { int x = 0; BEGIN REP16(x = atomicMax(io, x + LANE);) END((float)x) }
K m_atomg_cas(i64 *cyc, float *sink, int *io) { int x = 0; BEGIN REP16(x = atomicCAS(io + threadIdx.x, x, x + 1);) END((float)x) }
K m_redg(i64 *cyc, float *sink, int *io) { BEGIN REP16(atomicAdd(io + threadIdx.x, 1);) END(0.0f) }
K m_redg_same(i64 *cyc, float *sink, int *io) { BEGIN REP16(atomicAdd(io, 1 + LANE);) END(0.0f) }
K m_fence(i64 *cyc, float *sink, int *io) { BEGIN REP16(__threadfence();) END(0.0f) }
K m_st_fence(i64 *cyc, float *sink, int *io) { BEGIN REP16(((volatile int*)io)[threadIdx.x] = 1; __threadfence();) END(0.0f) }
K m_fence_block(i64 *cyc, float *sink, int *io) { BEGIN REP16(__threadfence_block();) END(0.0f) }
K m_local(i64 *cyc, float *sink, int a) { int buf[64]; for (int i = 0; i < 64; i++) buf[i] = i + a; int x = a; BEGIN
#pragma unroll 1
  for (int i = 0; i < 32; i++) x = buf[x & 63] + 1; END((float)x) }
// --- barriers
K m_bar_st(i64 *cyc, float *sink, int a) { __shared__ int s[1024]; int x = threadIdx.x; BEGIN REP16(s[x] = x; __syncthreads(); x = s[(threadIdx.x + 1) % blockDim.x]; __syncthreads();) END((float)x) }
K m_bar_or(i64 *cyc, float *sink, int a) { int x = threadIdx.x; BEGIN REP16(x = __syncthreads_or(x == a);) END((float)x) }
K m_bar_count(i64 *cyc, float *sink, int a) { int x = threadIdx.x; BEGIN REP16(x = __syncthreads_count(x == a);) END((float)x) }
// --- instruction cache: straight code of n x 256 FADDs, gone through twice
#define REP1K(x) REP256(x) REP256(x) REP256(x) REP256(x)
K m_icache1k(i64 *cyc, float *sink, float a, int n) { float x = a + threadIdx.x; BEGIN
#pragma unroll 1
  for (int i = 0; i < n; i++) { REP1K(FADD(x)) } END(x) }
K m_icache4k(i64 *cyc, float *sink, float a, int n) { float x = a + threadIdx.x; BEGIN
#pragma unroll 1
  for (int i = 0; i < n; i++) { REP1K(FADD(x)) REP1K(FADD(x)) REP1K(FADD(x)) REP1K(FADD(x)) } END(x) }
K m_icache12k(i64 *cyc, float *sink, float a, int n) { float x = a + threadIdx.x; BEGIN
#pragma unroll 1
  for (int i = 0; i < n; i++) { REP4(REP1K(FADD(x)) REP1K(FADD(x)) REP1K(FADD(x))) } END(x) }
K m_icache_ind(i64 *cyc, float *sink, float a, int n) { float x = a, y = a + 1, z = a + 2, w = a + 3; BEGIN
#pragma unroll 1
  for (int i = 0; i < n; i++) { REP256(FADD(x) FADD(y) FADD(z) FADD(w)) } END(x + y + z + w) }
// --- behind a branch: predicates, skipped instructions, one path after the other
#define FADDV(x) asm volatile("add.rn.f32 %0, %0, %0;" : "+f"(x));
K m_off_lds(i64 *cyc, float *sink, int n) { __shared__ int s[1024]; int x = n; s[threadIdx.x] = n; unsigned a = (unsigned)__cvta_generic_to_shared(s + threadIdx.x); int q = n > 1000; BEGIN
  REP16(asm volatile("{.reg .pred p; setp.ne.s32 p, %2, 0; @p ld.shared.u32 %0, [%1];}" : "+r"(x) : "r"(a), "r"(q));) END((float)x) }
K m_switch2(i64 *cyc, float *sink, int n, int arms, float f) { float x = f; int mine = LANE % arms; BEGIN
#pragma unroll 1
  for (int i = 0; i < n; i++) { if (mine == 0) { x = x * 1.5f + 1.0f; asm volatile("" : "+f"(x)); FADDV(x) } else { x = x * 0.5f + 3.0f; asm volatile("" : "+f"(x)); FADDV(x) } } END(x) }
K m_switch8(i64 *cyc, float *sink, int n, int arms, float f) { float x = f; int mine = LANE % arms; BEGIN
#pragma unroll 1
  for (int i = 0; i < n; i++) { int m = mine; asm volatile("" : "+r"(m)); if (m == 0) { FADDV(x) } else if (m == 1) { FADDV(x) FADDV(x) } else if (m == 2) { FADDV(x) FADDV(x) FADDV(x) } else if (m == 3) { FADDV(x) } else if (m == 4) { FADDV(x) FADDV(x) } else if (m == 5) { FADDV(x) FADDV(x) FADDV(x) } else if (m == 6) { FADDV(x) } else { FADDV(x) FADDV(x) FADDV(x) FADDV(x) } } END(x) }
K m_tail_ffma(i64 *cyc, float *sink, float a, float b) { float x = a; BEGIN __syncthreads(); if (WARP == 0) { REP64(FFMA(x)) } END(x) }
// --- a table in constant memory that no one has read yet
__constant__ int table[64] = {1, 2, 3};
K m_ldc1(i64 *cyc, float *sink, int n) { BEGIN int v = table[(n + LANE / 32) & 63]; END((float)v) }
K m_ldc4(i64 *cyc, float *sink, int n) { BEGIN int v = table[n & 63] + table[(n + 16) & 63] + table[(n + 32) & 63] + table[(n + 48) & 63]; END((float)v) }
