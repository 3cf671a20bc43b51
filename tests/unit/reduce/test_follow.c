// SPDX-License-Identifier: Apache-2.0
// What is told of renamings: applied to the successor before it was made canonical, leaf by leaf,
// each gives the representative. Random states of models that are hard to make canonical, and all
// steps of random models.
#include "model.h"

#include "random_model.h"
#include "sys/sys.h"

#define MODELS     300
#define STATES_MAX 150 // of a random model
#define CAPACITY   4096

// The told renaming as a permutation. Fails unless it maps each set onto itself.
static struct permutation as_permutation(const struct ir_model *m, const struct sys_renames *r,
                                         const uint32_t *renaming) {
  struct permutation p = identity(m);
  size_t elements = 0;
  for (size_t k = 0; k < r->count; k++) {
    const struct ir_type *t = r->set[k].type;
    uint64_t n = ir_type_count(t), met = 0;
    assert_true(is_set(t) && n <= 64);
    assert_int_equal(r->set[k].first, elements);
    for (uint64_t i = 0; i < n; i++) {
      uint32_t to = renaming[r->set[k].first + i] - r->set[k].first;
      assert_true(to < n);
      met |= UINT64_C(1) << to;
      p.to[t->id][i] = to;
    }
    assert_true(met == ~UINT64_C(0) >> (64 - n));
    elements += n;
  }
  assert_int_equal(r->each, elements);
  return p;
}

static bool is_identity(const struct sys_renames *r, const uint32_t *renaming) {
  for (size_t e = 0; e < r->each; e++)
    if (renaming[e] != e) return false;
  return true;
}

static void expect_renamed(const struct ir_model *m, const struct sys_renames *r,
                           const uint32_t *renaming, const uint64_t *raw, const uint64_t *canon) {
  struct permutation p = as_permutation(m, r, renaming);
  uint64_t *image = calloc(m->layout->words, sizeof *image);
  permute(&p, raw, image);
  assert_memory_equal(image, canon, m->layout->words * sizeof *image);
  free(image);
  permutation_clear(&p);
}

// --- single states ---

// A rule that does nothing but `bodies`, so that the text is a model.
#define MODEL(types, vars, bodies)                                                                 \
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

// A state is asked about once more later, when it may still be remembered, and without a renaming
// in between.
static size_t check_states(const char *text, size_t rounds) {
  enum { AGAIN = 3 };
  struct ir_model *m = load(text);
  struct symmetry *y = symmetry_new(m, false);
  const struct sys_renames *r = symmetry_renames(y);
  size_t words = m->layout->words, moved = 0;
  uint64_t *raw = calloc(AGAIN * words, sizeof *raw), *canon = calloc(2 * words, sizeof *canon);
  uint32_t *renaming = calloc(r->each, sizeof *renaming);
  struct rng rng;
  rng_init(&rng, 11);
  for (size_t i = 0; i < rounds; i++) {
    random_state(&rng, m, i % 5, raw + i % AGAIN * words);
    for (size_t k = 0; k <= i && k < AGAIN; k++) {
      memcpy(canon, raw + k * words, words * sizeof *canon);
      memcpy(canon + words, canon, words * sizeof *canon);
      symmetry_canonical(y, canon + words);
      symmetry_follow(y, canon, renaming);
      assert_memory_equal(canon, canon + words, words * sizeof *canon);
      expect_renamed(m, r, renaming, raw + k * words, canon);
      moved += !is_identity(r, renaming);
    }
  }
  free(raw);
  free(canon);
  free(renaming);
  symmetry_free(y);
  ir_model_free(m);
  return moved;
}

static void test_states(void **context) {
  (void)context;
  const char *texts[] = {
      MODEL("p : scalarset(5); l : enum {A, B, C};",
            "s : array [p] of l; n : array [p] of 0..2; t : array [0..2] of p;", ""),
      MODEL("p : scalarset(7);", "next : array [p] of p;", ""),
      MODEL("p : scalarset(6);", "edge : array [p] of array [p] of boolean;", ""),
      MODEL("p : scalarset(4);", "f : array [p] of array [p] of p; x : p;", ""),
      MODEL("a : scalarset(3); b : scalarset(4);",
            "m : array [a] of array [b] of boolean; f : array [a] of b; g : array [b] of a;"
            "x : a; y : b; z : array [b] of 0..2;",
            ""),
      MODEL("a : scalarset(3); b : scalarset(3); e : enum {None, Some}; one : scalarset(1);"
            "u : union {a, e, b}; v : union {one, b};",
            "x : array [u] of 0..1; f : array [a] of u; g : array [v] of v; z : u;", ""),
      MODEL("p : scalarset(5);",
            "a : array [p] of array [0..2] of 0..1000000; x : array [0..70] of p;", ""),
      MODEL("p : scalarset(4); msg : record v : boolean; to_ : multiset [2] of p; end;",
            "net : multiset [3] of msg; s : array [p] of 0..1; m : msg;", "multisetadd(m, net);"),
      MODEL("p : scalarset(3); q : scalarset(3);",
            "box : array [p] of multiset [3] of q; who : array [q] of p; x : q; y : p;",
            "multisetadd(x, box[y]);"),
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    assert_true(check_states(texts[i], 500) > 500);
}

// Every element is pointed at once: colours tell nothing, and several orders are tried out.
static void test_cycles(void **context) {
  (void)context;
  enum { N = 9 };
  struct ir_model *m = load(MODEL("p : scalarset(9);", "f : array [p] of p; x : 0..1;", ""));
  struct symmetry *y = symmetry_new(m, false);
  const struct ir_leaf *leaf = m->layout->leaf;
  uint64_t *state = calloc(2 * m->layout->words, sizeof *state), *raw = state + m->layout->words;
  uint32_t renaming[N], to[N];
  struct rng r;
  rng_init(&r, 5);
  for (uint32_t i = 0; i < N; i++) to[i] = i;
  for (size_t round = 0; round < 300; round++) {
    for (uint32_t i = N; i > 1; i--) {
      uint32_t k = (uint32_t)rng_below(&r, i), t = to[k];
      to[k] = to[i - 1];
      to[i - 1] = t;
    }
    for (uint32_t i = 0; i < N; i++) ir_leaf_set(&leaf[i], raw, ir_type_value(leaf[i].type, to[i]));
    memcpy(state, raw, m->layout->words * sizeof *state);
    symmetry_follow(y, state, renaming);
    expect_renamed(m, symmetry_renames(y), renaming, raw, state);
  }
  free(state);
  symmetry_free(y);
  ir_model_free(m);
}

// --- systems ---

// Two systems over the same model, side by side: successors as they are, and representatives.
struct pair {
  struct ir_model *m;
  struct sys *plain, *reduced;
  struct sys_out raw, told, untold;
  size_t moved, faults;
};

static struct sys *interpreted(const struct ir_model *m) {
  return sys_new(m, &(struct sys_config){.mode = SYS_INTERPRETED});
}

// Successor number i: the same step, the representative that there is without asking, a true
// renaming.
static void check_step(struct pair *p, size_t i) {
  size_t words = p->plain->words;
  const struct sys_renames *r = p->reduced->renames;
  const uint32_t *renaming = p->told.renames + i * r->each;
  assert_memory_equal(&p->told.steps[i], &p->raw.steps[i], sizeof *p->raw.steps);
  assert_memory_equal(&p->told.steps[i], &p->untold.steps[i], sizeof *p->raw.steps);
  if (p->raw.steps[i].site) {
    p->faults++;
    assert_true(is_identity(r, renaming));
    return;
  }
  assert_memory_equal(p->told.words + i * words, p->untold.words + i * words,
                      words * sizeof *p->raw.words);
  expect_renamed(p->m, r, renaming, p->raw.words + i * words, p->told.words + i * words);
  p->moved += !is_identity(r, renaming);
}

// The start states, and the successors of `state` after them in the same buffers.
static void step(struct pair *p, const uint64_t *state) {
  struct sys *systems[] = {p->plain, p->reduced, p->reduced};
  struct sys_out *outs[] = {&p->raw, &p->told, &p->untold};
  for (size_t k = 0; k < 3; k++) {
    sys_out_reset(outs[k]);
    systems[k]->starts(systems[k], outs[k]);
    if (state) systems[k]->expand(systems[k], state, outs[k]);
  }
  assert_int_equal(p->told.count, p->raw.count);
  assert_int_equal(p->untold.count, p->raw.count);
  assert_true(p->told.fired == p->raw.fired && p->told.moved == p->raw.moved);
  for (size_t i = 0; i < p->raw.count; i++) check_step(p, i);
  assert_null(p->raw.renames);
  assert_null(p->untold.renames);
}

static void explore(struct pair *p) {
  struct states s;
  states_init(&s, p->plain->words, CAPACITY);
  step(p, NULL);
  for (size_t at = 0; at <= s.count; at++) {
    for (size_t i = 0; i < p->told.count && s.count < STATES_MAX; i++)
      if (!p->told.steps[i].site) states_add(&s, p->told.words + i * s.words);
    if (at < s.count) step(p, s.data + at * s.words);
  }
  states_clear(&s);
}

// Plain systems are asked, too, and tell nothing.
static void pair_init(struct pair *p, struct ir_model *m, struct sys *reduced) {
  *p = (struct pair){.m = m, .plain = interpreted(m), .reduced = reduced};
  sys_out_init(&p->raw, p->plain->words, m->properties.count);
  sys_out_init(&p->told, p->plain->words, m->properties.count);
  sys_out_init(&p->untold, p->plain->words, m->properties.count);
  p->raw.follow = p->told.follow = true;
  assert_null(p->plain->renames);
}

static void pair_clear(struct pair *p) {
  sys_out_clear(&p->raw);
  sys_out_clear(&p->told);
  sys_out_clear(&p->untold);
  sys_free(p->plain);
}

static void test_random(void **context) {
  (void)context;
  size_t tried = 0, moved = 0, faults = 0;
  for (uint64_t seed = 0; seed < MODELS; seed++) {
    struct text text = {0};
    uint32_t loops;
    make_model(&text, seed, &loops);
    struct ir_model *m = load(text_str(&text));
    if (reduce_symmetry_applies(m, true, NULL)) {
      struct sys *inner = interpreted(m), *original = reduce_symmetry_new(inner, true);
      struct sys *clone = sys_clone(original);
      struct pair p;
      pair_init(&p, m, seed % 2 ? original : clone);
      explore(&p);
      tried++;
      moved += p.moved;
      faults += p.faults;
      pair_clear(&p);
      sys_free(clone);
      sys_free(original);
      sys_free(inner);
    }
    ir_model_free(m);
    text_clear(&text);
  }
  print_message("%zu models, %zu steps that rename, %zu that fail\n", tried, moved, faults);
  assert_true(tried > MODELS / 2 && moved > MODELS * 10 && faults > MODELS);
}

static const char square[] =
    "type p : scalarset(12); var a : array [p] of array [p] of boolean;"
    "startstate begin for i : p do for j : p do a[i][j] := i = j; end; end; end;"
    "ruleset i : p; j : p do rule \"r\" begin a[i][j] := !a[i][j]; end; end;";

// More successors than a buffer begins with. A caller may begin to follow only after it has grown.
static void check_growth(bool late) {
  struct ir_model *m = load(square);
  struct sys *inner = interpreted(m), *reduced = reduce_symmetry_new(inner, false);
  struct pair p;
  pair_init(&p, m, reduced);
  uint64_t *state = calloc(inner->words, sizeof *state);
  reduced->starts(reduced, &p.untold);
  memcpy(state, p.untold.words, inner->words * sizeof *state);
  p.told.follow = !late;
  if (late) reduced->expand(reduced, state, &p.told);
  assert_null(p.told.renames);
  p.told.follow = true;
  for (size_t i = 0; i < 4; i++) {
    step(&p, state);
    assert_int_equal(p.told.count, 145);
    assert_true(p.told.renames_capacity >= 145 * reduced->renames->each);
    memcpy(state, p.told.words + (30 * i + 2) * inner->words, inner->words * sizeof *state);
  }
  free(state);
  pair_clear(&p);
  sys_free(reduced);
  sys_free(inner);
  ir_model_free(m);
}

static void test_growth(void **context) {
  (void)context;
  check_growth(false);
  check_growth(true);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_states),
      cmocka_unit_test(test_cycles),
      cmocka_unit_test(test_random),
      cmocka_unit_test(test_growth),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
