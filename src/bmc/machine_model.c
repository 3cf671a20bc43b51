// SPDX-License-Identifier: Apache-2.0
// The model as a circuit without time: what each rule needs, what it writes, which states are legal
// at all, and what start rules say of the state that they make.
#include "bmc/machine_own.h"

#include "ir/ir.h"

#include <string.h>

static unsigned bit_length(uint64_t v) { return v ? 64 - (unsigned)__builtin_clzll(v) : 0; }

// --- codes ---

struct code own_leaf_code(const struct own *o, uint64_t leaf) {
  const struct ir_leaf *l = &o->model->layout->leaf[leaf];
  const struct leaf_bits *b = &o->leaf[leaf];
  return (struct code){.var = b->vars, .count = b->count, .type = l->type, .undef = l->undef};
}

// A choice that is what a leaf is to hold has the leaf's code. What a start rule chooses so is the
// leaf's own bits, as they are afterwards.
struct code own_choice_code(const struct own *o, const struct part *p, enum choice_kind kind,
                            uint32_t k) {
  const struct ir_domain *d = encode_domain(p->rule, k);
  const unsigned *vars = o->vars + o->choice_first[kind][k];
  if (p->choice_leaf[k] != ENCODE_NONE) {
    struct code c = own_leaf_code(o, p->choice_leaf[k]);
    if (kind != CHOICE_START) c.var = vars;
    return c;
  }
  unsigned count = bit_length(ir_domain_count(d) - 1);
  return (struct code){.var = vars, .count = count, .type = d->type, .domain = d};
}

static struct code leaf_code(void *context, uint64_t leaf) { return own_leaf_code(context, leaf); }

static struct code choice_code(void *context, uint32_t k) {
  const struct own *o = context;
  assert(o->part);
  return own_choice_code(o, o->part, o->kind, k);
}

void own_bind(struct own *o, const struct part *p, enum choice_kind kind) {
  encode_forget(&o->bound);
  o->part = p;
  o->kind = kind;
}

// --- variables ---

static void widen(struct own *o, const struct part *p, enum choice_kind kind) {
  for (uint32_t k = 0; k < p->rule->rule->choice_count; k++) {
    uint64_t leaf = p->choice_leaf[k];
    unsigned width = leaf != ENCODE_NONE
                         ? o->leaf[leaf].count
                         : bit_length(ir_domain_count(encode_domain(p->rule, k)) - 1);
    if (width > o->choice_width[kind][k]) o->choice_width[kind][k] = width;
  }
}

static size_t most_choices(const struct own *o) {
  size_t most = 0;
  for (size_t i = 0; i < o->rules.count; i++)
    if (o->rules.data[i].rule->rule->choice_count > most)
      most = o->rules.data[i].rule->rule->choice_count;
  for (size_t i = 0; i < o->starts.count; i++)
    if (o->starts.data[i].rule->rule->choice_count > most)
      most = o->starts.data[i].rule->rule->choice_count;
  return most;
}

static unsigned place_choices(struct own *o, unsigned at) {
  size_t most = most_choices(o);
  for (int kind = 0; kind < CHOICE_KINDS; kind++) {
    o->choice_width[kind] = mem_zalloc(most + 1, sizeof(unsigned));
    o->choice_first[kind] = mem_zalloc(most + 1, sizeof(unsigned));
    if (kind == CHOICE_START)
      for (size_t i = 0; i < o->starts.count; i++) widen(o, &o->starts.data[i], kind);
    else
      for (size_t i = 0; i < o->rules.count; i++) widen(o, &o->rules.data[i], kind);
    o->choices[kind].first = at;
    for (size_t k = 0; k < most; k++) {
      o->choice_first[kind][k] = at;
      at += o->choice_width[kind][k];
    }
    o->choices[kind].end = at;
  }
  return at;
}

static void make_variables(struct machine *m) {
  struct own *o = m->own;
  const struct ir_layout *l = o->model->layout;
  for (uint64_t i = 0; i < l->count; i++) {
    o->leaf[i].count = relation_has(m->relation, i) ? l->leaf[i].width : 0;
    m->bits += o->leaf[i].count;
  }
  unsigned total = place_choices(o, (unsigned)m->bits);
  o->vars = mem_alloc((total + 1) * sizeof *o->vars);
  o->bit_leaf = mem_alloc((m->bits + 1) * sizeof *o->bit_leaf);
  for (unsigned i = 0; i < total; i++) o->vars[i] = i;
  unsigned at = 0;
  for (uint64_t i = 0; i < l->count; i++) {
    o->leaf[i].vars = o->vars + at;
    for (unsigned k = 0; k < o->leaf[i].count; k++) o->bit_leaf[at++] = i;
  }
}

// --- what a step needs ---

static void need(struct part *p, bit a) {
  if (a != CIRCUIT_TRUE) VEC_PUSH(&p->needs, a);
}

static bool impossible(const struct part *p) {
  for (size_t i = 0; i < p->needs.count; i++)
    if (p->needs.data[i] == CIRCUIT_FALSE) return true;
  return false;
}

static void find_needs(struct own *o, struct part *p) {
  const struct relation_rule *r = p->rule;
  need(p, encode_truth(&o->bound, r->guard));
  for (uint32_t k = 0; k < r->rule->choice_count; k++) {
    struct code c = own_choice_code(o, p, o->kind, k);
    need(p, code_within(&o->circuit.bits, &c, encode_domain(r, k)));
  }
  for (size_t i = 0; i < r->assumes.count; i++)
    need(p, encode_truth(&o->bound, r->assumes.data[i]));
  for (size_t i = 0; i < r->errors.count; i++)
    need(p, -encode_truth(&o->bound, r->errors.data[i].alone));
}

// --- what it writes ---

static size_t edges_of(struct own *o, const struct relation_write *w) {
  struct code to = own_leaf_code(o, w->leaf);
  bit out[64];
  size_t first = o->edges.count;
  assert(to.count <= 64);
  encode_value(&o->bound, &to, w, out);
  for (unsigned i = 0; i < to.count; i++) VEC_PUSH(&o->edges, out[i]);
  return first;
}

static bool stays(struct own *o, uint64_t leaf, size_t first) {
  const struct leaf_bits *b = &o->leaf[leaf];
  for (unsigned i = 0; i < b->count; i++)
    if (o->edges.data[first + i] != circuit_input(&o->circuit, b->vars[i])) return false;
  return true;
}

static void find_writes(struct own *o, uint32_t part) {
  const struct relation_rule *r = o->parts.data[part].rule;
  for (size_t i = 0; i < r->writes.count; i++) {
    const struct relation_write *w = &r->writes.data[i];
    if (!o->leaf[w->leaf].count) continue;
    size_t first = edges_of(o, w);
    if (stays(o, w->leaf, first))
      o->edges.count = first;
    else
      VEC_PUSH(&o->leaf[w->leaf].writes, ((struct written){part, first}));
  }
}

static void add_rule(struct own *o, const struct part *rule) {
  struct part p = {.rule = rule->rule, .choice_leaf = rule->choice_leaf};
  if (term_is(p.rule->guard, 0)) return;
  own_bind(o, rule, CHOICE_STEP);
  find_needs(o, &p);
  if (impossible(&p)) {
    VEC_CLEAR(&p.needs);
    return;
  }
  VEC_PUSH(&o->parts, p);
  find_writes(o, (uint32_t)o->parts.count - 1);
}

static bool same_writers(const struct leaf_bits *a, const struct leaf_bits *b) {
  if (a->writes.count != b->writes.count) return false;
  for (size_t i = 0; i < a->writes.count; i++)
    if (a->writes.data[i].part != b->writes.data[i].part) return false;
  return true;
}

// Quadratic in the groups: there are few.
static void find_groups(struct own *o) {
  VEC(uint64_t) firsts = {0};
  for (uint64_t i = 0; i < o->model->layout->count; i++) {
    size_t g = 0;
    while (g < firsts.count && !same_writers(&o->leaf[i], &o->leaf[firsts.data[g]])) g++;
    if (g == firsts.count) VEC_PUSH(&firsts, i);
    o->leaf[i].group = (uint32_t)g;
  }
  o->groups = (uint32_t)firsts.count;
  VEC_CLEAR(&firsts);
}

// --- starts ---

// The state's bits are those that the start rule writes. What it does not write has code 0.
static void find_start(struct own *o, struct part *p) {
  size_t at = 0;
  const struct relation_rule *r = p->rule;
  own_bind(o, p, CHOICE_START);
  find_needs(o, p);
  for (uint64_t leaf = 0; leaf < o->model->layout->count; leaf++) {
    const struct leaf_bits *b = &o->leaf[leaf];
    while (at < r->writes.count && r->writes.data[at].leaf < leaf) at++;
    bool written = at < r->writes.count && r->writes.data[at].leaf == leaf;
    if (!b->count) continue;
    size_t first = o->edges.count;
    if (written) edges_of(o, &r->writes.data[at]);
    for (unsigned i = 0; i < b->count; i++) {
      bit is = circuit_input(&o->circuit, b->vars[i]);
      need(p, -circuit_xor(&o->circuit, is, written ? o->edges.data[first + i] : CIRCUIT_FALSE));
    }
    o->edges.count = first;
  }
}

// --- legal states ---

bit own_condition(struct own *o, const struct relation_condition *c) {
  bit all = encode_truth(&o->plain, c->value);
  for (size_t i = 0; i < c->errors.count; i++)
    all = circuit_and(&o->circuit, all, -encode_truth(&o->plain, c->errors.data[i].when));
  return all;
}

static bool assume(struct machine *m, const struct ir_property *p, struct text *why) {
  struct own *o = m->own;
  struct relation_condition c;
  if (!relation_condition(m->relation, &p->frame, p->expr, &c, why)) return false;
  for (size_t i = 0; i < c.errors.count; i++) o->assumes_fail |= !term_is(c.errors.data[i].when, 0);
  o->assumed = circuit_and(&o->circuit, o->assumed, own_condition(o, &c));
  relation_condition_clear(&c);
  return true;
}

static bool find_legal(struct machine *m, struct text *why) {
  struct own *o = m->own;
  o->coded = o->assumed = CIRCUIT_TRUE;
  for (uint64_t i = 0; i < o->model->layout->count; i++) {
    struct code c = own_leaf_code(o, i);
    if (c.count)
      o->coded =
          circuit_and(&o->circuit, o->coded, code_below(&o->circuit.bits, &c, code_count(&c)));
  }
  for (size_t i = 0; i < o->model->properties.count; i++) {
    const struct ir_property *p = o->model->properties.data[i];
    if (p->kind == IR_PROP_ASSUME && !assume(m, p, why)) return false;
  }
  return true;
}

// --- all of it ---

static void list_rules(struct own *o, const struct relation *r) {
  for (size_t i = 0; i < r->rules.count; i++) {
    struct part p = {.rule = &r->rules.data[i]};
    p.choice_leaf = encode_choice_leaves(o->model, p.rule);
    VEC_PUSH(&o->rules, p);
  }
  for (size_t i = 0; i < r->starts.count; i++) {
    struct part p = {.rule = &r->starts.data[i]};
    p.choice_leaf = encode_choice_leaves(o->model, p.rule);
    VEC_PUSH(&o->starts, p);
  }
}

bool own_build(struct machine *m, struct text *why) {
  struct own *o = m->own;
  o->model = m->relation->model;
  circuit_init(&o->circuit);
  o->leaf = mem_zalloc(o->model->layout->count + 1, sizeof *o->leaf);
  list_rules(o, m->relation);
  make_variables(m);
  o->bound = (struct encode){.bits = &o->circuit.bits,
                             .terms = m->relation->terms,
                             .leaf = leaf_code,
                             .choice = choice_code,
                             .context = o};
  o->plain = o->bound;
  if (!find_legal(m, why)) return false;
  for (size_t i = 0; i < o->rules.count; i++) {
    if (!sat_goes_on(m->sat)) return false;
    add_rule(o, &o->rules.data[i]);
  }
  for (size_t i = 0; i < o->starts.count; i++) find_start(o, &o->starts.data[i]);
  find_groups(o);
  return true;
}
