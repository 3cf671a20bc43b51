// SPDX-License-Identifier: Apache-2.0
// Traces that were found in a slice, as ones of the whole model: the interpreter goes along, and
// tells what leaves hold that the slice knows nothing of.
#include "symbolic/reach.h"

#include "ir/eval.h"
#include "relation/cone.h"
#include "sys/sys.h"

#include <string.h>

#define STEPS_MAX 100000 // of a trace, going round

void witness_leaves(struct reach *x) {
  const struct ir_layout *l = x->model->layout;
  for (uint64_t i = 0; i < l->count; i++) x->full_values[i] = ir_leaf_get(&l->leaf[i], x->full);
}

void witness_take(struct reach *x, bool start, uint32_t instance) {
  if (!x->full) return;
  const struct ir_rule *r = ir_instance(x->model, start, instance, x->params);
  enum ir_outcome o = ir_eval_body(x->eval, r, x->params, x->values, x->full);
  assert(o == IR_OK && "a step of the slice is one of the whole");
  (void)o;
}

// --- cycles ---

struct round {
  struct reach *x;
  struct trace *trace;
  size_t first, length; // of the cycle, as it was found
  VEC(uint64_t) begun;  // states in which rounds began, one behind the other
};

static void begin_round(struct round *r) {
  for (uint64_t i = 0; i < r->x->model->layout->words; i++) VEC_PUSH(&r->begun, r->x->full[i]);
}

// The round that began in the state that this one has come to; or how many there were.
static size_t find_round(const struct round *r) {
  size_t words = r->x->model->layout->words, count = r->begun.count / words, i = 0;
  while (i < count && memcmp(r->begun.data + i * words, r->x->full, words * sizeof(uint64_t)) != 0)
    i++;
  return i;
}

// Takes the step with this number in the trace as it is there.
static void go(struct reach *x, const struct trace *t, size_t i) {
  const struct trace_step *s = &t->steps.data[i];
  if (s->instance == SYS_STUTTER) return;
  const struct ir_rule *r = ir_instance(x->model, false, s->instance, NULL);
  trace_choices(t, r, s->choice, x->values);
  witness_take(x, false, s->instance);
}

// The same step once more, at the end of the trace: what the slice says of it stays.
static void repeat(struct round *r, size_t i) {
  struct reach *x = r->x;
  struct trace *t = r->trace;
  struct trace_step s = t->steps.data[i];
  if (s.instance != SYS_STUTTER) {
    const struct ir_rule *rule = ir_instance(x->model, false, s.instance, NULL);
    trace_choices(t, rule, s.choice, x->values);
    witness_leaves(x);
    relation_complete(x->whole, x->relation, &x->relation->rules.data[s.instance], x->full_values,
                      x->values);
    s.choice = trace_keep_choices(t, rule, x->values);
    witness_take(x, false, s.instance);
  }
  VEC_PUSH(&t->steps, s);
  if (t->claims.count > 0) {
    uint32_t claim = t->claims.data[i + 1];
    VEC_PUSH(&t->claims, claim);
  }
}

static void go_to_cycle(struct round *r) {
  struct reach *x = r->x;
  const struct trace *t = r->trace;
  trace_choices(t, ir_instance(x->model, true, t->start_instance, NULL), t->start_choice,
                x->values);
  witness_take(x, true, t->start_instance);
  for (size_t i = 0; i < r->first; i++) go(x, t, i);
}

bool witness_close(struct reach *x, struct trace *t) {
  struct round r = {x, t, t->loop_start, t->steps.count - t->loop_start, {0}};
  go_to_cycle(&r);
  begin_round(&r);
  for (size_t i = r.first; i < r.first + r.length; i++) go(x, t, i);
  size_t back = find_round(&r), words = x->model->layout->words;
  while (back * words == r.begun.count && t->steps.count < STEPS_MAX) {
    begin_round(&r);
    for (size_t i = r.first; i < r.first + r.length; i++) repeat(&r, i);
    back = find_round(&r);
  }
  bool closed = back * words < r.begun.count;
  if (closed) t->loop_start = r.first + back * r.length;
  VEC_CLEAR(&r.begun);
  return closed;
}
