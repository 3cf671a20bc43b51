// SPDX-License-Identifier: Apache-2.0
// The SAT engine's run. Tasks take turns: each looks some steps deeper for what it looks for, as
// long as the solver finds its questions easy, then something is done for a proof that there is
// nothing. Turns are measured in the solvers' work, not in time, so that runs can be repeated. The
// one boundary to which a run unwinds that is out of memory.
#include "bmc/bmc.h"

#include "bmc/run.h"
#include "ir/eval.h"
#include "relation/cone.h"

#include <string.h>

// --- budget ---

static void look_at_budget(struct run *x, double now) {
  const struct budget *b = &x->config->budget;
  if (x->tracing || x->judge.stop) return;
  if (interrupt_pending())
    x->judge.stop = "interrupted";
  else if (b->seconds > 0 && now - x->config->started >= b->seconds)
    x->judge.stop = "time";
  else if (b->mem_bytes && now >= x->memory_next) {
    x->memory_next = now + 0.05;
    if (mem_resident() > b->mem_bytes) x->judge.stop = "memory";
  }
  x->ended = x->judge.stop != NULL;
}

static void tell_progress(struct run *x, double now) {
  if (!x->config->progress || now < x->progress_next) return;
  x->progress_next = now + 0.1;
  x->shown.seconds = now - x->config->started;
  x->shown.mem_bytes = mem_resident();
  x->config->progress(x->config->progress_context, &x->shown);
}

bool run_goes_on(void *context) {
  struct run *x = context;
  double now = clock_seconds();
  look_at_budget(x, now);
  tell_progress(x, now);
  return !x->ended;
}

bool run_has_ended(const struct run *x) { return x->judge.stop != NULL; }

static void show(struct run *x, const struct task *t, const char *phase) {
  x->shown.phase = phase;
  x->shown.property = x->judge.result->properties.data[t->goal].name;
  x->shown.depth = t->clean;
  if (!t->unit->sat) return;
  x->shown.variables = sat_vars(t->unit->sat);
  x->shown.clauses = sat_clauses(t->unit->sat);
}

static void note_size(struct run *x, uint64_t variables, uint64_t clauses) {
  struct stats *s = &x->judge.result->stats;
  if (variables > s->sat_variables) s->sat_variables = variables;
  if (clauses > s->sat_clauses) s->sat_clauses = clauses;
}

// --- units ---

#define WORK_EASY          800    // of a solver (sat_work): some 30 ms
#define EXCLUDE_NODES      100000 // of diagrams made: some 15 ms
#define EXCLUDE_NODES_WORK 15     // for each unit of work, if that is more: a tenth of its time
#define EXCLUDE_NODES_MOST 5000000
#define EXCLUDE_AGAIN      4    // times as much work
#define EXCLUDE_BITS_MOST  1000 // of a state: what is done for each pair of them stays cheap

static bool open_unit(struct run *x, struct unit *u) {
  if (u->machine) return true;
  struct sat_config config = {.goes_on = run_goes_on, .context = x};
  u->sat = sat_new(&config);
  u->machine = machine_new_at_start(u->slice, u->sat, &x->why);
  if (u->leaves > x->judge.result->stats.cone_leaves)
    x->judge.result->stats.cone_leaves = u->leaves;
  u->total = relation_total(u->slice);
  u->exclude_at = x->config->exclusive_at_once ? 0 : WORK_EASY;
  if (!u->machine || !machine_assumptions_fail(u->machine)) return u->machine != NULL;
  text_printf(&x->why,
              "evaluating what is assumed of all states may fail, and this engine does not "
              "look for that; the others do");
  return false;
}

static void close_unit(struct unit *u) {
  machine_free(u->machine);
  sat_free(u->sat);
  u->machine = NULL;
  u->sat = NULL;
}

static void cannot(struct task *t, const char *detail) {
  struct judge *j = &t->run->judge;
  judge_settle(j, t->goal, "not checked");
  j->result->properties.data[t->goal].detail = detail;
  if (t->property) judge_unknown(j, t->goal, "not checked", detail);
  task_close(t, false);
}

// What cannot be said of this task is found out when its machine is there.
static void open_task(struct run *x, struct task *t) {
  struct machine *m = t->unit->machine;
  bool exact = true, known = true;
  if (t->kind == TASK_CYCLE || t->kind == TASK_ALWAYS) {
    t->unprovable = t->kind == TASK_CYCLE;
    t->lasso = bmc_lasso_new(t, &x->why);
    t->unit->total = false; // the automaton's runs may end
    if (!t->lasso)
      cannot(t, "a condition of it, or of a fairness constraint, may fail, or it cannot be said "
                "when a run gets stuck");
  } else if (t->kind == TASK_DEADLOCK) {
    machine_stuck(m, 0, x->config->deadlock == IR_DEADLOCK_STUTTERING, &exact);
    machine_fails(m, 0, &known);
    if (!exact || !known) cannot(t, "there are too many choices in a step");
  }
}

static bool open_all(struct run *x) {
  if (x->units.count == 0) { // nothing is looked for, but is there a start?
    task_make_unit(x);
    if (!open_unit(x, x->units.data[0])) return false;
  }
  for (size_t i = 0; i < x->tasks.count; i++) {
    if (!open_unit(x, x->tasks.data[i]->unit)) return false;
    open_task(x, x->tasks.data[i]);
  }
  return true;
}

// --- deepening ---

// The solver has shown that no run is this long: what was not found by now is not there.
static void end_unit(struct run *x, struct unit *u) {
  for (size_t i = 0; i < x->tasks.count; i++) {
    struct task *t = x->tasks.data[i];
    if (t->unit == u && !t->closed) task_close(t, true);
  }
}

static void note_depth(struct run *x, uint64_t depth) {
  struct stats *s = &x->judge.result->stats;
  if (depth > s->depth) s->depth = depth;
}

static void note_clean(struct task *t) {
  note_depth(t->run, t->clean);
  if (t->prove && !t->lasso) prove_tell_clean(t->prove, t->clean);
  t->clean++;
}

// Where questions are hard it is worth knowing which values exclude each other. Own units say more
// of their runs than who tells it knows.
static void exclude(struct run *x, struct unit *u) {
  const struct bmc_config *c = x->config;
  uint64_t *pairs = NULL, work = sat_work(u->sat);
  size_t count = 0, effort = EXCLUDE_NODES_WORK * work;
  if (!c->exclusive || u->own || x->model->transient || work < u->exclude_at) return;
  if (u->machine->bits > EXCLUDE_BITS_MOST) return;
  if (effort < EXCLUDE_NODES) effort = EXCLUDE_NODES;
  if (effort > EXCLUDE_NODES_MOST) effort = EXCLUDE_NODES_MOST;
  struct bmc_exclusive ask = {u->slice, effort, run_goes_on, x};
  bool known = c->exclusive(c->exclusive_context, &ask, &pairs, &count);
  u->exclude_at = known || effort == EXCLUDE_NODES_MOST ? UINT64_MAX : EXCLUDE_AGAIN * work;
  if (count) machine_exclude(u->machine, pairs, count);
  mem_free(pairs);
}

// Looks at the unit's last time. False: the solver did not get that far.
static bool look(struct task *t, uint32_t conflicts) {
  struct unit *u = t->unit;
  show(t->run, t, "bmc");
  lit bad = task_bad(u->machine, t->clean, t);
  note_size(t->run, sat_vars(u->sat), sat_clauses(u->sat));
  sat_limit(u->sat, conflicts);
  enum sat_answer answer = sat_solve(u->sat, &bad, 1);
  if (answer == SAT_YES) {
    note_depth(t->run, t->clean);
    task_found(t, t->clean);
  } else if (answer == SAT_NO) {
    bool none = !sat_failed(u->sat, bad);
    if (!none) sat_clause1(u->sat, -bad);
    note_clean(t);
    if (none) end_unit(t->run, u);
  }
  return answer == SAT_YES || answer == SAT_NO;
}

static bool is_limit(const struct run *x, uint64_t time) {
  return x->config->budget.depth_max && time >= x->config->budget.depth_max;
}

// All tasks look at a time before the step that leaves it is added: it takes out runs that end
// there. False: the solver did not get that far, or there is nothing more to do.
static bool look_all(struct run *x, struct unit *u, uint32_t conflicts) {
  size_t time = u->machine->times - 1;
  bool some = false;
  exclude(x, u);
  for (size_t i = 0; i < x->tasks.count; i++) {
    struct task *t = x->tasks.data[i];
    while (t->unit == u && !t->closed && t->clean <= time)
      if (run_has_ended(x) || !look(t, conflicts)) return false;
    some |= t->unit == u && !t->closed;
  }
  if (!some || is_limit(x, time)) return false;
  machine_extend(u->machine);
  return true;
}

static size_t count_open(const struct run *x, const struct unit *u) {
  size_t count = 0;
  for (size_t i = 0; i < x->tasks.count; i++)
    count += !x->tasks.data[i]->closed && (!u || x->tasks.data[i]->unit == u);
  return count;
}

static void deepen(struct run *x, struct unit *u, unsigned steps, uint32_t conflicts) {
  for (unsigned i = 0; i < steps && !run_has_ended(x); i++)
    if (!look_all(x, u, conflicts)) break;
  if (u->total || run_has_ended(x) || count_open(x, u) == 0) return;
  // Are there runs as long as this at all? A question with assumptions need not tell.
  sat_limit(u->sat, conflicts);
  if (sat_solve(u->sat, NULL, 0) == SAT_NO) end_unit(x, u);
}

// --- proofs ---

static void describe(struct task *t) {
  struct run *x = t->run;
  struct text how = {0};
  prove_describe(t->prove, &how);
  text_printf(&x->note, "%s%s: %s", x->note.count ? "; " : "",
              x->judge.result->properties.data[t->goal].name, text_str(&how));
  text_clear(&how);
}

static bool begin_proof(struct task *t) {
  struct run *x = t->run;
  struct prove_config c = {.relation = t->unit->slice,
                           .goal = {task_bad_to_prove, t},
                           .method = x->config->proof,
                           .goes_on = run_goes_on,
                           .context = x};
  struct text why = {0};
  t->prove = prove_new(&c, &why);
  text_clear(&why);
  if (t->prove && t->clean && !t->lasso) prove_tell_clean(t->prove, t->clean - 1);
  return t->prove != NULL;
}

static void prove(struct task *t, uint64_t effort) {
  struct run *x = t->run;
  if (!t->prove && !begin_proof(t)) t->unprovable = true;
  if (t->unprovable) return;
  show(x, t, prove_phase(t->prove));
  enum prove_answer answer = prove_step(t->prove, effort);
  note_size(x, prove_variables(t->prove), prove_clauses(t->prove));
  if (answer == PROVE_HOLDS) {
    describe(t);
    task_close(t, true);
  } else if (answer == PROVE_GAVE_UP || answer == PROVE_VIOLATED) {
    t->unprovable = true;
  }
}

// --- turns ---

#define STEPS_A_TURN     8
#define CONFLICTS_A_TURN 1000
#define EFFORT_A_TURN    100

static bool proves(const struct task *t) {
  return !t->closed && !t->unprovable && t->run->config->proof != BMC_PROOF_NONE;
}

static size_t count_proofs(const struct run *x) {
  size_t count = 0;
  for (size_t i = 0; i < x->tasks.count; i++) count += proves(x->tasks.data[i]);
  return count;
}

// Whoever is alone, and proves nothing, need not stop for others.
static void deepen_all(struct run *x, uint64_t more) {
  for (size_t i = 0; i < x->units.count && !run_has_ended(x); i++) {
    struct unit *u = x->units.data[i];
    size_t mine = count_open(x, u);
    bool alone = mine == count_open(x, NULL) && count_proofs(x) == 0;
    if (mine) deepen(x, u, STEPS_A_TURN, alone ? 0 : (uint32_t)(CONFLICTS_A_TURN * more));
    if (mine && count_open(x, u) == 0) close_unit(u);
  }
}

static void prove_all(struct run *x, uint64_t more) {
  for (size_t i = 0; i < x->tasks.count && !run_has_ended(x); i++) {
    struct task *t = x->tasks.data[i];
    if (proves(t)) prove(t, EFFORT_A_TURN * more);
    if (t->closed || proves(t) || !t->clean || !is_limit(x, t->clean - 1)) continue;
    judge_settle(&x->judge, t->goal, "depth");
    task_close(t, false);
  }
}

static void take_turns(struct run *x) {
  for (unsigned turn = 0; count_open(x, NULL) > 0 && !run_has_ended(x); turn++) {
    uint64_t more = turn < 20 ? UINT64_C(1) << turn / 2 : 1024;
    deepen_all(x, more);
    prove_all(x, more);
  }
}

// --- starts ---

static void tell_failing_start(struct run *x) {
  uint32_t instance;
  struct sat_config config = {.goes_on = run_goes_on, .context = x};
  if (!machine_failing_start(x->relation, &config, &instance, x->values)) return;
  const struct ir_rule *r = ir_instance(x->model, true, instance, x->params);
  struct trace t = {.start_instance = instance};
  t.start_choice = trace_keep_choices(&t, r, x->values);
  enum ir_outcome o = ir_eval_body(x->eval, r, x->params, x->values, x->state);
  assert(o == IR_FAILED && "the interpreter has the last word");
  (void)o;
  x->judge.faults = true;
  t.end = TRACE_SITE;
  t.id = ir_eval_site(x->eval);
  judge_claim(&x->judge, TRACE_SITE, t.id);
  bmc_tell(x, &t);
}

// Of the first unit: what is assumed of starts is in every slice.
static bool has_start(struct run *x) { return sat_solve(x->units.data[0]->sat, NULL, 0) != SAT_NO; }

// --- the whole ---

static void make_room(struct run *x) {
  const struct ir_model *m = x->model;
  size_t params, choices;
  ir_widest(m, &params, &choices);
  x->params = mem_zalloc(params + 1, sizeof *x->params);
  x->values = mem_zalloc(choices + 1, sizeof *x->values);
  x->leaves = mem_zalloc(m->layout->count + 1, sizeof *x->leaves);
  x->state = mem_zalloc(m->layout->words + 1, sizeof *x->state);
  x->eval = ir_eval_new(m);
}

static void run(struct run *x) {
  struct relation_config config = {.goes_on = run_goes_on, .context = x};
  x->shown.phase = "relation";
  make_room(x);
  x->relation = relation_new(x->model, &config, &x->why);
  if (!x->relation || !task_make_all(x)) {
    if (!x->judge.stop) x->judge.stop = "cannot";
    return;
  }
  tell_failing_start(x);
  if (x->judge.stop) return;
  if (!open_all(x)) {
    if (!x->judge.stop) x->judge.stop = "cannot";
  } else if (has_start(x)) {
    take_turns(x);
  } else {
    x->judge.stop = "no start state";
  }
}

static void fill_stats(struct run *x, double begun) {
  struct stats *t = &x->judge.result->stats;
  double now = clock_seconds();
  t->seconds = now - begun;
  t->total_seconds = now - x->config->started;
  t->state_bits = x->model->layout->bits;
  t->peak_bytes = mem_resident_peak();
  t->threads = 1;
}

// To which depth all tasks have looked.
static void fill_depth(struct run *x) {
  struct result *r = x->judge.result;
  uint64_t least = UINT64_MAX;
  for (size_t i = 0; i < x->tasks.count; i++) {
    const struct task *t = x->tasks.data[i];
    if (x->judge.done[t->goal]) continue;
    if (t->clean < least) least = t->clean;
  }
  // (Where states are passed through, others count a chain of steps as one.)
  r->depth_known = least != UINT64_MAX && least > 0 && !x->model->transient;
  if (r->depth_known) r->depth_complete = least - 1;
}

static void draw(struct run *x) {
  struct result *r = x->judge.result;
  if (x->judge.stop) x->judge.first_stop = x->judge.stop;
  judge_draw(&x->judge);
  if (x->note.count) r->note = mem_strdup(text_str(&x->note));
  if (!x->judge.stop || strcmp(x->judge.stop, "cannot") != 0) return;
  struct text t = {0};
  text_printf(&t, "cannot: %s", text_str(&x->why));
  mem_free(r->reason);
  r->reason = t.data;
}

static void clear(struct run *x) {
  for (size_t i = 0; i < x->tasks.count; i++) task_free(x->tasks.data[i]);
  for (size_t i = 0; i < x->units.count; i++) close_unit(x->units.data[i]);
  for (size_t i = 0; i < x->units.count; i++) {
    struct unit *u = x->units.data[i];
    bool shared = u->slice == x->relation;
    if (!shared) relation_free(u->slice);
    mem_free(u);
  }
  VEC_CLEAR(&x->tasks);
  VEC_CLEAR(&x->units);
  relation_free(x->relation);
  if (x->eval) ir_eval_free(x->eval);
  mem_free(x->params);
  mem_free(x->values);
  mem_free(x->leaves);
  mem_free(x->state);
  text_clear(&x->why);
  text_clear(&x->note);
  judge_clear(&x->judge);
}

void bmc_run(const struct bmc_config *c, struct result *r) {
  double begun = clock_seconds();
  struct run *x = mem_zalloc(1, sizeof *x); // on the heap: its fields survive the jump
  struct judge_config judging = {.model = c->model,
                                 .deadlock = c->deadlock,
                                 .max_errors = c->max_errors,
                                 .settle = c->settle,
                                 .property_on = c->property_on};
  x->config = c;
  x->model = c->model;
  r->engine = "bmc";
  r->search = "bmc";
  r->store = NULL;
  judge_init(&x->judge, &judging, r);
  struct mem_boundary boundary;
  if (mem_boundary_enter(&boundary)) {
    if (!x->ended) x->judge.stop = "memory";
  } else {
    run(x);
    mem_boundary_leave(&boundary);
  }
  fill_stats(x, begun);
  fill_depth(x);
  draw(x);
  clear(x);
  mem_free(x);
}
