// SPDX-License-Identifier: Apache-2.0
// The table of strategies, the boundary to which an exhausted search unwinds, and the verdict drawn
// from what the search found. `holds` needs a search that ended by itself and left nothing out.
#include "search/search.h"

#include "ir/eval.h"
#include "search/common.h"
#include "search/survey.h"
#include "search/workers.h"
#include "store/store.h"
#include "sys/sys.h"

#include <string.h>

enum { WORKER_STATES = 1024 }; // in its buffers
#define WORKER_BYTES ((size_t)512 << 10)
#define SPARE_BYTES  ((size_t)16 << 20)
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SHADOWED = 1 }; // the resident size is mostly not ours
#else
enum { SHADOWED = 0 };
#endif

const struct search_strategy search_strategies[] = {
    {"bfs", "breadth first: shortest traces", true, true, NULL, search_bfs},
    {"dfs", "depth first: long traces, and a stack as deep as they are", true, false, NULL,
     search_dfs},
    {"bounded", "depth first to a bound, then to the next: says to which depth it is complete",
     true, false, search_bounded_payload, search_bounded},
    {"biased-bfs", "breadth first, marked steps ahead of the others", true, false,
     search_ways_payload, search_biased_bfs},
    {"biased-dfs", "one agent at a time until several can take marked steps, then all of them",
     true, false, search_biased_payload, search_biased_dfs},
    {"context", "one agent at a time, with ever more changes of agent", true, false,
     search_biased_payload, search_biased_dfs},
    {"astar", "what promises most first: steps taken and a heuristic", true, false,
     search_directed_payload, search_astar},
    {"greedy", "what promises most first: a heuristic alone", true, false, search_directed_payload,
     search_greedy},
    {"random", "any state next", true, false, search_directed_payload, search_random},
    {"ndfs", "nested depth first: cycles that violate a property of infinite runs", true, false,
     search_nested_payload, search_nested},
    {"progress", "nested depth first: cycles without progress, told without an automaton", true,
     false, search_progress_payload, search_progress},
};
const size_t search_strategy_count = sizeof search_strategies / sizeof *search_strategies;

const struct search_strategy *search_strategy_find(const char *name) {
  for (size_t i = 0; i < search_strategy_count; i++)
    if (strcmp(search_strategies[i].name, name) == 0) return &search_strategies[i];
  return NULL;
}

// --- before ---

static void note_goals(struct search *s) {
  const struct ir_model *m = s->config->model;
  for (size_t i = 0; i < m->properties.count; i++) {
    if (!search_property_on(s, i)) continue;
    enum ir_property_kind kind = m->properties.data[i]->kind;
    s->invariants_open += kind == IR_PROP_INVARIANT;
    if (kind != IR_PROP_COVER) continue;
    s->has_covers = true;
    s->has_state_covers |= m->properties.data[i]->expr != NULL;
  }
  s->has_invariants = s->invariants_open > 0;
}

static void number_rules(struct search *s) {
  const struct ir_model *m = s->config->model;
  s->rule_of = mem_alloc(m->rule_instances * sizeof *s->rule_of);
  for (size_t i = 0; i < m->rules.count; i++)
    for (uint32_t k = 0; k < m->rules.data[i]->instances; k++)
      s->rule_of[m->rules.data[i]->first_instance + k] = (uint32_t)i;
}

static void prepare(struct search *s) {
  const struct search_config *c = s->config;
  size_t properties = c->model->properties.count;
  s->words = c->sys->words;
  s->threads = c->threads ? c->threads : 1;
  s->cover_words = properties / 64 + 1;
  s->covers_open = mem_alloc(s->cover_words * sizeof *s->covers_open);
  memset(s->covers_open, -1, s->cover_words * sizeof *s->covers_open);
  s->property_seen = mem_zalloc(properties + 1, 1);
  s->property_faulty = mem_zalloc(properties + 1, 1);
  s->site_seen = mem_zalloc(c->model->sites.count + 1, 1);
  if (c->survey) number_rules(s);
  note_goals(s);
  result_list_properties(s->result, s->config->model, s->config->deadlock != IR_DEADLOCK_OFF);
}

// Up to the end of the last leaf; of a product: all of its bytes.
static size_t bits_used(const struct sys *sys) {
  const struct ir_layout *l = sys->model->layout;
  size_t bits = 0;
  if (sys->bytes > l->bytes) return 8 * sys->bytes;
  for (uint64_t i = 0; i < l->count; i++) {
    size_t end = (size_t)l->leaf[i].word * 64 + l->leaf[i].shift + l->leaf[i].width;
    if (l->leaf[i].width > 0 && end > bits) bits = end;
  }
  return bits;
}

static void add_note(struct result *r, const char *note) {
  struct text t = {0};
  text_printf(&t, "%s%s%s", r->note ? r->note : "", r->note ? "; " : "", note);
  mem_free(r->note);
  r->note = mem_strdup(text_str(&t));
  text_clear(&t);
}

static size_t worker_bytes(const struct search *s) {
  return WORKER_BYTES + WORKER_STATES * s->words * sizeof(uint64_t);
}

// Workers may take a quarter of the limit: more threads than that pays for would exceed it.
static void fit_threads(struct search *s) {
  size_t limit = s->config->budget.mem_bytes, most = limit / 4 / worker_bytes(s);
  if (!limit || s->threads <= most || s->threads == 1) return;
  struct text note = {0};
  text_printf(&note, "%zu of %u threads: more would take over a quarter of the memory limit",
              most ? most : 1, s->threads);
  s->threads = most ? (unsigned)most : 1;
  add_note(s->result, text_str(&note));
  text_clear(&note);
}

// What the process takes beside the store and the strategy's lists: itself as it is now, the
// workers' buffers and stacks, and some for compiled code that comes later, a huge page here and
// there.
static size_t process_bytes(const struct search *s, size_t spare) {
  return mem_resident() + s->threads * worker_bytes(s) + spare;
}

// The limit is the whole process's. What is left of it belongs to the store and to lists that grow
// with it: few where the store keeps states, else the states of two levels and the ways of all. A
// limit that is too small for the process is taken to mean the rest of it. A store may forget
// states by its size, so that a deterministic search does not look at what the process is like
// today.
static void share_memory(struct search *s) {
  size_t limit = s->config->budget.mem_bytes;
  if (!limit) return;
  size_t spare = limit / 32 < SPARE_BYTES ? limit / 32 : SPARE_BYTES;
  size_t own = process_bytes(s, spare);
  bool tight = own > limit / 4 * 3;
  size_t left = tight ? limit / 4 + 1 : limit - own;
  if (s->config->deterministic) left = limit / 4 * 3 + 1;
  s->mem_bytes_max = left;
  s->store_bytes_max = left - left / (store_kind_keeps_states(s->config->store) ? 32 : 8);
  s->resident_max = tight || SHADOWED ? 0 : limit - spare / 2;
}

static void open_store(struct search *s, size_t payload_bytes) {
  const struct search_config *c = s->config;
  fit_threads(s);
  share_memory(s);
  struct store_config store = {.kind = c->store,
                               .words = c->sys->words,
                               .bytes = c->sys->bytes,
                               .bits = bits_used(c->sys),
                               .payload_bytes = payload_bytes,
                               .mem_bytes_max = s->store_bytes_max,
                               .states_max = c->budget.states_max,
                               .threads = s->threads,
                               .hash_bits = c->hash_bits,
                               .hashes = c->hashes};
  s->store = store_new(&store);
  assert(s->store && "the command line offers only kinds that there are");
  s->store_bytes_first = store_memory(s->store);
}

static void clear(struct search *s) {
  if (s->own_clear) s->own_clear(s);
  workers_clear(s);
  store_free(s->store);
  mem_free(s->covers_open);
  mem_free(s->property_seen);
  mem_free(s->property_faulty);
  mem_free(s->site_seen);
  mem_free(s->rule_of);
  trace_clear(&s->pending);
}

// --- after: what the workers counted ---

static void sum_survey(struct survey *all, const struct search_worker *w, size_t rules) {
  if (!all->fired) {
    all->fired = mem_zalloc(rules, sizeof *all->fired);
    all->fresh = mem_zalloc(rules, sizeof *all->fresh);
  }
  for (size_t i = 0; i < rules; i++) {
    all->fired[i] += w->fired[i];
    all->fresh[i] += w->fresh[i];
  }
}

static void sum_up(struct search *s) {
  struct stats *t = &s->result->stats;
  struct search_tally all = search_tally(s);
  t->transitions = all.transitions;
  t->revisits = all.revisits;
  t->reduced = all.reduced;
  t->depth = all.depth;
  s->expanded = all.expanded;
  s->pruned = all.pruned;
  for (unsigned i = 0; i < s->worker_count; i++) {
    const struct search_worker *w = s->workers[i];
    for (size_t k = 0; k < s->cover_words; k++) s->covers_open[k] &= w->covers_open[k];
    if (w->fired) sum_survey(&s->result->survey, w, s->config->model->rules.count);
  }
}

// --- after: verdicts ---

// What there is to say of a property nothing was found against.
static void unrefuted(const struct search *s, struct property_result *p) {
  p->reason = s->stop ? s->stop : s->pruned ? "errors" : s->lossy ? "lossy" : NULL;
  p->verdict = p->reason ? VERDICT_UNKNOWN : VERDICT_HOLDS;
}

static void unknown(struct property_result *p, const char *reason) {
  p->verdict = VERDICT_UNKNOWN;
  p->reason = reason;
}

static void judge_cover(const struct search *s, size_t i, struct property_result *p) {
  bool open = s->covers_open[i / 64] >> (i % 64) & 1;
  if (!open) {
    p->verdict = VERDICT_HOLDS;
    return;
  }
  unrefuted(s, p);
  if (p->verdict == VERDICT_HOLDS) p->verdict = VERDICT_VIOLATED; // complete, and never reached
}

// The automaton need not let the model go everywhere, so that nothing else can be said to hold. And
// a step that failed may have been the automaton's.
static void judge_in_product(const struct search *s, size_t i, struct property_result *p) {
  if (i != s->config->cycle_property) {
    unknown(p, "not checked");
    return;
  }
  unrefuted(s, p);
  for (size_t k = 0; k < s->result->traces.count; k++)
    if (s->result->traces.data[k].end == TRACE_SITE) unknown(p, "errors");
}

static void judge_property(const struct search *s, size_t i, struct property_result *p) {
  enum ir_property_kind kind = s->config->model->properties.data[i]->kind;
  if (kind == IR_PROP_ASSUME)
    p->verdict = VERDICT_HOLDS; // by what a model is
  else if (!search_property_on(s, i))
    unknown(p, "not selected");
  else if (s->property_seen[i])
    p->verdict = VERDICT_VIOLATED;
  else if (s->property_faulty[i])
    unknown(p, "fault");
  else if (s->config->sys->accepts)
    judge_in_product(s, i, p);
  else if (kind == IR_PROP_COVER)
    judge_cover(s, i, p);
  else if (kind == IR_PROP_INVARIANT)
    unrefuted(s, p);
  else
    unknown(p, "not checked");
}

static void judge_rest(const struct search *s, bool errors, struct property_result *p) {
  if (errors)
    p->verdict = VERDICT_VIOLATED;
  else if (s->config->sys->accepts)
    unknown(p, "not checked");
  else
    unrefuted(s, p);
}

static void judge_all(const struct search *s) {
  struct result *r = s->result;
  const struct ir_model *m = s->config->model;
  size_t n = m->properties.count;
  for (size_t i = 0; i < n; i++) judge_property(s, i, &r->properties.data[i]);
  bool faults = false, deadlocks = false;
  for (size_t i = 0; i < r->traces.count; i++) {
    faults = faults || r->traces.data[i].end == TRACE_SITE;
    deadlocks = deadlocks || r->traces.data[i].end == TRACE_DEADLOCK;
  }
  judge_rest(s, faults, &r->properties.data[n]);
  if (r->properties.count > n + 1) judge_rest(s, deadlocks, &r->properties.data[n + 1]);
}

// "not checked: a, b", or NULL when every selected property was looked at.
static char *not_checked(const struct search *s) {
  const struct ir_model *m = s->config->model;
  struct text t = {0};
  for (size_t i = 0; i < m->properties.count; i++) {
    const struct property_result *p = &s->result->properties.data[i];
    if (!search_property_on(s, i) || p->verdict != VERDICT_UNKNOWN) continue;
    text_printf(&t, "%s%s", t.count ? ", " : "not checked: ", p->name);
  }
  char *reason = t.count ? mem_strdup(text_str(&t)) : NULL;
  text_clear(&t);
  return reason;
}

// The search was complete, as far as the store can tell.
static char *lossy(const struct search *s) {
  struct text t = {0};
  double p = s->omission * 1.05; // two digits are rounded by less than that, so still a bound
  text_printf(&t, "lossy, p <= %.2g", p < 1 ? p : 1.0);
  char *reason = mem_strdup(text_str(&t));
  text_clear(&t);
  return reason;
}

static void draw_verdict(const struct search *s) {
  struct result *r = s->result;
  judge_all(s);
  r->verdict = VERDICT_HOLDS;
  for (size_t i = 0; i < r->properties.count; i++)
    if (r->properties.data[i].verdict == VERDICT_VIOLATED) r->verdict = VERDICT_VIOLATED;
  if (r->verdict == VERDICT_VIOLATED) return;
  assert(r->traces.count == 0 && !s->pruned);
  if (s->stop)
    r->reason = mem_strdup(s->stop);
  else
    r->reason = s->lossy ? lossy(s) : not_checked(s);
  if (r->reason) r->verdict = VERDICT_UNKNOWN;
}

// The store was full because of the limit that the user set.
static void tell_limits_apart(struct search *s) {
  uint64_t most = s->config->budget.states_max;
  if (!s->full || !most || store_count(s->store) < most) return;
  if (strcmp(s->stop, "memory") == 0) s->stop = "states";
}

static void fill_stats(struct search *s, double begun) {
  struct stats *t = &s->result->stats;
  double now = clock_seconds();
  t->seconds = now - begun;
  t->total_seconds = now - s->config->started;
  t->compile_seconds = s->config->sys->compile_seconds;
  t->state_bits = s->config->model->layout->bits;
  t->peak_bytes = mem_resident_peak();
  t->threads = s->worker_count;
  if (!s->store) return;
  struct store_facts facts;
  store_facts(s->store, &facts);
  s->lossy = store_lossy(s->store);
  s->omission = facts.omission;
  s->result->store_note = facts.sentence;
  t->load = facts.load;
  t->states = s->states_counted ? s->states_counted : store_count(s->store);
  t->memory_bytes = store_memory(s->store);
  s->result->frontier = t->states - s->expanded - s->pruned;
}

void search_run(const struct search_strategy *strategy, const struct search_config *c,
                struct result *r) {
  double begun = clock_seconds();
  struct search *s = mem_zalloc(1, sizeof *s); // on the heap: its fields survive the jump
  s->config = c;
  s->result = r;
  r->engine = "explicit";
  r->search = strategy->name;
  r->store = c->store;
  prepare(s);
  struct mem_boundary boundary;
  if (mem_boundary_enter(&boundary)) {
    s->tracing = false;
    search_stop(s, "memory");
  } else {
    open_store(s, strategy->payload_bytes ? strategy->payload_bytes(c) : 0);
    workers_init(s);
    strategy->run(s);
    mem_boundary_leave(&boundary);
  }
  workers_join(s);
  tell_limits_apart(s);
  sum_up(s);
  fill_stats(s, begun);
  if (c->sys->note) add_note(r, c->sys->note);
  draw_verdict(s);
  if (c->survey) survey_fill(s);
  clear(s);
  mem_free(s);
}
