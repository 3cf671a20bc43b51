// SPDX-License-Identifier: Apache-2.0
// Properties with an automaton of bad runs: the reachable nodes of the product, ring by ring, until
// the automaton is at its end; then a fair cycle through accepting nodes, if there is one. Where
// the model has fairness, or is one in SMV, the end of the automaton counts only where a fair run
// goes on: there only such runs are meant.
#include "symbolic/product.h"

#include <string.h>

// --- traces ---

// The path's states of the model, and what the automaton does beside them.
static void follow(struct product *p, struct trace *t) {
  struct reach *x = p->x;
  path_clear(&p->states);
  for (size_t i = 0; i < x->path.nodes.count; i++) {
    const struct path_node *n = &x->path.nodes.data[i];
    path_add(&p->states, dd_exists(n->node, p->claim_cube));
    VEC_TOP(&p->states.nodes).by = n->by;
    VEC_PUSH(&t->claims, product_claim(p, n->node));
  }
  witness_follow(x, &p->states, t);
}

static void lead_to(struct product *p, size_t ring, dd set) {
  dd node = net_pick(&p->net, set);
  path_clear(&p->x->path);
  rings_path(&p->rings, &p->net, ring, node, &p->x->path);
  dd_drop(node);
}

static void tell_final(struct product *p, size_t ring, dd set) {
  struct reach *x = p->x;
  judge_claim(&x->judge, TRACE_PROPERTY, p->property->id);
  x->tracing = true;
  lead_to(p, ring, set);
  x->pending = (struct trace){.end = TRACE_PROPERTY, .id = p->property->id};
  follow(p, &x->pending);
  witness_add(x, &x->pending);
  x->tracing = false;
}

// The first atom that fails tells its fault.
static void tell_fault(struct product *p, size_t ring, dd set) {
  struct reach *x = p->x;
  x->tracing = true;
  lead_to(p, ring, set);
  dd state = dd_exists(path_last(&x->path), p->claim_cube);
  uint32_t site = 0;
  for (size_t i = 0; i < 64 && !site; i++)
    for (size_t k = 0; k < p->atoms[i].faults.count && !site; k++)
      if (dd_meets(state, p->atoms[i].faults.data[k].when)) site = p->atoms[i].faults.data[k].site;
  dd_drop(state);
  judge_unknown(&x->judge, p->property->id, "errors", NULL);
  if (judge_wants(&x->judge, TRACE_SITE, site)) {
    judge_claim(&x->judge, TRACE_SITE, site);
    x->pending = (struct trace){
        .end = TRACE_SITE, .id = site, .in_property = true, .property = p->property->id};
    follow(p, &x->pending);
    witness_add(x, &x->pending);
  }
  x->tracing = false;
}

// By way of the accepting node that is nearest.
static void tell_cycle(struct product *p, dd hull) {
  struct reach *x = p->x;
  dd set = dd_and(hull, p->accepting);
  size_t ring = rings_find(&p->rings, set);
  dd_set(&set, dd_and(set, p->rings.list.data[ring].nodes));
  judge_claim(&x->judge, TRACE_PROPERTY, p->property->id);
  x->tracing = true;
  lead_to(p, ring, set);
  size_t loop = fair_cycle(&x->path, &p->net, &p->fair, hull);
  x->pending = (struct trace){
      .end = TRACE_PROPERTY, .id = p->property->id, .has_loop = true, .loop_start = loop};
  follow(p, &x->pending);
  witness_add(x, &x->pending);
  x->tracing = false;
  dd_drop(set);
}

// --- the search ---

// False: nothing more is to be looked for.
static bool look(struct product *p, size_t ring, dd fresh) {
  dd end = dd_and(fresh, p->final), vain = dd_and(fresh, p->looking);
  bool ended = !dd_is_false(end);
  if (ended)
    tell_final(p, ring, end);
  else if (!dd_is_false(vain))
    tell_fault(p, ring, vain);
  dd_drop(end);
  dd_drop(vain);
  return !ended && !p->x->judge.stop;
}

static bool explore(struct product *p) {
  dd fresh = dd_true();
  for (unsigned i = 0; i < p->bits; i++)
    dd_and_to(&fresh, dd_var(p->vars[p->x->space->bits + i], false));
  dd_and_to(&fresh, dd_copy(p->x->rings.list.data[0].nodes));
  bool open = true;
  while (!dd_is_false(fresh) && open) {
    size_t ring = p->rings.list.count;
    rings_add(&p->rings, fresh, ring ? ring - 1 : 0, ring);
    dd_or_to(&p->reached, dd_copy(fresh));
    open = look(p, ring, fresh);
    dd next = net_image(&p->net, fresh);
    dd_set(&fresh, dd_minus(next, p->reached));
    dd_drop(next);
  }
  dd_drop(fresh);
  return open;
}

static void add_fairness(struct product *p) {
  const struct fair_sets *all = &p->x->fair;
  fair_add(&p->fair, (struct fair_set){.met = dd_copy(p->accepting), .agent = -1});
  for (size_t i = 0; i < all->list.count; i++) {
    struct fair_set s = all->list.data[i];
    s.met = dd_copy(s.met);
    s.given = dd_copy(s.given);
    fair_add(&p->fair, s);
  }
}

static void note(struct product *p, double begun) {
  struct property_result *r = &p->x->judge.result->properties.data[p->property->id];
  double count = dd_count_real(p->reached, p->vars, p->net.bits);
  r->searched = true;
  r->states = count < 1.8e19 ? (uint64_t)count : UINT64_MAX;
  r->automaton_states = p->automaton->count;
  r->seconds = clock_seconds() - begun;
}

static void search(struct product *p) {
  struct judge *j = &p->x->judge;
  if (!explore(p)) return;
  add_fairness(p);
  dd hull = fair_hull(&p->net, &p->fair, p->reached);
  if (dd_is_false(hull))
    j->property_holds[p->property->id] = 1;
  else if (judge_wants(j, TRACE_PROPERTY, p->property->id))
    tell_cycle(p, hull);
  dd_drop(hull);
}

void product_check(struct reach *x, const struct ir_property *property) {
  double begun = clock_seconds();
  bool fair = x->model->fairness.count > 0 || strcmp(x->model->language, "smv") == 0;
  if (!property->automaton)
    return judge_unknown(&x->judge, property->id, "not checked", property->unchecked);
  if (x->model->transient && x->model->fairness.count > 0)
    return judge_unknown(&x->judge, property->id, "not checked", "states are passed through");
  reach_phase(x, property->text ? property->text : property->name);
  struct product *p = x->product = mem_zalloc(1, sizeof *p);
  if ((fair && !reach_fairness(x)) || !product_init(p, x, property)) {
    judge_unknown(&x->judge, property->id, "not checked",
                  "a condition of it, or of a fairness constraint, fails somewhere or cannot be "
                  "said in terms");
  } else {
    if (fair) dd_and_to(&p->final, dd_copy(x->fair_states));
    search(p);
    note(p, begun);
  }
  product_free(x);
}

void product_free(struct reach *x) {
  if (!x->product) return;
  product_clear(x->product);
  mem_free(x->product);
  x->product = NULL;
}
