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
  bool claims; // the trace has the states of an automaton
};

static void go_to(struct unfolder *u, size_t i) {
  memcpy(u->state, u->path.words + i * u->sys->words, u->sys->words * sizeof *u->state);
}

static void note_claim(struct unfolder *u, size_t i) {
  if (!u->claims) return;
  VEC_PUSH(&u->out->claims, u->sys->claim(u->sys, u->path.words + i * u->sys->words));
}

static bool begin(struct unfolder *u, const struct trace *t) {
  u->sys->starts(u->sys, &u->path);
  for (size_t i = 0; i < u->path.count; i++) {
    const struct sys_step *s = &u->path.steps[i];
    if (s->site || s->instance != t->start_instance || s->choice != t->start_choice) continue;
    go_to(u, i);
    note_claim(u, i);
    return true;
  }
  return false;
}

static bool unfold_step(struct unfolder *u, struct trace_step step) {
  sys_out_reset(&u->path);
  if (!u->sys->unfold(u->sys, u->state, step.choice, &u->path)) return false;
  if (u->path.steps[0].instance != step.instance) return false;
  for (size_t i = 0; i < u->path.count; i++) {
    VEC_PUSH(&u->out->steps,
             ((struct trace_step){u->path.steps[i].instance, u->path.steps[i].choice}));
    note_claim(u, i);
  }
  go_to(u, u->path.count - 1);
  return true;
}

// A chain may end where the automaton cannot look at the state: no step fails then.
static void end_in_property(struct trace *t) {
  if (t->end != TRACE_SITE || t->in_property || t->steps.count == 0) return;
  if (VEC_TOP(&t->steps).instance != SYS_STUTTER) return;
  t->steps.count--;
  t->in_property = true;
}

static bool unfold_all(struct unfolder *u, const struct trace *t) {
  if (t->steps.count == 0 && !u->claims) return true; // perhaps the start failed
  if (!begin(u, t)) return false;
  for (size_t i = 0; i < t->steps.count; i++) {
    if (t->has_loop && t->loop_start == i) u->out->loop_start = u->out->steps.count;
    if (!unfold_step(u, t->steps.data[i])) return false;
  }
  end_in_property(u->out);
  return true;
}

bool trace_unfold(struct trace *t, struct sys *chains) {
  assert(t->values.count == 0 && "chains are of numbered choices");
  struct trace out = *t;
  out.steps.data = NULL;
  out.steps.count = out.steps.capacity = 0;
  out.claims.data = NULL;
  out.claims.count = out.claims.capacity = 0;
  struct unfolder u = {.sys = chains, .out = &out, .claims = t->claims.count > 0};
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
