// SPDX-License-Identifier: Apache-2.0
// Reserved ranges of addresses, in huge pages where the system gives them.
#define _GNU_SOURCE
#include "store/region.h"

#include "base/mem.h"

#include <stdint.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>

#ifndef MADV_POPULATE_WRITE // Linux 5.14
#define MADV_POPULATE_WRITE 23
#endif

enum { HUGE_BYTES = 2 << 20, PAGE_BYTES = 1 << 12 };
#define STACK_BYTES ((size_t)8 << 20) // as most systems have it

static size_t round_up(size_t bytes) {
  if (bytes > SIZE_MAX - HUGE_BYTES) return SIZE_MAX & ~(size_t)(HUGE_BYTES - 1);
  return (bytes + HUGE_BYTES - 1) & ~(size_t)(HUGE_BYTES - 1);
}

static bool reserve(struct region *r, size_t bytes) {
  size_t more = bytes + HUGE_BYTES; // what lies before and behind the aligned part is given back
  if (more < bytes) return false;
  unsigned char *p =
      mmap(NULL, more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) return false;
  size_t before = round_up((uintptr_t)p) - (uintptr_t)p;
  if (before) munmap(p, before);
  munmap(p + before + bytes, HUGE_BYTES - before);
  (void)madvise(p + before, bytes, MADV_NOHUGEPAGE); // until region_huge asks for them
  *r = (struct region){.base = p + before, .reserved = bytes};
  return true;
}

static size_t machine_bytes(void) {
  struct sysinfo i;
  return sysinfo(&i) == 0 ? ((size_t)i.totalram + i.totalswap) * i.mem_unit : SIZE_MAX;
}

size_t region_addresses(unsigned threads) {
  size_t most = mem_addresses_max(), taken = mem_addresses() + threads * STACK_BYTES;
  if (most == SIZE_MAX) return SIZE_MAX;
  return most > taken ? most - taken : 0;
}

bool region_open_there(struct region *r, size_t wanted, size_t least) {
  size_t most = machine_bytes();
  if (wanted > most) wanted = most;
  for (; wanted > least; wanted /= 2)
    if (reserve(r, round_up(wanted))) return true;
  return reserve(r, round_up(least));
}

bool region_open(struct region *r, size_t wanted, size_t least) {
  size_t most = machine_bytes();
  if (wanted > most) wanted = most;
  if (wanted < least) wanted = least;
  return reserve(r, round_up(wanted)) || reserve(r, round_up(least));
}

void region_close(struct region *r) {
  if (r->base) munmap(r->base, r->reserved);
  *r = (struct region){0};
}

static bool extend(struct region *r, size_t bytes, int flags) {
  if (bytes <= r->reserved) return true;
  size_t wanted = round_up(bytes);
  unsigned char *p = mremap(r->base, r->reserved, wanted, flags);
  if (p == MAP_FAILED) return false;
  if (p != r->base) r->base = p;
  r->reserved = wanted;
  return true;
}

bool region_extend(struct region *r, size_t bytes) { return extend(r, bytes, MREMAP_MAYMOVE); }

bool region_extend_there(struct region *r, size_t bytes) { return extend(r, bytes, 0); }

// A wish: slower without, not wrong. What was touched before stays as it is: to have it copied into
// huge pages costs more than they gain.
void region_huge(struct region *r, size_t bytes) {
  bytes = bytes & ~(size_t)(HUGE_BYTES - 1);
  if (bytes <= r->huge) return;
  (void)madvise(r->base + r->huge, bytes - r->huge, MADV_HUGEPAGE);
  r->huge = bytes;
}

// By whole huge pages: one in use is not taken apart.
void region_release(struct region *r, size_t bytes) {
  bytes = round_up(bytes);
  if (bytes < r->reserved) (void)madvise(r->base + bytes, r->reserved - bytes, MADV_DONTNEED);
}

// Where pages are larger the system refuses, and they come one by one.
void region_fill(struct region *r, size_t from, size_t to) {
  to = to < r->reserved ? to : r->reserved;
  from = from / PAGE_BYTES * PAGE_BYTES;
  to = (to + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
  if (from < to) (void)madvise(r->base + from, to - from, MADV_POPULATE_WRITE);
}
