// SPDX-License-Identifier: Apache-2.0
// A small model's states and steps, by the interpreter.
#include "random/symbolic/states.h"

#include "ir/eval.h"
#include "sys/sys.h"

#include <string.h>

#define NOWHERE ((struct span){0})

static uint32_t number(struct states *s, const uint64_t *state) {
  for (uint32_t i = 0; i < s->count; i++)
    if (memcmp(s->packed + i * s->words, state, s->words * sizeof *state) == 0) return i;
  if (s->count == STATES_MAX) return UINT32_MAX;
  memcpy(s->packed + s->count * s->words, state, s->words * sizeof *state);
  return s->count++;
}

static uint64_t agent_bit(struct states *s, const struct ir_model *m, uint32_t instance) {
  int64_t values[64];
  const struct ir_rule *r = ir_instance(m, false, instance, values);
  int32_t agent = r->agent_param >= 0 ? (int32_t)values[r->agent_param] : r->agent;
  if (agent < 0) return 0;
  for (size_t i = 0; i < s->agent.count; i++)
    if (s->agent.data[i] == agent) return UINT64_C(1) << i;
  if (s->agent.count == 64) return 0;
  VEC_PUSH(&s->agent, agent);
  return UINT64_C(1) << (s->agent.count - 1);
}

static bool take(struct states *s, struct sys *sys, const struct sys_out *out, uint32_t from,
                 bool start) {
  for (size_t i = 0; i < out->count; i++) {
    if (out->steps[i].site) return false;
    uint32_t to = number(s, out->words + i * s->words);
    if (to == UINT32_MAX) return false;
    if (start) continue;
    s->edge[from][to] = true;
    s->agents[from][to] |= agent_bit(s, sys->model, out->steps[i].instance);
  }
  return true;
}

bool states_init(struct states *s, const struct ir_model *m) {
  struct sys *sys = sys_new(m, &(struct sys_config){.mode = SYS_INTERPRETED});
  struct sys_out out;
  memset(s, 0, sizeof *s);
  s->words = sys->words;
  s->packed = mem_zalloc(STATES_MAX * s->words + 1, sizeof *s->packed);
  sys_out_init(&out, sys->words, m->properties.count);
  sys->starts(sys, &out);
  bool good = take(s, sys, &out, 0, true);
  s->starts = s->count;
  for (uint32_t i = 0; i < s->count && good; i++) {
    sys_out_reset(&out);
    sys->expand(sys, s->packed + i * s->words, &out);
    good = take(s, sys, &out, i, false);
  }
  sys_out_clear(&out);
  sys_free(sys);
  return good && s->starts > 0;
}

void states_clear(struct states *s) {
  mem_free(s->packed);
  VEC_CLEAR(&s->agent);
}

void states_of(const struct states *s, const struct ir_model *m, const struct ir_expr *e,
               states_set out) {
  struct ir_eval *eval = ir_eval_new(m);
  struct ir_frame none = {0};
  for (uint32_t i = 0; i < s->count; i++) {
    bool value = false;
    enum ir_outcome o = ir_eval_bool(eval, &none, e, s->packed + i * s->words, &value);
    assert(o == IR_OK);
    (void)o;
    out[i] = value;
  }
  ir_eval_free(eval);
}

// --- sets as conditions ---

static struct ir_expr *leaf_of(struct ir_model *m, uint64_t leaf) {
  const struct ir_var *v = ir_leaf_var(m, leaf);
  struct ir_expr *e = ir_var_ref(m, v, NOWHERE);
  leaf -= v->first_leaf;
  while (!ir_type_scalar(e->type)) {
    const struct ir_type *t = e->type;
    if (t->kind == IR_TYPE_ARRAY) {
      int64_t at = ir_type_value(t->index, leaf / t->elem->leaves);
      leaf %= t->elem->leaves;
      e = ir_index(m, e, ir_const(m, t->index, at, NOWHERE), NOWHERE);
      continue;
    }
    uint32_t f = t->field_count - 1;
    while (t->fields[f].leaf > leaf || t->fields[f].type->leaves == 0) f--;
    leaf -= t->fields[f].leaf;
    e = ir_field(m, e, f, NOWHERE);
  }
  return e;
}

static struct ir_expr *leaf_is(struct ir_model *m, uint64_t leaf, int64_t value) {
  const struct ir_leaf *l = &m->layout->leaf[leaf];
  struct ir_expr *e = leaf_of(m, leaf);
  if (value == IR_UNDEF && l->undef) return ir_isundef(m, e, NOWHERE);
  struct ir_expr *is = ir_binary(m, IR_EQ, e, ir_const(m, l->type, value, NOWHERE), NOWHERE);
  if (!l->undef) return is;
  struct ir_expr *there = ir_unary(m, IR_NOT, ir_isundef(m, leaf_of(m, leaf), NOWHERE), NOWHERE);
  return ir_binary(m, IR_AND, there, is, NOWHERE);
}

static struct ir_expr *state_is(struct ir_model *m, const uint64_t *state) {
  struct ir_expr *all = ir_bool(m, true, NOWHERE);
  for (uint64_t i = 0; i < m->leaves; i++) {
    const struct ir_leaf *l = &m->layout->leaf[i];
    if (l->width == 0) continue;
    all = ir_binary(m, IR_AND, all, leaf_is(m, i, ir_leaf_get(l, state)), NOWHERE);
  }
  return all;
}

struct ir_expr *states_condition(const struct states *s, struct ir_model *m, const states_set set) {
  struct ir_expr *any = ir_bool(m, false, NOWHERE);
  for (uint32_t i = 0; i < s->count; i++)
    if (set[i]) any = ir_binary(m, IR_OR, any, state_is(m, s->packed + i * s->words), NOWHERE);
  return any;
}
