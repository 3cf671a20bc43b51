// SPDX-License-Identifier: Apache-2.0
// Computation tree logic by fixpoints (Clarke, Emerson and Sistla, 1986) over infinite fair paths,
// as NuSMV has it: a path quantifier speaks only of paths that are fair, and the verdict only of
// start states from which one begins. All sets are cut to the reachable states. Equal formulas that
// are one node are evaluated once.
#include "symbolic/ctl.h"

// --- formulas about one state ---

// Takes a and b over. NOT: only a.
static dd connect(enum ir_ctl_op op, dd a, dd b, dd all) {
  dd r;
  if (op == IR_CTL_NOT || op == IR_CTL_IMPLIES) dd_set(&a, dd_minus(all, a));
  switch (op) {
  case IR_CTL_AND: r = dd_and(a, b); break;
  case IR_CTL_OR:
  case IR_CTL_IMPLIES: r = dd_or(a, b); break;
  case IR_CTL_IFF: {
    dd same = dd_equal(a, b);
    r = dd_and(all, same);
    dd_drop(same);
    break;
  }
  default: r = dd_copy(a); break;
  }
  dd_drop(a);
  dd_drop(b);
  return r;
}

// Faults of atoms are gathered in `out`.
static bool gather(struct reach *x, const struct ir_property *p, const struct ir_ctl *f,
                   struct condition *out, dd *value) {
  dd a = dd_false(), b = dd_false();
  if (f->op == IR_CTL_ATOM) {
    condition_clear(&x->atom);
    if (!condition_init(&x->atom, x->relation, x->space, &p->frame, f->expr, &x->why)) return false;
    for (size_t i = 0; i < x->atom.faults.count; i++) {
      struct condition_fault fault = x->atom.faults.data[i];
      dd_copy(fault.when);
      VEC_PUSH(&out->faults, fault);
    }
    *value = dd_copy(x->atom.yes);
    return true;
  }
  if (f->left && !gather(x, p, f->left, out, &a)) return false;
  if (f->right && !gather(x, p, f->right, out, &b)) return false;
  *value = connect(f->op, a, b, dd_true());
  return true;
}

bool ctl_condition(struct reach *x, const struct ir_property *p, const struct ir_ctl *f,
                   struct condition *out) {
  dd value = dd_false(), fault = dd_false();
  *out = (struct condition){0};
  if (!gather(x, p, f, out, &value)) return false;
  for (size_t i = 0; i < out->faults.count; i++)
    dd_or_to(&fault, dd_copy(out->faults.data[i].when));
  out->yes = dd_minus(value, fault);
  dd_or_to(&value, fault);
  out->no = dd_not(value);
  dd_drop(value);
  return true;
}

// --- one step, and fixpoints ---

// Takes `to` over.
static dd exists_next(struct reach *x, dd to) {
  dd_and_to(&to, dd_copy(x->fair_states));
  dd before = net_preimage(&x->net, to);
  dd_drop(to);
  dd_and_to(&before, dd_copy(x->reached));
  return before;
}

static dd forall_next(struct reach *x, dd to) {
  dd not = dd_minus(x->reached, to), before = exists_next(x, not );
  dd r = dd_minus(x->reached, before);
  dd_drop(to);
  dd_drop(before);
  return r;
}

static dd until(struct reach *x, dd within, dd goal) {
  dd_and_to(&goal, dd_copy(x->fair_states));
  dd r = net_reaching(&x->net, within, goal);
  dd_drop(within);
  dd_drop(goal);
  return r;
}

static dd globally(struct reach *x, dd within) {
  dd r = fair_globally(&x->net, &x->fair, within);
  dd_drop(within);
  return r;
}

static dd complement(struct reach *x, dd a) {
  dd r = dd_minus(x->reached, a);
  dd_drop(a);
  return r;
}

// A [f U g] is false where g can stay away for ever, or until f is false.
static dd forall_until(struct reach *x, dd f, dd g) {
  dd no_g = complement(x, g), neither = dd_minus(no_g, f);
  dd bad = until(x, dd_copy(no_g), neither);
  dd_or_to(&bad, globally(x, no_g));
  dd_drop(f);
  return complement(x, bad);
}

// --- bounded operators ---

// E [f U g], g in a step between lo and hi; takes both over.
static dd bounded_until(struct reach *x, dd f, dd g, uint32_t lo, uint32_t hi) {
  dd_and_to(&g, dd_copy(x->fair_states));
  dd y = dd_copy(g), old = dd_false();
  for (uint32_t i = lo; i < hi && old != y; i++) {
    dd_set(&old, dd_copy(y));
    dd_set(&y, exists_next(x, dd_copy(old)));
    dd_and_to(&y, dd_copy(f));
    dd_or_to(&y, dd_copy(g));
  }
  dd_set(&old, dd_not(y));
  for (uint32_t i = 0; i < lo && old != y; i++) {
    dd_set(&old, dd_copy(y));
    dd_set(&y, exists_next(x, dd_copy(old)));
    dd_and_to(&y, dd_copy(f));
  }
  dd_drop(old);
  dd_drop(f);
  dd_drop(g);
  return y;
}

// Some path has f in all steps between lo and hi.
static dd bounded_globally(struct reach *x, dd f, uint32_t lo, uint32_t hi) {
  dd y = dd_and(f, x->fair_states), old = dd_false();
  for (uint32_t i = lo; i < hi && old != y; i++) {
    dd_set(&old, dd_copy(y));
    dd_set(&y, exists_next(x, dd_copy(old)));
    dd_and_to(&y, dd_copy(f));
  }
  dd_set(&old, dd_not(y));
  for (uint32_t i = 0; i < lo && old != y; i++) {
    dd_set(&old, dd_copy(y));
    dd_set(&y, exists_next(x, dd_copy(old)));
  }
  dd_drop(old);
  dd_drop(f);
  return y;
}

static dd bounded_forall_until(struct reach *x, dd f, dd g, uint32_t lo, uint32_t hi) {
  dd unfair = dd_minus(x->reached, x->fair_states), y = dd_or(g, unfair), old = dd_false();
  for (uint32_t i = lo; i < hi && old != y; i++) {
    dd_set(&old, dd_copy(y));
    dd_set(&y, forall_next(x, dd_copy(old)));
    dd_and_to(&y, dd_copy(f));
    dd_or_to(&y, dd_or(g, unfair));
  }
  dd_set(&old, dd_not(y));
  for (uint32_t i = 0; i < lo && old != y; i++) {
    dd_set(&old, dd_copy(y));
    dd_set(&y, forall_next(x, dd_copy(old)));
    dd_and_to(&y, dd_copy(f));
    dd_or_to(&y, dd_copy(unfair));
  }
  dd_drop(unfair);
  dd_drop(old);
  dd_drop(f);
  dd_drop(g);
  return y;
}

dd ctl_bounded(struct reach *x, const struct ir_property *p, const struct ir_ctl *f, uint32_t lo,
               uint32_t hi) {
  dd a = ctl_states(x, p, f->left), all = dd_copy(x->reached);
  switch (f->op) {
  case IR_CTL_EBF: return bounded_until(x, all, a, lo, hi);
  case IR_CTL_ABG: return complement(x, bounded_until(x, all, complement(x, a), lo, hi));
  case IR_CTL_EBG: dd_drop(all); return bounded_globally(x, a, lo, hi);
  case IR_CTL_ABF:
    dd_drop(all);
    return complement(x, bounded_globally(x, complement(x, a), lo, hi));
  default: break;
  }
  dd_drop(all);
  dd b = ctl_states(x, p, f->right);
  return f->op == IR_CTL_EBU ? bounded_until(x, a, b, lo, hi)
                             : bounded_forall_until(x, a, b, lo, hi);
}

// --- formulas ---

static dd of_operands(struct reach *x, const struct ir_ctl *f, dd a, dd b) {
  switch (f->op) {
  case IR_CTL_EX: return exists_next(x, a);
  case IR_CTL_AX: return forall_next(x, a);
  case IR_CTL_EF: return until(x, dd_copy(x->reached), a);
  case IR_CTL_AG: return complement(x, until(x, dd_copy(x->reached), complement(x, a)));
  case IR_CTL_EG: return globally(x, a);
  case IR_CTL_AF: return complement(x, globally(x, complement(x, a)));
  case IR_CTL_EU: return until(x, a, b);
  case IR_CTL_AU: return forall_until(x, a, b);
  default: return connect(f->op, a, b, x->reached);
  }
}

// A fault while the atom is evaluated is told; the atom does not hold there.
static dd atom(struct reach *x, const struct ir_property *p, const struct ir_ctl *f) {
  condition_clear(&x->atom);
  if (!condition_init(&x->atom, x->relation, x->space, &p->frame, f->expr, &x->why)) {
    x->unsaid = true;
    return dd_false();
  }
  reach_tell_faults(x, p);
  return dd_and(x->reached, x->atom.yes);
}

static dd evaluate(struct reach *x, const struct ir_property *p, const struct ir_ctl *f) {
  if (f->op == IR_CTL_ATOM) return atom(x, p, f);
  if (f->op >= IR_CTL_EBF) return ctl_bounded(x, p, f, f->lo, f->hi);
  dd a = ctl_states(x, p, f->left), b = f->right ? ctl_states(x, p, f->right) : dd_false();
  return of_operands(x, f, a, b);
}

dd ctl_states(struct reach *x, const struct ir_property *p, const struct ir_ctl *f) {
  for (size_t i = 0; i < x->memos.count; i++)
    if (x->memos.data[i].formula == f) return dd_copy(x->memos.data[i].states);
  dd states = evaluate(x, p, f);
  VEC_PUSH(&x->memos, ((struct ctl_memo){f, dd_copy(states)}));
  return states;
}

dd ctl_valued(struct reach *x, const struct ir_property *p, const struct ir_ctl *f, bool value) {
  dd states = ctl_states(x, p, f);
  return value ? states : complement(x, states);
}

// --- the verdict ---

static void forget(struct reach *x) {
  for (size_t i = 0; i < x->memos.count; i++) dd_drop(x->memos.data[i].states);
  x->memos.count = 0;
}

void ctl_check(struct reach *x, const struct ir_property *p) {
  if (!p->ctl) return judge_unknown(&x->judge, p->id, "not checked", p->unchecked);
  if (x->model->transient)
    return judge_unknown(&x->judge, p->id, "not checked", "states are passed through");
  reach_phase(x, p->text ? p->text : p->name);
  x->unsaid = !reach_fairness(x);
  dd good = x->unsaid ? dd_false() : ctl_states(x, p, p->ctl);
  dd bad = dd_and(x->rings.list.data[0].nodes, x->fair_states);
  dd_set(&bad, dd_minus(bad, good));
  if (x->unsaid)
    judge_unknown(&x->judge, p->id, "not checked",
                  "a condition of it, or of a fairness constraint, fails somewhere or cannot be "
                  "said in terms");
  else if (dd_is_false(bad))
    x->judge.property_holds[p->id] = 1;
  else if (!x->judge.property_faulty[p->id] && judge_wants(&x->judge, TRACE_PROPERTY, p->id))
    witness_ctl(x, p, bad);
  forget(x); // another property may speak of another frame
  dd_drop(good);
  dd_drop(bad);
}
