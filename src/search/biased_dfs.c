// SPDX-License-Identifier: Apache-2.0
// biased-dfs ("Biased model checking using flows", Fig 2). bounded-execution runs one agent until
// it can take a marked step, then the next, and puts changes of agent off to a later stage; where
// enough agents can take marked steps dfs-explore goes through all interleavings, as far as marked
// steps are enabled. Without marks it is context-bounded search: stage k holds what takes k changes
// of agent.
//
// Visited are pairs of a state and an agent: a bit per agent beside each state. A state at which
// bounded-execution was is put off to the next stage as a whole; what it has to do there is told by
// its bits. (In the paper a state whose last agent has nothing to do is lost; here it is put off
// like the others, hence Theorem 2: every pair is visited.) Under symmetry a step may rename its
// agent: the next pair has the name that it has then.
#include "ir/ir.h"
#include "search/guided.h"
#include "search/ways.h"
#include "search/workers.h"

#define PUT_OFF WAY_FLAG(0) // is, or was, in a stage
enum { AGENT_ALL = UINT32_MAX };

// A state on the stack: bounded-execution with one agent, or dfs-explore (AGENT_ALL).
struct biased_frame {
  uint32_t agent;
  size_t first, next; // successors, in `steps`
};

struct biased_step {
  uint64_t id;
  uint32_t agent; // that acted, as it is called there
};

struct biased_dfs {
  struct ways ways;
  uint32_t agents, threshold;
  VEC(struct biased_frame) frames;
  VEC(struct biased_step) steps;
  VEC(uint64_t) curr_stage, next_stage;
  VEC(uint32_t) chosen;
  uint8_t *can_mark; // per agent: a marked step is enabled
  // Symmetry: the element that an agent is (NOBODY: none), and the agent that an element is.
  uint32_t *element_of, *agent_at;
};
#define NOBODY UINT32_MAX

static void biased_dfs_clear(struct search *s) {
  struct biased_dfs *b = s->own;
  ways_clear(&b->ways);
  VEC_CLEAR(&b->frames);
  VEC_CLEAR(&b->steps);
  VEC_CLEAR(&b->curr_stage);
  VEC_CLEAR(&b->next_stage);
  VEC_CLEAR(&b->chosen);
  mem_free(b->can_mark);
  mem_free(b->element_of);
  mem_free(b->agent_at);
  mem_free(b);
}

size_t search_biased_payload(const struct search_config *c) {
  return WAYS_PAYLOAD + (c->agents->count + 63) / 64 * sizeof(uint64_t);
}

static bool goes_on(struct search_worker *w, struct biased_dfs *b) {
  size_t held = b->frames.capacity * sizeof *b->frames.data +
                b->steps.capacity * sizeof *b->steps.data +
                (b->curr_stage.capacity + b->next_stage.capacity) * sizeof(uint64_t);
  return ways_goes_on(w, &b->ways, held, b->curr_stage.count + b->next_stage.count);
}

// --- visited pairs ---

static uint64_t *pairs_of(const struct search_worker *w, uint64_t id) {
  return ways_payload(w, id) + 1;
}

static bool is_visited(const struct search_worker *w, uint64_t id, uint32_t agent) {
  return pairs_of(w, id)[agent / 64] >> (agent % 64) & 1;
}

static void set_visited(const struct search_worker *w, uint64_t id, uint32_t agent) {
  pairs_of(w, id)[agent / 64] |= UINT64_C(1) << (agent % 64);
}

static bool any_visited(const struct search_worker *w, const struct biased_dfs *b, uint64_t id) {
  uint64_t any = 0;
  for (uint32_t i = 0; i < (b->agents + 63) / 64; i++) any |= pairs_of(w, id)[i];
  return any;
}

static void set_all_visited(const struct search_worker *w, const struct biased_dfs *b,
                            uint64_t id) {
  for (uint32_t i = 0; i < b->agents; i++) set_visited(w, id, i);
}

static void put_off(struct search_worker *w, uint64_t id, struct biased_dfs *b, bool now) {
  if (ways_is(w, id, PUT_OFF)) return;
  *ways_payload(w, id) |= PUT_OFF;
  if (now)
    VEC_PUSH(&b->curr_stage, id);
  else
    VEC_PUSH(&b->next_stage, id);
}

// --- one state ---

static uint32_t agent_of(const struct search_worker *w, uint32_t instance) {
  return w->search->config->agents->of_instance[instance];
}

// Whom the agent of successor i has become.
static uint32_t agent_then(const struct search_worker *w, const struct biased_dfs *b, size_t i) {
  const struct sys_out *o = &b->ways.out;
  uint32_t agent = agent_of(w, o->steps[i].instance);
  if (!w->sys->renames || b->element_of[agent] == NOBODY) return agent;
  return b->agent_at[o->renames[i * w->sys->renames->each + b->element_of[agent]]];
}

// Expands a state; says how many agents can take a marked step.
static uint32_t look_at(struct search_worker *w, struct biased_dfs *b, uint64_t id) {
  uint32_t count = 0;
  ways_expand(w, &b->ways, id);
  memset(b->can_mark, 0, b->agents);
  const struct sys_out *o = &b->ways.out;
  for (size_t i = 0; i < o->count; i++) {
    if (o->steps[i].site) continue;
    uint32_t agent = agent_of(w, o->steps[i].instance);
    if (b->can_mark[agent] || !guided_marked(w, o->steps[i].instance, b->ways.state)) continue;
    b->can_mark[agent] = 1;
    count++;
  }
  return count;
}

// Steps of one agent, or of all, onto the stack. False: there are none.
static bool push(struct search_worker *w, struct biased_dfs *b, uint64_t id, uint32_t agent) {
  const struct sys_out *o = &b->ways.out;
  b->chosen.count = 0;
  for (int marked = 1; marked >= 0; marked--) // marked steps first
    for (size_t i = 0; i < o->count; i++) {
      uint32_t instance = o->steps[i].instance;
      if (o->steps[i].site || (agent != AGENT_ALL && agent_of(w, instance) != agent)) continue;
      if (guided_marked(w, instance, b->ways.state) == marked) VEC_PUSH(&b->chosen, (uint32_t)i);
    }
  if (b->chosen.count == 0) return false;
  ways_insert(w, &b->ways, id, b->chosen.data, b->chosen.count);
  struct biased_frame f = {agent, b->steps.count, b->steps.count};
  for (size_t k = 0; k < b->chosen.count; k++) {
    uint32_t i = b->chosen.data[k];
    uint64_t to = b->ways.ids[i];
    if (to == STORE_ABSENT || ways_is(w, to, WAY_BAD)) continue;
    VEC_PUSH(&b->steps, ((struct biased_step){to, agent_then(w, b, i)}));
  }
  VEC_PUSH(&b->frames, f);
  return true;
}

static void dfs_explore(struct search_worker *w, struct biased_dfs *b, uint64_t id,
                        uint32_t marked) {
  if (any_visited(w, b, id)) return;
  if (marked == 0) {
    put_off(w, id, b, true);
    return;
  }
  set_all_visited(w, b, id);
  push(w, b, id, AGENT_ALL);
}

static void bounded_execution(struct search_worker *w, struct biased_dfs *b, uint64_t id,
                              uint32_t agent) {
  if (is_visited(w, id, agent)) return;
  uint32_t marked = look_at(w, b, id);
  if (marked >= b->threshold && !any_visited(w, b, id)) {
    dfs_explore(w, b, id, marked);
    return;
  }
  put_off(w, id, b, false);
  for (; agent < b->agents; agent++) { // an agent that has nothing to do makes way for the next
    if (is_visited(w, id, agent)) continue;
    set_visited(w, id, agent);
    if (push(w, b, id, agent)) return;
  }
}

// --- the whole ---

static void walk(struct search_worker *w, struct biased_dfs *b) {
  while (b->frames.count > 0 && goes_on(w, b)) {
    struct biased_frame *f = &VEC_TOP(&b->frames);
    if (f->next == b->steps.count) {
      b->steps.count = f->first;
      b->frames.count--;
      continue;
    }
    struct biased_step step = b->steps.data[f->next++];
    if (b->frames.count > w->depth) w->depth = b->frames.count;
    if (f->agent == AGENT_ALL) {
      if (!any_visited(w, b, step.id)) dfs_explore(w, b, step.id, look_at(w, b, step.id));
    } else {
      bounded_execution(w, b, step.id, step.agent);
    }
  }
}

// All that a state of the stage has left to do: it is never put off again.
static void resume(struct search_worker *w, struct biased_dfs *b, uint64_t id) {
  for (uint32_t agent = 0; agent < b->agents && goes_on(w, b); agent++) {
    bounded_execution(w, b, id, agent);
    walk(w, b);
  }
}

static void run(struct search_worker *w) {
  struct biased_dfs *b = w->search->own;
  ways_starts(w, &b->ways);
  for (size_t i = 0; i < b->ways.out.count; i++)
    if (b->ways.fresh[i]) put_off(w, b->ways.ids[i], b, true);
  while (b->curr_stage.count > 0 && goes_on(w, b)) {
    for (size_t i = 0; i < b->curr_stage.count && goes_on(w, b); i++)
      resume(w, b, b->curr_stage.data[i]);
    if (search_stopped(w->search)) return;
    b->curr_stage.count = 0;
    for (size_t i = 0; i < b->next_stage.count; i++)
      VEC_PUSH(&b->curr_stage, b->next_stage.data[i]);
    b->next_stage.count = 0;
  }
}

// Which agents are elements of scalarsets that are renamed.
static void find_elements(struct search *s, struct biased_dfs *b) {
  const struct sys_renames *r = s->workers[0]->sys->renames;
  const struct guide_agents *a = s->config->agents;
  if (!r) return;
  b->ways.out.follow = true;
  b->element_of = mem_alloc(a->count * sizeof *b->element_of);
  b->agent_at = mem_zalloc(r->each, sizeof *b->agent_at);
  for (uint32_t i = 0; i < a->count; i++) {
    b->element_of[i] = NOBODY;
    for (size_t k = 0; k < r->count; k++) {
      if (a->agent[i].type != r->set[k].type) continue;
      b->element_of[i] = r->set[k].first + (uint32_t)(a->agent[i].value - a->agent[i].type->lo);
      b->agent_at[b->element_of[i]] = i;
    }
  }
}

void search_biased_dfs(struct search *s) {
  const struct search_config *c = s->config;
  struct biased_dfs *b = mem_zalloc(1, sizeof *b);
  s->own = b;
  s->own_clear = biased_dfs_clear;
  s->found = search_report;
  s->path = ways_path;
  b->agents = c->agents->count;
  b->threshold = c->agents_marked ? (uint32_t)c->agents_marked : SEARCH_AGENTS;
  b->can_mark = mem_zalloc(b->agents, 1);
  ways_init(s->workers[0], &b->ways);
  find_elements(s, b);
  workers_alone(s, run);
}
