// SPDX-License-Identifier: Apache-2.0
// An exact store whose states are cut into pieces (pieces.h): when there are enough of them to
// choose by, and again when there are many more. All states are read and written again, from the
// first to the last, by blocks that begin and end with a word before and after; they become
// shorter. The index stays as it is, since it knows states by the hash of the whole state.
#include "store/exact.h"

#include <string.h>

enum {
  CUT_TIMES = 8,  // as many states: then it is cut again,
  FULL_TIMES = 2, // or as many, when there is no room for more
  SAMPLE_STATES = 4096,
  SAMPLE_WORDS = 8192,
  STATE_WORDS = 8,  // at most: longer states belong into a tree
  TABLES_PART = 64, // of the memory limit, at most
  PAYS_PART = 7,    // of what a state takes, index included, must be saved: pieces cost time
  AGAIN_PART = 24,  // when they are there already
  INDEX_BITS = 36,  // of a state
};

static bool tables_affordable(const struct exact *e) {
  size_t limit = e->base.config.mem_bytes_max;
  return !limit || thin_tables_bytes(&e->thin) <= limit / TABLES_PART;
}

bool exact_cut_due(const struct exact *e, bool full) {
  uint64_t at = full ? e->cut_at / CUT_TIMES * FULL_TIMES : e->cut_at, states = exact_states(e);
  uint64_t most = e->base.config.states_max; // no cut makes room for more
  if (full && most && states >= most) return false;
  return e->thin.words <= STATE_WORDS && states >= at && tables_affordable(e);
}

void exact_cutting_init(struct exact_cutting *x, const struct exact *e) {
  size_t words = e->thin.words;
  *x = (struct exact_cutting){.sample_max = SAMPLE_WORDS / words};
  if (x->sample_max > SAMPLE_STATES) x->sample_max = SAMPLE_STATES;
  x->sample = mem_alloc(x->sample_max * words * sizeof *x->sample);
  x->block = mem_alloc(2 * PACKED_ALIGN * words * sizeof *x->block);
  thin_init(&x->thin, words, e->thin.most);
}

void exact_cutting_free(struct exact_cutting *x) {
  mem_free(x->sample);
  mem_free(x->block);
  thin_free(&x->thin);
  region_close(&x->tables);
}

// --- states ---

// Ids that no state has get the first state of the sample, which has numbers for all its values.
static size_t read_block(const struct exact *e, const struct exact_cutting *x, uint64_t first) {
  uint64_t ids = exact_ids(e), words = e->thin.words;
  size_t count = ids - first < PACKED_ALIGN ? ids - first : PACKED_ALIGN;
  thin_read(&e->thin, &e->packed, first, count, x->block);
  for (size_t i = 0; e->shared && i < count; i++)
    if (exact_id_idle(e, first + i))
      memcpy(x->block + i * words, x->sample, words * sizeof *x->sample);
  return count;
}

static size_t read_sample(const struct exact *e, const struct exact_cutting *x) {
  uint64_t ids = exact_ids(e), words = e->thin.words;
  size_t wanted = ids < x->sample_max ? ids : x->sample_max, count = 0;
  for (size_t i = 0; i < wanted; i++) {
    uint64_t id = ids * i / wanted;
    if (e->shared && exact_id_idle(e, id)) continue;
    thin_read(&e->thin, &e->packed, id, 1, x->sample + count++ * words);
  }
  return count;
}

static void write_again(struct exact *e, struct exact_cutting *x, const struct packed *to) {
  uint64_t ids = exact_ids(e), *thin = x->block + PACKED_ALIGN * e->thin.words;
  for (uint64_t first = 0; first < ids; first += PACKED_ALIGN) {
    size_t count = read_block(e, x, first), fit = thin_pack(&x->thin, x->block, count, thin);
    assert(fit == count);
    exact_write_block(to, first, fit, thin);
  }
}

// --- the cut ---

// Numbers will need more bits as values come: one each.
static bool pays(const struct exact *e, const struct exact_cutting *x) {
  size_t before = e->thin.bits, after = x->thin.bits + x->thin.pieces.count;
  size_t part = e->thin.pieces.count ? AGAIN_PART : PAYS_PART;
  return after < before && (before - after) * part >= before + INDEX_BITS;
}

bool exact_cut(struct exact *e, struct exact_cutting *x) {
  uint64_t ids = exact_ids(e);
  size_t count = read_sample(e, x), bytes = thin_tables_bytes(&e->thin);
  e->cut_at = exact_states(e) * CUT_TIMES;
  if (count == 0 || !region_open(&x->tables, bytes, bytes)) return false;
  if (!thin_cut(&x->thin, &e->thin, x->sample, count, x->tables.base)) return false;
  thin_widen(&x->thin, x->sample, count, false);
  if (!pays(e, x)) return false;
  for (uint64_t first = 0; first < ids; first += PACKED_ALIGN)
    thin_widen(&x->thin, x->block, read_block(e, x, first), false);
  thin_settle(&x->thin);
  if (!pays(e, x)) return false;
  struct packed to = {.base = e->packed.base};
  packed_set_bits(&to, x->thin.bits);
  write_again(e, x, &to);
  thin_copy(&e->thin, &x->thin);
  exact_set_packed(e, &to);
  region_release(&e->states, packed_bytes(&to, ids) + PACKED_SLACK_BYTES);
  struct region old = e->tables;
  e->tables = x->tables;
  x->tables = old;
  LOG(store, "cut into %zu pieces: %zu bits", e->thin.pieces.count, e->thin.bits);
  return true;
}
