// SPDX-License-Identifier: Apache-2.0
// The machine of a model: what it looks like for a small program, and, on random models, that it
// does what the interpreter does: each step is one edge, each fault one to its error; intervals
// hold whatever comes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hybrid/efsm.h"
#include "ir/eval.h"
#include "random/generate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATES_MOST = 120, CHOICES_MOST = 48, SEEDS = 150 };

// --- a small program ---

static const char *const program =
    "model \"count\" language \"ir\";\n"
    "deadlock off;\n"
    "type Place : enum {Entry, Head, Body, After, Spare, End};\n"
    "var pc : Place location;\n"
    "var i : i32;\n"
    "var sum : i32;\n"
    "var limit : i32;\n"
    "var unused : i32;\n"
    "start \"start\" { pc := Entry; i := 5:i32; sum := 0:i32; limit := 0:i32; unused := 0:i32; }\n"
    "rule \"entry\" choose (n : i32) when pc = Entry {\n"
    "  limit := n; i := 0:i32; unused := n;\n"
    "  assume n >= 0; assume n <= 10;\n"
    "  pc := Head;\n"
    "}\n"
    "rule \"head\" when pc = Head { pc := if i < limit then Body else After; }\n"
    "rule \"body\" when pc = Body {\n"
    "  assert i < 11 else \"too far\";\n"
    "  sum := sum + 2:i32; i := i + 1:i32;\n"
    "  pc := if i > 100 then Spare else Head;\n"
    "}\n"
    "rule \"after\" when pc = After { assert sum != 7 else \"seven\"; pc := End; }\n"
    "rule \"spare\" when pc = Spare { pc := End; }\n";

struct made {
  struct ir_model *m;
  struct relation *r;
  struct efsm *e;
};

static struct made make(const char *text) {
  struct made x = {0};
  struct diag d = {0};
  struct text why = {0};
  x.m = ir_parse_model(source_from_text("test.ir", text, strlen(text)), &d);
  if (!x.m) diag_print(&d, stderr, false);
  assert_non_null(x.m);
  assert_true(ir_model_finish(x.m, &d));
  x.r = relation_new(x.m, NULL, &why);
  assert_non_null(x.r);
  x.e = efsm_new(x.r, NULL, &why);
  assert_non_null(x.e);
  diag_clear(&d);
  return x;
}

static void drop(struct made *x) {
  efsm_free(x->e);
  relation_free(x->r);
  ir_model_free(x->m);
}

enum { ENTRY, PLACE_ENTRY, HEAD, BODY, AFTER, SPARE, END }; // control states
enum { LEAF_PC, LEAF_I, LEAF_SUM, LEAF_LIMIT, LEAF_UNUSED };

static void test_program(void **state) {
  (void)state;
  struct made x = make(program);
  const struct efsm_state *s = x.e->states.data;
  assert_int_equal(x.e->control, LEAF_PC);
  assert_int_equal(x.e->controls, 6);
  assert_string_equal(s[HEAD].name, "Head");
  // What is assumed of the input bounds the loop, so "too far" is never reached; nor is Spare.
  assert_true(s[HEAD].lo[LEAF_LIMIT] == 0 && s[HEAD].hi[LEAF_LIMIT] == 10);
  assert_true(s[BODY].lo[LEAF_I] == 0 && s[BODY].hi[LEAF_I] == 9);
  assert_true(s[HEAD].lo[LEAF_I] == 0 && s[HEAD].hi[LEAF_I] == 10);
  assert_false(s[SPARE].reached);
  assert_int_equal(s[BODY].out.count, 1);
  assert_true(s[PLACE_ENTRY].reached && s[END].reached && s[END].sink);
  // i is not asked for before it is set; nobody asks for `unused`, but sum goes on to the test.
  assert_false(efsm_live(&s[PLACE_ENTRY], LEAF_I));
  assert_false(efsm_live(&s[HEAD], LEAF_UNUSED));
  assert_true(efsm_live(&s[HEAD], LEAF_SUM) && efsm_live(&s[HEAD], LEAF_LIMIT));
  assert_false(efsm_live(&s[AFTER], LEAF_LIMIT));
  // The one error that is left, and how far it is.
  assert_int_equal(s[AFTER].error_distance, 1);
  assert_int_equal(s[PLACE_ENTRY].error_distance, 3);
  assert_int_equal(s[END].error_distance, EFSM_FAR);
  drop(&x);
}

static void test_no_wrap(void **state) {
  (void)state;
  struct made x = make(program);
  const struct efsm_state *body = &x.e->states.data[BODY];
  const struct efsm_edge *d = &x.e->edges.data[body->out.data[0]];
  assert_true(term_is(d->guard, 1));
  assert_int_equal(d->writes.count, 2);
  assert_int_equal(d->writes.data[0].leaf, LEAF_I);
  assert_int_equal(d->writes.data[0].value->op, TERM_ADD); // i + 1 stays inside
  assert_true(d->writes.data[0].value->lo == 1 && d->writes.data[0].value->hi == 10);
  drop(&x);
}

static void test_csr(void **state) {
  (void)state;
  struct made x = make(program);
  size_t n = csr_words(x.e);
  uint64_t *r = csr_table(x.e, 4);
  uint32_t error = (uint32_t)x.e->states.count - 1;
  while (!x.e->states.data[error].reached) error--;
  const uint64_t want[] = {1 << PLACE_ENTRY, 1 << HEAD, 1 << BODY | 1 << AFTER,
                           1 << HEAD | 1 << END | UINT64_C(1) << error, 1 << BODY | 1 << AFTER};
  for (int i = 0; i <= 4; i++) assert_int_equal(r[(size_t)i * n], want[i]);
  assert_true(csr_has(r + n, HEAD) && !csr_has(r + n, BODY));
  mem_free(r);
  drop(&x);
}

static void test_print(void **state) {
  (void)state;
  struct made x = make(program);
  struct text out = {0};
  efsm_print(&out, x.e);
  assert_non_null(strstr(text_str(&out), "Head (errors in 2)"));
  assert_non_null(strstr(text_str(&out), "-> 3 Body if (i < limit)"));
  assert_null(strstr(text_str(&out), "Spare"));
  text_clear(&out);
  drop(&x);
}

// A value that would leave its type ends the step: intervals stay inside, and the analysis ends.
static void test_range(void **state) {
  (void)state;
  struct made x = make("model \"up\" language \"ir\"; deadlock off; var n : 0..5; var m : 0..9;\n"
                       "start \"s\" { n := 0; m := 1; }\n"
                       "rule \"up\" when true { n := n + 1; m := m * 2; }\n"
                       "rule \"down\" when true { n := n - 1; }\n");
  const struct efsm_state *s = &x.e->states.data[1];
  assert_int_equal(x.e->control, EFSM_NO_CONTROL);
  assert_true(s->lo[0] == 0 && s->hi[0] == 5 && s->hi[1] <= 9);
  drop(&x);
}

// --- random models ---

struct walk {
  const struct ir_model *m;
  const struct efsm *e;
  struct ir_eval *eval;
  uint64_t seed;
  size_t words, count;
  VEC(uint64_t) states;
  int64_t params[64], choices[64], *leaves, *next_leaves;
  uint64_t *next;
};

static void unpack(const struct walk *w, const uint64_t *state, int64_t *leaves) {
  for (uint64_t i = 0; i < w->e->leaves; i++)
    leaves[i] = ir_leaf_get(&w->m->layout->leaf[i], state);
}

static uint32_t control_of(const struct walk *w, const int64_t *leaves) {
  if (w->e->control == EFSM_NO_CONTROL) return 1;
  return (uint32_t)(leaves[w->e->control] - w->e->control_lo) + 1;
}

static void add_state(struct walk *w, const uint64_t *state) {
  for (size_t i = 0; i < w->count; i++)
    if (memcmp(w->states.data + i * w->words, state, w->words * sizeof *state) == 0) return;
  if (w->count == STATES_MOST) return;
  for (size_t i = 0; i < w->words; i++) VEC_PUSH(&w->states, state[i]);
  w->count++;
}

static bool is_undefined(const struct walk *w, uint64_t leaf, int64_t v) {
  return v == IR_UNDEF && ir_type_can_undef(w->m->layout->leaf[leaf].type);
}

static void check_intervals(const struct walk *w, const int64_t *leaves) {
  const struct efsm_state *s = &w->e->states.data[control_of(w, leaves)];
  for (uint64_t i = 0; i < w->e->leaves; i++) {
    bool undefined = is_undefined(w, i, leaves[i]);
    if (i == w->e->control) continue;
    bool inside = (s->defined[i] & (undefined ? EFSM_UNDEFINED : EFSM_DEFINED)) &&
                  (undefined || (leaves[i] >= s->lo[i] && leaves[i] <= s->hi[i]));
    if (!inside)
      fail_msg("seed %" PRIu64 ": leaf %" PRIu64 " = %" PRId64 " is outside", w->seed, i,
               leaves[i]);
  }
}

// What an edge writes, against what became of the leaves that matter.
static void check_writes(const struct walk *w, const struct efsm_edge *d) {
  size_t at = 0;
  for (uint64_t i = 0; i < w->e->leaves; i++) {
    while (at < d->writes.count && d->writes.data[at].leaf < i) at++;
    if (!efsm_live(&w->e->states.data[d->to], i)) continue;
    int64_t v = w->leaves[i];
    if (at < d->writes.count && d->writes.data[at].leaf == i) {
      const struct relation_write *p = &d->writes.data[at];
      bool defined = term_value(p->defined, w->leaves, w->choices);
      v = defined ? term_value(p->value, w->leaves, w->choices) : IR_UNDEF;
    }
    if (v != w->next_leaves[i])
      fail_msg("seed %" PRIu64 ": leaf %" PRIu64 " is %" PRId64 ", by the edge %" PRId64, w->seed,
               i, w->next_leaves[i], v);
  }
}

// Of the edges of this instance from here, just the right one can be taken.
static void check_edges(const struct walk *w, uint32_t from, const struct relation_rule *rule,
                        enum ir_outcome o) {
  const struct efsm_state *s = &w->e->states.data[from];
  size_t taken = 0;
  for (size_t i = 0; i < s->out.count; i++) {
    const struct efsm_edge *d = &w->e->edges.data[s->out.data[i]];
    const struct efsm_state *to = &w->e->states.data[d->to];
    if (d->rule != rule || !term_value(d->guard, w->leaves, w->choices)) continue;
    taken++;
    if (to->is_error) {
      assert_true(o == IR_FAILED && to->id == ir_eval_site(w->eval));
    } else {
      assert_true(o == IR_OK && d->to == control_of(w, w->next_leaves));
      check_writes(w, d);
    }
  }
  size_t want = o == IR_OK || o == IR_FAILED;
  if (taken != want && !s->sink)
    fail_msg("seed %" PRIu64 ": %zu edges for a step that %s", w->seed, taken,
             want ? "there is" : "does not exist");
}

static bool is_allowed(struct walk *w, const uint64_t *state) {
  for (size_t i = 0; i < w->m->properties.count; i++) {
    const struct ir_property *p = w->m->properties.data[i];
    bool holds = true;
    if (p->kind != IR_PROP_ASSUME) continue;
    if (ir_eval_bool(w->eval, &p->frame, p->expr, state, &holds) != IR_OK || !holds) return false;
  }
  return true;
}

static void check_rule(struct walk *w, const struct relation_rule *rule, const uint64_t *from) {
  const struct ir_rule *r = ir_instance(w->m, rule->rule->is_start, rule->instance, w->params);
  uint32_t control = from ? control_of(w, w->leaves) : EFSM_ENTRY;
  for (uint32_t k = 0; k < r->choices; k++) {
    enum ir_outcome o = IR_OK;
    if (from) memcpy(w->next, from, w->words * sizeof *from);
    ir_choice(r, k, w->choices);
    if (from) o = ir_eval_guard(w->eval, r, w->params, w->choices, w->next);
    if (o == IR_OK) o = ir_eval_body(w->eval, r, w->params, w->choices, w->next);
    if (o == IR_OK && !is_allowed(w, w->next)) o = IR_DROPPED;
    if (o == IR_OK) unpack(w, w->next, w->next_leaves);
    check_edges(w, control, rule, o);
    if (o == IR_OK) add_state(w, w->next);
  }
}

static void walk_all(struct walk *w) {
  const struct relation *r = w->e->relation;
  for (size_t i = 0; i < r->starts.count; i++) check_rule(w, &r->starts.data[i], NULL);
  for (size_t i = 0; i < w->count; i++) {
    uint64_t from[64];
    assert_true(w->words <= 64);
    memcpy(from, w->states.data + i * w->words, w->words * sizeof *from);
    unpack(w, from, w->leaves);
    check_intervals(w, w->leaves);
    if (w->e->states.data[control_of(w, w->leaves)].sink) continue;
    for (size_t k = 0; k < r->rules.count; k++) check_rule(w, &r->rules.data[k], from);
  }
}

static bool is_small(const struct ir_model *m) {
  for (size_t i = 0; i < m->rules.count; i++)
    if (m->rules.data[i]->choices == 0 || m->rules.data[i]->choices > CHOICES_MOST) return false;
  for (size_t i = 0; i < m->starts.count; i++)
    if (m->starts.data[i]->choices == 0 || m->starts.data[i]->choices > CHOICES_MOST) return false;
  return m->rule_instances < 60 && m->layout->words <= 64;
}

// Some variable with few values becomes the location.
static void locate(struct ir_model *m, uint64_t seed) {
  for (size_t i = 0; i < m->vars.count; i++) {
    struct ir_var *v = m->vars.data[(i + seed) % m->vars.count];
    if (!ir_type_scalar(v->type) || ir_type_count(v->type) > 20) continue;
    v->is_location = true;
    return;
  }
}

static void check_model(uint64_t seed, uint64_t *located) {
  struct ir_model *m = generate_model(seed, NULL, NULL);
  struct walk w = {.m = m, .seed = seed};
  struct diag d = {0};
  struct text why = {0};
  struct relation *r = NULL;
  struct efsm *e = NULL;
  if (seed % 3) locate(m, seed / 3);
  if (ir_model_finish(m, &d) && is_small(m)) r = relation_new(m, NULL, &why);
  if (r) w.e = e = efsm_new(r, NULL, &why);
  if (e) {
    w.words = m->layout->words;
    w.eval = ir_eval_new(m);
    w.leaves = mem_zalloc(2 * e->leaves + 1, sizeof *w.leaves);
    w.next_leaves = w.leaves + e->leaves;
    w.next = mem_zalloc(w.words + 1, sizeof *w.next);
    *located += e->control != EFSM_NO_CONTROL;
    walk_all(&w);
    ir_eval_free(w.eval);
    mem_free(w.leaves);
    mem_free(w.next);
  }
  VEC_CLEAR(&w.states);
  text_clear(&why);
  efsm_free(e);
  relation_free(r);
  diag_clear(&d);
  ir_model_free(m);
}

static void test_random(void **state) {
  (void)state;
  const char *effort = getenv("FATHOM_TEST_EFFORT"), *first = getenv("FATHOM_TEST_SEED");
  uint64_t from = first ? (uint64_t)atoll(first) : 1, located = 0;
  uint64_t count = effort ? (uint64_t)atoi(effort) * SEEDS : SEEDS;
  for (uint64_t seed = from; seed < from + count; seed++) check_model(seed, &located);
  assert_true(located > count / 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_program), cmocka_unit_test(test_no_wrap), cmocka_unit_test(test_csr),
      cmocka_unit_test(test_print),   cmocka_unit_test(test_range),   cmocka_unit_test(test_random),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
