// SPDX-License-Identifier: Apache-2.0
// Properties that a search for states cannot check: of infinite runs (LTL, never claims, acceptance
// and progress labels), each by a search of the model's product with its automaton; and liveness.
// What comes out stands beside what the search for states has found.
#include "cli/check.h"

#include "ir/ir.h"
#include "reduce/reduce.h"
#include "search/search.h"
#include "sys/sys.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------
// What is searched

static enum ir_property_kind kind_of(const struct check *c, size_t i) {
  return c->model.model->properties.data[i]->kind;
}

// Does it need a search of its own?
static bool is_apart(enum ir_property_kind k) { return ir_prop_cyclic(k) || k == IR_PROP_LIVENESS; }

// Whoever names properties, or asks for cycles, gets just that.
static bool asks_for_states(const struct check *c) {
  const struct options *o = c->options;
  if (capability_cycles_only(c->capability->search)) return false;
  for (size_t i = 0; i < c->model.model->properties.count; i++)
    if (c->states_on[i] && kind_of(c, i) != IR_PROP_ASSUME) return true;
  for (size_t i = 0; i < o->property.count; i++)
    if (cli_is_always_on(o->property.data[i])) return true;
  return o->property.count == 0;
}

static void count(struct check *c, size_t *cyclic, size_t *liveness) {
  *cyclic = *liveness = 0;
  for (size_t i = 0; i < c->model.model->properties.count; i++) {
    if (!c->property_on[i]) continue;
    *cyclic += ir_prop_cyclic(kind_of(c, i));
    *liveness += kind_of(c, i) == IR_PROP_LIVENESS;
  }
}

// Options that mean something only if there are cycles to look for, and there are none.
static bool has_purpose(const struct check *c, size_t cyclic, size_t liveness) {
  const struct options *o = c->options;
  const char *idle = NULL;
  if (capability_cycles_only(c->capability->search)) idle = "such a --search";
  if (o->fairness != NULL && strcmp(o->fairness, "weak") == 0) idle = "--fairness weak";
  if (o->non_progress && c->model.plan == NULL)
    cli_refuse("--non-progress is about progress labels, and models in %s have none",
               c->model.language);
  else if (idle != NULL && cyclic == 0)
    cli_refuse("%s is about properties of infinite runs, and none is to be checked: add one with "
               "--ltl, or leave it out",
               idle);
  else if (!c->states && o->stats)
    cli_refuse("--stats tells of a search for states, and only properties of infinite runs are to "
               "be checked: leave it out");
  else if (!c->states && liveness + cyclic > 0 && o->symmetry != NULL &&
           strcmp(o->symmetry, "on") == 0)
    cli_refuse("--symmetry on is not possible: the properties that are to be checked speak of the "
               "order of states, and symmetry keeps the states only");
  else
    return true;
  return false;
}

// Who searches by rising bounds looks for cycles within them.
static const char *search_for_cycles(const struct check *c) {
  bool bounded = strcmp(c->capability->search, "bounded") == 0;
  return bounded ? c->capability->search : c->cycles_capability->search;
}

static void pick(struct check *c, size_t cyclic, size_t liveness) {
  const struct options *o = c->options;
  bool weak = o->fairness != NULL && strcmp(o->fairness, "weak") == 0;
  uint64_t most = o->deterministic ? c->cycles_capability->deterministic_max
                                   : c->cycles_capability->threads_max;
  c->cycles = (struct report_cycles){
      .search = cyclic > 0 ? search_for_cycles(c) : NULL,
      .store = c->cycles_capability->store,
      .threads = c->run.threads < most ? c->run.threads : most,
      .cyclic = cyclic,
      .liveness = liveness,
      .fair = weak,
      .alone = !c->states,
  };
  c->run.cycles = &c->cycles;
}

// Decision diagrams need no search of its own for any property.
static bool pick_none(struct check *c) {
  c->states = asks_for_states(c);
  c->run.cycles = NULL;
  c->cycles_capability = NULL;
  return has_purpose(c, 0, 0);
}

bool check_pick_cycles(struct check *c) {
  size_t properties = c->model.model->properties.count, cyclic, liveness;
  c->states_on = mem_zalloc(properties + 1, 1);
  for (size_t i = 0; i < properties; i++)
    c->states_on[i] = c->property_on[i] && !is_apart(kind_of(c, i));
  if (c->symbolic) return pick_none(c);
  c->states = asks_for_states(c);
  c->run.cycles = NULL;
  count(c, &cyclic, &liveness);
  if (!has_purpose(c, cyclic, liveness)) return false;
  if (cyclic + liveness == 0) return true;
  c->cycles_capability = capability_cycles(c->options, c->model.model->layout->bytes);
  pick(c, cyclic, liveness);
  return true;
}

// ---------------------------------------------------------------------------------------------
// What came out

static void unknown(struct property_result *p, const char *reason) {
  p->verdict = VERDICT_UNKNOWN;
  p->reason = reason;
}

// The list of properties, as a search would begin it.
static void list_properties(struct check *c) {
  const struct ir_model *m = c->model.model;
  struct result *r = &c->result;
  result_list_properties(r, m, c->run.deadlock != IR_DEADLOCK_OFF);
  for (size_t i = 0; i < r->properties.count; i++)
    if (i >= m->properties.count || kind_of(c, i) != IR_PROP_ASSUME)
      unknown(&r->properties.data[i], "not selected");
}

// Errors that were found before are found again on the way.
static bool is_known(const struct result *r, const struct trace *t) {
  for (size_t i = 0; i < r->traces.count; i++) {
    const struct trace *o = &r->traces.data[i];
    if (o->end == t->end && o->id == t->id && o->in_property == t->in_property) return true;
  }
  return false;
}

static void take_traces(struct check *c, struct result *part) {
  struct result *r = &c->result;
  struct property_result *errors = &r->properties.data[c->model.model->properties.count];
  for (size_t i = 0; i < part->traces.count; i++) {
    struct trace *t = &part->traces.data[i];
    if (is_known(r, t)) continue;
    if (t->end == TRACE_SITE) {
      errors->verdict = VERDICT_VIOLATED;
      errors->reason = NULL;
      if (t->in_property) unknown(&r->properties.data[t->property], "fault");
    }
    VEC_PUSH(&r->traces, *t);
    *t = (struct trace){0};
  }
}

// By Fig. 5, without an automaton.
static bool is_direct(const struct check *c) {
  return c->cycles.search != NULL && strcmp(c->cycles.search, "progress") == 0;
}

// What the user is told of a property that was searched by itself, and a product's size.
static void take_property(struct check *c, const struct result *part, size_t i) {
  const struct ir_property *p = c->model.model->properties.data[i];
  struct property_result *q = &c->result.properties.data[i];
  *q = part->properties.data[i];
  q->searched = true;
  q->states = part->stats.states;
  q->transitions = part->stats.transitions;
  q->seconds = part->stats.seconds;
  q->automaton_states = p->automaton != NULL && !is_direct(c) ? p->automaton->count : 0;
}

// Where nothing else is searched the figures are those of these searches together.
static void take_stats(struct check *c, struct result *part) {
  struct stats *s = &c->result.stats, *t = &part->stats;
  s->total_seconds = t->total_seconds;
  s->peak_bytes = t->peak_bytes;
  if (c->result.note == NULL) {
    c->result.note = part->note;
    part->note = NULL;
  }
  if (c->states) return;
  struct stats sum = *t;
  sum.states += s->states;
  sum.transitions += s->transitions;
  sum.revisits += s->revisits;
  sum.nested_states += s->nested_states;
  sum.nested_transitions += s->nested_transitions;
  sum.seconds += s->seconds;
  if (s->depth > sum.depth) sum.depth = s->depth;
  if (s->memory_bytes > sum.memory_bytes) sum.memory_bytes = s->memory_bytes;
  c->result.frontier += part->frontier;
  *s = sum;
}

static bool has_enough(const struct check *c) {
  uint64_t most = check_max_errors(c);
  return most > 0 && c->result.traces.count >= most;
}

// "not checked: a, b"; NULL: everything that was asked for was looked at.
static char *not_checked(const struct check *c) {
  struct text t = {0};
  for (size_t i = 0; i < c->model.model->properties.count; i++) {
    const struct property_result *p = &c->result.properties.data[i];
    if (!c->property_on[i] || p->verdict != VERDICT_UNKNOWN) continue;
    text_printf(&t, "%s%s", t.count > 0 ? ", " : "not checked: ", p->name);
  }
  return t.data;
}

// Why the verdict is unknown: what ended the first of the searches that did not come to its end.
static char *reason_of(const struct check *c) {
  for (size_t i = 0; i < c->model.model->properties.count; i++) {
    const struct property_result *p = &c->result.properties.data[i];
    bool open = c->property_on[i] && p->verdict == VERDICT_UNKNOWN && p->searched;
    if (open && strcmp(p->reason, "not checked") != 0) return mem_strdup(p->reason);
  }
  return not_checked(c);
}

static void draw_verdict(struct check *c) {
  struct result *r = &c->result;
  bool violated = false;
  for (size_t i = 0; i < r->properties.count; i++)
    violated = violated || r->properties.data[i].verdict == VERDICT_VIOLATED;
  bool said = r->reason != NULL && strncmp(r->reason, "not checked", strlen("not checked")) != 0;
  if (!violated && said) return; // by the search for states
  mem_free(r->reason);
  r->reason = violated ? NULL : reason_of(c);
  if (r->reason != NULL) r->depth_known = false; // it is not the search for states that is told of
  r->verdict = violated ? VERDICT_VIOLATED : r->reason != NULL ? VERDICT_UNKNOWN : VERDICT_HOLDS;
}

// ---------------------------------------------------------------------------------------------
// Searching

static struct search_config part_config(const struct check *c, struct sys *sys,
                                        struct report_progress *progress, const uint8_t *on) {
  struct search_config config = check_config(c, sys, progress);
  config.store = c->cycles.store;
  config.threads = (unsigned)c->cycles.threads;
  config.deadlock = IR_DEADLOCK_OFF;
  config.property_on = on;
  config.ample = NULL;
  if (config.max_errors > 0) config.max_errors -= c->result.traces.count;
  return config;
}

// A part of the model's runs looks the same to an automaton that does not count steps. Of a user's
// claim nobody knows; who asks for the reduction vouches for it.
static bool may_reduce(const struct ir_property *p) {
  return p->automaton == NULL || p->automaton->stutters || p->kind == IR_PROP_NEVER;
}

void check_unreduced(const struct check *c, struct text *out) {
  const struct ir_model *m = c->model.model;
  for (size_t i = 0; i < m->properties.count; i++) {
    const struct ir_property *p = m->properties.data[i];
    bool without = ir_prop_cyclic(p->kind) ? !may_reduce(p) : p->kind == IR_PROP_LIVENESS;
    if (!c->property_on[i] || !without) continue;
    text_printf(out, "%s\"%s\" %s: it is searched without", out->count > 0 ? "; " : "", p->name,
                p->kind == IR_PROP_LIVENESS ? "is about liveness" : "counts steps (X)");
  }
}

// A model with an automaton, with what is put around the two.
struct layers {
  struct sys *product, *fair, *top;
};

static struct layers layers_new(const struct check *c, struct sys *sys,
                                const struct ir_automaton *a, uint32_t i) {
  struct layers l = {.product = sys_product_new(sys, a, i)};
  l.fair = c->cycles.fair ? sys_fair_new(l.product) : l.product;
  l.top = c->model.model->transient != NULL ? reduce_chain_new(l.fair) : l.fair;
  return l;
}

static void layers_free(struct layers *l) {
  if (l->top != l->fair) sys_free(l->top);
  if (l->fair != l->product) sys_free(l->fair);
  sys_free(l->product);
}

static void search_directly(const struct check *c, struct sys *sys,
                            const struct search_config *config, struct result *part) {
  struct check_direct d;
  check_direct_init(&d, c->model.model->properties.data[config->cycle_property]->automaton);
  struct layers l = layers_new(c, sys, &d.automaton, config->cycle_property);
  struct search_config direct = *config;
  direct.sys = l.top;
  search_run(search_strategy_find(c->cycles.search), &direct, part);
  check_direct_tell(part, &direct, config->sys);
  layers_free(&l);
}

static void search_product(struct check *c, struct sys *sys, uint32_t i,
                           struct report_progress *progress) {
  const struct ir_model *m = c->model.model;
  const struct ir_property *p = m->properties.data[i];
  uint8_t *on = mem_zalloc(m->properties.count + 1, 1);
  on[i] = 1;
  struct layers l = layers_new(c, sys, p->automaton, i);
  struct search_config config = part_config(c, l.top, progress, on);
  config.cycle_property = i;
  if (may_reduce(p)) config.ample = c->ample;
  config.selection_numbers =
      c->options->selection != NULL && strcmp(c->options->selection, "number") == 0;
  if (c->run.bounded != NULL) cli_bounded_fill(&c->bounded, &config);
  config.resume = NULL; // that was of the search for states
  struct result part = {0};
  if (is_direct(c))
    search_directly(c, sys, &config, &part);
  else
    search_run(search_strategy_find(c->cycles.search), &config, &part);
  cli_shorten(&part, &config, c->options);
  if (l.top != l.fair) check_unfold(&part, l.top);
  layers_free(&l);
  take_property(c, &part, i);
  take_traces(c, &part);
  take_stats(c, &part);
  result_clear(&part);
  mem_free(on);
}

static void search_cyclic(struct check *c, struct sys *sys, uint32_t i,
                          struct report_progress *progress) {
  const struct ir_property *p = c->model.model->properties.data[i];
  struct property_result *q = &c->result.properties.data[i];
  if (p->automaton == NULL) {
    unknown(q, "not checked");
    q->detail = p->unchecked;
  } else if (c->model.model->fairness.count > 0) {
    unknown(q, "not checked");
    q->detail = "it is about fair runs only: --engine bdd checks it";
  } else if (has_enough(c)) {
    unknown(q, "errors");
  } else {
    search_product(c, sys, i, progress);
  }
}

static void search_lively(struct check *c, struct sys *sys, struct report_progress *progress) {
  const struct ir_model *m = c->model.model;
  uint8_t *on = mem_zalloc(m->properties.count + 1, 1);
  for (size_t i = 0; i < m->properties.count; i++)
    on[i] = c->property_on[i] && kind_of(c, i) == IR_PROP_LIVENESS;
  struct sys *top = m->transient != NULL ? reduce_chain_new(sys) : sys;
  struct search_config config = part_config(c, top, progress, on);
  struct result part = {0};
  config.threads = 1;
  search_liveness(&config, &part);
  if (top != sys) {
    check_unfold(&part, top);
    sys_free(top);
  }
  for (size_t i = 0; i < m->properties.count; i++)
    if (on[i]) take_property(c, &part, i);
  take_traces(c, &part);
  take_stats(c, &part);
  result_clear(&part);
  mem_free(on);
}

static void search_liveness_unless_enough(struct check *c, struct sys *sys,
                                          struct report_progress *progress) {
  if (!has_enough(c)) {
    search_lively(c, sys, progress);
    return;
  }
  for (size_t i = 0; i < c->model.model->properties.count; i++)
    if (c->property_on[i] && kind_of(c, i) == IR_PROP_LIVENESS)
      unknown(&c->result.properties.data[i], "errors");
}

// Who asks for the bdd engine gets an answer.
static void explain_unchecked(struct check *c) {
  for (size_t i = 0; i < c->model.model->properties.count; i++) {
    struct property_result *q = &c->result.properties.data[i];
    if (kind_of(c, i) == IR_PROP_CTL && c->property_on[i]) q->detail = "--engine bdd checks it";
  }
}

void check_cycles(struct check *c, struct sys *sys, struct report_progress *progress) {
  if (!c->states) list_properties(c);
  explain_unchecked(c);
  if (c->cycles_capability == NULL) return;
  if (c->cycles.liveness > 0) search_liveness_unless_enough(c, sys, progress);
  for (uint32_t i = 0; i < c->model.model->properties.count; i++)
    if (c->property_on[i] && ir_prop_cyclic(kind_of(c, i))) search_cyclic(c, sys, i, progress);
  draw_verdict(c);
}
