// SPDX-License-Identifier: Apache-2.0
// C programs given as text, made models, and run by the interpreter with given inputs; shared by
// the tests of lowering.
#pragma once

#include "front/c/c.h"
#include "ir/eval.h"

#include <stdio.h>
#include <string.h>

struct run {
  struct ir_model *m;
  struct diag d;
  uint64_t *state;
  enum ir_outcome outcome; // OK: it came to its end
  uint32_t steps;
  char how[256]; // "end", "dropped in main:3", "3: division by zero: the divisor is 0"
};

static inline void run_load(struct run *r, const char *text, unsigned checks) {
  struct text errors = {0};
  struct c_config c = {.checks = checks, .heap = 3};
  *r = (struct run){0};
  r->m = c_load(source_from_text("test.c", text, strlen(text)), &c, &r->d);
  if (!r->m) diag_print(&r->d, stderr, false);
  assert_non_null(r->m);
  bool good = ir_check(r->m, &errors);
  if (!good) fail_msg("%s", text_str(&errors));
  text_clear(&errors);
}

static inline void run_end(struct run *r) {
  mem_free(r->state);
  ir_model_free(r->m);
  diag_clear(&r->d);
}

static inline void run_failed(struct run *r, struct ir_eval *e) {
  struct text t = {0};
  ir_site_print(&t, r->m, ir_eval_site(e));
  snprintf(r->how, sizeof r->how, "%u: %s", r->m->sites.data[ir_eval_site(e)].span.line,
           text_str(&t));
  text_clear(&t);
}

// Inputs that are not given are 0, and so is what nobody set.
static inline void run_inputs(struct run *r, const int64_t *inputs, size_t count) {
  struct ir_eval *e = ir_eval_new(r->m);
  int64_t values[4096] = {0};
  size_t at = 0;
  mem_free(r->state);
  r->state = mem_zalloc(r->m->start_layout->words + r->m->layout->words, sizeof *r->state);
  r->outcome = ir_eval_body(e, r->m->starts.data[0], NULL, NULL, r->state);
  snprintf(r->how, sizeof r->how, "end");
  for (r->steps = 0; r->outcome == IR_OK && r->steps < 10000; r->steps++) {
    const struct ir_rule *rule = NULL;
    for (size_t i = 0; !rule && i < r->m->rules.count; i++)
      if (ir_eval_guard(e, r->m->rules.data[i], NULL, values, r->state) == IR_OK)
        rule = r->m->rules.data[i];
    if (!rule) break;
    for (uint32_t i = 0; i < rule->choice_count; i++)
      values[i] = rule->frame.locals[i]->input && at < count ? inputs[at++] : 0;
    r->outcome = ir_eval_body(e, rule, NULL, values, r->state);
    if (r->outcome == IR_DROPPED) snprintf(r->how, sizeof r->how, "dropped in %s", rule->name);
  }
  if (r->outcome == IR_FAILED) run_failed(r, e);
  ir_eval_free(e);
}

static inline const struct ir_var *run_var(const struct run *r, const char *name) {
  for (size_t i = 0; i < r->m->vars.count; i++)
    if (!strcmp(r->m->vars.data[i]->name, name)) return r->m->vars.data[i];
  return NULL;
}

static inline int64_t run_value(const struct run *r, const char *name) {
  const struct ir_var *v = run_var(r, name);
  assert_non_null(v);
  return ir_leaf_get(&r->m->layout->leaf[v->first_leaf], r->state);
}

static inline size_t run_notes(const struct run *r, enum diag_level level) {
  size_t n = 0;
  for (size_t i = 0; i < r->d.count; i++) n += r->d.entries[i].level == level;
  return n;
}
