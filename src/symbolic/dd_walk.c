// SPDX-License-Identifier: Apache-2.0
// Questions to diagrams that are answered by walking over their nodes, without making any: do two
// meet, at how many pairs of nodes, is one part of the other, what does it depend on, how many
// assignments are there. Each keeps a memo of its own.
#include "symbolic/dd.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- pairs of nodes, or single ones: an open hash table from keys to numbers ---

struct memo {
  uint64_t *keys; // 0: free; no key is 0
  uint32_t *values;
  size_t count, slots;
  unsigned shift; // of a hash, to a slot: its upper bits have something of all of the key
};

static void memo_init(struct memo *m) {
  m->count = 0;
  m->slots = 256;
  m->shift = 64 - 8;
  m->keys = mem_zalloc(m->slots, sizeof(*m->keys));
  m->values = mem_alloc(m->slots * sizeof(*m->values));
}

static void memo_clear(struct memo *m) {
  mem_free(m->keys);
  mem_free(m->values);
}

static size_t memo_slot(const struct memo *m, uint64_t key) {
  size_t at = (size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> m->shift);
  while (m->keys[at] && m->keys[at] != key) at = (at + 1) & (m->slots - 1);
  return at;
}

static bool memo_find(const struct memo *m, uint64_t key, uint32_t *value) {
  size_t at = memo_slot(m, key);
  if (m->keys[at]) *value = m->values[at];
  return m->keys[at] != 0;
}

static void memo_grow(struct memo *m) {
  struct memo old = *m;
  m->slots *= 2;
  m->shift--;
  m->keys = mem_zalloc(m->slots, sizeof(*m->keys));
  m->values = mem_alloc(m->slots * sizeof(*m->values));
  for (size_t i = 0; i < old.slots; i++) {
    if (!old.keys[i]) continue;
    size_t at = memo_slot(m, old.keys[i]);
    m->keys[at] = old.keys[i];
    m->values[at] = old.values[i];
  }
  memo_clear(&old);
}

static void memo_add(struct memo *m, uint64_t key, uint32_t value) {
  if (m->count * 2 >= m->slots) memo_grow(m);
  size_t at = memo_slot(m, key);
  if (!m->keys[at]) m->count++;
  m->keys[at] = key;
  m->values[at] = value;
}

static uint64_t pair_key(dd a, dd b) { return (uint64_t)(uint32_t)a << 32 | (uint32_t)b; }

static bool constant(dd a) { return a < 2; }

// The children of a node at a level; of one below, itself twice.
static void split(dd a, unsigned level, dd *low, dd *high) {
  bool here = !constant(a) && dd_level(dd_top(a)) == level;
  *low = here ? dd_low(a) : a;
  *high = here ? dd_high(a) : a;
}

static unsigned upper_level(dd a, dd b) {
  unsigned la = constant(a) ? UINT32_MAX : dd_level(dd_top(a));
  unsigned lb = constant(b) ? UINT32_MAX : dd_level(dd_top(b));
  return la < lb ? la : lb;
}

bool dd_literals(dd a, uint8_t *values) {
  while (!constant(a)) {
    dd low = dd_low(a), high = dd_high(a);
    if (!dd_is_false(low) && !dd_is_false(high)) return false;
    values[dd_top(a)] = dd_is_false(low);
    a = dd_is_false(low) ? high : low;
  }
  return dd_is_true(a);
}

// --- do two meet? ---

// The memo has the pairs that do not.
static bool meets(struct memo *m, dd a, dd b) {
  if (dd_is_false(a) || dd_is_false(b)) return false;
  if (constant(a) || constant(b) || a == b) return true;
  uint64_t key = a < b ? pair_key(a, b) : pair_key(b, a);
  uint32_t known;
  if (memo_find(m, key, &known)) return false;
  dd a0, a1, b0, b1;
  unsigned level = upper_level(a, b);
  split(a, level, &a0, &a1);
  split(b, level, &b0, &b1);
  if (meets(m, a0, b0) || meets(m, a1, b1)) return true;
  memo_add(m, key, 0);
  return false;
}

bool dd_meets(dd a, dd b) {
  struct memo m;
  memo_init(&m);
  bool yes = meets(&m, a, b);
  memo_clear(&m);
  return yes;
}

// The memo has the pairs for which it is so.
static bool implies(struct memo *m, dd a, dd b) {
  if (dd_is_false(a) || dd_is_true(b) || a == b) return true;
  if (dd_is_true(a) || dd_is_false(b)) return false;
  uint32_t known;
  if (memo_find(m, pair_key(a, b), &known)) return true;
  dd a0, a1, b0, b1;
  unsigned level = upper_level(a, b);
  split(a, level, &a0, &a1);
  split(b, level, &b0, &b1);
  if (!implies(m, a0, b0) || !implies(m, a1, b1)) return false;
  memo_add(m, pair_key(a, b), 0);
  return true;
}

bool dd_implies(dd a, dd b) {
  struct memo m;
  memo_init(&m);
  bool yes = implies(&m, a, b);
  memo_clear(&m);
  return yes;
}

// --- how many pairs meet? ---

static void meet_pairs(struct memo *m, dd a, dd b, size_t most) {
  if (constant(a) || constant(b) || a == b || m->count > most) return;
  size_t before = m->count;
  memo_add(m, a < b ? pair_key(a, b) : pair_key(b, a), 0);
  if (m->count == before) return;
  dd a0, a1, b0, b1;
  unsigned level = upper_level(a, b);
  split(a, level, &a0, &a1);
  split(b, level, &b0, &b1);
  meet_pairs(m, a0, b0, most);
  meet_pairs(m, a1, b1, most);
}

size_t dd_and_pairs(dd a, dd b, size_t most) {
  struct memo m;
  memo_init(&m);
  meet_pairs(&m, a, b, most);
  size_t pairs = m.count;
  memo_clear(&m);
  return pairs;
}

// --- what does it depend on? BuDDy's own answer does not survive bdd_done ---

dd dd_support(dd a) {
  uint64_t *set = mem_zalloc(dd_var_count() / 64 + 1, sizeof *set);
  VEC(unsigned) list = {0};
  dd_support_into(a, set);
  for (unsigned v = 0; v < dd_var_count(); v++)
    if (words_has(set, v)) VEC_PUSH(&list, v);
  dd cube = dd_cube(list.data, list.count);
  mem_free(set);
  VEC_CLEAR(&list);
  return cube;
}

// --- counting: numbers of `words` words of 64 bits, one per node, lowest word first ---

struct counting {
  unsigned *place; // per level: which of the variables counted it is, from the top
  unsigned vars;
  size_t words;
  struct memo memo; // node -> number
  VEC(uint64_t *) numbers;
  struct arena *arena;
};

static int by_level(const void *a, const void *b) {
  unsigned la = dd_level(*(const unsigned *)a), lb = dd_level(*(const unsigned *)b);
  return la < lb ? -1 : la > lb;
}

// Levels of variables to their places; what does not count has none.
static unsigned *places_new(const unsigned *vars, size_t count) {
  unsigned *sorted = mem_alloc((count + 1) * sizeof(*sorted));
  unsigned levels = 0;
  for (size_t i = 0; i < count; i++) {
    sorted[i] = vars[i];
    if (dd_level(vars[i]) >= levels) levels = dd_level(vars[i]) + 1;
  }
  qsort(sorted, count, sizeof(*sorted), by_level);
  unsigned *place = mem_alloc((levels + 1) * sizeof(*place));
  memset(place, 0xff, (levels + 1) * sizeof(*place));
  for (size_t i = 0; i < count; i++) place[dd_level(sorted[i])] = (unsigned)i;
  mem_free(sorted);
  return place;
}

static unsigned node_place(const struct counting *c, dd a) {
  if (constant(a)) return c->vars;
  unsigned place = c->place[dd_level(dd_top(a))];
  assert(place < c->vars);
  return place;
}

// to += from << shift
static void add_shifted(uint64_t *to, const uint64_t *from, unsigned shift, size_t words) {
  size_t skip = shift / 64;
  unsigned bits = shift % 64;
  uint64_t carry = 0;
  for (size_t i = skip; i < words; i++) {
    uint64_t part = from[i - skip] << bits;
    if (bits && i > skip) part |= from[i - skip - 1] >> (64 - bits);
    unsigned __int128 sum = (unsigned __int128)to[i] + part + carry;
    to[i] = (uint64_t)sum;
    carry = (uint64_t)(sum >> 64);
  }
}

// How many assignments to the variables from the node's own down.
static const uint64_t *count_node(struct counting *c, dd a) {
  uint32_t known;
  if (memo_find(&c->memo, (uint64_t)a + 1, &known)) return c->numbers.data[known];
  uint64_t *number = ARENA_ARRAY(c->arena, uint64_t, c->words);
  if (constant(a)) {
    number[0] = (uint64_t)a;
  } else {
    dd child[2] = {dd_low(a), dd_high(a)};
    for (int i = 0; i < 2; i++) {
      unsigned skipped = node_place(c, child[i]) - node_place(c, a) - 1;
      add_shifted(number, count_node(c, child[i]), skipped, c->words);
    }
  }
  memo_add(&c->memo, (uint64_t)a + 1, (uint32_t)c->numbers.count);
  VEC_PUSH(&c->numbers, number);
  return number;
}

// Divides by ten to the 18th; gives the remainder.
static uint64_t divide(uint64_t *number, size_t words) {
  const uint64_t by = UINT64_C(1000000000000000000);
  uint64_t rest = 0;
  for (size_t i = words; i-- > 0;) {
    unsigned __int128 part = (unsigned __int128)rest << 64 | number[i];
    number[i] = (uint64_t)(part / by);
    rest = (uint64_t)(part % by);
  }
  return rest;
}

static bool is_zero(const uint64_t *number, size_t words) {
  for (size_t i = 0; i < words; i++)
    if (number[i]) return false;
  return true;
}

// In decimal; the number is used up.
static char *decimal(uint64_t *number, size_t words) {
  VEC(uint64_t) groups = {0};
  do VEC_PUSH(&groups, divide(number, words));
  while (!is_zero(number, words));
  struct text out = {0};
  text_printf(&out, "%llu", (unsigned long long)VEC_POP(&groups));
  while (groups.count) text_printf(&out, "%018llu", (unsigned long long)VEC_POP(&groups));
  VEC_CLEAR(&groups);
  return out.data;
}

char *dd_count(dd a, const unsigned *vars, size_t count) {
  struct counting c = {.vars = (unsigned)count, .words = count / 64 + 1};
  c.place = places_new(vars, count);
  c.arena = arena_new();
  memo_init(&c.memo);
  uint64_t *number = mem_zalloc(c.words, sizeof(*number));
  add_shifted(number, count_node(&c, a), node_place(&c, a), c.words);
  char *out = decimal(number, c.words);
  mem_free(number);
  memo_clear(&c.memo);
  VEC_CLEAR(&c.numbers);
  arena_free(c.arena);
  mem_free(c.place);
  return out;
}

// The part of all assignments that make it true, whatever the variables are.
static double density(struct memo *m, double **numbers, size_t *room, dd a) {
  if (constant(a)) return a;
  uint32_t known;
  if (memo_find(m, (uint64_t)a, &known)) return (*numbers)[known];
  double low = density(m, numbers, room, dd_low(a)), high = density(m, numbers, room, dd_high(a));
  uint32_t next = (uint32_t)m->count;
  if (next >= *room) *numbers = vec_grow(*numbers, room, sizeof(**numbers));
  (*numbers)[next] = (low + high) / 2;
  memo_add(m, (uint64_t)a, next);
  return (*numbers)[next];
}

double dd_count_real(dd a, const unsigned *vars, size_t count) {
  (void)vars;
  struct memo m;
  memo_init(&m);
  double *numbers = NULL;
  size_t room = 0;
  double part = density(&m, &numbers, &room, a);
  mem_free(numbers);
  memo_clear(&m);
  return ldexp(part, (int)count);
}
