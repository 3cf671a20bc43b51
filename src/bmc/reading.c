// SPDX-License-Identifier: Apache-2.0
// Traces: what the solver has found, read off step by step and gone through once more by the
// interpreter, which has the last word. Steps of a slice are completed to steps of the model.
#include "bmc/run.h"

#include "ir/eval.h"
#include "relation/cone.h"
#include "sys/sys.h"

static const struct relation_rule *rule_of(const struct relation *r, bool start,
                                           uint32_t instance) {
  return start ? &r->starts.data[instance] : &r->rules.data[instance];
}

// Choices that the slice does not speak of get values with which the step exists.
static void complete(struct unit *u, struct run *x, bool start, uint32_t instance) {
  if (u->slice == x->relation) return;
  const struct ir_layout *l = x->model->layout;
  for (uint64_t i = 0; !start && i < l->count; i++)
    x->leaves[i] = ir_leaf_get(&l->leaf[i], x->state);
  relation_complete(x->relation, u->slice, rule_of(u->slice, start, instance),
                    start ? NULL : x->leaves, x->values);
}

static bool begin(struct unit *u, struct run *x, uint32_t instance, struct trace *t) {
  const struct ir_rule *r = ir_instance(x->model, true, instance, x->params);
  complete(u, x, true, instance);
  t->start_instance = instance;
  t->start_choice = trace_keep_choices(t, r, x->values);
  return ir_eval_body(x->eval, r, x->params, x->values, x->state) == IR_OK;
}

bool bmc_read_step(struct unit *u, struct run *x, uint32_t instance, struct trace *t) {
  if (instance == SYS_STUTTER) {
    VEC_PUSH(&t->steps, ((struct trace_step){.instance = SYS_STUTTER}));
    return true;
  }
  const struct ir_rule *r = ir_instance(x->model, false, instance, x->params);
  complete(u, x, false, instance);
  struct trace_step step = {instance, trace_keep_choices(t, r, x->values)};
  VEC_PUSH(&t->steps, step);
  enum ir_outcome o = ir_eval_guard(x->eval, r, x->params, x->values, x->state);
  if (o == IR_OK) o = ir_eval_body(x->eval, r, x->params, x->values, x->state);
  return o == IR_OK;
}

void bmc_read(struct unit *u, struct run *x, size_t time, struct trace *t) {
  uint32_t instance = 0;
  machine_start_step(u->machine, 0, &instance, x->values);
  bool good = begin(u, x, instance, t);
  for (size_t i = 0; i < time; i++) {
    machine_step(u->machine, i, &instance, x->values);
    good &= bmc_read_step(u, x, instance, t);
  }
  assert(good && "the interpreter has the last word");
  (void)good;
}

void bmc_tell(struct run *x, struct trace *t) {
  VEC_PUSH(&x->judge.result->traces, *t);
  *t = (struct trace){0};
}
