// SPDX-License-Identifier: Apache-2.0
// The flattened table as a graph: only what can be reached, with states in the order in which
// SPIN's verifier lists them.
#include "front/promela/graph.h"

#include <string.h>

#define NOT_YET UINT32_MAX

struct convert {
  struct table *t;
  struct pml_graph *g;
  uint32_t *place; // of each number
};

// What SPIN makes of the declaration of a structure behind a statement: a step without effect.
static bool assigns_structure(const struct ast_stmt *s) {
  return s->kind == AST_ASSIGN && s->lhs->type && s->lhs->type->base == AST_STRUCT &&
         !(s->lhs->arg_count > 1 && s->lhs->args[1]);
}

const struct ast_stmt *graph_stmt(const struct flow_node *n) {
  if (n->kind != FLOW_STMT || flow_is_skip(n->stmt) || assigns_structure(n->stmt)) return NULL;
  return n->stmt;
}

const char *graph_text(struct arena *a, const struct flow_node *n) {
  switch (n->kind) {
  case FLOW_ELSE: return "else";
  case FLOW_DOT: return ".(goto)";
  case FLOW_BREAK: return "break";
  case FLOW_STOP: return "-end-";
  case FLOW_GOTO: return arena_printf(a, "goto %s", n->where->text);
  case FLOW_D_STEP: return arena_printf(a, "D_STEP%u", n->span.line);
  default: break;
  }
  if (!n->stmt) return "(1)";
  if (assigns_structure(n->stmt)) return "";
  struct text text = {0};
  ast_print_stmt(&text, n->stmt);
  const char *copy = arena_strdup(a, text_str(&text));
  text_clear(&text);
  return copy;
}

static void collect_labels(struct convert *c, struct pml_state *s) {
  uint32_t count = 0;
  for (const struct flow_label *l = c->t->labels[s->number]; l; l = l->same_node) count++;
  s->labels = ARENA_ARRAY(c->t->kept, const char *, count);
  for (const struct flow_label *l = c->t->labels[s->number]; l; l = l->same_node)
    if (l->name->text[0] != ':')
      s->labels[s->label_count++] = arena_strdup(c->t->kept, l->name->text);
}

static uint32_t place_of(struct convert *c, uint32_t number) {
  if (c->place[number] != NOT_YET) return c->place[number];
  const struct table *t = c->t;
  const struct flow_node *n = t->nodes[number];
  struct pml_state s = {.number = number,
                        .span = t->nodes[t->shown[number]]->span,
                        .is_end = t->is_end[number],
                        .is_accept = t->is_accept[number],
                        .is_progress = t->is_progress[number],
                        .is_last = n->kind == FLOW_STOP};
  collect_labels(c, &s);
  c->place[number] = (uint32_t)c->g->states.count;
  VEC_PUSH(&c->g->states, s);
  return c->place[number];
}

static enum pml_edge_kind kind_of(const struct flow_node *n) {
  switch (n->kind) {
  case FLOW_ELSE: return PML_EDGE_ELSE;
  case FLOW_D_STEP: return PML_EDGE_D_STEP;
  case FLOW_STOP: return PML_EDGE_END;
  default: return PML_EDGE_STMT;
  }
}

#define D_STEP_SHOWN 60 // characters

static const char *d_step_shown(struct arena *a, const struct pml_graph *g) {
  struct text t = {0};
  size_t i = 0;
  text_add(&t, "d_step {");
  for (; i < g->edges.count && t.count < D_STEP_SHOWN; i++)
    text_printf(&t, "%s %s", i ? ";" : "", g->edges.data[i].text);
  text_add(&t, i < g->edges.count ? "; ... }" : " }");
  const char *shown = arena_strdup(a, t.data);
  text_clear(&t);
  return shown;
}

static struct pml_edge edge_of(struct convert *c, uint32_t from, const struct step *s) {
  struct flow_node *n = s->node;
  struct pml_edge e = {.kind = kind_of(n),
                       .from = from,
                       .to = UINT32_MAX,
                       .span = n->span,
                       .text = graph_text(c->t->kept, n),
                       .atomic = s->status & FLOW_IN_ATOMIC,
                       .inside_atomic = s->status & (FLOW_IN_ATOMIC | FLOW_LAST)};
  e.stmt = graph_stmt(n);
  if (n->kind == FLOW_D_STEP) e.inner = graph_d_step(c->t, n);
  e.shown = e.inner ? d_step_shown(c->t->kept, e.inner) : e.text;
  return e;
}

static bool waits_for_others(const struct pml_edge *e) {
  if (e->kind == PML_EDGE_ELSE) return true;
  if (e->kind != PML_EDGE_D_STEP) return false;
  const struct pml_graph *g = e->inner;
  return g->guard_count == 1 && g->edges.data[g->guards[0]].kind == PML_EDGE_ELSE &&
         g->edges.data[g->guards[0]].sibling_count == 0;
}

static void set_siblings(struct convert *c, struct pml_edge *e, const uint32_t *before,
                         uint32_t count) {
  if (!waits_for_others(e)) return;
  e->siblings = ARENA_ARRAY(c->t->arena, uint32_t, count);
  e->sibling_count = count;
  if (count > 0) memcpy(e->siblings, before, count * sizeof *before);
}

// Escapes are numbered by the runs of transitions that come from the same one.
static uint32_t count_runs(const struct step *s) {
  uint32_t runs = 0, last = 0;
  for (; s; s = s->next) {
    if (s->origin && s->origin != last) runs++;
    last = s->origin;
  }
  return runs;
}

static uint32_t count_steps(const struct step *s) {
  uint32_t n = 0;
  for (; s; s = s->next) n++;
  return n;
}

// An if without any executable option has a head and nothing else.
static void add_edges(struct convert *c, uint32_t at, const struct step *first) {
  uint32_t *edges = ARENA_ARRAY(c->t->kept, uint32_t, count_steps(first));
  uint32_t count = 0, run = count_runs(first) + 1, last = 0;
  for (const struct step *s = first; s; s = s->next) {
    if (s->origin && s->origin != last) run--;
    last = s->origin;
    if (s->is_head) continue;
    struct pml_edge e = edge_of(c, at, s);
    if (s->origin) e.escape = run;
    set_siblings(c, &e, edges, count);
    if (e.kind != PML_EDGE_END && s->to) e.to = place_of(c, s->to);
    edges[count++] = (uint32_t)c->g->edges.count;
    VEC_PUSH(&c->g->edges, e);
  }
  c->g->states.data[at].edges = edges;
  c->g->states.data[at].edge_count = count;
}

static void check_elses(struct convert *c, uint32_t at) {
  const struct pml_state *s = &c->g->states.data[at];
  uint32_t count = 0;
  for (uint32_t i = 0; i < s->edge_count; i++)
    if (c->g->edges.data[s->edges[i]].kind == PML_EDGE_ELSE && ++count > 1)
      diag_error(c->t->diag, c->g->edges.data[s->edges[i]].span,
                 "a second else is possible at the same point");
}

typedef VEC(uint32_t) number_list;

static void push_next(struct convert *c, uint32_t number, number_list *stack) {
  const struct step *first = c->t->steps[number];
  size_t begin = stack->count;
  for (const struct step *s = first; s; s = s->next) {
    VEC_PUSH(stack, s->to);
    for (uint32_t i = 0; i < first->escape_count; i++) VEC_PUSH(stack, first->escapes[i]);
  }
  for (size_t i = begin, k = stack->count; i + 1 < k; i++, k--) {
    uint32_t last = stack->data[k - 1];
    stack->data[k - 1] = stack->data[i];
    stack->data[i] = last;
  }
}

// Depth first, as SPIN's verifier lists them.
static void visit_all(struct convert *c, uint32_t start) {
  bool *seen = ARENA_ARRAY(c->t->arena, bool, c->t->count);
  number_list stack = {0};
  VEC_PUSH(&stack, start);
  while (stack.count > 0) {
    uint32_t number = VEC_POP(&stack);
    if (number == 0 || seen[number] || !c->t->steps[number]) continue;
    seen[number] = true;
    uint32_t at = place_of(c, number);
    add_edges(c, at, c->t->steps[number]);
    check_elses(c, at);
    push_next(c, number, &stack);
  }
  VEC_CLEAR(&stack);
}

void graph_convert(struct table *t, struct pml_graph *g) {
  struct convert c = {.t = t, .g = g, .place = ARENA_ARRAY(t->arena, uint32_t, t->count)};
  for (uint32_t i = 0; i < t->count; i++) c.place[i] = NOT_YET;
  struct flow_node *first = t->flow->body->first;
  struct flow_node *start = graph_hunt(t, first, first->status);
  g->exit = UINT32_MAX;
  if (!start) return;
  g->start = place_of(&c, start->number);
  visit_all(&c, start->number);
}
