// SPDX-License-Identifier: Apache-2.0
// The symbolic system of a model: every instance of every rule executed once, and conditions over
// states.
#include "relation/relation.h"

#include "relation/exec.h"
#include "relation/factory.h"
#include "relation/facts.h"

#include <inttypes.h>
#include <string.h>

// --- one rule ---

static void domain_bounds(const struct ir_domain *d, int64_t *lo, int64_t *hi) {
  uint64_t n = ir_domain_count(d);
  int64_t first = ir_domain_value(d, 0), last = ir_domain_value(d, n ? n - 1 : 0);
  *lo = first < last ? first : last;
  *hi = first < last ? last : first;
}

static const struct term *choice_term(struct exec *e, uint32_t k, const struct ir_local *l) {
  const struct ir_domain *d = l->domain;
  int64_t lo, hi;
  if (d->type) return term_choice(e->terms, k, d->type);
  domain_bounds(d, &lo, &hi);
  return term_choice_within(e->terms, k, l->type, lo, hi);
}

static void bind_values(struct exec *e, const struct ir_rule *r, const int64_t *params) {
  for (uint32_t i = 0; i < r->param_count; i++)
    exec_bind(e, r->frame.locals[i], term_const(e->terms, params[i]));
  for (uint32_t i = 0; i < r->choice_count; i++) {
    const struct ir_local *l = r->frame.locals[r->param_count + i];
    exec_bind(e, l, choice_term(e, i, l));
  }
}

static void begin_rule(struct exec *e, const struct ir_rule *r, const int64_t *params) {
  exec_begin(e, r->is_start, &r->frame, r->param_count + r->choice_count);
  bind_values(e, r, params);
}

// After a start rule every leaf is told, after a rule those that may have changed.
static void add_writes(struct exec *e, struct relation_rule *out) {
  const struct ir_layout *l = e->m->layout;
  for (uint64_t i = 0; i < l->count; i++) {
    struct pair now = e->cells[i].now;
    if (!l->leaf[i].undef) now.defined = e->yes; // as analysis has found
    const struct pair *old = &e->initial[i];
    if (!out->rule->is_start && now.value == old->value && now.defined == old->defined) continue;
    struct relation_write w = {i, now.value, now.defined};
    VEC_PUSH(&out->writes, w);
  }
}

#define TAKE(to, from)                                                                             \
  for (size_t i_ = 0; i_ < (from)->count; i_++) VEC_PUSH(to, (from)->data[i_])

// The guard's faults come first, and everything else is where it holds.
static void run_guard(struct exec *e, struct relation_rule *out) {
  out->guard = e->yes;
  if (!out->rule->guard || out->rule->is_start) return;
  const struct term *holds = exec_condition(e, out->rule->guard);
  out->guard = term_and(e->terms, e->alive, holds);
  TAKE(&out->errors, &e->errors);
}

static void run_rule(struct exec *e, struct relation_rule *out, const int64_t *params) {
  const struct ir_rule *r = out->rule;
  out->agent = r->agent_param >= 0 ? (int32_t)params[r->agent_param] : r->agent;
  begin_rule(e, r, params);
  run_guard(e, out);
  if (term_is(out->guard, 0)) return;
  begin_rule(e, r, params);
  e->alive = out->guard;
  exec_body(e, r->body);
  TAKE(&out->errors, &e->errors);
  TAKE(&out->assumes, &e->assumes);
  TAKE(&out->covers, &e->covers);
  if (!exec_dead(e)) add_writes(e, out);
}

// --- all rules ---

static void run_rules(struct exec *e, struct relation *r, bool start, int64_t *params) {
  uint32_t n = start ? r->model->start_instances : r->model->rule_instances;
  for (uint32_t i = 0; i < n; i++) {
    struct relation_rule rule = {.instance = i};
    rule.rule = ir_instance(r->model, start, i, params);
    if (start) {
      VEC_PUSH(&r->starts, rule);
      run_rule(e, &r->starts.data[i], params);
    } else {
      VEC_PUSH(&r->rules, rule);
      run_rule(e, &r->rules.data[i], params);
    }
  }
}

static void tell_rule(const struct relation *r, struct text *why) {
  const struct relation_rule *last = r->rules.count    ? &VEC_TOP(&r->rules)
                                     : r->starts.count ? &VEC_TOP(&r->starts)
                                                       : NULL;
  if (last) text_printf(why, " (rule \"%s\")", last->rule->name);
}

struct relation *relation_new(const struct ir_model *m, const struct relation_config *c,
                              struct text *why) {
  struct relation *r = mem_zalloc(1, sizeof *r);
  static const struct relation_config none = {0};
  r->model = m;
  r->terms = terms_new();
  size_t most, choices;
  ir_widest(m, &most, &choices);
  int64_t *params = mem_zalloc(most + 1, sizeof *params);
  struct exec *e = exec_new(r, c ? c : &none, why);
  bool refused = setjmp(e->boundary) != 0;
  if (!refused) {
    run_rules(e, r, true, params);
    run_rules(e, r, false, params);
  }
  exec_free(e);
  mem_free(params);
  if (!refused) return r;
  tell_rule(r, why);
  relation_free(r);
  return NULL;
}

static void clear_rule(struct relation_rule *rule) {
  VEC_CLEAR(&rule->assumes);
  VEC_CLEAR(&rule->writes);
  VEC_CLEAR(&rule->errors);
  VEC_CLEAR(&rule->covers);
}

void relation_free(struct relation *r) {
  if (!r) return;
  relation_facts_free(r);
  for (size_t i = 0; i < r->rules.count; i++) clear_rule(&r->rules.data[i]);
  for (size_t i = 0; i < r->starts.count; i++) clear_rule(&r->starts.data[i]);
  VEC_CLEAR(&r->rules);
  VEC_CLEAR(&r->starts);
  if (!r->kept) terms_free(r->terms);
  mem_free((void *)r->kept);
  mem_free(r);
}

// --- conditions ---

bool relation_condition_at(struct relation *r, const struct ir_frame *frame, const int64_t *params,
                           uint32_t count, const struct ir_expr *x, struct relation_condition *out,
                           struct text *why) {
  static const struct relation_config none = {0};
  *out = (struct relation_condition){0};
  struct exec *e = exec_new(r, &none, why);
  bool refused = setjmp(e->boundary) != 0;
  if (!refused) {
    exec_begin(e, false, frame, count);
    for (uint32_t i = 0; i < count; i++)
      exec_bind(e, frame->locals[i], term_const(e->terms, params[i]));
    out->value = exec_condition(e, x);
    TAKE(&out->errors, &e->errors);
  }
  exec_free(e);
  return !refused;
}

bool relation_condition(struct relation *r, const struct ir_frame *frame, const struct ir_expr *x,
                        struct relation_condition *out, struct text *why) {
  return relation_condition_at(r, frame, NULL, 0, x, out, why);
}

void relation_condition_clear(struct relation_condition *c) { VEC_CLEAR(&c->errors); }
