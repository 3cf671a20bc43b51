// SPDX-License-Identifier: Apache-2.0
// An exact store whose states become wider: all are moved to their new places, from the last to the
// first, by blocks that begin and end with a word before and after. The index stays as it is, since
// it knows states by the hash of the whole state.
#include "store/exact.h"

// As many moves for each state, and these besides, are a small part of a search.
enum { MOVES_EACH = 3 };
#define MOVES_FREE (UINT64_C(1) << 19)

static void write_block(const struct packed *to, uint64_t first, size_t count,
                        const uint64_t *thin) {
  for (size_t i = 0; i < count; i++) switch (to->words) {
    case 1: packed_write(to, first + i, thin + i, 1, false); break;
    case 2: packed_write(to, first + i, thin + 2 * i, 2, false); break;
    default: packed_write(to, first + i, thin + i * to->words, 0, false); break;
    }
}

static void move_blocks(struct exact *e, const struct thin *wide, const struct packed *to) {
  uint64_t ids = exact_ids(e), *thin = mem_zalloc(PACKED_ALIGN * to->words + 1, sizeof *thin);
  struct thin between;
  thin_between(&between, &e->thin, wide);
  for (uint64_t block = (ids + PACKED_ALIGN - 1) / PACKED_ALIGN; block-- > 0;) {
    uint64_t first = block * PACKED_ALIGN;
    size_t count = ids - first < PACKED_ALIGN ? ids - first : PACKED_ALIGN;
    thin_read(&between, &e->packed, first, count, thin);
    write_block(to, first, count, thin);
  }
  thin_free(&between);
  mem_free(thin);
}

// Is there place for all states when they are that wide?
static bool fits(struct exact *e, const struct packed *to) {
  size_t limit = e->base.config.mem_bytes_max, bytes = packed_bytes(to, exact_ids(e));
  size_t beside = exact_ids(e) * e->payload_bytes + index_bytes(e->index.slots, e->index.wide);
  if (limit && bytes + beside > limit) return false;
  return (e->shared ? region_extend_there : region_extend)(&e->states, bytes + PACKED_SLACK_BYTES);
}

bool exact_widen(struct exact *e, const uint64_t *states, size_t count) {
  uint64_t ids = exact_ids(e);
  struct thin wide;
  thin_copy(&wide, &e->thin);
  thin_widen(&wide, states, count, e->moved > MOVES_EACH * ids + MOVES_FREE);
  struct packed to;
  packed_set_bits(&to, wide.bits);
  if (!fits(e, &to)) {
    thin_free(&wide);
    return false;
  }
  to.base = e->packed.base = (uint64_t *)e->states.base;
  move_blocks(e, &wide, &to);
  thin_free(&e->thin);
  e->thin = wide;
  e->packed = to;
  e->shape = to.words <= 2 ? to.words : 0;
  e->moved += ids;
  return true;
}
