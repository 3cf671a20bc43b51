// SPDX-License-Identifier: Apache-2.0
// The fingerprint store: of a state it keeps a hash of 64 bits (or 32 to 128) and nothing else, in
// one open-addressing table that threads share without locks. Price: 8.9 to 11.1 bytes a state.
//
// A slot is one to three words, all of them zero when it is empty, none of them when it is taken:
// the fingerprint's first word, its second if it is longer than 64 bits, and an id if there is a
// payload. Who sets the first word by compare-and-swap owns the slot and fills in the others; who
// finds the first word equal waits for them. The home of a fingerprint is the line of slots at the
// height of its first word in the table; so the table grows in place in one pass from the top down.
//
// Invariants: a fingerprint sits in the first slot, from its home on, that was empty when it came
// (nothing is ever removed, so what two threads look at on the way is the same), once; at least one
// slot is empty. A new state that finds its own fingerprint there is taken for an old one.
#include "store/kind.h"
#include "store/lossy.h"
#include "store/region.h"

#include <sched.h>
#include <string.h>

#define INLINE LOSSY_INLINE

#ifdef FATHOM_SMALL
enum { SLOTS_FIRST = 16, CHUNK = 4, ID_BLOCK = 8 };
#else
enum { SLOTS_FIRST = 4096, CHUNK = 128, ID_BLOCK = 1 << 14 };
#endif

enum {
  LINE = 8,             // slots that share a home: those of one word fill a line of the cache
  LOAD_PERCENT = 90,    // the table grows when it is this full
  GROWTH_PERCENT = 25,  // by this much
  STRETCH_PERCENT = 95, // or goes on to here, when it may not grow any more
  LEAST_PERCENT = 6,    // no smaller step: it would leave too many fingerprints to `late`
  WIDTH_MAX = 3,
  CURSORS = 8,     // homes between which fingerprints move to and fro while the table grows
  LINES_AHEAD = 4, // of the cache, to ask for where home is full: a table fills up in runs
};
#define RESERVE_BYTES ((size_t)1 << 40)
#define LATE_BYTES    ((size_t)1 << 30)

struct fingerprint {
  struct store base;
  struct quota quota;
  size_t words, payload_bytes;
  unsigned bits;    // of a fingerprint
  unsigned prints;  // words of one
  unsigned width;   // words of a slot: and one more for the id
  uint64_t mask[2]; // of its words: bits in use, the upper ones
  struct region table, payload;
  struct region late; // empty but while the table grows; not on the heap, which could be exhausted
  uint64_t slots, slots_max;
  uint64_t ids;        // handed out in blocks; with a payload only
  struct block *block; // one for each writer that there may be
};

// Ids for new states. Who frees a writer leaves the rest of its block to the next one.
struct block {
  uint64_t next, end;
  bool used;
  char apart[47]; // from the next one: a line of the cache
};

struct writer {
  struct store_writer base;
  struct block *block;
};

// --- fingerprints and slots ---

// Bits in use only. Zero means empty, so it becomes 1: at 64 and 128 bits that is a fingerprint of
// others too, and two states meet with a probability that is larger by one part in 2^63 (128 bits:
// 2^62).
INLINE void mask_print(const struct fingerprint *f, uint64_t *print, unsigned prints) {
  for (unsigned i = 0; i < prints; i++) {
    uint64_t word = print[i] & f->mask[i];
    print[i] = word + !word;
  }
}

// The upper bits of one hash or two.
INLINE void print_of(const struct fingerprint *f, const uint64_t *state, uint64_t *print,
                     unsigned prints) {
  if (prints == 1) {
    print[0] = lossy_hash64(state, f->words);
  } else {
    XXH128_hash_t hash = lossy_hash128(state, f->words);
    print[0] = hash.high64;
    print[1] = hash.low64;
  }
  mask_print(f, print, prints);
}

INLINE uint64_t *slot_at(const struct fingerprint *f, uint64_t at, unsigned width) {
  return (uint64_t *)f->table.base + at * width;
}

INLINE uint64_t home_of(const struct fingerprint *f, uint64_t print) {
  return (uint64_t)(((__uint128_t)print * (f->slots / LINE)) >> 64) * LINE;
}

INLINE uint64_t word_when_there(const uint64_t *word) {
  for (;;) {
    uint64_t w = __atomic_load_n(word, __ATOMIC_ACQUIRE);
    if (w) return w;
    sched_yield(); // two stores of another thread: who waits long has taken its core
  }
}

INLINE bool slot_is(const uint64_t *slot, uint64_t first, const uint64_t *print, unsigned prints) {
  return first == print[0] && (prints == 1 || word_when_there(slot + 1) == print[1]);
}

// One bit for each slot of the line from `line` on that is empty or begins with `first`.
INLINE unsigned line_hits(const struct fingerprint *f, uint64_t line, uint64_t first,
                          unsigned width) {
  const uint64_t *slot = slot_at(f, line, width);
  unsigned hits = 0;
#pragma GCC unroll 8
  for (unsigned i = 0; i < LINE; i++) {
    uint64_t word = __atomic_load_n(slot + i * width, __ATOMIC_RELAXED);
    hits |= (unsigned)(!word | (word == first)) << i;
  }
  return hits;
}

INLINE uint64_t line_next(const struct fingerprint *f, uint64_t line) {
  return line + LINE == f->slots ? 0 : line + LINE;
}

// The next slot after `at` that is to be looked at: such a one, or the first of the next line.
INLINE uint64_t slot_next(const struct fingerprint *f, uint64_t at, uint64_t first,
                          unsigned width) {
  uint64_t line = at - at % LINE;
  unsigned hits = line_hits(f, line, first, width) & (~1u << at % LINE);
  return hits ? line + (unsigned)__builtin_ctz(hits) : line_next(f, line);
}

// From *at on: true where the fingerprint is, false where it would go.
INLINE bool seek(const struct fingerprint *f, const uint64_t *print, uint64_t *at, unsigned prints,
                 unsigned width) {
  for (;; *at = slot_next(f, *at, print[0], width)) {
    const uint64_t *slot = slot_at(f, *at, width);
    uint64_t first = __atomic_load_n(slot, __ATOMIC_RELAXED);
    if (!first) return false;
    if (slot_is(slot, first, print, prints)) return true;
  }
}

// False: another thread took the slot.
INLINE bool claim(const struct fingerprint *f, uint64_t *slot, uint64_t first) {
  uint64_t empty = 0;
  if (f->quota.gate.shared)
    return __atomic_compare_exchange_n(slot, &empty, first, false, __ATOMIC_RELAXED,
                                       __ATOMIC_RELAXED);
  *slot = first;
  return true;
}

// --- room and growth ---

static size_t table_bytes(const struct fingerprint *f, uint64_t slots) {
  return slots * f->width * sizeof(uint64_t);
}

static size_t fingerprint_memory(const struct store *s) {
  const struct fingerprint *f = (const struct fingerprint *)s;
  uint64_t slots = __atomic_load_n(&f->slots, __ATOMIC_RELAXED); // another thread may be growing it
  return table_bytes(f, slots) + quota_count(&f->quota) * f->payload_bytes;
}

static uint64_t percent_of(uint64_t slots, unsigned percent) {
  return (uint64_t)((__uint128_t)slots * percent / 100);
}

static unsigned writers_max(const struct fingerprint *f) {
  return f->base.config.threads > 1 ? f->base.config.threads : 1;
}

// Ids go beyond the number of states by a block a writer at most.
static uint64_t ids_beyond(const struct fingerprint *f) {
  return (uint64_t)ID_BLOCK * writers_max(f);
}

static size_t payload_bytes(const struct fingerprint *f, uint64_t states) {
  return f->payload_bytes ? (states + ids_beyond(f)) * f->payload_bytes : 0;
}

static uint64_t payload_room(const struct fingerprint *f) {
  if (!f->payload_bytes) return UINT64_MAX;
  return f->payload.reserved / f->payload_bytes - ids_beyond(f);
}

static void set_room(struct fingerprint *f) {
  unsigned percent = f->slots == f->slots_max ? STRETCH_PERCENT : LOAD_PERCENT;
  uint64_t room = percent_of(f->slots, percent), most = f->base.config.states_max;
  (void)region_extend_there(&f->payload, payload_bytes(f, room)); // refused: less room
  uint64_t paid = payload_room(f);
  if (room >= f->slots) room = f->slots - 1;
  if (paid < room) room = paid;
  if (most && most < room) room = most;
  f->quota.room = room;
}

// The table while it grows in place: lines are taken out from the last to the first, and each of
// their fingerprints is put in again from its home on, which is no lower than it was. Those whose
// home is among the lines that are still to come (they were far from home), or that find no room
// before the end, wait in `late`.
struct growth {
  struct fingerprint *f;
  uint64_t begin; // of the line being moved: what is below is as it was
  size_t late;    // words
  // Cursors: the first full[i] slots from home[i] on are not empty.
  uint64_t home[CURSORS], full[CURSORS];
};

INLINE void put(struct fingerprint *f, uint64_t at, const uint64_t *words, unsigned width) {
  memcpy(slot_at(f, at, width), words, width * sizeof *words);
}

// The first empty slot from `home` to the end of the table (which it is when there is none), to be
// taken. Fingerprints come nearly in the order of their homes, a few homes at a time: the search
// goes on where the last one from this home ended.
INLINE uint64_t first_empty(struct growth *g, uint64_t home, unsigned width) {
  unsigned c = home / LINE % CURSORS;
  uint64_t at = home + (g->full[c] & -(uint64_t)(g->home[c] == home)); // no branch
  while (at < g->f->slots && *slot_at(g->f, at, width)) at++;
  g->home[c] = home;
  g->full[c] = at - home + (at < g->f->slots);
  return at;
}

INLINE void move(struct growth *g, const uint64_t *words, unsigned width) {
  struct fingerprint *f = g->f;
  uint64_t home = home_of(f, words[0]);
  uint64_t at = home < g->begin ? f->slots : first_empty(g, home, width);
  if (at < f->slots) {
    put(f, at, words, width);
    return;
  }
  assert((g->late + width) * sizeof *words <= f->late.reserved);
  memcpy((uint64_t *)f->late.base + g->late, words, width * sizeof *words);
  g->late += width;
}

INLINE void move_lines(struct growth *g, uint64_t slots_old, unsigned width) {
  uint64_t line[LINE * WIDTH_MAX];
  size_t words = (size_t)LINE * width;
  for (g->begin = slots_old; g->begin > 0;) {
    g->begin -= LINE;
    memcpy(line, slot_at(g->f, g->begin, width), words * sizeof *line);
    memset(slot_at(g->f, g->begin, width), 0, words * sizeof *line);
    for (size_t i = 0; i < words && line[i]; i += width) move(g, line + i, width);
  }
}

INLINE void grow_as(struct fingerprint *f, uint64_t slots, unsigned width) {
  struct growth g = {.f = f};
  uint64_t slots_old = f->slots;
  __atomic_store_n(&f->slots, slots, __ATOMIC_RELAXED);
  move_lines(&g, slots_old, width);
  for (size_t i = 0; i < g.late; i += width) {
    const uint64_t *words = (const uint64_t *)f->late.base + i;
    uint64_t at = home_of(f, words[0]);
    while (*slot_at(f, at, width)) at = at + 1 < f->slots ? at + 1 : 0;
    put(f, at, words, width);
  }
}

// The next size: a step, or two in one when only a small one would be left.
static uint64_t grown(const struct fingerprint *f, uint64_t slots) {
  uint64_t next = (slots + percent_of(slots, GROWTH_PERCENT) + LINE - 1) / LINE * LINE;
  return next + percent_of(next, LEAST_PERCENT) < f->slots_max ? next : f->slots_max;
}

// Makes room for `more` states, if it can be had. The gate is closed.
__attribute__((noinline)) static void grow(struct fingerprint *f, uint64_t more) {
  uint64_t slots = f->slots;
  while (percent_of(slots, LOAD_PERCENT) < f->quota.taken + more && slots < f->slots_max)
    slots = grown(f, slots);
  if (slots == f->slots) return;
  size_t bytes = table_bytes(f, slots);
  if (region_extend(&f->table, bytes)) {
    region_huge(&f->table, bytes);
    switch (f->width) {
    case 1: grow_as(f, slots, 1); break;
    case 2: grow_as(f, slots, 2); break;
    default: grow_as(f, slots, 3); break;
    }
    LOG(store, "grew to %zu slots", (size_t)slots);
  } else {
    f->slots_max = f->slots;
  }
  set_room(f);
}

// --- insert and find ---

struct probes {
  uint64_t print[CHUNK][2], at[CHUNK];
};

// Asks for so many lines of the cache.
INLINE void ask_for(const struct fingerprint *f, uint64_t at, unsigned lines, unsigned width) {
  const uint64_t *slot = slot_at(f, at, width);
  for (unsigned i = 0; i < lines; i++) __builtin_prefetch(slot + i * LINE, 1);
}

// Hashes all, asks for their homes, then for the lines behind where home is full of others.
INLINE void look_ahead(const struct fingerprint *f, const uint64_t *states, size_t n,
                       struct probes *p, unsigned prints, unsigned width) {
  for (size_t i = 0; i < n; i++) {
    print_of(f, states + i * f->words, p->print[i], prints);
    p->at[i] = home_of(f, p->print[i][0]);
    ask_for(f, p->at[i], width, width);
  }
  for (size_t i = 0; i < n; i++) {
    unsigned hits = line_hits(f, p->at[i], p->print[i][0], width);
    if (hits) {
      p->at[i] += (unsigned)__builtin_ctz(hits);
    } else {
      p->at[i] = line_next(f, p->at[i]);
      ask_for(f, p->at[i], LINES_AHEAD, width);
    }
  }
}

static uint64_t take_id(struct fingerprint *f, struct block *b) {
  if (b->next == b->end) {
    b->next = __atomic_fetch_add(&f->ids, ID_BLOCK, __ATOMIC_RELAXED);
    b->end = b->next + ID_BLOCK;
  }
  return b->next++;
}

// The words of a slot but the first. Returns the id.
INLINE uint64_t fill_in(struct fingerprint *f, struct writer *w, uint64_t *slot,
                        const uint64_t *print, unsigned prints, unsigned width) {
  uint64_t id = width > prints ? take_id(f, w->block) : 0;
  if (prints == 2) __atomic_store_n(slot + 1, print[1], __ATOMIC_RELEASE);
  if (width > prints) __atomic_store_n(slot + prints, id + 1, __ATOMIC_RELEASE);
  return id;
}

INLINE uint64_t id_of(const uint64_t *slot, unsigned prints, unsigned width) {
  return width > prints ? word_when_there(slot + prints) - 1 : 0;
}

// Finds the fingerprint from `at` on, or puts it where it would go if there is room.
INLINE enum store_answer insert_print(struct writer *w, const uint64_t *print, uint64_t at,
                                      bool room, uint64_t *id, unsigned prints, unsigned width) {
  struct fingerprint *f = (struct fingerprint *)w->base.store;
  uint64_t *slot;
  do {
    bool old = seek(f, print, &at, prints, width);
    slot = slot_at(f, at, width);
    if (old) *id = id_of(slot, prints, width);
    if (old) return STORE_OLD;
    if (!room) return STORE_FULL;
  } while (!claim(f, slot, print[0]));
  *id = fill_in(f, w, slot, print, prints, width);
  return STORE_NEW;
}

// `most` of the states may be new. Returns how many states were done.
INLINE size_t insert_as(struct writer *w, const uint64_t *states, size_t n, uint64_t most,
                        enum store_answer *answers, uint64_t *ids, uint64_t *used, unsigned prints,
                        unsigned width) {
  struct fingerprint *f = (struct fingerprint *)w->base.store;
  struct probes p;
  look_ahead(f, states, n, &p, prints, width);
  for (size_t i = 0; i < n; i++) {
    answers[i] = insert_print(w, p.print[i], p.at[i], *used < most, &ids[i], prints, width);
    if (answers[i] == STORE_FULL) return i;
    *used += answers[i] == STORE_NEW;
  }
  return n;
}

INLINE void find_as(const struct fingerprint *f, const uint64_t *states, size_t n, uint64_t *ids,
                    unsigned prints, unsigned width) {
  struct probes p;
  look_ahead(f, states, n, &p, prints, width);
  for (size_t i = 0; i < n; i++) {
    bool old = seek(f, p.print[i], &p.at[i], prints, width);
    ids[i] = old ? id_of(slot_at(f, p.at[i], width), prints, width) : STORE_ABSENT;
  }
}

static size_t insert_chunk(struct writer *w, const uint64_t *states, size_t n,
                           enum store_answer *answers, uint64_t *ids) {
  struct fingerprint *f = (struct fingerprint *)w->base.store;
  uint64_t used = 0;
  size_t done;
  bool promised = quota_enter(&f->quota, n);
  if (!promised) grow(f, n);
  uint64_t most = promised ? n : quota_left(&f->quota);
  switch (f->prints * 2 + f->width - f->prints) {
  case 2: done = insert_as(w, states, n, most, answers, ids, &used, 1, 1); break;
  case 3: done = insert_as(w, states, n, most, answers, ids, &used, 1, 2); break;
  case 4: done = insert_as(w, states, n, most, answers, ids, &used, 2, 2); break;
  default: done = insert_as(w, states, n, most, answers, ids, &used, 2, 3); break;
  }
  quota_leave(&f->quota, promised, n, used);
  return done;
}

static void find_chunk(struct fingerprint *f, const uint64_t *states, size_t n, uint64_t *ids) {
  gate_enter(&f->quota.gate);
  switch (f->prints * 2 + f->width - f->prints) {
  case 2: find_as(f, states, n, ids, 1, 1); break;
  case 3: find_as(f, states, n, ids, 1, 2); break;
  case 4: find_as(f, states, n, ids, 2, 2); break;
  default: find_as(f, states, n, ids, 2, 3); break;
  }
  gate_leave(&f->quota.gate);
}

// --- the function table ---

static struct store_writer *fingerprint_writer_make(struct store *s) {
  struct fingerprint *f = (struct fingerprint *)s;
  struct writer *w = mem_alloc(sizeof *w);
  unsigned free = 0;
  while (__atomic_test_and_set(&f->block[free].used, __ATOMIC_ACQUIRE)) {
    free++;
    assert(free < writers_max(f));
  }
  *w = (struct writer){.base = {s}, .block = &f->block[free]};
  return &w->base;
}

static void fingerprint_writer_free(struct store_writer *w) {
  __atomic_clear(&((struct writer *)w)->block->used, __ATOMIC_RELEASE);
  mem_free(w);
}

static size_t fingerprint_insert_batch(struct store_writer *w, const uint64_t *words, size_t count,
                                       enum store_answer *answers, uint64_t *ids) {
  size_t stride = ((const struct fingerprint *)w->store)->words;
  for (size_t first = 0; first < count; first += CHUNK) {
    size_t n = count - first < CHUNK ? count - first : CHUNK;
    size_t done =
        insert_chunk((struct writer *)w, words + first * stride, n, answers + first, ids + first);
    if (done < n) return first + done;
  }
  return count;
}

static void fingerprint_find_batch(struct store_writer *w, const uint64_t *words, size_t count,
                                   uint64_t *ids) {
  struct fingerprint *f = (struct fingerprint *)w->store;
  for (size_t first = 0; first < count; first += CHUNK) {
    size_t n = count - first < CHUNK ? count - first : CHUNK;
    find_chunk(f, words + first * f->words, n, ids + first);
  }
}

// Valid as long as the store: payloads lie by their ids in a region of their own, which never
// moves.
static void *fingerprint_payload(struct store *s, uint64_t id) {
  struct fingerprint *f = (struct fingerprint *)s;
  return f->payload.base + id * f->payload_bytes;
}

static uint64_t fingerprint_count(const struct store *s) {
  return quota_count(&((const struct fingerprint *)s)->quota);
}

// A bound of the probability that a search that stored n states has left one out. Only equal
// fingerprints are taken for each other, whatever was probed on the way: the probability is 2^-bits
// for each pair of states. Up to the first omission a search meets the states in an order that does
// not depend on their fingerprints, s1, s2, ...; however much goes wrong after it, the first one
// happens when some s(j+1) comes while s1 ... sj are stored, and j <= n. So its probability is at
// most the sum of j / 2^bits over 1 <= j <= n, how often states are looked up again makes no
// difference, and the number of states that there really are need not be known. (With several
// threads the order is also up to chance, but to one that knows nothing of the fingerprints.)
static double omission(uint64_t states, unsigned bits) {
  double p = 0.5 * (double)states * ((double)states + 1);
  for (unsigned i = 0; i < bits; i++) p /= 2;
  return p < 1 ? p : 1;
}

static void fingerprint_facts(const struct store *s, struct store_facts *facts) {
  const struct fingerprint *f = (const struct fingerprint *)s;
  uint64_t count = quota_count(&f->quota);
  struct text t = {0};
  text_printf(&t, "fingerprints of %u bits", f->bits);
  facts->load = (double)count / (double)f->slots;
  facts->omission = omission(count, f->bits);
  facts->sentence = mem_strdup(text_str(&t));
  text_clear(&t);
}

// Found by what it holds, and nowhere before?
static bool slot_ok(const struct fingerprint *f, uint64_t at) {
  const uint64_t *slot = slot_at(f, at, f->width);
  uint64_t found = home_of(f, slot[0]);
  for (unsigned i = 0; i < f->width; i++)
    if (!slot[i]) return false;
  for (unsigned i = 0; i < f->prints; i++)
    if (slot[i] & ~(f->mask[i] | 1)) return false;
  return seek(f, slot, &found, f->prints, f->width) && found == at;
}

static bool fingerprint_check(const struct store *s) {
  const struct fingerprint *f = (const struct fingerprint *)s;
  uint64_t used = 0;
  uint8_t *seen = mem_zalloc(f->ids + 1, 1);
  bool ok = true;
  for (uint64_t at = 0; ok && at < f->slots; at++) {
    const uint64_t *slot = slot_at(f, at, f->width);
    if (!slot[0]) continue;
    used++;
    ok = slot_ok(f, at);
    if (!ok || f->width == f->prints) continue;
    uint64_t id = slot[f->prints] - 1;
    ok = id < f->ids && !seen[id]++;
  }
  mem_free(seen);
  return ok && used == f->quota.taken && used < f->slots;
}

// --- keys ---

static size_t fingerprint_key_words(const struct store *s) {
  return ((const struct fingerprint *)s)->prints;
}

static enum store_answer fingerprint_put_key(struct store_writer *base, const uint64_t *key,
                                             uint64_t *id) {
  struct fingerprint *f = (struct fingerprint *)base->store;
  uint64_t print[2];
  memcpy(print, key, f->prints * sizeof *print);
  mask_print(f, print, f->prints);
  bool promised = quota_enter(&f->quota, 1);
  if (!promised) grow(f, 1);
  bool room = promised || quota_left(&f->quota) > 0;
  enum store_answer answer = insert_print((struct writer *)base, print, home_of(f, print[0]), room,
                                          id, f->prints, f->width);
  quota_leave(&f->quota, promised, 1, answer == STORE_NEW);
  return answer;
}

static uint64_t common_divisor(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

// From one line on to the next to be taken: that part of them all, nearly, which spreads however
// many of them evenly.
static uint64_t line_stride(uint64_t lines) {
  uint64_t stride = (uint64_t)((double)lines * 0.6180339887498949);
  while (common_divisor(stride, lines) != 1) stride++;
  return stride;
}

static bool each_of_line(const struct fingerprint *f, uint64_t line,
                         bool (*take)(void *context, uint64_t id, const uint64_t *key),
                         void *context) {
  for (uint64_t at = line; at < line + LINE; at++) {
    const uint64_t *slot = slot_at(f, at, f->width);
    if (slot[0] && !take(context, id_of(slot, f->prints, f->width), slot)) return false;
  }
  return true;
}

// Not in the order of the table: sorted, they would fill the lines of a smaller one from its
// beginning on, and every one of them would have to pass all before it.
static bool fingerprint_each(const struct store *s,
                             bool (*take)(void *context, uint64_t id, const uint64_t *key),
                             void *context) {
  const struct fingerprint *f = (const struct fingerprint *)s;
  uint64_t lines = f->slots / LINE, stride = line_stride(lines), line = 0;
  for (uint64_t i = 0; i < lines; i++, line = (line + stride) % lines)
    if (!each_of_line(f, line * LINE, take, context)) return false;
  return true;
}

static void fingerprint_free(struct store *s) {
  struct fingerprint *f = (struct fingerprint *)s;
  gate_destroy(&f->quota.gate);
  region_close(&f->table);
  region_close(&f->payload);
  region_close(&f->late);
  mem_free(f->block);
  mem_free(f);
}

// As many slots as fit the limit with their payloads when the table is as full as it gets.
static void set_slots_max(struct fingerprint *f, size_t limit) {
  size_t bytes = limit && limit < RESERVE_BYTES ? limit : RESERVE_BYTES;
  size_t each = 100 * f->width * sizeof(uint64_t) + STRETCH_PERCENT * f->payload_bytes;
  uint64_t fit = (uint64_t)((__uint128_t)bytes * 100 / each) / LINE * LINE;
  f->slots_max = fit > SLOTS_FIRST ? fit : SLOTS_FIRST;
}

static void open_regions(struct fingerprint *f) {
  size_t first = SLOTS_FIRST * WIDTH_MAX * sizeof(uint64_t), paid = payload_bytes(f, SLOTS_FIRST);
  if (region_open(&f->table, table_bytes(f, f->slots_max), first) &&
      region_open(&f->late, LATE_BYTES, first) &&
      (!paid || region_open(&f->payload, payload_bytes(f, f->slots_max), paid)))
    return;
  fingerprint_free(&f->base);
  mem_exhausted(first + paid);
}

static void set_shape(struct fingerprint *f, unsigned bits) {
  assert(bits > 0 && bits <= 128);
  f->bits = bits;
  f->prints = bits <= 64 ? 1 : 2;
  f->width = f->prints + (f->payload_bytes > 0);
  for (unsigned i = 0; i < f->prints; i++) {
    unsigned share = (bits + (f->prints - 1 - i)) / f->prints;
    f->mask[i] = ~UINT64_C(0) << (64 - share);
  }
}

static struct store *fingerprint_make(const struct store_config *c) {
  struct fingerprint *f = mem_zalloc(1, sizeof *f);
  f->base.config = *c;
  f->words = c->words;
  f->payload_bytes = c->payload_bytes;
  set_shape(f, c->hash_bits ? c->hash_bits : 64);
  set_slots_max(f, c->mem_bytes_max);
  f->block = mem_zalloc(writers_max(f), sizeof *f->block);
  gate_init(&f->quota.gate, c->threads > 1);
  open_regions(f);
  f->slots = SLOTS_FIRST;
  set_room(f);
  return &f->base;
}

const struct store_ops store_fingerprint = {
    .name = "fingerprint",
    .lossy = true,
    .make = fingerprint_make,
    .free = fingerprint_free,
    .writer_make = fingerprint_writer_make,
    .writer_free = fingerprint_writer_free,
    .insert_batch = fingerprint_insert_batch,
    .find_batch = fingerprint_find_batch,
    .payload = fingerprint_payload,
    .count = fingerprint_count,
    .memory = fingerprint_memory,
    .facts = fingerprint_facts,
    .check = fingerprint_check,
    .key_words = fingerprint_key_words,
    .put_key = fingerprint_put_key,
    .each = fingerprint_each,
};
