// SPDX-License-Identifier: Apache-2.0
// Verdicts and the result of a run.
#include "trace/trace.h"

#include "ir/ir.h"

const char *verdict_name(enum verdict v) {
  switch (v) {
  case VERDICT_HOLDS: return "holds";
  case VERDICT_VIOLATED: return "violated";
  case VERDICT_UNKNOWN: break;
  }
  return "unknown";
}

static void survey_clear(struct survey *s) {
  VEC_CLEAR(&s->levels);
  mem_free(s->fired);
  mem_free(s->fresh);
  mem_free(s->share);
  mem_free(s->distinct);
  *s = (struct survey){0};
}

void result_clear(struct result *r) {
  for (size_t i = 0; i < r->traces.count; i++) trace_clear(&r->traces.data[i]);
  VEC_CLEAR(&r->traces);
  VEC_CLEAR(&r->properties);
  mem_free(r->reason);
  mem_free(r->note);
  mem_free(r->store_note);
  mem_free(r->save_problem);
  mem_free(r->states_exact);
  r->reason = r->note = r->store_note = r->save_problem = r->states_exact = NULL;
  survey_clear(&r->survey);
}

void result_list_properties(struct result *r, const struct ir_model *m, bool deadlock) {
  for (size_t i = 0; i < m->properties.count; i++) {
    const struct ir_property *p = m->properties.data[i];
    struct property_result q = {
        .name = p->name, .kind = ir_property_word(p->kind), .span = p->span};
    VEC_PUSH(&r->properties, q);
  }
  struct property_result errors = {.name = "assertions and errors", .kind = "error"};
  struct property_result stuck = {.name = "deadlock", .kind = "deadlock"};
  VEC_PUSH(&r->properties, errors);
  if (deadlock) VEC_PUSH(&r->properties, stuck);
}
