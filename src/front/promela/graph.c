// SPDX-License-Identifier: Apache-2.0
// The table of transitions: one entry for every element of a process, with SPIN's targets and
// flags. Elements are visited in SPIN's order, since the visit of a block ties its end.
#include "front/promela/graph.h"

#include <string.h>

static struct flow_node *lost(struct table *t, const struct flow_node *n) {
  diag_error(t->diag, n->span, "a cycle of gotos without any statement");
  return NULL;
}

// flow_check saw to it that every goto has its label.
static struct flow_node *jump(struct table *t, const struct flow_node *n) {
  return flow_find(t->flow, n->where)->node;
}

static struct flow_node *one_further(struct table *t, struct flow_node *n) {
  switch (n->kind) {
  case FLOW_GOTO: return jump(t, n);
  case FLOW_DOT:
  case FLOW_BREAK: return n->next;
  default: return NULL;
  }
}

struct flow_node *graph_hunt(struct table *t, struct flow_node *n, unsigned status) {
  const struct flow_node *from = n;
  for (uint32_t i = 0; i < t->count; i++) { // more is a cycle
    struct flow_node *next =
        n->kind == FLOW_UNLESS ? graph_hunt(t, n->options->first, status) : one_further(t, n);
    if (!next) return n->kind == FLOW_UNLESS ? NULL : n;
    if ((status & FLOW_IN_ATOMIC) && !(next->status & FLOW_IN_ATOMIC)) return n;
    n = next;
  }
  return lost(t, from);
}

struct flow_node *graph_hunt_first(struct flow_node *n) {
  for (;;) {
    if (n->kind == FLOW_DOT && n->next)
      n = n->next;
    else if (n->kind == FLOW_UNLESS)
      n = n->options->first;
    else
      return n;
  }
}

// ---------------------------------------------------------------------------------------------
// Entries

static struct step *step_new(struct table *t, struct flow_node *n, uint32_t to, unsigned status) {
  struct step *s = ARENA_NEW(t->arena, struct step);
  *s = (struct step){.node = n, .to = to, .status = status};
  return s;
}

static struct step *head_new(struct table *t, struct flow_node *n) {
  struct step *s = step_new(t, n, 0, n->status & FLOW_IN_ATOMIC);
  s->is_head = true;
  t->steps[n->number] = s;
  return s;
}

static void put_sequence(struct table *t, struct flow_seq *s);

static void put_escapes(struct table *t, struct flow_node *n) {
  uint32_t count = 0;
  for (struct flow_escape *x = n->escapes; x; x = x->next) count++;
  if (count == 0 || n->kind == FLOW_DOT) return;
  struct step *step = t->steps[n->number];
  step->escapes = ARENA_ARRAY(t->arena, uint32_t, count);
  for (struct flow_escape *x = n->escapes; x; x = x->next) {
    struct flow_node *first = graph_hunt(t, x->seq->first, n->status);
    if (first) step->escapes[step->escape_count++] = first->number;
  }
  for (struct flow_escape *x = n->escapes; x; x = x->next) put_sequence(t, x->seq);
}

// A goto that leaves an atomic sequence ends it; one that leads into another goes on in it.
static void patch_jumps(struct table *t, struct flow_seq *s) {
  const unsigned inside = FLOW_IN_ATOMIC | FLOW_LAST;
  for (struct flow_node *n = s->first; n; n = n->next) {
    if (n->kind == FLOW_GOTO) {
      bool to_atomic = jump(t, n)->status & inside;
      if ((n->status & inside) && !to_atomic)
        n->status = (n->status & ~(unsigned)FLOW_IN_ATOMIC) | FLOW_LAST;
      if ((n->status & FLOW_LAST) && to_atomic)
        n->status = (n->status & ~(unsigned)FLOW_LAST) | FLOW_IN_ATOMIC;
    } else {
      for (struct flow_seq *o = n->options; o; o = o->next) patch_jumps(t, o);
    }
    if (n == s->extent) break;
  }
}

static void put_d_step(struct table *t, struct flow_node *n) {
  struct flow_node *after = n->next ? graph_hunt(t, n->next, n->status) : NULL;
  unsigned status = (n->status & (FLOW_IN_ATOMIC | FLOW_LAST)) | FLOW_IN_D_STEP;
  t->steps[n->number] = step_new(t, n, after ? after->number : 0, status);
  put_escapes(t, n);
}

static void put_block(struct table *t, struct flow_node *n) {
  patch_jumps(t, n->body);
  struct flow_node *first = graph_hunt_first(n->body->first);
  n->body->last->next = n->next;
  if (n->kind == FLOW_D_STEP) {
    put_d_step(t, n);
    return;
  }
  struct step *head = head_new(t, n);
  head->status = n->kind == FLOW_ATOMIC ? FLOW_IN_ATOMIC : 0;
  head->next = step_new(t, n, first->number, head->status);
  put_sequence(t, n->body);
}

static bool never(const struct flow_node *n) {
  return n->kind == FLOW_STMT && n->stmt && n->stmt->kind == AST_EXPR &&
         n->stmt->expr->op == AST_CONST && n->stmt->expr->value == 0 && !n->escapes;
}

static void put_selection(struct table *t, struct flow_node *n) {
  struct step *end = head_new(t, n);
  for (struct flow_seq *o = n->options; o; o = o->next) {
    struct flow_node *guard = graph_hunt_first(o->first);
    if (never(guard)) continue;
    end->next = step_new(t, n, guard->number, n->status & FLOW_IN_ATOMIC);
    end = end->next;
  }
  for (struct flow_seq *o = n->options; o; o = o->next) put_sequence(t, o);
}

static void check_d_step(struct table *t, const struct flow_node *from,
                         const struct flow_node *to) {
  if (to->kind != FLOW_D_STEP && to->d_step != 0 && to->d_step != from->d_step)
    diag_error(t->diag, from->span, "a jump into a d_step");
}

static void put_plain(struct table *t, struct flow_node *n) {
  struct flow_node *to = n->kind == FLOW_GOTO ? jump(t, n) : n->next;
  if (n->kind == FLOW_GOTO) check_d_step(t, n, to);
  if (to) to = graph_hunt(t, to, n->status);
  t->steps[n->number] = step_new(t, n, to ? to->number : 0, n->status & FLOW_IN_ATOMIC);
  put_escapes(t, n);
}

static void put_node(struct table *t, struct flow_node *n) {
  switch (n->kind) {
  case FLOW_UNLESS: put_sequence(t, n->options); break;
  case FLOW_IF:
  case FLOW_DO: put_selection(t, n); break;
  case FLOW_ATOMIC:
  case FLOW_BLOCK:
  case FLOW_D_STEP: put_block(t, n); break;
  default: put_plain(t, n); break;
  }
}

static void put_sequence(struct table *t, struct flow_seq *s) {
  for (struct flow_node *n = s->first; n; n = n->next) {
    if (!(n->status & FLOW_DONE)) {
      n->status |= FLOW_DONE;
      put_node(t, n);
    }
    if (n == s->last) break;
  }
}

static void put_labels(struct table *t) {
  for (struct flow_label *l = t->flow->labels; l; l = l->next) {
    const char *name = l->name->text;
    uint32_t n = l->node->number;
    l->same_node = t->labels[n];
    t->labels[n] = l;
    if (strncmp(name, "end", 3) == 0) t->is_end[n] = true;
    if (strncmp(name, "accept", 6) == 0) t->is_accept[n] = true;
    if (strncmp(name, "progress", 8) == 0) t->is_progress[n] = true;
  }
  t->is_end[t->flow->body->last->number] = true;
}

void graph_fill(struct table *t) {
  t->count = t->flow->next_number;
  t->steps = ARENA_ARRAY(t->arena, struct step *, t->count);
  t->nodes = ARENA_ARRAY(t->arena, struct flow_node *, t->count);
  t->shown = ARENA_ARRAY(t->arena, uint32_t, t->count);
  t->labels = ARENA_ARRAY(t->arena, struct flow_label *, t->count);
  t->is_end = ARENA_ARRAY(t->arena, bool, t->count);
  t->is_accept = ARENA_ARRAY(t->arena, bool, t->count);
  t->is_progress = ARENA_ARRAY(t->arena, bool, t->count);
  for (struct flow_node *n = t->flow->newest; n; n = n->created_before) t->nodes[n->number] = n;
  for (uint32_t i = 0; i < t->count; i++) t->shown[i] = i;
  put_sequence(t, t->flow->body);
  put_labels(t);
}

static bool check_gotos(struct flow *f) {
  bool good = true;
  for (struct flow_node *n = f->newest; n; n = n->created_before)
    if (n->kind == FLOW_GOTO && !flow_find(f, n->where)) {
      diag_error(f->diag, n->span, "there is no label %s", n->where->text);
      good = false;
    }
  return good;
}

void graph_build(struct flow *f, struct pml_graph *g) {
  if (!check_gotos(f)) return;
  struct table t = {.flow = f, .arena = f->arena, .kept = f->kept, .diag = f->diag};
  size_t errors = f->diag->errors;
  graph_fill(&t);
  if (f->diag->errors > errors) return;
  graph_flatten(&t);
  graph_convert(&t, g);
}
