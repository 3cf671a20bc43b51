// SPDX-License-Identifier: Apache-2.0
// An exact store whose states become wider: all are moved to their new places, from the last to the
// first, by blocks that begin and end with a word before and after. Threads take parts of the
// blocks (parts.h). The index stays as it is, since it knows states by the hash of the whole state.
#include "store/exact.h"

// As many moves for each state, and these besides, are a small part of a search.
enum { MOVES_EACH = 3 };
#ifdef FATHOM_SMALL
enum { PART_WORDS = 1 };
#define MOVES_FREE UINT64_C(64)
#else
enum { PART_WORDS = 2048 }; // of whole states: what a part has at most, if it is not one block
#define MOVES_FREE (UINT64_C(1) << 19)
#endif

// Blocks of a part, of states of so many words.
static uint64_t part_blocks(size_t words) {
  size_t blocks = PART_WORDS / (PACKED_ALIGN * words);
  return blocks ? blocks : 1;
}

static size_t part_words(size_t words) { return part_blocks(words) * PACKED_ALIGN * words; }

void exact_widening_init(struct exact_widening *x, const struct exact *e) {
  size_t words = e->thin.words;
  x->states = mem_alloc(e->threads * part_words(words) * sizeof *x->states);
  thin_init(&x->wide, words, e->thin.most);
  thin_init(&x->between, words, e->thin.most);
}

void exact_widening_free(struct exact_widening *x) {
  mem_free(x->states);
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

struct moving {
  struct exact *e;
  struct exact_widening *x;
  const struct packed *to;
  uint64_t ids;
  struct parts parts; // of the blocks
};

// The block in whose old place that block's new one begins: one takes as many words as a state has
// bits. States without bits are in nobody's way.
static uint64_t block_there(const struct moving *m, uint64_t block) {
  uint64_t bits = m->e->packed.bits;
  return bits ? block * m->to->bits / bits : m->parts.items;
}

// In each thread.
static void move_blocks(void *context) {
  struct moving *m = context;
  struct part part;
  struct parts_hand *hand = parts_join(&m->parts);
  if (!hand) return;
  uint64_t *states = m->x->states + (hand - m->parts.hand) * part_words(m->e->thin.words);
  while (parts_take(&m->parts, hand, &part)) {
    uint64_t first = part.first * PACKED_ALIGN, end = part.end * PACKED_ALIGN;
    size_t count = (end < m->ids ? end : m->ids) - first;
    thin_read(&m->x->between, &m->e->packed, first, count, states);
    parts_read(hand, &part);
    parts_await(&m->parts, &part, block_there(m, part.first));
    exact_write_block(m->to, first, count, states);
  }
}

static void move_all(struct exact *e, struct exact_widening *x, const struct packed *to) {
  struct moving m = {.e = e, .x = x, .to = to, .ids = exact_ids(e)};
  uint64_t blocks = (m.ids + PACKED_ALIGN - 1) / PACKED_ALIGN;
  thin_between(&x->between, &e->thin, &x->wide, x->states);
  parts_init(&m.parts, blocks, part_blocks(e->thin.words), e->hands, e->threads);
  gate_help(&e->gate, move_blocks, &m);
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
  move_all(e, x, &to);
  thin_copy(&e->thin, &x->wide);
  exact_set_packed(e, &to);
  e->moved += ids;
  return true;
}
