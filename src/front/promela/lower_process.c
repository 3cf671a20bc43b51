// SPDX-License-Identifier: Apache-2.0
// Expressions about processes: where another one is, its variables, whether it or anybody could
// take a step.
#include "front/promela/lower.h"

static const struct span nowhere;

// --- remote references ---

// The seats of a proctype that an index (NULL: whoever there is) may mean, and when it does.
static struct ir_expr *means(struct lower *w, const struct seat *s, struct ir_expr *pid) {
  return pid ? lower_equal(w, pid, s->pid) : lower_true(w);
}

static struct ir_expr *at_number(struct lower *w, const struct seat *s, int64_t number) {
  const struct pml_graph *g = &s->proc->graph;
  struct ir_expr *x = lower_false(w);
  for (uint32_t i = 0; i < g->states.count; i++)
    if (g->states.data[i].number == number && s->place[i])
      x = lower_or(w, x, lower_equal(w, lower_at(w, s), s->place[i]));
  return x;
}

// Nobody sits there.
static struct ir_expr *vacant(struct lower *w, const struct seat *s) {
  return s->empty ? lower_equal(w, lower_at(w, s), 0) : lower_false(w);
}

// Without an index the first process of the proctype is meant, as in SPIN.
struct ir_expr *lower_remote_label(struct lower *w, const struct ast_expr *e) {
  struct ir_expr *pid = e->arg_count > 0 && e->args[0] ? lower_value(w, e->args[0]) : NULL;
  struct ir_expr *x = lower_false(w);
  for (size_t i = w->seats.count; i-- > 0;) {
    const struct seat *s = w->seats.data[i];
    if (s->proc->number != e->index) continue;
    if (!pid) x = lower_and(w, vacant(w, s), x);
    x = lower_or(w, lower_and(w, means(w, s, pid), at_number(w, s, e->value)), x);
  }
  return x;
}

struct ir_expr *lower_remote_variable(struct lower *w, const struct ast_expr *e) {
  struct ir_expr *pid = e->args[0] ? lower_value(w, e->args[0]) : NULL;
  struct ir_expr *x = lower_number(w, 0, e->span);
  const struct seat *outer = w->seat;
  for (size_t i = w->seats.count; i-- > 0;) {
    const struct seat *s = w->seats.data[i];
    if (s->proc->number != e->index) continue;
    w->seat = s;
    struct ir_expr *v = lower_place(w, e->args[1]);
    w->seat = outer;
    x = lower_ite(w, lower_and(w, means(w, s, pid), lower_not(w, vacant(w, s))), v, x);
  }
  return x;
}

struct ir_expr *lower_pc_value(struct lower *w, const struct ast_expr *e) {
  struct ir_expr *pid = lower_value(w, e->args[0]), *x = lower_number(w, 0, e->span);
  for (size_t i = 0; i < w->seats.count; i++) {
    const struct seat *s = w->seats.data[i];
    const struct pml_graph *g = &s->proc->graph;
    struct ir_expr *mine = means(w, s, pid);
    if (lower_is_false(mine)) continue;
    for (uint32_t k = 0; k < g->states.count; k++) {
      if (!s->place[k]) continue;
      struct ir_expr *at = lower_and(w, mine, lower_equal(w, lower_at(w, s), s->place[k]));
      x = lower_ite(w, at, lower_number(w, g->states.data[k].number, e->span), x);
    }
  }
  return x;
}

// --- who can go on ---

// The body of a function: by the process's place, whether some edge can be taken.
static struct ir_stmt *can_body(struct lower *w, const struct seat *s) {
  struct ir_case *first = NULL, **last = &first;
  for (uint32_t k = 0; k < s->proc->graph.states.count; k++) {
    if (!s->place[k]) continue;
    struct ir_expr *x = lower_state_takeable(w, s, k);
    if (lower_is_false(x)) continue;
    struct ir_expr *at = lower_number(w, s->place[k], nowhere);
    *last = ir_case(w->m, &at, 1, ir_return(w->m, x, nowhere));
    last = &(*last)->next;
  }
  struct ir_chain out = {0};
  if (first) ir_chain_add(&out, ir_switch(w->m, lower_at(w, s), first, nowhere));
  ir_chain_add(&out, ir_return(w->m, lower_false(w), nowhere));
  return out.first;
}

// With or without timeout being true.
struct ir_expr *lower_can(struct lower *w, const struct seat *s) {
  struct ir_function **can = &w->seats.data[s->number]->can[w->timeout];
  if (!*can) {
    struct ir_frame *frame = w->frame;
    const struct seat *outer = w->seat;
    const char *name =
        arena_printf(w->m->arena, "%s can go on%s", s->shown, w->timeout ? " at timeout" : "");
    *can = ir_function_new(w->m, name, w->m->bool_type, s->proc->span);
    w->frame = &(*can)->frame;
    (*can)->body = can_body(w, s);
    w->frame = frame;
    w->seat = outer;
  }
  return ir_call(w->m, *can, NULL, 0, nowhere);
}

// A process does not ask whether it is enabled itself; SPIN refuses that.
struct ir_expr *lower_enabled(struct lower *w, const struct ast_expr *e) {
  struct ir_expr *pid = lower_value(w, e->args[0]), *x = lower_false(w);
  for (size_t i = 0; i < w->seats.count; i++) {
    const struct seat *s = w->seats.data[i];
    struct ir_expr *mine = s == w->seat ? lower_false(w) : means(w, s, pid);
    if (!lower_is_false(mine)) x = lower_or(w, x, lower_and(w, mine, lower_can(w, s)));
  }
  return x;
}

struct ir_expr *lower_timeout(struct lower *w) {
  struct ir_expr *x = lower_true(w);
  assert(!w->timeout);
  if (w->atomic) x = lower_equal(w, ir_var_ref(w->m, w->atomic, nowhere), 0);
  for (size_t i = 0; i < w->seats.count; i++) {
    const struct seat *s = w->seats.data[i];
    struct ir_expr *can = lower_and(w, lower_provided(w, s), lower_can(w, s));
    x = lower_and(w, x, lower_not(w, can));
  }
  return x;
}

struct ir_expr *lower_nonprogress(struct lower *w) {
  struct ir_expr *x = lower_false(w);
  for (size_t i = 0; i < w->seats.count; i++) {
    const struct seat *s = w->seats.data[i];
    for (uint32_t k = 0; k < s->proc->graph.states.count; k++)
      if (s->place[k] && s->proc->graph.states.data[k].is_progress)
        x = lower_or(w, x, lower_equal(w, lower_at(w, s), s->place[k]));
  }
  return lower_not(w, x);
}

// Somebody can take a step, be it at timeout.
static struct ir_expr *somebody_moves(struct lower *w) {
  struct ir_expr *x = lower_false(w);
  bool timeout = w->timeout;
  for (int t = 0; t < 2; t++) {
    w->timeout = t == 1;
    for (size_t i = 0; i < w->seats.count; i++) {
      const struct seat *s = w->seats.data[i];
      x = lower_or(w, x, lower_and(w, lower_provided(w, s), lower_can(w, s)));
    }
  }
  w->timeout = timeout;
  return x;
}

// While a stuck model stutters a claim finds np_ false, in SPIN: that is no cycle of the model's.
struct ir_expr *lower_np(struct lower *w) {
  struct ir_expr *x = lower_nonprogress(w);
  return w->in_claim ? lower_and(w, x, somebody_moves(w)) : x;
}

// --- priorities ---

struct ir_expr *lower_priority(struct lower *w, const struct seat *s, struct span span) {
  return ir_field(w->m, ir_var_ref(w->m, s->var, span), (uint32_t)s->priority_field, span);
}

struct ir_expr *lower_get_priority(struct lower *w, const struct ast_expr *e) {
  struct ir_expr *pid = lower_value(w, e->args[0]), *x = lower_number(w, 0, e->span);
  for (size_t i = 0; i < w->seats.count; i++) {
    const struct seat *s = w->seats.data[i];
    if (s->priority_field < 0) continue;
    struct ir_expr *mine = means(w, s, pid);
    if (s->empty) {
      struct ir_expr *there =
          lower_binary(w, IR_NE, lower_at(w, s), lower_number(w, 0, e->span), e->span);
      mine = lower_and(w, mine, there);
    }
    x = lower_ite(w, mine, lower_priority(w, s, e->span), x);
  }
  return x;
}

void lower_set_priority(struct lower *w, const struct ast_stmt *s, struct ir_chain *out) {
  struct ir_expr *pid = lower_value(w, s->args[0]);
  static const struct pml_type byte = {.base = AST_BYTE};
  struct ir_expr *given = lower_value(w, s->args[1]), *v = lower_fit(w, &byte, given);
  struct ir_expr *lo = lower_binary(w, IR_GE, given, lower_number(w, 1, s->span), s->span);
  struct ir_expr *hi = lower_binary(w, IR_LE, given, lower_number(w, 255, s->span), s->span);
  ir_chain_add(out, ir_assert(w->m, lower_and(w, lo, hi), IR_FAULT_ERROR,
                              "a priority is outside 1..255", s->span));
  for (size_t i = 0; i < w->seats.count; i++) {
    const struct seat *seat = w->seats.data[i];
    struct ir_expr *mine = means(w, seat, pid);
    if (seat->priority_field < 0 || lower_is_false(mine)) continue;
    if (seat->empty) {
      struct ir_expr *zero = lower_number(w, 0, s->span);
      mine = lower_and(w, mine, lower_binary(w, IR_NE, lower_at(w, seat), zero, s->span));
    }
    struct ir_stmt *put = ir_assign(w->m, lower_priority(w, seat, s->span), v, s->span);
    ir_chain_add(out, lower_is_true(mine) ? put : ir_if(w->m, mine, put, NULL, s->span));
  }
}
