// SPDX-License-Identifier: Apache-2.0
// The index of an exact store while it grows in place. Its lines are taken out and put in again,
// from the last to the first; no home moves down. Threads take parts of the lines, in this order;
// each has the new places of its part to itself. A state that has none there (it was not at home,
// or what is before the end of the part's new places is full) waits in `late` until all parts are
// done.
//
// Invariant: a part is begun when all lines where its new places lie, but its own, have been taken
// out.
#include "store/exact.h"
#include "store/hash.h"

#include <sched.h>
#include <string.h>

#ifdef FATHOM_SMALL
enum { PART_LINES = 2 };
#else
enum { PART_LINES = 256 };
#endif
enum {
  WINDOW = 8, // new lines that are being filled; from one old line on there are three or four
  FILL_BYTES = 1 << 17, // that one thread asks the system for at a time
  FILL_LARGE = 1 << 21, // of a large index: a huge page
};

struct growth {
  struct exact *e;
  struct index old, new;
  uint64_t inverse;     // of a narrow old scale: just less than 2^64 prefixes / digits
  size_t bytes;         // of the new index: those behind the old one are to be filled
  size_t filling;       // the piece of it that is to be filled next
  uint64_t parts;       // counted from the last lines on
  uint64_t begun;       // of the parts
  uint64_t done;        // all before this one are
  struct region memory; // of the three that follow
  uint64_t *late;       // ids
  uint64_t *scratch;    // a chunk of states for each thread
  unsigned char *ready; // each part: is it done?
  uint64_t late_count;
  unsigned hands; // threads at work
};

// One thread at work on one part.
struct mover {
  struct growth *g;
  uint64_t *states;    // scratch
  uint64_t line_old;   // number of the line being moved
  uint64_t first, end; // new slots that are its own
  size_t count;
  uint64_t away[CHUNK]; // ids whose states must be asked for their hash
  // New lines from `low` on, up to WINDOW of them: how many slots of each, modulo WINDOW, are
  // taken. Lines that are not its own count as full.
  uint64_t low;
  unsigned char taken[WINDOW];
};

static void put_late(struct growth *g, uint64_t id) {
  g->late[__atomic_fetch_add(&g->late_count, 1, __ATOMIC_RELAXED)] = id;
}

static uint64_t hash_of(const struct exact *e, uint64_t id, uint64_t *scratch) {
  thin_read(&e->thin, &e->packed, id, 1, scratch);
  return store_hash(scratch, e->thin.words);
}

static void slot_put(const struct index *x, uint64_t at, uint64_t digits, uint64_t id) {
  uint64_t slot = tag_of(x, digits, x->wide) | away(x, at, home_of(x, digits)) | (id + 1);
  slot_set(x, at, slot, x->wide);
}

// Slots of a line that are taken: they come first.
INDEX_INLINE unsigned line_taken(const struct index *x, uint64_t line, bool wide) {
  return (unsigned)__builtin_ctz(line_empty(x, line, wide) | 1u << LINE);
}

static bool line_full(const struct index *x, uint64_t line) {
  return slot_peek(x, line + LINE - 1, x->wide) != 0;
}

// --- one line ---

// Puts a state into the first empty slot from its home on, if there is one before the end.
__attribute__((noinline)) static void move(struct mover *m, uint64_t digits, uint64_t id) {
  struct index x = m->g->new;
  unsigned char step = 1;
  uint64_t line = home_of(&x, digits);
  x.slots = UINT64_MAX; // it does not go round
  while (line < m->end && line_full(&x, line)) line = line_next(&x, line, &step);
  if (line >= m->end) {
    put_late(m->g, id);
    return;
  }
  slot_put(&x, line + line_taken(&x, line, x.wide), digits, id);
  if (line / LINE - m->low < WINDOW) m->taken[line / LINE % WINDOW]++;
}

static void move_away(struct mover *m) {
  const struct exact *e = m->g->e;
  const struct index *x = &m->g->new;
  uint64_t d[CHUNK], *state = m->states;
  size_t below = index_bytes(m->line_old * LINE, m->g->old.wide); // not taken out yet
  thin_read_these(&e->thin, &e->packed, m->away, m->count, state);
  for (size_t i = 0; i < m->count; i++, state += e->thin.words) {
    d[i] = digits_of(x, store_hash(state, e->thin.words));
    __builtin_prefetch(slot_address(x, home_of(x, d[i]), x->wide), 1);
  }
  for (size_t i = 0; i < m->count; i++) {
    uint64_t home = home_of(x, d[i]);
    if (home < m->first || index_bytes(home, x->wide) < below)
      put_late(m->g, m->away[i]);
    else
      move(m, d[i], m->away[i]);
  }
  m->count = 0;
}

static void put_away(struct mover *m, uint64_t id) {
  packed_prefetch(&m->g->e->packed, id);
  m->away[m->count++] = id;
  if (m->count == CHUNK) move_away(m);
}

// Makes the window reach down to a new line.
INDEX_INLINE void open_lines(struct mover *m, const struct index *x, uint64_t low) {
  while (m->low > low) {
    m->low--;
    m->taken[m->low % WINDOW] = (unsigned char)line_taken(x, m->low * LINE, false);
  }
}

// Narrow slots that stay narrow: those at home tell their hash themselves.
static void move_line(struct mover *m) {
  const struct index old = m->g->old, new = m->g->new; // copies: they stay in registers
  uint64_t line = m->line_old, inverse = m->g->inverse;
  narrow_slot slots[LINE], *place = slot_address(&old, line * LINE, false);
  memcpy(slots, place, sizeof slots);
  memset(place, 0, sizeof slots);
  open_lines(m, &new, digits_on(&new, prefix_back(line << old.tag_bits, inverse)) >> new.tag_bits);
  for (unsigned i = 0; i < LINE && slots[i]; i++) {
    uint64_t slot = slots[i];
    if (slot >> old.id_bits & 1) {
      put_away(m, slot_id(&old, slot));
      continue;
    }
    uint64_t d = line << old.tag_bits | slot >> (old.id_bits + 1);
    d = digits_on(&new, prefix_back(d, inverse));
    uint64_t home = d >> new.tag_bits;
    unsigned taken = m->taken[home % WINDOW];
    if (taken < LINE) {
      m->taken[home % WINDOW]++;
      slot = tag_of(&new, d, false) | (slot & old.id_mask);
      slot_set(&new, home * LINE + taken, slot, false);
    } else {
      move(m, d, slot_id(&old, slot));
    }
  }
}

// Any slots: all states are asked.
static void ask_line(struct mover *m) {
  const struct index *old = &m->g->old;
  uint64_t slots[LINE];
  for (unsigned i = 0; i < LINE; i++) {
    slots[i] = slot_peek(old, m->line_old * LINE + i, old->wide);
    slot_set(old, m->line_old * LINE + i, 0, old->wide);
  }
  for (unsigned i = 0; i < LINE && slots[i]; i++) put_away(m, slot_id(old, slots[i]));
}

// --- parts ---

// The first new line of the states whose home is an old line from this one on.
static uint64_t first_line(const struct growth *g, uint64_t line_old) {
  return (uint64_t)((__uint128_t)line_old * g->new.slots / g->old.slots);
}

// Until all parts before this one that lie where its places are, or behind, are done.
static void wait_for_places(const struct growth *g, uint64_t part, uint64_t first) {
  uint64_t lines_old = g->old.slots / LINE;
  uint64_t line = index_bytes(first, g->new.wide) / index_bytes(LINE, g->old.wide);
  uint64_t behind = line < lines_old ? (lines_old - line + PART_LINES - 1) / PART_LINES : 0;
  if (behind > part) behind = part;
  while (__atomic_load_n(&g->done, __ATOMIC_ACQUIRE) < behind) sched_yield();
}

static void move_part(struct growth *g, uint64_t part, uint64_t *states) {
  uint64_t lines_old = g->old.slots / LINE, end = lines_old - part * PART_LINES;
  uint64_t first = end > PART_LINES ? end - PART_LINES : 0;
  struct mover m = {.g = g, .states = states};
  m.first = first_line(g, first) * LINE;
  m.low = first_line(g, end);
  m.end = m.low * LINE;
  memset(m.taken, LINE, sizeof m.taken);
  wait_for_places(g, part, m.first);
  for (m.line_old = end; m.line_old-- > first;) {
    if (g->new.wide)
      ask_line(&m);
    else
      move_line(&m);
  }
  m.line_old = first;
  move_away(&m);
}

// In one order for all threads: of two that end together, the later one sees both.
static void part_done(struct growth *g, uint64_t part) {
  __atomic_store_n(&g->ready[part], 1, __ATOMIC_SEQ_CST);
  uint64_t done = __atomic_load_n(&g->done, __ATOMIC_SEQ_CST);
  while (done < g->parts && __atomic_load_n(&g->ready[done], __ATOMIC_SEQ_CST))
    if (__atomic_compare_exchange_n(&g->done, &done, done + 1, true, __ATOMIC_SEQ_CST,
                                    __ATOMIC_SEQ_CST))
      done++;
}

// Asks the system for the memory, together: it takes its time. By pieces that begin with a page,
// those of a large index with a huge one.
static void fill(struct growth *g) {
  size_t from = index_bytes(g->old.slots, g->old.wide), to = 0;
  size_t piece = g->bytes < 4 * FILL_LARGE ? FILL_BYTES : FILL_LARGE;
  while (to < g->bytes) {
    size_t at = piece * __atomic_fetch_add(&g->filling, 1, __ATOMIC_RELAXED);
    to = at + piece;
    if (to > from && at < g->bytes)
      region_fill(&g->e->slots, at > from ? at : from, to < g->bytes ? to : g->bytes);
  }
}

static void move_parts(void *context) {
  struct growth *g = context;
  fill(g);
  unsigned hand = __atomic_fetch_add(&g->hands, 1, __ATOMIC_RELAXED);
  if (hand >= g->e->threads) return; // one who does not write
  uint64_t *states = g->scratch + hand * CHUNK * g->e->thin.words;
  for (;;) {
    uint64_t part = __atomic_fetch_add(&g->begun, 1, __ATOMIC_RELAXED);
    if (part >= g->parts) return;
    move_part(g, part, states);
    part_done(g, part);
  }
}

// --- late ones ---

static void insert_late(struct growth *g) {
  const struct index *x = &g->new;
  for (uint64_t i = 0; i < g->late_count; i++) {
    uint64_t d = digits_of(x, hash_of(g->e, g->late[i], g->scratch)), line = home_of(x, d);
    unsigned char step = 1;
    while (line_full(x, line)) line = line_next(x, line, &step);
    slot_put(x, line + line_taken(x, line, x->wide), d, g->late[i]);
  }
}

static bool open_memory(struct growth *g) {
  size_t late = g->old.slots * sizeof *g->late;
  size_t scratch = g->e->threads * CHUNK * g->e->thin.words * sizeof *g->scratch;
  size_t bytes = late + scratch + g->parts;
  if (!region_open(&g->memory, bytes, bytes)) return false;
  g->late = (uint64_t *)g->memory.base;
  g->scratch = (uint64_t *)(g->memory.base + late);
  g->ready = g->memory.base + late + scratch;
  return true;
}

bool exact_grow(struct exact *e, uint64_t slots, bool wide) {
  struct growth g = {.e = e, .old = e->index, .bytes = index_bytes(slots, wide)};
  g.parts = (g.old.slots / LINE + PART_LINES - 1) / PART_LINES;
  if (!open_memory(&g)) return false;
  e->index = g.new = index_of(e->slots.base, slots, wide);
  g.old.base = g.new.base;
  g.inverse = index_inverse(&g.old);
  gate_help(&e->gate, move_parts, &g);
  insert_late(&g);
  region_close(&g.memory);
  return true;
}
