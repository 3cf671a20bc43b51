// SPDX-License-Identifier: Apache-2.0
// Data words: leaves whose values are only moved from one to the other, and compared with each
// other. All their bits are treated alike, and none meets another bit: what is known of such words
// is small where equal bits stand side by side, and may double with every bit where words do. (But
// with every word where bits do, if each has a condition of its own: few words of many bits only.)
#include "ir/ir.h"
#include "symbolic/space_own.h"

#include <string.h>

#define CONSTANT (UINT64_MAX - 1) // beside leaves: what the value of a term is
#define OTHER    UINT64_MAX

struct words {
  const struct space *space;
  const struct relation_rule *rule;
  uint64_t *up; // towards the leaf that stands for all that share values
  bool *mixed;  // by that leaf: something else is done with them
  struct value {
    uint32_t stamp; // of the rule for which it is known
    uint64_t of;
  } * value; // by the term's id
  uint32_t stamp;
};

static uint64_t find(struct words *w, uint64_t leaf) {
  while (w->up[leaf] != leaf) leaf = w->up[leaf] = w->up[w->up[leaf]];
  return leaf;
}

static void mix(struct words *w, uint64_t value) {
  if (value < CONSTANT) w->mixed[find(w, value)] = true;
}

static bool alike(const struct words *w, uint64_t a, uint64_t b) {
  const struct ir_leaf *x = &w->space->model->layout->leaf[a];
  const struct ir_leaf *y = &w->space->model->layout->leaf[b];
  return x->type == y->type && x->undef == y->undef && x->width == y->width;
}

// Values meet: both may be one of them.
static void meet(struct words *w, uint64_t a, uint64_t b) {
  if (a == OTHER || b == OTHER || (a < CONSTANT && b < CONSTANT && !alike(w, a, b))) {
    mix(w, a);
    mix(w, b);
  } else if (a < CONSTANT && b < CONSTANT) {
    uint64_t x = find(w, a), y = find(w, b);
    w->up[x] = y;
    w->mixed[y] |= w->mixed[x];
  }
}

static uint64_t look(struct words *w, const struct term *t);

static uint64_t look_inside(struct words *w, const struct term *t) {
  uint64_t of[3] = {OTHER, OTHER, OTHER};
  for (unsigned i = 0; i < t->args; i++) of[i] = look(w, t->arg[i]);
  if (t->op == TERM_ITE) {
    mix(w, of[0]);
    meet(w, of[1], of[2]);
    return of[1] < CONSTANT ? of[1] : of[2];
  }
  if (t->op == TERM_EQ && of[0] < CONSTANT && of[1] < CONSTANT) {
    meet(w, of[0], of[1]);
    return OTHER;
  }
  for (unsigned i = 0; i < t->args; i++) mix(w, of[i]);
  return OTHER;
}

// A leaf that holds the value of the term, or may hold it; or that there is none.
static uint64_t look(struct words *w, const struct term *t) {
  if (t->op == TERM_CONST) return CONSTANT;
  if (t->op == TERM_LEAF) return t->leaf;
  if (t->op == TERM_CHOICE) return space_choice_leaf(w->space, w->rule, t->choice);
  struct value *known = &w->value[t->id];
  if (known->stamp == w->stamp) return known->of;
  *known = (struct value){w->stamp, look_inside(w, t)};
  return known->of;
}

static void look_at_rule(struct words *w, const struct relation_rule *r) {
  w->rule = r;
  w->stamp++;
  look(w, r->guard);
  for (size_t i = 0; i < r->assumes.count; i++) look(w, r->assumes.data[i]);
  for (size_t i = 0; i < r->writes.count; i++) {
    meet(w, r->writes.data[i].leaf, look(w, r->writes.data[i].value));
    if (r->writes.data[i].defined) look(w, r->writes.data[i].defined);
  }
}

uint64_t *space_words(const struct space *s) {
  size_t count = s->model->layout->count;
  struct words w = {.space = s};
  w.up = mem_alloc((count + 1) * sizeof *w.up);
  w.mixed = mem_zalloc(count + 1, sizeof *w.mixed);
  w.value = mem_zalloc(terms_count(s->relation->terms) + 1, sizeof *w.value);
  for (uint64_t i = 0; i < count; i++) w.up[i] = i;
  for (size_t i = 0; i < s->relation->rules.count; i++)
    look_at_rule(&w, &s->relation->rules.data[i]);
  uint64_t *out = mem_alloc((count + 1) * sizeof *out),
           *words = mem_zalloc(count + 1, sizeof *words);
  for (uint64_t i = 0; i < count; i++) words[find(&w, i)]++;
  for (uint64_t i = 0; i < count; i++) {
    bool apart = w.mixed[find(&w, i)] || words[find(&w, i)] > s->leaf[i].count;
    out[i] = s->leaf[i].count > 1 && !apart ? find(&w, i) : SPACE_NONE;
  }
  mem_free(words);
  mem_free(w.up);
  mem_free(w.mixed);
  mem_free(w.value);
  return out;
}
