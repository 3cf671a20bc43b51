// SPDX-License-Identifier: Apache-2.0
// biased-dfs ("Biased model checking using flows", Fig 2 and the text of section 5).
// bounded-execution runs one agent until it can take a marked step, then the next, and puts all
// other changes of agent off to a later stage; where enough agents can take marked steps,
// dfs-explore goes through all interleavings, as far as marked steps are enabled. Without marks it
// is context-bounded search: stage k holds what takes k changes of agent.
//
// Visited are pairs of a state and an agent: a bit per agent beside each state. A state at which
// bounded-execution was is put off to the next stage as a whole; what it has to do there is told by
// its bits. (In the paper a state whose last agent has nothing to do is lost; here it is put off
// like the others, hence Theorem 2: every pair is visited.) Under symmetry a step may rename its
// agent: the next pair has the name that it has then.
//
// In which order the steps of a state are taken the paper leaves to the order of the rules, on
// which a search in depth depends wildly. Here they go by what is behind them: first to states
// whose marked steps are a combination that was not seen before, then to those where steps of the
// most marked rules meet (outlook.h); then marked steps, those of another agent than the last, to
// where most is enabled, of the rule that was taken least so far; and names decide the rest.
#include "ir/ir.h"
#include "search/guided.h"
#include "search/outlook.h"
#include "search/ways.h"
#include "search/workers.h"

#define PUT_OFF WAY_FLAG(0) // is, or was, in a stage
enum { AGENT_ALL = UINT32_MAX };

// A state on the stack: bounded-execution with one agent, or dfs-explore (AGENT_ALL). Its steps
// are those in `steps` from `first` on, up to the next frame's.
struct biased_frame {
  uint64_t id;
  uint32_t agent;
  uint32_t last; // dfs-explore: who acted before, or NOBODY
  size_t first;
};

// A step that is still to be taken.
struct biased_step {
  uint32_t number; // among the successors
  uint32_t instance, agent;
  bool marked;
  bool known; // its state was: nothing was asked about it
  struct outlook ahead;
};

struct biased_dfs {
  struct ways ways;
  uint64_t at; // the state whose successors are in `ways`
  struct outlooks outlooks;
  uint32_t agents, threshold;
  VEC(struct biased_frame) frames;
  VEC(struct biased_step) steps;
  VEC(uint64_t) curr_stage, next_stage;
  VEC(uint64_t) known; // ids of successors
  uint64_t *taken;     // per rule: how often
  uint8_t *can_mark;   // per agent: in the state in hand
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
  VEC_CLEAR(&b->known);
  outlooks_clear(&b->outlooks);
  mem_free(b->taken);
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
                (b->curr_stage.capacity + b->next_stage.capacity) * sizeof(uint64_t) +
                outlooks_bytes(&b->outlooks);
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

static void expand(struct search_worker *w, struct biased_dfs *b, uint64_t id) {
  if (b->at == id) return;
  ways_expand(w, &b->ways, id);
  b->at = id;
}

// Expands a state that the search has come to; says how many agents can take a marked step.
static uint32_t look_at(struct search_worker *w, struct biased_dfs *b, uint64_t id) {
  expand(w, b, id);
  struct outlook l = outlook_of(&b->outlooks, w, b->ways.state, &b->ways.out);
  outlook_note(&b->outlooks, l.signature);
  return l.agents;
}

// --- the order of steps ---

// Which of the successors are in the store.
static const uint64_t *seek_known(struct search_worker *w, struct biased_dfs *b) {
  const struct sys_out *o = &b->ways.out;
  while (b->known.count < o->count) VEC_PUSH(&b->known, STORE_ABSENT);
  for (size_t i = 0; i < o->count; i++)
    if (!o->steps[i].site)
      store_seek_batch(w->writer, o->words + i * o->words_per_state, 1, &b->known.data[i]);
  return b->known.data;
}

static struct biased_step step_of(struct search_worker *w, struct biased_dfs *b, size_t i,
                                  bool known) {
  const struct sys_out *o = &b->ways.out;
  struct biased_step s = {.number = (uint32_t)i, .instance = o->steps[i].instance, .known = known};
  s.agent = agent_of(w, s.instance);
  s.marked = guided_marked(w, s.instance, b->ways.state);
  if (!known) s.ahead = outlook_ahead(&b->outlooks, w, o->words + i * o->words_per_state);
  return s;
}

// Less than 0: x goes first.
static int compare(const struct biased_dfs *b, uint32_t last, const struct biased_step *x,
                   const struct biased_step *y) {
  const struct outlooks *k = &b->outlooks;
  bool old_x = x->known || outlook_noted(k, x->ahead.signature);
  bool old_y = y->known || outlook_noted(k, y->ahead.signature);
  if (old_x != old_y) return old_x - old_y;
  if (x->ahead.rules != y->ahead.rules) return x->ahead.rules > y->ahead.rules ? -1 : 1;
  if (x->marked != y->marked) return y->marked - x->marked;
  if ((x->agent == last) != (y->agent == last)) return x->agent == last ? 1 : -1;
  if (x->ahead.steps != y->ahead.steps) return x->ahead.steps > y->ahead.steps ? -1 : 1;
  uint32_t rule_x = k->rule_of[x->instance], rule_y = k->rule_of[y->instance];
  if (b->taken[rule_x] != b->taken[rule_y]) return b->taken[rule_x] < b->taken[rule_y] ? -1 : 1;
  if (rule_x != rule_y) return k->rank_of[rule_x] < k->rank_of[rule_y] ? -1 : 1;
  return x->number < y->number ? -1 : 1;
}

// Takes the step that goes first out of the top frame's. What was seen meanwhile counts.
static struct biased_step next_step(struct biased_dfs *b) {
  const struct biased_frame *f = &VEC_TOP(&b->frames);
  size_t best = f->first;
  for (size_t i = f->first + 1; i < b->steps.count; i++)
    if (compare(b, f->last, &b->steps.data[i], &b->steps.data[best]) < 0) best = i;
  struct biased_step s = b->steps.data[best];
  b->steps.data[best] = VEC_TOP(&b->steps);
  b->steps.count--;
  b->taken[b->outlooks.rule_of[s.instance]]++;
  return s;
}

// --- the two searches ---

// The steps of one agent, or of all, onto the stack. False: there are none.
static bool push(struct search_worker *w, struct biased_dfs *b, uint64_t id, uint32_t agent,
                 uint32_t last) {
  const struct sys_out *o = &b->ways.out;
  size_t first = b->steps.count;
  const uint64_t *known = seek_known(w, b);
  for (size_t i = 0; i < o->count && goes_on(w, b); i++) { // each is looked behind
    if (o->steps[i].site) continue;
    if (agent != AGENT_ALL && agent_of(w, o->steps[i].instance) != agent) continue;
    VEC_PUSH(&b->steps, step_of(w, b, i, known[i] != STORE_ABSENT));
  }
  if (b->steps.count == first) return false;
  VEC_PUSH(&b->frames, ((struct biased_frame){id, agent, last, first}));
  return true;
}

static void dfs_explore(struct search_worker *w, struct biased_dfs *b, uint64_t id, uint32_t last) {
  if (any_visited(w, b, id)) return;
  if (look_at(w, b, id) == 0) {
    put_off(w, id, b, true);
    return;
  }
  set_all_visited(w, b, id);
  push(w, b, id, AGENT_ALL, last);
}

static bool run_agent(struct search_worker *w, struct biased_dfs *b, uint64_t id, uint32_t agent) {
  if (is_visited(w, id, agent)) return false;
  set_visited(w, id, agent);
  return push(w, b, id, agent, NOBODY);
}

// The agent that runs can take a marked step: the next one that cannot is brought to such a place.
static bool run_another(struct search_worker *w, struct biased_dfs *b, uint64_t id, uint32_t agent,
                        const uint8_t *can_mark) {
  for (uint32_t k = 1; k < b->agents; k++) {
    uint32_t next = (agent + k) % b->agents;
    if (!can_mark[next] && run_agent(w, b, id, next)) return true;
  }
  return false;
}

static void bounded_execution(struct search_worker *w, struct biased_dfs *b, uint64_t id,
                              uint32_t agent) {
  if (is_visited(w, id, agent)) return;
  bool first = !any_visited(w, b, id);
  if (look_at(w, b, id) >= b->threshold && first) {
    dfs_explore(w, b, id, NOBODY);
    return;
  }
  put_off(w, id, b, false);
  memcpy(b->can_mark, b->outlooks.can_mark, b->agents);
  if (first && b->can_mark[agent] && run_another(w, b, id, agent, b->can_mark)) return;
  for (; agent < b->agents; agent++) // an agent that has nothing to do makes way for the next
    if (run_agent(w, b, id, agent)) return;
}

// --- the whole ---

// A state goes into the store when its turn has come, not before.
static void take(struct search_worker *w, struct biased_dfs *b) {
  struct biased_step step = next_step(b);
  struct biased_frame f = VEC_TOP(&b->frames);
  expand(w, b, f.id);
  ways_insert(w, &b->ways, f.id, &step.number, 1);
  uint64_t to = b->ways.ids[step.number];
  if (to == STORE_ABSENT || ways_is(w, to, WAY_BAD)) return;
  uint32_t agent = agent_then(w, b, step.number);
  if (f.agent == AGENT_ALL)
    dfs_explore(w, b, to, agent);
  else
    bounded_execution(w, b, to, agent);
}

static void walk(struct search_worker *w, struct biased_dfs *b) {
  while (b->frames.count > 0 && goes_on(w, b)) {
    if (b->frames.count > w->depth) w->depth = b->frames.count;
    if (VEC_TOP(&b->frames).first == b->steps.count)
      b->frames.count--;
    else
      take(w, b);
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
  b->taken = mem_zalloc(c->model->rules.count + 1, sizeof *b->taken);
  b->at = STORE_ABSENT;
  outlooks_init(&b->outlooks, s);
  ways_init(s->workers[0], &b->ways);
  find_elements(s, b);
  workers_alone(s, run);
}
