// SPDX-License-Identifier: Apache-2.0
// The index of an exact store while it grows in place. Its lines are taken out and put in again,
// from the last to the first; no home moves down. Threads take parts of the lines (parts.h); each
// has the new places of its part to itself. A state that has none there (it was not at home, or
// what is before the end of the part's new places is full) waits in `late` until all parts are
// done.
//
// Invariant: a part is written when all lines where its new places lie have been taken out.
#include "store/exact.h"
#include "store/hash.h"

#include <string.h>

#ifdef FATHOM_SMALL
enum { PART_LINES = 2 };
#else
enum { PART_LINES = 256 };
#endif
enum {
  WINDOW = 8, // new lines that are being filled; from one old line on there are three or four
  AHEAD = 16, // lines: so early new ones are asked for
  FILL_BYTES = 1 << 17, // that one thread asks the system for at a time
  FILL_LARGE = 1 << 21, // of a large index: a huge page
};

struct growth {
  struct exact *e;
  struct index old, new;
  uint64_t inverse;     // of a narrow old scale: just less than 2^64 prefixes / digits
  size_t bytes;         // of the new index: those behind the old one are to be filled
  size_t filling;       // the piece of it that is to be filled next
  struct parts parts;   // of the old lines
  struct region memory; // of the two that follow
  uint64_t *late;       // ids
  unsigned char *workplaces;
  uint64_t late_count;
  uint64_t late_begun; // of them: put in, or being put in
};

// One thread's scratch.
struct workplace {
  uint64_t *states;     // a chunk
  unsigned char *slots; // of a part
};

// One thread at work on one part.
struct mover {
  struct growth *g;
  uint64_t *states;    // scratch
  struct index old;    // the slots that were taken out,
  uint64_t first_old;  // from that line on
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

static uint64_t slot_of(const struct index *x, uint64_t at, uint64_t digits, uint64_t id) {
  return tag_of(x, digits, x->wide) | away(x, at, home_of(x, digits)) | (id + 1);
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
  uint64_t at = line + line_taken(&x, line, x.wide);
  slot_set(&x, at, slot_of(&x, at, digits, id), x.wide);
  if (line / LINE - m->low < WINDOW) m->taken[line / LINE % WINDOW]++;
}

static void move_away(struct mover *m) {
  const struct exact *e = m->g->e;
  const struct index *x = &m->g->new;
  uint64_t d[CHUNK], *state = m->states;
  thin_read_these(&e->thin, &e->packed, m->away, m->count, state);
  for (size_t i = 0; i < m->count; i++, state += e->thin.words) {
    d[i] = digits_of(x, store_hash(state, e->thin.words));
    __builtin_prefetch(slot_address(x, home_of(x, d[i]), x->wide), 1);
  }
  for (size_t i = 0; i < m->count; i++) {
    uint64_t home = home_of(x, d[i]);
    if (home < m->first)
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
    prefetch_own(slot_address(x, (m->low > AHEAD ? m->low - AHEAD : 0) * LINE, false));
    m->taken[m->low % WINDOW] = (unsigned char)line_taken(x, m->low * LINE, false);
  }
}

// Narrow slots that stay narrow: those at home tell their hash themselves.
static void move_line(struct mover *m, uint64_t line) {
  const struct index old = m->old, new = m->g->new; // copies: they stay in registers
  uint64_t inverse = m->g->inverse;
  const narrow_slot *slots = slot_address(&old, (line - m->first_old) * LINE, false);
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
static void ask_line(struct mover *m, uint64_t line) {
  const struct index *old = &m->old;
  for (unsigned i = 0; i < LINE; i++) {
    uint64_t slot = slot_peek(old, (line - m->first_old) * LINE + i, old->wide);
    if (!slot) return;
    put_away(m, slot_id(old, slot));
  }
}

// --- memory ---

static size_t states_bytes(const struct growth *g) {
  return CHUNK * g->e->thin.words * sizeof(uint64_t);
}

static size_t workplace_bytes(const struct growth *g) {
  return index_bytes(PART_LINES * LINE, g->old.wide) + states_bytes(g);
}

static struct workplace workplace_of(const struct growth *g, size_t hand) {
  unsigned char *at = g->workplaces + hand * workplace_bytes(g);
  return (struct workplace){.states = (uint64_t *)at, .slots = at + states_bytes(g)};
}

static bool open_memory(struct growth *g) {
  size_t late = g->old.slots * sizeof *g->late;
  size_t bytes = late + g->e->threads * workplace_bytes(g);
  if (!region_open(&g->memory, bytes, bytes)) return false;
  g->late = (uint64_t *)g->memory.base;
  g->workplaces = g->memory.base + late;
  return true;
}

// --- parts ---

// The first new line of the states whose home is an old line from this one on.
static uint64_t first_line(const struct growth *g, uint64_t line_old) {
  return (uint64_t)((__uint128_t)line_old * g->new.slots / g->old.slots);
}

// The old line whose place that new slot gets.
static uint64_t line_there(const struct growth *g, uint64_t slot) {
  return index_bytes(slot, g->new.wide) / index_bytes(LINE, g->old.wide);
}

// Takes the old lines of a part out, for others to put new ones there.
static void take_out(struct mover *m, const struct part *part) {
  const struct index *old = &m->g->old;
  size_t bytes = index_bytes((part->end - part->first) * LINE, old->wide);
  void *place = slot_address(old, part->first * LINE, old->wide);
  memcpy(m->old.base, place, bytes);
  memset(place, 0, bytes);
}

static void move_part(struct growth *g, struct parts_hand *hand, const struct part *part,
                      struct workplace *w) {
  struct mover m = {.g = g, .states = w->states, .old = g->old, .first_old = part->first};
  m.old.base = w->slots;
  m.first = first_line(g, part->first) * LINE;
  m.low = first_line(g, part->end);
  m.end = m.low * LINE;
  memset(m.taken, LINE, sizeof m.taken);
  take_out(&m, part);
  parts_read(hand, part);
  parts_await(&g->parts, part, line_there(g, m.first));
  for (uint64_t line = part->end; line-- > part->first;) {
    if (g->new.wide)
      ask_line(&m, line);
    else
      move_line(&m, line);
  }
  move_away(&m);
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

// --- late ones ---

// All parts are done: slots are claimed, since all threads put them in.
static void insert_late(const struct growth *g, const uint64_t *ids, size_t count,
                        uint64_t *states) {
  const struct index *x = &g->new;
  uint64_t d[CHUNK];
  for (size_t i = 0; i < count; i++) packed_prefetch(&g->e->packed, ids[i]);
  thin_read_these(&g->e->thin, &g->e->packed, ids, count, states);
  for (size_t i = 0; i < count; i++) {
    d[i] = digits_of(x, store_hash(states + i * g->e->thin.words, g->e->thin.words));
    __builtin_prefetch(slot_address(x, home_of(x, d[i]), x->wide), 1);
  }
  for (size_t i = 0; i < count; i++) {
    uint64_t line = home_of(x, d[i]), at;
    unsigned char step = 1;
    do {
      unsigned taken; // looked at once: others fill the line meanwhile
      while ((taken = line_taken(x, line, x->wide)) == LINE) line = line_next(x, line, &step);
      at = line + taken;
    } while (!slot_claim(x, at, slot_of(x, at, d[i], ids[i]), x->wide));
  }
}

static void insert_all_late(struct growth *g, uint64_t *states) {
  for (;;) {
    uint64_t from = __atomic_fetch_add(&g->late_begun, CHUNK, __ATOMIC_RELAXED);
    if (from >= g->late_count) return;
    uint64_t left = g->late_count - from;
    insert_late(g, g->late + from, left < CHUNK ? left : CHUNK, states);
  }
}

// --- the whole ---

// In each thread; one who does not write has no hand.
static void move_all(void *context) {
  struct growth *g = context;
  struct part part;
  fill(g);
  struct parts_hand *hand = parts_join(&g->parts);
  if (!hand) return;
  struct workplace w = workplace_of(g, (size_t)(hand - g->parts.hand));
  while (parts_take(&g->parts, hand, &part)) move_part(g, hand, &part, &w);
  parts_await_all(&g->parts);
  insert_all_late(g, w.states);
}

bool exact_grow(struct exact *e, uint64_t slots, bool wide) {
  struct growth g = {.e = e, .old = e->index, .bytes = index_bytes(slots, wide)};
  parts_init(&g.parts, g.old.slots / LINE, PART_LINES, e->hands, e->threads);
  if (!open_memory(&g)) return false;
  e->index = g.new = index_of(e->slots.base, slots, wide);
  g.old.base = g.new.base;
  g.inverse = index_inverse(&g.old);
  gate_help(&e->gate, move_all, &g);
  region_close(&g.memory);
  return true;
}
