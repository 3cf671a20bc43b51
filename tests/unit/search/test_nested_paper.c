// SPDX-License-Identifier: Apache-2.0
// The failure that "On Nested Depth First Search" describes (Fig. 3), as a model: two agents that
// have nothing to do with each other turn round for ever, so that either may go alone. Fig. 2, kept
// here only, looks at its own stack in each of the two searches: the second one selects other
// successors than the first and misses every cycle. Fig. 4 repeats what the first one selected.
#include "cycles.h"

#include "store/store.h"

// Every run without end is a bad one.
static struct ir_automaton_edge loop = {.to = 0};
static struct ir_automaton_state state = {.edges = &loop, .edge_count = 1, .accepting = true};
static const struct ir_automaton all = {
    .states = &state, .count = 1, .accept_atom = -1, .stutters = true};

// P goes from s1 to s2 and s3, from s2 to s3, from s3 to s1; Q is what leads to s4.
static const char text[] = "model \"fig3\"; var p : 1..3; var q : 0..1;\n"
                           "start \"s\" { p := 1; q := 0; }\n"
                           "rule \"e5\" agent 1 { q := 1 - q; }\n"
                           "rule \"e1\" agent 2 when p = 1 { p := 2; }\n"
                           "rule \"e4\" agent 2 when p = 1 { p := 3; }\n"
                           "rule \"e2\" agent 2 when p = 2 { p := 3; }\n"
                           "rule \"e3\" agent 2 when p = 3 { p := 1; }\n"
                           "ltl \"p\" : \"\";\n";

struct fixture {
  struct ir_model *m;
  struct ample *ample;
  struct sys *sys, *product;
};

static void set_up(struct fixture *f) {
  struct text why = {0};
  f->m = model_of_text(text);
  f->m->properties.data[0]->automaton = &all;
  f->ample = ample_new(f->m, NULL, &why);
  if (!f->ample) fail_msg("%s", text_str(&why));
  assert_int_equal(f->m->ample.count, 2);
  f->sys = sys_new(f->m, &(struct sys_config){.mode = SYS_INTERPRETED});
  f->product = sys_product_new(f->sys, &all, 0);
  text_clear(&why);
}

static void tear_down(struct fixture *f) {
  sys_free(f->product);
  sys_free(f->sys);
  ample_free(f->ample);
  ir_model_free(f->m);
}

// --- Fig. 2 ---

enum { STATES_MAX = 64 };

struct fig2 {
  struct fixture *f;
  bool reduces;
  struct store *statespace; // numbers states
  bool seen[2][STATES_MAX];
  bool on_stack[2][STATES_MAX];
  uint64_t seed;
  bool cycle;
};

static uint64_t number(struct fig2 *x, const uint64_t *words) {
  uint64_t id;
  store_insert(x->statespace, words, &id);
  assert_true(id < STATES_MAX);
  return id;
}

static bool closes(struct fig2 *x, const struct sys_out *o, size_t count, int search) {
  for (size_t i = 0; i < count; i++)
    if (x->on_stack[search][number(x, o->words + i * o->words_per_state)]) return true;
  return false;
}

// The successors that the search which this is selects, by what it has on its own stack.
static size_t selected(struct fig2 *x, const uint64_t *s, int search, struct sys_out *o) {
  struct sys *sys = x->f->product;
  sys->expand(sys, s, o);
  uint64_t groups = x->reduces ? sys->ample(sys, s) : 0;
  for (size_t count; (count = groups ? ample_select(x->f->ample, o, 0, &groups) : 0) > 0;)
    if (!closes(x, o, count, search)) return count;
  return o->count;
}

// dfs for search 0, ndfs for search 1.
static void visit(struct fig2 *x, const uint64_t *s, int search) {
  struct sys *sys = x->f->product;
  uint64_t id = number(x, s);
  struct sys_out o;
  sys_out_init(&o, sys->words, 1);
  x->seen[search][id] = x->on_stack[search][id] = true;
  size_t count = selected(x, s, search, &o);
  for (size_t i = 0; i < count; i++) {
    const uint64_t *t = o.words + i * sys->words;
    if (!x->seen[search][number(x, t)])
      visit(x, t, search);
    else if (search == 1 && number(x, t) == x->seed)
      x->cycle = true;
  }
  if (search == 0 && sys->accepts(sys, s)) {
    x->seed = id;
    visit(x, s, 1);
  }
  x->on_stack[search][id] = false;
  sys_out_clear(&o);
}

static bool fig2_finds(struct fixture *f, bool reduces) {
  struct fig2 x = {.f = f, .reduces = reduces};
  struct sys_out o;
  x.statespace = store_new(&(struct store_config){
      .kind = "exact", .words = f->product->words, .bytes = f->product->bytes});
  sys_out_init(&o, f->product->words, 1);
  f->product->starts(f->product, &o);
  visit(&x, o.words, 0);
  sys_out_clear(&o);
  store_free(x.statespace);
  return x.cycle;
}

static void test_fig2(void **context) {
  (void)context;
  struct fixture f;
  set_up(&f);
  assert_true(fig2_finds(&f, false));
  assert_false(fig2_finds(&f, true)); // which is wrong
  tear_down(&f);
}

// --- Fig. 4 ---

static void test_fig4(void **context) {
  (void)context;
  struct fixture f;
  set_up(&f);
  for (int i = 0; i < 4; i++) {
    struct search_config c = {.sys = f.product,
                              .model = f.m,
                              .store = "exact",
                              .started = clock_seconds(),
                              .max_errors = 1,
                              .ample = i ? f.ample : NULL,
                              .selection_numbers = i == 2};
    f.product->weak = i < 3; // else: as if the second search were needed
    struct result r = {0};
    search_run(search_strategy_find("ndfs"), &c, &r);
    assert_int_equal(r.verdict, VERDICT_VIOLATED);
    assert_true(r.traces.data[0].has_loop);
    struct replay p;
    if (!trace_replay(&r.traces.data[0], f.m, IR_DEADLOCK_OFF, &p)) fail_msg("%s", p.problem);
    replay_clear(&p);
    result_clear(&r);
  }
  tear_down(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_fig2), cmocka_unit_test(test_fig4)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
