/* cli/element.h - the types that a buffer or a scalar on the command line can have: reading,
 * making and printing one value of them. A value travels as its bits, in the low end of 64. */
#ifndef WARPBOOK_CLI_ELEMENT_H
#define WARPBOOK_CLI_ELEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/text.h"

typedef enum ElementKind { EL_SIGNED, EL_UNSIGNED, EL_FLOAT } ElementKind;

typedef struct ElementType {
  const char *name;
  uint8_t bytes;
  ElementKind kind;
  uint8_t exponent_bits; /* of a float; the rest but the sign are mantissa bits */
} ElementType;

extern const ElementType element_types[];
extern const size_t element_type_count;

/* NULL when there is no such type. */
const ElementType *element_type(Span name);

/* Reads a value as C writes it: 12, -1, 0x1f for an integer; 0.5, 1e-3, 0x1p-3, inf, nan for a
 * float. An integer may be anything that fits into the type's bits, signed or not. On failure
 * *why says what is wrong. */
bool element_parse(const ElementType *type, Span text, uint64_t *bits, const char **why);

uint64_t element_from_integer(const ElementType *type, uint64_t value);
uint64_t element_from_double(const ElementType *type, double value); /* of a float type */
void element_store(const ElementType *type, uint8_t *at, uint64_t bits);

/* As values.tsv has it: decimal integers, floats as C hexadecimal floats. */
void element_print_exact(Text *out, const ElementType *type, const uint8_t *at);
/* For people: the shortest decimal that reads back as the same value. */
void element_print(Text *out, const ElementType *type, const uint8_t *at);
/* For JSON: as element_print, but inf and nan as strings. */
void element_print_json(Text *out, const ElementType *type, const uint8_t *at);

#endif
