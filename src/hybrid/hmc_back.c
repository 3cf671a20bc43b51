// SPDX-License-Identifier: Apache-2.0
// A few steps back from a state: the machine with one more end, to which an edge leads just where
// it leads to the state itself; and the question whether this end can be reached from sets of
// states some steps before.
#include "hybrid/hmc.h"
#include "hybrid/path.h"

#include <string.h>

// --- where an edge leads to the state ---

static const struct term *equals(struct terms *t, const struct term *a, int64_t value) {
  if (!a->is_bool) return term_binary(t, TERM_EQ, a, term_const(t, value));
  if (value != 0 && value != 1) return term_bool(t, false); // the number 1 is a truth, too
  return value ? a : term_not(t, a);
}

static const struct term *is_value(struct terms *t, const struct term *value,
                                   const struct term *defined, int64_t wanted, bool can_undef) {
  if (!can_undef) return equals(t, value, wanted);
  if (wanted == IR_UNDEF) return term_not(t, defined);
  return term_and(t, defined, equals(t, value, wanted));
}

static const struct term *leads_to(struct hmc *h, const struct efsm_edge *d,
                                   const int64_t *leaves) {
  const struct efsm *e = h->efsm;
  struct terms *t = e->relation->terms;
  const struct term *all = d->guard;
  for (uint64_t i = 0; leaves && i < e->leaves; i++) {
    const struct ir_leaf *leaf = &h->model->layout->leaf[i];
    if (i == e->control || !efsm_live(&e->states.data[d->to], i)) continue;
    const struct relation_write *w = efsm_write(d, i);
    const struct term *value = w ? w->value : term_leaf(t, i, leaf->type);
    const struct term *defined = w ? w->defined : leaf->undef ? term_defined(t, i) : NULL;
    all = term_and(t, all, is_value(t, value, defined, leaves[i], leaf->undef));
  }
  return all;
}

// --- the machine with one more end ---

struct longer {
  struct efsm machine;
  uint32_t end;
  VEC(uint32_t) edges; // whose each of the edges to the end is
  uint8_t *found;      // nothing else is looked for
};

static void copy_edges(struct efsm_state *s) {
  uint32_t *own = mem_alloc((s->out.count + 1) * sizeof *own);
  memcpy(own, s->out.data, s->out.count * sizeof *own);
  s->out.data = own;
  s->out.capacity = s->out.count + 1;
}

static void add_edge(struct hmc *h, struct longer *l, uint32_t edge, const int64_t *leaves) {
  const struct efsm_edge *d = &h->efsm->edges.data[edge];
  struct efsm_edge own = {
      .from = d->from, .to = l->end, .rule = d->rule, .guard = leads_to(h, d, leaves)};
  struct efsm_state *from = &l->machine.states.data[d->from];
  if (from->out.data == h->efsm->states.data[d->from].out.data) copy_edges(from);
  VEC_PUSH(&from->out, (uint32_t)l->machine.edges.count);
  VEC_PUSH(&l->machine.edges, own);
  VEC_PUSH(&l->edges, edge);
}

static void copy_machine(const struct efsm *e, struct longer *l) {
  size_t states = e->states.count, edges = e->edges.count;
  *l = (struct longer){.machine = *e, .end = (uint32_t)states};
  l->machine.states.data = mem_alloc((states + 1) * sizeof *e->states.data);
  memcpy(l->machine.states.data, e->states.data, states * sizeof *e->states.data);
  l->machine.states.capacity = states + 1;
  l->machine.edges.data = mem_alloc((edges + 1) * sizeof *e->edges.data);
  memcpy(l->machine.edges.data, e->edges.data, edges * sizeof *e->edges.data);
  l->machine.edges.capacity = edges + 1;
  l->found = mem_alloc(states + 1);
  memset(l->found, 1, states);
  l->found[states] = 0;
}

static void longer_init(struct hmc *h, struct longer *l, uint32_t to, const int64_t *leaves) {
  const struct efsm_state *state = &h->efsm->states.data[to];
  copy_machine(h->efsm, l);
  struct efsm_state end = *state;
  end.is_error = true;
  end.error = EFSM_SITE;
  end.out.count = end.in.count = 0;
  VEC_PUSH(&l->machine.states, end);
  for (size_t i = 0; i < state->in.count; i++) add_edge(h, l, state->in.data[i], leaves);
}

static void longer_clear(struct hmc *h, struct longer *l) {
  for (uint32_t i = 0; i < l->end; i++)
    if (l->machine.states.data[i].out.data != h->efsm->states.data[i].out.data)
      mem_free(l->machine.states.data[i].out.data);
  mem_free(l->machine.states.data);
  mem_free(l->machine.edges.data);
  VEC_CLEAR(&l->edges);
  mem_free(l->found);
}

// --- the question ---

static bool ask(struct hmc *h, const struct back *b, const struct longer *l, struct path_run *out) {
  struct text why = {0};
  struct path_config c = {.efsm = &l->machine,
                          .from = b->from,
                          .goes_on = hmc_goes_on,
                          .context = h,
                          .seconds = b->seconds,
                          .found = l->found,
                          .errors_only = true};
  struct path *p = path_unroll(&c, &why);
  enum path_answer answer = PATH_BOUNDED;
  for (uint64_t i = 0; p && i < b->steps && answer == PATH_BOUNDED; i++) answer = path_deepen(p);
  if (p && answer == PATH_ERROR) path_run(p, out);
  if (p) h->judge.result->stats.path_queries += path_queries(p);
  path_free(p);
  text_clear(&why);
  return answer == PATH_ERROR;
}

bool back_ask(struct hmc *h, const struct back *b, struct path_run *out) {
  struct longer l;
  *out = (struct path_run){0};
  longer_init(h, &l, b->to, b->leaves);
  bool found = ask(h, b, &l, out);
  if (found) {
    struct path_step *last = &VEC_TOP(&out->steps);
    last->edge = l.edges.data[last->edge - h->efsm->edges.count];
  }
  longer_clear(h, &l);
  return found;
}
