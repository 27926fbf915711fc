/* table.h - files of tab-separated tables that people edit.
 *
 * A file holds one table or more. A table is a line of column names and its rows; an empty line
 * ends it. Lines that begin with # are comments. A cell `-` is an empty cell. The first column's
 * name is the table's name. */
#ifndef WARPBOOK_GRADER_TABLE_H
#define WARPBOOK_GRADER_TABLE_H

#include <stdint.h>

#include "base/arena.h"
#include "cli/text.h"

typedef struct TableRow {
  uint32_t line;      /* in the file, from 1 */
  const char **cells; /* as many as the table has columns; "" for an empty one */
} TableRow;

typedef struct Table {
  const char *path;
  uint32_t line;
  const char **columns;
  size_t column_count;
  TableRow *rows;
  size_t row_count;
} Table;

typedef struct TableFile {
  const char *path;
  Table *tables;
  size_t count;
} TableFile;

/* Reads a file. GPU_BAD_INPUT with a located message when it cannot be read or a row has another
 * number of cells than the line of column names. */
gpu_result table_read(TableFile *file, Arena *arena, const char *path, Text *err);

/* The table of that name. GPU_BAD_INPUT when the file has none. */
gpu_result table_find(const Table **table, const TableFile *file, const char *name, Text *err);

/* The number of the column of that name, in *column. GPU_BAD_INPUT when there is none. */
gpu_result table_column(size_t *column, const Table *table, const char *name, Text *err);

/* A whole number without sign. GPU_BAD_INPUT with a located message when the cell is none. */
gpu_result table_number(uint32_t *value, const Table *table, const TableRow *row, size_t column,
                        Text *err);

/* Replaces err by "path:line: error: message" and returns GPU_BAD_INPUT. */
gpu_result table_fail(Text *err, const Table *table, uint32_t line, const char *format, ...)
    PRINTF_LIKE(4, 5);

#endif
