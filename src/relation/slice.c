// SPDX-License-Identifier: Apache-2.0
// A relation cut down to a cone, and steps of it brought back to the whole: what was left out is a
// choice at a time, and each has a value (facts.h).
#include "relation/cone.h"

#include "ir/ir.h"
#include "relation/facts.h"

#include <string.h>

// --- choices that matter ---

struct needs {
  const struct relation_rule *rule;
  const struct rule_facts *facts;
  uint64_t *choices;
};

static uint64_t *choice_set(const struct relation_rule *rule) {
  return mem_zalloc(rule->rule->choice_count / 64 + 1, sizeof(uint64_t));
}

// Those of a term, and those that owned assumptions tie them to.
static void need(struct needs *n, const struct term *t) {
  uint64_t *set = choice_set(n->rule);
  term_support(t, NULL, set);
  for (uint32_t k = 0; k < n->rule->rule->choice_count; k++) {
    if (!words_has(set, k) || words_has(n->choices, k)) continue;
    n->choices[k / 64] |= UINT64_C(1) << (k % 64);
    for (size_t i = 0; i < n->rule->assumes.count; i++)
      if (n->facts->owner[i] == k) need(n, n->rule->assumes.data[i]);
  }
  mem_free(set);
}

static void need_step(struct needs *n) {
  need(n, n->rule->guard);
  for (size_t i = 0; i < n->rule->assumes.count; i++)
    if (n->facts->owner[i] == FACTS_HARD) need(n, n->rule->assumes.data[i]);
  for (size_t i = 0; i < n->rule->errors.count; i++) {
    if (!n->facts->may[i]) continue;
    need(n, n->rule->errors.data[i].when);
    need(n, n->rule->errors.data[i].alone);
  }
}

// --- slices ---

static void copy_writes(struct relation_rule *to, const struct relation_rule *from,
                        const struct cone *c, struct needs *n) {
  for (size_t i = 0; i < from->writes.count; i++) {
    const struct relation_write *w = &from->writes.data[i];
    if (!cone_has(c, w->leaf)) continue;
    VEC_PUSH(&to->writes, *w);
    need(n, w->value);
    if (w->defined) need(n, w->defined);
  }
}

static void copy_rest(struct relation_rule *to, const struct relation_rule *from,
                      const struct needs *n, bool covers) {
  for (size_t i = 0; i < from->assumes.count; i++) {
    uint32_t owner = n->facts->owner[i];
    if (owner == FACTS_HARD || words_has(n->choices, owner))
      VEC_PUSH(&to->assumes, from->assumes.data[i]);
  }
  for (size_t i = 0; i < from->errors.count; i++)
    if (n->facts->may[i]) VEC_PUSH(&to->errors, from->errors.data[i]);
  for (size_t i = 0; covers && i < from->covers.count; i++)
    VEC_PUSH(&to->covers, from->covers.data[i]);
}

static struct relation_rule slice_rule(const struct relation *r, const struct relation_rule *from,
                                       const struct cone *c) {
  struct relation_rule to = {
      .rule = from->rule, .instance = from->instance, .agent = from->agent, .guard = from->guard};
  if (!from->rule->is_start && !c->rules[from->instance]) {
    to.guard = term_bool(r->terms, false);
    return to;
  }
  struct needs n = {from, facts_of(r, from), choice_set(from)};
  need_step(&n);
  copy_writes(&to, from, c, &n);
  for (size_t i = 0; c->whole && i < from->covers.count; i++) need(&n, from->covers.data[i].when);
  copy_rest(&to, from, &n, c->whole);
  mem_free(n.choices);
  return to;
}

struct relation *relation_slice(struct relation *r, const struct cone *c) {
  struct relation *s = mem_zalloc(1, sizeof *s);
  size_t words = r->model->layout->count / 64 + 1;
  uint64_t *kept = mem_zalloc(words, sizeof *kept);
  memcpy(kept, c->leaves, words * sizeof *kept);
  s->model = r->model;
  s->terms = r->terms;
  s->kept = kept;
  for (size_t i = 0; i < r->rules.count; i++)
    VEC_PUSH(&s->rules, slice_rule(r, &r->rules.data[i], c));
  for (size_t i = 0; i < r->starts.count; i++)
    VEC_PUSH(&s->starts, slice_rule(r, &r->starts.data[i], c));
  return s;
}

// --- back to the whole ---

static const struct relation_rule *same_rule(const struct relation *r,
                                             const struct relation_rule *rule) {
  return rule->rule->is_start ? &r->starts.data[rule->instance] : &r->rules.data[rule->instance];
}

void relation_choices(const struct relation_rule *rule, uint64_t *choices) {
  term_support(rule->guard, NULL, choices);
  for (size_t i = 0; i < rule->assumes.count; i++)
    term_support(rule->assumes.data[i], NULL, choices);
  for (size_t i = 0; i < rule->errors.count; i++) {
    term_support(rule->errors.data[i].when, NULL, choices);
    term_support(rule->errors.data[i].alone, NULL, choices);
  }
  for (size_t i = 0; i < rule->writes.count; i++) {
    term_support(rule->writes.data[i].value, NULL, choices);
    if (rule->writes.data[i].defined) term_support(rule->writes.data[i].defined, NULL, choices);
  }
  for (size_t i = 0; i < rule->covers.count; i++)
    term_support(rule->covers.data[i].when, NULL, choices);
}

void relation_complete(const struct relation *whole, const struct relation *slice,
                       const struct relation_rule *rule, const int64_t *leaves, int64_t *choices) {
  const struct relation_rule *all = same_rule(whole, rule), *some = same_rule(slice, rule);
  const struct rule_facts *f = facts_of(whole, all);
  uint64_t *known = choice_set(all);
  relation_choices(some, known);
  for (uint32_t i = 0; i < all->rule->choice_count; i++)
    if (!words_has(known, f->order[i])) facts_pick(whole, all, f->order[i], leaves, choices);
  mem_free(known);
}
