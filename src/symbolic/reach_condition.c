// SPDX-License-Identifier: Apache-2.0
// Conditions on states as sets of them, and which of a model's conditions are looked at in every
// ring: invariants, cover goals, and formulas AG p that say the same as an invariant.
#include "symbolic/reach.h"

bool condition_init(struct condition *c, struct relation *r, struct space *s,
                    const struct ir_frame *frame, const struct ir_expr *x, struct text *why) {
  struct relation_condition terms = {0};
  *c = (struct condition){0};
  if (!relation_condition(r, frame, x, &terms, why)) return false;
  struct mem_boundary boundary;
  if (mem_boundary_enter(&boundary)) {
    relation_condition_clear(&terms);
    mem_exhausted(0);
  }
  space_bind(s, NULL, SPACE_WHOLE);
  dd holds = space_term(s, terms.value), fault = dd_false();
  for (size_t i = 0; i < terms.errors.count; i++) {
    struct condition_fault f = {.site = terms.errors.data[i].site};
    f.when = space_term(s, terms.errors.data[i].when);
    dd_or_to(&fault, dd_copy(f.when));
    VEC_PUSH(&c->faults, f);
  }
  mem_boundary_leave(&boundary);
  c->yes = dd_minus(holds, fault);
  dd_or_to(&holds, fault);
  c->no = dd_not(holds);
  dd_drop(holds);
  relation_condition_clear(&terms);
  return true;
}

void condition_clear(struct condition *c) {
  dd_drop(c->yes);
  dd_drop(c->no);
  for (size_t i = 0; i < c->faults.count; i++) dd_drop(c->faults.data[i].when);
  VEC_CLEAR(&c->faults);
  *c = (struct condition){0};
}

// --- what is looked at in every ring ---

// AG p says the same as an invariant where all runs are fair and none ends (which is asked when p
// is found to be false).
static bool is_invariant(const struct reach *x, const struct ir_property *p) {
  return p->kind == IR_PROP_CTL && p->ctl && p->ctl->op == IR_CTL_AG &&
         ir_ctl_is_condition(p->ctl->left) && !x->model->transient && x->model->fairness.count == 0;
}

static bool prepare_property(struct reach *x, const struct ir_property *p) {
  struct condition *c = &x->conditions[p->id];
  bool plain = p->kind == IR_PROP_INVARIANT || p->kind == IR_PROP_COVER;
  if (!judge_on(&x->judge, p->id)) return true;
  if (plain && p->expr) {
    x->looked[p->id] = true;
    return condition_init(c, x->relation, x->space, &p->frame, p->expr, &x->why);
  }
  if (!is_invariant(x, p)) return true;
  x->looked[p->id] = true;
  return ctl_condition(x, p, p->ctl->left, c);
}

static void note_faults(struct reach *x, size_t property) {
  const struct condition *c = &x->conditions[property];
  for (size_t i = 0; i < c->faults.count; i++)
    if (dd_meets(x->space->valid_now, c->faults.data[i].when))
      x->judge.property_may_fail[property] = 1;
}

// --- transient states ---

static dd code_is(const struct space_bits *b, uint64_t code) {
  dd all = dd_true();
  for (unsigned i = b->count; i-- > 0;) dd_and_to(&all, dd_var(b->now[i], code >> i & 1));
  return all;
}

// States in which the variable is not 0, and something leads to another state or fails.
static void find_passed(struct reach *x) {
  uint64_t leaf = x->model->transient->first_leaf;
  const struct ir_leaf *l = &x->model->layout->leaf[leaf];
  const struct space_bits *bits = &x->space->leaf[leaf];
  dd zero = code_is(bits, ir_type_rank(l->type, 0) + l->undef), on = dd_copy(x->failing);
  if (l->undef) dd_or_to(&zero, code_is(bits, 0));
  for (size_t i = 0; i < x->moves.count; i++) dd_or_to(&on, dd_copy(x->moves.data[i]));
  dd_and_to(&on, dd_copy(x->space->valid_now));
  dd_set(&x->passed, dd_minus(on, zero));
  dd_drop(on);
  dd_drop(zero);
}

// --- all of it ---

bool reach_prepare(struct reach *x) {
  const struct ir_model *m = x->model;
  struct ir_frame none = {0};
  x->conditions = mem_zalloc(m->properties.count + 1, sizeof *x->conditions);
  x->looked = mem_zalloc(m->properties.count + 1, sizeof *x->looked);
  x->failing = steps_failing(x->steps);
  x->step_cube = dd_and(x->space->choice_cube, x->space->next_cube);
  if (x->config->deadlock != IR_DEADLOCK_OFF || m->transient) reach_list_steps(x);
  if (m->transient) find_passed(x);
  if (m->valid_end && x->config->deadlock != IR_DEADLOCK_OFF &&
      !condition_init(&x->valid_end, x->relation, x->space, &none, m->valid_end, &x->why))
    return false;
  for (size_t i = 0; i < m->properties.count; i++) {
    if (!prepare_property(x, m->properties.data[i])) return false;
    note_faults(x, i);
  }
  return true;
}
