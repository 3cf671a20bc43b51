// SPDX-License-Identifier: Apache-2.0
// The cone of influence, level by level from the leaves of a property: paper 004's computation of
// D(v). A leaf leads to what the rules that write it need: whether they fire, what they write, and
// which values their choices can have.
#include "relation/cone.h"

#include "ir/ir.h"
#include "relation/facts.h"

#include <string.h>

bool cone_has(const struct cone *c, uint64_t leaf) { return words_has(c->leaves, leaf); }

// --- one level ---

struct tracing {
  const struct relation *relation;
  struct cone *cone;
  uint64_t leaves; // how many there are
  // Which rules write a leaf: those from first[leaf] on, up to first[leaf + 1].
  size_t *first;
  struct writer {
    uint32_t rule, write;
  } * writers;
  uint64_t **choices;      // per rule: those that matter
  uint64_t *found;         // leaves, by the term being looked at
  uint32_t level, via;     // of what is found now
  VEC(uint64_t) now, next; // the paper's Vt and Vtt
};

static void enter(struct tracing *t, uint64_t leaf) {
  struct cone *c = t->cone;
  if (words_has(c->leaves, leaf)) return;
  words_put(c->leaves, leaf);
  c->strength[leaf] = t->level;
  c->from[leaf] = t->via;
  c->count++;
  VEC_PUSH(&t->next, leaf);
}

static void enter_found(struct tracing *t) {
  for (uint64_t i = 0; i < (t->leaves + 63) / 64; i++)
    for (; t->found[i]; t->found[i] &= t->found[i] - 1)
      enter(t, i * 64 + (uint64_t)__builtin_ctzll(t->found[i]));
}

static void reach_term(struct tracing *t, const struct relation_rule *rule,
                       const struct term *term);

// The choice matters, and with it whatever tells which values it can have.
static void reach_choice(struct tracing *t, const struct relation_rule *rule, uint32_t choice) {
  const struct rule_facts *f = facts_of(t->relation, rule);
  if (words_has(t->choices[rule->instance], choice)) return;
  words_put(t->choices[rule->instance], choice);
  for (size_t i = 0; i < rule->assumes.count; i++)
    if (f->owner[i] == choice) reach_term(t, rule, rule->assumes.data[i]);
}

static void reach_term(struct tracing *t, const struct relation_rule *rule,
                       const struct term *term) {
  uint32_t n = rule->rule->choice_count;
  uint64_t *choices = mem_zalloc(n / 64 + 1, sizeof *choices);
  term_support(term, t->found, choices);
  enter_found(t);
  for (uint32_t k = 0; k < n; k++)
    if (words_has(choices, k)) reach_choice(t, rule, k);
  mem_free(choices);
}

// Whether there is a step of this rule matters.
static void reach_rule(struct tracing *t, const struct relation_rule *rule) {
  const struct rule_facts *f = facts_of(t->relation, rule);
  if (t->cone->rules[rule->instance]) return;
  t->cone->rules[rule->instance] = 1;
  reach_term(t, rule, rule->guard);
  for (size_t i = 0; i < rule->assumes.count; i++)
    if (f->owner[i] == FACTS_HARD) reach_term(t, rule, rule->assumes.data[i]);
  for (size_t i = 0; i < rule->errors.count; i++) {
    if (!f->may[i]) continue;
    reach_term(t, rule, rule->errors.data[i].when);
    reach_term(t, rule, rule->errors.data[i].alone);
  }
}

static void reach_leaf(struct tracing *t, uint64_t leaf) {
  for (size_t i = t->first[leaf]; i < t->first[leaf + 1]; i++) {
    const struct relation_rule *rule = &t->relation->rules.data[t->writers[i].rule];
    const struct relation_write *w = &rule->writes.data[t->writers[i].write];
    if (term_is(rule->guard, 0)) continue;
    reach_rule(t, rule);
    reach_term(t, rule, w->value);
    if (w->defined) reach_term(t, rule, w->defined);
  }
}

// --- where it begins ---

// What is assumed of all states. False: it cannot be said in terms.
static bool reach_assumed(struct tracing *t) {
  const struct ir_model *m = t->relation->model;
  struct relation *r = (struct relation *)t->relation; // it only takes in new terms
  for (size_t i = 0; i < m->properties.count; i++) {
    const struct ir_property *p = m->properties.data[i];
    if (p->kind != IR_PROP_ASSUME) continue;
    struct relation_condition c;
    struct text why = {0};
    bool good = relation_condition(r, &p->frame, p->expr, &c, &why);
    text_clear(&why);
    if (!good) return false;
    term_support(c.value, t->found, NULL);
    for (size_t k = 0; k < c.errors.count; k++) term_support(c.errors.data[k].when, t->found, NULL);
    relation_condition_clear(&c);
    enter_found(t);
  }
  return true;
}

static void reach_rules(struct tracing *t, unsigned what) {
  for (size_t i = 0; i < t->relation->rules.count; i++) {
    const struct relation_rule *rule = &t->relation->rules.data[i];
    bool fails = (what & CONE_ERRORS) && facts_of(t->relation, rule)->fails;
    if ((what & CONE_RUNS) || fails) reach_rule(t, rule);
  }
}

// What constrains steps as a whole comes right behind the property's own leaves.
static bool begin(struct tracing *t, const uint64_t *support, unsigned what) {
  t->via = CONE_OUTSIDE;
  for (uint64_t i = 0; i < t->leaves; i++)
    if (support && words_has(support, i)) enter(t, i);
  if (t->next.count > 0) {
    t->level = 1;
    t->via = (uint32_t)t->next.data[0];
  }
  bool good = reach_assumed(t);
  reach_rules(t, what);
  return good;
}

static void go_on(struct tracing *t) {
  while (t->next.count > 0) {
    t->now.count = 0;
    for (size_t i = 0; i < t->next.count; i++) VEC_PUSH(&t->now, t->next.data[i]);
    t->next.count = 0;
    for (size_t i = 0; i < t->now.count; i++) {
      uint64_t leaf = t->now.data[i];
      t->via = (uint32_t)leaf;
      t->level = t->cone->strength[leaf] + 1;
      reach_leaf(t, leaf);
    }
  }
}

// --- all of it ---

static void tracing_init(struct tracing *t) {
  const struct relation *r = t->relation;
  t->first = mem_zalloc(t->leaves + 2, sizeof *t->first);
  t->found = mem_zalloc(t->leaves / 64 + 1, sizeof *t->found);
  t->choices = mem_zalloc(r->rules.count + 1, sizeof *t->choices);
  for (size_t i = 0; i < r->rules.count; i++) {
    const struct relation_rule *rule = &r->rules.data[i];
    t->choices[i] = mem_zalloc(rule->rule->choice_count / 64 + 1, sizeof **t->choices);
    for (size_t k = 0; k < rule->writes.count; k++) t->first[rule->writes.data[k].leaf + 1]++;
  }
  for (uint64_t i = 0; i < t->leaves; i++) t->first[i + 1] += t->first[i];
  t->writers = mem_zalloc(t->first[t->leaves] + 1, sizeof *t->writers);
  size_t *at = mem_zalloc(t->leaves + 1, sizeof *at);
  for (size_t i = 0; i < r->rules.count; i++) {
    const struct relation_rule *rule = &r->rules.data[i];
    for (size_t k = 0; k < rule->writes.count; k++) {
      uint64_t leaf = rule->writes.data[k].leaf;
      t->writers[t->first[leaf] + at[leaf]++] = (struct writer){(uint32_t)i, (uint32_t)k};
    }
  }
  mem_free(at);
}

static void tracing_clear(struct tracing *t) {
  for (size_t i = 0; i < t->relation->rules.count; i++) mem_free(t->choices[i]);
  mem_free(t->choices);
  mem_free(t->first);
  mem_free(t->found);
  mem_free(t->writers);
  VEC_CLEAR(&t->now);
  VEC_CLEAR(&t->next);
}

// Leaves that are in for no reason of the property's own keep CONE_OUTSIDE as their strength.
static void keep_all(const struct relation *r, struct cone *c) {
  c->count = r->model->layout->count;
  for (uint64_t i = 0; i < c->count; i++) words_put(c->leaves, i);
  memset(c->rules, 1, r->rules.count);
}

static void find_whole(const struct relation *r, struct cone *c) {
  c->whole = c->count == r->model->layout->count;
  for (size_t i = 0; i < r->rules.count; i++) c->whole &= c->rules[i] != 0;
}

void cone_init(struct cone *c, const struct relation *r, const uint64_t *support, unsigned what) {
  uint64_t leaves = r->model->layout->count;
  *c = (struct cone){.leaves = mem_zalloc(leaves / 64 + 1, sizeof *c->leaves),
                     .strength = mem_alloc((leaves + 1) * sizeof *c->strength),
                     .from = mem_alloc((leaves + 1) * sizeof *c->from),
                     .rules = mem_zalloc(r->rules.count + 1, 1)};
  for (uint64_t i = 0; i < leaves; i++) c->strength[i] = c->from[i] = CONE_OUTSIDE;
  struct tracing t = {.relation = r, .cone = c, .leaves = leaves};
  tracing_init(&t);
  bool good = begin(&t, support, what);
  go_on(&t);
  tracing_clear(&t);
  // What passes through states on the way to others is told by whether anything changes at all.
  if (!good || (what & CONE_ALL) || r->model->transient) keep_all(r, c);
  find_whole(r, c);
}

void cone_clear(struct cone *c) {
  mem_free(c->leaves);
  mem_free(c->strength);
  mem_free(c->from);
  mem_free(c->rules);
  *c = (struct cone){0};
}

// --- two of them ---

bool cone_same(const struct relation *r, const struct cone *a, const struct cone *b) {
  return a->count == b->count &&
         memcmp(a->leaves, b->leaves, (r->model->layout->count + 63) / 64 * sizeof *a->leaves) ==
             0 &&
         memcmp(a->rules, b->rules, r->rules.count) == 0;
}

void cone_join(const struct relation *r, struct cone *to, const struct cone *from) {
  for (uint64_t i = 0; i < r->model->layout->count; i++) {
    if (!cone_has(from, i)) continue;
    if (!cone_has(to, i)) {
      words_put(to->leaves, i);
      to->count++;
    }
    if (from->strength[i] >= to->strength[i]) continue;
    to->strength[i] = from->strength[i];
    to->from[i] = from->from[i];
  }
  for (size_t i = 0; i < r->rules.count; i++) to->rules[i] |= from->rules[i];
  find_whole(r, to);
}

// --- steps in general ---

bool relation_total(const struct relation *r) {
  const struct ir_model *m = r->model;
  for (size_t i = 0; i < m->properties.count; i++)
    if (m->properties.data[i]->kind == IR_PROP_ASSUME) return false;
  for (size_t i = 0; i < r->rules.count; i++) {
    const struct rule_facts *f = facts_of(r, &r->rules.data[i]);
    if (term_is(r->rules.data[i].guard, 1) && !f->hard && !f->fails) return true;
  }
  return false;
}

// Can what is assumed of all states fail to be evaluated?
static bool assumptions_fail(const struct relation *r) {
  const struct ir_model *m = r->model;
  bool fails = false;
  for (size_t i = 0; i < m->properties.count && !fails; i++) {
    const struct ir_property *p = m->properties.data[i];
    struct relation_condition c = {0};
    struct text why = {0};
    fails = p->kind == IR_PROP_ASSUME &&
            (!relation_condition((struct relation *)r, &p->frame, p->expr, &c, &why) ||
             c.errors.count > 0);
    relation_condition_clear(&c);
    text_clear(&why);
  }
  return fails;
}

bool relation_fails(const struct relation *r) {
  if (assumptions_fail(r)) return true;
  for (size_t i = 0; i < r->rules.count; i++)
    if (facts_of(r, &r->rules.data[i])->fails) return true;
  for (size_t i = 0; i < r->starts.count; i++)
    if (facts_of(r, &r->starts.data[i])->fails) return true;
  return false;
}
