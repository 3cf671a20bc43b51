// SPDX-License-Identifier: Apache-2.0
// A never claim as an automaton: its states are those of the claim's graph, its edges the
// conditions between them, each one atom. As in SPIN the claim moves once before every step of the
// model, but through an atomic sequence of its own at once; it ends where it comes to its last
// state, to one with an end label, or where an assertion in it fails. A claim that does more than
// look is refused.
#include "front/promela/lower.h"

#define EDGES_MAX 65536
#define STEPS_MAX 1000000 // on all ways through atomic sequences

// A conjunction of atoms and negated atoms.
struct clause {
  uint64_t yes, no;
  bool never; // it cannot hold
};

typedef VEC(struct ir_automaton_edge) edge_list;

struct claim {
  struct lower *w;
  const struct pml_proc *proc;
  VEC(uint32_t) states; // of the automaton: positions in the graph; UINT32_MAX: a failed assertion
  uint32_t *number;     // by position: which state of the automaton, and one; 0: none yet
  uint32_t failed;      // likewise of the failed assertion
  edge_list edges;      // that leave the state at hand
  uint32_t steps;       // taken so far
  bool *inside;         // by position: the walk through an atomic sequence is there
  const char *why;      // it cannot be made; NULL: nothing is wrong
};

static const struct clause always;

static void refuse(struct claim *c, const char *why) {
  if (!c->why) c->why = why;
}

static void require(struct clause *x, struct literal l, bool value) {
  if (l.known && l.value != value) x->never = true;
  if (!l.known) *(value != l.no ? &x->yes : &x->no) |= UINT64_C(1) << l.atom;
  if (x->yes & x->no) x->never = true;
}

static struct literal literal_of(struct claim *c, const struct ast_expr *e) {
  struct literal l = {.known = true};
  const char *why;
  if (!lower_literal(c->w, e, &l, &why)) refuse(c, why);
  return l;
}

// --- statements ---

static bool is_stmt(const struct pml_edge *e, enum ast_stmt_kind kind) {
  return e->kind == PML_EDGE_STMT && e->stmt && e->stmt->kind == kind;
}

// Does it only look? A skip has no statement.
static bool only_looks(const struct pml_edge *e) {
  if (e->kind == PML_EDGE_ELSE || (e->kind == PML_EDGE_STMT && !e->stmt)) return true;
  return is_stmt(e, AST_EXPR) || is_stmt(e, AST_ASSERT) || is_stmt(e, AST_PRINTF) ||
         is_stmt(e, AST_PRINTM);
}

// What is left of x where the edge, which is no d_step and no else, is executable (or is not).
static void require_edge(struct claim *c, const struct pml_edge *e, bool value, struct clause *x) {
  if (!only_looks(e))
    refuse(c, arena_printf(c->w->m->arena, "its statement [%s] does more than look", e->text));
  struct literal l = {.known = true, .value = true};
  if (is_stmt(e, AST_EXPR)) l = literal_of(c, e->stmt->expr);
  require(x, l, value);
}

static void require_not(struct claim *c, const struct pml_edge *e, struct clause *x);

static void require_others(struct claim *c, const struct pml_graph *g, const struct pml_edge *e,
                           struct clause *x) {
  for (uint32_t i = 0; i < e->sibling_count; i++) require_not(c, &g->edges.data[e->siblings[i]], x);
}

// The edge is not executable. Of a d_step its guards tell.
static void require_not(struct claim *c, const struct pml_edge *e, struct clause *x) {
  const struct pml_graph *inner = e->inner;
  if (e->kind == PML_EDGE_ELSE || (inner && inner->guard_count == 0)) {
    refuse(c, "an else or d_step in it stands beside another");
  } else if (inner) {
    for (uint32_t i = 0; i < inner->guard_count; i++)
      require_not(c, &inner->edges.data[inner->guards[i]], x);
  } else if (e->kind != PML_EDGE_END) {
    require_edge(c, e, false, x);
  }
}

// The edge is executable, and no unless goes before it.
static struct clause condition(struct claim *c, const struct pml_graph *g, const struct pml_edge *e,
                               struct clause x) {
  const struct pml_state *from = &g->states.data[e->from];
  for (uint32_t i = 0; i < from->edge_count; i++) {
    const struct pml_edge *o = &g->edges.data[from->edges[i]];
    if (o->escape > e->escape) require_not(c, o, &x);
  }
  if (e->kind == PML_EDGE_ELSE)
    require_others(c, g, e, &x);
  else if (e->kind == PML_EDGE_STMT)
    require_edge(c, e, true, &x);
  return x;
}

// --- edges of the automaton ---

static uint32_t state_of(struct claim *c, uint32_t at) {
  uint32_t *number = at == UINT32_MAX ? &c->failed : &c->number[at];
  if (*number == 0) {
    VEC_PUSH(&c->states, at);
    *number = (uint32_t)c->states.count;
  }
  return *number - 1;
}

static void add_edge(struct claim *c, struct clause x, uint32_t to) {
  if (x.never || c->why) return;
  struct ir_automaton_edge e = {.yes = x.yes, .no = x.no, .to = state_of(c, to)};
  for (size_t i = 0; i < c->edges.count; i++) {
    const struct ir_automaton_edge *o = &c->edges.data[i];
    if (o->yes == e.yes && o->no == e.no && o->to == e.to) return;
  }
  if (c->edges.count >= EDGES_MAX) return refuse(c, "it is too large");
  VEC_PUSH(&c->edges, e);
}

// What is left where the assertion, if it is one, holds; where it fails the claim ends.
static struct clause asserted(struct claim *c, const struct pml_edge *e, struct clause x) {
  if (!is_stmt(e, AST_ASSERT) || x.never) return x;
  struct literal l = literal_of(c, e->stmt->expr);
  struct clause fails = x;
  require(&fails, l, false);
  add_edge(c, fails, UINT32_MAX);
  require(&x, l, true);
  return x;
}

static void leave(struct claim *c, uint32_t at, struct clause x);

// Behind an edge: inside an atomic sequence the claim goes on in the same state of the model.
static void arrive(struct claim *c, const struct pml_edge *e, struct clause x) {
  if (x.never || c->why) return;
  if (++c->steps > STEPS_MAX) return refuse(c, "it is too large");
  bool ends = c->proc->graph.states.data[e->to].is_end;
  if (e->atomic && !ends)
    leave(c, e->to, x);
  else
    add_edge(c, x, e->to);
}

// Inside a d_step: the first edge that is executable. To block behind the first one is an error.
static void run_d_step(struct claim *c, const struct pml_edge *step, uint32_t at, struct clause x,
                       uint32_t depth) {
  const struct pml_graph *g = step->inner;
  if (x.never || c->why) return;
  if (at == g->exit) return arrive(c, step, x);
  if (depth > g->states.count) return refuse(c, "a d_step in it has a loop");
  for (uint32_t i = 0; i < g->states.data[at].edge_count; i++) {
    const struct pml_edge *e = &g->edges.data[g->states.data[at].edges[i]];
    struct clause taken = x;
    if (e->kind != PML_EDGE_ELSE) { // an else is what is left
      require_edge(c, e, true, &taken);
      require_edge(c, e, false, &x);
    } else {
      x.never = true;
    }
    run_d_step(c, step, e->to, asserted(c, e, taken), depth + 1);
  }
  if (depth > 0) add_edge(c, x, UINT32_MAX);
}

static void take(struct claim *c, const struct pml_edge *e, struct clause x) {
  const struct pml_graph *g = &c->proc->graph;
  if (e->kind == PML_EDGE_END) return;
  x = condition(c, g, e, x);
  if (e->kind == PML_EDGE_D_STEP)
    run_d_step(c, e, e->inner->start, x, 0);
  else
    arrive(c, e, asserted(c, e, x));
}

// All ways from a state of the claim, the model being where x holds.
static void leave(struct claim *c, uint32_t at, struct clause x) {
  const struct pml_graph *g = &c->proc->graph;
  const struct pml_state *s = &g->states.data[at];
  if (c->inside[at]) return; // round in an atomic sequence, and nothing new
  c->inside[at] = true;
  for (uint32_t i = 0; i < s->edge_count && !c->why; i++) take(c, &g->edges.data[s->edges[i]], x);
  c->inside[at] = false;
}

// --- the whole ---

static const char *name_of(struct claim *c, const struct pml_state *s) {
  if (s->label_count > 0) return arena_strdup(c->w->m->arena, s->labels[0]);
  return arena_printf(c->w->m->arena, "S%u", s->number);
}

static struct ir_automaton_state make_state(struct claim *c, uint32_t at) {
  struct ir_automaton_state out = {.name = "failed_assertion", .final = true};
  c->edges.count = 0;
  if (at == UINT32_MAX) return out;
  const struct pml_state *s = &c->proc->graph.states.data[at];
  out = (struct ir_automaton_state){
      .name = name_of(c, s), .span = s->span, .accepting = s->is_accept, .final = s->is_end};
  if (!s->is_end) leave(c, at, always);
  out.edge_count = (uint32_t)c->edges.count;
  out.edges = ARENA_ARRAY(c->w->m->arena, struct ir_automaton_edge, c->edges.count);
  for (size_t i = 0; i < c->edges.count; i++) out.edges[i] = c->edges.data[i];
  return out;
}

static struct ir_automaton *make(struct claim *c) {
  struct arena *arena = c->w->m->arena;
  VEC(struct ir_automaton_state) made = {0};
  state_of(c, c->proc->graph.start);
  for (size_t i = 0; i < c->states.count && !c->why; i++)
    VEC_PUSH(&made, make_state(c, c->states.data[i]));
  struct ir_automaton *a = ARENA_NEW(arena, struct ir_automaton);
  *a = (struct ir_automaton){.count = (uint32_t)made.count, .accept_atom = -1};
  a->states = ARENA_ARRAY(arena, struct ir_automaton_state, made.count);
  for (size_t i = 0; i < made.count; i++) a->states[i] = made.data[i];
  VEC_CLEAR(&made);
  return c->why ? NULL : a;
}

void lower_claim(struct lower *w, const struct pml_proc *proc) {
  struct ir_property *p = ir_property_new(w->m, IR_PROP_NEVER, proc->name, proc->span);
  size_t count = proc->graph.states.count, atoms = w->m->atoms.count;
  struct claim c = {.w = w, .proc = proc};
  c.number = mem_zalloc(count + 1, sizeof *c.number);
  c.inside = mem_zalloc(count + 1, sizeof *c.inside);
  p->automaton = make(&c);
  p->unchecked = c.why;
  if (c.why) w->m->atoms.count = atoms; // nobody asks for those
  VEC_CLEAR(&c.states);
  VEC_CLEAR(&c.edges);
  mem_free(c.number);
  mem_free(c.inside);
}
