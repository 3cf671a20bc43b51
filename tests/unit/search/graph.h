// SPDX-License-Identifier: Apache-2.0
// Small models for the tests of search and trace: graphs whose nodes are the values of one variable
// and whose edges are rules, with the parts that a test wants added by hand.
#pragma once

#include "ir/eval.h"
#include "search/search.h"
#include "sys/sys.h"
#include "trace/trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct graph {
  struct ir_model *model;
  const struct ir_type *type;
  struct ir_var *x;
};

static const struct span nowhere;

static inline struct graph graph_new(int64_t nodes) {
  struct graph g = {.model = ir_model_new("graph", "ir")};
  g.type = ir_type_range(g.model, 0, nodes - 1);
  g.x = ir_var_new(g.model, "x", g.type, nowhere);
  return g;
}

static inline struct ir_expr *graph_x(struct graph *g) {
  return ir_var_ref(g->model, g->x, nowhere);
}

static inline struct ir_expr *graph_is(struct graph *g, int64_t node) {
  return ir_binary(g->model, IR_EQ, graph_x(g), ir_int(g->model, node, nowhere), nowhere);
}

static inline struct ir_expr *graph_is_not(struct graph *g, int64_t node) {
  return ir_binary(g->model, IR_NE, graph_x(g), ir_int(g->model, node, nowhere), nowhere);
}

// x := value; a value outside the range is a fault of that step
static inline struct ir_stmt *graph_go(struct graph *g, int64_t value) {
  return ir_assign(g->model, graph_x(g), ir_int(g->model, value, nowhere), nowhere);
}

static inline struct ir_rule *graph_start(struct graph *g, int64_t node) {
  struct ir_rule *r = ir_rule_new(g->model, true, "start", nowhere);
  r->body = graph_go(g, node);
  return r;
}

static inline struct ir_rule *graph_edge(struct graph *g, int64_t from, int64_t to) {
  struct ir_rule *r = ir_rule_new(g->model, false, "edge", nowhere);
  r->guard = graph_is(g, from);
  r->body = graph_go(g, to);
  return r;
}

static inline struct ir_property *graph_property(struct graph *g, enum ir_property_kind kind,
                                                 const char *name, struct ir_expr *e) {
  struct ir_property *p = ir_property_new(g->model, kind, name, nowhere);
  p->expr = e;
  return p;
}

// 100 / (x - node) = 0 or not: cannot be evaluated at the node
static inline struct ir_expr *graph_divides(struct graph *g, int64_t node) {
  struct ir_expr *d =
      ir_binary(g->model, IR_SUB, graph_x(g), ir_int(g->model, node, nowhere), nowhere);
  struct ir_expr *q = ir_binary(g->model, IR_DIV, ir_int(g->model, 100, nowhere), d, nowhere);
  return ir_binary(g->model, IR_LE, q, ir_int(g->model, 100, nowhere), nowhere);
}

static inline struct ir_expr *graph_and(struct graph *g, struct ir_expr *a, struct ir_expr *b) {
  return ir_binary(g->model, IR_AND, a, b, nowhere);
}

static inline void graph_finish(struct graph *g) {
  struct diag d = {0};
  assert_true(ir_model_finish(g->model, &d));
  diag_clear(&d);
}

// A chain 0 -> 1 -> ... -> n-1, not finished yet.
static inline struct graph graph_chain(int64_t n) {
  struct graph g = graph_new(n);
  graph_start(&g, 0);
  for (int64_t i = 0; i + 1 < n; i++) graph_edge(&g, i, i + 1);
  return g;
}

static unsigned graph_threads = 1; // of graph_config

static inline struct search_config graph_config(void) {
  return (struct search_config){
      .store = "exact", .started = clock_seconds(), .max_errors = 1, .threads = graph_threads};
}

// Searches the finished model; every trace found must replay.
static inline void graph_search(struct graph *g, const char *strategy, struct search_config c,
                                struct result *r) {
  *r = (struct result){0};
  struct sys_config how = {.mode = SYS_INTERPRETED};
  c.model = g->model;
  c.sys = sys_new(g->model, &how);
  search_run(search_strategy_find(strategy), &c, r);
  for (size_t i = 0; i < r->traces.count; i++) {
    struct replay p;
    if (!trace_replay(&r->traces.data[i], g->model, c.deadlock, &p)) fail_msg("%s", p.problem);
    assert_int_equal(p.count, r->traces.data[i].steps.count + 1);
    assert_non_null(p.explanation);
    replay_clear(&p);
  }
  sys_free(c.sys);
}

static inline void graph_free(struct graph *g) { ir_model_free(g->model); }
