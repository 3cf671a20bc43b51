// SPDX-License-Identifier: Apache-2.0
// Ends of traces, judged as the searches judge (common.c): sys->check says fast whether anything is
// wrong with a state; only then does the interpreter say what.
#include "search/ending.h"

#include "ir/eval.h"
#include "sys/sys.h"

static bool property_on(const struct ending *e, size_t i) {
  return !e->config->property_on || e->config->property_on[i];
}

void ending_init(struct ending *e, const struct shrink_config *c, const struct trace *t) {
  const struct ir_model *m = c->model;
  *e = (struct ending){.config = c, .trace = t};
  for (size_t i = 0; i < m->properties.count; i++) {
    const struct ir_property *p = m->properties.data[i];
    e->has_state_covers |= p->kind == IR_PROP_COVER && p->expr && property_on(e, i);
  }
  e->cover_bits = mem_zalloc(m->properties.count / 64 + 1, sizeof *e->cover_bits);
  e->eval = ir_eval_new(m);
}

void ending_clear(struct ending *e) {
  if (e->eval) ir_eval_free(e->eval);
  mem_free(e->cover_bits);
}

static bool is_fault(const struct ending *e, size_t property) {
  const struct trace *t = e->trace;
  return t->end == TRACE_SITE && t->in_property && t->property == property &&
         t->id == ir_eval_site(e->eval);
}

static uint64_t evaluate(struct ending *e, enum ir_property_kind kind, const uint64_t *state) {
  const struct ir_model *m = e->config->model;
  uint64_t marks = 0;
  for (size_t i = 0; i < m->properties.count; i++) {
    const struct ir_property *p = m->properties.data[i];
    if (p->kind != kind || !p->expr || !property_on(e, i)) continue;
    bool value = true, end = false;
    if (ir_eval_bool(e->eval, &p->frame, p->expr, state, &value) == IR_FAILED)
      end = is_fault(e, i);
    else if (kind == IR_PROP_INVARIANT && !value)
      end = e->trace->end == TRACE_PROPERTY && e->trace->id == i;
    else
      continue;
    marks |= end ? ENDING_BAD | ENDING_IS : ENDING_BAD;
  }
  return marks;
}

uint64_t ending_marks(struct ending *e, const uint64_t *state) {
  struct sys *sys = e->config->sys;
  uint64_t marks = 0;
  if (sys->check(sys, state).kind != SYS_NO_FAULT) marks = evaluate(e, IR_PROP_INVARIANT, state);
  if (!marks && e->has_state_covers && sys->covers(sys, state, e->cover_bits).kind != SYS_NO_FAULT)
    marks = evaluate(e, IR_PROP_COVER, state);
  return marks;
}

bool ending_deadlock(struct ending *e, const uint64_t *state, const struct sys_out *out) {
  int kind = e->config->deadlock;
  if (e->trace->end != TRACE_DEADLOCK || kind == IR_DEADLOCK_OFF) return false;
  if (kind == IR_DEADLOCK_STUTTERING ? out->moved : out->fired > 0) return false;
  for (size_t i = 0; i < out->count; i++)
    if (out->steps[i].site) return false;
  return !e->config->sys->may_end(e->config->sys, state);
}

const struct sys_step *ending_step(const struct ending *e, const struct sys_out *out) {
  if (!ending_in_step(e->trace)) return NULL;
  for (size_t i = 0; i < out->count; i++)
    if (out->steps[i].site == e->trace->id) return &out->steps[i];
  return NULL;
}
