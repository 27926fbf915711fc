/* table.c - reading tab-separated tables. */
#include "table.h"

#include <stdlib.h>
#include <string.h>

gpu_result table_fail(Text *err, const Table *table, uint32_t line, const char *format, ...) {
  va_list args;
  fail(err, "%s:%u: error: ", table->path, line);
  va_start(args, format);
  text_vadd(err, format, args);
  va_end(args);
  return GPU_BAD_INPUT;
}

typedef struct TableReader {
  TableFile *file;
  Arena *arena;
  size_t table_capacity, row_capacity;
  bool inside; /* of a table: the next line is a row */
} TableReader;

static size_t count_cells(const char *line, size_t length) {
  size_t count = 1;
  for (size_t i = 0; i < length; i++) count += line[i] == '\t';
  return count;
}

static const char **split(Arena *arena, const char *line, size_t length, size_t count) {
  const char **cells = ARENA_ARRAY(arena, const char *, count);
  for (size_t i = 0; i < count; i++) {
    const char *tab = memchr(line, '\t', length);
    size_t cell = tab ? (size_t)(tab - line) : length;
    bool empty = cell == 1 && line[0] == '-';
    cells[i] = arena_strndup(arena, line, empty ? 0 : cell);
    if (!tab) break;
    line += cell + 1;
    length -= cell + 1;
  }
  return cells;
}

static void add_table(TableReader *r, const char *line, size_t length, uint32_t number) {
  TableFile *f = r->file;
  ARENA_GROW(r->arena, f->tables, f->count, r->table_capacity);
  size_t count = count_cells(line, length);
  f->tables[f->count++] = (Table){.path = f->path,
                                  .line = number,
                                  .columns = split(r->arena, line, length, count),
                                  .column_count = count};
  r->row_capacity = 0;
  r->inside = true;
}

static gpu_result add_row(TableReader *r, const char *line, size_t length, uint32_t number,
                          Text *err) {
  Table *t = &r->file->tables[r->file->count - 1];
  size_t count = count_cells(line, length);
  if (count != t->column_count)
    return table_fail(err, t, number, "the row has %zu cells, but line %u names %zu columns", count,
                      t->line, t->column_count);
  ARENA_GROW(r->arena, t->rows, t->row_count, r->row_capacity);
  t->rows[t->row_count++] = (TableRow){number, split(r->arena, line, length, count)};
  return GPU_OK;
}

static gpu_result add_line(TableReader *r, const char *line, size_t length, uint32_t number,
                           Text *err) {
  if (length && line[length - 1] == '\r') length--;
  if (length == 0) {
    r->inside = false;
    return GPU_OK;
  }
  if (line[0] == '#') return GPU_OK;
  if (r->inside) return add_row(r, line, length, number, err);
  add_table(r, line, length, number);
  return GPU_OK;
}

gpu_result table_read(TableFile *file, Arena *arena, const char *path, Text *err) {
  *file = (TableFile){.path = arena_strndup(arena, path, strlen(path))};
  size_t length;
  char *text = read_file(path, &length, err);
  if (!text) return GPU_BAD_INPUT;
  TableReader r = {.file = file, .arena = arena};
  gpu_result result = GPU_OK;
  uint32_t number = 0;
  for (size_t at = 0; at < length && result == GPU_OK;) {
    const char *end = memchr(text + at, '\n', length - at);
    size_t line = end ? (size_t)(end - (text + at)) : length - at;
    result = add_line(&r, text + at, line, ++number, err);
    at += line + 1;
  }
  free(text);
  return result;
}

gpu_result table_find(const Table **table, const TableFile *file, const char *name, Text *err) {
  for (size_t i = 0; i < file->count; i++) {
    *table = &file->tables[i];
    if (strcmp((*table)->columns[0], name) == 0) return GPU_OK;
  }
  return fail(err, "%s: error: there is no table '%s' (its first column bears its name)",
              file->path, name);
}

gpu_result table_column(size_t *column, const Table *table, const char *name, Text *err) {
  for (size_t i = 0; i < table->column_count; i++) {
    *column = i;
    if (strcmp(table->columns[i], name) == 0) return GPU_OK;
  }
  return table_fail(err, table, table->line, "the table '%s' has no column '%s'", table->columns[0],
                    name);
}

gpu_result table_number(uint32_t *value, const Table *table, const TableRow *row, size_t column,
                        Text *err) {
  const char *cell = row->cells[column];
  uint64_t v = 0;
  size_t i = 0;
  for (; cell[i] >= '0' && cell[i] <= '9' && v <= UINT32_MAX; i++)
    v = v * 10 + (uint64_t)(cell[i] - '0');
  *value = (uint32_t)v;
  if (i > 0 && cell[i] == '\0' && v <= UINT32_MAX) return GPU_OK;
  return table_fail(err, table, row->line, "%s is '%s', not a whole number", table->columns[column],
                    cell);
}
