// SPDX-License-Identifier: Apache-2.0
// The table of strategies, the boundary to which an exhausted search unwinds, and the verdict drawn
// from what the search found. `holds` needs a search that ended by itself and left nothing out.
#include "search/search.h"

#include "ir/eval.h"
#include "search/common.h"
#include "store/store.h"
#include "sys/sys.h"

#include <string.h>

const struct search_strategy search_strategies[] = {
    {"bfs", "breadth first: shortest traces", true, true, search_bfs},
    {"dfs", "depth first: little memory beside the states, long traces", true, false, search_dfs},
};
const size_t search_strategy_count = sizeof search_strategies / sizeof *search_strategies;

const struct search_strategy *search_strategy_find(const char *name) {
  for (size_t i = 0; i < search_strategy_count; i++)
    if (strcmp(search_strategies[i].name, name) == 0) return &search_strategies[i];
  return NULL;
}

// --- before ---

static const char *kind_name(enum ir_property_kind kind) {
  static const char *const names[] = {
      [IR_PROP_INVARIANT] = "invariant", [IR_PROP_ASSUME] = "assume", [IR_PROP_COVER] = "cover",
      [IR_PROP_LIVENESS] = "liveness",   [IR_PROP_LTL] = "ltl",       [IR_PROP_CTL] = "ctl"};
  return names[kind];
}

static void list_properties(struct search *s) {
  const struct ir_model *m = s->config->model;
  struct result *r = s->result;
  for (size_t i = 0; i < m->properties.count; i++) {
    const struct ir_property *p = m->properties.data[i];
    struct property_result q = {.name = p->name, .kind = kind_name(p->kind), .span = p->span};
    VEC_PUSH(&r->properties, q);
  }
  struct property_result errors = {.name = "assertions and errors", .kind = "error"};
  struct property_result deadlock = {.name = "deadlock", .kind = "deadlock"};
  VEC_PUSH(&r->properties, errors);
  if (s->config->deadlock != IR_DEADLOCK_OFF) VEC_PUSH(&r->properties, deadlock);
}

static void note_goals(struct search *s) {
  const struct ir_model *m = s->config->model;
  for (size_t i = 0; i < m->properties.count; i++) {
    if (!search_property_on(s, i)) continue;
    enum ir_property_kind kind = m->properties.data[i]->kind;
    s->invariants_open += kind == IR_PROP_INVARIANT;
    if (kind != IR_PROP_COVER) continue;
    s->has_open_covers = true;
    s->has_state_covers |= m->properties.data[i]->expr != NULL;
    s->covers_open[i / 64] |= UINT64_C(1) << (i % 64);
  }
  s->has_invariants = s->invariants_open > 0;
}

static void prepare(struct search *s) {
  const struct search_config *c = s->config;
  size_t properties = c->model->properties.count;
  s->sys = c->sys;
  s->words = c->sys->words;
  s->cover_words = properties / 64 + 1;
  s->covers_open = mem_zalloc(s->cover_words, sizeof(uint64_t));
  s->covers_found = mem_zalloc(s->cover_words, sizeof(uint64_t));
  s->property_seen = mem_zalloc(properties + 1, 1);
  s->property_faulty = mem_zalloc(properties + 1, 1);
  s->site_seen = mem_zalloc(c->model->sites.count + 1, 1);
  s->eval = ir_eval_new(c->model);
  note_goals(s);
  list_properties(s);
}

// Up to the end of the last leaf.
static size_t bits_used(const struct ir_layout *l) {
  size_t bits = 0;
  for (uint64_t i = 0; i < l->count; i++) {
    size_t end = (size_t)l->leaf[i].word * 64 + l->leaf[i].shift + l->leaf[i].width;
    if (l->leaf[i].width > 0 && end > bits) bits = end;
  }
  return bits;
}

static void open_store(struct search *s) {
  const struct search_config *c = s->config;
  struct store_config store = {.kind = c->store,
                               .words = c->sys->words,
                               .bytes = c->sys->bytes,
                               .bits = bits_used(c->model->layout),
                               .mem_bytes_max = c->budget.mem_bytes,
                               .states_max = c->budget.states_max};
  s->store = store_new(&store);
  assert(s->store && "the command line offers only kinds that there are");
}

static void clear(struct search *s) {
  if (s->own_clear) s->own_clear(s);
  store_free(s->store);
  if (s->eval) ir_eval_free(s->eval);
  mem_free(s->covers_open);
  mem_free(s->covers_found);
  mem_free(s->property_seen);
  mem_free(s->property_faulty);
  mem_free(s->site_seen);
  trace_clear(&s->pending);
}

// --- after: verdicts ---

// What there is to say of a property nothing was found against.
static void unrefuted(const struct search *s, struct property_result *p) {
  p->reason = s->stop ? s->stop : s->pruned ? "errors" : NULL;
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

static void draw_verdict(const struct search *s) {
  struct result *r = s->result;
  judge_all(s);
  r->verdict = VERDICT_HOLDS;
  for (size_t i = 0; i < r->properties.count; i++)
    if (r->properties.data[i].verdict == VERDICT_VIOLATED) r->verdict = VERDICT_VIOLATED;
  if (r->verdict == VERDICT_VIOLATED) return;
  assert(r->traces.count == 0 && !s->pruned);
  r->reason = s->stop ? mem_strdup(s->stop) : not_checked(s);
  if (r->reason) r->verdict = VERDICT_UNKNOWN;
}

static void fill_stats(const struct search *s, double begun) {
  struct stats *t = &s->result->stats;
  double now = clock_seconds();
  t->seconds = now - begun;
  t->total_seconds = now - s->config->started;
  t->compile_seconds = s->config->sys->compile_seconds;
  t->state_bits = s->config->model->layout->bits;
  t->peak_bytes = mem_resident_peak();
  if (!s->store) return;
  t->states = store_count(s->store);
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
    s->stop = "memory";
  } else {
    open_store(s);
    strategy->run(s);
    mem_boundary_leave(&boundary);
  }
  fill_stats(s, begun);
  if (s->sys->note) r->note = mem_strdup(s->sys->note);
  draw_verdict(s);
  clear(s);
  mem_free(s);
}
