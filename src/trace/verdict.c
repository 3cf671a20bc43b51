// SPDX-License-Identifier: Apache-2.0
// Verdicts and the result of a run.
#include "trace/trace.h"

const char *verdict_name(enum verdict v) {
  switch (v) {
  case VERDICT_HOLDS: return "holds";
  case VERDICT_VIOLATED: return "violated";
  case VERDICT_UNKNOWN: break;
  }
  return "unknown";
}

void result_clear(struct result *r) {
  for (size_t i = 0; i < r->traces.count; i++) trace_clear(&r->traces.data[i]);
  VEC_CLEAR(&r->traces);
  VEC_CLEAR(&r->properties);
  mem_free(r->reason);
  mem_free(r->note);
  r->reason = r->note = NULL;
}
