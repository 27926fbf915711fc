/* clean.c - text that may come from anywhere, made harmless to show. */
#include "clean.h"

#include <string.h>

/* The code of the UTF-8 character at s, its length in *n; 0 when there is none. */
static uint32_t decode(const char *s, size_t *n) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  unsigned char c = (unsigned char)*s;
  *n = c < 0x80 ? 1 : c < 0xc0 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf8 ? 4 : 0;
  if (*n < 2) return *n ? c : 0;
  uint32_t code = c & (0xffu >> (*n + 1));
  for (size_t i = 1; i < *n; i++) {
    if (((unsigned char)s[i] & 0xc0) != 0x80) return 0;
    code = code << 6 | ((unsigned char)s[i] & 0x3f);
  }
  return code < least[*n] ? 0 : code;
}

/* Control codes, what turns the text around or is not seen, surrogates, what XML forbids. */
static bool is_harmful(uint32_t c) {
  return c < ' ' || (c >= 0x7f && c < 0xa0) || (c >= 0x200b && c <= 0x200f) ||
         (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) ||
         (c >= 0xd800 && c < 0xe000) || c == 0xfeff || (c & 0xfffe) == 0xfffe || c > 0x10ffff;
}

/* The bytes of the harmless character at s; 0 when it is none. */
static size_t harmless(const char *s) {
  size_t n;
  return is_harmful(decode(s, &n)) ? 0 : n;
}

void add_clean(Text *out, const char *text, size_t length) {
  for (size_t i = 0; i < length;) {
    size_t n = text[i] == '\t' ? 0 : harmless(text + i);
    if (n && i + n <= length)
      text_bytes(out, text + i, n);
    else
      text_add(out, text[i] == '\t' ? " " : "?");
    i += n ? n : 1;
  }
}

static const char *entity(char c) {
  switch (c) {
  case '<': return "&lt;";
  case '>': return "&gt;";
  case '&': return "&amp;";
  case '"': return "&quot;";
  case '\'': return "&#39;";
  default: return "\n";
  }
}

void add_escaped(Text *out, const char *text) {
  while (text && *text) {
    size_t plain = strcspn(text, "<>&\"'\n");
    add_clean(out, text, plain);
    text += plain;
    if (*text) text_add(out, "%s", entity(*text++));
  }
}
