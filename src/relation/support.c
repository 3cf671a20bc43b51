// SPDX-License-Identifier: Apache-2.0
// What properties speak of themselves, and what of a model has to be kept for them.
#include "ir/ir.h"
#include "relation/cone.h"

void support_init(struct support *s, struct relation *r) {
  *s = (struct support){.relation = r};
  s->leaves = mem_zalloc(r->model->layout->count / 64 + 1, sizeof *s->leaves);
}

void support_clear(struct support *s) { mem_free(s->leaves); }

void support_condition(struct support *s, const struct ir_frame *frame, const struct ir_expr *e) {
  struct relation_condition c;
  struct text why = {0};
  if (relation_condition(s->relation, frame, e, &c, &why)) {
    term_support(c.value, s->leaves, NULL);
    for (size_t i = 0; i < c.errors.count; i++)
      term_support(c.errors.data[i].when, s->leaves, NULL);
    relation_condition_clear(&c);
  } else {
    s->all = true;
  }
  text_clear(&why);
}

static void add_formula(struct support *s, const struct ir_property *p, const struct ir_ctl *f) {
  if (!f) return;
  if (f->op == IR_CTL_ATOM) return support_condition(s, &p->frame, f->expr);
  add_formula(s, p, f->left);
  add_formula(s, p, f->right);
}

static void add_automaton(struct support *s, const struct ir_automaton *a) {
  const struct ir_model *m = s->relation->model;
  uint64_t atoms = a->accept_atom >= 0 ? UINT64_C(1) << a->accept_atom : 0;
  for (uint32_t i = 0; i < a->count; i++)
    for (uint32_t k = 0; k < a->states[i].edge_count; k++)
      atoms |= a->states[i].edges[k].yes | a->states[i].edges[k].no;
  for (size_t i = 0; i < m->atoms.count && i < IR_ATOMS_MAX; i++)
    if (atoms >> i & 1) support_condition(s, &m->atoms.data[i]->frame, m->atoms.data[i]->expr);
}

static void add_fairness(struct support *s) {
  const struct ir_model *m = s->relation->model;
  for (size_t i = 0; i < m->fairness.count; i++) {
    const struct ir_fairness *f = m->fairness.data[i];
    if (f->expr) support_condition(s, &f->frame, f->expr);
    if (f->given) support_condition(s, &f->frame, f->given);
  }
}

// Is there a statement that reaches it? Whether that is come to is up to everything before it.
static bool is_stated(const struct relation_rule *rules, size_t count, uint32_t property) {
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < rules[i].covers.count; k++)
      if (rules[i].covers.data[k].property == property) return true;
  return false;
}

bool relation_always(const struct relation *r, const struct ir_property *p) {
  return p->kind == IR_PROP_CTL && p->ctl && p->ctl->op == IR_CTL_AG &&
         ir_ctl_is_condition(p->ctl->left) && r->model->fairness.count == 0 && relation_total(r);
}

unsigned support_property(struct support *s, const struct ir_property *p) {
  const struct relation *r = s->relation;
  bool states = p->kind == IR_PROP_INVARIANT || p->kind == IR_PROP_COVER || relation_always(r, p);
  s->all |= p->param_count > 0 || is_stated(r->rules.data, r->rules.count, p->id) ||
            is_stated(r->starts.data, r->starts.count, p->id);
  if (p->expr && !s->all) support_condition(s, &p->frame, p->expr);
  add_formula(s, p, p->ctl);
  if (p->automaton) add_automaton(s, p->automaton);
  if (ir_prop_cyclic(p->kind) || p->kind == IR_PROP_CTL) add_fairness(s);
  return (states ? 0 : CONE_RUNS) | (s->all ? CONE_ALL : 0);
}
