// SPDX-License-Identifier: Apache-2.0
// The hybrid engine's run: the model becomes a machine, one of the modes searches it, verdicts are
// drawn. The one boundary to which a run unwinds that is out of memory.
#include "hybrid/hybrid.h"

#include "hybrid/hmc.h"
#include "ir/eval.h"
#include "relation/cone.h"

#include <string.h>

// --- budget ---

static void look_at_memory(struct hmc *h, double now) {
  size_t limit = h->config->budget.mem_bytes;
  if (!limit || now < h->memory_next) return;
  h->memory_next = now + 0.05;
  h->resident = mem_resident();
  if (h->resident > limit) h->judge.stop = "memory";
}

#define TRACE_SECONDS 2 // what was found is written down for so long after the time is up

static void look_at_budget(struct hmc *h, double now) {
  double limit = h->config->budget.seconds;
  if (h->judge.stop) return;
  if (limit > 0 && h->tracing) limit += TRACE_SECONDS;
  if (interrupt_pending())
    h->judge.stop = "interrupted";
  else if (limit > 0 && now - h->config->started >= limit)
    h->judge.stop = "time";
  else if (!h->tracing)
    look_at_memory(h, now);
  h->ended = h->judge.stop != NULL;
}

static void tell_progress(struct hmc *h, double now) {
  const struct stats *t = &h->judge.result->stats;
  if (!h->config->progress || now < h->progress_next) return;
  h->progress_next = now + 0.1;
  h->shown.disjuncts = h->F.count;
  h->shown.images = t->images;
  h->shown.switches = t->switches;
  h->shown.seconds = now - h->config->started;
  h->shown.mem_bytes = mem_resident();
  h->config->progress(h->config->progress_context, &h->shown);
}

bool hmc_goes_on(void *context) {
  struct hmc *h = context;
  double now = clock_seconds();
  look_at_budget(h, now);
  tell_progress(h, now);
  return !h->ended;
}

void hmc_phase(struct hmc *h, const char *phase, uint64_t depth) {
  h->shown.phase = phase;
  h->shown.depth = depth;
}

// --- what is not looked at ---

void hmc_gap(struct hmc *h, const char *why) {
  if (!h->gap) h->gap = why;
}

void hmc_limit(struct hmc *h, uint32_t control) {
  if (!h->limit) h->limit = h->efsm->states.data[control].id;
  hmc_gap(h, "unsupported");
}

// --- before ---

static void make_room(struct hmc *h) {
  const struct ir_model *m = h->model;
  size_t params, choices;
  ir_widest(m, &params, &choices);
  h->params = mem_zalloc(params + 1, sizeof *h->params);
  h->leaves = mem_zalloc(m->layout->count + 1, sizeof *h->leaves);
  h->state = mem_zalloc(m->layout->words + 1, sizeof *h->state);
  h->property_on = mem_zalloc(m->properties.count + 1, 1);
  h->eval = ir_eval_new(m);
  for (size_t i = 0; i < m->properties.count; i++)
    h->property_on[i] = judge_on(&h->judge, i) && m->properties.data[i]->kind == IR_PROP_INVARIANT;
}

// One slice for all that is checked.
static void take_slice(struct hmc *h) {
  const struct ir_model *m = h->model;
  struct support s;
  struct cone cone;
  unsigned what = relation_fails(h->relation) ? CONE_ERRORS : 0;
  support_init(&s, h->relation);
  for (size_t i = 0; i < m->properties.count; i++)
    if (h->property_on[i]) what |= support_property(&s, m->properties.data[i]);
  if (m->transient) what |= CONE_ALL;
  cone_init(&cone, h->relation, s.leaves, what);
  h->slice = cone.whole ? h->relation : relation_slice(h->relation, &cone);
  h->judge.result->stats.cone_leaves = cone.whole ? m->layout->count : cone.count;
  cone_clear(&cone);
  support_clear(&s);
}

// Properties whose evaluation may fail: nobody asks which.
static void note_faults(struct hmc *h) {
  bool some = false;
  for (size_t i = 0; i < h->efsm->edges.count && !some; i++) {
    const struct efsm_edge *d = &h->efsm->edges.data[i];
    some = !d->rule && h->efsm->states.data[d->to].error != EFSM_INVARIANT;
  }
  for (size_t i = 0; some && i < h->model->properties.count; i++)
    h->judge.property_may_fail[i] = h->property_on[i];
}

static bool make_machine(struct hmc *h) {
  struct relation_config config = {.goes_on = hmc_goes_on, .context = h};
  hmc_phase(h, "machine", 0);
  h->relation = relation_new(h->model, &config, &h->why);
  if (!h->relation) return false;
  take_slice(h);
  h->efsm = efsm_new(h->slice, h->property_on, &h->why);
  if (!h->efsm) return false;
  size_t states = h->efsm->states.count;
  h->distance = mem_zalloc(states + 1, sizeof *h->distance);
  h->found = mem_zalloc(states + 1, 1);
  priority_distances(h);
  note_faults(h);
  return true;
}

static uint64_t figure(uint64_t given, uint64_t usual) { return given ? given : usual; }

#define OPERATIONS 500000 // of isl, for one image: a second or two

// Sets of states, from I on. There are none where starts are not linear.
static void make_sets(struct hmc *h) {
  const struct hybrid_config *c = h->config;
  struct states_config config = {.efsm = h->efsm,
                                 .operations = OPERATIONS,
                                 .goes_on = hmc_goes_on,
                                 .context = h,
                                 .mem_bytes = c->budget.mem_bytes};
  if (c->mode == HYBRID_PR) return;
  h->tsize = figure(c->tsize, HYBRID_TSIZE);
  h->isize = figure(c->isize, HYBRID_ISIZE);
  h->fsize = figure(c->fsize, HYBRID_FSIZE);
  h->partition = c->partition && c->mode == HYBRID_HMC;
  h->states = states_new(&config, &h->why);
  if (h->states && c->reached) h->reached = reached_new(h);
}

// --- modes ---

#define LIVE_MAX 300 // leaves that matter at once: with more each operation of isl takes seconds

static bool is_too_wide(const struct efsm *e) {
  for (size_t i = 0; i < e->states.count; i++) {
    size_t live = 0;
    for (size_t k = 0; k < e->leaf_words; k++)
      live += (size_t)__builtin_popcountll(e->states.data[i].live[k]);
    if (live > LIVE_MAX) return true;
  }
  return false;
}

// Starts are not linear, or take too much work: only paths can begin with them.
static void search_paths(struct hmc *h, const char *why) {
  if (h->config->mode == HYBRID_ST) return hmc_gap(h, why);
  text_printf(&h->note, "there are no sets of states (%s), so that paths alone were looked at",
              why);
  h->paths_only = true;
  paths_alone(h);
}

static void search(struct hmc *h) {
  enum hybrid_mode mode = h->config->mode;
  h->paths_only = mode == HYBRID_PR;
  paths_open(h);
  if (mode == HYBRID_PR) return paths_alone(h);
  if (is_too_wide(h->efsm)) return search_paths(h, "operations");
  struct disjunct *start = states_start(h->states);
  if (!start) return search_paths(h, states_why(h->states));
  if (mode == HYBRID_HMC) return hmc_run(h, start);
  traverse_add(h, start);
  traverse_alone(h);
}

static void run(struct hmc *h) {
  make_room(h);
  if (make_machine(h)) {
    make_sets(h);
    search(h);
  } else if (!h->judge.stop) {
    h->judge.stop = "cannot";
  }
}

// --- after ---

static void fill_stats(struct hmc *h, double begun) {
  struct stats *t = &h->judge.result->stats;
  double now = clock_seconds();
  t->seconds = now - begun;
  t->total_seconds = now - h->config->started;
  t->state_bits = h->model->layout->bits;
  t->peak_bytes = mem_resident_peak();
  t->threads = h->config->threads ? h->config->threads : 1;
}

// How what holds was proved.
static void describe(struct hmc *h) {
  const struct stats *t = &h->judge.result->stats;
  if (h->gap || h->judge.stop || !h->efsm) return;
  if (h->note.count) text_add(&h->note, "; ");
  if (h->proved)
    text_printf(&h->note, "proved: every path ends within %ju steps", (uintmax_t)t->depth);
  else
    text_printf(&h->note, "proved: the frontier is empty after %ju images", (uintmax_t)t->images);
  if (h->dead)
    text_printf(&h->note, "; %ju disjunct%s by paths, to their ends", (uintmax_t)h->dead,
                h->dead == 1 ? "" : "s");
}

static void settle(struct hmc *h, size_t goal, const char *why) {
  judge_settle(&h->judge, goal, why);
  if (!why || !h->limit || strcmp(why, "unsupported") != 0) return;
  h->judge.result->properties.data[goal].detail = h->model->sites.data[h->limit].message;
}

static void settle_all(struct hmc *h) {
  const struct ir_model *m = h->model;
  const char *why = h->judge.stop ? h->judge.stop : h->gap;
  bool errors = !h->relation || relation_fails(h->relation);
  if (why && h->judge.stop) h->judge.first_stop = h->judge.stop;
  for (size_t i = 0; i < m->properties.count; i++) {
    const struct ir_property *p = m->properties.data[i];
    if (p->kind == IR_PROP_ASSUME || !judge_on(&h->judge, i)) continue;
    if (p->kind == IR_PROP_INVARIANT) {
      settle(h, i, why);
      continue;
    }
    judge_settle(&h->judge, i, "not checked");
    judge_unknown(&h->judge, i, "not checked", "this engine checks invariants and errors of steps");
  }
  settle(h, m->properties.count, errors ? why : NULL);
}

// "unsupported: WHAT (FILE:LINE)", "cannot: WHY"
static void say_reason(struct hmc *h) {
  struct result *r = h->judge.result;
  struct text t = {0};
  if (!r->reason) return;
  if (strcmp(r->reason, "cannot") == 0) {
    text_printf(&t, "cannot: %s", text_str(&h->why));
  } else if (strcmp(r->reason, "unsupported") == 0 && h->limit) {
    const struct ir_site *s = &h->model->sites.data[h->limit];
    text_printf(&t, "unsupported: %s", s->message ? s->message : "what follows");
    if (s->span.source) text_printf(&t, " (%s:%u)", s->span.source->path, s->span.line);
  }
  if (!t.count) return;
  mem_free(r->reason);
  r->reason = t.data;
}

static void clear(struct hmc *h) {
  if (h->jobs) paths_close(h);
  if (h->states) {
    while (h->F.count) traverse_drop(h, 0);
    priority_clear(h);
    reached_free(h);
    states_free(h->states);
  }
  VEC_CLEAR(&h->F);
  if (h->efsm) efsm_free(h->efsm);
  if (h->slice && h->slice != h->relation) relation_free(h->slice);
  if (h->relation) relation_free(h->relation);
  if (h->eval) ir_eval_free(h->eval);
  mem_free(h->distance);
  mem_free(h->found);
  mem_free(h->property_on);
  mem_free(h->params);
  mem_free(h->leaves);
  mem_free(h->state);
  text_clear(&h->why);
  text_clear(&h->note);
  judge_clear(&h->judge);
}

static const char *engine_name(enum hybrid_mode m) {
  return m == HYBRID_ST ? "st" : m == HYBRID_PR ? "smt" : "hybrid";
}

void hybrid_run(const struct hybrid_config *c, struct result *r) {
  double begun = clock_seconds();
  struct hmc *h = mem_zalloc(1, sizeof *h); // on the heap: its fields survive the jump
  struct judge_config judging = {
      .model = c->model, .max_errors = c->max_errors, .property_on = c->property_on};
  h->config = c;
  h->model = c->model;
  r->engine = engine_name(c->mode);
  r->search = c->mode != HYBRID_HMC ? "bfs" : c->search == HYBRID_GLH ? "glh" : "dfs";
  r->store = NULL;
  judge_init(&h->judge, &judging, r);
  struct mem_boundary boundary;
  if (mem_boundary_enter(&boundary)) {
    if (!h->judge.stop) h->judge.stop = "memory";
    if (h->states) states_stop(h->states);
  } else {
    run(h);
    mem_boundary_leave(&boundary);
  }
  fill_stats(h, begun);
  describe(h);
  settle_all(h);
  judge_draw(&h->judge);
  if (h->note.count) r->note = mem_strdup(text_str(&h->note));
  say_reason(h);
  clear(h);
  mem_free(h);
}
