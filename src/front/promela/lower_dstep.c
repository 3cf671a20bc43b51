// SPDX-License-Identifier: Apache-2.0
// d_step: its whole graph in one step, always along the first edge that can be taken; to block
// behind the first statement is an error, as in SPIN. A graph without cycles becomes nested ifs,
// joined where its ways join again (the immediate postdominator). In one with cycles, the states
// that several edges lead to become the cases of a switch inside a loop.
#include "front/promela/lower.h"

#define ROUNDS_MAX 10000000 // of a loop inside a d_step; SPIN would never come back

struct walk {
  struct lower *w;
  const struct seat *s;
  const struct pml_graph *g;
  const struct pml_edge *guarded; // the first edge, if the step is not taken where it blocks
  uint32_t *order; // states that can be reached, those that an edge leads to later (no cycles)
  uint32_t count;  // of order
  uint32_t *rank;  // position in order; UINT32_MAX: not reached
  uint32_t *join;  // immediate postdominator; UINT32_MAX: none
  uint32_t *label; // with cycles: the case in which the state begins, from 1; 0: none
  uint32_t labels;
  const struct ir_local *at; // with cycles: the case to go on with; 0: it is over
};

static const struct pml_edge *edge_of(const struct walk *k, uint32_t state, uint32_t i) {
  return &k->g->edges.data[k->g->states.data[state].edges[i]];
}

static uint32_t edge_count(const struct walk *k, uint32_t state) {
  return state == k->g->exit ? 0 : k->g->states.data[state].edge_count;
}

// --- the shape of the graph ---

struct shape {
  uint8_t *colour; // 1: on the way here, 2: done
  bool cyclic;
  uint32_t next; // filled from the end
};

static void depth_first(struct walk *k, struct shape *f, uint32_t state) {
  f->colour[state] = 1;
  for (uint32_t i = 0; i < edge_count(k, state); i++) {
    uint32_t to = edge_of(k, state, i)->to;
    if (f->colour[to] == 1) f->cyclic = true;
    if (f->colour[to] == 0) depth_first(k, f, to);
  }
  f->colour[state] = 2;
  k->order[--f->next] = state;
}

// The first state on which all ways from a and b meet; both are done already.
static uint32_t meet(const struct walk *k, uint32_t a, uint32_t b) {
  while (a != b) {
    if (a == UINT32_MAX || b == UINT32_MAX) return UINT32_MAX;
    if (k->rank[a] < k->rank[b])
      a = k->join[a];
    else
      b = k->join[b];
  }
  return a;
}

static void find_joins(struct walk *k) {
  for (uint32_t i = k->count; i-- > 0;) {
    uint32_t state = k->order[i], join = UINT32_MAX;
    for (uint32_t j = 0; j < edge_count(k, state); j++) {
      uint32_t to = edge_of(k, state, j)->to;
      join = j == 0 ? to : meet(k, join, to);
    }
    k->join[state] = join;
  }
}

static void find_labels(struct walk *k, uint32_t start) {
  uint32_t *arrivals = mem_zalloc(k->g->states.count, sizeof(*arrivals));
  for (uint32_t i = 0; i < k->count; i++)
    for (uint32_t j = 0; j < edge_count(k, k->order[i]); j++)
      arrivals[edge_of(k, k->order[i], j)->to]++;
  for (uint32_t i = 0; i < k->count; i++) {
    uint32_t state = k->order[i];
    if (state != k->g->exit && (arrivals[state] > 1 || state == start))
      k->label[state] = ++k->labels;
  }
  mem_free(arrivals);
}

// Says whether there is a cycle.
static bool examine(struct walk *k, uint32_t start) {
  uint32_t n = (uint32_t)k->g->states.count;
  struct arena *a = k->w->prog->syntax;
  k->order = ARENA_ARRAY(a, uint32_t, n);
  k->rank = ARENA_ARRAY(a, uint32_t, n);
  k->join = ARENA_ARRAY(a, uint32_t, n);
  k->label = ARENA_ARRAY(a, uint32_t, n);
  struct shape f = {.colour = mem_zalloc(n, 1), .next = n};
  depth_first(k, &f, start);
  mem_free(f.colour);
  k->count = n - f.next;
  k->order += f.next;
  for (uint32_t i = 0; i < n; i++) k->rank[i] = UINT32_MAX;
  for (uint32_t i = 0; i < k->count; i++) k->rank[k->order[i]] = i;
  if (f.cyclic)
    find_labels(k, start);
  else
    find_joins(k);
  return f.cyclic;
}

// --- statements ---

static struct ir_expr *executable(struct lower *w, const struct seat *s, const struct pml_edge *e) {
  if (e->kind == PML_EDGE_D_STEP) return lower_dstep_executable(w, s, e);
  if (e->kind != PML_EDGE_STMT || !e->stmt) return lower_true(w); // else comes last
  return lower_stmt_executable(w, e->stmt);
}

static void emit(struct walk *k, uint32_t state, uint32_t stop, struct ir_chain *out);

static void blocked(struct walk *k, struct ir_chain *out, struct span span) {
  lower_fail(k->w, IR_FAULT_ERROR, "blocking statement in d_step", out, span);
}

static void take(struct walk *k, const struct pml_edge *e, uint32_t stop, struct ir_chain *out) {
  lower_effect(k->w, k->s, e, out);
  emit(k, e->to, stop, out);
}

// The edges of a state from the i-th on, those before not being executable.
static struct ir_stmt *choose(struct walk *k, uint32_t state, uint32_t i, uint32_t stop) {
  struct ir_chain out = {0};
  struct span span = k->g->states.data[state].span;
  if (i == edge_count(k, state)) {
    blocked(k, &out, span);
    return out.first;
  }
  const struct pml_edge *e = edge_of(k, state, i);
  struct ir_expr *c = e == k->guarded ? lower_true(k->w) : executable(k->w, k->s, e);
  if (lower_is_false(c)) return choose(k, state, i + 1, stop);
  struct ir_chain body = {0};
  take(k, e, stop, &body);
  if (lower_is_true(c)) return body.first;
  struct ir_stmt *rest = choose(k, state, i + 1, stop);
  return ir_if(k->w->m, c, body.first, rest, e->span);
}

static void go_on(struct walk *k, uint32_t label, struct ir_chain *out, struct span span) {
  lower_assign(k->w, ir_local_ref(k->w->m, k->at, span), lower_number(k->w, label, span), out,
               span);
}

// From the state until `stop`, or until a state with a label.
static void emit(struct walk *k, uint32_t state, uint32_t stop, struct ir_chain *out) {
  while (state != stop) {
    struct span span = k->g->states.data[state].span;
    if (state == k->g->exit) {
      if (k->at) go_on(k, 0, out, span);
      return;
    }
    if (k->label[state]) return go_on(k, k->label[state], out, span);
    if (k->at || edge_count(k, state) == 0) {
      ir_chain_add(out, choose(k, state, 0, stop));
      return;
    }
    uint32_t join = k->join[state];
    ir_chain_add(out, choose(k, state, 0, join));
    state = join;
    if (join == UINT32_MAX) return;
  }
}

// --- cycles ---

static struct ir_stmt *cases(struct walk *k) {
  struct ir_case *first = NULL, **last = &first;
  static const struct span nowhere;
  for (uint32_t i = 0; i < k->count; i++) {
    uint32_t state = k->order[i];
    if (!k->label[state]) continue;
    struct ir_expr *label = lower_number(k->w, k->label[state], nowhere);
    struct ir_stmt *body = choose(k, state, 0, UINT32_MAX);
    *last = ir_case(k->w->m, &label, 1, body);
    last = &(*last)->next;
  }
  return ir_switch(k->w->m, ir_local_ref(k->w->m, k->at, nowhere), first, nowhere);
}

static void emit_loop(struct walk *k, uint32_t start, struct ir_chain *out, struct span span) {
  struct lower *w = k->w;
  const char *name = arena_printf(w->m->arena, "at%u", ++w->temporaries);
  const struct ir_type *t = ir_type_range(w->m, 0, k->labels);
  k->at = ir_local_new(w->m, w->frame, IR_LOCAL_PLAIN, name, t, span);
  k->guarded = NULL; // it may be come back to
  go_on(k, k->label[start], out, span);
  struct ir_expr *zero = lower_number(w, 0, span);
  struct ir_expr *on = lower_binary(w, IR_NE, ir_local_ref(w->m, k->at, span), zero, span);
  ir_chain_add(out, ir_while(w->m, on, cases(k), ROUNDS_MAX, span));
}

static void from(struct lower *w, const struct seat *s, const struct pml_edge *e, uint32_t start,
                 bool guarded, struct ir_chain *out) {
  struct walk k = {.w = w, .s = s, .g = e->inner};
  if (guarded && e->inner->guard_count == 1) k.guarded = &e->inner->edges.data[e->inner->guards[0]];
  if (examine(&k, start))
    emit_loop(&k, start, out, e->span);
  else
    emit(&k, start, UINT32_MAX, out);
}

// --- the step as a whole ---

struct ir_expr *lower_dstep_executable(struct lower *w, const struct seat *s,
                                       const struct pml_edge *e) {
  const struct pml_graph *g = e->inner;
  struct ir_expr *x = lower_const(w, w->m->bool_type, g->guard_count == 0, e->span);
  for (uint32_t i = 0; i < g->guard_count; i++)
    x = lower_or(w, x, executable(w, s, &g->edges.data[g->guards[i]]));
  return x;
}

void lower_dstep(struct lower *w, const struct seat *s, const struct pml_edge *e,
                 struct ir_chain *out) {
  from(w, s, e, e->inner->start, true, out);
}

const struct pml_edge *lower_dstep_receives(const struct pml_edge *e) {
  const struct pml_state *first = &e->inner->states.data[e->inner->start];
  return first->edge_count == 1 ? &e->inner->edges.data[first->edges[0]] : NULL;
}

void lower_dstep_rest(struct lower *w, const struct seat *s, const struct pml_edge *e,
                      struct ir_chain *out) {
  from(w, s, e, lower_dstep_receives(e)->to, false, out);
}
