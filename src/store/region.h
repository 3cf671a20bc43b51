// SPDX-License-Identifier: Apache-2.0
// A stretch of zeroed memory that grows without being copied: a wide range of addresses is
// reserved, and the system gives pages as they are touched.
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct region {
  unsigned char *base;
  size_t reserved; // bytes of addresses; touching within them is always allowed
  size_t huge;     // bytes for which huge pages were asked for
};

// How many bytes of addresses the process may still reserve, beside the stacks of so many threads
// that are to be started; SIZE_MAX: any (no `ulimit -v`).
size_t region_addresses(unsigned threads);
// Reserves `wanted` bytes, but no more than the machine has, or `least` when the system does not
// give as many; false when it does not even give those. One that is to stay where it is gets as
// many as there are, by halves.
bool region_open(struct region *r, size_t wanted, size_t least);
bool region_open_there(struct region *r, size_t wanted, size_t least);
void region_close(struct region *r);
// Makes sure that `bytes` may be touched. Beyond what was reserved the region may move (its pages
// are remapped, not copied). False when the system refuses; the region is then as before.
bool region_extend(struct region *r, size_t bytes);
// The same, but it stays where it is: others may use it meanwhile.
bool region_extend_there(struct region *r, size_t bytes);
// Asks for huge pages for the first `bytes`, when they are touched. Only for those that lie within
// the bytes as a whole.
void region_huge(struct region *r, size_t bytes);
// Gives the memory behind the first `bytes` back: it is zero when it is touched again.
void region_release(struct region *r, size_t bytes);
// Makes the pages of the bytes between resident at once, since all of them will be written soon:
// one call, not two faults for each page that is read before it is written.
void region_fill(struct region *r, size_t from, size_t to);
