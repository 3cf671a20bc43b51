// SPDX-License-Identifier: Apache-2.0
// Reserved ranges of addresses, in huge pages where the system gives them.
#define _GNU_SOURCE
#include "store/region.h"

#include <stdint.h>
#include <sys/mman.h>

enum { HUGE_BYTES = 2 << 20 };

static size_t round_up(size_t bytes) {
  if (bytes > SIZE_MAX - HUGE_BYTES) return SIZE_MAX & ~(size_t)(HUGE_BYTES - 1);
  return (bytes + HUGE_BYTES - 1) & ~(size_t)(HUGE_BYTES - 1);
}

static bool reserve(struct region *r, size_t bytes) {
  void *p =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) return false;
  *r = (struct region){.base = p, .reserved = bytes};
  (void)madvise(p, bytes, MADV_HUGEPAGE); // a wish: slower without, not wrong
  return true;
}

bool region_open(struct region *r, size_t wanted, size_t least) {
  return reserve(r, round_up(wanted)) || reserve(r, round_up(least));
}

void region_close(struct region *r) {
  if (r->base) munmap(r->base, r->reserved);
  *r = (struct region){0};
}

bool region_extend(struct region *r, size_t bytes) {
  if (bytes <= r->reserved) return true;
  size_t wanted = round_up(bytes);
  void *p = mremap(r->base, r->reserved, wanted, MREMAP_MAYMOVE);
  if (p == MAP_FAILED) return false;
  r->base = p;
  r->reserved = wanted;
  (void)madvise(p, wanted, MADV_HUGEPAGE);
  return true;
}
