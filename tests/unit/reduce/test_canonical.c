// SPDX-License-Identifier: Apache-2.0
// Representatives against brute force: over all permutations, symmetric states have the same one,
// and it is one of them; and the numbers of orbits that are known from counting graphs come out.
#include "model.h"

// A rule that does nothing, so that the text is a model.
#define MODEL(types, vars)                                                                         \
  "type " types " var " vars " go : boolean; startstate begin go := true; end; "                   \
  "rule \"r\" go ==> begin go := false; end;"
#define WITH_SETS(types, vars, bodies)                                                             \
  "type " types " var " vars " go : boolean; startstate begin go := true; end; "                   \
  "rule \"r\" go ==> begin go := false; " bodies " end;"

static void random_state(struct rng *r, const struct ir_model *m, uint64_t few, uint64_t *state) {
  memset(state, 0, m->layout->words * sizeof *state);
  for (uint64_t i = 0; i < m->layout->count; i++) {
    const struct ir_leaf *l = &m->layout->leaf[i];
    uint64_t codes = ir_type_count(l->type) + l->undef;
    bool plain = rng_below(r, 4) < few; // the lower `few`, the more leaves are alike
    ir_leaf_set_code(l, state, plain ? rng_below(r, codes) : 0);
  }
  sort_state(m, state);
}

static bool same(const struct ir_model *m, const uint64_t *a, const uint64_t *b) {
  return memcmp(a, b, m->layout->words * sizeof *a) == 0;
}

// All permutations of one state.
static void check_orbit(const struct ir_model *m, struct symmetry *y, const uint64_t *state) {
  size_t words = m->layout->words;
  uint64_t *memory = calloc(3 * words, sizeof *memory);
  uint64_t *canonical = memory, *image = memory + words, *other = image + words;
  memcpy(canonical, state, words * sizeof *state);
  symmetry_canonical(y, canonical);
  bool member = false;
  struct permutation p = identity(m);
  do {
    permute(&p, state, image);
    member = member || same(m, image, canonical);
    memcpy(other, image, words * sizeof *other);
    symmetry_canonical(y, other);
    assert_true(same(m, other, canonical));
  } while (next_permutation(&p));
  assert_true(member);
  permutation_clear(&p);
  free(memory);
}

static void check_model(const char *text, size_t rounds) {
  struct ir_model *m = load(text);
  struct text why = {0};
  if (!reduce_symmetry_applies(m, false, &why)) fail_msg("%s", text_str(&why));
  struct symmetry *y = symmetry_new(m, false);
  uint64_t *state = calloc(m->layout->words, sizeof *state);
  struct rng r;
  rng_init(&r, 1);
  for (size_t i = 0; i < rounds; i++) {
    random_state(&r, m, i % 5, state);
    check_orbit(m, y, state);
  }
  free(state);
  symmetry_free(y);
  text_clear(&why);
  ir_model_free(m);
}

static void test_fields_and_globals(void **context) {
  (void)context;
  check_model(MODEL("pid : scalarset(5); l : enum {A, B, C};",
                    "p : array [pid] of l; q : array [pid] of 0..2; t : array [0..2] of pid;"),
              60);
}

static void test_records(void **context) {
  (void)context;
  check_model(MODEL("pid : scalarset(4); ptr : record nil : boolean; p : pid; end;"
                    "node : record next : ptr; locked : boolean; end;",
                    "r : array [pid] of node; pred : array [pid] of ptr; lock : ptr;"),
              200);
}

static void test_references(void **context) {
  (void)context;
  check_model(MODEL("pid : scalarset(6);", "next : array [pid] of pid;"), 40);
}

static void test_matrix(void **context) {
  (void)context;
  check_model(MODEL("pid : scalarset(5);", "edge : array [pid] of array [pid] of boolean;"), 100);
  check_model(MODEL("pid : scalarset(4);", "f : array [pid] of array [pid] of pid; x : pid;"), 100);
  check_model(MODEL("p : scalarset(3);",
                    "a : array [p] of array [p] of array [p] of 0..1; b : array [p] of 0..1;"),
              200);
}

// States in which colours tell nothing: every element is pointed at once by each of two functions.
static void test_regular(void **context) {
  (void)context;
  struct ir_model *m =
      load(MODEL("p : scalarset(6);", "f : array [p] of p; g : array [p] of p; x : p;"));
  struct symmetry *y = symmetry_new(m, false);
  uint64_t *state = calloc(m->layout->words, sizeof *state);
  struct rng r;
  rng_init(&r, 7);
  for (size_t round = 0; round < 60; round++) {
    memset(state, 0, m->layout->words * sizeof *state);
    struct permutation f = identity(m), g = identity(m);
    for (uint64_t i = rng_below(&r, 720); i > 0; i--) next_permutation(&f);
    for (uint64_t i = rng_below(&r, 720); i > 0; i--) next_permutation(&g);
    const struct ir_type *p = m->layout->leaf[0].type;
    for (uint32_t i = 0; i < 6; i++) {
      ir_leaf_set(&m->layout->leaf[i], state, ir_type_value(p, f.to[p->id][i]));
      if (round % 2) continue;
      ir_leaf_set(&m->layout->leaf[6 + i], state, ir_type_value(p, g.to[p->id][i]));
    }
    check_orbit(m, y, state);
    permutation_clear(&f);
    permutation_clear(&g);
  }
  free(state);
  symmetry_free(y);
  ir_model_free(m);
}

static void shuffle(struct rng *r, uint32_t *to, uint32_t n) {
  for (uint32_t i = n; i > 1; i--) {
    uint32_t k = (uint32_t)rng_below(r, i), t = to[k];
    to[k] = to[i - 1];
    to[i - 1] = t;
  }
}

// f becomes cycles of two and more elements, of random lengths.
static void random_cycles(struct rng *r, const struct ir_leaf *leaf, uint32_t n, uint64_t *state) {
  for (uint32_t first = 0, length; first < n; first += length) {
    length = 2 + (uint32_t)rng_below(r, 3);
    if (first + length + 1 >= n) length = n - first;
    for (uint32_t i = 0; i < length; i++)
      ir_leaf_set(&leaf[first + i], state, ir_type_value(leaf[0].type, first + (i + 1) % length));
  }
}

// Cycles of different lengths: no colour tells them apart, and trying out meets branches that are
// symmetric to earlier ones beside branches that are not.
static void test_cycles(void **context) {
  (void)context;
  struct ir_model *m = load(MODEL("p : scalarset(12);", "f : array [p] of p; g : array [p] of p;"));
  struct symmetry *y = symmetry_new(m, false);
  size_t words = m->layout->words;
  uint64_t *state = calloc(3 * words, sizeof *state), *first = state + words,
           *image = first + words;
  const struct ir_type *p = m->layout->leaf[0].type;
  struct rng r;
  rng_init(&r, 5);
  for (size_t round = 0; round < 60; round++) {
    struct permutation q = identity(m);
    memset(state, 0, words * sizeof *state);
    random_cycles(&r, m->layout->leaf, 12, state);
    if (round % 3 == 0) random_cycles(&r, m->layout->leaf + 12, 12, state);
    memcpy(first, state, words * sizeof *first);
    symmetry_canonical(y, first);
    for (size_t i = 0; i < 50; i++) {
      shuffle(&r, q.to[p->id], 12);
      permute(&q, state, image);
      symmetry_canonical(y, image);
      assert_true(same(m, image, first));
    }
    permutation_clear(&q);
  }
  free(state);
  symmetry_free(y);
  ir_model_free(m);
}

static void test_two_sets(void **context) {
  (void)context;
  check_model(MODEL("a : scalarset(3); b : scalarset(4);",
                    "m : array [a] of array [b] of boolean; f : array [a] of b;"
                    "g : array [b] of a; x : a; y : b; z : array [b] of 0..2;"),
              100);
}

static void test_three_sets(void **context) {
  (void)context;
  check_model(MODEL("a : scalarset(3); b : scalarset(2); c : scalarset(3);",
                    "m : array [a] of array [b] of c; n : array [c] of array [a] of boolean;"),
              100);
}

static void test_unions(void **context) {
  (void)context;
  check_model(MODEL("a : scalarset(3); b : scalarset(3); e : enum {None, Some}; one : scalarset(1);"
                    "u : union {a, e, b}; v : union {one, b};",
                    "x : array [u] of 0..1; f : array [a] of u; g : array [v] of v; z : u;"),
              100);
}

static void test_long_signatures(void **context) {
  (void)context;
  check_model(MODEL("pid : scalarset(5);",
                    "a : array [pid] of array [0..2] of 0..1000000; x : array [0..3] of pid;"
                    "b : array [pid] of 0..3;"),
              60);
  check_model(MODEL("pid : scalarset(5);", "x : array [0..70] of pid; next : array [pid] of pid;"),
              60);
}

static void test_multisets(void **context) {
  (void)context;
  check_model(WITH_SETS("pid : scalarset(4); msg : record v : boolean; to_ : multiset [2] of pid; "
                        "end;",
                        "net : multiset [3] of msg; s : array [pid] of 0..1; m : msg; ",
                        "multisetadd(m, net);"),
              200);
  check_model(WITH_SETS("pid : scalarset(4); msg : record from : pid; v : boolean; end;",
                        "net : multiset [4] of msg; s : array [pid] of 0..1; m : msg; ",
                        "multisetadd(m, net);"),
              200);
  check_model(WITH_SETS("pid : scalarset(3); q : scalarset(3);",
                        "box : array [pid] of multiset [3] of q; who : array [q] of pid; x : q; "
                        "y : pid; ",
                        "multisetadd(x, box[y]);"),
              200);
  check_model(WITH_SETS("pid : scalarset(4);",
                        "bag : array [pid] of multiset [2] of 0..2; y : pid;",
                        "multisetadd(1, bag[y]);"),
              100);
}

// --- numbers of orbits ---

// Counts representatives over all assignments of defined values to the leaves (go is false).
static size_t count_orbits(const char *text) {
  struct ir_model *m = load(text);
  struct symmetry *y = symmetry_new(m, false);
  size_t words = m->layout->words;
  uint64_t *state = calloc(words, sizeof *state), *rank = calloc(m->layout->count, sizeof *rank);
  uint64_t n = m->layout->count - 1, i;
  struct states seen;
  states_init(&seen, words, 1 << 16);
  do {
    memset(state, 0, words * sizeof *state);
    for (i = 0; i < n; i++)
      ir_leaf_set(&m->layout->leaf[i], state, ir_type_value(m->layout->leaf[i].type, rank[i]));
    ir_leaf_set(&m->layout->leaf[n], state, 0);
    symmetry_canonical(y, state);
    states_add(&seen, state);
    for (i = 0; i < n && ++rank[i] == ir_type_count(m->layout->leaf[i].type); i++) rank[i] = 0;
  } while (i < n);
  size_t count = seen.count;
  states_clear(&seen);
  free(state);
  free(rank);
  symmetry_free(y);
  ir_model_free(m);
  return count;
}

static void test_orbits(void **context) {
  (void)context;
  // multisets of 5 out of 4
  assert_int_equal(count_orbits(MODEL("p : scalarset(5);", "a : array [p] of 0..3;")), 56);
  // mappings of n points to themselves, up to renaming: 47, 130
  assert_int_equal(count_orbits(MODEL("p : scalarset(5);", "f : array [p] of p;")), 47);
  assert_int_equal(count_orbits(MODEL("p : scalarset(6);", "f : array [p] of p;")), 130);
  // relations on 3 and 4 points: 104, 3044
  assert_int_equal(
      count_orbits(MODEL("p : scalarset(3);", "e : array [p] of array [p] of boolean;")), 104);
  assert_int_equal(
      count_orbits(MODEL("p : scalarset(4);", "e : array [p] of array [p] of boolean;")), 3044);
  // 0-1 matrices up to permutations of rows and of columns: 3 by 4
  assert_int_equal(count_orbits(MODEL("p : scalarset(3); q : scalarset(4);",
                                      "e : array [p] of array [q] of boolean;")),
                   87);
  // partitions of a set of 5 into named, interchangeable classes: partitions of the number 5
  assert_int_equal(
      count_orbits(MODEL("p : scalarset(5); q : scalarset(5);", "c : array [p] of q;")), 7);
}

// --- what it applies to ---

static void expect_not(const char *text, const char *part) {
  struct ir_model *m = load(text);
  struct text why = {0};
  assert_false(reduce_symmetry_applies(m, false, &why));
  if (!strstr(text_str(&why), part)) fail_msg("\"%s\" does not say \"%s\"", text_str(&why), part);
  text_clear(&why);
  ir_model_free(m);
}

static void test_applies(void **context) {
  (void)context;
  expect_not(MODEL("p : scalarset(1);", "a : array [p] of p;"), "no scalarset");
  expect_not(MODEL("p : scalarset(3);", ""), "no scalarset");
  expect_not("type p : scalarset(3); var x : p; startstate begin clear x; end;"
             "rule begin clear x; end;",
             "scalarset p is not symmetric: test.m:1: clear");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fields_and_globals),
      cmocka_unit_test(test_records),
      cmocka_unit_test(test_references),
      cmocka_unit_test(test_matrix),
      cmocka_unit_test(test_two_sets),
      cmocka_unit_test(test_regular),
      cmocka_unit_test(test_cycles),
      cmocka_unit_test(test_three_sets),
      cmocka_unit_test(test_unions),
      cmocka_unit_test(test_long_signatures),
      cmocka_unit_test(test_multisets),
      cmocka_unit_test(test_orbits),
      cmocka_unit_test(test_applies),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
