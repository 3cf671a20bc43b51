// SPDX-License-Identifier: Apache-2.0
// Steps by the interpreter: rules in order, instances in row-major order of their parameters,
// choices innermost. Native code follows the same order and the same bookkeeping.
#include "sys/interp.h"

#include "sys/filter.h"

#include <string.h>

struct interp {
  const struct ir_model *m;
  struct ir_eval *eval;
  struct filter *filter;
  int64_t *values;   // parameters and choices of one instance
  uint64_t *scratch; // one state
};

static uint32_t values_max(struct ir_rule *const *rules, size_t count) {
  uint32_t n = 1;
  for (size_t i = 0; i < count; i++) {
    uint32_t k = rules[i]->param_count + rules[i]->choice_count;
    if (k > n) n = k;
  }
  return n;
}

struct interp *interp_new(const struct ir_model *m) {
  struct interp *p = mem_zalloc(1, sizeof *p);
  uint32_t a = values_max(m->rules.data, m->rules.count);
  uint32_t b = values_max(m->starts.data, m->starts.count);
  p->m = m;
  p->eval = ir_eval_new(m);
  p->filter = filter_new(m);
  p->values = mem_zalloc(a > b ? a : b, sizeof *p->values);
  p->scratch = mem_zalloc(m->layout->words, sizeof *p->scratch);
  return p;
}

void interp_free(struct interp *p) {
  if (!p) return;
  ir_eval_free(p->eval);
  filter_free(p->filter);
  mem_free(p->values);
  mem_free(p->scratch);
  mem_free(p);
}

static void merge_covers(const struct interp *p, struct sys_out *out) {
  const uint64_t *hit = ir_eval_covers(p->eval);
  if (!hit) return;
  for (size_t i = 0; i <= p->m->properties.count / 64; i++) out->covers[i] |= hit[i];
}

// Evaluates all assumptions on a state. IR_OK: they hold; IR_DROPPED: one does not.
static enum ir_outcome assumptions(struct interp *p, const uint64_t *state) {
  for (size_t i = 0; i < p->m->properties.count; i++) {
    const struct ir_property *q = p->m->properties.data[i];
    if (q->kind != IR_PROP_ASSUME) continue;
    bool holds;
    enum ir_outcome o = ir_eval_bool(p->eval, &q->frame, q->expr, state, &holds);
    if (o != IR_OK) return o;
    if (!holds) return IR_DROPPED;
  }
  return IR_OK;
}

static void append(struct sys_out *out, struct sys_step step, const uint64_t *words) {
  sys_out_reserve(out, 1);
  memcpy(out->words + out->count * out->words_per_state, words,
         out->words_per_state * sizeof *words);
  out->steps[out->count++] = step;
}

// Runs one instance with one choice from `state` (NULL: a start) and appends what comes out.
static void step(struct interp *p, const struct ir_rule *r, struct sys_step s,
                 const uint64_t *state, struct sys_out *out) {
  const int64_t *choices = p->values + r->param_count;
  size_t bytes = p->m->layout->words * sizeof *state;
  if (state) {
    enum ir_outcome enabled = ir_eval_guard(p->eval, r, p->values, choices, state);
    if (enabled == IR_DISABLED || enabled == IR_DROPPED) return;
    memcpy(p->scratch, state, bytes);
    if (enabled == IR_FAILED) {
      s.site = ir_eval_site(p->eval);
      return append(out, s, p->scratch);
    }
  }
  enum ir_outcome o = ir_eval_body(p->eval, r, p->values, choices, p->scratch);
  if (o == IR_DROPPED) return;
  if (o == IR_OK) {
    merge_covers(p, out);
    out->fired++;
    if (state && memcmp(state, p->scratch, bytes) != 0) out->moved = true;
    o = assumptions(p, p->scratch);
    if (o == IR_DROPPED) return;
  }
  if (o == IR_FAILED) s.site = ir_eval_site(p->eval);
  append(out, s, p->scratch);
}

static void run_rule(struct interp *p, const struct ir_rule *r, const uint64_t *state,
                     struct sys_out *out) {
  for (uint32_t i = 0; i < r->instances; i++) {
    uint32_t instance = r->first_instance + i;
    if (state && filter_disables(p->filter, instance, state)) continue;
    ir_instance(p->m, r->is_start, instance, p->values);
    for (uint32_t choice = 0; choice < r->choices; choice++) {
      if (r->choice_count) ir_choice(r, choice, p->values + r->param_count);
      step(p, r, (struct sys_step){.instance = instance, .choice = choice}, state, out);
    }
  }
}

void interp_starts(struct interp *p, struct sys_out *out) {
  for (size_t i = 0; i < p->m->starts.count; i++) run_rule(p, p->m->starts.data[i], NULL, out);
}

void interp_expand(struct interp *p, const uint64_t *state, struct sys_out *out) {
  for (size_t i = 0; i < p->m->rules.count; i++) run_rule(p, p->m->rules.data[i], state, out);
}

struct sys_fault interp_check(struct interp *p, const uint64_t *state) {
  for (size_t i = 0; i < p->m->properties.count; i++) {
    const struct ir_property *q = p->m->properties.data[i];
    if (q->kind != IR_PROP_INVARIANT) continue;
    bool holds;
    if (ir_eval_bool(p->eval, &q->frame, q->expr, state, &holds) != IR_OK)
      return (struct sys_fault){SYS_SITE, ir_eval_site(p->eval)};
    if (!holds) return (struct sys_fault){SYS_PROPERTY, (uint32_t)i};
  }
  return (struct sys_fault){0};
}

struct sys_fault interp_covers(struct interp *p, const uint64_t *state, uint64_t *bits) {
  for (size_t i = 0; i < p->m->properties.count; i++) {
    const struct ir_property *q = p->m->properties.data[i];
    if (q->kind != IR_PROP_COVER || !q->expr) continue;
    bool holds;
    if (ir_eval_bool(p->eval, &q->frame, q->expr, state, &holds) != IR_OK)
      return (struct sys_fault){SYS_SITE, ir_eval_site(p->eval)};
    if (holds) bits[i / 64] |= UINT64_C(1) << i % 64;
  }
  return (struct sys_fault){0};
}

struct sys_fault interp_atoms(struct interp *p, const uint64_t *state, uint64_t *bits) {
  *bits = 0;
  for (size_t i = 0; i < p->m->atoms.count && i < 64; i++) {
    const struct ir_atom *a = p->m->atoms.data[i];
    bool holds;
    if (ir_eval_bool(p->eval, &a->frame, a->expr, state, &holds) != IR_OK)
      return (struct sys_fault){SYS_SITE, ir_eval_site(p->eval)};
    if (holds) *bits |= UINT64_C(1) << i;
  }
  return (struct sys_fault){0};
}

uint64_t interp_ample(struct interp *p, const uint64_t *state) {
  uint64_t bits = 0;
  for (size_t i = 0; i < p->m->ample.count; i++) {
    const struct ir_atom *a = p->m->ample.data[i];
    bool holds = false;
    if (ir_eval_bool(p->eval, &a->frame, a->expr, state, &holds) == IR_OK && holds)
      bits |= UINT64_C(1) << i;
  }
  return bits;
}

enum ir_outcome interp_fire(struct interp *p, bool start, uint32_t instance, uint32_t choice,
                            uint64_t *state) {
  const struct ir_rule *r = ir_instance(p->m, start, instance, p->values);
  const int64_t *choices = p->values + r->param_count;
  ir_choice(r, choice, p->values + r->param_count);
  if (!start) {
    enum ir_outcome o = ir_eval_guard(p->eval, r, p->values, choices, state);
    if (o != IR_OK) return o;
  }
  enum ir_outcome o = ir_eval_body(p->eval, r, p->values, choices, state);
  return o == IR_OK ? assumptions(p, state) : o;
}
