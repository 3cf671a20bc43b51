// SPDX-License-Identifier: Apache-2.0
// The exact store: states lie one after the other in one array that only grows, of each the bits
// that vary, or numbers for what they say (thin.h, pieces.h), packed to the bit (packed.h); an
// open-addressing index of slots finds them (index.h). Price: the state's bits and 4.3 to 6.5 bytes
// of index each (up to 8.6 while the index is small).
//
// Invariants: a state sits in the first slot, of its home line and those that follow it, that was
// empty when it came (nothing is ever removed, so a probe may be resumed where it stopped, and two
// threads with the same state meet at one slot); the index has at least one empty slot.
//
// Several threads: each writes the state at an id of its own, then claims the slot. Writers take
// ids by the block, and leave to insert by the quota, so that they meet at counters rarely; what
// they have not used is theirs until the gate is closed.
#include "store/exact.h"
#include "store/hash.h"

#include <string.h>

#define INLINE __attribute__((always_inline)) static inline

#ifdef FATHOM_SMALL
enum { SLOTS_FIRST = 16, BLOCK_MAX = 64, FILL_BYTES = 64 };
#define NARROW_SLOTS_MAX UINT64_C(16000)
#else
enum { SLOTS_FIRST = 3600, BLOCK_MAX = 1 << 14, FILL_BYTES = 1 << 14 };
#define NARROW_SLOTS_MAX (UINT64_C(1) << 30)
#endif

enum { LOAD_PERCENT = 93 }; // the index grows when it is this full
#define RESERVE_BYTES   ((size_t)1 << 40)
#define SMALL_BYTES     ((size_t)1 << 19)  // of an index that doubles: less than the program takes
#define HUGE_FROM_BYTES ((size_t)16 << 20) // of states: the huge page being filled weighs little

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

// --- room ---

uint64_t exact_states(const struct exact *e) {
  uint64_t count = 0;
  for (const struct exact_writer *w = e->writers; w; w = w->next)
    count += __atomic_load_n(&w->count, __ATOMIC_RELAXED);
  return count;
}

uint64_t exact_ids(const struct exact *e) { return e->shared ? e->ids : exact_states(e); }

bool exact_id_idle(const struct exact *e, uint64_t id) {
  for (const struct exact_writer *w = e->writers; w; w = w->next)
    if (id >= w->id && id < w->id_end) return true;
  return false;
}

void exact_set_packed(struct exact *e, const struct packed *packed) {
  e->packed = *packed;
  e->shape = packed->words <= 2 ? packed->words : 0;
}

static size_t held_bytes(const struct exact *e) {
  uint64_t count = exact_states(e);
  return packed_bytes(&e->packed, count) + count * e->payload_bytes +
         index_bytes(e->index.slots, e->index.wide) + pieces_bytes(&e->thin.pieces);
}

// Bytes that states and index may take beside the tables of pieces; 0: no limit.
static size_t limit_bytes(const struct exact *e) {
  size_t limit = e->base.config.mem_bytes_max, tables = pieces_bytes(&e->thin.pieces);
  assert(!limit || limit > tables); // exact_cut_due
  return limit ? limit - tables : 0;
}

// How many states the limits leave room for beside an index of that many bytes.
static uint64_t states_beside(const struct exact *e, size_t index) {
  const struct store_config *c = &e->base.config;
  uint64_t most = c->states_max ? c->states_max : UINT64_MAX;
  size_t each_bits = e->packed.bits + 8 * e->payload_bytes;
  size_t limit = limit_bytes(e);
  if (!limit || each_bits == 0) return most;
  uint64_t left = limit > index ? limit - index : 0;
  uint64_t fit = left / each_bits * 8 + left % each_bits * 8 / each_bits;
  return smaller(fit, most);
}

// Ids that the regions have place for.
static uint64_t ids_held(const struct exact *e) {
  uint64_t most = UINT64_MAX;
  if (e->packed.bits) most = (e->states.reserved - PACKED_SLACK_BYTES) * 8 / e->packed.bits;
  return e->payload_bytes ? smaller(most, e->payload.reserved / e->payload_bytes) : most;
}

// Ids that are taken and not used, at most.
static uint64_t ids_idle(const struct exact *e) { return e->shared ? e->threads * e->block : 0; }

static void set_room(struct exact *e, unsigned percent) {
  uint64_t slots = e->index.slots, room = (uint64_t)((__uint128_t)slots * percent / 100);
  if (room >= slots) room = slots - 1;
  uint64_t ids = room + ids_idle(e);
  bool (*extend)(struct region *, size_t) = e->shared ? region_extend_there : region_extend;
  (void)(extend(&e->states, packed_bytes(&e->packed, ids) + PACKED_SLACK_BYTES) &&
         extend(&e->payload, ids * e->payload_bytes)); // refused: less room
  if (!e->shared) e->packed.base = (uint64_t *)e->states.base;
  if (packed_bytes(&e->packed, exact_states(e)) >= HUGE_FROM_BYTES)
    region_huge(&e->states, packed_bytes(&e->packed, ids));
  uint64_t held = ids_held(e), idle = ids_idle(e);
  room = smaller(room, held > idle ? held - idle : 0);
  e->room = smaller(room, states_beside(e, index_bytes(slots, e->index.wide)));
}

// Ids stay below the number of slots: a full index and all idle ids are no more.
static void set_block(struct exact *e) {
  uint64_t spare = e->index.slots * (100 - STRETCH_PERCENT) / 100 / e->threads;
  e->block = smaller(spare, BLOCK_MAX) / PACKED_ALIGN * PACKED_ALIGN;
}

static uint64_t slots_first(const struct exact *e) {
  uint64_t least = (uint64_t)e->threads * PACKED_ALIGN * 100 / (100 - STRETCH_PERCENT) + LINE;
  return e->shared && least > SLOTS_FIRST ? whole_lines(least) : SLOTS_FIRST;
}

static bool is_wide(uint64_t slots) { return slots > NARROW_SLOTS_MAX; }

static struct pace pace_now(const struct exact *e) {
  return (struct pace){exact_states(e), __atomic_load_n(&e->base.waiting, __ATOMIC_RELAXED)};
}

// Slots for all the states that there may be.
static uint64_t slots_most(const struct exact *e) {
  uint64_t most = e->base.config.states_max;
  return most && most < UINT64_MAX / 200 ? whole_lines(most * 100 / LOAD_PERCENT + LINE)
                                         : UINT64_MAX;
}

// Slots for `need` states, of which there may be so many.
static uint64_t slots_for(const struct exact *e, uint64_t need) {
  size_t limit = e->base.config.mem_bytes_max;
  const struct pace now = pace_now(e);
  uint64_t slots = e->index.slots;
  while (slots * LOAD_PERCENT / 100 < need) {
    bool small = pace_is_small(slots, is_wide(slots), SMALL_BYTES, limit);
    slots = small ? 2 * slots : pace_grown(&e->pace, &now, slots, is_wide(slots), limit);
  }
  return smaller(slots, slots_most(e));
}

// Of so many slots those that the limit leaves states for.
static uint64_t slots_affordable(const struct exact *e, uint64_t slots) {
  size_t limit = limit_bytes(e);
  uint64_t state_bits = e->packed.bits + 8 * e->payload_bytes;
  return limit ? pace_affordable(slots, is_wide(slots), (__uint128_t)limit * 8, state_bits) : slots;
}

// Is there place for all that will come, and for `need` states, if the index becomes fuller?
static bool fits_to_end(struct exact *e, uint64_t need) {
  const struct pace now = pace_now(e);
  if (!pace_ends(&e->pace, &now, STRETCH_PERCENT - LOAD_PERCENT)) return false;
  set_room(e, STRETCH_PERCENT);
  return need <= e->room;
}

// Makes room for `more` states if the limits allow; else for as many as they do allow. With the
// gate closed.
static void grow(struct exact *e, uint64_t more) {
  uint64_t now = e->index.slots, stretch = now * STRETCH_PERCENT / 100;
  uint64_t need = exact_states(e) + more;
  if (fits_to_end(e, need)) return;
  uint64_t wanted = slots_for(e, need), slots = slots_affordable(e, wanted);
  bool wide = is_wide(slots);
  size_t bytes = index_bytes(slots, wide);
  bool pays = slots * LOAD_PERCENT / 100 > stretch && states_beside(e, bytes) > stretch;
  bool can = pays && !e->stretched && region_extend(&e->slots, bytes);
  if (can) region_huge(&e->slots, bytes);
  if (!can || !exact_grow(e, slots, wide)) {
    e->stretched = e->stretched || wanted > now;
    set_room(e, e->stretched ? STRETCH_PERCENT : LOAD_PERCENT);
    return;
  }
  e->pace = pace_now(e);
  set_block(e);
  set_room(e, LOAD_PERCENT);
  LOG(store, "grew to %zu slots", (size_t)slots);
}

// --- leave to insert ---

// Takes all leave back: what is promised is there. With the gate closed.
static void take_back(struct exact *e) {
  e->promised = exact_states(e);
  for (struct exact_writer *w = e->writers; w; w = w->next) w->limit = w->count;
}

// Of `free` states what one writer should take: all when it is the only one; else less and less as
// room runs out, so that little of it lies idle with others.
static uint64_t quota(const struct exact *e, uint64_t free, size_t n) {
  uint64_t part = e->shared ? free / e->threads / 8 : free;
  return smaller(part > n ? part : n, free);
}

// Cuts states into pieces, unless another thread has. Goes out of the gate and comes in again.
static void cut(struct exact *e, bool full) {
  struct exact_cutting x;
  gate_leave(&e->gate);
  exact_cutting_init(&x, e);
  gate_close(&e->gate);
  if (exact_cut_due(e, full) && exact_cut(e, &x)) {
    take_back(e);
    e->stretched = false; // shorter states leave memory for a larger index
    set_room(e, LOAD_PERCENT);
  }
  gate_open(&e->gate);
  exact_cutting_free(&x);
  gate_enter(&e->gate);
}

// From inside the gate; false when that takes more than is free.
static bool ask(struct exact_writer *w, size_t n) {
  struct exact *e = (struct exact *)w->base.store;
  uint64_t promised = __atomic_load_n(&e->promised, __ATOMIC_RELAXED), take;
  do {
    if (promised + n > e->room) return false;
    take = quota(e, e->room - promised, n);
  } while (!__atomic_compare_exchange_n(&e->promised, &promised, promised + take, true,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  w->limit += take;
  return true;
}

// Gets leave for n states, or for as many as there is room for. Goes out of the gate and comes in
// again if need be; on the way another writer may take the leave back, and it asks again.
__attribute__((noinline)) static void get_leave(struct exact_writer *w, size_t n) {
  struct exact *e = (struct exact *)w->base.store;
  uint64_t free;
  if (exact_cut_due(e, false)) cut(e, false);
  do {
    if (e->shared && ask(w, n)) return;
    gate_leave(&e->gate);
    gate_close(&e->gate);
    take_back(e);
    if (e->promised + n > e->room) grow(e, n);
    free = e->room > e->promised ? e->room - e->promised : 0;
    uint64_t take = quota(e, free, n);
    w->limit += take;
    e->promised += take;
    gate_open(&e->gate);
    gate_enter(&e->gate);
  } while (free > 0 && w->limit == w->count);
}

static void take_block(struct exact_writer *w) {
  struct exact *e = (struct exact *)w->base.store;
  w->id = __atomic_fetch_add(&e->ids, e->block, __ATOMIC_RELAXED);
  w->id_end = w->id + e->block;
  assert(w->id_end <= e->index.slots);
}

// Makes the writer's next ids ready to be used: FILL_BYTES of their memory are asked for at once.
// Page by page it would take a fault each, and where a state's first word is read before it is
// written, two, the second of which interrupts the other threads.
__attribute__((noinline)) static void make_ready(struct exact_writer *w) {
  struct exact *e = (struct exact *)w->base.store;
  if (e->shared && w->id == w->id_end) take_block(w);
  uint64_t end = w->id + 8 * FILL_BYTES / (e->packed.bits + 1) + 1;
  w->id_ready = e->shared && end > w->id_end ? w->id_end : end;
  region_fill(&e->states, packed_bytes(&e->packed, w->id), packed_bytes(&e->packed, w->id_ready));
}

// --- insert and find ---

// Whole states have hashes, which do not change when thin states become wider.
static void hash_all(const struct exact *e, const uint64_t *states, size_t n, uint64_t *hashes) {
  size_t words = e->thin.words;
  for (size_t i = 0; i < n; i++) switch (words) {
    case 1: hashes[i] = store_hash(states + i, 1); break;
    case 2: hashes[i] = store_hash(states + 2 * i, 2); break;
    default: hashes[i] = store_hash(states + words * i, words); break;
    }
}

// States whose probes are under way together.
struct chunk {
  size_t count;
  const uint64_t *hash;
  const uint64_t *thin;
};

struct probes {
  uint64_t home[CHUNK], at[CHUNK], tag[CHUNK];
  unsigned char step[CHUNK]; // to the next line
  unsigned char open[CHUNK]; // numbers of those that have seen full lines only
};

// Copies of what the store does not change while threads are inside: they stay in registers.
struct view {
  struct index index;
  struct packed packed;
};

INLINE struct view view_of(const struct exact *e) { return (struct view){e->index, e->packed}; }

INLINE void state_prefetch(const struct view *v, uint64_t at, bool wide) {
  uint64_t slot = slot_peek(&v->index, at, wide);
  uint64_t id = slot_id(&v->index, slot | !slot); // empty: id 0
  packed_prefetch(&v->packed, id);
}

// Looks into a line: where to begin, and which states will be compared. That is one at most, or
// rarely two, so two are asked for without looking whether they are there. False: the line is full
// of others, and the next one is to be looked into.
INLINE bool look(const struct view *v, struct probes *p, size_t i, uint64_t line, uint64_t tag,
                 bool wide, bool shared) {
  unsigned hits = line_hits(&v->index, line, tag, wide);
  if (!hits) {
    p->at[i] = line_next(&v->index, line, &p->step[i]);
    __builtin_prefetch(slot_address(&v->index, p->at[i], wide));
    return false;
  }
  unsigned first = (unsigned)__builtin_ctz(hits), rest = hits & (hits - 1);
  p->at[i] = line + first;
  if (shared) slot_prefetch_empty(&v->index, line + first, p, wide);
  state_prefetch(v, line + first, wide);
  state_prefetch(v, line + (rest ? (unsigned)__builtin_ctz(rest) : first), wide);
  return true;
}

// Asks for the slots of all, then for the states that these slots name (`shared`: for those that
// are empty as for the thread's own). Those whose line is full look into the next one when all have
// been there, so that they wait together.
INLINE void look_ahead(const struct view *v, const uint64_t *hashes, size_t n, struct probes *p,
                       bool wide, bool shared) {
  size_t open = 0;
  for (size_t i = 0; i < n; i++) {
    uint64_t d = digits_of(&v->index, hashes[i]);
    p->home[i] = home_of(&v->index, d);
    p->tag[i] = tag_of(&v->index, d, wide);
    p->step[i] = 1;
    __builtin_prefetch(slot_address(&v->index, p->home[i], wide));
  }
  for (size_t i = 0; i < n; i++) {
    p->open[open] = (unsigned char)i;
    open += !look(v, p, i, p->home[i], p->tag[i], wide, shared);
  }
  while (open > 0) {
    size_t still = 0;
    for (size_t k = 0; k < open; k++) {
      size_t i = p->open[k];
      p->open[still] = (unsigned char)i;
      uint64_t tag = p->tag[i] | away(&v->index, p->at[i], p->home[i]);
      still += !look(v, p, i, p->at[i], tag, wide, shared);
    }
    open = still;
  }
}

// Goes on from where look_ahead, or it itself, stopped. True: found, with its id.
INLINE bool settle(const struct view *v, const uint64_t *w, struct probes *p, size_t i,
                   uint64_t *id, size_t words, bool wide) {
  for (uint64_t at = p->at[i];;) {
    uint64_t slot = slot_get(&v->index, at, wide);
    uint64_t tag = p->tag[i] | away(&v->index, at, p->home[i]);
    p->at[i] = at;
    if (!slot) return false;
    *id = slot_id(&v->index, slot);
    if (tag_is(&v->index, slot, tag) && packed_equal(&v->packed, *id, w, words)) return true;
    at = slot_next(&v->index, at, tag, &p->step[i], wide);
  }
}

// Puts a state into the empty slot where settle stopped. False when another thread took the slot:
// the id is then still the writer's own.
INLINE bool put(const struct view *v, struct exact_writer *w, const uint64_t *state,
                const struct probes *p, size_t i, uint64_t *id, size_t words, bool wide,
                bool shared) {
  if (w->id == w->id_ready) make_ready(w);
  uint64_t at = p->at[i];
  uint64_t slot = p->tag[i] | away(&v->index, at, p->home[i]) | (w->id + 1);
  packed_write(&v->packed, w->id, state, words, !shared);
  if (!shared)
    slot_set(&v->index, at, slot, wide);
  else if (!slot_claim(&v->index, at, slot, wide))
    return false;
  *id = w->id++;
  __atomic_store_n(&w->count, w->count + 1, __ATOMIC_RELAXED);
  return true;
}

INLINE size_t insert_as(struct exact_writer *w, const struct chunk *c, enum store_answer *answers,
                        uint64_t *ids, size_t words, bool wide, bool shared) {
  const struct view v = view_of((const struct exact *)w->base.store);
  struct probes p;
  size_t stride = words ? words : v.packed.words;
  look_ahead(&v, c->hash, c->count, &p, wide, shared);
  for (size_t i = 0; i < c->count; i++) {
    const uint64_t *state = c->thin + i * stride;
    do {
      answers[i] = STORE_OLD;
      if (settle(&v, state, &p, i, &ids[i], words, wide)) break;
      if (w->count == w->limit) return i;
      answers[i] = STORE_NEW;
    } while (!put(&v, w, state, &p, i, &ids[i], words, wide, shared));
  }
  return c->count;
}

INLINE void find_as(const struct exact *e, const struct chunk *c, uint64_t *ids, size_t words,
                    bool wide) {
  const struct view v = view_of(e);
  struct probes p;
  size_t stride = words ? words : v.packed.words;
  look_ahead(&v, c->hash, c->count, &p, wide, false);
  for (size_t i = 0; i < c->count; i++)
    if (!settle(&v, c->thin + i * stride, &p, i, &ids[i], words, wide)) ids[i] = STORE_ABSENT;
}

// The constants for which they are compiled.
#define FORM(words, wide, shared) ((words)*4 + (wide)*2 + (shared))

static size_t insert_chunk(struct exact_writer *w, const struct chunk *c,
                           enum store_answer *answers, uint64_t *ids) {
  const struct exact *e = (const struct exact *)w->base.store;
  switch (FORM(e->shape, e->index.wide, e->shared)) {
  case FORM(0, false, false): return insert_as(w, c, answers, ids, 0, false, false);
  case FORM(0, false, true): return insert_as(w, c, answers, ids, 0, false, true);
  case FORM(0, true, false): return insert_as(w, c, answers, ids, 0, true, false);
  case FORM(0, true, true): return insert_as(w, c, answers, ids, 0, true, true);
  case FORM(1, false, false): return insert_as(w, c, answers, ids, 1, false, false);
  case FORM(1, false, true): return insert_as(w, c, answers, ids, 1, false, true);
  case FORM(1, true, false): return insert_as(w, c, answers, ids, 1, true, false);
  case FORM(1, true, true): return insert_as(w, c, answers, ids, 1, true, true);
  case FORM(2, false, false): return insert_as(w, c, answers, ids, 2, false, false);
  case FORM(2, false, true): return insert_as(w, c, answers, ids, 2, false, true);
  case FORM(2, true, false): return insert_as(w, c, answers, ids, 2, true, false);
  default: return insert_as(w, c, answers, ids, 2, true, true);
  }
}

static void find_chunk(const struct exact *e, const struct chunk *c, uint64_t *ids) {
  switch (FORM(e->shape, e->index.wide, false)) {
  case FORM(0, false, false): find_as(e, c, ids, 0, false); break;
  case FORM(0, true, false): find_as(e, c, ids, 0, true); break;
  case FORM(1, false, false): find_as(e, c, ids, 1, false); break;
  case FORM(1, true, false): find_as(e, c, ids, 1, true); break;
  case FORM(2, false, false): find_as(e, c, ids, 2, false); break;
  default: find_as(e, c, ids, 2, true); break;
  }
}

// A chunk of the first states of `count` that fit, their thin ones at `thin`; their hashes are, or
// will be, at `hash`.
static struct chunk chunk_of(const struct exact *e, const uint64_t *states, size_t count,
                             uint64_t *thin, const uint64_t *hash) {
  size_t fit = thin_pack(&e->thin, states, smaller(count, CHUNK), thin);
  return (struct chunk){fit, hash, thin};
}

// Hashes the first states of `count`, a chunk more than will be inserted now, and asks for their
// lines: these come while the chunk before is inserted.
static void hash_ahead(const struct exact *e, struct exact_writer *w, const uint64_t *states,
                       size_t count) {
  size_t from = w->hashed;
  w->hashed = smaller(count, 2 * CHUNK);
  hash_all(e, states + from * e->thin.words, w->hashed - from, w->hash + from);
  for (size_t i = from; i < w->hashed; i++) {
    uint64_t home = home_of(&e->index, digits_of(&e->index, w->hash[i]));
    __builtin_prefetch(slot_address(&e->index, home, e->index.wide));
  }
}

static void hashes_used(struct exact_writer *w, size_t count) {
  w->hashed -= count;
  memmove(w->hash, w->hash + count, w->hashed * sizeof *w->hash);
}

// Gives numbers to the values of states, as far as there are bits for them. False when the first
// one does not fit then.
static bool give_numbers(struct exact *e, const uint64_t *states, size_t count) {
  pthread_mutex_lock(&e->numbers);
  pieces_take(&e->thin.pieces, states, e->thin.words, count, e->thin.fast);
  bool fits = thin_fits(&e->thin, states);
  pthread_mutex_unlock(&e->numbers);
  return fits;
}

// Widens thin states for one that did not fit and those that come with it, or for it alone, unless
// another thread has. Goes out of the gate and comes in again.
static bool make_fit(struct exact_writer *w, const uint64_t *states, size_t count) {
  struct exact *e = (struct exact *)w->base.store;
  struct exact_widening x;
  gate_leave(&e->gate);
  exact_widening_init(&x, e);
  gate_close(&e->gate);
  take_back(e);
  bool fits = thin_fits(&e->thin, states) || exact_widen(e, &x, states, count, false) ||
              exact_widen(e, &x, states, 1, true);
  set_room(e, e->stretched ? STRETCH_PERCENT : LOAD_PERCENT);
  gate_open(&e->gate);
  exact_widening_free(&x);
  gate_enter(&e->gate);
  return fits;
}

static size_t exact_insert_batch(struct store_writer *writer, const uint64_t *words, size_t count,
                                 enum store_answer *answers, uint64_t *ids) {
  struct exact_writer *w = (struct exact_writer *)writer;
  struct exact *e = (struct exact *)writer->store;
  size_t done = 0;
  w->hashed = 0;
  gate_enter(&e->gate);
  while (done < count) {
    size_t n = smaller(count - done, CHUNK);
    uint64_t cut_at = e->cut_at;
    if (w->limit - w->count < n) get_leave(w, n);
    const uint64_t *first = words + done * e->thin.words;
    hash_ahead(e, w, first, count - done);
    struct chunk c = chunk_of(e, first, n, w->thin, w->hash);
    if (c.count == 0 && (give_numbers(e, first, count - done) || make_fit(w, first, count - done)))
      continue;
    size_t here = insert_chunk(w, &c, answers + done, ids + done);
    hashes_used(w, here);
    done += here;
    if (here > 0 || e->cut_at != cut_at) continue; // or others have cut meanwhile
    if (!exact_cut_due(e, true)) break;            // no room, and none to be had
    cut(e, true);
  }
  gate_leave(&e->gate);
  return done;
}

// Inside the gate, or alone. States that do not fit are not there.
static void find_all(const struct exact *e, const uint64_t *words, size_t count, uint64_t *ids,
                     uint64_t *thin) {
  uint64_t hash[CHUNK];
  for (size_t done = 0; done < count;) {
    const uint64_t *first = words + done * e->thin.words;
    struct chunk c = chunk_of(e, first, count - done, thin, hash);
    hash_all(e, first, c.count, hash);
    if (c.count == 0)
      ids[done++] = STORE_ABSENT;
    else
      find_chunk(e, &c, ids + done);
    done += c.count;
  }
}

static void exact_find_batch(struct store_writer *w, const uint64_t *words, size_t count,
                             uint64_t *ids) {
  struct exact *e = (struct exact *)w->store;
  gate_enter(&e->gate);
  find_all(e, words, count, ids, ((struct exact_writer *)w)->thin);
  gate_leave(&e->gate);
}

// --- the function table ---

// A writer that is not used any more keeps its ids for the next one, so that none are lost. One
// thread has one writer, by whatever door it comes.
static struct store_writer *exact_writer_make(struct store *s) {
  struct exact *e = (struct exact *)s;
  struct exact_writer *w = e->writers;
  while (w && w->users && e->shared) w = w->next;
  if (!w) {
    w = mem_zalloc(1, sizeof *w);
    w->base.store = s;
    w->thin = mem_alloc(CHUNK * e->thin.words * sizeof *w->thin);
    w->next = e->writers;
    e->writers = w;
  }
  w->users++;
  return &w->base;
}

static void exact_writer_free(struct store_writer *writer) {
  struct exact_writer *w = (struct exact_writer *)writer;
  assert(w->users > 0);
  w->users--;
}

static void exact_get_batch(const struct store *s, uint64_t first, size_t count, uint64_t *words) {
  struct exact *e = (struct exact *)s;
  gate_enter(&e->gate);
  thin_read(&e->thin, &e->packed, first, count, words);
  gate_leave(&e->gate);
}

static void *exact_payload(struct store *s, uint64_t id) {
  struct exact *e = (struct exact *)s;
  return e->payload.base + id * e->payload_bytes;
}

static uint64_t exact_count(const struct store *s) {
  struct exact *e = (struct exact *)s;
  gate_enter(&e->gate);
  uint64_t count = exact_states(e);
  gate_leave(&e->gate);
  return count;
}

static size_t exact_memory(const struct store *s) {
  struct exact *e = (struct exact *)s;
  gate_enter(&e->gate);
  size_t bytes = held_bytes(e);
  gate_leave(&e->gate);
  return bytes;
}

static void exact_facts(const struct store *s, struct store_facts *f) {
  struct exact *e = (struct exact *)s;
  gate_enter(&e->gate);
  f->load = (double)exact_states(e) / (double)e->index.slots;
  gate_leave(&e->gate);
}

// Every slot names an id that no other one names, and the state there leads to this slot.
static bool exact_check(const struct store *s) {
  const struct exact *e = (const struct exact *)s;
  const struct index *x = &e->index;
  uint64_t used = 0, *w = mem_alloc(2 * e->thin.words * sizeof *w);
  unsigned char *seen = mem_zalloc(x->slots, 1);
  bool ok = true;
  for (uint64_t at = 0; ok && at < x->slots; at++) {
    uint64_t slot = slot_peek(x, at, x->wide), found;
    if (!slot) continue;
    uint64_t id = slot_id(x, slot);
    ok = id < x->slots && !seen[id] && (e->shared || id < exact_states(e));
    if (!ok) break;
    seen[id] = 1;
    exact_get_batch(s, id, 1, w);
    find_all(e, w, 1, &found, w + e->thin.words);
    ok = found == id;
    used++;
  }
  mem_free(seen);
  mem_free(w);
  return ok && used == exact_states(e) && used < x->slots;
}

// In the order of their ids: in that of the index, another store would get them sorted by their
// hashes, and its lines would fill up one after the other.
static bool exact_each(const struct store *s,
                       bool (*take)(void *context, uint64_t id, const uint64_t *key),
                       void *context) {
  const struct exact *e = (const struct exact *)s;
  uint64_t end = exact_ids(e), *w = mem_alloc(e->thin.words * sizeof *w);
  bool on = true;
  for (uint64_t id = 0; on && id < end; id++) {
    if (exact_id_idle(e, id)) continue;
    exact_get_batch(s, id, 1, w);
    on = take(context, id, w);
  }
  mem_free(w);
  return on;
}

static void exact_free(struct store *s) {
  struct exact *e = (struct exact *)s;
  for (struct exact_writer *w = e->writers, *next; w; w = next) {
    next = w->next;
    mem_free(w->thin);
    mem_free(w);
  }
  mem_free(e->hands);
  thin_free(&e->thin);
  region_close(&e->states);
  region_close(&e->slots);
  region_close(&e->payload);
  region_close(&e->tables);
  pthread_mutex_destroy(&e->numbers);
  gate_destroy(&e->gate);
  mem_free(e);
}

static void open_regions(struct exact *e, const struct store_config *c) {
  size_t limit = c->mem_bytes_max, first = slots_first(e);
  size_t wanted = limit && limit < RESERVE_BYTES ? limit + PACKED_SLACK_BYTES : RESERVE_BYTES;
  size_t least = first * (c->bytes + e->payload_bytes + 8) + PACKED_SLACK_BYTES;
  size_t all = region_addresses(e->threads - 1); // few: some are left for growing, and the heap
  if (region_open_there(&e->states, smaller(wanted, all / 2), least) &&
      region_open(&e->slots, smaller(wanted, all / 4), least) &&
      (!e->payload_bytes || region_open_there(&e->payload, smaller(wanted, all / 8), least)))
    return;
  exact_free(&e->base);
  mem_exhausted(least);
}

static struct store *exact_make(const struct store_config *c) {
  struct exact *e = mem_zalloc(1, sizeof *e);
  e->base.config = *c;
  e->threads = c->threads ? c->threads : 1;
  e->shared = e->threads > 1;
  e->payload_bytes = c->payload_bytes;
  thin_init(&e->thin, c->words, c->bits ? c->bits : 8 * c->bytes);
  gate_init(&e->gate, e->shared);
  pthread_mutex_init(&e->numbers, NULL);
  e->hands = mem_alloc(e->threads * sizeof *e->hands);
  e->cut_at = EXACT_CUT_FIRST;
  open_regions(e, c);
  e->packed.base = (uint64_t *)e->states.base;
  e->index = index_of(e->slots.base, slots_first(e), is_wide(slots_first(e)));
  set_block(e);
  set_room(e, LOAD_PERCENT);
  return &e->base;
}

const struct store_ops store_exact = {
    .name = "exact",
    .keeps_states = true,
    .make = exact_make,
    .free = exact_free,
    .writer_make = exact_writer_make,
    .writer_free = exact_writer_free,
    .insert_batch = exact_insert_batch,
    .find_batch = exact_find_batch,
    .get_batch = exact_get_batch,
    .payload = exact_payload,
    .count = exact_count,
    .memory = exact_memory,
    .facts = exact_facts,
    .check = exact_check,
    .each = exact_each,
};
