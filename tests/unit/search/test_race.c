// SPDX-License-Identifier: Apache-2.0
// Races of searches in threads of their own: the first answer wins, the others are stopped, one
// that fails does not take the others with it. Some racers are made up: they wait, or run out of
// memory.
#include "graph.h"

#include "search/common.h"
#include "search/race.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

enum { NODES = 3001 };

// --- racers ---

// Comes to no end.
static void wait_on(struct search *s) {
  while (search_goes_on(s->workers[0])) usleep(100);
}
static const struct search_strategy waits = {.name = "waits", .run = wait_on};

static void run_out(struct search *s) {
  (void)s;
  mem_exhausted(1);
}
static const struct search_strategy runs_out = {.name = "runs out", .run = run_out};

// Runs out where a search is not prepared for it, and leaks what it holds.
static void run_out_late(struct search *s) {
  (void)s;
  mem_exhausted(1);
}
static void break_down(struct search *s) { s->own_clear = run_out_late; }
static const struct search_strategy breaks_down = {.name = "breaks down", .run = break_down};

// x to 2x + 1 and 7x + 3.
static void step(struct graph *g, int64_t factor, int64_t more) {
  struct ir_model *m = g->model;
  struct ir_rule *r = ir_rule_new(m, false, "step", nowhere);
  struct ir_expr *e = ir_binary(m, IR_MUL, graph_x(g), ir_int(m, factor, nowhere), nowhere);
  e = ir_binary(m, IR_ADD, e, ir_int(m, more, nowhere), nowhere);
  e = ir_binary(m, IR_MOD, e, ir_int(m, NODES, nowhere), nowhere);
  r->body = ir_assign(m, graph_x(g), e, nowhere);
}

static struct graph web(int64_t wrong) {
  struct graph g = graph_new(NODES);
  graph_start(&g, 0);
  step(&g, 2, 1);
  step(&g, 7, 3);
  if (wrong >= 0) graph_property(&g, IR_PROP_INVARIANT, "fine", graph_is_not(&g, wrong));
  graph_finish(&g);
  return g;
}

static void race(struct graph *g, const struct search_strategy *const *strategies, size_t count,
                 struct search_config c, struct result *r, const char **winner) {
  *r = (struct result){0};
  c.model = g->model;
  c.sys = sys_new(g->model, &(struct sys_config){.mode = SYS_INTERPRETED});
  search_race(strategies, count, &c, r, winner);
  for (size_t i = 0; i < r->traces.count; i++) {
    struct replay p;
    if (!trace_replay(&r->traces.data[i], g->model, c.deadlock, &p)) fail_msg("%s", p.problem);
    replay_clear(&p);
  }
  sys_free(c.sys);
}

static const struct search_strategy *strategy(const char *name) {
  return search_strategy_find(name);
}

// --- who wins ---

static void first_answer(void **state) {
  (void)state;
  struct graph g = web(1234);
  const struct search_strategy *const all[] = {strategy("bfs"), strategy("dfs"),
                                               strategy("bounded")};
  for (int i = 0; i < 10; i++) {
    struct result r;
    const char *winner;
    race(&g, all, 3, graph_config(), &r, &winner);
    assert_int_equal(r.verdict, VERDICT_VIOLATED);
    assert_int_equal(r.traces.count, 1);
    assert_non_null(winner);
    assert_string_equal(r.search, winner);
    assert_int_equal(r.stats.threads, 3);
    result_clear(&r);
  }
  graph_free(&g);
}

static void all_is_well(void **state) {
  (void)state;
  struct graph g = web(-1);
  const struct search_strategy *const all[] = {strategy("dfs"), strategy("bfs"),
                                               strategy("bounded"), strategy("bfs")};
  struct result alone, r;
  graph_search(&g, "bfs", graph_config(), &alone);
  const char *winner;
  race(&g, all, 4, graph_config(), &r, &winner);
  assert_int_equal(r.verdict, VERDICT_HOLDS);
  assert_non_null(winner);
  assert_int_equal(r.stats.states, alone.stats.states);
  assert_int_equal(r.stats.transitions, alone.stats.transitions);
  result_clear(&alone);
  result_clear(&r);
  graph_free(&g);
}

static void others_are_stopped(void **state) {
  (void)state;
  struct graph g = web(1234);
  const struct search_strategy *const all[] = {&waits, strategy("bfs"), &waits};
  struct result r;
  const char *winner;
  race(&g, all, 3, graph_config(), &r, &winner);
  assert_string_equal(winner, "bfs");
  assert_string_equal(r.search, "bfs");
  assert_int_equal(r.verdict, VERDICT_VIOLATED);
  result_clear(&r);
  graph_free(&g);
}

static void no_memory_in_one(void **state) {
  (void)state;
  struct graph g = web(-1);
  const struct search_strategy *const all[] = {&runs_out, strategy("dfs"), &runs_out};
  struct result r;
  const char *winner;
  race(&g, all, 3, graph_config(), &r, &winner);
  assert_string_equal(winner, "dfs");
  assert_int_equal(r.verdict, VERDICT_HOLDS);
  result_clear(&r);
  race(&g, all, 1, graph_config(), &r, &winner);
  assert_null(winner);
  assert_int_equal(r.verdict, VERDICT_UNKNOWN);
  assert_string_equal(r.reason, "memory");
  result_clear(&r);
  graph_free(&g);
}

static void broken_down(void **state) {
  (void)state;
#ifdef __SANITIZE_ADDRESS__
  skip();
#endif
  struct graph g = web(-1);
  const struct search_strategy *const all[] = {&breaks_down, &breaks_down, strategy("dfs")};
  struct result r;
  const char *winner;
  race(&g, all, 3, graph_config(), &r, &winner);
  assert_string_equal(winner, "dfs");
  assert_int_equal(r.verdict, VERDICT_HOLDS);
  result_clear(&r);
  race(&g, all, 2, graph_config(), &r, &winner);
  assert_null(winner);
  assert_int_equal(r.verdict, VERDICT_UNKNOWN);
  assert_string_equal(r.reason, "memory");
  result_clear(&r);
  graph_free(&g);
}

// What none can answer, the first to know says.
static void nothing_to_start_from(void **state) {
  (void)state;
  struct graph g = graph_new(3);
  graph_start(&g, 0);
  graph_property(&g, IR_PROP_ASSUME, "no", graph_is_not(&g, 0));
  graph_finish(&g);
  const struct search_strategy *const all[] = {&waits, strategy("dfs")};
  struct result r;
  const char *winner;
  race(&g, all, 2, graph_config(), &r, &winner);
  assert_string_equal(winner, "dfs");
  assert_int_equal(r.verdict, VERDICT_UNKNOWN);
  assert_string_equal(r.reason, "no start state");
  result_clear(&r);
  graph_free(&g);
}

// --- nobody does ---

static void limits_count_for_all(void **state) {
  (void)state;
  struct graph g = web(-1);
  const struct search_strategy *const all[] = {&waits, strategy("bfs"), strategy("dfs")};
  struct search_config c = graph_config();
  c.budget.seconds = 0.2;
  c.budget.states_max = 100;
  struct result r;
  const char *winner;
  race(&g, all, 3, c, &r, &winner);
  assert_null(winner);
  assert_int_equal(r.verdict, VERDICT_UNKNOWN);
  assert_string_equal(r.reason, "states"); // of one that has some
  assert_int_equal(r.stats.states, 100);
  result_clear(&r);
  race(&g, all, 1, c, &r, &winner);
  assert_null(winner);
  assert_string_equal(r.reason, "time");
  result_clear(&r);
  graph_free(&g);
}

static void interrupted(void **state) {
  (void)state;
  struct graph g = web(-1);
  const struct search_strategy *const all[] = {&waits, &waits};
  struct result r;
  const char *winner;
  interrupt_install();
  raise(SIGINT);
  race(&g, all, 2, graph_config(), &r, &winner);
  interrupt_clear();
  assert_null(winner);
  assert_string_equal(r.reason, "interrupted");
  result_clear(&r);
  graph_free(&g);
}

// Shares of a small limit: nobody needs more.
static void memory_is_shared(void **state) {
  (void)state;
  struct graph g = web(-1);
  const struct search_strategy *const all[] = {strategy("bfs"), strategy("dfs")};
  struct search_config c = graph_config();
  c.budget.mem_bytes = mem_resident() + ((size_t)256 << 20);
  struct result r;
  const char *winner;
  race(&g, all, 2, c, &r, &winner);
  assert_non_null(winner);
  assert_int_equal(r.verdict, VERDICT_HOLDS);
  result_clear(&r);
  graph_free(&g);
}

// --- the rest ---

struct listener {
  pthread_t thread;
  unsigned calls;
  uint64_t states;
};

static void listen(void *context, const struct search_progress *p) {
  struct listener *l = context;
  assert_true(pthread_equal(l->thread, pthread_self()));
  assert_true(p->states >= l->states);
  l->states = p->states;
  l->calls++;
}

static void progress_is_told(void **state) {
  (void)state;
  struct graph g = web(-1);
  const struct search_strategy *const all[] = {&waits, &waits};
  struct listener l = {.thread = pthread_self()};
  struct search_config c = graph_config();
  c.budget.seconds = 0.5;
  c.progress = listen;
  c.progress_context = &l;
  struct result r;
  const char *winner;
  race(&g, all, 2, c, &r, &winner);
  assert_true(l.calls > 0);
  result_clear(&r);
  graph_free(&g);
}

// Expands the starts again and again, until it does so by compiled code.
static void turn(struct search *s) {
  struct search_worker *w = s->workers[0];
  struct sys_out out;
  sys_out_init(&out, s->words, s->config->model->properties.count);
  search_starts(w, &out);
  while (!w->sys->native && search_goes_on(w)) {
    sys_out_reset(&out);
    w->sys->expand(w->sys, (const uint64_t[]){0}, &out);
  }
  sys_out_clear(&out);
  search_stop(s, "depth");
}
static const struct search_strategy turns = {.name = "turns", .run = turn};

// The caller's thread looks after the compiler; the racers take over what it made.
static void compiled(void **state) {
  (void)state;
  struct graph g = web(-1);
  const struct search_strategy *const all[] = {&turns, &turns, &turns};
  struct search_config c = graph_config();
  struct sys_config how = {.mode = SYS_AUTO, .interpret_seconds = 0.01, .no_cache = true};
  c.model = g.model;
  c.sys = sys_new(g.model, &how);
  c.budget.seconds = 30;
  struct result r = {0};
  const char *winner;
  search_race(all, 3, &c, &r, &winner);
  assert_null(winner);
  assert_true(c.sys->native);
  assert_string_equal(r.reason, "depth");
  assert_true(r.stats.compile_seconds > 0);
  result_clear(&r);
  sys_free(c.sys);
  graph_free(&g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(first_answer),
      cmocka_unit_test(all_is_well),
      cmocka_unit_test(others_are_stopped),
      cmocka_unit_test(no_memory_in_one),
      cmocka_unit_test(broken_down),
      cmocka_unit_test(nothing_to_start_from),
      cmocka_unit_test(limits_count_for_all),
      cmocka_unit_test(interrupted),
      cmocka_unit_test(memory_is_shared),
      cmocka_unit_test(progress_is_told),
      cmocka_unit_test(compiled),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
