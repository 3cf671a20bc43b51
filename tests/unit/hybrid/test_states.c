// SPDX-License-Identifier: Apache-2.0
// Random small machines: images and pre-images of sets against steps of single states by the edges'
// terms; parts, halves, unions, differences, plain formulas and samples of what comes out.
#include "hybrid/states_own.h"

#include "ir/ir.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PLACES = 4, STEPS = 6, POINTS_MAX = 400, GRID_MAX = 3000, LEAVES_MAX = 16 };

struct fixture {
  struct ir_model *model;
  struct relation *relation;
  struct efsm *efsm;
  struct states *states;
};

static void setup(struct fixture *f, const char *text) {
  struct diag d = {0};
  struct text why = {0};
  f->model = ir_parse_model(source_from_text("test.ir", text, strlen(text)), &d);
  if (!f->model) {
    diag_print(&d, stderr, false);
    fail_msg("%s", text);
  }
  diag_clear(&d);
  f->relation = relation_new(f->model, NULL, &why);
  assert_non_null(f->relation);
  f->efsm = efsm_new(f->relation, NULL, &why);
  assert_non_null(f->efsm);
  struct states_config c = {.efsm = f->efsm};
  f->states = states_new(&c, &why);
  assert_non_null(f->states);
  text_clear(&why);
}

static void teardown(struct fixture *f) {
  states_free(f->states);
  efsm_free(f->efsm);
  relation_free(f->relation);
  ir_model_free(f->model);
}

// --- single states ---

struct point {
  uint32_t control;
  int64_t leaves[LEAVES_MAX];
};
typedef VEC(struct point) points;

static bool has(const points *p, const struct point *x) {
  for (size_t i = 0; i < p->count; i++)
    if (memcmp(&p->data[i], x, sizeof *x) == 0) return true;
  return false;
}

// What does not matter is always the same.
static void put(const struct efsm *e, points *p, struct point x) {
  struct point y;
  memset(&y, 0, sizeof y);
  y.control = x.control;
  for (uint64_t i = 0; i < e->leaves; i++)
    if (i != e->control && efsm_live(&e->states.data[x.control], i)) y.leaves[i] = x.leaves[i];
  if (!has(p, &y)) VEC_PUSH(p, y);
}

typedef bool visit_step(void *context, const struct point *from, const struct point *to);

static bool take_edge(const struct efsm_edge *d, const struct point *x, const int64_t *choices,
                      visit_step *visit, void *context) {
  if (!term_value(d->guard, x->leaves, choices)) return false;
  struct point y = *x;
  y.control = d->to;
  for (size_t i = 0; i < d->writes.count; i++)
    y.leaves[d->writes.data[i].leaf] = term_value(d->writes.data[i].value, x->leaves, choices);
  return visit(context, x, &y);
}

static bool each_choice(const struct efsm_edge *d, const struct point *x, int64_t *choices,
                        uint32_t k, visit_step *visit, void *context) {
  const struct ir_rule *r = d->rule ? d->rule->rule : NULL;
  if (!r || k == r->choice_count) return take_edge(d, x, choices, visit, context);
  const struct ir_domain *domain = r->frame.locals[r->param_count + k]->domain;
  for (uint64_t i = 0; i < ir_domain_count(domain); i++) {
    choices[k] = ir_domain_value(domain, i);
    if (each_choice(d, x, choices, k + 1, visit, context)) return true;
  }
  return false;
}

static bool each_step(const struct efsm *e, const struct point *x, visit_step *visit,
                      void *context) {
  const struct efsm_state *s = &e->states.data[x->control];
  int64_t choices[8];
  for (size_t i = 0; i < s->out.count; i++)
    if (each_choice(&e->edges.data[s->out.data[i]], x, choices, 0, visit, context)) return true;
  return false;
}

// --- points and sets ---

struct arriving {
  const struct efsm *efsm;
  points *to;
};

static bool arrive(void *context, const struct point *from, const struct point *to) {
  struct arriving *a = context;
  (void)from;
  put(a->efsm, a->to, *to);
  return false;
}

static void image(const struct efsm *e, const points *from, points *to) {
  struct arriving a = {e, to};
  for (size_t i = 0; i < from->count && to->count <= POINTS_MAX; i++)
    each_step(e, &from->data[i], arrive, &a);
}

static struct disjunct *set_of(struct fixture *f, const points *p) {
  struct states *s = f->states;
  struct gather g = {.states = s};
  for (size_t i = 0; i < p->count; i++) {
    const struct point *x = &p->data[i];
    zset *set = zset_all(s->presburger, s->at[x->control].dims);
    dd truth = dd_true();
    for (uint64_t k = 0; k < f->efsm->leaves; k++) {
      struct linear_place at = states_value_at(s, x->control, k);
      if (at.kind == LINEAR_VAR) dd_and_to(&truth, dd_var(at.at, x->leaves[k]));
      if (at.kind == LINEAR_DIM)
        zset_take(&set, zset_within(set, at.at, x->leaves[k], x->leaves[k]));
    }
    gather_add(&g, x->control, truth, set);
  }
  return gather_done(&g, 0);
}

static void assert_part(struct fixture *f, struct disjunct *a, struct disjunct *b) {
  struct disjunct *rest = states_minus(f->states, a, b);
  assert_non_null(rest);
  assert_true(disjunct_empty(rest));
  disjunct_drop(f->states, rest);
}

static void assert_same(struct fixture *f, struct disjunct *a, struct disjunct *b) {
  assert_part(f, a, b);
  assert_part(f, b, a);
}

// --- every state of a control state ---

// False: too many.
static bool grid(const struct efsm *e, uint32_t control, points *out) {
  const struct efsm_state *s = &e->states.data[control];
  struct point x;
  double count = 1;
  memset(&x, 0, sizeof x);
  x.control = control;
  for (uint64_t i = 0; i < e->leaves; i++) {
    if (i == e->control || !efsm_live(s, i)) continue;
    x.leaves[i] = s->lo[i];
    count *= (double)(s->hi[i] - s->lo[i] + 1);
  }
  if (count > GRID_MAX) return false;
  for (;;) {
    VEC_PUSH(out, x);
    uint64_t i = 0;
    for (; i < e->leaves; i++) {
      if (i == e->control || !efsm_live(s, i)) continue;
      if (x.leaves[i]++ < s->hi[i]) break;
      x.leaves[i] = s->lo[i];
    }
    if (i == e->leaves) return true;
  }
}

struct reaching {
  const struct efsm *efsm;
  const points *goal;
};

static bool reaches(void *context, const struct point *from, const struct point *to) {
  struct reaching *r = context;
  points one = {0};
  (void)from;
  put(r->efsm, &one, *to);
  bool yes = has(r->goal, &one.data[0]);
  VEC_CLEAR(&one);
  return yes;
}

static void check_before(struct fixture *f, struct disjunct *d, const points *goal) {
  points all = {0}, before = {0};
  struct reaching r = {f->efsm, goal};
  bool few = true;
  for (uint32_t c = 1; c < f->efsm->states.count && few; c++)
    few = !f->efsm->states.data[c].reached || grid(f->efsm, c, &all);
  if (few) {
    for (size_t i = 0; i < all.count; i++)
      if (each_step(f->efsm, &all.data[i], reaches, &r)) VEC_PUSH(&before, all.data[i]);
    struct disjunct *expected = set_of(f, &before);
    struct disjunct *exact = states_before(f->states, d, UINT64_MAX);
    assert_same(f, exact, expected);
    struct disjunct *many = states_before(f->states, d, 1);
    assert_part(f, expected, many);
    for (size_t i = 0; i < many->piece_count; i++) {
      assert_int_equal(many->pieces[i].count, 1);
      assert_int_equal(zset_polyhedra(many->pieces[i].pairs[0].set), 1);
    }
    disjunct_drop(f->states, expected);
    disjunct_drop(f->states, exact);
    disjunct_drop(f->states, many);
  }
  VEC_CLEAR(&all);
  VEC_CLEAR(&before);
}

// --- what is made of a set ---

static void check_parts(struct fixture *f, struct disjunct *d) {
  struct disjunct *sum = NULL, *half[2];
  for (uint32_t c = 0; c < f->efsm->states.count; c++) {
    if (!csr_has(d->control, c)) continue;
    struct disjunct *part = states_part(f->states, d, c);
    if (states_halve(f->states, part, half)) {
      assert_false(disjunct_empty(half[0]) || disjunct_empty(half[1]));
      struct disjunct *both = states_union(f->states, half[0], half[1]);
      assert_same(f, both, part);
      assert_int_equal(both->parent_count, d->parent_count);
      for (int i = 0; i < 2; i++) disjunct_drop(f->states, half[i]);
      disjunct_drop(f->states, both);
    }
    assert_true(states_meet(f->states, part, d));
    struct disjunct *more = sum ? states_union(f->states, sum, part) : disjunct_keep(part);
    if (sum) disjunct_drop(f->states, sum);
    disjunct_drop(f->states, part);
    sum = more;
  }
  if (sum) assert_same(f, sum, d);
  disjunct_drop(f->states, sum);
}

static bool cube_holds(const struct plain_cube *c, const struct point *x) {
  for (uint32_t i = 0; i < c->count; i++)
    if ((c->leaves[i] & PLAIN_DEFINED) == 0 && (x->leaves[c->leaves[i]] != 0) != c->values[i])
      return false;
  return true;
}

// 1: it holds, 0: not; -1: there are unknowns.
static int set_holds(const struct plain_set *s, const struct point *x) {
  bool truth = false;
  if (s->control != x->control) return 0;
  for (uint32_t i = 0; i < s->cube_count; i++) truth |= cube_holds(&s->cubes[i], x);
  for (uint32_t i = 0; i < s->constraint_count; i++) {
    const struct plain_constraint *c = &s->constraints[i];
    __int128 sum = c->constant;
    for (uint32_t k = 0; k < c->count; k++) {
      if (c->variables[k] & PLAIN_UNKNOWN) return -1;
      sum += (__int128)c->factors[k] * x->leaves[c->variables[k]];
    }
    if (c->equal ? sum != 0 : sum < 0) return 0;
  }
  return truth;
}

static void check_plain(struct fixture *f, struct disjunct *d, const points *p) {
  struct plain plain;
  assert_true(states_plain(f->states, d, &plain));
  for (uint32_t c = 1; c < f->efsm->states.count; c++) {
    points all = {0};
    bool few = f->efsm->states.data[c].reached && grid(f->efsm, c, &all);
    for (size_t i = 0; few && i < all.count; i++) {
      int holds = 0;
      for (size_t k = 0; k < plain.sets.count && holds == 0; k++)
        holds = set_holds(&plain.sets.data[k], &all.data[i]);
      if (holds >= 0) assert_int_equal(holds, has(p, &all.data[i]));
    }
    VEC_CLEAR(&all);
  }
  plain_clear(&plain);
}

static void check_sample(struct fixture *f, struct disjunct *d, const points *p) {
  struct point x;
  points one = {0};
  memset(&x, 0, sizeof x);
  assert_true(states_sample(f->states, d, &x.control, x.leaves));
  put(f->efsm, &one, x);
  assert_true(has(p, &one.data[0]));
  VEC_CLEAR(&one);
}

// --- random machines ---

static const char *pick(struct rng *r, const char *const *all, size_t count) {
  return all[rng_below(r, count)];
}
#define PICK(r, ...)                                                                               \
  pick(r, (const char *const[]){__VA_ARGS__},                                                      \
       sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static void add_number(struct text *t, struct rng *r, unsigned depth) {
  if (depth == 0) {
    text_add(t, PICK(r, "x", "y", "z", "k", "1", "3", "a[0]", "a[i]", "i"));
    return;
  }
  switch (rng_below(r, 5)) {
  case 0:
  case 1:
    text_add(t, "(");
    add_number(t, r, depth - 1);
    text_add(t, PICK(r, " + ", " - "));
    add_number(t, r, depth - 1);
    text_add(t, ")");
    break;
  case 2:
    text_add(t, "(");
    add_number(t, r, depth - 1);
    text_add(t, PICK(r, " * 3", " / 2", " % 3", " band 5", " bor 2", " bxor 6", " << 1", " >> 1",
                     " / -3"));
    text_add(t, ")");
    break;
  case 3:
    text_add(t, "(if b then ");
    add_number(t, r, depth - 1);
    text_add(t, " else ");
    add_number(t, r, depth - 1);
    text_add(t, ")");
    break;
  default: add_number(t, r, 0);
  }
}

static void add_truth(struct text *t, struct rng *r) {
  switch (rng_below(r, 4)) {
  case 0: text_add(t, PICK(r, "b", "!b", "c", "(b & !c)", "h")); break;
  case 1:
    text_add(t, "(b | ");
    add_truth(t, r);
    text_add(t, ")");
    break;
  default:
    text_add(t, "(");
    add_number(t, r, 1);
    text_add(t, PICK(r, " < ", " = ", " != ", " >= "));
    add_number(t, r, 1);
    text_add(t, ")");
  }
}

static void add_assignment(struct text *t, struct rng *r) {
  const char *to = PICK(r, "x", "y", "z", "x", "y", "a[i]", "b", "c", "i");
  text_printf(t, "  %s := ", to);
  if (*to == 'b' || *to == 'c') {
    add_truth(t, r);
  } else if (*to == 'i') {
    text_add(t, "i + 1");
    text_add(t, "; if i = 2 { i := 0; }");
    return;
  } else {
    text_printf(t, "cast(");
    add_number(t, r, 2);
    text_printf(t, ", %s)", *to == 'x' ? "i4" : *to == 'y' ? "u4" : "u2");
  }
  text_add(t, ";");
}

static void add_rule(struct text *t, struct rng *r, unsigned place) {
  text_printf(t, "rule \"%u\" choose (k : 0..3, h : bool) when pc = %u", place, place);
  if (rng_below(r, 2)) {
    text_add(t, " & ");
    add_truth(t, r);
  }
  text_add(t, " {\n");
  for (uint64_t n = rng_below(r, 3) + 1; n > 0; n--) {
    add_assignment(t, r);
    text_add(t, "\n");
  }
  if (rng_below(r, 3) == 0) {
    text_add(t, "  assert ");
    add_truth(t, r);
    text_add(t, ";\n");
  }
  text_add(t, "  if ");
  add_truth(t, r);
  text_printf(t, " { pc := %" PRIu64 "; } else { pc := %" PRIu64 "; }\n}\n", rng_below(r, PLACES),
              rng_below(r, PLACES));
}

static void random_machine(struct text *t, struct rng *r) {
  text_printf(t,
              "model \"random\" language \"ir\";\nvar pc : 0..%d location;\nvar x : "
              "i4;\n"
              "var y : u4;\nvar z : u2;\nvar i : 0..2;\nvar a : array [0..2] of u2;\n"
              "var b : bool;\nvar c : bool;\n"
              "start \"s\" choose (k : 0..3, h : bool) { pc := 0; x := cast(k, i4); y "
              ":= 1:u4; z := "
              "2:u2; i := 0; clear a; b := h; c := false; }\n",
              PLACES - 1);
  for (unsigned i = 0; i < PLACES; i++) {
    add_rule(t, r, i);
    if (rng_below(r, 2)) add_rule(t, r, i);
  }
  text_add(t, "invariant \"i\" : x != 5;\n");
}

static void check_machine(struct fixture *f) {
  points now = {0}, next = {0}, entry = {0};
  struct point zero;
  memset(&zero, 0, sizeof zero);
  VEC_PUSH(&entry, zero);
  image(f->efsm, &entry, &now);
  struct disjunct *d = states_start(f->states);
  for (unsigned i = 0; i < STEPS && now.count <= POINTS_MAX && d; i++) {
    struct disjunct *expected = set_of(f, &now);
    assert_int_equal(d->depth, i);
    assert_same(f, d, expected);
    disjunct_drop(f->states, expected);
    if (now.count == 0) break;
    check_parts(f, d);
    check_plain(f, d, &now);
    check_sample(f, d, &now);
    if (i == 2) check_before(f, d, &now);
    next.count = 0;
    image(f->efsm, &now, &next);
    points old = now;
    now = next;
    next = old;
    (void)states_image_size(f->states, d);
    struct disjunct *after = states_image(f->states, d);
    if (!after) assert_string_equal(states_why(f->states), "nonlinear");
    disjunct_drop(f->states, d);
    d = after;
  }
  disjunct_drop(f->states, d);
  VEC_CLEAR(&now);
  VEC_CLEAR(&next);
  VEC_CLEAR(&entry);
}

static void test_random(void **state) {
  (void)state;
  const char *effort = getenv("FATHOM_TEST_EFFORT");
  uint64_t count = 150 * (effort ? strtoull(effort, NULL, 10) : 1);
  const char *first = getenv("FATHOM_TEST_SEED");
  for (uint64_t seed = first ? strtoull(first, NULL, 10) : 1, end = seed + count; seed < end;
       seed++) {
    struct rng r;
    struct text t = {0};
    struct fixture f;
    rng_init(&r, seed);
    random_machine(&t, &r);
    if (first) print_message("seed %" PRIu64 "\n%s", seed, text_str(&t));
    setup(&f, text_str(&t));
    check_machine(&f);
    teardown(&f);
    text_clear(&t);
  }
}

// --- what cannot be told, or not yet ---

// How often an image can be made; the last one's reason.
static unsigned images(struct fixture *f, unsigned most, const char **why) {
  struct disjunct *d = states_start(f->states);
  unsigned n = 0;
  *why = NULL;
  while (d && n < most && !disjunct_empty(d)) {
    struct disjunct *next = states_image(f->states, d);
    if (!next) *why = states_why(f->states);
    n += next != NULL;
    disjunct_drop(f->states, d);
    d = next;
  }
  disjunct_drop(f->states, d);
  return n;
}

// A product of two inputs is not linear; of one of them and a number with few values it is.
static void test_nonlinear(void **state) {
  (void)state;
  struct fixture f;
  const char *why;
  setup(&f, "model \"m\" language \"ir\";\nvar x : i32;\nvar y : i32;\nvar n : 0..3;\n"
            "start \"s\" choose (a : i32, b : i32) { x := a; y := b; n := 0; }\n"
            "rule \"r\" when n = 0 { x := cast(x * y, i32); n := 1; }\n"
            "invariant \"i\" : x != 12345;\n");
  assert_int_equal(images(&f, 3, &why), 0);
  assert_string_equal(why, "nonlinear");
  teardown(&f);
  setup(&f, "model \"m\" language \"ir\";\nvar x : i32;\nvar n : 0..3;\n"
            "start \"s\" choose (a : i32, b : 0..3) { x := a; n := b; }\n"
            "rule \"r\" when x != 1 { x := cast(x * n, i32); }\n"
            "invariant \"i\" : x != 12345;\n");
  assert_int_equal(images(&f, 2, &why), 2);
  teardown(&f);
}

// A limit that is too low is told, and can be made higher.
static void test_limit(void **state) {
  (void)state;
  struct fixture f;
  const char *why;
  setup(&f, "model \"m\" language \"ir\";\nvar x : i32;\nvar y : i32;\n"
            "start \"s\" choose (a : i32, b : i32) { x := a; y := b; }\n"
            "rule \"r\" when x < y { x := cast(x + y, i32); }\n"
            "invariant \"i\" : x != 12345;\n");
  f.states->config.operations = 5;
  struct disjunct *d = states_start(f.states);
  assert_null(d);
  assert_string_equal(states_why(f.states), "operations");
  f.states->config.operations = 0;
  assert_int_equal(images(&f, 3, &why), 3);
  teardown(&f);
}

static bool never(void *context) {
  (void)context;
  return false;
}

static void test_stopped(void **state) {
  (void)state;
  struct fixture f;
  setup(&f, "model \"m\" language \"ir\";\nvar x : i32;\nstart \"s\" { x := 0:i32; }\n"
            "rule \"r\" { x := cast(x + 1, i32); }\ninvariant \"i\" : x != 12345;\n");
  f.states->config.goes_on = never;
  assert_null(states_start(f.states));
  assert_string_equal(states_why(f.states), "stopped");
  teardown(&f);
}

// Whether a leaf is defined is a variable of its own.
static void test_undefined(void **state) {
  (void)state;
  struct fixture f;
  setup(&f, "model \"m\" language \"ir\";\nvar x : 0..9;\nvar n : 0..3;\n"
            "start \"s\" choose (b : bool) { n := 0; if b { x := 5; } }\n"
            "rule \"r\" when n = 0 & !isundefined(x) { assert x = 5; n := 1; }\n"
            "rule \"q\" when n = 0 & isundefined(x) { n := 2; }\n"
            "invariant \"i\" : n != 2;\ninvariant \"j\" : n != 3;\n");
  struct disjunct *d = states_start(f.states), *e = states_image(f.states, d);
  struct disjunct *g = states_image(f.states, e);
  bool second = false;
  for (uint32_t c = 0; c < f.efsm->states.count; c++) {
    const struct efsm_state *s = &f.efsm->states.data[c];
    if (!s->is_error || !csr_has(g->control, c)) continue;
    assert_int_equal(s->error, EFSM_INVARIANT);
    assert_int_equal(s->id, 0);
    second = true;
  }
  assert_true(second);
  disjunct_drop(f.states, d);
  disjunct_drop(f.states, e);
  disjunct_drop(f.states, g);
  teardown(&f);
}

// An element of an array under an index that is not known: one case for each, no more.
static void test_index(void **state) {
  (void)state;
  struct fixture f;
  setup(&f, "model \"m\" language \"ir\";\nvar a : array [0..49] of i32;\nvar i : 0..49;\n"
            "var pc : 0..2 location;\n"
            "start \"s\" choose (k : 0..49) { clear a; i := k; pc := 0; }\n"
            "rule \"r\" when pc = 0 { a[i] := 7:i32; pc := 1; }\n"
            "rule \"q\" when pc = 1 { assert a[i] = 7; pc := 2; }\n");
  struct disjunct *d = states_start(f.states), *e = states_image(f.states, d);
  assert_non_null(e);
  assert_true(e->size <= 50);
  struct disjunct *g = states_image(f.states, e);
  for (uint32_t c = 0; c < f.efsm->states.count; c++)
    if (f.efsm->states.data[c].is_error) assert_false(csr_has(g->control, c));
  disjunct_drop(f.states, d);
  disjunct_drop(f.states, e);
  disjunct_drop(f.states, g);
  teardown(&f);
}

// Chains of parents are freed whatever their length.
static void test_long_chain(void **state) {
  (void)state;
  struct fixture f;
  setup(&f, "model \"m\" language \"ir\";\nvar x : bool;\nstart \"s\" { x := false; }\n"
            "rule \"r\" { x := !x; }\ninvariant \"i\" : !x;\n");
  struct disjunct *d = states_start(f.states);
  for (unsigned i = 0; i < 3000; i++) {
    struct disjunct *next = states_image(f.states, d);
    disjunct_drop(f.states, d);
    d = next;
  }
  assert_int_equal(d->depth, 3000);
  disjunct_drop(f.states, d);
  teardown(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),     cmocka_unit_test(test_nonlinear),
      cmocka_unit_test(test_limit),      cmocka_unit_test(test_stopped),
      cmocka_unit_test(test_undefined),  cmocka_unit_test(test_index),
      cmocka_unit_test(test_long_chain),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
