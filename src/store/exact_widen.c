// SPDX-License-Identifier: Apache-2.0
// An exact store whose states become wider: all are moved to their new places, from the last to the
// first, by blocks that begin and end with a word before and after. The index stays as it is, since
// it knows states by the hash of the whole state.
#include "store/exact.h"

// As many moves for each state, and these besides, are a small part of a search.
enum { MOVES_EACH = 3 };
#ifdef FATHOM_SMALL
#define MOVES_FREE UINT64_C(64)
#else
#define MOVES_FREE (UINT64_C(1) << 19)
#endif

void exact_widening_init(struct exact_widening *x, const struct exact *e) {
  size_t words = e->thin.words;
  x->block = mem_alloc((PACKED_ALIGN * words + 1) * sizeof *x->block);
  thin_init(&x->wide, words, e->thin.most);
  thin_init(&x->between, words, e->thin.most);
}

void exact_widening_free(struct exact_widening *x) {
  mem_free(x->block);
  thin_free(&x->wide);
  thin_free(&x->between);
}

void exact_write_block(const struct packed *to, uint64_t first, size_t count,
                       const uint64_t *thin) {
  for (size_t i = 0; i < count; i++) switch (to->words) {
    case 1: packed_write(to, first + i, thin + i, 1, false); break;
    case 2: packed_write(to, first + i, thin + 2 * i, 2, false); break;
    default: packed_write(to, first + i, thin + i * to->words, 0, false); break;
    }
}

static void move_blocks(struct exact *e, struct exact_widening *x, const struct packed *to) {
  uint64_t ids = exact_ids(e);
  thin_between(&x->between, &e->thin, &x->wide, x->block);
  for (uint64_t block = (ids + PACKED_ALIGN - 1) / PACKED_ALIGN; block-- > 0;) {
    uint64_t first = block * PACKED_ALIGN;
    size_t count = ids - first < PACKED_ALIGN ? ids - first : PACKED_ALIGN;
    thin_read(&x->between, &e->packed, first, count, x->block);
    exact_write_block(to, first, count, x->block);
  }
}

// Is there place for all states when they are that wide? They may double at once, so what the
// search has beside the store counts.
static bool fits(struct exact *e, const struct packed *to) {
  size_t limit = e->base.config.mem_bytes_max, bytes = packed_bytes(to, exact_ids(e));
  size_t beside = exact_ids(e) * e->payload_bytes + index_bytes(e->index.slots, e->index.wide) +
                  pieces_bytes(&e->thin.pieces) +
                  __atomic_load_n(&e->base.beside, __ATOMIC_RELAXED);
  if (limit && bytes + beside > limit) return false;
  return (e->shared ? region_extend_there : region_extend)(&e->states, bytes + PACKED_SLACK_BYTES);
}

bool exact_widen(struct exact *e, struct exact_widening *x, const uint64_t *states, size_t count,
                 bool sparing) {
  uint64_t ids = exact_ids(e);
  thin_copy(&x->wide, &e->thin);
  thin_widen(&x->wide, states, count, !sparing && e->moved > MOVES_EACH * ids + MOVES_FREE);
  if (x->wide.bits == e->thin.bits) { // values got numbers, for which there were bits
    thin_copy(&e->thin, &x->wide);
    return true;
  }
  struct packed to;
  packed_set_bits(&to, x->wide.bits);
  if (!fits(e, &to)) {
    pieces_undo(&x->wide.pieces, &e->thin.pieces);
    return false;
  }
  to.base = e->packed.base = (uint64_t *)e->states.base;
  move_blocks(e, x, &to);
  thin_copy(&e->thin, &x->wide);
  exact_set_packed(e, &to);
  e->moved += ids;
  return true;
}
