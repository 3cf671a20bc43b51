// SPDX-License-Identifier: Apache-2.0
// The product of the model with an automaton, by the rules of sys/product.c: in a state the
// automaton takes one of the edges that the atoms of that state allow, then the model takes a step.
// Where the model is stuck its last state goes on for ever, unless the automaton says stuck_ends
// (what SMV means: there only infinite runs count). In states that are passed through the automaton
// rests, and nothing is accepted. The automaton's state has variables of its own, which the images
// of the model's steps leave alone: first the automaton moves, then the model.
#include "symbolic/product.h"

// --- claims ---

// The claim `number` in the variables of now, or of next.
static dd claim_is(const struct product *p, uint32_t number, bool next) {
  const unsigned *vars = p->vars + p->x->space->bits + (next ? p->bits : 0);
  dd all = dd_true();
  for (unsigned i = p->bits; i-- > 0;) dd_and_to(&all, dd_var(vars[i], number >> i & 1));
  return all;
}

uint32_t product_claim(const struct product *p, dd node) {
  uint8_t values[32];
  uint32_t number = 0;
  dd_pick(node, p->vars + p->x->space->bits, p->bits, values);
  for (unsigned i = 0; i < p->bits; i++) number |= (uint32_t)values[i] << i;
  return number >> p->entered;
}

// --- the automaton as diagrams ---

static dd label(const struct product *p, const struct ir_automaton_edge *e) {
  dd all = dd_true();
  for (unsigned i = 0; i < 64; i++) {
    if (e->yes >> i & 1) dd_and_to(&all, dd_copy(p->atoms[i].yes));
    if (e->no >> i & 1) dd_set(&all, dd_minus(all, p->atoms[i].yes));
  }
  return all;
}

static dd edges_from(const struct product *p, const struct ir_automaton_state *s) {
  dd all = dd_false();
  for (uint32_t i = 0; i < s->edge_count; i++) {
    const struct ir_automaton_edge *e = &s->edges[i];
    uint32_t to = e->to << p->entered | (p->entered && e->accepting);
    dd edge = label(p, e);
    dd_and_to(&edge, claim_is(p, to, true));
    dd_or_to(&all, edge);
  }
  return all;
}

static bool looks(const struct product *p, const struct ir_automaton_state *s, bool accepting) {
  bool sees = accepting && p->automaton->accept_atom >= 0;
  for (uint32_t i = 0; i < s->edge_count; i++) sees |= (s->edges[i].yes | s->edges[i].no) != 0;
  return sees;
}

static void add_claim(struct product *p, uint32_t number) {
  const struct ir_automaton *a = p->automaton;
  const struct ir_automaton_state *s = &a->states[number >> p->entered];
  bool accepting = p->entered ? number & 1 : s->accepting;
  dd here = claim_is(p, number, false), edges = edges_from(p, s);
  dd_or_to(&p->moves, dd_and(here, edges));
  if (looks(p, s, accepting)) dd_or_to(&p->looking, dd_copy(here));
  if (s->final) dd_or_to(&p->final, dd_copy(here));
  if (accepting || s->final) dd_or_to(&p->accepting, dd_copy(here));
  dd_drop(here);
  dd_drop(edges);
}

// The automaton stays where it is.
static dd resting(const struct product *p) {
  dd same = dd_true();
  for (uint32_t i = 0; i < p->bits; i++) {
    const unsigned *now = p->vars + p->x->space->bits;
    dd a = dd_var(now[i], true), b = dd_var(now[p->bits + i], true);
    dd_and_to(&same, dd_equal(a, b));
    dd_drop(a);
    dd_drop(b);
  }
  return same;
}

static void finish_claims(struct product *p) {
  const struct ir_automaton *a = p->automaton;
  dd passed = p->x->passed, unseen = dd_and(p->looking, p->faults);
  dd_set(&p->moves, dd_minus(p->moves, unseen));
  dd_set(&p->moves, dd_minus(p->moves, passed));
  dd rest = resting(p);
  dd_and_to(&rest, dd_copy(passed));
  dd_or_to(&p->moves, rest);
  dd_set(&p->looking, dd_minus(unseen, passed)); // from now on: where it looks in vain
  dd_set(&p->accepting, dd_minus(p->accepting, passed));
  dd_set(&p->final, dd_minus(p->final, passed));
  if (a->accept_atom >= 0) {
    dd kept = dd_and(p->accepting, p->atoms[a->accept_atom].yes);
    dd_or_to(&kept, dd_copy(p->final));
    dd_set(&p->accepting, kept);
  }
  dd_drop(unseen);
}

// --- images ---

static dd image(void *context, dd from) {
  struct product *p = context;
  dd there = dd_and_exists(from, p->moves, p->claim_cube), next = dd_rename(there, p->to_now);
  dd all = steps_image(p->x->steps, next);
  dd_or_to(&all, dd_and(next, p->stuck));
  dd_drop(there);
  dd_drop(next);
  return all;
}

static dd preimage(void *context, dd to, int32_t agent) {
  struct product *p = context;
  dd before = reach_preimage(p->x, to, agent);
  if (agent < 0) dd_or_to(&before, dd_and(to, p->stuck));
  dd next = dd_rename(before, p->to_next), all = dd_and_exists(next, p->moves, p->next_cube);
  dd_drop(before);
  dd_drop(next);
  return all;
}

static dd step(void *context, dd node, dd to, int32_t agent) {
  struct product *p = context;
  struct space *s = p->x->space;
  struct steps_found f = {.choices = p->x->values};
  dd there = dd_and_exists(node, p->moves, p->claim_cube), moved = dd_rename(there, p->to_now);
  dd claims = dd_exists(moved, s->now_cube), goal = dd_and(to, claims);
  dd states = dd_exists(goal, p->claim_cube), from = dd_exists(node, p->claim_cube);
  dd reached = dd_false();
  bool found = steps_find(p->x->steps, from, states, agent, &f, &reached);
  assert(found);
  (void)found;
  dd_and_to(&goal, reached);
  dd next = net_pick(&p->net, goal);
  dd *const done[] = {&there, &moved, &claims, &goal, &states, &from};
  for (size_t i = 0; i < sizeof done / sizeof *done; i++) dd_drop(*done[i]);
  return next;
}

// --- beginning and end ---

// The variables of claims are kept for the next property: there is no way to give them back.
static void find_variables(struct product *p) {
  struct reach *x = p->x;
  size_t bits = x->space->bits;
  while (x->claim_vars.count < 2 * p->bits) {
    unsigned pair = dd_vars(2);
    VEC_PUSH(&x->claim_vars, pair);
    VEC_PUSH(&x->claim_vars, pair + 1);
  }
  p->vars = mem_zalloc(bits + 2 * p->bits + 1, sizeof *p->vars);
  for (size_t i = 0; i < bits; i++) p->vars[i] = x->space->now[i];
  for (size_t i = 0; i < p->bits; i++) {
    p->vars[bits + i] = x->claim_vars.data[2 * i];
    p->vars[bits + p->bits + i] = x->claim_vars.data[2 * i + 1];
  }
  const unsigned *now = p->vars + bits, *next = now + p->bits;
  p->claim_cube = dd_cube(now, p->bits);
  p->next_cube = dd_cube(next, p->bits);
  p->to_next = dd_renaming_new(now, next, p->bits);
  p->to_now = dd_renaming_new(next, now, p->bits);
}

static bool find_atoms(struct product *p) {
  struct reach *x = p->x;
  for (size_t i = 0; i < x->model->atoms.count && i < 64; i++) {
    const struct ir_atom *a = x->model->atoms.data[i];
    struct condition *c = &p->atoms[i];
    if (!condition_init(c, x->relation, x->space, &a->frame, a->expr, &x->why)) return false;
    for (size_t k = 0; k < c->faults.count; k++)
      dd_or_to(&p->faults, dd_copy(c->faults.data[k].when));
  }
  return true;
}

// Nothing leads on, and nothing fails either.
static void find_stuck(struct product *p) {
  struct reach *x = p->x;
  if (p->automaton->stuck_ends) return;
  p->stuck = dd_minus(x->reached, reach_enabled(x));
  dd_set(&p->stuck, dd_minus(p->stuck, x->failing));
}

bool product_init(struct product *p, struct reach *x, const struct ir_property *property) {
  p->x = x;
  p->property = property;
  p->automaton = property->automaton;
  p->entered = p->automaton->on_edges;
  p->claims = p->automaton->count << p->entered;
  while (UINT64_C(1) << p->bits < p->claims) p->bits++;
  find_variables(p);
  p->net = (struct net){.image = image,
                        .preimage = preimage,
                        .step = step,
                        .context = p,
                        .vars = p->vars,
                        .bits = x->space->bits + p->bits};
  net_init(&p->net);
  if (!find_atoms(p)) return false;
  find_stuck(p);
  for (uint32_t i = 0; i < p->claims; i++) add_claim(p, i);
  finish_claims(p);
  return true;
}

void product_clear(struct product *p) {
  dd *const sets[] = {&p->claim_cube, &p->next_cube, &p->faults, &p->moves,  &p->stuck,
                      &p->looking,    &p->accepting, &p->final,  &p->reached};
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) dd_set(sets[i], dd_false());
  for (size_t i = 0; i < 64; i++) condition_clear(&p->atoms[i]);
  dd_renaming_free(p->to_next);
  dd_renaming_free(p->to_now);
  rings_clear(&p->rings);
  fair_clear(&p->fair);
  path_clear(&p->states);
  net_clear(&p->net);
  mem_free(p->vars);
  *p = (struct product){0};
}
