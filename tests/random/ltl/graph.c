// SPDX-License-Identifier: Apache-2.0
// A model's states and steps as an explicit graph, breadth-first through the interpreter.
#include "random/ltl/graph.h"

#include "store/store.h"
#include "sys/sys.h"

// ---------------------------------------------------------------------------------------------
// Agents

// All integers are alike, and the parts of a union are what they are outside of it.
static struct graph_agent named_by_value(const struct ir_type *t, int64_t value) {
  for (uint32_t i = 0; t->kind == IR_TYPE_UNION && i < t->part_count; i++)
    if (ir_type_has(t->parts[i], value)) return (struct graph_agent){t->parts[i]->id, value};
  bool integer = t->kind == IR_TYPE_RANGE || t->kind == IR_TYPE_INT;
  return (struct graph_agent){integer ? UINT32_MAX - 1 : t->id, value};
}

static uint32_t agent_bit(const struct graph *g, struct graph_agent a) {
  for (size_t i = 0; i < g->agents.count; i++)
    if (g->agents.data[i].family == a.family && g->agents.data[i].value == a.value)
      return UINT32_C(1) << i;
  return 0;
}

// Who takes the step; false: nobody in particular.
static bool agent_of(const struct ir_model *m, uint32_t instance, struct graph_agent *a) {
  int64_t values[64];
  const struct ir_rule *r = ir_instance(m, false, instance, values);
  *a = (struct graph_agent){UINT32_MAX, r->agent};
  if (r->agent_param < 0) return r->agent >= 0;
  *a = named_by_value(r->frame.locals[r->agent_param]->type, values[r->agent_param]);
  return true;
}

static void find_agents(struct graph *g, const struct ir_model *m) {
  struct graph_agent a;
  for (uint32_t i = 0; i < m->rule_instances; i++)
    if (agent_of(m, i, &a) && !agent_bit(g, a)) VEC_PUSH(&g->agents, a);
  g->cut = g->agents.count > GRAPH_AGENTS;
}

static uint32_t mover(const struct graph *g, const struct ir_model *m, uint32_t instance) {
  struct graph_agent a;
  return agent_of(m, instance, &a) ? agent_bit(g, a) : 0;
}

uint32_t graph_served(const struct graph *g, const struct ir_model *m, uint32_t instance) {
  int64_t values[64];
  const struct ir_rule *r = ir_instance(m, false, instance, values);
  uint32_t served = mover(g, m, instance);
  for (uint32_t i = 0; r->agent >= 0 && i < r->line_count; i++)
    served |= agent_bit(g, (struct graph_agent){UINT32_MAX, r->lines[i].agent});
  return served;
}

// ---------------------------------------------------------------------------------------------
// States

static uint32_t number(struct graph *g, const uint64_t *state) {
  uint64_t id;
  store_insert(g->ids, state, &id);
  return (uint32_t)id;
}

static void add_edge(struct graph *g, uint32_t from, const struct sys_step *step,
                     const uint64_t *to, const struct ir_model *m) {
  struct graph_edge e = {number(g, to), graph_served(g, m, step->instance)};
  VEC_PUSH(&g->edges, e);
  g->movers[from] |= mover(g, m, step->instance);
}

static void expand(struct graph *g, struct sys *s, uint32_t from, struct sys_out *out) {
  const uint64_t *state = g->packed + from * g->words;
  sys_out_reset(out);
  s->expand(s, state, out);
  for (size_t i = 0; i < out->count; i++) {
    if (out->steps[i].site)
      g->faulty = true;
    else
      add_edge(g, from, &out->steps[i], out->words + i * g->words, s->model);
  }
  if (s->atoms(s, state, &g->atoms[from]).kind != SYS_NO_FAULT) g->faulty = true;
  const struct ir_var *t = s->model->transient;
  if (t) g->transient[from] = ir_leaf_get(&s->model->layout->leaf[t->first_leaf], state) != 0;
}

static void begin(struct graph *g, struct sys *s, struct sys_out *out) {
  s->starts(s, out);
  for (size_t i = 0; i < out->count; i++) {
    if (out->steps[i].site)
      g->faulty = true;
    else
      number(g, out->words + i * g->words);
  }
  g->starts = (uint32_t)store_count(g->ids);
}

static void walk(struct graph *g, struct sys *s, uint32_t states_max) {
  struct sys_out out;
  sys_out_init(&out, s->words, s->model->properties.count);
  begin(g, s, &out);
  while (g->count < store_count(g->ids) && !g->cut) {
    store_get(g->ids, g->count, g->packed + g->count * g->words);
    g->first[g->count] = (uint32_t)g->edges.count;
    expand(g, s, g->count++, &out);
    g->cut = store_count(g->ids) > states_max;
  }
  g->first[g->count] = (uint32_t)g->edges.count;
  sys_out_clear(&out);
}

// Transient states that lead only to such as are left, or to others, are left themselves; on a
// cycle of them none ever is.
static bool transient_cycle(const struct graph *g) {
  bool *left = mem_zalloc(g->count + 1, sizeof *left), more = true, cycle = false;
  while (more) {
    more = cycle = false;
    for (uint32_t i = 0; i < g->count; i++) {
      bool stays = left[i] || !g->transient[i];
      if (stays) continue;
      for (uint32_t k = g->first[i]; k < g->first[i + 1] && !stays; k++) {
        uint32_t to = g->edges.data[k].to;
        stays = g->transient[to] && !left[to];
      }
      left[i] = !stays;
      more |= left[i];
      cycle |= stays;
    }
  }
  mem_free(left);
  return cycle;
}

struct graph *graph_new(const struct ir_model *m, uint32_t states_max) {
  struct graph *g = mem_zalloc(1, sizeof *g);
  struct sys *s = sys_new(m, &(struct sys_config){.mode = SYS_INTERPRETED});
  struct store_config c = {.kind = "exact", .words = s->words, .bytes = s->bytes};
  g->words = s->words;
  g->ids = store_new(&c);
  g->first = mem_zalloc(states_max + 1, sizeof *g->first);
  g->atoms = mem_zalloc(states_max, sizeof *g->atoms);
  g->movers = mem_zalloc(states_max, sizeof *g->movers);
  g->transient = mem_zalloc(states_max, sizeof *g->transient);
  g->packed = mem_zalloc(states_max * g->words + 1, sizeof *g->packed);
  find_agents(g, m);
  walk(g, s, states_max);
  g->endless = !g->cut && transient_cycle(g);
  sys_free(s);
  return g;
}

void graph_free(struct graph *g) {
  store_free(g->ids);
  VEC_CLEAR(&g->edges);
  VEC_CLEAR(&g->agents);
  mem_free(g->first);
  mem_free(g->atoms);
  mem_free(g->movers);
  mem_free(g->transient);
  mem_free(g->packed);
  mem_free(g);
}

uint32_t graph_find(const struct graph *g, const uint64_t *state) {
  uint64_t id;
  bool there = store_find(g->ids, state, &id);
  assert(there);
  return there ? (uint32_t)id : 0;
}
