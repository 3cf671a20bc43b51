// SPDX-License-Identifier: Apache-2.0
// Lassos within a depth bound (the conclusion of paper 000 asks for them): when the bounded search
// of a product has come to a bound, a nested search looks for cycles among the states that it has
// stored, and nowhere else. It is run when there are twice as many as the last time, and at the
// end, so that all of these together cost about as much as the last one.
#include "search/bounded.h"

#include "ir/ir.h"
#include "search/common.h"
#include "store/store.h"
#include "sys/sys.h"

// The system that knows the stored states only.
struct within {
  struct sys_wrapper wrap; // first: the public pointer is this pointer
  struct store_writer *writer;
  struct sys_out out; // all successors
  uint64_t *ids;
  size_t capacity; // of ids
};

static void expand(struct sys *s, const uint64_t *state, struct sys_out *out) {
  struct within *x = (struct within *)s;
  struct sys *inner = x->wrap.inner;
  size_t words = s->words;
  sys_out_reset(&x->out);
  inner->expand(inner, state, &x->out);
  if (x->out.count > x->capacity) {
    x->capacity = x->out.capacity;
    x->ids = mem_realloc(x->ids, x->capacity * sizeof *x->ids);
  }
  store_seek_batch(x->writer, x->out.words, x->out.count, x->ids);
  sys_out_reserve(out, x->out.count);
  for (size_t i = 0; i < x->out.count; i++) {
    if (x->out.steps[i].site || x->ids[i] == STORE_ABSENT) continue;
    words_copy(out->words + out->count * words, x->out.words + i * words, words);
    out->steps[out->count++] = x->out.steps[i];
  }
}

static void within_init(struct within *x, struct search *s) {
  *x = (struct within){.writer = s->workers[0]->writer};
  sys_wrap(&x->wrap, s->config->sys);
  x->wrap.pub.expand = expand;
  sys_out_init(&x->out, s->words, s->config->model->properties.count);
}

static void within_clear(struct within *x) {
  sys_out_clear(&x->out);
  mem_free(x->ids);
}

// --- what came out ---

// The search as a whole ends for the same reason.
static void hand_on_stop(struct search *s, const struct result *r) {
  static const char *const reasons[] = {"time", "memory", "interrupted", "cancelled"};
  for (size_t i = 0; r->reason && i < sizeof reasons / sizeof *reasons; i++)
    if (strcmp(r->reason, reasons[i]) == 0) search_stop(s, reasons[i]);
}

static void take_lassos(struct search *s, struct result *r) {
  for (size_t i = 0; i < r->traces.count; i++) {
    struct trace *t = &r->traces.data[i];
    struct search_found f = {.end = t->end, .id = t->id};
    if (t->end != TRACE_PROPERTY || !search_claim(s, &f)) continue;
    VEC_PUSH(&s->result->traces, *t);
    *t = (struct trace){0};
  }
  s->result->stats.nested_states += r->stats.nested_states;
  s->result->stats.nested_transitions += r->stats.nested_transitions;
}

static void look(struct search *s) {
  struct search_config c = *s->config;
  struct sys_chains *chains = c.sys->chains;
  struct sys_asking *asking = c.sys->asking, before = asking ? *asking : (struct sys_asking){0};
  bool lists = chains && chains->lists;
  struct within x;
  struct result r = {0};
  uint8_t *on = mem_zalloc(c.model->properties.count + 1, 1);
  on[c.cycle_property] = 1;
  within_init(&x, s);
  c.sys = &x.wrap.pub;
  c.budget.depth_max = c.budget.states_max = 0;
  c.property_on = on;
  c.max_errors = 0;
  c.threads = 1;
  c.survey = false;
  c.ample = NULL;
  search_run(search_strategy_find("ndfs"), &c, &r);
  if (asking) *asking = before;
  if (chains) chains->lists = lists;
  take_lassos(s, &r);
  hand_on_stop(s, &r);
  result_clear(&r);
  within_clear(&x);
  mem_free(on);
}

void bounded_lassos(struct search *s, bool last) {
  struct bounded *all = s->own;
  const char *stop = search_stopped(s);
  if (!s->config->sys->accepts || (stop && strcmp(stop, "depth") != 0)) return;
  uint64_t states = store_count(s->store);
  if (!last && states / 2 < all->lassos_at) return;
  if (s->property_seen[s->config->cycle_property]) return;
  all->lassos_at = states;
  look(s);
}
