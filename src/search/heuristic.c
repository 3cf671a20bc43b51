// SPDX-License-Identifier: Apache-2.0
// Heuristics. By marks: 100 less the marked steps that are enabled (the paper's priority). By an
// expression of the user's. By itself: steps count the more, the nearer their rules are to the
// property in the dependency table: a rule that writes a leaf which a property reads counts 4, one
// that writes what such a rule reads 2, the next 1. By a table of somebody else's: as it says.
#include "search/heuristic.h"

#include "ir/eval.h"
#include "search/guided.h"

enum { MOST = 100, WEIGHT_NEAREST = 4, INSTANCES_MOST = 1 << 16 };

// --- by itself ---

struct tables { // bit sets of leaves
  size_t words;
  uint64_t *wanted, *next; // leaves that count now, and that count next
  struct search_pace pace;
};

static void want_properties(const struct search *s, struct ir_access *a, uint64_t *wanted) {
  const struct ir_model *m = s->config->model;
  for (size_t i = 0; i < m->properties.count; i++) {
    const struct ir_property *p = m->properties.data[i];
    if (p->expr && p->kind == IR_PROP_INVARIANT && search_property_on(s, i))
      ir_access_expr(a, m, p->expr);
  }
  memcpy(wanted, a->reads, a->words * sizeof *wanted);
}

static bool meet(const uint64_t *a, const uint64_t *b, size_t words) {
  uint64_t common = 0;
  for (size_t i = 0; i < words; i++) common |= a[i] & b[i];
  return common;
}

// Gives the rules that write what is wanted this weight, if they have none yet; what they read is
// wanted next.
static void weigh(struct heuristic *h, struct search *s, struct tables *t, uint8_t weight) {
  const struct ir_model *m = s->config->model;
  memset(t->next, 0, t->words * sizeof *t->next);
  for (size_t k = 0; k < m->rules.count && !search_stopped(s); k++) {
    const struct ir_rule *r = m->rules.data[k];
    int64_t *params = mem_alloc((r->param_count + 1) * sizeof *params);
    for (uint32_t i = r->first_instance; i < r->first_instance + r->instances; i++) {
      if (search_pace_due(&t->pace) && !search_goes_on(s->workers[0])) break;
      if (h->weight[i]) continue;
      struct ir_access a;
      ir_access_init(&a, m);
      ir_instance(m, false, i, params);
      ir_access_rule(&a, m, r, params);
      if (meet(a.writes, t->wanted, t->words)) {
        h->weight[i] = weight;
        for (size_t j = 0; j < t->words; j++) t->next[j] |= a.reads[j];
      }
      ir_access_clear(&a);
    }
    mem_free(params);
  }
}

static void weigh_all(struct heuristic *h, struct search *s) {
  const struct ir_model *m = s->config->model;
  struct ir_access a;
  ir_access_init(&a, m);
  struct tables t = {.words = a.words};
  t.wanted = mem_zalloc(t.words, sizeof *t.wanted);
  t.next = mem_zalloc(t.words, sizeof *t.next);
  want_properties(s, &a, t.wanted);
  for (uint8_t weight = WEIGHT_NEAREST; weight > 0 && !search_stopped(s); weight /= 2) {
    weigh(h, s, &t, weight);
    uint64_t *done = t.wanted;
    t.wanted = t.next;
    t.next = done;
  }
  ir_access_clear(&a);
  mem_free(t.wanted);
  mem_free(t.next);
}

// --- any ---

void heuristic_init(struct heuristic *h, struct search *s) {
  const struct ir_model *m = s->config->model;
  h->kind = s->config->heuristic;
  search_out_init(s, &h->out);
  if (h->kind != HEURISTIC_AUTO) return;
  h->weight = mem_zalloc(m->rule_instances + 1, 1);
  if (m->rule_instances <= INSTANCES_MOST) weigh_all(h, s);
}

void heuristic_clear(struct heuristic *h) {
  sys_out_clear(&h->out);
  mem_free(h->weight);
}

size_t heuristic_bytes(const struct heuristic *h) {
  return h->out.capacity * (h->out.words_per_state * sizeof(uint64_t) + sizeof(struct sys_step));
}

static int64_t by_expression(struct search_worker *w, const uint64_t *state) {
  const struct search_config *c = w->search->config;
  int64_t value;
  enum ir_outcome outcome =
      ir_eval_int(w->eval, c->heuristic_frame, c->heuristic_expr, state, &value);
  return outcome == IR_OK ? value : INT64_MAX;
}

// What is wrong with a state itself is found when it comes up, so that what waits is a step away at
// least; but for a deadlock, which is found when it is expanded.
static int64_t by_table(struct heuristic *h, struct search_worker *w, const uint64_t *state) {
  const struct search_config *c = w->search->config;
  uint32_t value = c->heuristic_table(c->heuristic_context, state);
  if (value == SEARCH_NEVER) return INT64_MAX;
  if (value > 0 || c->deadlock == IR_DEADLOCK_OFF) return value > 0 ? value : 1;
  bool faulty = false;
  sys_out_reset(&h->out);
  w->sys->expand(w->sys, state, &h->out);
  for (size_t i = 0; i < h->out.count; i++) faulty = faulty || h->out.steps[i].site;
  return !search_is_deadlock(w, state, h->out.fired, h->out.moved, faulty);
}

int64_t heuristic_value(struct heuristic *h, struct search_worker *w, const uint64_t *state) {
  if (h->kind == HEURISTIC_EXPR) return by_expression(w, state);
  if (h->kind == HEURISTIC_TABLE) return by_table(h, w, state);
  int64_t value = MOST;
  sys_out_reset(&h->out);
  w->sys->expand(w->sys, state, &h->out);
  for (size_t i = 0; i < h->out.count; i++) {
    const struct sys_step *step = &h->out.steps[i];
    if (h->kind == HEURISTIC_AUTO)
      value -= h->weight[step->instance];
    else
      value -= guided_marked(w, step->instance, state);
  }
  return value;
}
