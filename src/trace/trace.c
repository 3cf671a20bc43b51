// SPDX-License-Identifier: Apache-2.0
// Traces as data: what owns memory in them, and what their steps chose.
#include "trace/trace.h"

#include "ir/ir.h"

#include <string.h>

void trace_clear(struct trace *t) {
  VEC_CLEAR(&t->steps);
  VEC_CLEAR(&t->values);
  VEC_CLEAR(&t->claims);
}

void trace_choices(const struct trace *t, const struct ir_rule *r, uint32_t choice,
                   int64_t *values) {
  if (r->choices > 0) return ir_choice(r, choice, values);
  assert(t->values.count >= choice && t->values.count - choice >= r->choice_count);
  memcpy(values, t->values.data + choice, r->choice_count * sizeof *values);
}

// The number of a choice in its domain, of which it is a value.
static uint64_t rank_of(const struct ir_domain *d, int64_t value) {
  if (d->type) return ir_type_rank(d->type, value);
  uint64_t first = (uint64_t)ir_domain_value(d, 0), far = (uint64_t)value - first;
  if (ir_domain_count(d) == 1) return 0;
  int64_t step = ir_domain_value(d, 1) - ir_domain_value(d, 0);
  return step > 0 ? far / (uint64_t)step : -far / -(uint64_t)step;
}

uint32_t trace_keep_choices(struct trace *t, const struct ir_rule *r, const int64_t *values) {
  uint64_t number = 0;
  if (r->choices == 0) {
    number = t->values.count;
    for (uint32_t k = 0; k < r->choice_count; k++) VEC_PUSH(&t->values, values[k]);
  }
  for (uint32_t k = 0; k < r->choice_count && r->choices > 0; k++) {
    const struct ir_domain *d = r->frame.locals[r->param_count + k]->domain;
    number = number * ir_domain_count(d) + rank_of(d, values[k]);
  }
  return (uint32_t)number;
}
