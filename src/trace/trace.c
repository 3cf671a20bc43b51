// SPDX-License-Identifier: Apache-2.0
// Traces as data: what owns memory in them.
#include "trace/trace.h"

void trace_clear(struct trace *t) {
  VEC_CLEAR(&t->steps);
  VEC_CLEAR(&t->claims);
}
