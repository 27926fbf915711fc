/* ptx/vocabulary.c - the words of the language in one hash table: types, modifiers, mnemonics. */
#include <stdio.h>
#include <string.h>

#include "ptx/parser.h"

/* Words of instructions and forms that are loaded, and refused when they are executed: tensor maps,
 * clusters, block-scaled and sparse matrices, mixed precision. Source: PTX ISA 9.0. */
static const char *const exotic[] = {"async",
                                     "oob",
                                     "multicast::cluster",
                                     "mbarrier::complete_tx::bytes",
                                     "bulk_group",
                                     "tile",
                                     "im2col",
                                     "scaled::n2::ue8m0",
                                     "sp",
                                     "sp::ordered_metadata",
                                     "block_scale",
                                     "scale_vec::1X",
                                     "scale_vec::2X",
                                     "scale_vec::4X",
                                     "kind::mxf8f6f4",
                                     "kind::mxf4",
                                     "kind::mxf4nvf4",
                                     "kind::f8f6f4",
                                     "sync_restrict::shared::cluster",
                                     "sync_restrict::shared::cta",
                                     "relaxed_read",
                                     "m8n16",
                                     "m16n16",
                                     "x8",
                                     "b6x16_p32",
                                     "b4x16_p64",
                                     "b8x16",
                                     "expect_tx",
                                     "warp",
                                     "tensormap",
                                     "unified",
                                     "pack::16b"};

static Word *add_word(Parser *ps, const char *text) {
  Word *w = (Word *)find_word(ps, text, strlen(text));
  if (w) return w;
  w = ARENA_NEW(ps->arena, Word);
  w->text = text;
  w->length = strlen(text);
  w->hash = name_hash(ps, text, w->length);
  w->next = ps->words[w->hash % WORD_SLOTS];
  ps->words[w->hash % WORD_SLOTS] = w;
  return w;
}

const Word *find_word(const Parser *ps, const char *text, size_t length) {
  uint32_t hash = name_hash(ps, text, length);
  for (const Word *w = ps->words[hash % WORD_SLOTS]; w; w = w->next)
    if (w->hash == hash && w->length == length && memcmp(w->text, text, length) == 0) return w;
  return NULL;
}

static void add_mnemonic(Parser *ps, PtxOp op) {
  const char *text = op_info(op)->text, *dot = strchr(text, '.');
  add_word(ps, text)->op = (uint16_t)op;
  if (dot) add_word(ps, arena_strndup(ps->arena, text, (size_t)(dot - text)))->starts_longer = true;
}

void load_vocabulary(Parser *ps) {
  for (int t = TY_NONE + 1; t < TY_COUNT; t++)
    add_word(ps, type_name((PtxType)t))->type = (uint8_t)t;
  for (int v = MOD_NONE + 1; v < MOD_VALUES; v++) {
    Word *w = add_word(ps, mod_text((ModValue)v));
    int n = 0;
    while (n < WORD_MEANINGS && w->mods[n] != MOD_NONE) n++;
    if (n < WORD_MEANINGS) w->mods[n] = (uint8_t)v;
  }
  for (int op = OP_NONE + 1; op < OP_COUNT; op++) add_mnemonic(ps, (PtxOp)op);
  for (size_t i = 0; i < sizeof exotic / sizeof *exotic; i++)
    add_word(ps, exotic[i])->is_exotic = true;
}

PtxType type_of_word(const Parser *ps, const Token *t) {
  const Word *w = find_word(ps, t->text, t->length);
  return w ? (PtxType)w->type : TY_NONE;
}

const char *nearest_mnemonic(const char *word) {
  static const char *const all[] = {
#define X(name, text, sig, types, mods, unit) text,
#include "ptx/ops.def"
#undef X
  };
  return nearest_word(word, all, sizeof all / sizeof *all);
}
