// SPDX-License-Identifier: Apache-2.0
// One part of a run, on its slice of the relation: that becomes diagrams, states are found, what
// needs all of them is checked then.
#include "ir/eval.h"
#include "relation/cone.h"
#include "symbolic/goals.h"
#include "symbolic/guided.h"
#include "symbolic/reach.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// --- budget ---

#define TRACE_SECONDS 2 // what was found is written down for so long after the time is up

static const char *what_ends(const struct reach *x, double now) {
  double limit = x->config->budget.seconds;
  if (interrupt_pending()) return "interrupted";
  if (limit > 0 && x->tracing) limit += TRACE_SECONDS;
  return limit > 0 && now - x->config->started >= limit ? "time" : NULL;
}

static void look_at_budget(struct reach *x, double now) {
  if (x->judge.stop && !x->tracing) return;
  const char *why = what_ends(x, now);
  if (!x->judge.stop) x->judge.stop = why;
  x->ended |= why != NULL;
}

// Inside of operations on diagrams: none may be begun here.
static void tell_progress(struct reach *x, double now) {
  if (!x->config->progress || now < x->progress_next) return;
  x->progress_next = now + 0.1;
  x->shown.seconds = now - x->config->started;
  if (x->space) {
    x->shown.nodes = dd_nodes_now();
    x->shown.mem_bytes = dd_bytes();
  }
  x->config->progress(x->config->progress_context, &x->shown);
}

bool reach_goes_on(void *context) {
  struct reach *x = context;
  double now = clock_seconds();
  look_at_budget(x, now);
  tell_progress(x, now);
  return !x->ended;
}

// The limit is the whole process's; one that is too small for it is taken to mean the rest.
static size_t bytes_for_diagrams(const struct reach *x) {
  size_t limit = x->config->budget.mem_bytes, own = mem_resident();
  if (!limit) return 0;
  return own > limit / 4 * 3 ? limit / 4 : limit - own;
}

// --- before ---

static void make_room(struct reach *x) {
  const struct ir_model *m = x->model;
  size_t params, choices;
  ir_widest(m, &params, &choices);
  x->params = mem_zalloc(params + 1, sizeof *x->params);
  x->values = mem_zalloc(choices + 1, sizeof *x->values);
  x->state = mem_zalloc(m->layout->words + 1, sizeof *x->state);
  if (x->relation != x->whole) {
    x->full = mem_zalloc(m->layout->words + 1, sizeof *x->full);
    x->full_values = mem_zalloc(m->layout->count + 1, sizeof *x->full_values);
  }
  x->eval = ir_eval_new(m);
}

static void open_diagrams(struct reach *x) {
  const struct symbolic_config *c = x->config;
  struct dd_config config = {.mem_bytes = bytes_for_diagrams(x),
                             .goes_on = reach_goes_on,
                             .context = x,
                             .reorder_every = c->reorder_every,
                             .dynamic = c->reorder == SYMBOLIC_REORDER_ON};
  dd_open(&config);
}

static dd image(void *context, dd from) {
  struct reach *x = context;
  return steps_image(x->steps, from);
}

static dd preimage(void *context, dd to, int32_t agent) {
  return reach_preimage(context, to, agent);
}

static dd before(void *context, dd node, dd within) {
  struct reach *x = context;
  return steps_before(x->steps, node, within);
}

static dd step(void *context, dd node, dd to, int32_t agent) {
  struct reach *x = context;
  struct steps_found f = {.choices = x->values};
  dd reached = dd_false();
  bool found = steps_find(x->steps, node, to, agent, &f, &reached);
  assert(found);
  (void)found;
  return reached;
}

// The relation that this part needs.
static void take_slice(struct reach *x) {
  const struct goals_part *p = x->part;
  x->relation = p->sliced ? relation_slice(x->whole, &p->cone) : x->whole;
  uint64_t leaves = x->relation->kept ? p->cone.count : x->model->layout->count;
  struct stats *t = &x->judge.result->stats;
  if (leaves > t->cone_leaves) t->cone_leaves = leaves;
}

// The model as diagrams; false: it cannot be one, or the run has ended.
static bool encode(struct reach *x) {
  const struct symbolic_config *c = x->config;
  take_slice(x);
  open_diagrams(x);
  struct space_config space = {
      .relation = x->relation, .order = c->order, .order_count = c->order_count};
  x->space = space_new(&space, &x->why);
  if (!x->space) return false;
  reach_phase(x, "steps");
  x->steps = steps_new(x->space);
  x->net = (struct net){.image = image,
                        .preimage = preimage,
                        .before = before,
                        .step = step,
                        .context = x,
                        .vars = x->space->now,
                        .bits = x->space->bits};
  net_init(&x->net);
  make_room(x);
  return reach_prepare(x);
}

// --- after states were found ---

static void check_later(struct reach *x, const struct ir_property *p) {
  if (x->looked[p->id])
    x->judge.property_holds[p->id] = !x->judge.property_seen[p->id];
  else if (p->kind == IR_PROP_LIVENESS)
    reach_liveness(x, p);
  else if (p->kind == IR_PROP_CTL)
    ctl_check(x, p);
  else if (ir_prop_cyclic(p->kind))
    product_check(x, p);
}

static void check_all_later(struct reach *x) {
  const struct ir_model *m = x->model;
  for (size_t i = 0; i < m->properties.count && !x->judge.stop; i++)
    if (judge_on(&x->judge, i)) check_later(x, m->properties.data[i]);
}

static void count_states(struct reach *x) {
  struct result *r = x->judge.result;
  char *count = dd_count(x->reached, x->space->now, x->space->bits);
  errno = 0;
  r->stats.states = strtoull(count, NULL, 10);
  if (errno == ERANGE)
    r->states_exact = count;
  else
    mem_free(count);
}

// Does the slice have all rules, so that a state without successors is one?
static bool tells_ends(const struct reach *x) {
  for (size_t i = 0; i < x->whole->rules.count; i++)
    if (!x->part->cone.rules[i]) return false;
  return true;
}

// NuSMV's check_fsm: formulas speak of infinite runs, and there may be others.
static void note_totality(struct reach *x) {
  if (strcmp(x->model->language, "smv") != 0 || relation_total(x->whole)) return;
  if (!tells_ends(x)) return;
  dd stuck = dd_minus(x->reached, reach_enabled(x));
  if (!dd_is_false(stuck)) {
    struct text t = {0};
    char *count = dd_count(stuck, x->space->now, x->space->bits);
    bool one = strcmp(count, "1") == 0;
    text_printf(&t,
                "not total: %s reachable state%s no successor; CTL and LTL speak of infinite "
                "runs only",
                count, one ? " has" : "s have");
    mem_free(count);
    mem_free(x->judge.result->note);
    x->judge.result->note = t.data;
  }
  dd_drop(stuck);
}

// --- the part ---

static void search(struct reach *x) {
  bool all = x->config->search == SYMBOLIC_BFS;
  if (all)
    reach_run(x);
  else
    guided_run(x);
  count_states(x);
  if (all && x->judge.explored) check_all_later(x);
}

bool part_open(struct reach *x) {
  x->own_config = *x->config;
  x->config = &x->own_config;
  if (!x->part->judge.deadlock) x->own_config.deadlock = IR_DEADLOCK_OFF;
  return encode(x);
}

void part_run(struct reach *x) {
  if (!part_open(x)) {
    if (!x->judge.stop) x->judge.stop = "cannot";
    return;
  }
  x->judge.result->stats.relation_nodes = steps_nodes(x->steps);
  search(x);
  if (x->config->order_out) {
    text_clear(x->config->order_out);
    space_print_order(x->config->order_out, x->space);
  }
  x->judge.result->stats.bdd_nodes = dd_nodes_now();
  x->finished = true;
  x->stop = x->judge.stop;
  if (x->judge.explored && x->config->search == SYMBOLIC_BFS) note_totality(x);
}

void part_clear(struct reach *x) {
  struct stats *t = &x->judge.result->stats;
  if (x->space) {
    t->bdd_nodes_peak = dd_nodes_peak();
    t->memory_bytes = dd_bytes();
  }
  dd_close(); // from now on nothing needs to be dropped
  reach_clear(x);
  if (x->steps) steps_free(x->steps);
  if (x->space) space_free(x->space);
  if (x->relation != x->whole) relation_free(x->relation);
}
