// SPDX-License-Identifier: Apache-2.0
// What is said of all choices of a rule, or of some: steps that fail, states that no step leaves,
// and states that are passed through. Choices are quantified away in the circuit, if that is cheap.
#include "bmc/machine_own.h"

#include "ir/ir.h"

#define NODES_MOST 50000 // for the choices of one rule

static bit choices_within(struct own *o, const struct part *p, enum choice_kind kind) {
  bit all = CIRCUIT_TRUE;
  for (uint32_t k = 0; k < p->rule->rule->choice_count; k++) {
    struct code c = own_choice_code(o, p, kind, k);
    all =
        circuit_and(&o->circuit, all, code_within(&o->circuit.bits, &c, encode_domain(p->rule, k)));
  }
  return all;
}

// --- steps that fail ---

void own_find_faults(struct machine *m) {
  struct own *o = m->own;
  if (o->faults_known) return;
  o->faults_known = true;
  for (size_t i = 0; i < o->rules.count; i++) {
    const struct part *p = &o->rules.data[i];
    if (!p->rule->errors.count) continue;
    own_bind(o, p, CHOICE_FAIL);
    bit within = choices_within(o, p, CHOICE_FAIL);
    for (size_t k = 0; k < p->rule->errors.count; k++) {
      const struct relation_error *e = &p->rule->errors.data[k];
      bit when = circuit_and(&o->circuit, within, encode_truth(&o->bound, e->when));
      if (when != CIRCUIT_FALSE) VEC_PUSH(&o->faults, ((struct fault){(uint32_t)i, e->site, when}));
    }
  }
}

bool own_find_fails(struct machine *m) {
  struct own *o = m->own;
  struct span_of_vars v = o->choices[CHOICE_FAIL];
  if (o->fails.known) return o->fails.exact;
  own_find_faults(m);
  o->fails.known = o->fails.exact = true;
  o->fails.edge = CIRCUIT_FALSE;
  for (size_t i = 0; i < o->faults.count && o->fails.exact; i++) {
    bit some;
    o->fails.exact =
        circuit_exists(&o->circuit, &o->faults.data[i].when, 1, v.first, v.end, NODES_MOST, &some);
    o->fails.edge = circuit_or(&o->circuit, o->fails.edge, some);
  }
  return o->fails.exact;
}

// --- COVER statements ---

// The rule takes a step, with choices of failing ones, and comes by.
static bit rule_covers(struct own *o, const struct part *p, uint32_t property) {
  bit reached = CIRCUIT_FALSE;
  const struct relation_rule *r = p->rule;
  own_bind(o, p, CHOICE_FAIL);
  for (size_t i = 0; i < r->covers.count; i++)
    if (r->covers.data[i].property == property)
      reached = circuit_or(&o->circuit, reached, encode_truth(&o->bound, r->covers.data[i].when));
  if (reached == CIRCUIT_FALSE) return reached;
  bit all = circuit_and(&o->circuit, choices_within(o, p, CHOICE_FAIL), reached);
  all = circuit_and(&o->circuit, all, encode_truth(&o->bound, r->guard));
  for (size_t i = 0; i < r->assumes.count; i++)
    all = circuit_and(&o->circuit, all, encode_truth(&o->bound, r->assumes.data[i]));
  for (size_t i = 0; i < r->errors.count; i++)
    all = circuit_and(&o->circuit, all, -encode_truth(&o->bound, r->errors.data[i].when));
  return all;
}

static bit start_covers(struct own *o, const struct part *p, uint32_t property) {
  bit reached = CIRCUIT_FALSE;
  own_bind(o, p, CHOICE_START);
  for (size_t i = 0; i < p->rule->covers.count; i++)
    if (p->rule->covers.data[i].property == property)
      reached =
          circuit_or(&o->circuit, reached, encode_truth(&o->bound, p->rule->covers.data[i].when));
  for (size_t i = 0; reached != CIRCUIT_FALSE && i < p->needs.count; i++)
    reached = circuit_and(&o->circuit, reached, p->needs.data[i]);
  return reached;
}

lit machine_covers(struct machine *m, size_t time, uint32_t property) {
  struct own *o = m->own;
  lit any = -o->gates.yes;
  for (size_t i = 0; i < o->rules.count; i++)
    any = gates_or(&o->gates, any, own_lit(m, time, rule_covers(o, &o->rules.data[i], property)));
  for (size_t i = 0; time == 0 && i < o->starts.count; i++)
    any = gates_or(&o->gates, any, own_lit(m, time, start_covers(o, &o->starts.data[i], property)));
  return any;
}

// --- states that no step leaves ---

// What the part writes is there already.
static bit keeps_all(struct own *o, uint32_t part) {
  bit all = CIRCUIT_TRUE;
  for (uint64_t leaf = 0; leaf < o->model->layout->count; leaf++) {
    const struct leaf_bits *b = &o->leaf[leaf];
    for (size_t i = 0; i < b->writes.count; i++) {
      if (b->writes.data[i].part != part) continue;
      const bit *edges = o->edges.data + b->writes.data[i].first;
      for (unsigned k = 0; k < b->count; k++)
        all = circuit_and(
            &o->circuit, all,
            -circuit_xor(&o->circuit, edges[k], circuit_input(&o->circuit, b->vars[k])));
    }
  }
  return all;
}

bool own_find_stuck(struct machine *m, bool stuttering) {
  struct own *o = m->own;
  struct span_of_vars v = o->choices[CHOICE_STEP];
  if (o->stuck[stuttering].known) return o->stuck[stuttering].exact;
  bool exact = true;
  bit none = CIRCUIT_TRUE, some;
  for (size_t i = 0; i < o->parts.count && exact && sat_goes_on(m->sat); i++) {
    bit_list needs = {0};
    for (size_t k = 0; k < o->parts.data[i].needs.count; k++)
      VEC_PUSH(&needs, o->parts.data[i].needs.data[k]);
    if (stuttering) VEC_PUSH(&needs, -keeps_all(o, (uint32_t)i));
    exact = circuit_exists(&o->circuit, needs.data, needs.count, v.first, v.end, NODES_MOST, &some);
    none = circuit_and(&o->circuit, none, -some);
    VEC_CLEAR(&needs);
  }
  o->stuck[stuttering].known = true;
  o->stuck[stuttering].exact = exact;
  o->stuck[stuttering].edge = none;
  return exact;
}
