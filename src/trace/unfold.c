// SPDX-License-Identifier: Apache-2.0
// From a trace whose steps are chains to one of the model's own steps: each state is expanded once
// more, and the steps are noted on the way to where the chain ends.
#include "trace/trace.h"

#include "ir/ir.h"
#include "sys/sys.h"

#include <string.h>

struct unfolder {
  struct sys *sys;
  struct sys_out path; // of one chain
  uint64_t *state;
  struct trace *out;
};

static void go_to(struct unfolder *u, size_t i) {
  memcpy(u->state, u->path.words + i * u->sys->words, u->sys->words * sizeof *u->state);
}

static bool begin(struct unfolder *u, const struct trace *t) {
  u->sys->starts(u->sys, &u->path);
  for (size_t i = 0; i < u->path.count; i++) {
    const struct sys_step *s = &u->path.steps[i];
    if (s->site || s->instance != t->start_instance || s->choice != t->start_choice) continue;
    go_to(u, i);
    return true;
  }
  return false;
}

static bool unfold_step(struct unfolder *u, struct trace_step step) {
  sys_out_reset(&u->path);
  if (!u->sys->unfold(u->sys, u->state, step.choice, &u->path)) return false;
  if (u->path.steps[0].instance != step.instance) return false;
  for (size_t i = 0; i < u->path.count; i++)
    VEC_PUSH(&u->out->steps,
             ((struct trace_step){u->path.steps[i].instance, u->path.steps[i].choice}));
  go_to(u, u->path.count - 1);
  return true;
}

static bool unfold_all(struct unfolder *u, const struct trace *t) {
  if (t->steps.count == 0) return true; // perhaps the start failed
  if (!begin(u, t)) return false;
  for (size_t i = 0; i < t->steps.count; i++) {
    if (t->has_loop && t->loop_start == i) u->out->loop_start = u->out->steps.count;
    if (!unfold_step(u, t->steps.data[i])) return false;
  }
  return true;
}

bool trace_unfold(struct trace *t, struct sys *chains) {
  struct trace out = *t;
  out.steps.data = NULL;
  out.steps.count = out.steps.capacity = 0;
  struct unfolder u = {.sys = chains, .out = &out};
  u.state = mem_zalloc(chains->words, sizeof *u.state);
  sys_out_init(&u.path, chains->words, chains->model->properties.count);
  bool ok = unfold_all(&u, t);
  sys_out_clear(&u.path);
  mem_free(u.state);
  trace_clear(ok ? t : &out);
  if (ok) *t = out;
  return ok;
}

bool trace_inner(const struct replay *r, const struct ir_model *m, size_t step) {
  if (!m->transient || step >= r->count) return false;
  return ir_leaf_get(&m->layout->leaf[m->transient->first_leaf], r->states[step].words) != 0;
}

size_t trace_length(const struct trace *t, const struct replay *r, const struct ir_model *m) {
  size_t length = 0;
  for (size_t i = 0; i < t->steps.count; i++) length += !trace_inner(r, m, i);
  return length;
}
