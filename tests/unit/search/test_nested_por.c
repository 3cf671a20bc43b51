// SPDX-License-Identifier: Apache-2.0
// Nested depth-first search with partial order reduction: random processes with variables of their
// own and shared ones, under formulas without "next"; the same verdict as without, by the bit and
// by the selection number, and never more states.
#include "cycles.h"

#ifdef FATHOM_SMALL
enum { ROUNDS = 300 };
#else
enum { ROUNDS = 1500 };
#endif

enum { PROCESSES = 3, PLACES = 4 };

// Automata over atoms 0 and 1: stays where 0 holds; again and again 0; both again and again; after
// 0 never again 1.
static struct ir_automaton_edge stays_edges[2][2] = {{{.to = 0}, {.yes = 1, .to = 1}},
                                                     {{.yes = 1, .to = 1}}};
static struct ir_automaton_state stays_states[2] = {
    {.edges = stays_edges[0], .edge_count = 2},
    {.edges = stays_edges[1], .edge_count = 1, .accepting = true}};
static struct ir_automaton_edge often_edges[2][2] = {{{.to = 0}, {.yes = 1, .to = 1}},
                                                     {{.to = 0}, {.yes = 1, .to = 1}}};
static struct ir_automaton_state often_states[2] = {
    {.edges = often_edges[0], .edge_count = 2},
    {.edges = often_edges[1], .edge_count = 2, .accepting = true}};
static struct ir_automaton_edge both_edges[3][3] = {
    {{.to = 0}, {.yes = 1, .to = 1}, {.yes = 3, .to = 2}},
    {{.to = 1}, {.yes = 2, .to = 2}},
    {{.to = 0}, {.yes = 1, .to = 1}, {.yes = 3, .to = 2}}};
static struct ir_automaton_state both_states[3] = {
    {.edges = both_edges[0], .edge_count = 3},
    {.edges = both_edges[1], .edge_count = 2},
    {.edges = both_edges[2], .edge_count = 3, .accepting = true}};
static struct ir_automaton_edge after_edges[2][2] = {{{.to = 0}, {.yes = 1, .no = 2, .to = 1}},
                                                     {{.no = 2, .to = 1}}};
static struct ir_automaton_state after_states[2] = {
    {.edges = after_edges[0], .edge_count = 2},
    {.edges = after_edges[1], .edge_count = 1, .accepting = true}};
static const struct ir_automaton automata[] = {
    {.states = stays_states, .count = 2, .accept_atom = -1, .stutters = true},
    {.states = often_states, .count = 2, .accept_atom = -1, .stutters = true},
    {.states = both_states, .count = 3, .accept_atom = -1, .stutters = true},
    {.states = after_states, .count = 2, .accept_atom = -1, .stutters = true},
};
enum { AUTOMATA = sizeof automata / sizeof *automata };

static void print_rule(struct text *t, struct rng *r, int p, int at) {
  text_printf(t, "rule \"p%d at %d\" agent %d when pc%d = %d", p, at, p, p, at);
  if (chance(r, 20)) text_printf(t, " & v = %d", (int)rng_below(r, 2));
  if (chance(r, 20)) text_printf(t, " & x%d = %d", p, (int)rng_below(r, 2));
  text_printf(t, " { pc%d := %d;", p, (int)rng_below(r, PLACES));
  if (chance(r, 25)) text_printf(t, " v := %d;", (int)rng_below(r, 2));
  if (chance(r, 20)) text_printf(t, " w := %s;", chance(r, 50) ? "1 - w" : "v");
  if (chance(r, 30)) text_printf(t, " x%d := 1 - x%d;", p, p);
  text_printf(t, " }\n");
}

static void print_model(struct text *t, struct rng *r) {
  text_printf(t, "model \"m\"; var v : 0..1; var w : 0..1;\n");
  for (int p = 0; p < PROCESSES; p++)
    text_printf(t, "var pc%d : 0..%d; var x%d : 0..1;\n", p, PLACES - 1, p);
  text_printf(t, "start \"s\" { v := 0; w := 0;");
  for (int p = 0; p < PROCESSES; p++) text_printf(t, " pc%d := 0; x%d := 0;", p, p);
  text_printf(t, " }\n");
  for (int p = 0; p < PROCESSES; p++)
    for (int at = 0; at < PLACES; at++)
      for (uint64_t n = rng_below(r, 3); n > 0; n--) print_rule(t, r, p, at);
  text_printf(t, "atom \"a\" : %s; atom \"b\" : %s; ltl \"p\" : \"\";\n",
              chance(r, 50) ? "v = 1" : "x0 = 1", chance(r, 50) ? "w = 0" : "x1 = 1");
}

static void search(struct ir_model *m, const struct ample *ample, bool numbers, struct result *r) {
  const struct ir_automaton *a = m->properties.data[0]->automaton;
  struct sys *sys = sys_new(m, &(struct sys_config){.mode = SYS_INTERPRETED});
  struct sys *product = sys_product_new(sys, a, 0);
  struct search_config c = {.sys = product,
                            .model = m,
                            .store = "exact",
                            .started = clock_seconds(),
                            .max_errors = 1,
                            .ample = ample,
                            .selection_numbers = numbers};
  *r = (struct result){0};
  search_run(search_strategy_find("ndfs"), &c, r);
  for (size_t i = 0; i < r->traces.count; i++) {
    struct replay p;
    if (!trace_replay(&r->traces.data[i], m, IR_DEADLOCK_OFF, &p)) fail_msg("%s", p.problem);
    replay_clear(&p);
  }
  sys_free(product);
  sys_free(sys);
}

// How many states were left out, of how many.
struct tally {
  uint64_t all, kept;
  int violated, reduced;
};

static void try_one(uint64_t seed, struct tally *tally) {
  struct rng rng;
  struct text t = {0}, why = {0};
  struct result full, bit, number;
  rng_init(&rng, seed);
  print_model(&t, &rng);
  struct ir_model *m = model_of_text(text_str(&t));
  m->properties.data[0]->automaton = &automata[rng_below(&rng, AUTOMATA)];
  search(m, NULL, false, &full);
  struct ample *ample = ample_new(m, NULL, &why);
  if (ample) {
    search(m, ample, false, &bit);
    search(m, ample, true, &number);
    if (bit.verdict != full.verdict || number.verdict != full.verdict)
      fail_msg("seed %llu: %s, by the bit %s, by the number %s", (unsigned long long)seed,
               verdict_name(full.verdict), verdict_name(bit.verdict), verdict_name(number.verdict));
    if (full.verdict == VERDICT_HOLDS) {
      assert_true(bit.stats.states <= full.stats.states);
      assert_true(number.stats.states <= full.stats.states);
      tally->all += full.stats.states;
      tally->kept += bit.stats.states;
    }
    tally->violated += full.verdict == VERDICT_VIOLATED;
    tally->reduced++;
    result_clear(&bit);
    result_clear(&number);
  }
  ample_free(ample);
  result_clear(&full);
  ir_model_free(m);
  text_clear(&t);
  text_clear(&why);
}

static void test_random(void **context) {
  (void)context;
  struct tally tally = {0};
  for (int i = 0; i < ROUNDS; i++) try_one(1000 + (uint64_t)i, &tally);
  assert_true(tally.reduced > ROUNDS / 3);
  assert_true(tally.violated > tally.reduced / 10 && tally.violated < tally.reduced / 10 * 9);
  assert_true(tally.kept < tally.all);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
