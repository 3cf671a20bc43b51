// SPDX-License-Identifier: Apache-2.0
// What is looked for: which properties this engine can check, the slice of the model that each
// needs, when a state is wrong, and what is said of one that was found.
#include "bmc/run.h"

#include "ir/eval.h"
#include "relation/cone.h"

#include <string.h>

// --- conditions ---

static const struct term *connect(struct terms *t, enum ir_ctl_op op, const struct term *a,
                                  const struct term *b) {
  switch (op) {
  case IR_CTL_NOT: return term_not(t, a);
  case IR_CTL_AND: return term_and(t, a, b);
  case IR_CTL_OR: return term_or(t, a, b);
  case IR_CTL_IMPLIES: return term_or(t, term_not(t, a), b);
  default: return term_binary(t, TERM_EQ, a, b);
  }
}

// A formula without temporal operators as one term. Faults of its atoms are gathered in `out`.
static bool formula(struct run *x, const struct ir_property *p, const struct ir_ctl *f,
                    struct relation_condition *out, const struct term **value) {
  const struct term *a = NULL, *b = NULL;
  if (f->op == IR_CTL_ATOM) {
    struct relation_condition c;
    if (!relation_condition(x->relation, &p->frame, f->expr, &c, &x->why)) return false;
    for (size_t i = 0; i < c.errors.count; i++) VEC_PUSH(&out->errors, c.errors.data[i]);
    *value = c.value;
    relation_condition_clear(&c);
    return true;
  }
  if (f->left && !formula(x, p, f->left, out, &a)) return false;
  if (f->right && !formula(x, p, f->right, out, &b)) return false;
  *value = connect(x->relation->terms, f->op, a, b);
  return true;
}

static bool find_condition(struct task *t) {
  struct run *x = t->run;
  const struct ir_property *p = t->property;
  if (t->kind == TASK_DEADLOCK) {
    static const struct ir_frame none;
    return !x->model->valid_end ||
           relation_condition(x->relation, &none, x->model->valid_end, &t->condition, &x->why);
  }
  if (t->kind != TASK_STATE && t->kind != TASK_ALWAYS) return true;
  if (p->kind == IR_PROP_CTL)
    return formula(x, p, p->ctl->left, &t->condition, &t->condition.value);
  return relation_condition(x->relation, &p->frame, p->expr, &t->condition, &x->why);
}

// --- slices ---

static struct unit *unit_of(struct run *x, struct relation *slice, uint64_t leaves, bool own) {
  for (size_t i = 0; !own && i < x->units.count; i++)
    if (x->units.data[i]->slice == slice && !x->units.data[i]->own) return x->units.data[i];
  struct unit *u = mem_zalloc(1, sizeof *u);
  u->slice = slice;
  u->leaves = leaves;
  u->own = own;
  VEC_PUSH(&x->units, u);
  return u;
}

static struct relation *known_slice(const struct run *x, const struct relation *slice) {
  size_t words = x->model->layout->count / 64 + 1;
  for (size_t i = 0; i < x->units.count; i++) {
    struct relation *other = x->units.data[i]->slice;
    if (!other->kept || memcmp(other->kept, slice->kept, words * sizeof *slice->kept) != 0)
      continue;
    bool same = true;
    for (size_t k = 0; k < slice->rules.count && same; k++)
      same = slice->rules.data[k].guard == other->rules.data[k].guard &&
             slice->rules.data[k].errors.count == other->rules.data[k].errors.count;
    if (same) return other;
  }
  return NULL;
}

static bool is_sliced(const struct task *t) {
  const struct run *x = t->run;
  return x->config->cone && !x->model->transient &&
         (t->kind == TASK_STATE || t->kind == TASK_ERRORS);
}

static void slice(struct task *t, const struct cone *cone) {
  struct run *x = t->run;
  struct relation *slice = relation_slice(x->relation, cone), *known = known_slice(x, slice);
  if (known) relation_free(slice);
  t->unit = unit_of(x, known ? known : slice, cone->count, false);
}

// Tasks with the same slice share a unit; runs without end have their own, with more in it.
static void find_unit(struct task *t) {
  struct run *x = t->run;
  uint64_t all = x->model->layout->count;
  bool cyclic = t->kind == TASK_CYCLE || t->kind == TASK_ALWAYS;
  struct cone cone = {.whole = true};
  if (is_sliced(t)) {
    struct support s;
    support_init(&s, x->relation);
    unsigned what = t->property ? support_property(&s, t->property) : CONE_ERRORS;
    cone_init(&cone, x->relation, s.leaves, what);
    support_clear(&s);
  }
  if (cone.whole)
    t->unit = unit_of(x, x->relation, all, cyclic);
  else
    slice(t, &cone);
  cone_clear(&cone);
}

// --- which there are ---

static struct task *add(struct run *x, enum task_kind kind, const struct ir_property *p,
                        size_t goal) {
  struct task *t = mem_zalloc(1, sizeof *t);
  *t = (struct task){.run = x, .kind = kind, .property = p, .goal = goal};
  VEC_PUSH(&x->tasks, t);
  return t;
}

static bool is_always(const struct run *x, const struct ir_property *p) {
  return p->kind == IR_PROP_CTL && p->ctl && p->ctl->op == IR_CTL_AG &&
         ir_ctl_is_condition(p->ctl->left) && !x->model->transient;
}

static enum task_kind kind_of(const struct run *x, const struct ir_property *p) {
  if (p->kind == IR_PROP_COVER && !p->expr) return TASK_COVER;
  if (p->kind != IR_PROP_CTL) return TASK_STATE;
  return relation_always(x->relation, p) ? TASK_STATE : TASK_ALWAYS;
}

static void add_property(struct run *x, const struct ir_property *p) {
  struct judge *j = &x->judge;
  bool plain = p->kind == IR_PROP_INVARIANT || p->kind == IR_PROP_COVER;
  if (p->kind == IR_PROP_ASSUME || !judge_on(j, p->id)) return;
  if (plain || is_always(x, p))
    add(x, kind_of(x, p), p, p->id);
  else if (ir_prop_cyclic(p->kind) && p->automaton)
    add(x, TASK_CYCLE, p, p->id);
  else if (ir_prop_cyclic(p->kind))
    judge_unknown(j, p->id, "not checked", p->unchecked);
  else
    judge_unknown(j, p->id, "not checked", "of such formulas this engine checks AG of a condition");
}

static void note_faults(const struct task *t) {
  for (size_t i = 0; t->property && i < t->condition.errors.count; i++)
    if (!term_is(t->condition.errors.data[i].when, 0)) t->run->judge.property_may_fail[t->goal] = 1;
}

bool task_make_all(struct run *x) {
  size_t n = x->model->properties.count;
  for (size_t i = 0; i < n; i++) add_property(x, x->model->properties.data[i]);
  if (relation_fails(x->relation))
    add(x, TASK_ERRORS, NULL, n);
  else
    judge_settle(&x->judge, n, NULL);
  if (x->config->deadlock != IR_DEADLOCK_OFF) add(x, TASK_DEADLOCK, NULL, n + 1);
  for (size_t i = 0; i < x->tasks.count; i++) {
    if (!find_condition(x->tasks.data[i])) return false;
    note_faults(x->tasks.data[i]);
    find_unit(x->tasks.data[i]);
  }
  return true;
}

void task_make_unit(struct run *x) { unit_of(x, x->relation, x->model->layout->count, false); }

void task_free(struct task *t) {
  relation_condition_clear(&t->condition);
  prove_free(t->prove);
  bmc_lasso_free(t->lasso);
  mem_free(t);
}

// --- what is wrong ---

static lit bad_state(struct machine *m, size_t time, const struct task *t) {
  bool cover = t->property->kind == IR_PROP_COVER;
  lit good = machine_condition(m, time, &t->condition), bad = cover ? good : -good;
  if (t->reached) bad = -sat_true(m->sat);
  for (size_t i = 0; (t->faulty || cover) && i < t->condition.errors.count; i++) {
    lit fails = machine_condition_fails(m, time, &t->condition, i);
    bad = t->faulty ? machine_and(m, bad, -fails) : machine_or(m, bad, fails);
  }
  return machine_and(m, bad, -machine_passed(m, time));
}

static lit bad_deadlock(struct machine *m, size_t time, const struct task *t) {
  bool exact, known;
  bool stuttering = t->run->config->deadlock == IR_DEADLOCK_STUTTERING;
  lit stuck = machine_stuck(m, time, stuttering, &exact), fails = machine_fails(m, time, &known);
  assert(exact && known); // task_sayable
  stuck = machine_and(m, stuck, -fails);
  if (t->condition.value) stuck = machine_and(m, stuck, -machine_condition(m, time, &t->condition));
  return machine_and(m, stuck, -machine_passed(m, time));
}

lit task_bad(struct machine *m, size_t time, void *task) {
  struct task *t = task;
  switch (t->kind) {
  case TASK_STATE: return bad_state(m, time, t);
  case TASK_COVER: return machine_covers(m, time, t->property->id);
  case TASK_ERRORS: return machine_failing(m, time);
  case TASK_DEADLOCK: return bad_deadlock(m, time, t);
  default: return bmc_lasso_bad(t, time);
  }
}

// What holds in every state holds in those of fair runs, too.
lit task_bad_to_prove(struct machine *m, size_t time, void *task) {
  struct task *t = task;
  return t->kind == TASK_ALWAYS ? bad_state(m, time, t) : task_bad(m, time, t);
}

// --- what was found ---

void task_close(struct task *t, bool holds) {
  struct judge *j = &t->run->judge;
  t->closed = true;
  prove_free(t->prove);
  t->prove = NULL;
  if (!holds) return;
  judge_settle(j, t->goal, NULL);
  if (t->property) j->property_holds[t->goal] = 1;
}

static void claim(struct task *t, enum trace_end end, uint32_t id, struct trace *trace) {
  struct judge *j = &t->run->judge;
  if (judge_wants(j, end, id)) {
    judge_claim(j, end, id);
    trace->end = end;
    trace->id = id;
    bmc_tell(t->run, trace);
  }
  trace_clear(trace);
}

// Evaluating it fails in run->state: told, and from now on only what is false counts.
static void found_fault(struct task *t, struct trace *trace) {
  uint32_t site = ir_eval_site(t->run->eval);
  t->run->judge.property_faulty[t->goal] = 1;
  t->faulty = true;
  prove_free(t->prove);
  t->prove = NULL;
  trace->in_property = true;
  trace->property = (uint32_t)t->goal;
  claim(t, TRACE_SITE, site, trace);
  if (t->property->kind == IR_PROP_COVER) task_close(t, false);
}

static enum ir_outcome evaluate(struct task *t, const struct ir_ctl *f) {
  bool value;
  if (f && f->op != IR_CTL_ATOM) {
    enum ir_outcome o = f->left ? evaluate(t, f->left) : IR_OK;
    return o == IR_OK && f->right ? evaluate(t, f->right) : o;
  }
  const struct ir_expr *e = f ? f->expr : t->property->expr;
  return ir_eval_bool(t->run->eval, &t->property->frame, e, t->run->state, &value);
}

int task_evaluate(struct task *t) {
  return evaluate(t, t->property->kind == IR_PROP_CTL ? t->property->ctl->left : NULL);
}

static void found_cover(struct task *t) {
  t->run->judge.covers[t->goal / 64] |= UINT64_C(1) << (t->goal % 64);
  for (size_t i = 0; i < t->condition.errors.count; i++)
    t->reached |= !term_is(t->condition.errors.data[i].when, 0);
  prove_free(t->prove); // of another goal
  t->prove = NULL;
  if (!t->reached) task_close(t, false);
}

static void found_state(struct task *t, struct trace *trace) {
  const struct ir_property *p = t->property;
  if (task_evaluate(t) == IR_FAILED) return found_fault(t, trace);
  if (p->kind == IR_PROP_COVER) return found_cover(t);
  claim(t, TRACE_PROPERTY, p->id, trace);
  task_close(t, false);
}

// Faults at other sites are not looked for: those that are found first are told.
static void found_error(struct task *t, size_t time, struct trace *trace) {
  struct run *x = t->run;
  uint32_t instance, site;
  bool found = machine_failing_step(t->unit->machine, time, &instance, x->values, &site);
  assert(found);
  (void)found;
  bool fine = bmc_read_step(t->unit, x, instance, trace);
  assert(!fine && "the interpreter has the last word");
  (void)fine;
  x->judge.faults = true;
  claim(t, TRACE_SITE, ir_eval_site(x->eval), trace);
  task_close(t, false);
}

void task_found(struct task *t, size_t time) {
  struct run *x = t->run;
  struct trace trace = {0};
  if (t->lasso) return bmc_lasso_found(t, time);
  if (t->kind == TASK_COVER) return found_cover(t);
  x->tracing = true;
  bmc_read(t->unit, x, time, &trace);
  if (t->kind == TASK_STATE) {
    found_state(t, &trace);
  } else if (t->kind == TASK_ERRORS) {
    found_error(t, time, &trace);
  } else {
    claim(t, TRACE_DEADLOCK, 0, &trace);
    task_close(t, false);
  }
  trace_clear(&trace);
  x->tracing = false;
}
