// SPDX-License-Identifier: Apache-2.0
// Rules: one for each edge of each seat, guarded by nobody else being in the midst of an atomic, by
// the process's place, and by what the edge asks for. Inside an atomic, statements that follow and
// can always be executed are part of the same step, so that no state between is ever made.
//
// A process that goes on alone is remembered in _atomic (its pid + 1); such states are passed
// through. Where it blocks, it lets go: that state then is an ordinary one.
#include "front/promela/lower.h"

static const struct span nowhere;

// --- where steps end ---

// The only edge that leaves the state and can ever be taken, if it always can.
static const struct pml_edge *only_edge(struct lower *w, const struct seat *s, uint32_t state) {
  if (s->proc->provided || w->prog->uses_priority) return NULL;
  // these see where a process is, also in the middle
  if (w->prog->uses_remote || w->prog->uses_pc_value || w->prog->uses_enabled) return NULL;
  const struct pml_graph *g = &s->proc->graph;
  const struct pml_edge *only = NULL;
  for (uint32_t i = 0; i < g->states.data[state].edge_count; i++) {
    const struct pml_edge *e = &g->edges.data[g->states.data[state].edges[i]];
    if (lower_edge_dead(w, s, e)) continue;
    if (only) return NULL;
    only = e;
  }
  return only && lower_edge_always(w, s, only) ? only : NULL;
}

typedef void each_edge(void *user, const struct pml_edge *e);

// Where the step that begins with this edge ends; calls `each` with what is merged into it.
static uint32_t follow(struct lower *w, const struct seat *s, const struct pml_edge *e,
                       bool *atomic, each_edge *each, void *user) {
  uint32_t state = e->to;
  *atomic = e->atomic;
  for (size_t steps = s->proc->graph.states.count; *atomic && steps > 0; steps--) {
    const struct pml_edge *next = only_edge(w, s, state);
    if (!next || state == e->from) break;
    if (each) each(user, next);
    state = next->to;
    *atomic = next->atomic;
  }
  return state;
}

static bool sends(const struct pml_edge *e) {
  return e->kind == PML_EDGE_STMT && e->stmt && e->stmt->kind == AST_SEND;
}

struct visit {
  struct lower *w;
  struct seat *s;
  VEC(uint32_t) todo;
};

static void mark(struct visit *v, uint32_t state, bool held) {
  v->s->held[state] |= held;
  if (v->s->place[state]) return;
  v->s->place[state] = 1;
  VEC_PUSH(&v->todo, state);
}

static void visit_edge(struct visit *v, const struct pml_edge *e) {
  if (lower_edge_dead(v->w, v->s, e)) return;
  if (e->kind == PML_EDGE_END) {
    v->s->ends = true;
    return;
  }
  bool atomic;
  if (sends(e) && lower_may_meet(v->w, v->s, e->stmt)) mark(v, e->to, false);
  const struct channel *c = sends(e) ? lower_static_channel(v->w, e->stmt->lhs) : NULL;
  if (c && lower_is_rendezvous(c)) return;
  uint32_t to = follow(v->w, v->s, e, &atomic, NULL, NULL);
  mark(v, to, atomic);
}

static void places_of(struct lower *w, struct seat *s) {
  const struct pml_graph *g = &s->proc->graph;
  struct visit v = {.w = w, .s = s};
  w->seat = s;
  mark(&v, g->start, false);
  while (v.todo.count) {
    uint32_t state = VEC_POP(&v.todo);
    for (uint32_t i = 0; i < g->states.data[state].edge_count; i++)
      visit_edge(&v, &g->edges.data[g->states.data[state].edges[i]]);
  }
  VEC_CLEAR(&v.todo);
  w->seat = NULL;
  for (uint32_t i = 0; i < g->states.count; i++)
    if (s->place[i]) s->place[i] = ++s->places;
}

void lower_places(struct lower *w) {
  for (size_t i = 0; i < w->seats.count; i++) places_of(w, w->seats.data[i]);
}

// --- parts of rules ---

struct ir_rule *lower_rule_new(struct lower *w, const struct seat *s, const char *name,
                               struct span span) {
  struct ir_rule *r = ir_rule_new(w->m, false, name, span);
  r->agent = (int32_t)s->pid;
  w->frame = &r->frame;
  w->temporaries = 0;
  return r;
}

static struct ir_expr *holder(struct lower *w, int64_t who) {
  return lower_equal(w, ir_var_ref(w->m, w->atomic, nowhere), who);
}

struct ir_expr *lower_there(struct lower *w, const struct seat *s, uint32_t state) {
  struct ir_expr *at = lower_equal(w, lower_at(w, s), s->place[state]);
  if (!w->atomic) return at;
  struct ir_expr *free = holder(w, 0);
  if (s->held[state]) free = lower_or(w, free, holder(w, (int64_t)s->pid + 1));
  return lower_and(w, free, at);
}

void lower_hold(struct lower *w, int64_t who, bool was, struct ir_chain *out) {
  if (!w->atomic || (who == 0 && !was)) return;
  lower_assign(w, ir_var_ref(w->m, w->atomic, nowhere), lower_number(w, who, nowhere), out,
               nowhere);
}

const char *lower_name(struct lower *w, const struct seat *s) {
  const char *name = s->proc->kind == PML_INIT ? "init" : s->proc->name;
  return arena_printf(w->prog->syntax, "%s:%u", name, s->pid);
}

struct arrival {
  struct lower *w;
  const struct seat *s;
  struct ir_rule *rule;
  struct ir_chain *out;
};

static void merge(void *user, const struct pml_edge *e) {
  struct arrival *a = user;
  lower_line(a->w, a->rule, a->s, e);
  lower_effect(a->w, a->s, e, a->out);
}

bool lower_arrive(struct lower *w, const struct seat *s, const struct pml_edge *e,
                  struct ir_rule *rule, struct ir_chain *out) {
  struct arrival a = {.w = w, .s = s, .rule = rule, .out = out};
  bool atomic;
  uint32_t to = follow(w, s, e, &atomic, merge, &a);
  if (s->place[to] != s->place[e->from])
    lower_assign(w, lower_at(w, s), lower_number(w, s->place[to], e->span), out, e->span);
  return atomic;
}

static void remember_last(struct lower *w, const struct seat *s, struct ir_chain *out) {
  if (!w->last) return;
  lower_assign(w, ir_var_ref(w->m, w->last, nowhere), lower_number(w, s->pid, nowhere), out,
               nowhere);
}

// --- rules ---

// When the edge can be taken, which is when it is executable and more; where it speaks of timeout,
// also if nothing else can happen. *idle: only then.
static struct ir_expr *condition(struct lower *w, const struct seat *s, const struct pml_edge *e,
                                 struct ir_expr *executable, bool *idle) {
  struct ir_expr *x = lower_and(w, executable, lower_permitted(w, s));
  *idle = false;
  if (lower_edge_mentions(e, AST_TIMEOUT)) {
    *idle = lower_is_false(x);
    w->half_idle |= !*idle;
    w->timeout = true;
    struct ir_expr *then = lower_and(w, lower_executable(w, s, e), lower_permitted(w, s));
    w->timeout = false;
    x = lower_or(w, x, lower_and(w, lower_timeout(w), then));
  }
  return lower_and(w, x, lower_not_escaped(w, s, e));
}

// In a D_proctype no two edges may be executable at once.
static void be_deterministic(struct lower *w, const struct seat *s, const struct pml_edge *e,
                             struct ir_chain *out) {
  const struct pml_graph *g = &s->proc->graph;
  const struct pml_state *from = &g->states.data[e->from];
  struct ir_expr *other = lower_false(w);
  for (uint32_t i = 0; i < from->edge_count; i++) {
    const struct pml_edge *o = &g->edges.data[from->edges[i]];
    if (o != e && o->kind != PML_EDGE_ELSE) other = lower_or(w, other, lower_takeable(w, s, o));
  }
  if (!lower_is_false(other))
    ir_chain_add(out, ir_assert(w->m, lower_not(w, other), IR_FAULT_ERROR,
                                "non-determinism in D_proctype", e->span));
}

// --- what a rule does with a queue ---

static bool asks_channels(const struct ast_expr *e) {
  if (!e) return false;
  bool asks = (e->op >= AST_LEN && e->op <= AST_NEMPTY) || e->op == AST_POLL ||
              e->op == AST_ENABLED || e->op == AST_TIMEOUT || e->op == AST_C_EXPR;
  for (uint32_t i = 0; i < e->arg_count && !asks; i++) asks = asks_channels(e->args[i]);
  return asks;
}

static bool stmt_asks(const struct ast_stmt *s) {
  bool asks = asks_channels(s->lhs) || asks_channels(s->expr);
  for (uint32_t i = 0; i < s->arg_count && !asks; i++) asks = asks_channels(s->args[i]);
  return asks;
}

static void look_for_channels(void *user, const struct pml_edge *e) {
  bool plain = e->kind == PML_EDGE_STMT && (!e->stmt || e->stmt->kind != AST_C_CODE);
  if (!plain || (e->stmt && stmt_asks(e->stmt))) *(bool *)user = true;
}

// Does nothing but the statement itself look at a channel?
static bool uses_once(struct lower *w, const struct seat *s, const struct pml_edge *e) {
  const struct pml_graph *g = &s->proc->graph;
  const struct pml_state *from = &g->states.data[e->from];
  for (uint32_t i = 0; i < from->edge_count; i++)
    if (g->edges.data[from->edges[i]].escape) return false;
  if (s->proc->provided || w->prog->uses_priority) return false;
  if (s->proc->unit && s->proc->unit->is_d_proctype) return false;
  bool atomic, asks = stmt_asks(e->stmt);
  follow(w, s, e, &atomic, look_for_channels, &asks);
  return !asks;
}

static void note_use(struct lower *w, const struct seat *s, const struct pml_edge *e,
                     struct ir_rule *r) {
  if (e->kind != PML_EDGE_STMT || !e->stmt) return;
  bool send = e->stmt->kind == AST_SEND;
  if ((!send && e->stmt->kind != AST_RECEIVE) || e->stmt->sorted || !uses_once(w, s, e)) return;
  const struct seat *outer = w->seat;
  w->seat = s;
  struct chan_ref c = lower_channel(w, e->stmt->lhs);
  w->seat = outer;
  int64_t i;
  if (!c.known || lower_is_rendezvous(c.known) || !ir_expr_const(c.index, &i)) return;
  if (i < 0 || i >= c.known->count) return;
  r->use = (struct ir_use){send ? IR_EVENT_SEND : IR_EVENT_RECEIVE, c.known->var, (uint32_t)i};
}

// --- the rule of an edge ---

static void edge_rule(struct lower *w, const struct seat *s, const struct pml_edge *e) {
  if (lower_edge_dead(w, s, e) || (e->kind == PML_EDGE_END && !s->dies)) return;
  struct ir_frame scratch = {0};
  w->frame = &scratch;
  struct ir_expr *can = lower_executable(w, s, e);
  if (lower_is_false(can) && !lower_edge_mentions(e, AST_TIMEOUT)) return;
  const char *name = arena_printf(w->prog->syntax, "%s %s", lower_name(w, s), e->shown);
  struct ir_rule *r = lower_rule_new(w, s, name, e->span);
  if (scratch.count) can = lower_executable(w, s, e); // again, in the rule's frame
  r->guard = lower_and(w, lower_there(w, s, e->from), condition(w, s, e, can, &r->idle));
  lower_line(w, r, s, e);
  note_use(w, s, e, r);
  struct ir_chain out = {0};
  if (s->proc->unit && s->proc->unit->is_d_proctype) be_deterministic(w, s, e, &out);
  lower_effect(w, s, e, &out);
  remember_last(w, s, &out);
  bool atomic = false;
  if (e->kind == PML_EDGE_END)
    lower_death(w, s, &out);
  else
    atomic = lower_arrive(w, s, e, r, &out);
  lower_hold(w, atomic ? (int64_t)s->pid + 1 : 0, s->held[e->from], &out);
  r->body = out.first;
}

// In the midst of an atomic, but nothing can be executed: others may go on.
static void release_rule(struct lower *w, const struct seat *s, uint32_t state) {
  if (!s->held[state] || !w->atomic) return;
  const struct pml_state *from = &s->proc->graph.states.data[state];
  const char *name = arena_printf(w->prog->syntax, "%s lets others go on", lower_name(w, s));
  struct ir_rule *r = lower_rule_new(w, s, name, from->span);
  struct ir_expr *can = lower_and(w, lower_permitted(w, s), lower_state_takeable(w, s, state));
  struct ir_expr *at = lower_equal(w, lower_at(w, s), s->place[state]);
  r->guard = lower_and(w, lower_and(w, holder(w, (int64_t)s->pid + 1), at), lower_not(w, can));
  struct ir_chain out = {0};
  lower_hold(w, 0, true, &out);
  r->body = out.first;
  if (lower_is_true(can)) { // it never blocks here
    assert(VEC_TOP(&w->m->rules) == r);
    w->m->rules.count--;
  }
}

static void state_rules(struct lower *w, const struct seat *s, uint32_t state) {
  const struct pml_graph *g = &s->proc->graph;
  for (uint32_t i = 0; i < g->states.data[state].edge_count; i++) {
    const struct pml_edge *e = &g->edges.data[g->states.data[state].edges[i]];
    edge_rule(w, s, e);
    if (sends(e) && lower_may_meet(w, s, e->stmt)) lower_rendezvous(w, s, e);
  }
  release_rule(w, s, state);
}

void lower_rules(struct lower *w) {
  for (size_t i = 0; i < w->seats.count; i++) {
    const struct seat *s = w->seats.data[i];
    for (uint32_t k = 0; k < s->proc->graph.states.count; k++)
      if (s->place[k]) state_rules(w, s, k);
  }
  // a rule that waits for timeout or something else may meet those that only wait for timeout
  for (size_t i = 0; w->half_idle && i < w->m->rules.count; i++) w->m->rules.data[i]->idle = false;
  w->frame = NULL;
}
