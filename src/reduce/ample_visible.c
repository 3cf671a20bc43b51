// SPDX-License-Identifier: Apache-2.0
// What properties see. Where one only asks whether a leaf has certain values, a step that leaves
// the answer as it was is not seen, whatever else becomes of the leaf. Quantifiers are taken apart,
// so that "no two are in their critical sections" asks of each process whether it is there.
#include "reduce/ample.h"

#include <string.h>

enum { BODIES_MAX = 20000 }; // of quantifiers, looked at for all values of their variables

struct sight {
  struct ample_study *a;
  struct ample_instance as; // the property as a guard, its bound variables as parameters
  struct ir_rule rule;
  int64_t *values; // of bound variables
  uint32_t bodies;
};

static bool has_quantifier(const struct ir_expr *e) {
  if (e->domain) return true;
  for (uint32_t k = 0; k < e->arg_count; k++)
    if (has_quantifier(e->args[k])) return true;
  return false;
}

static void see_all(struct ample_study *a, const struct ir_expr *e) {
  struct ir_access x;
  ir_access_init(&x, a->m);
  ir_access_expr(&x, a->m, e);
  set_join(a->visible, x.reads, a->leaf_words);
  ir_access_clear(&x);
}

static void ask(struct ample_study *a, uint64_t leaf, const uint64_t *values) {
  size_t bytes = ample_value_words(a, leaf) * sizeof *values;
  for (size_t k = 0; k < a->questions.count; k++)
    if (a->questions.data[k].leaf == leaf &&
        memcmp(a->questions.data[k].values, values, bytes) == 0)
      return;
  VEC_PUSH(&a->questions, ((struct ample_question){leaf, values}));
}

static bool look(struct sight *s, struct ir_expr *e);

static bool constant_domain(const struct ir_domain *d) {
  int64_t v;
  return d->type || (ir_expr_const(d->lo, &v) && ir_expr_const(d->hi, &v) &&
                     (!d->step || (ir_expr_const(d->step, &v) && v != 0)));
}

static bool look_at_each(struct sight *s, struct ir_expr *e) {
  if (!constant_domain(e->domain)) return false;
  uint64_t n = ir_domain_count(e->domain);
  for (uint64_t k = 0; k < n; k++) {
    if (++s->bodies > BODIES_MAX) return false;
    s->values[e->local->id] = ir_domain_value(e->domain, k);
    if (!look(s, e->args[0])) return false;
  }
  return true;
}

// False: it is too much. A leaf that may be undefined is read, since that can fail.
static bool look(struct sight *s, struct ir_expr *e) {
  struct ample_study *a = s->a;
  uint64_t leaf, *values;
  if (e->op == IR_CONST) return true;
  if (e->domain) return look_at_each(s, e);
  bool logic = e->op == IR_AND || e->op == IR_OR || e->op == IR_NOT || e->op == IR_IMPLIES;
  if (!logic && !has_quantifier(e) && ample_asks(a, &s->as, e, &leaf, &values) &&
      !a->m->layout->leaf[leaf].undef) {
    ask(a, leaf, values);
    return true;
  }
  if (ir_expr_lvalue(e) || e->op == IR_CALL || e->op == IR_ISUNDEF) {
    if (has_quantifier(e)) return false;
    set_join(a->visible, ample_reads(a, &s->as, e, NULL), a->leaf_words);
    return true;
  }
  for (uint32_t k = 0; k < e->arg_count; k++)
    if (!look(s, e->args[k])) return false;
  return true;
}

static void see(struct ample_study *a, struct ir_expr *e, const struct ir_frame *frame) {
  struct sight s = {.a = a};
  s.values = ARENA_ARRAY(a->arena, int64_t, frame->count);
  s.rule = (struct ir_rule){.frame = *frame, .param_count = frame->count};
  s.as = (struct ample_instance){.rule = &s.rule, .params = s.values};
  if (!look(&s, e)) see_all(a, e);
}

static uint64_t atoms_of(const struct ir_automaton *u) {
  if (!u) return UINT64_MAX;
  uint64_t atoms = u->accept_atom >= 0 ? UINT64_C(1) << u->accept_atom : 0;
  for (uint32_t s = 0; s < u->count; s++)
    for (uint32_t e = 0; e < u->states[s].edge_count; e++)
      atoms |= u->states[s].edges[e].yes | u->states[s].edges[e].no;
  return atoms;
}

void ample_look(struct ample_study *a, const uint8_t *property_on) {
  uint64_t atoms = 0;
  a->visible = ARENA_ARRAY(a->arena, uint64_t, a->leaf_words);
  for (size_t k = 0; k < a->m->properties.count; k++) {
    const struct ir_property *p = a->m->properties.data[k];
    if (property_on && !property_on[k]) continue;
    if (ir_prop_cyclic(p->kind)) atoms |= atoms_of(p->automaton);
    bool seen = p->kind == IR_PROP_INVARIANT || p->kind == IR_PROP_COVER;
    if (seen && p->expr) see(a, p->expr, &p->frame);
  }
  for (size_t n = 0; n < a->m->atoms.count && n < 64; n++)
    if (atoms >> n & 1) see(a, a->m->atoms.data[n]->expr, &a->m->atoms.data[n]->frame);
}

// --- is a step seen? ---

// The values that the leaf has before a chain of the instance, and after each of its steps.
static uint64_t *values_during(const struct ample_study *a, const struct ample_instance *i,
                               uint64_t leaf) {
  size_t words = ample_value_words(a, leaf);
  uint64_t *during = ARENA_ARRAY(a->arena, uint64_t, words);
  const uint64_t *before = ample_asked(i, leaf);
  set_join(during, before ? before : ample_all_values(a, leaf), words);
  for (uint32_t k = 0; k < i->chain_count; k++) {
    const struct ample_instance *next = &a->instances[i->chain[k]];
    if (set_has(next->own_writes, leaf)) ample_effect(a, next, leaf, during, during);
  }
  return during;
}

bool ample_seen(const struct ample_study *a, const struct ample_instance *i) {
  if (set_meets(i->writes, a->visible, a->leaf_words)) return true;
  for (size_t k = 0; k < a->questions.count; k++) {
    const struct ample_question *q = &a->questions.data[k];
    if (!set_has(i->writes, q->leaf)) continue;
    const uint64_t *during = values_during(a, i, q->leaf);
    if (!ample_unanimous(q, during, ample_value_words(a, q->leaf))) return true;
  }
  return false;
}
