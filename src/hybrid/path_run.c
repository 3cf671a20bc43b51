// SPDX-License-Identifier: Apache-2.0
// The run that the solver found, read backwards from the error: of the ways to a node the first
// that is taken.
#include "hybrid/path_own.h"

#include "ir/ir.h"

#include <string.h>

static const struct way *way_to(struct path *p, const struct node *n) {
  for (size_t i = n->way; i < n->way + n->ways; i++)
    if (asker_true(&p->asker, p->ways.data[i].taken)) return &p->ways.data[i];
  return NULL;
}

static void add_step(struct path *p, struct path_run *out, const struct way *w) {
  const struct relation_rule *r = p->e->edges.data[w->edge].rule;
  uint32_t n = r ? r->rule->choice_count : 0;
  struct path_step s = {.edge = w->edge, .choices = mem_zalloc(n + 1, sizeof *s.choices)};
  for (uint32_t k = 0; k < n; k++) {
    const struct term *c = p->choices.data[w->choices + k];
    const struct ir_domain *d = r->rule->frame.locals[r->rule->param_count + k]->domain;
    s.choices[k] = c ? asker_value(&p->asker, c) : ir_domain_value(d, 0);
  }
  VEC_PUSH(&out->steps, s);
}

static void tell_first(struct path *p, struct path_run *out, const struct node *n) {
  const struct efsm_state *s = &p->e->states.data[n->state];
  const struct place *at = &p->places[n->state];
  out->control = n->state;
  out->first = mem_zalloc(p->e->leaves + 1, sizeof *out->first);
  for (uint64_t i = 0; i < p->e->leaves; i++)
    out->first[i] = s->defined[i] == EFSM_UNDEFINED ? IR_UNDEF : s->lo[i];
  for (uint32_t i = 0; i < at->count; i++)
    out->first[at->leaf[i]] =
        asker_value(&p->asker, n->defined[i]) ? asker_value(&p->asker, n->values[i]) : IR_UNDEF;
  if (p->e->control != EFSM_NO_CONTROL && n->state != EFSM_ENTRY)
    out->first[p->e->control] = efsm_control_value(p->e, n->state);
}

void path_run(struct path *p, struct path_run *out) {
  *out = (struct path_run){0};
  const struct node *n = &p->nodes.data[p->error];
  for (const struct way *w; (w = way_to(p, n)); n = &p->nodes.data[w->from]) add_step(p, out, w);
  for (size_t i = 0; i < out->steps.count / 2; i++) {
    struct path_step *a = &out->steps.data[i], *b = &out->steps.data[out->steps.count - 1 - i], c;
    c = *a;
    *a = *b;
    *b = c;
  }
  tell_first(p, out, n);
}

void path_run_clear(struct path_run *r) {
  for (size_t i = 0; i < r->steps.count; i++) mem_free(r->steps.data[i].choices);
  VEC_CLEAR(&r->steps);
  mem_free(r->first);
  r->first = NULL;
}
