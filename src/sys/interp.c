// SPDX-License-Identifier: Apache-2.0
// Steps by the interpreter: rules in order, instances in row-major order of their parameters,
// choices innermost, those aside that a failed assumption rules out. Native code follows the same
// order and the same bookkeeping.
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

// A step whose guard or body failed.
static void append_fault(struct interp *p, struct sys_step s, struct sys_out *out) {
  s.site = ir_eval_site(p->eval);
  append(out, s, p->scratch);
}

// Runs the body of an enabled instance with one choice from `state` (NULL: a start) and appends
// what comes out. Returns how many choices, from the first on, must differ for something else to.
static uint32_t fire(struct interp *p, const struct ir_rule *r, struct sys_step s,
                     const uint64_t *state, struct sys_out *out) {
  size_t bytes = p->m->layout->words * sizeof *state;
  if (state) memcpy(p->scratch, state, bytes);
  enum ir_outcome o = ir_eval_body(p->eval, r, p->values, p->values + r->param_count, p->scratch);
  if (o == IR_DROPPED) return ir_eval_prunes(p->eval);
  if (o == IR_OK) {
    merge_covers(p, out);
    out->fired++;
    if (state && memcmp(state, p->scratch, bytes) != 0) out->moved = true;
    o = assumptions(p, p->scratch);
    if (o == IR_DROPPED) return r->choice_count;
  }
  if (o == IR_FAILED)
    append_fault(p, s, out);
  else
    append(out, s, p->scratch);
  return r->choice_count;
}

// Starts have no guard.
static enum ir_outcome enabled(struct interp *p, const struct ir_rule *r, const uint64_t *state) {
  if (!state) return IR_OK;
  enum ir_outcome o = ir_eval_guard(p->eval, r, p->values, p->values + r->param_count, state);
  if (o == IR_FAILED) memcpy(p->scratch, state, p->m->layout->words * sizeof *state);
  return o;
}

static void run_instance(struct interp *p, const struct ir_rule *r, uint32_t instance,
                         const uint64_t *state, struct sys_out *out) {
  struct sys_step s = {.instance = instance};
  int64_t *choices = p->values + r->param_count;
  ir_instance(p->m, r->is_start, instance, p->values);
  ir_choice_first(r, choices);
  enum ir_outcome o = r->guard_chooses ? IR_OK : enabled(p, r, state);
  if (o == IR_DISABLED) return;
  uint32_t keep;
  do {
    if (r->guard_chooses) o = enabled(p, r, state);
    keep = r->choice_count;
    if (o == IR_FAILED) append_fault(p, s, out);
    if (o == IR_OK) keep = fire(p, r, s, state, out);
  } while (ir_choice_next(r, keep, choices, &s.choice));
}

static void run_rule(struct interp *p, const struct ir_rule *r, const uint64_t *state,
                     struct sys_out *out) {
  assert(r->choices > 0 && "too many choices to be run through");
  for (uint32_t i = 0; i < r->instances; i++) {
    uint32_t instance = r->first_instance + i;
    if (state && filter_disables(p->filter, instance, state)) continue;
    run_instance(p, r, instance, state, out);
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

bool interp_may_end(struct interp *p, const uint64_t *state) {
  const struct ir_frame none = {0};
  bool value = false;
  return p->m->valid_end && ir_eval_bool(p->eval, &none, p->m->valid_end, state, &value) == IR_OK &&
         value;
}

enum ir_outcome interp_fire_values(struct interp *p, bool start, uint32_t instance,
                                   const int64_t *choices, uint64_t *state) {
  const struct ir_rule *r = ir_instance(p->m, start, instance, p->values);
  if (!start) {
    enum ir_outcome o = ir_eval_guard(p->eval, r, p->values, choices, state);
    if (o != IR_OK) return o;
  }
  enum ir_outcome o = ir_eval_body(p->eval, r, p->values, choices, state);
  return o == IR_OK ? assumptions(p, state) : o;
}

enum ir_outcome interp_fire(struct interp *p, bool start, uint32_t instance, uint32_t choice,
                            uint64_t *state) {
  const struct ir_rule *r = ir_instance(p->m, start, instance, NULL);
  int64_t *choices = p->values + r->param_count;
  assert(choice < r->choices);
  ir_choice(r, choice, choices);
  return interp_fire_values(p, start, instance, choices, state);
}
