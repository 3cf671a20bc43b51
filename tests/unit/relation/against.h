// SPDX-License-Identifier: Apache-2.0
// A model's relation against the interpreter: states are walked breadth-first, and in each of them
// every instance of every rule, with some of its choices, is told by both.
#pragma once

#include "ir/eval.h"
#include "relation/relation.h"

#include <inttypes.h>
#include <string.h>

enum { AGAINST_CHOICES = 40 }; // of an instance in a state; if there are more, some at random

struct against_limit {
  uint64_t states;
  double seconds;
};

struct against {
  const struct ir_model *m;
  struct relation *r;
  struct ir_eval *eval;
  struct rng rng;
  int64_t *leaves, *params, *choices;
  VEC(uint64_t) words; // of the states, one behind the other
  uint64_t *next;
  VEC(size_t) table; // open addressing: 1 + number of the state
  double until;
  uint64_t states, states_max, steps, drops, faults, conditions;
  struct text *why;
};

enum against_outcome { AGAINST_SAME, AGAINST_REFUSED, AGAINST_DIFFERENT };

// --- states ---

static inline const uint64_t *against_state(const struct against *a, size_t i) {
  return a->words.data + i * a->m->layout->words;
}

static inline void against_add(struct against *a, const uint64_t *state) {
  size_t n = a->m->layout->words, i = hash_words(state, n) & (a->table.capacity - 1);
  for (; a->table.data[i]; i = (i + 1) & (a->table.capacity - 1))
    if (memcmp(against_state(a, a->table.data[i] - 1), state, n * sizeof *state) == 0) return;
  if (a->states == a->states_max) return;
  for (size_t k = 0; k < n; k++) VEC_PUSH(&a->words, state[k]);
  a->table.data[i] = ++a->states;
}

// --- one step ---

static inline int64_t against_value(const struct against *a, const struct term *t) {
  int64_t v = term_value(t, a->leaves, a->choices);
  if (v < t->lo || v > t->hi) text_add(a->why, "a value is outside its interval; ");
  return v;
}

static inline bool against_differ(struct against *a, const struct relation_rule *q,
                                  const char *what, int64_t interpreted, int64_t terms) {
  text_printf(a->why, "%s %" PRIu32 " \"%s\": %s is %" PRId64 ", in terms %" PRId64 "; choices",
              q->rule->is_start ? "start" : "instance", q->instance, q->rule->name, what,
              interpreted, terms);
  for (uint32_t i = 0; i < q->rule->choice_count; i++)
    text_printf(a->why, " %" PRId64, a->choices[i]);
  text_add(a->why, "; leaves");
  for (uint64_t i = 0; i < a->m->layout->count && i < 40; i++)
    text_printf(a->why, " %" PRId64, a->leaves[i]);
  return false;
}

// The site of the error that holds, 0 for none, -1 for more than one.
static inline int64_t against_site(const struct against *a, const struct relation_error *errors,
                                   size_t count) {
  int64_t site = 0;
  for (size_t i = 0; i < count; i++)
    if (against_value(a, errors[i].when)) site = site ? -1 : errors[i].site;
  return site;
}

static inline bool against_assumed(const struct against *a, const struct relation_rule *q) {
  for (size_t i = 0; i < q->assumes.count; i++)
    if (!against_value(a, q->assumes.data[i])) return false;
  return true;
}

// What was written against the state that the interpreter came to.
static inline bool against_writes(struct against *a, const struct relation_rule *q) {
  size_t k = 0;
  for (uint64_t i = 0; i < a->m->layout->count; i++) {
    int64_t v = a->leaves[i], want = ir_leaf_get(&a->m->layout->leaf[i], a->next);
    if (k < q->writes.count && q->writes.data[k].leaf == i) {
      const struct relation_write *w = &q->writes.data[k++];
      v = against_value(a, w->defined) ? against_value(a, w->value) : IR_UNDEF;
    }
    if (v == want) continue;
    struct text name = {0};
    ir_leaf_name(&name, a->m, i);
    against_differ(a, q, text_str(&name), want, v);
    text_clear(&name);
    return false;
  }
  return k == q->writes.count || against_differ(a, q, "number of writes", (int64_t)k, 0);
}

static inline bool against_covers(struct against *a, const struct relation_rule *q) {
  const uint64_t *hit = ir_eval_covers(a->eval);
  for (size_t i = 0; i < a->m->properties.count; i++) {
    bool terms = false, want = hit && (hit[i / 64] >> i % 64 & 1);
    for (size_t k = 0; k < q->covers.count; k++)
      if (q->covers.data[k].property == i) terms |= against_value(a, q->covers.data[k].when) != 0;
    if (terms != want) return against_differ(a, q, "a cover", want, terms);
  }
  return true;
}

static inline bool against_body(struct against *a, const struct relation_rule *q) {
  enum ir_outcome o = ir_eval_body(a->eval, q->rule, a->params, a->choices, a->next);
  int64_t site = against_site(a, q->errors.data, q->errors.count);
  int64_t want = o == IR_FAILED ? ir_eval_site(a->eval) : 0;
  if (!against_value(a, q->guard)) return against_differ(a, q, "the guard", 1, 0);
  a->faults += o == IR_FAILED;
  a->drops += o == IR_DROPPED;
  if (site != want) return against_differ(a, q, "the error", want, site);
  if (o == IR_FAILED) return true;
  if (against_assumed(a, q) != (o == IR_OK))
    return against_differ(a, q, "what is assumed", o == IR_OK, o != IR_OK);
  if (o != IR_OK) return true;
  if (!against_writes(a, q) || !against_covers(a, q)) return false;
  against_add(a, a->next);
  return true;
}

static inline bool against_step(struct against *a, const struct relation_rule *q,
                                const uint64_t *state) {
  a->steps++;
  if (state) {
    enum ir_outcome o = ir_eval_guard(a->eval, q->rule, a->params, a->choices, state);
    memcpy(a->next, state, a->m->layout->words * sizeof *state);
    if (o != IR_OK) {
      int64_t want = o == IR_FAILED ? ir_eval_site(a->eval) : 0;
      int64_t site = against_site(a, q->errors.data, q->errors.count);
      if (against_value(a, q->guard)) return against_differ(a, q, "the guard", 0, 1);
      a->faults += o == IR_FAILED;
      return site == want || against_differ(a, q, "the error of the guard", want, site);
    }
  }
  return against_body(a, q);
}

// --- all of them ---

static inline void against_choose(struct against *a, const struct ir_rule *r, uint32_t k) {
  if (r->choices > 0 && r->choices <= AGAINST_CHOICES) return ir_choice(r, k, a->choices);
  for (uint32_t i = 0; i < r->choice_count; i++) {
    const struct ir_domain *d = r->frame.locals[r->param_count + i]->domain;
    a->choices[i] = ir_domain_value(d, rng_below(&a->rng, ir_domain_count(d)));
  }
}

static inline bool against_instance(struct against *a, const struct relation_rule *q,
                                    const uint64_t *state) {
  const struct ir_rule *r = q->rule;
  uint32_t n = r->choices > 0 && r->choices <= AGAINST_CHOICES ? r->choices : AGAINST_CHOICES;
  ir_instance(a->m, r->is_start, q->instance, a->params);
  for (uint32_t k = 0; k < n; k++) {
    against_choose(a, r, k);
    if (!against_step(a, q, state)) return false;
  }
  return true;
}

static inline bool against_condition(struct against *a, const struct ir_frame *f,
                                     const struct ir_expr *x, const struct relation_condition *c,
                                     const uint64_t *state) {
  bool want = false;
  enum ir_outcome o = ir_eval_bool(a->eval, f, x, state, &want);
  int64_t site = against_site(a, c->errors.data, c->errors.count);
  int64_t want_site = o == IR_FAILED ? ir_eval_site(a->eval) : 0;
  bool value = against_value(a, c->value);
  a->conditions++;
  if (site == want_site && (o == IR_FAILED || value == want)) return true;
  text_printf(a->why, "a condition: %d, site %" PRId64 ", in terms %d, %" PRId64, want, want_site,
              value, site);
  return false;
}

struct against_conditions {
  VEC(struct against_one {
    const struct ir_frame *frame;
    const struct ir_expr *expr;
    struct relation_condition condition;
  })
  all;
};

static inline bool against_prepare(struct against *a, struct against_conditions *c,
                                   const struct ir_frame *f, const struct ir_expr *x) {
  struct against_one one = {.frame = f, .expr = x};
  if (!relation_condition(a->r, f, x, &one.condition, a->why)) return false;
  VEC_PUSH(&c->all, one);
  return true;
}

static inline bool against_prepare_all(struct against *a, struct against_conditions *c) {
  for (size_t i = 0; i < a->m->properties.count; i++) {
    const struct ir_property *p = a->m->properties.data[i];
    if (p->expr && p->param_count == 0 && !against_prepare(a, c, &p->frame, p->expr)) return false;
  }
  for (size_t i = 0; i < a->m->atoms.count; i++)
    if (!against_prepare(a, c, &a->m->atoms.data[i]->frame, a->m->atoms.data[i]->expr))
      return false;
  return true;
}

static inline bool against_visit(struct against *a, const struct against_conditions *c,
                                 const uint64_t *state) {
  for (uint64_t i = 0; i < a->m->layout->count; i++)
    a->leaves[i] = ir_leaf_get(&a->m->layout->leaf[i], state);
  for (size_t i = 0; i < c->all.count; i++)
    if (!against_condition(a, c->all.data[i].frame, c->all.data[i].expr, &c->all.data[i].condition,
                           state))
      return false;
  for (size_t i = 0; i < a->r->rules.count; i++)
    if (!against_instance(a, &a->r->rules.data[i], state)) return false;
  return true;
}

static inline bool against_walk(struct against *a, const struct against_conditions *c) {
  size_t n = a->m->layout->words;
  for (size_t i = 0; i < a->r->starts.count; i++)
    if (!against_instance(a, &a->r->starts.data[i], NULL)) return false;
  uint64_t *state = mem_zalloc(n + 1, sizeof *state);
  bool same = true;
  for (size_t i = 0; same && i < a->states && clock_seconds() < a->until; i++) {
    memcpy(state, against_state(a, i), n * sizeof *state); // the vector may move
    same = against_visit(a, c, state);
  }
  mem_free(state);
  return same && a->why->count == 0;
}

static inline size_t against_values(const struct ir_model *m) {
  size_t n = 1;
  for (size_t i = 0; i < m->rules.count; i++)
    if (m->rules.data[i]->frame.count > n) n = m->rules.data[i]->frame.count;
  for (size_t i = 0; i < m->starts.count; i++)
    if (m->starts.data[i]->frame.count > n) n = m->starts.data[i]->frame.count;
  return n;
}

static inline void against_init(struct against *a, const struct ir_model *m,
                                struct against_limit limit, struct text *why) {
  *a = (struct against){.m = m, .why = why, .states_max = limit.states};
  rng_init(&a->rng, 1);
  a->until = clock_seconds() + limit.seconds;
  a->eval = ir_eval_new(m);
  a->leaves = mem_zalloc(m->layout->count + 1, sizeof *a->leaves);
  a->params = mem_zalloc(against_values(m), sizeof *a->params);
  a->choices = mem_zalloc(against_values(m), sizeof *a->choices);
  a->next = mem_zalloc(m->layout->words + 1, sizeof *a->next);
  a->table.capacity = 1 << 14;
  a->table.data = mem_zalloc(a->table.capacity, sizeof *a->table.data);
  assert(limit.states < a->table.capacity / 2);
}

static inline void against_clear(struct against *a) {
  relation_free(a->r);
  ir_eval_free(a->eval);
  mem_free(a->leaves);
  mem_free(a->params);
  mem_free(a->choices);
  mem_free(a->next);
  VEC_CLEAR(&a->words);
  VEC_CLEAR(&a->table);
}

// Why it is refused, or where the first difference is, goes to why. Clear `a` in any case.
static inline enum against_outcome against(struct against *a, const struct ir_model *m,
                                           struct against_limit limit, struct text *why) {
  struct against_conditions c = {0};
  enum against_outcome o = AGAINST_REFUSED;
  against_init(a, m, limit, why);
  a->r = relation_new(m, &(struct relation_config){.terms_max = 2000000}, why);
  if (a->r && against_prepare_all(a, &c))
    o = against_walk(a, &c) ? AGAINST_SAME : AGAINST_DIFFERENT;
  for (size_t i = 0; i < c.all.count; i++) relation_condition_clear(&c.all.data[i].condition);
  VEC_CLEAR(&c.all);
  return o;
}
