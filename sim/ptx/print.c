/* ptx/print.c - an instruction as text, for messages: the source's own words. */
#include <ctype.h>
#include <string.h>

#include "ptx/ptx.h"

const char *inst_text(const Module *mod, const Inst *in, char *buf, size_t size) {
  const char *text = mod->source.text + in->where, *end = mod->source.text + mod->source.length;
  size_t n = 0;
  if (size == 0) return "";
  bool blank = false;
  for (; text < end && *text != ';' && n + 2 < size; text++) {
    if (isspace((unsigned char)*text)) {
      blank = n > 0;
      continue;
    }
    if (blank) buf[n++] = ' ';
    blank = false;
    buf[n++] = *text;
  }
  buf[n] = '\0';
  return buf;
}
