// SPDX-License-Identifier: Apache-2.0
// The variables of a model's states and choices, made in an order of their own (order.c), and sets
// of states: the valid ones, single ones, one out of many.
#include "symbolic/space.h"

#include "ir/ir.h"
#include "relation/cone.h"
#include "symbolic/space_own.h"

#include <stdlib.h>
#include <string.h>

static unsigned bit_length(uint64_t v) { return v ? 64 - (unsigned)__builtin_clzll(v) : 0; }

// --- which leaves stand for which choices ---

static uint64_t **all_choice_leaves(const struct ir_model *m, const struct relation_rule *rules,
                                    size_t count) {
  uint64_t **out = mem_zalloc(count + 1, sizeof(*out));
  for (size_t i = 0; i < count; i++) out[i] = encode_choice_leaves(m, &rules[i]);
  return out;
}

// --- variables ---

// How many bits each choice takes: those of the rule that needs most. Choices that a rule does not
// speak of take none; those of a slice that are left out are such.
static void size_choices(struct space *s, const struct relation_rule *rules, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const struct ir_rule *r = rules[i].rule;
    uint64_t *matter = mem_zalloc(r->choice_count / 64 + 1, sizeof(*matter));
    relation_choices(&rules[i], matter);
    for (uint32_t k = 0; k < r->choice_count; k++) {
      if (!(matter[k / 64] >> (k % 64) & 1)) continue;
      if (space_choice_leaf(s, &rules[i], k) != SPACE_NONE) continue;
      unsigned bits = bit_length(ir_domain_count(encode_domain(&rules[i], k)) - 1);
      if (bits > s->choice[k].count) s->choice[k].count = bits;
    }
    mem_free(matter);
  }
}

static size_t most_choices(const struct relation *r) {
  size_t most = 0;
  for (size_t i = 0; i < r->rules.count; i++)
    if (r->rules.data[i].rule->choice_count > most) most = r->rules.data[i].rule->choice_count;
  for (size_t i = 0; i < r->starts.count; i++)
    if (r->starts.data[i].rule->choice_count > most) most = r->starts.data[i].rule->choice_count;
  return most;
}

static void size_all(struct space *s) {
  const struct relation *r = s->relation;
  const struct ir_layout *layout = s->model->layout;
  s->leaf = mem_zalloc(layout->count + 1, sizeof(*s->leaf));
  for (uint64_t i = 0; i < layout->count; i++) {
    s->leaf[i].count = relation_has(r, i) ? layout->leaf[i].width : 0;
    s->bits += s->leaf[i].count;
  }
  s->choices = most_choices(r);
  s->choice = mem_zalloc(s->choices + 1, sizeof(*s->choice));
  size_choices(s, r->rules.data, r->rules.count);
  size_choices(s, r->starts.data, r->starts.count);
}

static void room_for_bits(struct space_bits *b, bool both) {
  b->now = mem_alloc((b->count + 1) * sizeof(*b->now));
  if (both) b->next = mem_alloc((b->count + 1) * sizeof(*b->next));
}

static void make_choice(struct space_bits *b) {
  if (!b->count) return;
  unsigned first = dd_vars(b->count);
  room_for_bits(b, false);
  for (unsigned i = 0; i < b->count; i++) b->now[i] = first + b->count - 1 - i;
  dd_block(first, b->count);
}

// The highest bit comes first, each with its next one below. Leaves that are made together, of the
// same width, have equal bits side by side, which stay together then.
static void make_leaves(struct space *s, const struct space_item *leaves, size_t count) {
  unsigned bits = s->leaf[leaves[0].index].count;
  if (!bits) return;
  for (size_t k = 0; k < count; k++) room_for_bits(&s->leaf[leaves[k].index], true);
  for (unsigned i = bits; i-- > 0;) {
    unsigned first = dd_vars(2 * (unsigned)count);
    for (size_t k = 0; k < count; k++) {
      s->leaf[leaves[k].index].now[i] = first + 2 * (unsigned)k;
      s->leaf[leaves[k].index].next[i] = first + 2 * (unsigned)k + 1;
    }
    if (count > 1) dd_block(first, 2 * (unsigned)count);
  }
  if (count == 1) dd_block(s->leaf[leaves[0].index].now[bits - 1], 2 * bits);
}

// In an order of our own, data words that share values come to where the first of them is.
struct placed {
  size_t at, was;
  struct space_item item;
};

static int by_place(const void *a, const void *b) {
  const struct placed *x = a, *y = b;
  if (x->at != y->at) return x->at < y->at ? -1 : 1;
  return x->was < y->was ? -1 : x->was > y->was;
}

static void gather_words(struct space_item *order, size_t items, const uint64_t *words) {
  struct placed *p = mem_alloc((items + 1) * sizeof(*p));
  size_t *first = mem_alloc((items + 1) * sizeof(*first)); // by word
  for (size_t i = 0; i < items; i++) first[i] = SIZE_MAX;
  for (size_t i = 0; i < items; i++) {
    p[i] = (struct placed){i, i, order[i]};
    uint64_t word = order[i].choice ? SPACE_NONE : words[order[i].index];
    if (word == SPACE_NONE) continue;
    if (first[word] == SIZE_MAX) first[word] = i;
    p[i].at = first[word];
  }
  qsort(p, items, sizeof(*p), by_place);
  for (size_t i = 0; i < items; i++) order[i] = p[i].item;
  mem_free(p);
  mem_free(first);
}

// How many items from the first on are made together: data words that share values.
static size_t together(const struct space_item *items, size_t count, const uint64_t *words) {
  size_t n = 1;
  uint64_t word = items[0].choice ? SPACE_NONE : words[items[0].index];
  while (word != SPACE_NONE && n < count && !items[n].choice && words[items[n].index] == word) n++;
  return n;
}

static void make_variables(struct space *s, const struct space_config *c) {
  size_t items = s->model->layout->count + s->choices;
  struct space_item *order = mem_alloc((items + 1) * sizeof(*order));
  uint64_t *words = space_words(s);
  space_order(s, c, order);
  if (!c->order) gather_words(order, items, words);
  // All at once, so that none is made after the first diagram.
  unsigned total = 0;
  for (size_t i = 0; i < items; i++)
    total += order[i].choice ? s->choice[order[i].index].count : 2 * s->leaf[order[i].index].count;
  dd_expect(total);
  for (size_t i = 0, n; i < items; i += n) {
    n = together(order + i, items - i, words);
    if (order[i].choice)
      make_choice(&s->choice[order[i].index]);
    else
      make_leaves(s, order + i, n);
  }
  mem_free(words);
  mem_free(order);
}

static void gather_variables(struct space *s) {
  s->now = mem_alloc((s->bits + 1) * sizeof(*s->now));
  s->next = mem_alloc((s->bits + 1) * sizeof(*s->next));
  size_t at = 0;
  for (uint64_t i = 0; i < s->model->layout->count; i++) {
    for (unsigned k = 0; k < s->leaf[i].count; k++, at++) {
      s->now[at] = s->leaf[i].now[k];
      s->next[at] = s->leaf[i].next[k];
    }
  }
  s->now_cube = dd_cube(s->now, s->bits);
  s->next_cube = dd_cube(s->next, s->bits);
  s->choice_cube = dd_true();
  for (size_t i = 0; i < s->choices; i++)
    dd_and_to(&s->choice_cube, dd_cube(s->choice[i].now, s->choice[i].count));
  s->to_next = dd_renaming_new(s->now, s->next, s->bits);
  s->to_now = dd_renaming_new(s->next, s->now, s->bits);
}

// --- valid states ---

// Adds one assumption to what is valid, and where it fails to assume_fails.
static bool assume(struct space *s, const struct ir_property *p, struct text *why) {
  struct relation_condition c;
  struct relation *r = (struct relation *)s->relation; // it only takes in new terms
  if (!relation_condition(r, &p->frame, p->expr, &c, why)) return false;
  dd bad = dd_false();
  for (size_t i = 0; i < c.errors.count; i++) dd_or_to(&bad, space_term(s, c.errors.data[i].when));
  dd_or_to(&s->assume_fails, dd_and(bad, s->valid_now));
  dd_and_to(&s->valid_now, space_term(s, c.value));
  dd_set(&s->valid_now, dd_minus(s->valid_now, bad));
  dd_drop(bad);
  relation_condition_clear(&c);
  return true;
}

static bool find_valid(struct space *s, struct text *why) {
  s->valid_now = dd_true();
  s->assume_fails = dd_false();
  for (uint64_t i = s->model->layout->count; i-- > 0;) {
    struct code c = space_leaf_code(s, i, false);
    dd_and_to(&s->valid_now, code_below(&space_algebra, &c, code_count(&c)));
  }
  for (size_t i = 0; i < s->model->properties.count; i++) {
    const struct ir_property *p = s->model->properties.data[i];
    if (p->kind == IR_PROP_ASSUME && !assume(s, p, why)) return false;
  }
  s->valid_next = dd_rename(s->valid_now, s->to_next);
  space_forget(s);
  return true;
}

struct space *space_new(const struct space_config *c, struct text *why) {
  struct space *s = mem_zalloc(1, sizeof(*s));
  s->own = mem_zalloc(1, sizeof(*s->own));
  s->relation = c->relation;
  s->model = c->relation->model;
  space_begin(s);
  const struct relation *r = c->relation;
  s->own->rule_leaf = all_choice_leaves(s->model, r->rules.data, r->rules.count);
  s->own->start_leaf = all_choice_leaves(s->model, r->starts.data, r->starts.count);
  size_all(s);
  make_variables(s, c);
  gather_variables(s);
  if (find_valid(s, why)) return s;
  space_free(s);
  return NULL;
}

static void free_own(struct space *s) {
  struct space_own *o = s->own;
  for (size_t i = 0; i < s->relation->rules.count; i++) mem_free(o->rule_leaf[i]);
  for (size_t i = 0; i < s->relation->starts.count; i++) mem_free(o->start_leaf[i]);
  mem_free(o->rule_leaf);
  mem_free(o->start_leaf);
  encode_clear(&o->encode);
  mem_free(o);
}

static void free_bits(struct space_bits *bits, size_t count) {
  for (size_t i = 0; i < count; i++) {
    mem_free(bits[i].now);
    mem_free(bits[i].next);
  }
  mem_free(bits);
}

void space_free(struct space *s) {
  if (!s) return;
  space_forget(s);
  dd all[] = {s->now_cube,  s->next_cube,  s->choice_cube,
              s->valid_now, s->valid_next, s->assume_fails};
  for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) dd_drop(all[i]);
  dd_renaming_free(s->to_next);
  dd_renaming_free(s->to_now);
  free_bits(s->leaf, s->model->layout->count);
  free_bits(s->choice, s->choices);
  mem_free(s->now);
  mem_free(s->next);
  free_own(s);
  mem_free(s);
}

// --- single states ---

dd space_state(struct space *s, const uint64_t *state) {
  dd out = dd_true();
  for (uint64_t i = s->model->layout->count; i-- > 0;) {
    if (!relation_has(s->relation, i)) continue;
    struct code c = space_leaf_code(s, i, false);
    dd_and_to(&out, code_is(&space_algebra, &c, ir_leaf_code(&s->model->layout->leaf[i], state)));
  }
  return out;
}

static uint64_t code_from(const uint8_t *values, unsigned count) {
  uint64_t code = 0;
  for (unsigned i = 0; i < count; i++) code |= (uint64_t)values[i] << i;
  return code;
}

void space_pick(struct space *s, dd set, uint64_t *state) {
  uint8_t *values = mem_alloc(s->bits + 1);
  dd_pick(set, s->now, s->bits, values);
  memset(state, 0, s->model->layout->words * sizeof(*state));
  size_t at = 0;
  for (uint64_t i = 0; i < s->model->layout->count; i++) {
    uint64_t code = code_from(values + at, s->leaf[i].count);
    ir_leaf_set_code(&s->model->layout->leaf[i], state, code);
    at += s->leaf[i].count;
  }
  mem_free(values);
}

static int64_t choice_value(const struct space *s, const struct relation_rule *r, uint32_t k,
                            uint64_t code) {
  uint64_t leaf = space_choice_leaf(s, r, k);
  if (leaf == SPACE_NONE) return ir_domain_value(encode_domain(r, k), code);
  const struct ir_leaf *l = &s->model->layout->leaf[leaf];
  return ir_type_value(l->type, code - l->undef);
}

void space_pick_choices(struct space *s, dd set, const struct relation_rule *r, int64_t *values) {
  VEC(unsigned) vars = {0};
  uint32_t count = r->rule->choice_count;
  for (uint32_t k = 0; k < count; k++) {
    uint64_t leaf = space_choice_leaf(s, r, k);
    const struct space_bits *b = leaf == SPACE_NONE ? &s->choice[k] : &s->leaf[leaf];
    for (unsigned i = 0; i < b->count; i++)
      VEC_PUSH(&vars, leaf == SPACE_NONE ? b->now[i] : b->next[i]);
  }
  uint8_t *bits = mem_alloc(vars.count + 1);
  dd_pick(set, vars.data, vars.count, bits);
  size_t at = 0;
  for (uint32_t k = 0; k < count; k++) {
    uint64_t leaf = space_choice_leaf(s, r, k);
    unsigned n = leaf == SPACE_NONE ? s->choice[k].count : s->leaf[leaf].count;
    values[k] = choice_value(s, r, k, code_from(bits + at, n));
    at += n;
  }
  mem_free(bits);
  VEC_CLEAR(&vars);
}

// --- the order, told ---

struct place {
  unsigned level, bit;
  uint64_t leaf;
};

static int by_level(const void *a, const void *b) {
  unsigned la = ((const struct place *)a)->level, lb = ((const struct place *)b)->level;
  return la < lb ? -1 : la > lb;
}

void space_print_order(struct text *out, const struct space *s) {
  VEC(struct place) places = {0};
  for (uint64_t i = 0; i < s->model->layout->count; i++)
    for (unsigned k = 0; k < s->leaf[i].count; k++)
      VEC_PUSH(&places, ((struct place){dd_level(s->leaf[i].now[k]), k, i}));
  if (places.count) qsort(places.data, places.count, sizeof(*places.data), by_level);
  for (size_t i = 0; i < places.count; i++) {
    const struct place *p = &places.data[i];
    ir_leaf_name(out, s->model, p->leaf);
    if (s->leaf[p->leaf].count > 1) text_printf(out, ".%u", p->bit);
    text_char(out, '\n');
  }
  VEC_CLEAR(&places);
}
