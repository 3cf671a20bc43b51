// SPDX-License-Identifier: Apache-2.0
// fathom simulate: a random walk through the interpreter. Each start and each successor is equally
// likely; the walk ends at a violation, a deadlock, its last step, or an interrupt.
#include "cli/cli.h"

#include "ir/eval.h"
#include "sys/sys.h"

#include <string.h>

#define STEPS_UNLESS_SAID 100

struct walk {
  struct sys *sys;
  struct ir_eval *eval;
  const struct report_run *run;
  uint8_t *property_on;
  uint64_t steps_max;
  struct rng rng;
  struct sys_out out;
  uint64_t *state;
  struct trace trace;
  const char *stop; // why the walk ended, when it found nothing
  bool found;       // trace.end says what
  bool started;
  double began;
};

static void find(struct walk *w, enum trace_end how, uint32_t id) {
  w->trace.end = how;
  w->trace.id = id;
  w->found = true;
}

// Properties are not about states that are only passed through.
static bool passes_through(const struct walk *w) {
  const struct ir_model *m = w->run->model;
  return m->transient != NULL &&
         ir_leaf_get(&m->layout->leaf[m->transient->first_leaf], w->state) != 0;
}

static void check_state(struct walk *w) {
  const struct ir_model *m = w->run->model;
  if (passes_through(w)) return;
  for (uint32_t i = 0; i < m->properties.count && !w->found; i++) {
    const struct ir_property *p = m->properties.data[i];
    bool value = true;
    if (p->kind != IR_PROP_INVARIANT || !w->property_on[i]) continue;
    if (ir_eval_bool(w->eval, &p->frame, p->expr, w->state, &value) == IR_FAILED) {
      find(w, TRACE_SITE, ir_eval_site(w->eval));
      w->trace.in_property = true;
      w->trace.property = i;
    } else if (!value) {
      find(w, TRACE_PROPERTY, i);
    }
  }
}

// Takes one of the successors in w->out: into w->state, or to the end if firing it fails.
static struct sys_step take_one(struct walk *w) {
  uint64_t k = rng_below(&w->rng, w->out.count);
  struct sys_step step = w->out.steps[k];
  if (step.site != 0 && w->run->model->sites.data[step.site].fault == IR_FAULT_LIMIT)
    w->stop = "it comes to what the front end could not carry";
  else if (step.site != 0)
    find(w, TRACE_SITE, step.site);
  else
    memcpy(w->state, w->out.words + k * w->sys->words, w->sys->words * sizeof *w->state);
  return step;
}

static bool at_valid_end(struct walk *w) {
  struct ir_frame none = {0};
  bool value = false;
  const struct ir_expr *valid = w->run->model->valid_end;
  return valid != NULL && ir_eval_bool(w->eval, &none, valid, w->state, &value) == IR_OK && value;
}

static bool is_deadlock(struct walk *w) {
  if (w->run->deadlock == IR_DEADLOCK_OFF || at_valid_end(w)) return false;
  for (size_t i = 0; i < w->out.count; i++)
    if (w->out.steps[i].site != 0) return false;
  return w->run->deadlock == IR_DEADLOCK_STUTTERING ? !w->out.moved : w->out.fired == 0;
}

static void step_on(struct walk *w) {
  sys_out_reset(&w->out);
  w->sys->expand(w->sys, w->state, &w->out);
  if (is_deadlock(w)) {
    find(w, TRACE_DEADLOCK, 0);
  } else if (w->out.count == 0) {
    w->stop = "no rule can be fired";
  } else {
    struct sys_step step = take_one(w);
    if (w->stop != NULL) return;
    VEC_PUSH(&w->trace.steps, ((struct trace_step){step.instance, step.choice}));
    if (!w->found) check_state(w);
  }
}

static void walk(struct walk *w) {
  w->trace.end = TRACE_WITNESS;
  w->sys->starts(w->sys, &w->out);
  if (w->out.count == 0) {
    w->stop = "no start state";
    return;
  }
  struct sys_step start = take_one(w);
  w->trace.start_instance = start.instance;
  w->trace.start_choice = start.choice;
  w->started = true;
  if (!w->found) check_state(w);
  while (!w->found && w->stop == NULL) {
    if (interrupt_pending())
      w->stop = "interrupted";
    else if (w->trace.steps.count >= w->steps_max)
      w->stop = "depth";
    else
      step_on(w);
  }
}

// ---------------------------------------------------------------------------------------------

static void print_walk(const struct options *o, const struct report_run *run,
                       const struct result *r, const struct replay *replays) {
  struct report_text t = cli_text(o);
  const struct trace *trace = r->traces.data;
  if (!t.quiet)
    fprintf(t.out, "%s: random walk, seed %llu\n", run->path, (unsigned long long)o->seed);
  if (trace == NULL) {
    fputs("unknown (no start state)\n", t.out);
  } else if (trace->end == TRACE_WITNESS) {
    report_text_steps(&t, run, trace, replays);
    fprintf(t.out, "%s%zu steps, no violation (%s)\n", t.quiet ? "" : "\n", trace->steps.count,
            strcmp(r->reason, "depth") == 0 ? "the walk was long enough" : r->reason);
  } else {
    if (!t.quiet) fputc('\n', t.out);
    report_text_violation(&t, run, trace, replays);
  }
}

static enum cli_exit report(const struct options *o, const struct cli_model *m,
                            const struct report_run *run, struct walk *w, struct cli_files *files) {
  struct result r = {
      .verdict = w->found ? VERDICT_VIOLATED : VERDICT_UNKNOWN,
      .reason = w->found ? NULL : mem_strdup(w->stop),
      .engine = "explicit",
      .search = "random walk",
      .store = "none",
      .stats = {.depth = w->trace.steps.count,
                .transitions = w->trace.steps.count,
                .state_bits = run->model->layout->bits,
                .peak_bytes = mem_resident_peak(),
                .seconds = clock_seconds() - w->began},
  };
  if (w->started) VEC_PUSH(&r.traces, w->trace);
  w->trace = (struct trace){0}; // r owns its steps now
  enum cli_exit code = w->found ? CLI_VIOLATED : CLI_HOLDS;
  struct replay *replays = cli_replay_all(m, run, &r);
  if (replays == NULL) {
    code = CLI_BUG;
  } else {
    if (!files->alone) print_walk(o, run, &r, replays);
    cli_files_write(files, run, &r, replays, &code);
    cli_replays_free(replays, r.traces.count);
  }
  result_clear(&r);
  return code;
}

static void walk_init(struct walk *w, const struct options *o, const struct report_run *run) {
  struct sys_config config = {.mode = SYS_INTERPRETED};
  w->sys = sys_new(run->model, &config);
  w->run = run;
  w->eval = ir_eval_new(run->model);
  w->steps_max = o->depth > 0 ? o->depth : STEPS_UNLESS_SAID;
  w->state = mem_zalloc(w->sys->words + 1, sizeof *w->state);
  rng_init(&w->rng, o->seed);
  sys_out_init(&w->out, w->sys->words, run->model->properties.count);
}

static void walk_clear(struct walk *w) {
  sys_out_clear(&w->out);
  trace_clear(&w->trace);
  ir_eval_free(w->eval);
  sys_free(w->sys);
  mem_free(w->state);
}

// Walks and reports. Where the model is not laid out for the walk's next step it is laid out anew,
// and *again is set.
static enum cli_exit simulate(const struct options *o, struct cli_model *m, struct cli_files *files,
                              double began, bool *again) {
  struct report_run run = cli_run(o, m);
  const struct capability any = {.engine = "explicit", .kinds = 1u << IR_PROP_INVARIANT};
  struct walk w = {.property_on = cli_properties_on(o, m->model, &any), .began = began};
  if (w.property_on == NULL) return CLI_USAGE;
  walk_init(&w, o, &run);
  walk(&w);
  *again = !cli_model_planned(m->model, &w.trace);
  uint32_t site = w.trace.id;
  enum cli_exit code = *again ? CLI_HOLDS : report(o, m, &run, &w, files);
  uint64_t *before = w.state;
  w.state = NULL;
  mem_free(w.property_on);
  walk_clear(&w);
  if (*again) {
    struct cli_model_request request = cli_model_request_of(o);
    code = cli_model_learn(m, &request, site, before, &files->json);
  }
  mem_free(before);
  return code;
}

enum cli_exit cli_simulate(const struct options *o) {
  struct cli_files files;
  struct cli_model m = {0};
  struct cli_model_request request = cli_model_request_of(o);
  if (!cli_files_open(&files, o)) return CLI_USAGE;
  double began = clock_seconds();
  enum cli_exit code = cli_model_load(&m, &request, &files.json);
  if (code == CLI_HOLDS && !cli_text_possible(o, &m)) code = CLI_USAGE;
  struct text why = {0};
  if (code == CLI_HOLDS && !cli_model_numbered(m.model, &why))
    code = cli_refuse("%s", text_str(&why));
  text_clear(&why);
  bool again = code == CLI_HOLDS;
  while (again && code == CLI_HOLDS) code = simulate(o, &m, &files, began, &again);
  cli_files_discard(&files);
  cli_model_free(&m);
  return code;
}
