// SPDX-License-Identifier: Apache-2.0
// Runs that show why a formula of computation tree logic is false, as far as one run can: it leads
// along what universal operators deny (and existential ones, where they are negated, promise) to
// the state where the innermost of them is decided, or round a fair cycle. Where a whole tree would
// have to be shown, as for an EF that is false, the run ends.
#include "symbolic/ctl.h"

enum { STEPS_MAX = 10000 }; // of a bounded operator: more are not shown

struct way {
  struct reach *x;
  const struct ir_property *property;
  struct path *path;
  bool has_loop;
  size_t loop;
  bool shown; // something is to be seen, if only in the first state
};

static void explain(struct way *w, const struct ir_ctl *f, bool value);

static dd valued(struct way *w, const struct ir_ctl *f, bool value) {
  return ctl_valued(w->x, w->property, f, value);
}

static bool has(struct way *w, const struct ir_ctl *f, bool value) {
  dd states = valued(w, f, value);
  bool in = dd_implies(path_last(w->path), states);
  dd_drop(states);
  return in;
}

// --- connectives ---

static bool is_forall(enum ir_ctl_op op) {
  return op == IR_CTL_AX || op == IR_CTL_AF || op == IR_CTL_AG || op == IR_CTL_AU ||
         op == IR_CTL_ABF || op == IR_CTL_ABG || op == IR_CTL_ABU;
}

// How much a run can show of the formula's having this value: 0 is nothing.
static int showable(const struct ir_ctl *f, bool value) {
  if (f->op == IR_CTL_ATOM) return 1;
  if (f->op == IR_CTL_NOT) return showable(f->left, !value);
  if (f->op > IR_CTL_IFF) return is_forall(f->op) != value ? 2 : 0;
  int a = showable(f->left, f->op == IR_CTL_IMPLIES ? !value : value),
      b = showable(f->right, value);
  return a > b ? a : b;
}

// One of the two operands is why: of those with the value that counts the one of which more can be
// shown.
static void explain_operand(struct way *w, const struct ir_ctl *f, bool left, bool right) {
  bool either = has(w, f->left, left), other = has(w, f->right, right);
  int a = either ? showable(f->left, left) : -1, b = other ? showable(f->right, right) : -1;
  if (a >= b)
    explain(w, f->left, left);
  else
    explain(w, f->right, right);
}

static void explain_connective(struct way *w, const struct ir_ctl *f, bool value) {
  switch (f->op) {
  case IR_CTL_ATOM: w->shown = true; break;
  case IR_CTL_NOT: explain(w, f->left, !value); break;
  case IR_CTL_IMPLIES: explain_operand(w, f, !value, value); break;
  case IR_CTL_IFF: explain_operand(w, f, has(w, f->left, true), has(w, f->right, true)); break;
  default: explain_operand(w, f, value, value); break;
  }
}

// --- runs ---

// The next state is one of the set, which has some; takes it over.
static void go_to(struct way *w, dd set) {
  dd_and_to(&set, dd_copy(w->x->fair_states));
  path_add(w->path, w->x->net.step(w->x, path_last(w->path), set, -1));
  dd_drop(set);
}

// To the nearest state of the goal from which a fair run goes on; takes both over. False: there is
// none.
static bool go_until(struct way *w, dd within, dd goal) {
  dd_and_to(&goal, dd_copy(w->x->fair_states));
  bool found = path_extend(w->path, &w->x->net, within, goal, false);
  dd_drop(within);
  dd_drop(goal);
  return found;
}

// Round a fair cycle inside the set, which it takes over.
static void go_round(struct way *w, dd within) {
  struct reach *x = w->x;
  dd hull = fair_hull(&x->net, &x->fair, within);
  bool found = path_extend(w->path, &x->net, within, hull, false);
  assert(found);
  (void)found;
  w->loop = fair_cycle(w->path, &x->net, &x->fair, hull);
  w->has_loop = w->shown = true;
  dd_drop(hull);
  dd_drop(within);
}

// A [f U g] is false: g stays away until f is false, or for ever.
static void deny_until(struct way *w, const struct ir_ctl *f) {
  dd no_g = valued(w, f->right, false), no_f = valued(w, f->left, false);
  dd neither = dd_and(no_g, no_f);
  dd_drop(no_f);
  if (go_until(w, dd_copy(no_g), neither)) {
    w->shown = true;
    explain(w, showable(f->left, false) ? f->left : f->right, false);
    dd_drop(no_g);
  } else {
    go_round(w, no_g);
  }
}

// --- bounded operators ---

static dd bounded(struct way *w, const struct ir_ctl *f, bool value, uint32_t lo, uint32_t hi) {
  dd states = ctl_bounded(w->x, w->property, f, lo, hi);
  if (value) return states;
  dd others = dd_minus(w->x->reached, states);
  dd_drop(states);
  return others;
}

// Is it decided here what the operator says with these bounds? *why, its value: by that operand.
static bool decided(struct way *w, const struct ir_ctl *f, bool value, uint32_t lo, uint32_t hi,
                    const struct ir_ctl **why, bool *its) {
  *its = value;
  switch (f->op) {
  case IR_CTL_EBF:
  case IR_CTL_ABG: *why = f->left; return lo == 0 && has(w, f->left, value);
  case IR_CTL_EBU: *why = f->right; return lo == 0 && has(w, f->right, true);
  case IR_CTL_ABU:
    *why = has(w, f->left, false) ? f->left : f->right;
    return (lo > 0 || has(w, f->right, false)) && (hi == 0 || *why == f->left);
  default: *why = f->left; return hi == 0;
  }
}

static void go_bounded(struct way *w, const struct ir_ctl *f, bool value) {
  uint32_t lo = f->lo, hi = f->hi;
  const struct ir_ctl *why;
  bool its;
  if (hi > STEPS_MAX) return;
  while (!decided(w, f, value, lo, hi, &why, &its)) {
    lo -= lo > 0;
    go_to(w, bounded(w, f, value, lo, --hi));
  }
  w->shown = true;
  explain(w, why, its);
}

// --- formulas ---

static void explain(struct way *w, const struct ir_ctl *f, bool value) {
  if (f->op <= IR_CTL_IFF) return explain_connective(w, f, value);
  if (is_forall(f->op) == value) return; // all runs together are why
  if (f->op >= IR_CTL_EBF) return go_bounded(w, f, value);
  w->shown = true;
  switch (f->op) {
  case IR_CTL_EX:
  case IR_CTL_AX: go_to(w, valued(w, f->left, value)); break;
  case IR_CTL_EF:
  case IR_CTL_AG: go_until(w, dd_copy(w->x->reached), valued(w, f->left, value)); break;
  case IR_CTL_EU: go_until(w, valued(w, f->left, true), valued(w, f->right, true)); break;
  case IR_CTL_AU: return deny_until(w, f);
  default: return go_round(w, valued(w, f->left, value));
  }
  explain(w, f->op == IR_CTL_EU ? f->right : f->left, value);
}

// AG from whichever start is nearest.
static void begin(struct way *w, const struct ir_ctl *f, dd bad) {
  struct reach *x = w->x;
  path_clear(w->path);
  if (f->op != IR_CTL_AG) {
    path_add(w->path, net_pick(&x->net, bad));
    return explain(w, f, false);
  }
  dd goal = valued(w, f->left, false);
  dd_and_to(&goal, dd_copy(x->fair_states));
  size_t ring = rings_find(&x->rings, goal);
  dd_and_to(&goal, dd_copy(x->rings.list.data[ring].nodes));
  dd node = net_pick(&x->net, goal);
  rings_path(&x->rings, &x->net, ring, node, w->path);
  dd_drop(goal);
  dd_drop(node);
  w->shown = true;
  explain(w, f->left, false);
}

void witness_ctl(struct reach *x, const struct ir_property *p, dd bad) {
  struct way w = {.x = x, .property = p, .path = &x->path};
  judge_claim(&x->judge, TRACE_PROPERTY, p->id);
  x->tracing = true;
  begin(&w, p->ctl, bad);
  if (w.shown) {
    x->pending = (struct trace){
        .end = TRACE_PROPERTY, .id = p->id, .has_loop = w.has_loop, .loop_start = w.loop};
    witness_follow(x, w.path, &x->pending);
    witness_add(x, &x->pending);
  }
  x->tracing = false;
}
