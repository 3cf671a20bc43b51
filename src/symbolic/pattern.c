// SPDX-License-Identifier: Apache-2.0
// The pattern database for concrete states: its layers become one diagram with distances at its
// ends, over the bits of packed states. A value takes one test of a bit for each node on the way.
#include "symbolic/pattern.h"

#include "ir/ir.h"
#include "symbolic/goals.h"
#include "symbolic/guided_own.h"

#include <string.h>

#define PATTERN_WORK 1000000    // nodes of all diagrams made for it (guided_choose.c), about
#define END          (1u << 31) // of a reference: it is a distance
#define NEVER        (END - 1)  // as a distance

struct pattern_node {
  uint32_t bit; // of a packed state
  uint32_t next[2];
};

struct pattern {
  VEC(struct pattern_node) nodes;
  uint32_t root; // a reference: a node's number, or END and a distance
  bool proves;
  size_t kept, leaves, layers;
};

uint32_t pattern_value(const struct pattern *p, const uint64_t *state) {
  uint32_t at = p->root;
  while (!(at & END)) {
    const struct pattern_node *n = &p->nodes.data[at];
    at = n->next[state[n->bit / 64] >> (n->bit % 64) & 1];
  }
  return (at & NEVER) == NEVER ? PATTERN_NEVER : at & NEVER;
}

// --- making it ---

struct slot {
  uint64_t key[2];
  uint32_t value; // and one; 0: free
};

struct table { // open addressing
  struct slot *slots;
  size_t count, capacity;
};

struct building {
  struct pattern *pattern;
  uint32_t *bit_of;     // per variable of diagrams: the bit
  VEC(unsigned) levels; // per node: that of its variable
  struct table unique;  // (variable's level, low and high) -> node
  struct table memo;    // (diagram, reference) -> reference, of one layer
  uint32_t end;         // of that layer
};

static struct slot *slot_of(const struct table *t, uint64_t a, uint64_t b) {
  uint64_t hash = (a * UINT64_C(0x9e3779b97f4a7c15) ^ b) * UINT64_C(0xff51afd7ed558ccd);
  size_t at = (size_t)(hash >> 20) & (t->capacity - 1);
  while (t->slots[at].value && (t->slots[at].key[0] != a || t->slots[at].key[1] != b))
    at = (at + 1) & (t->capacity - 1);
  return &t->slots[at];
}

static void table_grow(struct table *t) {
  struct table old = *t;
  t->capacity = old.capacity ? 2 * old.capacity : 256;
  t->slots = mem_zalloc(t->capacity, sizeof *t->slots);
  for (size_t i = 0; i < old.capacity; i++)
    if (old.slots[i].value) *slot_of(t, old.slots[i].key[0], old.slots[i].key[1]) = old.slots[i];
  mem_free(old.slots);
}

// Where the value for this key is, or is to be put.
static struct slot *table_at(struct table *t, uint64_t a, uint64_t b) {
  if (2 * t->count >= t->capacity) table_grow(t);
  return slot_of(t, a, b);
}

static void table_put(struct table *t, uint64_t a, uint64_t b, uint32_t value) {
  struct slot *s = table_at(t, a, b);
  t->count += s->value == 0;
  *s = (struct slot){{a, b}, value + 1};
}

static uint32_t node(struct building *b, unsigned level, uint32_t tested, uint32_t low,
                     uint32_t high) {
  if (low == high) return low;
  uint64_t pair = (uint64_t)low << 32 | high;
  const struct slot *s = table_at(&b->unique, level, pair);
  if (s->value) return s->value - 1;
  uint32_t number = (uint32_t)b->pattern->nodes.count;
  VEC_PUSH(&b->pattern->nodes, ((struct pattern_node){tested, {low, high}}));
  VEC_PUSH(&b->levels, level);
  table_put(&b->unique, level, pair, number);
  return number;
}

// b->end where the set has the state, and what `rest` says elsewhere.
static uint32_t put_layer(struct building *b, dd set, uint32_t rest) {
  if (dd_is_false(set)) return rest;
  if (dd_is_true(set)) return b->end;
  const struct slot *known = table_at(&b->memo, (uint64_t)set, rest);
  if (known->value) return known->value - 1;
  unsigned set_level = dd_level(dd_top(set));
  unsigned rest_level = rest & END ? UINT32_MAX : b->levels.data[rest];
  unsigned level = set_level < rest_level ? set_level : rest_level;
  bool in_set = set_level == level, in_rest = rest_level == level;
  uint32_t tested = in_set ? b->bit_of[dd_top(set)] : b->pattern->nodes.data[rest].bit;
  uint32_t out[2];
  struct pattern_node both = {.next = {rest, rest}};
  if (in_rest) both = b->pattern->nodes.data[rest];
  out[0] = put_layer(b, in_set ? dd_low(set) : set, both.next[0]);
  out[1] = put_layer(b, in_set ? dd_high(set) : set, both.next[1]);
  uint32_t made = node(b, level, tested, out[0], out[1]);
  table_put(&b->memo, (uint64_t)set, rest, made);
  return made;
}

static uint32_t *packed_bits(const struct space *s) {
  unsigned most = 0;
  for (size_t i = 0; i < s->bits; i++) most = s->now[i] > most ? s->now[i] : most;
  uint32_t *out = mem_zalloc((size_t)most + 1, sizeof *out);
  for (uint64_t i = 0; i < s->model->layout->count; i++) {
    const struct ir_leaf *l = &s->model->layout->leaf[i];
    for (unsigned k = 0; k < s->leaf[i].count; k++)
      out[s->leaf[i].now[k]] = l->word * 64 + l->shift + k;
  }
  return out;
}

// The layers of a database, the deepest first.
static void export(struct pattern *p, const struct space *s, const struct database *d) {
  struct building b = {.pattern = p, .bit_of = packed_bits(s)};
  p->root = END | (d->outside == DATABASE_NEVER ? NEVER : d->outside);
  for (size_t i = d->layers.count; i-- > 0;) {
    b.end = END | (uint32_t)i;
    p->root = put_layer(&b, d->layers.data[i], p->root);
    mem_free(b.memo.slots);
    b.memo = (struct table){0};
  }
  mem_free(b.unique.slots);
  mem_free(b.bit_of);
  VEC_CLEAR(&b.levels);
  p->proves = d->proves;
  p->kept = d->of->kept;
  p->leaves = d->of->leaves;
  p->layers = d->layers.count;
}

// --- what it is made from ---

struct session {
  struct symbolic_config config;
  struct result result;
  struct goals goals;
  struct reach *x;
  struct pattern *pattern;
  uint8_t *on;
};

// One part with all goals that an explicit search looks for.
static void join_goals(struct session *s) {
  struct goals *g = &s->goals;
  struct goals_part *to = &g->parts.data[0];
  for (size_t i = 1; i < g->parts.count; i++) {
    const struct goals_part *from = &g->parts.data[i];
    cone_join(s->x->whole, &to->cone, &from->cone);
    for (size_t k = 0; k < s->config.model->properties.count; k++)
      to->judge.property_on[k] |= from->judge.property_on[k];
    to->judge.errors |= from->judge.errors;
    to->judge.deadlock |= from->judge.deadlock;
    to->sliced &= from->sliced;
  }
}

static bool prepare(struct session *s) {
  struct reach *x = s->x;
  struct relation_config config = {.goes_on = reach_goes_on, .context = x};
  x->whole = relation_new(s->config.model, &config, &x->why);
  if (!x->whole) return false;
  goals_init(&s->goals, &s->config, x->whole, &x->judge);
  join_goals(s);
  x->part = &s->goals.parts.data[0];
  judge_begin(&x->judge, &x->part->judge);
  return part_open(x);
}

static bool make(struct session *s) {
  if (!prepare(s)) return false;
  struct guided *g = guided_new(s->x);
  guided_any_goal(g);
  g->work = PATTERN_WORK;
  guided_choose(g);
  s->pattern = mem_zalloc(1, sizeof *s->pattern);
  export(s->pattern, s->x->space, guided_base(g));
  return true;
}

static void session_init(struct session *s, const struct symbolic_config *c) {
  size_t count = c->model->properties.count;
  s->config = *c;
  s->config.search = SYMBOLIC_ASTAR;
  s->config.property_on = s->on = mem_zalloc(count + 1, 1);
  for (size_t i = 0; i < count; i++)
    s->on[i] = c->model->properties.data[i]->kind == IR_PROP_INVARIANT &&
               (!c->property_on || c->property_on[i]);
  s->x = mem_zalloc(1, sizeof *s->x);
  s->x->config = &s->config;
  s->x->model = c->model;
  struct judge_config judging = {.model = c->model, .deadlock = c->deadlock, .property_on = s->on};
  judge_init(&s->x->judge, &judging, &s->result);
}

static void session_free(struct session *s) {
  part_clear(s->x);
  goals_clear(&s->goals);
  relation_free(s->x->whole);
  text_clear(&s->x->why);
  judge_clear(&s->x->judge);
  result_clear(&s->result);
  mem_free(s->x);
  mem_free(s->on);
  mem_free(s);
}

struct pattern *pattern_new(const struct symbolic_config *c, struct text *why) {
  struct session *s = mem_zalloc(1, sizeof *s); // on the heap: its fields survive the jump
  struct mem_boundary boundary;
  session_init(s, c);
  bool good = false;
  if (!mem_boundary_enter(&boundary)) {
    good = make(s);
    mem_boundary_leave(&boundary);
  }
  struct pattern *p = s->pattern;
  if (!good) {
    text_printf(why, "%s", s->x->why.count ? text_str(&s->x->why) : "the budget was used up");
    if (p) pattern_free(p);
    p = NULL;
  }
  session_free(s);
  return p;
}

void pattern_free(struct pattern *p) {
  VEC_CLEAR(&p->nodes);
  mem_free(p);
}

// --- what it tells ---

bool pattern_proves(const struct pattern *p) { return p->proves; }

size_t pattern_bytes(const struct pattern *p) {
  return sizeof *p + p->nodes.capacity * sizeof *p->nodes.data;
}

void pattern_describe(const struct pattern *p, struct text *out) {
  text_printf(out, "%zu of %zu leaves, %zu layer%s", p->kept, p->leaves, p->layers,
              p->layers == 1 ? "" : "s");
}
