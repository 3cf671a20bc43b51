// SPDX-License-Identifier: Apache-2.0
// Properties with an automaton of bad runs, by lassos of its product with the model (as
// symbolic/product.c means it). At some time state and automaton are saved, later they are the same
// again, and in between something accepting was passed and every fairness constraint was met: the
// liveness-to-safety construction of Biere, Artho and Schuppan (FMICS 2002). Where only runs
// without end count, an automaton that is at its end stays there and accepts.
#include "bmc/run.h"

#include "ir/eval.h"
#include "sys/sys.h"

#include <string.h>

struct moment {               // of one time
  lit *claims;                // by number: the automaton is there; exactly one
  lit accepting, final, vain; // vain: it looks at a state in which an atom cannot be evaluated
  lit saved;                  // here
  lit inside;                 // or before
  lit same;                   // as what was saved
  lit seen;                   // accepting, since then
  lit *met, *given;           // per fairness constraint, since then
};

struct lasso {
  struct task *task;
  const struct ir_automaton *automaton;
  unsigned entered; // acceptance is on edges: the last bit of a claim tells whether the edge to it
                    // was accepting, the others are the automaton's state
  uint32_t claims;
  bool always;  // of AG p: p is the only atom
  bool endless; // only runs without end count
  struct relation_condition atoms[IR_ATOMS_MAX];
  uint32_t atom_count;
  struct relation_condition *met, *given; // per fairness constraint; no value: true
  lit *saved;                             // bits of a state, then claims
  VEC(struct moment) moments;
};

// --- what it speaks of ---

static bool may_fail(const struct relation_condition *c) {
  for (size_t i = 0; i < c->errors.count; i++)
    if (!term_is(c->errors.data[i].when, 0)) return true;
  return false;
}

// Of AG p: it waits for a state in which p is false.
static struct ir_automaton_edge waiting_edges[] = {{.yes = 1, .to = 0}, {.no = 1, .to = 1}};
static struct ir_automaton_state waiting_states[] = {{.edges = waiting_edges, .edge_count = 2},
                                                     {.final = true}};
static const struct ir_automaton waiting = {
    .states = waiting_states, .count = 2, .accept_atom = -1, .stuck_ends = true};

static bool find_atoms(struct lasso *l, struct text *why) {
  struct run *x = l->task->run;
  l->atom_count = ir_automaton_atoms(l->automaton);
  if (l->always) {
    const struct relation_condition *c = &l->task->condition;
    l->atoms[0].value = c->value;
    for (size_t i = 0; i < c->errors.count; i++) VEC_PUSH(&l->atoms[0].errors, c->errors.data[i]);
    return true;
  }
  for (uint32_t i = 0; i < l->atom_count; i++) {
    const struct ir_atom *a = x->model->atoms.data[i];
    if (!relation_condition(x->relation, &a->frame, a->expr, &l->atoms[i], why)) return false;
  }
  return true;
}

static bool fair_condition(struct lasso *l, const struct ir_fairness *f, const struct ir_expr *e,
                           struct relation_condition *out, struct text *why) {
  if (!e) return true;
  if (!relation_condition(l->task->run->relation, &f->frame, e, out, why)) return false;
  return !may_fail(out);
}

static bool find_fairness(struct lasso *l, struct text *why) {
  const struct ir_model *m = l->task->run->model;
  for (size_t i = 0; i < m->fairness.count; i++) {
    const struct ir_fairness *f = m->fairness.data[i];
    if (!fair_condition(l, f, f->expr, &l->met[i], why)) return false;
    if (f->compassion && !fair_condition(l, f, f->given, &l->given[i], why)) return false;
  }
  return true;
}

struct lasso *bmc_lasso_new(struct task *t, struct text *why) {
  struct run *x = t->run;
  struct lasso *l = mem_zalloc(1, sizeof *l);
  size_t fair = x->model->fairness.count;
  l->task = t;
  l->always = t->kind == TASK_ALWAYS;
  l->automaton = l->always ? &waiting : t->property->automaton;
  l->entered = l->automaton->on_edges;
  l->claims = l->automaton->count << l->entered;
  l->endless = l->always || fair > 0 || strcmp(x->model->language, "smv") == 0;
  l->met = mem_zalloc(fair + 1, sizeof *l->met);
  l->given = mem_zalloc(fair + 1, sizeof *l->given);
  bool good = find_atoms(l, why) && find_fairness(l, why) && !(fair && x->model->transient) &&
              (l->automaton->stuck_ends || machine_stutter(t->unit->machine));
  if (good) return l;
  bmc_lasso_free(l);
  return NULL;
}

void bmc_lasso_free(struct lasso *l) {
  if (!l) return;
  for (uint32_t i = 0; i < IR_ATOMS_MAX; i++) relation_condition_clear(&l->atoms[i]);
  for (size_t i = 0; i < l->task->run->model->fairness.count; i++) {
    relation_condition_clear(&l->met[i]);
    relation_condition_clear(&l->given[i]);
  }
  for (size_t i = 0; i < l->moments.count; i++) {
    mem_free(l->moments.data[i].claims);
    mem_free(l->moments.data[i].met);
    mem_free(l->moments.data[i].given);
  }
  VEC_CLEAR(&l->moments);
  mem_free(l->met);
  mem_free(l->given);
  mem_free(l->saved);
  mem_free(l);
}

// --- the automaton at a time ---

static struct machine *machine_of(const struct lasso *l) { return l->task->unit->machine; }

static lit constant(const struct lasso *l, bool value) {
  lit yes = sat_true(machine_of(l)->sat);
  return value ? yes : -yes;
}

static lit label(const struct lasso *l, size_t time, const struct ir_automaton_edge *e) {
  struct machine *m = machine_of(l);
  lit all = constant(l, true);
  for (uint32_t i = 0; i < l->atom_count; i++) {
    if (!((e->yes | e->no) >> i & 1)) continue;
    lit atom = machine_condition(m, time, &l->atoms[i]);
    if (e->yes >> i & 1) all = machine_and(m, all, atom);
    if (e->no >> i & 1) all = machine_and(m, all, -atom);
  }
  return all;
}

static bool looks(const struct lasso *l, uint32_t claim) {
  const struct ir_automaton_state *s = &l->automaton->states[claim >> l->entered];
  bool accepting = l->entered ? claim & 1 : s->accepting;
  bool sees = accepting && l->automaton->accept_atom >= 0;
  for (uint32_t i = 0; i < s->edge_count; i++) sees |= (s->edges[i].yes | s->edges[i].no) != 0;
  return sees;
}

static lit atoms_fail(const struct lasso *l, size_t time) {
  struct machine *m = machine_of(l);
  lit any = constant(l, false);
  for (uint32_t i = 0; i < l->atom_count; i++)
    for (size_t k = 0; k < l->atoms[i].errors.count; k++)
      any = machine_or(m, any, machine_condition_fails(m, time, &l->atoms[i], k));
  return any;
}

// Where the automaton may go from this claim: a literal for each.
static void find_moves(const struct lasso *l, size_t time, uint32_t claim, lit *moves) {
  struct machine *m = machine_of(l);
  const struct ir_automaton_state *s = &l->automaton->states[claim >> l->entered];
  lit passed = machine_passed(m, time), seen = constant(l, true);
  if (looks(l, claim)) seen = -atoms_fail(l, time);
  for (uint32_t i = 0; i < l->claims; i++) moves[i] = constant(l, false);
  for (uint32_t i = 0; i < s->edge_count; i++) {
    const struct ir_automaton_edge *e = &s->edges[i];
    uint32_t to = e->to << l->entered | (l->entered && e->accepting);
    moves[to] = machine_or(m, moves[to], machine_and(m, seen, label(l, time, e)));
  }
  if (s->final && l->endless) moves[claim] = constant(l, true);
  for (uint32_t i = 0; i < l->claims; i++) {
    moves[i] = machine_and(m, moves[i], -passed);
    if (i == claim) moves[i] = machine_or(m, moves[i], passed);
  }
}

static lit *first_claims(const struct lasso *l) {
  lit *claims = mem_alloc((l->claims + 1) * sizeof *claims);
  for (uint32_t i = 0; i < l->claims; i++) claims[i] = constant(l, i == 0);
  return claims;
}

static lit *next_claims(const struct lasso *l, size_t time, const lit *now) {
  struct machine *m = machine_of(l);
  lit *next = mem_alloc((l->claims + 1) * sizeof *next);
  lit *moves = mem_alloc((l->claims + 1) * sizeof *moves);
  for (uint32_t i = 0; i < l->claims; i++) next[i] = sat_var(m->sat);
  sat_clause(m->sat, next, l->claims);
  for (uint32_t i = 0; i < l->claims; i++) {
    for (uint32_t k = 0; k < i; k++) sat_clause2(m->sat, -next[i], -next[k]);
    if (now[i] == constant(l, false)) continue;
    find_moves(l, time, i, moves);
    for (uint32_t k = 0; k < l->claims; k++) sat_clause3(m->sat, -now[i], -next[k], moves[k]);
  }
  mem_free(moves);
  return next;
}

static void find_marks(const struct lasso *l, size_t time, struct moment *n) {
  struct machine *m = machine_of(l);
  const struct ir_automaton *a = l->automaton;
  lit there = -machine_passed(m, time), fail = atoms_fail(l, time);
  n->accepting = n->final = n->vain = constant(l, false);
  for (uint32_t i = 0; i < l->claims; i++) {
    const struct ir_automaton_state *s = &a->states[i >> l->entered];
    bool accepting = l->entered ? i & 1 : s->accepting;
    lit here = machine_and(m, n->claims[i], there);
    if (looks(l, i)) n->vain = machine_or(m, n->vain, machine_and(m, here, fail));
    if (s->final) n->final = machine_or(m, n->final, here);
    if (accepting) n->accepting = machine_or(m, n->accepting, here);
  }
  if (a->accept_atom >= 0)
    n->accepting =
        machine_and(m, n->accepting, machine_condition(m, time, &l->atoms[a->accept_atom]));
  n->accepting = machine_or(m, n->accepting, n->final);
}

// --- the loop ---

static void make_saved(struct lasso *l) {
  size_t count = machine_of(l)->bits + l->claims;
  if (l->saved) return;
  l->saved = mem_alloc((count + 1) * sizeof *l->saved);
  for (size_t i = 0; i < count; i++) l->saved[i] = sat_var(machine_of(l)->sat);
}

static lit is_saved(struct lasso *l, size_t time, const struct moment *n) {
  struct machine *m = machine_of(l);
  lit all = constant(l, true);
  make_saved(l);
  for (size_t i = 0; i < m->bits; i++)
    all = machine_and(m, all, -machine_xor(m, l->saved[i], machine_bit(m, time, i)));
  for (uint32_t i = 0; i < l->claims; i++)
    all = machine_and(m, all, -machine_xor(m, l->saved[m->bits + i], n->claims[i]));
  return all;
}

// The constraint's condition in the state at this time, the step from there being the agent's.
static lit condition_at(const struct lasso *l, size_t time, const struct relation_condition *c,
                        int32_t agent) {
  struct machine *m = machine_of(l);
  lit holds = c->value ? machine_condition(m, time, c) : constant(l, true);
  return agent < 0 ? holds : machine_and(m, holds, machine_moved_by(m, time, agent));
}

// Up to the time before the last one: there are steps from all of these.
static void look_back(struct lasso *l, size_t time, const struct moment *before, struct moment *n) {
  struct machine *m = machine_of(l);
  const struct ir_model *model = l->task->run->model;
  n->seen = machine_or(m, before->seen, machine_and(m, before->inside, before->accepting));
  for (size_t i = 0; i < model->fairness.count; i++) {
    const struct ir_fairness *f = model->fairness.data[i];
    lit met = condition_at(l, time - 1, &l->met[i], f->agent);
    lit given = f->compassion ? condition_at(l, time - 1, &l->given[i], -1) : constant(l, true);
    n->met[i] = machine_or(m, before->met[i], machine_and(m, before->inside, met));
    n->given[i] = machine_or(m, before->given[i], machine_and(m, before->inside, given));
  }
}

static void begin_loop(struct lasso *l, size_t time, lit inside_before, struct moment *n) {
  struct machine *m = machine_of(l);
  n->same = is_saved(l, time, n);
  n->saved = sat_var(m->sat);
  sat_clause2(m->sat, -n->saved, n->same);
  if (inside_before != constant(l, false)) sat_clause2(m->sat, -n->saved, -inside_before);
  n->inside = machine_or(m, inside_before, n->saved);
}

static void add_moment(struct lasso *l) {
  size_t time = l->moments.count, fair = l->task->run->model->fairness.count;
  struct moment n = {0}, before = {0};
  n.met = mem_alloc((fair + 1) * sizeof *n.met);
  n.given = mem_alloc((fair + 1) * sizeof *n.given);
  if (time == 0) {
    n.claims = first_claims(l);
    n.seen = constant(l, false);
    for (size_t i = 0; i < fair; i++) n.met[i] = n.given[i] = constant(l, false);
  } else {
    before = l->moments.data[time - 1];
    n.claims = next_claims(l, time - 1, before.claims);
    look_back(l, time, &before, &n);
  }
  find_marks(l, time, &n);
  begin_loop(l, time, time ? before.inside : constant(l, false), &n);
  VEC_PUSH(&l->moments, n);
}

static lit is_fair(const struct lasso *l, const struct moment *n) {
  struct machine *m = machine_of(l);
  const struct ir_model *model = l->task->run->model;
  lit all = constant(l, true);
  for (size_t i = 0; i < model->fairness.count; i++) {
    bool compassion = model->fairness.data[i]->compassion;
    lit met = compassion ? machine_or(m, n->met[i], -n->given[i]) : n->met[i];
    all = machine_and(m, all, met);
  }
  return all;
}

lit bmc_lasso_bad(struct task *t, size_t time) {
  struct lasso *l = t->lasso;
  struct machine *m = machine_of(l);
  while (l->moments.count <= time) add_moment(l);
  const struct moment *n = &l->moments.data[time];
  lit bad = l->endless ? constant(l, false) : n->final;
  bad = machine_or(m, bad, n->vain);
  if (time == 0) return bad;
  lit closed = machine_and(m, l->moments.data[time - 1].inside, n->same);
  closed = machine_and(m, closed, machine_and(m, n->seen, is_fair(l, n)));
  return machine_or(m, bad, closed);
}

// --- what was found ---

static uint32_t claim_at(const struct lasso *l, size_t time) {
  uint32_t i = 0;
  while (!sat_value(machine_of(l)->sat, l->moments.data[time].claims[i])) i++;
  return i >> l->entered;
}

static bool holds_at(const struct lasso *l, lit a) { return sat_value(machine_of(l)->sat, a); }

static size_t loop_start(const struct lasso *l) {
  size_t i = 0;
  while (!holds_at(l, l->moments.data[i].saved)) i++;
  return i;
}

// The first time at which the automaton is at its end: nothing that comes after is told. Else as
// given.
static size_t end_of(const struct lasso *l, size_t time, bool *final) {
  *final = true;
  for (size_t i = 0; i <= time; i++)
    if (holds_at(l, l->moments.data[i].final)) return i;
  *final = false;
  return time;
}

// The first atom that fails in run->state.
static uint32_t site_of(struct lasso *l) {
  struct run *x = l->task->run;
  if (l->always && task_evaluate(l->task) == IR_FAILED) return ir_eval_site(x->eval);
  for (uint32_t i = 0; i < l->atom_count; i++) {
    const struct ir_atom *a = x->model->atoms.data[i];
    bool value;
    if (ir_eval_bool(x->eval, &a->frame, a->expr, x->state, &value) == IR_FAILED)
      return ir_eval_site(x->eval);
  }
  assert(!"an atom that fails");
  return 0;
}

static void tell_fault(struct lasso *l, struct trace *trace) {
  struct judge *j = &l->task->run->judge;
  uint32_t site = site_of(l);
  judge_unknown(j, l->task->goal, "errors", NULL);
  trace->end = TRACE_SITE;
  trace->id = site;
  trace->in_property = true;
  trace->property = l->task->property->id;
  if (!judge_wants(j, TRACE_SITE, site)) return;
  judge_claim(j, TRACE_SITE, site);
  bmc_tell(l->task->run, trace);
}

static void tell_run(struct lasso *l, bool loop, struct trace *trace) {
  struct judge *j = &l->task->run->judge;
  trace->end = TRACE_PROPERTY;
  trace->id = l->task->property->id;
  trace->has_loop = loop;
  if (loop) trace->loop_start = loop_start(l);
  if (!judge_wants(j, TRACE_PROPERTY, trace->id)) return;
  judge_claim(j, TRACE_PROPERTY, trace->id);
  bmc_tell(l->task->run, trace);
}

void bmc_lasso_found(struct task *t, size_t time) {
  struct lasso *l = t->lasso;
  struct trace trace = {0};
  bool final;
  size_t end = end_of(l, time, &final);
  bool vain = !final && holds_at(l, l->moments.data[time].vain);
  if (l->always && final) end--; // it has seen the state before
  t->run->tracing = true;
  bmc_read(t->unit, t->run, end, &trace);
  for (size_t i = 0; i <= end && !l->always; i++) VEC_PUSH(&trace.claims, claim_at(l, i));
  if (vain)
    tell_fault(l, &trace);
  else
    tell_run(l, !final, &trace);
  trace_clear(&trace);
  task_close(t, false);
  t->run->tracing = false;
}
