/* json.h - reading JSON into a tree, and writing it field by field.
 *
 * Suites tell the grader what they found in lines of JSON, and the grader tells the world; both
 * must survive any text that a student's file can put into a message. */
#ifndef WARPBOOK_GRADER_JSON_H
#define WARPBOOK_GRADER_JSON_H

#include "base/arena.h"
#include "cli/text.h"

typedef enum JsonType {
  JSON_NULL,
  JSON_BOOL,
  JSON_NUMBER,
  JSON_STRING,
  JSON_ARRAY,
  JSON_OBJECT
} JsonType;

typedef struct Json Json;
struct Json {
  JsonType type;
  const char *key; /* inside an object; else NULL */
  bool truth;
  double number;
  const char *string; /* NUL-terminated; \u0000 in the text becomes U+FFFD */
  Json *first, *next; /* the members of an array or object, in order */
};

/* Reads one value, with blanks around it allowed and nothing else. NULL when the text is not JSON
 * or is nested more than 64 deep. */
Json *json_parse(Arena *arena, const char *text, size_t length);

/* The member of an object, or NULL; value may be NULL. */
const Json *json_get(const Json *value, const char *key);
/* The same as a string, a number, a truth; `otherwise` when it is missing or of another type. */
const char *json_get_string(const Json *value, const char *key, const char *otherwise);
double json_get_number(const Json *value, const char *key, double otherwise);
bool json_get_bool(const Json *value, const char *key, bool otherwise);

/* Writing: each adds a comma where one is due. A NULL string is written as null. */
void json_open(Text *t, const char *key, char bracket); /* bracket: '{' or '['; key may be NULL */
void json_close(Text *t, char bracket);                 /* '}' or ']' */
void json_add_string(Text *t, const char *key, const char *value);
void json_add_number(Text *t, const char *key,
                     double value); /* 17 digits at most; not finite: null */
void json_add_bool(Text *t, const char *key, bool value);
void json_add_null(Text *t, const char *key);

#endif
