/* cli/report.c - a case's results, from the process that ran it to the one that writes them. */
#include "cli/report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

Report *report_new(void) {
  Report *report = calloc(1, sizeof *report);
  if (report) return report;
  fputs("warpsim: error: out of memory\n", stderr);
  exit(GPU_INTERNAL);
}

static void pack_text(Text *packed, const Text *t) {
  text_bytes(packed, (const char *)&t->length, sizeof t->length);
  text_bytes(packed, text_str(t), t->length);
}

static bool unpack(Span *packed, void *to, size_t size) {
  if (packed->length < size) return false;
  memcpy(to, packed->at, size);
  packed->at += size;
  packed->length -= size;
  return true;
}

static bool unpack_text(Span *packed, Text *t) {
  size_t length;
  if (!unpack(packed, &length, sizeof length) || packed->length < length) return false;
  text_bytes(t, packed->at, length);
  packed->at += length;
  packed->length -= length;
  return true;
}

static bool write_all(int fd, const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t n = write(fd, bytes, length);
    if (n < 0) return false;
    bytes += n;
    length -= (size_t)n;
  }
  return true;
}

bool report_send(int fd, const Report *report) {
  Text packed = {0};
  text_bytes(&packed, (const char *)&report->result, sizeof report->result);
  pack_text(&packed, &report->values);
  pack_text(&packed, &report->timing);
  pack_text(&packed, &report->stats);
  pack_text(&packed, &report->message);
  return write_all(fd, packed.data, packed.length);
}

static bool read_from_start(int fd, Text *packed) {
  char block[65536];
  ssize_t n = -1;
  if (lseek(fd, 0, SEEK_SET) != 0) return false;
  while ((n = read(fd, block, sizeof block)) > 0) text_bytes(packed, block, (size_t)n);
  return n == 0;
}

bool report_receive(int fd, Report *report) {
  Text packed = {0};
  bool ok = read_from_start(fd, &packed);
  Span rest = {packed.data, packed.length};
  ok = ok && unpack(&rest, &report->result, sizeof report->result) &&
       unpack_text(&rest, &report->values) && unpack_text(&rest, &report->timing) &&
       unpack_text(&rest, &report->stats) && unpack_text(&rest, &report->message);
  text_free(&packed);
  return ok;
}

void report_free(Report *report) {
  if (!report) return;
  text_free(&report->values);
  text_free(&report->timing);
  text_free(&report->stats);
  text_free(&report->message);
  free(report);
}
