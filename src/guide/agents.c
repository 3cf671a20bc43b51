// SPDX-License-Identifier: Apache-2.0
// Who acts in each rule instance. Agents are numbered by their types and values, whatever the order
// in which the rules name them; number 0 is kept for rules that name none.
#include "guide/guide.h"

#include "ir/ir.h"

#include <stdlib.h>

struct numbering {
  VEC(struct guide_agent) agents;
  uint32_t *slots; // open addressing; 0: free, the number of an agent otherwise (0 is in no slot)
  uint32_t mask;
};

// What kind of thing an agent of this type is: all integers are alike.
static uint32_t family(const struct ir_type *t) {
  if (!t) return UINT32_MAX;
  bool integer = t->kind == IR_TYPE_RANGE || t->kind == IR_TYPE_INT;
  return integer ? UINT32_MAX - 1 : t->id;
}

static uint32_t place(const struct numbering *n, struct guide_agent a) {
  struct {
    uint64_t value, family;
  } key = {(uint64_t)a.value, family(a.type)};
  return (uint32_t)hash_bytes(&key, sizeof key, 0) & n->mask;
}

static uint32_t find_slot(const struct numbering *n, struct guide_agent a) {
  uint32_t at = place(n, a);
  for (; n->slots[at]; at = (at + 1) & n->mask) {
    const struct guide_agent *b = &n->agents.data[n->slots[at]];
    if (a.value == b->value && family(a.type) == family(b->type)) break;
  }
  return at;
}

static void grow(struct numbering *n) {
  n->mask = n->mask * 2 + 1;
  mem_free(n->slots);
  n->slots = mem_zalloc((size_t)n->mask + 1, sizeof *n->slots);
  for (uint32_t i = 1; i < n->agents.count; i++) n->slots[find_slot(n, n->agents.data[i])] = i;
}

static uint32_t number(struct numbering *n, struct guide_agent a) {
  uint32_t at = find_slot(n, a);
  if (n->slots[at]) return n->slots[at];
  n->slots[at] = (uint32_t)n->agents.count;
  VEC_PUSH(&n->agents, a);
  if (n->agents.count > n->mask / 2) grow(n);
  return (uint32_t)n->agents.count - 1;
}

static struct guide_agent value_agent(const struct ir_type *t, int64_t value) {
  if (t->kind == IR_TYPE_UNION)
    for (uint32_t i = 0; i < t->part_count; i++)
      if (ir_type_has(t->parts[i], value)) return value_agent(t->parts[i], value);
  return (struct guide_agent){.type = t, .value = value};
}

static uint32_t agent_of(struct numbering *n, const struct ir_rule *r, const int64_t *values) {
  if (r->agent_param >= 0)
    return number(n, value_agent(r->frame.locals[r->agent_param]->type, values[r->agent_param]));
  return r->agent >= 0 ? number(n, (struct guide_agent){.value = r->agent}) : 0;
}

// --- in order ---

struct place {
  struct guide_agent agent;
  uint32_t number; // so far
};

static int by_type_and_value(const void *a, const void *b) {
  const struct place *x = a, *y = b;
  uint32_t family_x = family(x->agent.type), family_y = family(y->agent.type);
  if (family_x != family_y) return family_x < family_y ? -1 : 1;
  return (x->agent.value > y->agent.value) - (x->agent.value < y->agent.value);
}

// Agents from number 1 on; the numbers of instances follow.
static void put_in_order(struct guide_agents *a, uint32_t instances) {
  struct place *places = mem_alloc(a->count * sizeof *places);
  uint32_t *now = mem_zalloc(a->count, sizeof *now);
  for (uint32_t i = 0; i < a->count; i++) places[i] = (struct place){a->agent[i], i};
  qsort(places + 1, a->count - 1, sizeof *places, by_type_and_value);
  for (uint32_t i = 0; i < a->count; i++) {
    a->agent[i] = places[i].agent;
    now[places[i].number] = i;
  }
  for (uint32_t k = 0; k < instances; k++) a->of_instance[k] = now[a->of_instance[k]];
  mem_free(places);
  mem_free(now);
}

void guide_agents_init(struct guide_agents *a, const struct ir_model *m) {
  struct numbering n = {.mask = 3};
  VEC_PUSH(&n.agents, ((struct guide_agent){.value = -1}));
  n.slots = mem_zalloc((size_t)n.mask + 1, sizeof *n.slots);
  a->of_instance = mem_zalloc(m->rule_instances, sizeof *a->of_instance);
  for (size_t i = 0; i < m->rules.count; i++) {
    const struct ir_rule *r = m->rules.data[i];
    int64_t *values = mem_zalloc(r->param_count, sizeof *values);
    for (uint32_t k = r->first_instance; k < r->first_instance + r->instances; k++) {
      ir_instance(m, false, k, values);
      a->of_instance[k] = agent_of(&n, r, values);
    }
    mem_free(values);
  }
  mem_free(n.slots);
  a->count = (uint32_t)n.agents.count;
  a->agent = n.agents.data;
  put_in_order(a, (uint32_t)m->rule_instances);
}

void guide_agents_clear(struct guide_agents *a) {
  mem_free(a->agent);
  mem_free(a->of_instance);
  *a = (struct guide_agents){0};
}
