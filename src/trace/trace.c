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
