// SPDX-License-Identifier: Apache-2.0
// Instances of rules and their choices: how they are numbered, run through and shown.
#include "ir/ir.h"

static void range_bounds(const struct ir_domain *d, int64_t *lo, int64_t *hi, int64_t *step) {
  *lo = d->lo->value;
  *hi = d->hi->value;
  *step = d->step ? d->step->value : *hi >= *lo ? 1 : -1;
}

uint64_t ir_domain_count(const struct ir_domain *d) {
  if (d->type) return ir_type_count(d->type);
  int64_t lo, hi, step;
  range_bounds(d, &lo, &hi, &step);
  assert(step != 0);
  uint64_t span = step > 0 ? (uint64_t)hi - (uint64_t)lo : (uint64_t)lo - (uint64_t)hi;
  uint64_t size = step > 0 ? (uint64_t)step : -(uint64_t)step;
  return span / size + 1;
}

int64_t ir_domain_value(const struct ir_domain *d, uint64_t k) {
  if (d->type) return ir_type_value(d->type, k);
  int64_t lo, hi, step;
  range_bounds(d, &lo, &hi, &step);
  return (int64_t)((uint64_t)lo + k * (uint64_t)step);
}

static uint64_t domain_rank(const struct ir_domain *d, int64_t value) {
  if (d->type) return ir_type_rank(d->type, value);
  int64_t lo, hi, step;
  range_bounds(d, &lo, &hi, &step);
  return step > 0 ? ((uint64_t)value - (uint64_t)lo) / (uint64_t)step
                  : ((uint64_t)lo - (uint64_t)value) / -(uint64_t)step;
}

bool ir_domain_has(const struct ir_domain *d, int64_t value) {
  if (d->type) return ir_type_has(d->type, value);
  int64_t lo, hi, step;
  range_bounds(d, &lo, &hi, &step);
  if (step > 0 ? value < lo || value > hi : value > lo || value < hi) return false;
  return ir_domain_value(d, domain_rank(d, value)) == value;
}

// Row-major: the last of the locals runs fastest.
static void decode(struct ir_local *const *locals, uint32_t count, uint64_t number,
                   int64_t *values) {
  for (uint32_t i = count; i-- > 0;) {
    uint64_t n = ir_domain_count(locals[i]->domain);
    values[i] = ir_domain_value(locals[i]->domain, number % n);
    number /= n;
  }
}

const struct ir_rule *ir_instance(const struct ir_model *m, bool start, uint32_t instance,
                                  int64_t *values) {
  struct ir_rule *const *rules = start ? m->starts.data : m->rules.data;
  size_t lo = 0, hi = start ? m->starts.count : m->rules.count;
  while (hi - lo > 1) {
    size_t mid = (lo + hi) / 2;
    if (rules[mid]->first_instance <= instance)
      lo = mid;
    else
      hi = mid;
  }
  const struct ir_rule *r = rules[lo];
  if (values) decode(r->frame.locals, r->param_count, instance - r->first_instance, values);
  return r;
}

void ir_choice(const struct ir_rule *r, uint32_t choice, int64_t *values) {
  if (r->choice_count) decode(r->frame.locals + r->param_count, r->choice_count, choice, values);
}

void ir_choice_first(const struct ir_rule *r, int64_t *values) {
  for (uint32_t i = 0; i < r->choice_count; i++)
    values[i] = ir_domain_value(r->frame.locals[r->param_count + i]->domain, 0);
}

bool ir_choice_next(const struct ir_rule *r, uint32_t keep, int64_t *values, uint32_t *number) {
  uint64_t stride = 1; // how many choices agree in the first `keep`
  uint32_t i = r->choice_count;
  for (bool carry = true; carry && i-- > 0;) {
    const struct ir_domain *d = r->frame.locals[r->param_count + i]->domain;
    uint64_t n = ir_domain_count(d), rank = i < keep ? domain_rank(d, values[i]) + 1 : n;
    carry = rank == n;
    if (i >= keep) stride *= n;
    values[i] = ir_domain_value(d, carry ? 0 : rank);
    if (!carry) {
      if (number) *number = (uint32_t)((*number / stride + 1) * stride);
      return true;
    }
  }
  if (number) *number = 0;
  return false;
}

const struct ir_rule *ir_model_unnumbered(const struct ir_model *m) {
  for (size_t i = 0; i < m->starts.count; i++)
    if (m->starts.data[i]->choices == 0) return m->starts.data[i];
  for (size_t i = 0; i < m->rules.count; i++)
    if (m->rules.data[i]->choices == 0) return m->rules.data[i];
  return NULL;
}

// --- how they are shown ---

void ir_instance_print_values(struct text *out, const struct ir_model *m, bool start,
                              uint32_t instance, const int64_t *choices) {
  const struct ir_rule *r = ir_instance(m, start, instance, NULL);
  uint32_t n = r->param_count + r->choice_count;
  text_add(out, r->name);
  if (n == 0) return;
  int64_t *params = mem_zalloc(r->param_count, sizeof *params);
  ir_instance(m, start, instance, params);
  for (uint32_t i = 0; i < n; i++) {
    int64_t value = i < r->param_count ? params[i] : choices[i - r->param_count];
    text_printf(out, "%s%s=", i == 0 ? "(" : ", ", r->frame.locals[i]->name);
    ir_type_print_value(out, r->frame.locals[i]->type, value);
  }
  text_char(out, ')');
  mem_free(params);
}

void ir_instance_print(struct text *out, const struct ir_model *m, bool start, uint32_t instance,
                       uint32_t choice) {
  const struct ir_rule *r = ir_instance(m, start, instance, NULL);
  int64_t *choices = mem_zalloc(r->choice_count, sizeof *choices);
  ir_choice(r, choice, choices);
  ir_instance_print_values(out, m, start, instance, choices);
  mem_free(choices);
}

static void widen(const struct ir_rule *r, size_t *params, size_t *choices) {
  if (r->param_count > *params) *params = r->param_count;
  if (r->choice_count > *choices) *choices = r->choice_count;
}

void ir_widest(const struct ir_model *m, size_t *params, size_t *choices) {
  *params = *choices = 0;
  for (size_t i = 0; i < m->rules.count; i++) widen(m->rules.data[i], params, choices);
  for (size_t i = 0; i < m->starts.count; i++) widen(m->starts.data[i], params, choices);
}
