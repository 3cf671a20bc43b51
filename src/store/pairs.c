// SPDX-License-Identifier: Apache-2.0
// The table of pairs: an array of entries packed to the bit, in the order of their ids, and an
// open-addressing index (index.h) that finds them.
//
// Invariants: a pair sits in the first slot, from the start of its home line on, that was empty
// when it came (nothing is ever removed, so a probe may be resumed where it stopped); the index
// has at least one empty slot. An entry is complete before its slot is; the bits of an id are
// written by the hand that owns it only.
#include "store/pairs.h"

#include "store/hash.h"

#include <string.h>
#include <sys/mman.h>

// Inlined for each kind of slot, so that the kind is a constant inside.
#define INLINE __attribute__((always_inline)) static inline

#ifdef FATHOM_SMALL
enum { SLOTS_FIRST = 32, SLOTS_SMALL = 200 };
#define NARROW_SLOTS_MAX UINT64_C(1000)
#else
enum { SLOTS_FIRST = 1024, SLOTS_SMALL = 1 << 15 };
#define NARROW_SLOTS_MAX (UINT64_C(1) << 30)
#endif

enum {
  LOAD_PERCENT = 90,    // the index grows when it is this full
  SMALL_PERCENT = 60,   // small ones grow earlier, to their double size
  SLACK_BYTES = 16,     // the word behind an entry's first one is read with it
  FILLING = 16,         // lines whose slots are counted while the index grows
  SHARE = 4,            // one table takes this part of what is left to all at most
  FILL_BYTES = 1 << 14, // of entries whose memory is asked for together, at most
  FILL_PART = 8,        // and no more than this part of them
};
#define ROOMY_BYTES     ((size_t)16 << 20) // of addresses; what the system gives in need is less
#define HUGE_FROM_BYTES ((size_t)16 << 20) // of entries: the huge page being filled weighs little

INLINE uint64_t pair_hash(uint64_t left, uint64_t right) {
  return store_fold(store_fold(left ^ STORE_MIX_A, right ^ STORE_MIX_B), STORE_MIX_C);
}

// --- entries ---

static size_t entries_bytes(uint64_t ids, unsigned bits) {
  return (size_t)((__uint128_t)ids * bits / 8) + SLACK_BYTES;
}

INLINE const void *entry_address(const struct pairs *t, uint64_t id) {
  return t->entries.base + id * pairs_bits(t) / 8;
}

static uint64_t entry_hash(const struct pairs *t, uint64_t id) {
  uint64_t left, right;
  pairs_get(t, id, &left, &right);
  return pair_hash(left, right);
}

// Neighbours in the same word may be written by other hands at the same time.
INLINE void word_flip(struct pairs *t, uint64_t at, uint64_t bits) {
  uint64_t *w = (uint64_t *)t->entries.base + at;
  if (t->shared)
    __atomic_fetch_xor(w, bits, __ATOMIC_RELAXED);
  else
    *w ^= bits;
}

// Asks for the memory of the first `bytes`, and of some more. Page by page it would take two faults
// each, since they are read before they are written. Two threads may ask for the same.
__attribute__((noinline)) static void fill(struct pairs *t, size_t bytes) {
  size_t more = bytes / FILL_PART < FILL_BYTES ? bytes / FILL_PART : FILL_BYTES;
  size_t filled = __atomic_exchange_n(&t->filled, bytes + more, __ATOMIC_RELAXED);
  region_fill(&t->entries, filled, bytes + more);
}

// Whatever was there before: a pair whose slot another thread took, or nothing.
INLINE void entry_set(struct pairs *t, uint64_t id, uint64_t entry) {
  unsigned bits = pairs_bits(t), shift = id * bits % 64;
  uint64_t at = id * bits / 64, flip = entry ^ pairs_entry(t, id);
  word_flip(t, at, flip << shift);
  if (shift + bits > 64) word_flip(t, at + 1, flip >> 1 >> (63 - shift));
}

INLINE uint64_t entry_made(const struct pairs *t, uint64_t left, uint64_t right) {
  if (!t->config.values) return left | right << t->left.bits;
  return gather(left ^ t->left.first, t->left.mask, t->fast) |
         gather(right ^ t->right.first, t->right.mask, t->fast) << t->left.bits;
}

INLINE bool side_fits(const struct pairs_side *s, uint64_t number) {
  return !((number ^ s->first) & ~s->mask);
}

// For numbers that differ from the first in some bits besides.
static struct pairs_side side_widened(const struct pairs_side *s, uint64_t differs, bool values) {
  uint64_t mask = s->mask | differs;
  if (!values && mask) mask = low_ones(64 - (unsigned)__builtin_clzll(mask));
  return (struct pairs_side){s->first, mask, (unsigned)__builtin_popcountll(mask)};
}

// Makes entries wider where they are, from the last to the first.
static void repack(struct pairs *t, struct pairs_side left, struct pairs_side right) {
  struct pairs old = *t;
  t->left = left;
  t->right = right;
  unsigned bits = pairs_bits(t);
  uint64_t *words = (uint64_t *)t->entries.base, mask = low_ones(bits);
  fill(t, entries_bytes(t->next, bits));
  for (uint64_t id = t->ids_max ? t->next : 0; id-- > 0;) {
    uint64_t l, r;
    pairs_get(&old, id, &l, &r);
    uint64_t entry = entry_made(t, l, r), at = id * bits / 64;
    unsigned shift = id * bits % 64;
    words[at] = (words[at] & ~(mask << shift)) | entry << shift;
    if (shift + bits > 64)
      words[at + 1] = (words[at + 1] & ~(mask >> (64 - shift))) | entry >> (64 - shift);
  }
}

// --- growth of the index ---

static bool is_wide(uint64_t slots) { return slots > NARROW_SLOTS_MAX; }

static size_t slots_bytes(uint64_t slots) { return index_bytes(slots, is_wide(slots)); }

// The index while it grows in place. Its lines are taken out and put in again, from the last to the
// first. No home moves down; but a pair that was not at home, or does not find room before the
// end, may have its place among lines that are still to be moved, and waits in `late`.
struct growth {
  struct pairs *t;
  struct index old, new;
  uint64_t line_old; // number of the line being moved
  uint64_t inverse;  // of a narrow old scale: just less than 2^64 prefixes / digits
  struct filling {
    uint64_t line; // its first slot
    unsigned char taken;
  } filling[FILLING];
  size_t count;
  uint64_t away[PAIRS_BATCH]; // ids whose pairs must be asked for their hash
  uint64_t *late;             // those that wait
  size_t late_count;
};

// How many slots of a line that is already new are taken; they come first. Few lines are being
// filled at a time, and to look at one that was just written to is slow: it is counted.
INLINE unsigned char *line_taken(struct growth *g, const struct index *x, uint64_t line,
                                 bool wide) {
  struct filling *f = &g->filling[line / LINE % FILLING];
  if (f->line != line) {
    f->line = line;
    f->taken = (unsigned char)__builtin_ctz(line_empty(x, line, wide) | 1u << LINE);
  }
  return &f->taken;
}

// Puts a pair into the first empty slot on its way. While there are lines to be moved, it must not
// come round to them.
INLINE void move(struct growth *g, const struct index *x, uint64_t digits, uint64_t id, bool wide) {
  uint64_t home = home_of(x, digits), line = home;
  unsigned char step = 1, *taken;
  while (*(taken = line_taken(g, x, line, wide)) == LINE) {
    line = line_next(x, line, &step);
    if (line >= home || g->line_old == 0) continue;
    g->late[g->late_count++] = id;
    return;
  }
  uint64_t at = line + (*taken)++;
  slot_set(x, at, tag_of(x, digits, wide) | away(x, at, home) | (id + 1), wide);
}

static void move_away(struct growth *g) {
  const struct index *x = &g->new;
  size_t below = index_bytes(g->line_old * LINE, g->old.wide); // not moved yet
  for (size_t i = 0; i < g->count; i++) {
    uint64_t d = digits_of(x, entry_hash(g->t, g->away[i]));
    if (index_bytes(home_of(x, d), x->wide) < below)
      g->late[g->late_count++] = g->away[i];
    else if (x->wide)
      move(g, x, d, g->away[i], true);
    else
      move(g, x, d, g->away[i], false);
  }
  g->count = 0;
}

static void put_away(struct growth *g, uint64_t id) {
  __builtin_prefetch(entry_address(g->t, id));
  g->away[g->count++] = id;
  if (g->count == PAIRS_BATCH) move_away(g);
}

// Narrow slots that stay narrow: those at home tell their hash themselves.
static void move_line(struct growth *g) {
  const struct index old = g->old, new = g->new; // copies: they stay in registers
  uint64_t line = g->line_old, inverse = g->inverse;
  narrow_slot slots[LINE], *place = slot_address(&old, line * LINE, false);
  memcpy(slots, place, sizeof slots);
  memset(place, 0, sizeof slots);
  for (unsigned i = 0; i < LINE && slots[i]; i++) {
    uint64_t slot = slots[i], id = slot_id(&old, slot);
    if (slot >> old.id_bits & 1) {
      put_away(g, id);
    } else {
      uint64_t d = line << old.tag_bits | slot >> (old.id_bits + 1);
      move(g, &new, digits_on(&new, prefix_back(d, inverse)), id, false);
    }
  }
}

// Any slots: all pairs are asked.
static void ask_line(struct growth *g) {
  const struct index *old = &g->old;
  uint64_t slots[LINE];
  for (unsigned i = 0; i < LINE; i++) {
    slots[i] = slot_peek(old, g->line_old * LINE + i, old->wide);
    slot_set(old, g->line_old * LINE + i, 0, old->wide);
  }
  for (unsigned i = 0; i < LINE && slots[i]; i++) put_away(g, slot_id(old, slots[i]));
}

static void move_late(struct growth *g) {
  g->line_old = 0;
  move_away(g);
  for (size_t i = 0; i < g->late_count; i++) put_away(g, g->late[i]);
  move_away(g);
}

// The gate is closed: what cannot be had must not unwind.
static bool open_memory(struct growth *g) {
  struct region *late = &g->t->purse->late;
  size_t bytes = g->old.slots * sizeof *g->late;
  if (!late->base ? !region_open(late, bytes, bytes) : !region_extend(late, bytes)) return false;
  g->late = (uint64_t *)late->base;
  return true;
}

static bool grow_index(struct pairs *t, uint64_t slots) {
  struct growth g = {.t = t, .old = t->index};
  if (!open_memory(&g)) return false;
  if (t->roomy) region_huge(&t->slots, slots_bytes(slots));
  region_fill(&t->slots, slots_bytes(g.old.slots), slots_bytes(slots));
  t->index = g.new = index_of(t->slots.base, slots, is_wide(slots));
  g.old.base = g.new.base;
  g.inverse = index_inverse(&g.old);
  for (size_t i = 0; i < FILLING; i++) g.filling[i].line = UINT64_MAX;
  for (g.line_old = g.old.slots / LINE; g.line_old-- > 0;) {
    if (g.new.wide)
      ask_line(&g);
    else
      move_line(&g);
  }
  move_late(&g);
  LOG(store, "table of %zu pairs: %zu slots", (size_t)t->count, (size_t)slots);
  return true;
}

// --- room ---

static size_t ids_bytes(const struct pairs *t, uint64_t ids) {
  return entries_bytes(ids, pairs_bits(t)) + ids * t->config.payload_bytes;
}

// Ids that hands may have taken and not used.
static uint64_t ids_idle(const struct pairs *t) { return t->config.threads * t->config.block; }

static size_t purse_left(const struct pairs *t) {
  return t->purse->limit > t->purse->held ? t->purse->limit - t->purse->held : 0;
}

// Makes entries wide enough for numbers that differ from the first ones in these bits.
static bool provide_bits(struct pairs *t, uint64_t left_differs, uint64_t right_differs) {
  struct pairs_side left = side_widened(&t->left, left_differs, t->config.values);
  struct pairs_side right = side_widened(&t->right, right_differs, t->config.values);
  unsigned bits = left.bits + right.bits;
  if (bits == pairs_bits(t)) return true;
  if (bits > 64) return false;
  size_t price = entries_bytes(t->ids_max, bits) - entries_bytes(t->ids_max, pairs_bits(t));
  if (price > purse_left(t) || !region_extend(&t->entries, entries_bytes(t->ids_max, bits)))
    return false;
  t->purse->held += price;
  repack(t, left, right);
  return true;
}

// How many ids `bytes` pay for.
static uint64_t ids_for(const struct pairs *t, size_t bytes) {
  size_t each_bits = pairs_bits(t) + 8 * t->config.payload_bytes;
  return (uint64_t)((__uint128_t)bytes * 8 / (each_bits ? each_bits : 1));
}

// How many ids more can be paid for, beyond those that must be idle.
static uint64_t ids_affordable(const struct pairs *t) {
  size_t funds = purse_left(t) + ids_bytes(t, t->ids_max);
  size_t bound = ids_bytes(t, t->next + ids_idle(t));
  return funds > bound ? ids_for(t, funds - bound) : 0;
}

static unsigned load_percent(uint64_t slots) {
  return slots < SLOTS_SMALL ? SMALL_PERCENT : LOAD_PERCENT;
}

static struct pace pace_now(const struct pairs *t) {
  return (struct pace){t->count, __atomic_load_n(t->purse->waiting, __ATOMIC_RELAXED)};
}

static uint64_t slots_grown(const struct pairs *t, const struct pace *now, uint64_t slots) {
  if (slots < SLOTS_SMALL) return 2 * slots;
  return pace_grown(&t->pace, now, slots, is_wide(slots), t->purse->limit);
}

// Slots enough for `more` pairs. Every id, of idle ones too, must be less than their number.
static uint64_t slots_for(const struct pairs *t, size_t more) {
  uint64_t slots = t->index.slots, ids = t->next + more + ids_idle(t);
  const struct pace now = pace_now(t);
  while (slots * load_percent(slots) / 100 < t->count + more || slots <= ids)
    slots = slots_grown(t, &now, slots);
  return slots;
}

// Is a larger index worth its price? Not if less room is left beside it than the old one has.
static bool growth_pays(const struct pairs *t, uint64_t slots) {
  size_t price = slots_bytes(slots) - slots_bytes(t->index.slots), left = purse_left(t);
  uint64_t stretch = t->index.slots * STRETCH_PERCENT / 100;
  return price <= left && t->count + ids_for(t, left - price) > stretch &&
         slots * load_percent(slots) / 100 > stretch;
}

// Of so many slots those that pairs can still be paid for.
static uint64_t slots_affordable(const struct pairs *t, uint64_t slots) {
  uint64_t pair_bits = pairs_bits(t) + 8 * t->config.payload_bytes;
  size_t bytes = purse_left(t) + slots_bytes(t->index.slots);
  __uint128_t bits = (__uint128_t)t->count * pair_bits + (__uint128_t)8 * bytes;
  return pace_affordable(slots, is_wide(slots), bits, pair_bits);
}

// Slots for all the pairs that there may be, if these are limited and not few. Ids may be idle in
// blocks that hands have, and others are kept free for as many.
static uint64_t slots_most(const struct pairs *t) {
  uint64_t most = t->config.count_max;
  if (most < SLOTS_SMALL || most > UINT64_MAX / 200) return UINT64_MAX;
  return whole_lines((most + 2 * ids_idle(t) + PAIRS_BATCH) * 100 / LOAD_PERCENT + LINE);
}

static void provide_slots(struct pairs *t, size_t more) {
  uint64_t slots = slots_for(t, more), most = slots_most(t);
  if (slots > most) slots = most;
  if (slots <= t->index.slots || t->stretched) return;
  slots = slots_affordable(t, slots);
  size_t now = slots_bytes(t->index.slots), bytes = slots_bytes(slots);
  if (!growth_pays(t, slots) || !region_extend(&t->slots, bytes) || !grow_index(t, slots)) {
    t->stretched = true;
    return;
  }
  t->purse->held += bytes - now;
  t->pace = pace_now(t);
}

// How many pairs more there may be: as many as the index takes, or a share of what can be paid for,
// since the other tables want theirs.
static uint64_t pairs_more(const struct pairs *t, size_t wanted) {
  uint64_t most =
      t->index.slots * (t->stretched ? STRETCH_PERCENT : load_percent(t->index.slots)) / 100;
  uint64_t ids = t->next + ids_idle(t) + 1;
  if (most > t->config.count_max) most = t->config.count_max;
  if (most <= t->count || ids >= t->index.slots) return 0;
  uint64_t more = most - t->count, all = ids_affordable(t), share = all / SHARE;
  if (more > t->index.slots - ids) more = t->index.slots - ids;
  if (share < wanted) share = wanted < all ? wanted : all;
  return more < share ? more : share;
}

// Others may be using it.
bool pairs_payload_extend(struct pairs *t, uint64_t ids) {
  size_t bytes = ids * t->config.payload_bytes;
  return t->shared ? region_extend_there(&t->payload, bytes) : region_extend(&t->payload, bytes);
}

static void provide_ids(struct pairs *t, size_t wanted) {
  uint64_t more = pairs_more(t, wanted), ids_max = t->next + ids_idle(t) + more;
  t->room = t->count;
  if (more == 0 || !region_extend(&t->entries, entries_bytes(ids_max, pairs_bits(t))) ||
      !pairs_payload_extend(t, ids_max))
    return;
  t->purse->held += ids_bytes(t, ids_max) - ids_bytes(t, t->ids_max); // less, it may be
  t->ids_max = ids_max;
  t->room += more;
  if (t->roomy && entries_bytes(t->next, pairs_bits(t)) >= HUGE_FROM_BYTES)
    region_huge(&t->entries, entries_bytes(ids_max, pairs_bits(t)));
}

bool pairs_provide(struct pairs *t, const struct pairs_batch *b, size_t first) {
  if (t->ids_max == 0 && t->config.values) { // there is no pair yet
    t->left.first = b->left[first];
    t->right.first = b->right[first];
  }
  uint64_t left = 0, right = 0;
  for (size_t i = first; i < b->count; i++) {
    left |= b->left[i] ^ t->left.first;
    right |= b->right[i] ^ t->right.first;
  }
  size_t more = b->count - first;
  if (!provide_bits(t, left, right) &&
      !provide_bits(t, b->left[first] ^ t->left.first, b->right[first] ^ t->right.first))
    return false;
  if (t->room >= t->count + more && t->next + ids_idle(t) + more <= t->ids_max) return true;
  provide_slots(t, more);
  provide_ids(t, more);
  return t->room > t->count;
}

// --- insert and find ---

INLINE void entry_prefetch(const struct pairs *t, const struct index *x, uint64_t at, bool wide) {
  uint64_t slot = slot_peek(x, at, wide);
  __builtin_prefetch(entry_address(t, slot_id(x, slot | !slot))); // empty: that of id 0
}

// Looks into the home line: where to begin, and which entries will be compared. That is one at
// most, or rarely two, so two are asked for without looking whether they are there.
INLINE void look_at_home(const struct pairs *t, const struct index *x, struct pairs_batch *b,
                         size_t i, bool wide) {
  uint64_t home = b->home[i];
  unsigned hits = line_hits(x, home, b->tag[i], wide);
  b->step[i] = 1;
  if (!hits) {
    b->at[i] = line_next(x, home, &b->step[i]);
    __builtin_prefetch(slot_address(x, b->at[i], wide));
    return;
  }
  unsigned first = (unsigned)__builtin_ctz(hits), rest = hits & (hits - 1);
  b->at[i] = home + first;
  if (t->shared) slot_prefetch_empty(x, home + first, b, wide);
  entry_prefetch(t, x, home + first, wide);
  entry_prefetch(t, x, home + (rest ? (unsigned)__builtin_ctz(rest) : first), wide);
}

INLINE bool fits(const struct pairs *t, uint64_t left, uint64_t right) {
  return side_fits(&t->left, left) && side_fits(&t->right, right);
}

INLINE void ask_as(const struct pairs *t, struct pairs_batch *b, size_t first, bool wide) {
  const struct index x = t->index; // a copy: it stays in registers
  for (size_t i = first; i < b->count; i++) {
    uint64_t d = digits_of(&x, pair_hash(b->left[i], b->right[i]));
    b->home[i] = home_of(&x, d);
    b->tag[i] = tag_of(&x, d, wide);
    __builtin_prefetch(slot_address(&x, b->home[i], wide));
  }
  b->asked = x.slots;
}

INLINE void peek_as(const struct pairs *t, struct pairs_batch *b, size_t first, bool wide) {
  const struct index x = t->index;
  if (b->asked != x.slots) ask_as(t, b, first, wide);
  for (size_t i = first; i < b->count; i++) look_at_home(t, &x, b, i, wide);
  b->peeked = x.slots;
}

void pairs_ask(const struct pairs *t, struct pairs_batch *b) {
  if (t->index.wide)
    ask_as(t, b, 0, true);
  else
    ask_as(t, b, 0, false);
}

void pairs_peek(const struct pairs *t, struct pairs_batch *b) {
  if (t->index.wide)
    peek_as(t, b, 0, true);
  else
    peek_as(t, b, 0, false);
}

INLINE uint64_t entry_of(const struct pairs *t, const struct pairs_batch *b, size_t i) {
  return entry_made(t, b->left[i], b->right[i]);
}

// Goes on from where peek_as stopped. True: found, with its id. False: at[i] was empty.
INLINE bool settle(const struct pairs *t, struct pairs_batch *b, size_t i, uint64_t *id,
                   bool wide) {
  const struct index *x = &t->index;
  for (uint64_t at = b->at[i];;) {
    uint64_t slot = slot_get(x, at, wide), tag = b->tag[i] | away(x, at, b->home[i]);
    b->at[i] = at;
    if (!slot) return false;
    *id = slot_id(x, slot);
    if (tag_is(x, slot, tag) && pairs_entry(t, *id) == entry_of(t, b, i)) return true;
    at = slot_next(x, at, tag, &b->step[i], wide);
  }
}

// An id for the hand to use next, if there is one.
INLINE bool hand_filled(struct pairs *t, struct pairs_hand *h) {
  if (h->next < h->end) return true;
  uint64_t next = __atomic_load_n(&t->next, __ATOMIC_RELAXED), end;
  do {
    end = next + t->config.block;
    if (end > t->ids_max) return false;
    if (!t->shared) t->next = end;
  } while (t->shared && !__atomic_compare_exchange_n(&t->next, &next, end, true, __ATOMIC_RELAXED,
                                                     __ATOMIC_RELAXED));
  *h = (struct pairs_hand){next, end};
  size_t bytes = entries_bytes(end, pairs_bits(t));
  if (bytes > __atomic_load_n(&t->filled, __ATOMIC_RELAXED)) fill(t, bytes);
  return true;
}

static void room_return(struct pairs *t, size_t n) {
  if (t->shared)
    __atomic_fetch_sub(&t->count, n, __ATOMIC_RELAXED);
  else
    t->count -= n;
}

// Books room for up to n pairs.
static size_t room_take(struct pairs *t, size_t n) {
  uint64_t before = t->shared ? __atomic_fetch_add(&t->count, n, __ATOMIC_RELAXED) : t->count;
  if (!t->shared) t->count += n;
  if (before + n <= t->room) return n;
  size_t taken = before < t->room ? t->room - before : 0;
  room_return(t, n - taken);
  return taken;
}

// The pair goes into the first empty slot, unless another thread puts it there first.
INLINE bool place(struct pairs *t, struct pairs_hand *h, struct pairs_batch *b, size_t i,
                  uint64_t *id, bool wide) {
  const struct index *x = &t->index;
  entry_set(t, h->next, entry_of(t, b, i));
  do {
    uint64_t slot = b->tag[i] | away(x, b->at[i], b->home[i]) | (h->next + 1);
    if (!t->shared) slot_set(x, b->at[i], slot, wide);
    if (!t->shared || slot_claim(x, b->at[i], slot, wide)) {
      *id = h->next++;
      return true;
    }
  } while (!settle(t, b, i, id, wide));
  return false;
}

INLINE size_t insert_as(struct pairs *t, struct pairs_hand *h, struct pairs_batch *b, size_t first,
                        uint64_t *ids, bool wide) {
  size_t taken = 0, i;
  if (b->peeked != t->index.slots) peek_as(t, b, first, wide);
  for (i = first; i < b->count && fits(t, b->left[i], b->right[i]); i++) {
    b->fresh[i] = false;
    if (settle(t, b, i, &ids[i], wide)) continue;
    if (taken == 0) taken = room_take(t, b->count - i);
    if (taken == 0 || !hand_filled(t, h)) break;
    b->fresh[i] = place(t, h, b, i, &ids[i], wide);
    taken -= b->fresh[i];
  }
  if (taken > 0) room_return(t, taken);
  return i;
}

size_t pairs_insert(struct pairs *t, struct pairs_hand *h, struct pairs_batch *b, size_t first,
                    uint64_t *ids) {
  return t->index.wide ? insert_as(t, h, b, first, ids, true)
                       : insert_as(t, h, b, first, ids, false);
}

INLINE void find_as(const struct pairs *t, struct pairs_batch *b, uint64_t *ids, bool wide) {
  if (b->peeked != t->index.slots) peek_as(t, b, 0, wide);
  for (size_t i = 0; i < b->count; i++)
    if (!fits(t, b->left[i], b->right[i]) || !settle(t, b, i, &ids[i], wide)) ids[i] = STORE_ABSENT;
}

void pairs_find(const struct pairs *t, struct pairs_batch *b, uint64_t *ids) {
  if (t->index.wide)
    find_as(t, b, ids, true);
  else
    find_as(t, b, ids, false);
}

// --- the table as a whole ---

// There are many tables, and most stay small: no huge page for them where the system gives one
// unasked. (region_huge asks.)
static bool open_region(struct region *r, size_t wanted, size_t least) {
  if (!region_open(r, wanted, least)) return false;
#ifdef MADV_NOHUGEPAGE
  (void)madvise(r->base, r->reserved, MADV_NOHUGEPAGE);
#endif
  return true;
}

bool pairs_init(struct pairs *t, const struct pairs_config *c, struct pairs_purse *purse) {
  *t = (struct pairs){.config = *c, .purse = purse, .shared = c->threads > 1};
  t->fast = gather_is_fast();
  size_t least = slots_bytes(SLOTS_FIRST);
  if (!open_region(&t->entries, c->reserve_bytes, least) ||
      !open_region(&t->slots, c->reserve_bytes, least) ||
      (c->payload_bytes && !open_region(&t->payload, c->reserve_bytes, least))) {
    pairs_clear(t);
    return false;
  }
  t->roomy = t->entries.reserved >= ROOMY_BYTES && t->slots.reserved >= ROOMY_BYTES;
  t->index = index_of(t->slots.base, SLOTS_FIRST, is_wide(SLOTS_FIRST));
  purse->held += least + ids_bytes(t, 0);
  return true;
}

void pairs_clear(struct pairs *t) {
  region_close(&t->entries);
  region_close(&t->slots);
  region_close(&t->payload);
}

void pairs_hand_clear(struct pairs *t, struct pairs_hand *h) {
  if (t->next == h->end) t->next = h->next;
  *h = (struct pairs_hand){0};
}

uint64_t pairs_count(const struct pairs *t) { return __atomic_load_n(&t->count, __ATOMIC_RELAXED); }

size_t pairs_bytes(const struct pairs *t) {
  uint64_t ids = __atomic_load_n(&t->next, __ATOMIC_RELAXED);
  return slots_bytes(t->index.slots) + ids_bytes(t, ids);
}

double pairs_load(const struct pairs *t) { return (double)pairs_count(t) / (double)t->index.slots; }

bool pairs_check(const struct pairs *t) {
  uint64_t used = 0, found;
  struct pairs_batch b = {.count = 1};
  for (uint64_t at = 0; at < t->index.slots; at++) {
    uint64_t slot = slot_get(&t->index, at, t->index.wide), id = slot_id(&t->index, slot);
    if (!slot) continue;
    if (id >= t->next) return false;
    pairs_get(t, id, &b.left[0], &b.right[0]);
    b.asked = b.peeked = 0;
    pairs_find(t, &b, &found);
    if (found != id) return false;
    used++;
  }
  return used == t->count && used < t->index.slots;
}
