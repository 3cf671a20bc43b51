// SPDX-License-Identifier: Apache-2.0
// Whether a term can be true, by its reduced ordered decision diagram. Nodes are never freed: when
// there are too many all are forgotten at once, and the question stays open. Narrow leaves come in
// the order in which terms first speak of them, bits of wide ones side by side below.
#include "relation/decide.h"

#include "ir/ir.h"
#include "relation/encode.h"

#include <string.h>

enum {
  NODES_MAX = 1 << 16,
  TABLE = 2 * NODES_MAX,
  CACHE = 1 << 14,
  WORK_MAX = 1 << 24, // operations in all: then every question stays open
  NARROW = 4,         // bits of a leaf that stay together
};

struct node {
  uint32_t var;
  bit low, high;
};

struct known { // an operation that was done
  bit c, a, b, result;
};

struct coded { // variables of a leaf or choice
  unsigned *var;
  unsigned count;
};

struct decide {
  const struct relation *relation;
  const struct ir_rule *rule;
  struct bits bits;
  struct encode encode;
  struct coded *leaf, *choice;
  uint32_t choices;
  unsigned named; // leaves and choices that have variables
  struct node *nodes;
  bit count;
  bit *table;
  struct known *cache;
  bool full;
  uint64_t work;
};

// --- diagrams ---

static uint64_t mix(uint64_t a, uint64_t b, uint64_t c) {
  uint64_t h = (a * UINT64_C(0x9e3779b97f4a7c15)) ^ (b * UINT64_C(0xc2b2ae3d27d4eb4f));
  h = (h ^ c) * UINT64_C(0xff51afd7ed558ccd);
  return h ^ h >> 32;
}

static bit node(struct decide *d, uint32_t var, bit low, bit high) {
  if (low == high) return low;
  size_t i = mix(var, (uint64_t)low, (uint64_t)high) & (TABLE - 1);
  for (; d->table[i]; i = (i + 1) & (TABLE - 1)) {
    const struct node *n = &d->nodes[d->table[i]];
    if (n->var == var && n->low == low && n->high == high) return d->table[i];
  }
  if (d->count == NODES_MAX) {
    d->full = true;
    return d->bits.no;
  }
  d->nodes[d->count] = (struct node){var, low, high};
  d->table[i] = d->count;
  return d->count++;
}

static uint32_t top(const struct decide *d, bit a) { return d->nodes[a].var; }

static bit half(const struct decide *d, bit a, uint32_t var, bool high) {
  const struct node *n = &d->nodes[a];
  return n->var != var ? a : high ? n->high : n->low;
}

static bit choose(struct decide *d, bit c, bit a, bit b) {
  bit yes = d->bits.yes, no = d->bits.no;
  if (c == yes || a == b) return a;
  if (c == no) return b;
  if (a == yes && b == no) return c;
  if (d->full) return no;
  struct known *k = &d->cache[mix((uint64_t)c, (uint64_t)a, (uint64_t)b) & (CACHE - 1)];
  if (k->c == c && k->a == a && k->b == b) return k->result;
  d->full |= ++d->work > WORK_MAX;
  uint32_t var = top(d, c);
  if (top(d, a) < var) var = top(d, a);
  if (top(d, b) < var) var = top(d, b);
  bit high = choose(d, half(d, c, var, true), half(d, a, var, true), half(d, b, var, true));
  bit low = choose(d, half(d, c, var, false), half(d, a, var, false), half(d, b, var, false));
  bit result = node(d, var, low, high);
  if (!d->full) *k = (struct known){c, a, b, result};
  return result;
}

static void unname(struct coded *c, uint64_t count) {
  for (uint64_t i = 0; i < count; i++) {
    mem_free(c[i].var);
    c[i].var = NULL;
  }
}

// Begins anew, also with the order of variables.
static void forget(struct decide *d) {
  encode_forget(&d->encode);
  unname(d->leaf, d->relation->model->layout->count);
  unname(d->choice, d->choices);
  d->named = 0;
  memset(d->table, 0, TABLE * sizeof *d->table);
  memset(d->cache, 0, CACHE * sizeof *d->cache); // 0 as a condition is never asked for
  d->count = 2;
  d->full = d->work > WORK_MAX;
}

// --- the algebra ---

static bit copy(void *context, bit a) {
  (void)context;
  return a;
}
static void drop(void *context, bit a) {
  (void)context;
  (void)a;
}
static bit variable(void *context, unsigned var, bool positive) {
  return node(context, var, !positive, positive);
}
static bit negation(void *context, bit a) { return choose(context, a, 0, 1); }
static bit conjunction(void *context, bit a, bit b) { return choose(context, a, b, 0); }
static bit disjunction(void *context, bit a, bit b) { return choose(context, a, 1, b); }
static bit equivalence(void *context, bit a, bit b) {
  return choose(context, a, b, negation(context, b));
}
static bit exclusion(void *context, bit a, bit b) {
  return choose(context, a, negation(context, b), b);
}
static bit selection(void *context, bit c, bit a, bit b) { return choose(context, c, a, b); }

// --- codes ---

static unsigned bit_length(uint64_t v) { return v ? 64 - (unsigned)__builtin_clzll(v) : 0; }

static void name(struct decide *d, struct coded *c, unsigned count) {
  c->count = count;
  c->var = mem_alloc((count + 1) * sizeof *c->var);
  for (unsigned i = 0; i < count; i++) {
    unsigned depth = count <= NARROW ? 0 : 64 - i, place = count <= NARROW ? count - 1 - i : 0;
    c->var[i] = depth << 25 | (d->named * NARROW + place);
  }
  d->named++;
}

static struct code leaf_code(void *context, uint64_t leaf) {
  struct decide *d = context;
  const struct ir_leaf *l = &d->relation->model->layout->leaf[leaf];
  struct coded *c = &d->leaf[leaf];
  if (!c->var) name(d, c, l->width);
  return (struct code){.var = c->var, .count = c->count, .type = l->type, .undef = l->undef};
}

static const struct ir_domain *domain_of(const struct ir_rule *r, uint32_t choice) {
  return r->frame.locals[r->param_count + choice]->domain;
}

static struct code choice_code(void *context, uint32_t choice) {
  struct decide *d = context;
  const struct ir_domain *domain = domain_of(d->rule, choice);
  struct coded *c = &d->choice[choice];
  if (!c->var) name(d, c, bit_length(ir_domain_count(domain) - 1));
  return (struct code){.var = c->var, .count = c->count, .type = domain->type, .domain = domain};
}

// --- questions ---

struct decide *decide_new(const struct relation *r) {
  struct decide *d = mem_zalloc(1, sizeof *d);
  d->relation = r;
  d->bits = (struct bits){.yes = 1,
                          .no = 0,
                          .copy = copy,
                          .drop = drop,
                          .var = variable,
                          .not = negation,
                          .and = conjunction,
                          .or = disjunction,
                          .xor = exclusion,
                          .equal = equivalence,
                          .ite = selection,
                          .context = d};
  d->encode = (struct encode){
      .bits = &d->bits, .terms = r->terms, .leaf = leaf_code, .choice = choice_code, .context = d};
  d->leaf = mem_zalloc(r->model->layout->count + 1, sizeof *d->leaf);
  d->nodes = mem_alloc(NODES_MAX * sizeof *d->nodes);
  d->nodes[0] = d->nodes[1] = (struct node){.var = UINT32_MAX};
  d->table = mem_alloc(TABLE * sizeof *d->table);
  d->cache = mem_alloc(CACHE * sizeof *d->cache);
  forget(d);
  return d;
}

void decide_free(struct decide *d) {
  if (!d) return;
  unname(d->leaf, d->relation->model->layout->count);
  unname(d->choice, d->choices);
  encode_clear(&d->encode);
  mem_free(d->leaf);
  mem_free(d->choice);
  mem_free(d->nodes);
  mem_free(d->table);
  mem_free(d->cache);
  mem_free(d);
}

void decide_bind(struct decide *d, const struct ir_rule *rule) {
  if (d->choices || rule->choice_count) encode_forget(&d->encode);
  unname(d->choice, d->choices);
  mem_free(d->choice);
  d->rule = rule;
  d->choices = rule->choice_count;
  d->choice = mem_zalloc(d->choices + 1, sizeof *d->choice);
}

// Codes that mean nothing are no values.
static bit valid(struct decide *d, const struct code *c, bit truth) {
  return conjunction(d, truth, code_below(&d->bits, c, code_count(c)));
}

// The same truth where leaves and choices that the term speaks of have values.
static bit within(struct decide *d, const struct term *t, bit truth) {
  uint64_t leaves = d->relation->model->layout->count;
  uint64_t *of_leaf = mem_zalloc(leaves / 64 + 1, sizeof *of_leaf);
  uint64_t *of_choice = mem_zalloc(d->choices / 64 + 1, sizeof *of_choice);
  term_support(t, of_leaf, of_choice);
  for (uint64_t i = 0; i < leaves && truth != d->bits.no; i++) {
    if (!(of_leaf[i / 64] >> (i % 64) & 1)) continue;
    struct code c = leaf_code(d, i);
    truth = valid(d, &c, truth);
  }
  for (uint32_t i = 0; i < d->choices && truth != d->bits.no; i++) {
    if (!(of_choice[i / 64] >> (i % 64) & 1)) continue;
    struct code c = choice_code(d, i);
    truth = valid(d, &c, truth);
  }
  mem_free(of_leaf);
  mem_free(of_choice);
  return truth;
}

// Of one that did not fit: *open.
static bool is_never(struct decide *d, const struct term *t, bool *open) {
  bit truth = d->full ? d->bits.yes : encode_truth(&d->encode, t);
  if (!d->full) truth = within(d, t, truth);
  *open = d->full;
  if (d->full) forget(d);
  return truth == d->bits.no && !*open;
}

// What did not fit beside other terms, and in their order, may fit alone.
bool decide_never(struct decide *d, const struct term *t) {
  if (t->op == TERM_CONST) return t->value == 0;
  bool open, alone = d->count == 2, never = is_never(d, t, &open);
  return open && !alone ? is_never(d, t, &open) : never;
}
