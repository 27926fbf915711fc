/* exec/check.c - the checks that cost: uninitialised reads. */
#include <string.h>

#include "exec/control.h"
#include "exec/fault.h"

void access_check(Warp *w, Path *p, const Op *op, const uint64_t *address, uint32_t bytes, Mask m,
                  bool write) {
  (void)p, (void)op, (void)address, (void)bytes, (void)m, (void)write;
  if (w->cta->m->set.check < GPU_CHECK_FULL) return;
}
