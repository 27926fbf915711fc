/* view/write.c - escaping. */
#include "view/write.h"

#include <stdint.h>
#include <string.h>

/* Decodes the UTF-8 character at s; returns its length, 0 when there is none. */
static size_t decode(const unsigned char *s, size_t left, uint32_t *code) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  size_t n = s[0] < 0x80   ? 1
             : s[0] < 0xc0 ? 0
             : s[0] < 0xe0 ? 2
             : s[0] < 0xf0 ? 3
             : s[0] < 0xf5 ? 4
                           : 0;
  if (n == 0 || n > left) return 0;
  *code = n == 1 ? s[0] : s[0] & (0x7fu >> n);
  for (size_t i = 1; i < n; i++) {
    if ((s[i] & 0xc0) != 0x80) return 0;
    *code = *code << 6 | (s[i] & 0x3fu);
  }
  if (*code < least[n] || *code > 0x10ffff || (*code >= 0xd800 && *code < 0xe000)) return 0;
  return n;
}

static void write_code(FILE *out, uint32_t code) {
  if (code >= 0x10000) {
    fprintf(out, "\\u%04x\\u%04x", 0xd800 + ((code - 0x10000) >> 10), 0xdc00 + (code & 0x3ff));
  } else if (code < 0x20 || code >= 0x7f || strchr("\"\\<>&", (int)code)) {
    fprintf(out, "\\u%04x", code);
  } else {
    fputc((int)code, out);
  }
}

void write_json(FILE *out, const char *text, size_t length) {
  if (!text) {
    fputs("null", out);
    return;
  }
  fputc('"', out);
  for (size_t i = 0; i < length;) {
    uint32_t code = 0xfffd;
    size_t n = decode((const unsigned char *)text + i, length - i, &code);
    write_code(out, n ? code : 0xfffd);
    i += n ? n : 1;
  }
  fputc('"', out);
}

void write_csv(FILE *out, const char *text) {
  fputc('"', out);
  for (; text && *text; text++) {
    if (*text == '"') fputc('"', out);
    fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
  }
  fputc('"', out);
}
