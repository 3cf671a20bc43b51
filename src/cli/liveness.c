// SPDX-License-Identifier: Apache-2.0
// Traces that violate a liveness property: they lead to a state from which no state can be reached
// any more in which the condition holds. Nothing on the trace shows that; so what can be reached
// from its end is walked through once more, by the interpreter, before anyone sees it.
#include "cli/cli.h"

#include "ir/eval.h"
#include "reduce/reduce.h"
#include "store/store.h"
#include "sys/sys.h"

// More states behind the end are not walked through.
#define STATES_MAX 1000000

struct walk {
  const struct ir_model *model;
  const struct ir_property *property;
  struct ir_eval *eval;
  struct sys *sys;
  struct store *store;
  struct sys_out out;
  uint64_t *state;
  uint64_t instances;
  bool *reached; // by instance
  bool failed;   // evaluating the condition failed somewhere
};

static uint64_t count_instances(const struct ir_property *p) {
  uint64_t n = 1;
  for (uint32_t i = 0; i < p->param_count; i++) n *= ir_domain_count(p->frame.locals[i]->domain);
  return n;
}

// The last parameter runs fastest.
static void instance_params(const struct ir_property *p, uint64_t instance, int64_t *params) {
  for (uint32_t i = p->param_count; i-- > 0;) {
    const struct ir_domain *d = p->frame.locals[i]->domain;
    params[i] = ir_domain_value(d, instance % ir_domain_count(d));
    instance /= ir_domain_count(d);
  }
}

static void look(struct walk *w) {
  const struct ir_property *p = w->property;
  const struct ir_rule asked = {
      .name = p->name, .frame = p->frame, .param_count = p->param_count, .guard = p->expr};
  int64_t *params = mem_zalloc(p->param_count + 1, sizeof *params);
  for (uint64_t i = 0; i < w->instances; i++) {
    if (w->reached[i]) continue;
    instance_params(p, i, params);
    enum ir_outcome o = ir_eval_guard(w->eval, &asked, params, NULL, w->state);
    w->reached[i] = o == IR_OK;
    w->failed = w->failed || o == IR_FAILED;
  }
  mem_free(params);
}

static void put(struct walk *w, const uint64_t *state) {
  uint64_t id;
  store_insert(w->store, state, &id);
}

static void walk(struct walk *w, const uint64_t *from) {
  put(w, from);
  for (uint64_t id = 0; id < store_count(w->store) && id < STATES_MAX; id++) {
    store_get(w->store, id, w->state);
    look(w);
    sys_out_reset(&w->out);
    w->sys->expand(w->sys, w->state, &w->out);
    for (size_t i = 0; i < w->out.count; i++)
      if (w->out.steps[i].site == 0) put(w, w->out.words + i * w->sys->words);
  }
}

// An instance that is not reached; its number, or w->instances.
static uint64_t lost(const struct walk *w) {
  uint64_t i = 0;
  while (i < w->instances && w->reached[i]) i++;
  return i;
}

static void explain(struct text *out, const struct walk *w, uint64_t instance) {
  const struct ir_property *p = w->property;
  int64_t *params = mem_zalloc(p->param_count + 1, sizeof *params);
  instance_params(p, instance, params);
  uint64_t count = store_count(w->store);
  text_printf(out, "from this state on none can be reached in which \"%s\" holds", p->name);
  for (uint32_t i = 0; i < p->param_count; i++) {
    text_printf(out, "%s%s = ", i == 0 ? " for " : ", ", p->frame.locals[i]->name);
    ir_type_print_value(out, p->frame.locals[i]->type, params[i]);
  }
  if (count == 1)
    text_add(out, ":\nno other state can be reached from it");
  else if (count < STATES_MAX)
    text_printf(out, ":\nit holds in none of the %llu states that can be reached from it",
                (unsigned long long)count);
  mem_free(params);
}

static void walk_init(struct walk *w, struct sys *sys) {
  struct store_config config = {.kind = "exact", .words = sys->words, .bytes = sys->bytes};
  w->sys = w->model->transient != NULL ? reduce_chain_new(sys) : sys;
  w->eval = ir_eval_new(w->model);
  w->store = store_new(&config);
  w->state = mem_zalloc(sys->words, sizeof *w->state);
  sys_out_init(&w->out, sys->words, w->model->properties.count);
  w->instances = count_instances(w->property);
  w->reached = mem_zalloc(w->instances + 1, sizeof *w->reached);
}

static void walk_clear(struct walk *w, struct sys *sys) {
  if (w->sys != sys) sys_free(w->sys);
  ir_eval_free(w->eval);
  store_free(w->store);
  sys_out_clear(&w->out);
  mem_free(w->state);
  mem_free(w->reached);
}

// From the last state of a replayed trace.
static bool is_lost(const struct ir_model *m, const struct ir_property *p, struct replay *r) {
  struct sys_config config = {.mode = SYS_INTERPRETED};
  struct sys *sys = sys_new(m, &config);
  struct walk w = {.model = m, .property = p};
  struct text said = {0};
  walk_init(&w, sys);
  walk(&w, r->states[r->count - 1].words);
  uint64_t instance = lost(&w);
  bool good = instance < w.instances && !w.failed;
  if (good)
    explain(&said, &w, instance);
  else
    text_printf(&said, "\"%s\" can still be reached from the last state", p->name);
  *(good ? &r->explanation : &r->problem) = said.data;
  walk_clear(&w, sys);
  sys_free(sys);
  return good;
}

bool cli_is_liveness(const struct ir_model *m, const struct trace *t) {
  return t->end == TRACE_PROPERTY && t->id < m->properties.count &&
         m->properties.data[t->id]->kind == IR_PROP_LIVENESS;
}

bool cli_liveness_replay(const struct report_run *run, const struct trace *t, struct replay *r) {
  struct trace way = *t;
  way.end = TRACE_WITNESS;
  if (!trace_replay(&way, run->model, run->deadlock, r)) return false;
  mem_free(r->explanation);
  r->explanation = NULL;
  return is_lost(run->model, run->model->properties.data[t->id], r);
}
