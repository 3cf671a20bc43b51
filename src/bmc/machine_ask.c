// SPDX-License-Identifier: Apache-2.0
// What is asked of a machine: conditions at a time as literals, and, when the solver has found
// values, the states and steps that they are.
#include "bmc/machine_own.h"

#include "ir/ir.h"
#include "sys/sys.h"

#include <string.h>

// --- literals ---

lit machine_valid(const struct machine *m, size_t time) { return m->own->frames.data[time].valid; }

size_t machine_inputs(const struct machine *m, size_t time, const lit **inputs) {
  *inputs = m->own->frames.data[time].inputs.data;
  return m->own->frames.data[time].inputs.count;
}

lit machine_bit(const struct machine *m, size_t time, size_t number) {
  return m->own->frames.data[time].bits[number];
}

uint64_t machine_bit_leaf(const struct machine *m, size_t number) {
  return m->own->bit_leaf[number];
}

static lit all_of(struct machine *m, size_t time, const bit_list *edges) {
  VEC(lit) lits = {0};
  for (size_t i = 0; i < edges->count; i++) VEC_PUSH(&lits, own_lit(m, time, edges->data[i]));
  lit out = gates_and_all(&m->own->gates, lits.data, lits.count);
  VEC_CLEAR(&lits);
  return out;
}

lit machine_start(struct machine *m, size_t time) {
  struct own *o = m->own;
  struct frame *f = &o->frames.data[time];
  for (size_t i = f->starts.count; i < o->starts.count; i++) {
    lit start = all_of(m, time, &o->starts.data[i].needs);
    VEC_PUSH(&f->starts, start);
  }
  return gates_or_all(&o->gates, f->starts.data, f->starts.count);
}

lit machine_condition(struct machine *m, size_t time, const struct relation_condition *c) {
  return own_lit(m, time, own_condition(m->own, c));
}

lit machine_condition_fails(struct machine *m, size_t time, const struct relation_condition *c,
                            size_t error) {
  return own_lit(m, time, encode_truth(&m->own->plain, c->errors.data[error].when));
}

lit machine_failing(struct machine *m, size_t time) {
  struct own *o = m->own;
  own_find_faults(m);
  VEC(lit) lits = {0};
  for (size_t i = 0; i < o->faults.count; i++)
    VEC_PUSH(&lits, own_lit(m, time, o->faults.data[i].when));
  lit out = gates_or_all(&o->gates, lits.data, lits.count);
  VEC_CLEAR(&lits);
  return out;
}

bool machine_assumptions_fail(const struct machine *m) { return m->own->assumes_fail; }

lit machine_stuck(struct machine *m, size_t time, bool stuttering, bool *exact) {
  *exact = own_find_stuck(m, stuttering);
  return *exact ? own_lit(m, time, m->own->stuck[stuttering].edge) : -m->own->gates.yes;
}

lit machine_fails(struct machine *m, size_t time, bool *exact) {
  *exact = own_find_fails(m);
  return *exact ? own_lit(m, time, m->own->fails.edge) : -m->own->gates.yes;
}

lit machine_passed(struct machine *m, size_t time) { return own_lit(m, time, m->own->passed); }

lit machine_moved_by(struct machine *m, size_t time, int32_t agent) {
  struct own *o = m->own;
  const struct frame *f = &o->frames.data[time];
  VEC(lit) lits = {0};
  for (size_t i = 0; i < o->parts.count; i++)
    if (o->parts.data[i].rule->agent == agent) VEC_PUSH(&lits, f->select.data[i]);
  lit out = gates_or_all(&o->gates, lits.data, lits.count);
  VEC_CLEAR(&lits);
  return out;
}

lit machine_same(struct machine *m, size_t a, size_t b) {
  struct own *o = m->own;
  VEC(lit) lits = {0};
  for (size_t i = 0; i < m->bits; i++)
    VEC_PUSH(&lits, -gates_xor(&o->gates, machine_bit(m, a, i), machine_bit(m, b, i)));
  lit out = gates_and_all(&o->gates, lits.data, lits.count);
  VEC_CLEAR(&lits);
  return out;
}

lit machine_and(struct machine *m, lit a, lit b) { return gates_and(&m->own->gates, a, b); }
lit machine_or(struct machine *m, lit a, lit b) { return gates_or(&m->own->gates, a, b); }
lit machine_xor(struct machine *m, lit a, lit b) { return gates_xor(&m->own->gates, a, b); }

// --- values ---

void machine_state(struct machine *m, size_t time, uint64_t *state) {
  const struct own *o = m->own;
  memset(state, 0, o->model->layout->words * sizeof *state);
  for (uint64_t i = 0; i < o->model->layout->count; i++) {
    uint64_t code = 0;
    for (unsigned k = 0; k < o->leaf[i].count; k++)
      code |= (uint64_t)sat_value(m->sat, machine_bit(m, time, o->leaf[i].vars[k])) << k;
    ir_leaf_set_code(&o->model->layout->leaf[i], state, code);
  }
}

// The value of a circuit's variable: of one that nobody asked for any will do.
static bool value_of(const struct machine *m, size_t time, unsigned var) {
  const struct own *o = m->own;
  const struct frame *f = &o->frames.data[time];
  if (var < m->bits) return sat_value(m->sat, f->bits[var]);
  bit node = var < o->circuit.inputs.count ? o->circuit.inputs.data[var] : 0;
  if (!node || (size_t)node >= f->made_count || !f->made[node]) return false;
  return sat_value(m->sat, f->made[node]);
}

static void read_choices(const struct machine *m, size_t time, const struct part *p,
                         enum choice_kind kind, int64_t *choices) {
  for (uint32_t k = 0; k < p->rule->rule->choice_count; k++) {
    struct code c = own_choice_code(m->own, p, kind, k);
    const struct ir_domain *d = encode_domain(p->rule, k);
    uint64_t code = 0;
    for (unsigned i = 0; i < c.count; i++) code |= (uint64_t)value_of(m, time, c.var[i]) << i;
    bool any = c.domain != NULL || code < c.undef; // undefined: the choice is not spoken of
    if (c.domain)
      choices[k] = ir_domain_value(d, code);
    else
      choices[k] = any ? ir_domain_value(d, 0) : ir_type_value(c.type, code - c.undef);
  }
}

void machine_step(struct machine *m, size_t time, uint32_t *instance, int64_t *choices) {
  const struct own *o = m->own;
  const struct frame *f = &o->frames.data[time];
  *instance = SYS_STUTTER;
  for (size_t i = 0; i < o->parts.count; i++) {
    if (!sat_value(m->sat, f->select.data[i])) continue;
    *instance = o->parts.data[i].rule->instance;
    return read_choices(m, time, &o->parts.data[i], CHOICE_STEP, choices);
  }
}

void machine_start_step(struct machine *m, size_t time, uint32_t *instance, int64_t *choices) {
  const struct own *o = m->own;
  const struct frame *f = &o->frames.data[time];
  for (size_t i = 0; i < f->starts.count; i++) {
    if (!sat_value(m->sat, f->starts.data[i])) continue;
    *instance = o->starts.data[i].rule->instance;
    return read_choices(m, time, &o->starts.data[i], CHOICE_START, choices);
  }
  assert(!"a start state");
}

bool machine_failing_step(struct machine *m, size_t time, uint32_t *instance, int64_t *choices,
                          uint32_t *site) {
  struct own *o = m->own;
  for (size_t i = 0; i < o->faults.count; i++) {
    const struct fault *x = &o->faults.data[i];
    if (!sat_value(m->sat, own_lit(m, time, x->when))) continue;
    *instance = o->rules.data[x->part].rule->instance;
    *site = x->site;
    read_choices(m, time, &o->rules.data[x->part], CHOICE_FAIL, choices);
    return true;
  }
  return false;
}

// --- starts that fail ---

// The conditions of a start's errors over its choices; those that are a leaf's bits are free here.
static bool failing_start(struct machine *m, const struct part *p, int64_t *choices) {
  struct own *o = m->own;
  VEC(lit) some = {0};
  own_bind(o, p, CHOICE_START);
  for (size_t i = 0; i < p->rule->errors.count; i++)
    VEC_PUSH(&some, own_lit(m, 0, encode_truth(&o->bound, p->rule->errors.data[i].when)));
  VEC(lit) all = {0};
  VEC_PUSH(&all, gates_or_all(&o->gates, some.data, some.count));
  for (uint32_t k = 0; k < p->rule->rule->choice_count; k++) {
    struct code c = own_choice_code(o, p, CHOICE_START, k);
    VEC_PUSH(&all, own_lit(m, 0, code_within(&o->circuit.bits, &c, encode_domain(p->rule, k))));
  }
  bool found = sat_solve(m->sat, all.data, all.count) == SAT_YES;
  if (found) read_choices(m, 0, p, CHOICE_START, choices);
  VEC_CLEAR(&some);
  VEC_CLEAR(&all);
  return found;
}

bool machine_failing_start(struct relation *r, const struct sat_config *c, uint32_t *instance,
                           int64_t *choices) {
  bool found = false, any = false;
  for (size_t i = 0; i < r->starts.count; i++) any |= r->starts.data[i].errors.count > 0;
  if (!any) return false;
  struct sat *s = sat_new(c);
  struct machine *m = own_machine_bare(r, s);
  for (size_t i = 0; m && i < m->own->starts.count && !found; i++) {
    found = failing_start(m, &m->own->starts.data[i], choices);
    *instance = m->own->starts.data[i].rule->instance;
  }
  machine_free(m);
  sat_free(s);
  return found;
}
