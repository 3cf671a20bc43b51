// SPDX-License-Identifier: Apache-2.0
// The bitstate store (Holzmann's supertrace): of a state it keeps k bits of one large array, at
// places that k hashes name; a state all of whose bits are set is taken for an old one. Price: the
// array, however many states there are. It never is full, it loses more and more states instead.
//
// Invariant: bits are only ever set. With several threads a state is new to exactly one of those
// that insert it at once: bits are set under one of many locks, which the state's hash chooses.
//
// A large array costs time before it is of use, since states touch it all over. So the store begins
// with a small table of whole hashes, in sections with a lock each; when there are many states it
// puts them into the array, as if they had been there from the start.
#include "store/hash.h"
#include "store/kind.h"
#include "store/lossy.h"
#include "store/region.h"

#include <sched.h>

#define INLINE LOSSY_INLINE

#ifdef FATHOM_SMALL
enum { EARLY_STATES = 64, SECTION = 128 };
#else
enum { EARLY_STATES = 1 << 20, SECTION = 8192 };
#endif

enum {
  CHUNK = 64,
  HASHES = 3,      // by default
  LOCKS = 256,     // and sections of the early table: half full at most, on an average
  LOCK_BYTES = 64, // no two in a line of the cache
  PAGE_BYTES = 4096,
  STEPS = 1024, // or more, of a sum that stands for an integral
};
#define BYTES_LEAST   ((size_t)64)
#define BYTES_DEFAULT ((size_t)256 << 20)
#define EARLY_BYTES   ((size_t)LOCKS * SECTION * sizeof(XXH128_hash_t))

struct bitstate {
  struct store base;
  struct quota quota;
  size_t words;
  unsigned hashes;
  struct region array;
  size_t bytes; // of it
  uint64_t bits;
  uint64_t bits_set;
  struct region early;  // the first states' hashes, as long as nothing is in the array
  unsigned char *locks; // NULL with one thread
};

// --- places ---

// The i-th of the places of a state: the products are as good as independent of each other.
INLINE uint64_t place(const struct bitstate *b, XXH128_hash_t hash, unsigned i) {
  uint64_t mixed = store_fold(hash.low64 + i * STORE_MIX_A, hash.high64 + i * STORE_MIX_C);
  return (uint64_t)(((__uint128_t)mixed * b->bits) >> 64);
}

INLINE uint64_t *word_at(const struct bitstate *b, uint64_t place) {
  return (uint64_t *)b->array.base + place / 64;
}

INLINE bool all_set(const struct bitstate *b, XXH128_hash_t hash) {
  for (unsigned k = 0; k < b->hashes; k++) {
    uint64_t at = place(b, hash, k);
    if (!(__atomic_load_n(word_at(b, at), __ATOMIC_RELAXED) >> at % 64 & 1)) return false;
  }
  return true;
}

// How many of them were not set.
INLINE unsigned set_all(struct bitstate *b, XXH128_hash_t hash) {
  unsigned fresh = 0;
  for (unsigned k = 0; k < b->hashes; k++) {
    uint64_t at = place(b, hash, k), bit = UINT64_C(1) << at % 64, *word = word_at(b, at), before;
    if (b->locks) {
      before = __atomic_fetch_or(word, bit, __ATOMIC_RELAXED);
    } else {
      before = *word;
      *word = before | bit;
    }
    fresh += !(before & bit);
  }
  return fresh;
}

static void lock(struct bitstate *b, unsigned i) {
  if (!b->locks) return;
  while (__atomic_test_and_set(b->locks + i * LOCK_BYTES, __ATOMIC_ACQUIRE)) sched_yield();
}

static void unlock(struct bitstate *b, unsigned i) {
  if (b->locks) __atomic_clear(b->locks + i * LOCK_BYTES, __ATOMIC_RELEASE);
}

// Without the lock, each of two threads could find one of a state's bits not set.
static unsigned set_locked(struct bitstate *b, XXH128_hash_t hash) {
  lock(b, hash.high64 % LOCKS);
  unsigned fresh = set_all(b, hash);
  unlock(b, hash.high64 % LOCKS);
  return fresh;
}

// --- the early table ---

INLINE XXH128_hash_t *early_home(const struct bitstate *b, XXH128_hash_t hash) {
  XXH128_hash_t *section = (XXH128_hash_t *)b->early.base + hash.high64 % LOCKS * SECTION;
  return section + hash.low64 % SECTION;
}

INLINE bool is_empty(XXH128_hash_t slot) { return !(slot.low64 | slot.high64); }

// Where it is, or would go: a section is never full.
static XXH128_hash_t *early_seek(const struct bitstate *b, XXH128_hash_t hash) {
  XXH128_hash_t *section = (XXH128_hash_t *)b->early.base + hash.high64 % LOCKS * SECTION;
  for (uint64_t at = hash.low64;; at++) {
    XXH128_hash_t *slot = &section[at % SECTION];
    if (is_empty(*slot) || XXH128_isEqual(*slot, hash)) return slot;
  }
}

// Is it there? If not, and it may be, it is put there.
static bool early_find(struct bitstate *b, XXH128_hash_t hash, bool put) {
  lock(b, hash.high64 % LOCKS);
  XXH128_hash_t *slot = early_seek(b, hash);
  bool old = !is_empty(*slot);
  if (!old && put) *slot = hash;
  unlock(b, hash.high64 % LOCKS);
  return old;
}

// --- what it may have lost ---

static double power(double x, unsigned k) {
  double p = 1;
  for (; k; k >>= 1, x *= x)
    if (k & 1) p *= x;
  return p;
}

// A bound of the probability that any state was left out. Of i states at most ki bits are set, so
// another one is lost with probability (ki / bits)^k or less; as for fingerprints, the first loss
// happens after some i <= n states. Their sum is less than the integral up to n + 1.
static double omission(const struct bitstate *b) {
  uint64_t states = quota_count(&b->quota);
  double n = (double)states + 1, share = n * b->hashes / (double)b->bits;
  if (!states) return 0;
  double p = share < 1 ? power(share, b->hashes) * n / (b->hashes + 1) : 1;
  return p < 1 ? p : 1;
}

// The expected share of states lost among those that the search came across (what lies behind a
// lost state it does not see). While a share x of the bits is set, x^k of the new states are lost;
// and every new state, lost or not, finds k (1 - x) of its bits not set, so that 1 - x shrinks by
// the same factor from state to state. So x^k is averaged over steps from x = 0 to what is set now,
// in each of which 1 - x shrinks by the same factor.
static double expected_loss(const struct bitstate *b, double share) {
  double end = 1 - share, least = 1 / (double)b->bits, sum = 0;
  double factor = 1 - share / STEPS;
  unsigned steps = 0;
  if (end < least) end = least;
  for (double unset = 1; unset > end; unset *= factor, steps++)
    sum += power(1 - unset * (1 + factor) / 2, b->hashes);
  return steps ? sum / steps : 0;
}

// --- insert and find ---

// Hashes all and asks for what they name.
INLINE void look_ahead(const struct bitstate *b, const uint64_t *states, size_t n,
                       XXH128_hash_t *hash) {
  for (size_t i = 0; i < n; i++) {
    hash[i] = lossy_hash128(states + i * b->words, b->words);
    hash[i].low64 += is_empty(hash[i]);
    if (b->early.base) __builtin_prefetch(early_home(b, hash[i]), 1);
    for (unsigned k = 0; k < b->hashes && !b->early.base; k++)
      __builtin_prefetch(word_at(b, place(b, hash[i], k)), 1);
  }
}

static bool is_old(struct bitstate *b, XXH128_hash_t hash) {
  return b->early.base ? early_find(b, hash, false) : all_set(b, hash);
}

// False: another thread was faster.
static bool add(struct bitstate *b, XXH128_hash_t hash, uint64_t *bits_set) {
  if (b->early.base) return !early_find(b, hash, true);
  unsigned fresh = set_locked(b, hash);
  *bits_set += fresh;
  return fresh > 0;
}

// `most` of the states may be new. Returns how many states were done.
static size_t insert_some(struct bitstate *b, const uint64_t *states, size_t n, uint64_t most,
                          enum store_answer *answers, uint64_t *used) {
  XXH128_hash_t hash[CHUNK];
  uint64_t bits_set = 0;
  size_t i = 0;
  look_ahead(b, states, n, hash);
  for (; i < n; i++) {
    bool old = is_old(b, hash[i]);
    if (!old && *used == most) break;
    bool fresh = !old && add(b, hash[i], &bits_set);
    answers[i] = fresh ? STORE_NEW : STORE_OLD;
    *used += fresh;
  }
  __atomic_add_fetch(&b->bits_set, bits_set, __ATOMIC_RELAXED);
  return i;
}

static void set_room(struct bitstate *b) {
  uint64_t most = b->base.config.states_max, room = b->early.base ? EARLY_STATES : UINT64_MAX;
  b->quota.room = most && most < room ? most : room;
}

// Goes over to the array. The gate is closed.
static void leave_early(struct bitstate *b) {
  const XXH128_hash_t *slot = (const XXH128_hash_t *)b->early.base;
  for (size_t i = 0; i < (size_t)LOCKS * SECTION; i++)
    if (!is_empty(slot[i])) b->bits_set += set_all(b, slot[i]);
  unsigned char *base = b->early.base;
  __atomic_store_n(&b->early.base, NULL, __ATOMIC_RELAXED); // another thread may ask for the memory
  region_close(&(struct region){.base = base, .reserved = b->early.reserved});
  set_room(b);
}

static size_t insert_chunk(struct bitstate *b, const uint64_t *states, size_t n,
                           enum store_answer *answers) {
  uint64_t used = 0;
  bool promised = quota_enter(&b->quota, n);
  if (!promised && b->early.base && b->quota.taken + n > EARLY_STATES) leave_early(b);
  uint64_t most = promised ? n : quota_left(&b->quota);
  size_t done = insert_some(b, states, n, most, answers, &used);
  quota_leave(&b->quota, promised, n, used);
  return done;
}

static size_t bitstate_insert_batch(struct store_writer *w, const uint64_t *words, size_t count,
                                    enum store_answer *answers, uint64_t *ids) {
  struct bitstate *b = (struct bitstate *)w->store;
  for (size_t first = 0; first < count; first += CHUNK) {
    size_t n = count - first < CHUNK ? count - first : CHUNK;
    size_t done = insert_chunk(b, words + first * b->words, n, answers + first);
    for (size_t i = 0; i < done; i++) ids[first + i] = 0;
    if (done < n) return first + done;
  }
  return count;
}

static void bitstate_find_batch(struct store_writer *w, const uint64_t *words, size_t count,
                                uint64_t *ids) {
  struct bitstate *b = (struct bitstate *)w->store;
  XXH128_hash_t hash[CHUNK];
  for (size_t first = 0; first < count; first += CHUNK) {
    size_t n = count - first < CHUNK ? count - first : CHUNK;
    gate_enter(&b->quota.gate);
    look_ahead(b, words + first * b->words, n, hash);
    for (size_t i = 0; i < n; i++) ids[first + i] = is_old(b, hash[i]) ? 0 : STORE_ABSENT;
    gate_leave(&b->quota.gate);
  }
}

// Rounded down, to as many decimals as show that it is not all. (When all bits are set, they do not
// tell how many states came since.)
static void add_coverage(struct text *t, double lost, bool all_bits_set) {
  double missing = 100 * lost, unit = 0.1;
  int decimals = 1;
  for (; decimals < 9 && missing < 10 * unit; decimals++) unit /= 10;
  bool nearly_all = missing < unit;
  double percent = nearly_all ? 100 - unit : (double)(uint64_t)((100 - missing) / unit) * unit;
  text_printf(t, "expected coverage %s%s%.*f %%", all_bits_set ? "under " : "",
              nearly_all ? "over " : "", decimals, percent);
}

static void bitstate_facts(const struct store *s, struct store_facts *facts) {
  const struct bitstate *b = (const struct bitstate *)s;
  double count = (double)quota_count(&b->quota), bits = (double)b->bits;
  struct text t = {0};
  facts->load = b->early.base ? count * b->hashes / bits : (double)b->bits_set / bits;
  facts->omission = omission(b);
  if (count > 0) {
    text_printf(&t, "hash factor %.*f, ", bits / count < 100, bits / count);
    add_coverage(&t, expected_loss(b, facts->load), b->bits_set == b->bits);
    text_add(&t, "; ");
  }
  text_printf(&t, "%u bits per state in an array of %.4g MiB", b->hashes,
              (double)b->bytes / (1 << 20));
  facts->sentence = mem_strdup(text_str(&t));
  text_clear(&t);
}

// --- the function table ---

static struct store_writer *bitstate_writer_make(struct store *s) {
  struct store_writer *w = mem_alloc(sizeof *w);
  *w = (struct store_writer){s};
  return w;
}

static void bitstate_writer_free(struct store_writer *w) { mem_free(w); }

static uint64_t bitstate_count(const struct store *s) {
  return quota_count(&((const struct bitstate *)s)->quota);
}

// Of the early table what was touched.
static size_t bitstate_memory(const struct store *s) {
  const struct bitstate *b = (const struct bitstate *)s;
  uint64_t count = quota_count(&b->quota);
  size_t early = count < EARLY_BYTES / PAGE_BYTES ? count * PAGE_BYTES : EARLY_BYTES;
  return __atomic_load_n(&b->early.base, __ATOMIC_RELAXED) ? early : b->bytes;
}

static bool bitstate_check(const struct store *s) {
  const struct bitstate *b = (const struct bitstate *)s;
  const XXH128_hash_t *slot = (const XXH128_hash_t *)b->early.base;
  uint64_t count = b->quota.taken, set = 0, early = 0;
  for (size_t i = 0; slot && i < (size_t)LOCKS * SECTION; i++)
    early += !is_empty(slot[i]) && early_seek(b, slot[i]) == &slot[i];
  if (slot) return early == count && b->bits_set == 0;
  for (uint64_t at = 0; at < b->bits; at += 64)
    set += (uint64_t)__builtin_popcountll(*word_at(b, at));
  return set == b->bits_set && count <= set && set <= count * b->hashes; // each set one at least
}

static void bitstate_free(struct store *s) {
  struct bitstate *b = (struct bitstate *)s;
  gate_destroy(&b->quota.gate);
  region_close(&b->array);
  region_close(&b->early);
  mem_free(b->locks);
  mem_free(b);
}

// Half of the memory: the search keeps its states itself, and needs room for them.
static void open_regions(struct bitstate *b, size_t limit) {
  size_t bytes = limit ? limit / 2 : BYTES_DEFAULT;
  if (bytes < BYTES_LEAST) bytes = BYTES_LEAST;
  if (!region_open(&b->array, bytes, BYTES_LEAST)) {
    bitstate_free(&b->base);
    mem_exhausted(bytes);
  }
  if (b->array.reserved < bytes) bytes = b->array.reserved;
  b->bytes = bytes / 8 * 8;
  b->bits = 8 * (uint64_t)b->bytes;
  region_huge(&b->array, b->bytes);
  if (bytes >= 4 * EARLY_BYTES)
    (void)region_open(&b->early, EARLY_BYTES, EARLY_BYTES); // or without
}

static struct store *bitstate_make(const struct store_config *c) {
  assert(c->payload_bytes == 0 && "the table of capabilities refuses it");
  struct bitstate *b = mem_zalloc(1, sizeof *b);
  b->base.config = *c;
  b->words = c->words;
  b->hashes = c->hashes ? c->hashes : HASHES;
  gate_init(&b->quota.gate, c->threads > 1);
  open_regions(b, c->mem_bytes_max);
  set_room(b);
  if (c->threads > 1) b->locks = mem_zalloc(LOCKS, LOCK_BYTES);
  return &b->base;
}

const struct store_ops store_bitstate = {
    .name = "bitstate",
    .lossy = true,
    .make = bitstate_make,
    .free = bitstate_free,
    .writer_make = bitstate_writer_make,
    .writer_free = bitstate_writer_free,
    .insert_batch = bitstate_insert_batch,
    .find_batch = bitstate_find_batch,
    .count = bitstate_count,
    .memory = bitstate_memory,
    .facts = bitstate_facts,
    .check = bitstate_check,
};
