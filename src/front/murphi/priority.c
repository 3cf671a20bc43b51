// SPDX-License-Identifier: Apache-2.0
// Priorities (rule 20 "name" ...), as CMurphi has them: among the enabled rules only those with the
// smallest number fire. For each number but the smallest there is a function that says whether a
// rule with a smaller number is enabled; guards ask it.
#include "front/murphi/lower.h"

#include <inttypes.h>

static int64_t next_level(const struct lower *w, const int64_t *above) {
  int64_t next = INT64_MAX;
  for (size_t i = 0; i < w->lowered.count; i++) {
    int64_t p = w->lowered.data[i].ast->priority;
    if (p < next && (!above || p > *above)) next = p;
  }
  return next;
}

// function f(): boolean: the rules below `level`, that is those of `last` and what `before` covers.
static struct ir_function *enabled_below(struct lower *w, int64_t level, int64_t last,
                                         const struct ir_function *before) {
  struct span span = {0};
  const char *name = arena_printf(w->m->arena, "enabled_below_%" PRId64, level);
  struct ir_function *f = ir_function_new(w->m, name, w->m->bool_type, span);
  struct ir_expr *any = before ? ir_call(w->m, before, NULL, 0, span) : NULL;
  w->frame = &f->frame;
  for (size_t i = 0; i < w->lowered.count; i++) {
    const struct lowered_rule *r = &w->lowered.data[i];
    if (r->ast->priority != last) continue;
    w->around.count = 0;
    for (size_t k = 0; k < r->around_count; k++) VEC_PUSH(&w->around, r->around[k]);
    struct ir_expr *x = murphi_rule_enabled(w, r->ast);
    any = any ? ir_binary(w->m, IR_OR, any, x, r->ast->span) : x;
  }
  w->around.count = 0;
  w->frame = NULL;
  f->body = ir_return(w->m, any, span);
  return f;
}

static void demand(struct lower *w, int64_t level, const struct ir_function *below) {
  for (size_t i = 0; i < w->lowered.count; i++) {
    struct ir_rule *r = w->lowered.data[i].ir;
    if (w->lowered.data[i].ast->priority != level) continue;
    struct ir_expr *none = ir_unary(w->m, IR_NOT, ir_call(w->m, below, NULL, 0, r->span), r->span);
    r->guard = r->guard ? ir_binary(w->m, IR_AND, r->guard, none, r->span) : none;
  }
}

void murphi_priorities(struct lower *w) {
  int64_t last = next_level(w, NULL);
  const struct ir_function *below = NULL;
  for (;;) {
    int64_t level = next_level(w, &last);
    if (level == INT64_MAX) return;
    below = enabled_below(w, level, last, below);
    demand(w, level, below);
    last = level;
  }
}
