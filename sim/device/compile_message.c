/* device/compile_message.c - the compiler's messages, made fit for a student. */
#define _GNU_SOURCE 1 /* memmem */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "device/compile_parts.h"

enum {
  LINES_MAX = 60,   /* lines of compiler output shown */
  LINE_BYTES = 400, /* of one line; the rest is cut */
  CHAIN_MAX = 4,    /* files included one by the other */
  HINTS_MAX = 3,
};

/* ---- hints ---------------------------------------------------------------------------------- */

/* A hint is given when every part of `says` is found, in this order, within one line. `*` stands
 * for anything. The first that fits a line wins, so the special ones come first. */
typedef struct Hint {
  const char *says;
  const char *hint;
} Hint;

/* Said only when there is nothing more to the point. */
static const char weak_hint[] =
    "The number or the types of the arguments do not fit any function of that name; the notes say "
    "why each does not.";

#define NO_MATHS "That maths function of CUDA is not among those of this course."

static const Hint hints[] = {
    {"unexpected character <U+",
     "That character is not plain ASCII, perhaps copied from a document (a curly quote, a wide "
     "bracket or comma): type it anew."},
    {"character <U+*not allowed in",
     "That character is not plain ASCII, perhaps copied from a document (a curly quote, a wide "
     "bracket or comma): type it anew."},
    {"treating Unicode character",
     "That character is not plain ASCII, perhaps copied from a document (a curly quote, a wide "
     "bracket or comma): type it anew."},
    {"error: expected ';'", "A statement ends in a semicolon: put ';' where the caret points."},
    {"use of undeclared identifier '__syncthread'",
     "The barrier of a block is __syncthreads(), with an s; that of a warp is __syncwarp()."},
    {"use of undeclared identifier '__shf",
     "The shuffles are __shfl_sync, __shfl_up_sync, __shfl_down_sync and __shfl_xor_sync."},
    {"use of undeclared identifier '*Idx'",
     "The built-in variables are threadIdx, blockIdx, blockDim and gridDim, each with .x .y .z."},
    {"use of undeclared identifier '*Dim'",
     "The built-in variables are threadIdx, blockIdx, blockDim and gridDim, each with .x .y .z."},
    {"use of undeclared identifier 'std'",
     "Names of the C++ library need their header, such as #include <vector>, and work only in host "
     "code."},
    {"use of undeclared identifier '__",
     "There is no such CUDA function here: check its spelling. Warp functions end in _sync."},
    {"use of undeclared identifier '*gamma", NO_MATHS},
    {"use of undeclared identifier 'nextafter", NO_MATHS},
    {"use of undeclared identifier 'erf*inv", NO_MATHS},
    {"use of undeclared identifier 'normcdfinv", NO_MATHS},
    {"use of undeclared identifier 'cyl_bessel", NO_MATHS},
    {"use of undeclared identifier '*'; did you mean",
     "A name is spelt differently from where it is declared; the compiler's guess follows 'did you "
     "mean'."},
    {"use of undeclared identifier",
     "A name must be declared before it is used: check its spelling, and declare variables with a "
     "type, such as: int lane = threadIdx.x % 32;"},
    {"unknown type name",
     "A type must be declared or included first: check its spelling (__half needs #include "
     "<cuda_fp16.h>, uint32_t needs #include <stdint.h>)."},
    {"reference to __host__ function '*' in __",
     "That function is made for the CPU. Write __device__ before your own function to call it from "
     "a kernel; of the C library only the maths functions, printf, assert, malloc and free exist "
     "on "
     "a GPU."},
    {"not viable: call to __host__ function from __",
     "That function is made for the CPU. Write __device__ before your own function to call it from "
     "a kernel; of the C library only the maths functions, printf, assert, malloc and free exist "
     "on "
     "a GPU."},
    {"reference to __device__ function '*' in __host__",
     "A __device__ function cannot be called from CPU code: call it from a kernel, or write "
     "__host__ __device__ before it."},
    {"not viable: call to __device__ function from __host__",
     "A __device__ function cannot be called from CPU code: call it from a kernel, or write "
     "__host__ __device__ before it."},
    {"call to global function '*' not configured",
     "A kernel is launched with its shape: kernel<<<blocks, threads>>>(arguments);"},
    {"reference to __global__ function",
     "A kernel cannot be called like a function from device code: make it a __device__ function."},
    {"not viable: call to __global__ function from",
     "A kernel cannot be called like a function from device code: make it a __device__ function."},
    {"must have void return type",
     "A kernel returns nothing: declare it void and write its result to memory through a pointer."},
    {"initialization is not supported for __shared__ variables",
     "A __shared__ variable starts without a value: let a thread assign it, then __syncthreads()."},
    {"variable-length array",
     "The size of an array on the GPU must be a constant; for shared memory sized at launch write "
     "extern __shared__ float s[];"},
    {"no matching function for call to '__shfl*_sync'",
     "The shuffles take the mask first: __shfl_down_sync(mask, value, offset), with the mask "
     "0xffffffff for a full warp."},
    {"no matching function for call to '__ballot_sync'",
     "The votes take the mask first: __ballot_sync(mask, predicate)."},
    {"no matching function for call to '__a*_sync'",
     "The votes take the mask first: __any_sync(mask, predicate)."},
    {"no matching function for call to 'atomic",
     "Atomics take an address and a value of the same type: atomicAdd(&count, 1). Not every type "
     "has every operation."},
    {"no matching function for call to", weak_hint},
    {"too few arguments to function call", "An argument is missing in that call."},
    {"too many arguments to function call", "There is an argument too many in that call."},
    {"file not found",
     "That header is not here. Files of your own go beside the source; of CUDA there are "
     "cuda_runtime.h, cuda_fp16.h, cuda_bf16.h and cooperative_groups.h."},
    {"function definition is not allowed here",
     "A function begins inside another one: a closing brace '}' is missing above it."},
    {"error: expected '}'", "A closing brace '}' is missing; the note shows which one was opened."},
    {"extraneous closing brace", "There is one '}' more than there are '{' above it."},
    {"error: expected ')'", "A closing parenthesis ')' is missing."},
    {"from incompatible type 'void *'",
     "C++ does not convert void * by itself: write the type, such as (int *)malloc(...)."},
    {"with an rvalue of type 'void *'",
     "C++ does not convert void * by itself: write the type, such as (int *)malloc(...)."},
    {"redefinition of", "That name is defined twice; the note shows where the first one is."},
    {"recursive template instantiation exceeded",
     "A template instantiates itself without end: it needs a case that stops."},
    {"template instantiation depth exceeds",
     "A template instantiates itself without end: it needs a case that stops."},
    {"include nested too deeply", "A file includes itself: write #pragma once at its top."},
    {"non-void function does not return a value",
     "Every way through that function needs a return with a value."},
    {"cannot use 'throw'", "There are no exceptions on a GPU: return an error value instead."},
    {"cannot use 'try'", "There are no exceptions on a GPU: return an error value instead."},
    {"dynamic initialization is not supported for __device__",
     "A global variable of the GPU can only start with a constant."},
    {"not a recognized processor", "opt or llc is too old for this clang: set OPT and LLC."},
    {"Unknown attribute kind", "opt or llc is older than clang: set OPT and LLC to its version."},
    {"Invalid record", "opt or llc is older than clang: set OPT and LLC to its version."},
};

/* Whether text[0..length) holds the parts of `pattern` between its stars, in order. */
static bool line_says(const char *text, size_t length, const char *pattern) {
  const char *end = text + length;
  for (;;) {
    size_t part = strcspn(pattern, "*");
    const char *at = part ? memmem(text, (size_t)(end - text), pattern, part) : text;
    if (!at) return false;
    if (pattern[part] == '\0') return true;
    text = at + part;
    pattern += part + 1;
  }
}

static const Hint *hint_for(const char *line, size_t length) {
  for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
    if (line_says(line, length, hints[i].says)) return &hints[i];
  return NULL;
}

/* ---- lines ---------------------------------------------------------------------------------- */

/* The length of a character that may be shown as it is: printable ASCII, or valid UTF-8 that does
 * not control the terminal or the direction of the text. 0 for any other. */
static size_t harmless(const unsigned char *s, size_t length) {
  if (s[0] < 0x80) return s[0] >= 0x20 && s[0] != 0x7f;
  size_t n = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
  if (s[0] < 0xc2 || s[0] > 0xf4 || n > length) return 0;
  uint32_t c = s[0] & (0xffu >> (n + 1));
  for (size_t i = 1; i < n; i++) {
    if ((s[i] & 0xc0) != 0x80) return 0;
    c = c << 6 | (s[i] & 0x3f);
  }
  bool control = c < 0xa0 || (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
                 (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || c >= 0xe0000 ||
                 (c >= 0xd800 && c < 0xe000);
  return control || (n == 3 && c < 0x800) || (n == 4 && c < 0x10000) ? 0 : n;
}

/* Copies a line, cut to LINE_BYTES, with every harmful byte as '?'. */
static size_t clean_line(char out[LINE_BYTES + 8], const char *line, size_t length) {
  size_t n = 0;
  for (size_t i = 0; i < length;) {
    if (n >= LINE_BYTES) {
      memcpy(out + n, "...", 3);
      n += 3;
      break;
    }
    size_t take = harmless((const unsigned char *)line + i, length - i);
    if (take == 0) {
      out[n++] = line[i++] == '\t' ? ' ' : '?';
      continue;
    }
    memcpy(out + n, line + i, take);
    n += take;
    i += take;
  }
  out[n] = '\0';
  return n;
}

/* A place that the compiler names at the start of a line: "FILE:LINE", or "FILE:LINE:COLUMN". The
 * length of FILE; 0 when the line does not start so. */
static size_t place_length(const char *line, size_t length) {
  for (size_t i = 1; i + 1 < length; i++) {
    if (line[i] != ':' || !isdigit((unsigned char)line[i + 1])) continue;
    size_t j = i + 1;
    while (j < length && isdigit((unsigned char)line[j])) j++;
    if (j < length && (line[j] == ':' || line[j] == ',')) return i;
  }
  return 0;
}

static size_t folder_length(const char *file, size_t length) {
  for (size_t i = length; i > 0; i--)
    if (file[i - 1] == '/') return i;
  return 0;
}

/* The folder of the file that the line names is not shown, unless the file is the source itself. */
static void add_place_line(ErrorBuffer *err, const char *path, const char *line, size_t length) {
  static const char from[] = "In file included from ";
  size_t skip =
      length > sizeof from && memcmp(line, from, sizeof from - 1) == 0 ? sizeof from - 1 : 0;
  size_t file = place_length(line + skip, length - skip);
  bool own = file == strlen(path) && memcmp(line + skip, path, file) == 0;
  size_t folder = own ? 0 : folder_length(line + skip, file);
  char head[LINE_BYTES + 8], tail[LINE_BYTES + 8];
  clean_line(head, line, skip);
  clean_line(tail, line + skip + folder, length - skip - folder);
  error_add(err, "%s%s\n", head, tail);
}

typedef enum LineKind {
  LINE_ERROR,
  LINE_NOTE,
  LINE_FOREIGN_NOTE, /* in a header that is not the student's */
  LINE_WARNING,
  LINE_INCLUDED,
  LINE_TALLY, /* "2 errors generated" */
  LINE_REST   /* a source line, a caret */
} LineKind;

/* Is that the name of a file outside the source's folder? */
static bool is_foreign(const char *path, const char *file, size_t length) {
  size_t folder = folder_length(path, strlen(path));
  if (length > 0 && file[0] == '<') return true; /* <scratch space> */
  if (length == 0 || file[0] != '/') return false;
  return folder == 0 || length <= folder || memcmp(path, file, folder) != 0;
}

static LineKind kind_of(const char *path, const char *line, size_t length) {
  if (line_says(line, length, "In file included from ")) return LINE_INCLUDED;
  if (line_says(line, length, " generated when compiling for ") ||
      line_says(line, length, "CC_PRINT_HEADERS"))
    return LINE_TALLY;
  size_t file = place_length(line, length);
  if (file > 0) {
    if (line_says(line, length, ": error: ") || line_says(line, length, ": fatal error: "))
      return LINE_ERROR;
    if (line_says(line, length, ": warning: ")) return LINE_WARNING;
    if (line_says(line, length, ": note: "))
      return is_foreign(path, line, file) ? LINE_FOREIGN_NOTE : LINE_NOTE;
  }
  return line_says(line, length, "error: ") ? LINE_ERROR : LINE_REST;
}

typedef struct Hints {
  const Hint *item[HINTS_MAX];
  size_t count;
  const Hint *weak;
} Hints;

static void note_hint(Hints *h, const Hint *hint) {
  if (!hint) return;
  if (hint->hint == weak_hint) h->weak = hint;
  if (hint->hint == weak_hint || h->count == HINTS_MAX) return;
  for (size_t i = 0; i < h->count; i++)
    if (strcmp(h->item[i]->hint, hint->hint) == 0) return;
  h->item[h->count++] = hint;
}

static void add_hints(ErrorBuffer *err, const Hints *h) {
  for (size_t i = 0; i < h->count; i++) error_add(err, "hint: %s\n", h->item[i]->hint);
  if (h->count == 0 && h->weak) error_add(err, "hint: %s\n", h->weak->hint);
}

/* Where the reader of the messages stands. */
typedef struct Reader {
  bool in_warning; /* what belongs to a warning is left out: an error is what must be mended */
  bool in_foreign; /* a note about a header of the system or the course says little to a student */
  size_t chain;    /* lines "In file included from" in a row */
  size_t shown, left_out;
  Hints hints;
} Reader;

/* Takes note of one line; true when it is to be shown. */
static bool read_line(Reader *r, LineKind kind, const char *line, size_t length) {
  if (kind == LINE_ERROR || kind == LINE_INCLUDED) r->in_warning = r->in_foreign = false;
  if (kind == LINE_NOTE) r->in_foreign = false;
  if (kind == LINE_FOREIGN_NOTE) r->in_foreign = true;
  if (kind == LINE_WARNING) r->in_warning = true;
  r->chain = kind == LINE_INCLUDED ? r->chain + 1 : 0;
  bool note = kind == LINE_NOTE || kind == LINE_FOREIGN_NOTE;
  if (kind == LINE_ERROR || (note && !r->in_warning) ||
      line_says(line, length, "treating Unicode character"))
    note_hint(&r->hints, hint_for(line, length));
  if (r->in_warning || r->in_foreign || kind == LINE_TALLY) return false;
  if (r->chain > CHAIN_MAX || r->shown == LINES_MAX) {
    r->left_out++;
    return false;
  }
  r->shown++;
  return true;
}

void explain_messages(ErrorBuffer *err, const char *path, const char *messages) {
  error_clear(err);
  Reader reader = {0};
  for (const char *line = messages; *line;) {
    size_t length = strcspn(line, "\n");
    if (read_line(&reader, kind_of(path, line, length), line, length))
      add_place_line(err, path, line, length);
    line += length + (line[length] == '\n');
  }
  if (reader.shown == 0) error_add(err, "%s: the compiler failed without saying why\n", path);
  if (reader.left_out) error_add(err, "... and %zu lines more\n", reader.left_out);
  add_hints(err, &reader.hints);
}

/* ---- functions without a body --------------------------------------------------------------- */

/* The name in the source of a function whose name in the PTX is `name`: _Z6helperPi is helper. */
static size_t plain_name(const char **name, size_t length) {
  const char *s = *name;
  if (length < 4 || s[0] != '_' || s[1] != 'Z' || !isdigit((unsigned char)s[2])) return length;
  size_t count = 0, i = 2;
  while (i < length && isdigit((unsigned char)s[i]) && count < 1000)
    count = count * 10 + (size_t)(s[i++] - '0');
  if (count == 0 || count > length - i) return length;
  *name = s + i;
  return count;
}

static bool is_provided(const char *name, size_t length) {
  static const char *const provided[] = {"vprintf", "__assertfail", "malloc", "free"};
  for (size_t i = 0; i < sizeof provided / sizeof *provided; i++)
    if (length == strlen(provided[i]) && memcmp(name, provided[i], length) == 0) return true;
  return false;
}

/* The name that an `.extern .func (result) NAME (...)` declares. */
static size_t declared_name(const char *text, const char **name) {
  text += strspn(text, " \t");
  if (*text == '(') {
    text += strcspn(text, ")\n");
    if (*text == ')') text++;
    text += strspn(text, " \t");
  }
  *name = text;
  return strcspn(text, " \t\r\n(;");
}

bool explain_undefined(ErrorBuffer *err, const char *path, const char *ptx) {
  static const char mark[] = "\n.extern .func";
  for (const char *at = ptx; (at = strstr(at, mark)); at++) {
    const char *name;
    size_t length = declared_name(at + sizeof mark - 1, &name);
    if (length == 0 || is_provided(name, length)) continue;
    length = plain_name(&name, length);
    char shown[LINE_BYTES + 8];
    clean_line(shown, name, length);
    error_set(
        err,
        "%s: error: the function '%s' is called but has no body\n"
        "hint: Write its body in this file, or include the file that has it. Functions of the "
        "C library that are not listed in the help do not exist on a GPU.\n",
        path, shown);
    return true;
  }
  return false;
}
