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

// --- after traces were made real ---

static bool ends_alike(const struct trace *a, const struct trace *b) {
  if (a->end != b->end || a->end == TRACE_WITNESS) return false;
  return a->end == TRACE_DEADLOCK || a->id == b->id;
}

static void leave_out_repeated(struct result *r) {
  size_t kept = 0;
  for (size_t i = 0; i < r->traces.count; i++) {
    bool repeated = false;
    for (size_t k = 0; k < kept && !repeated; k++)
      repeated = ends_alike(&r->traces.data[k], &r->traces.data[i]);
    if (repeated)
      trace_clear(&r->traces.data[i]);
    else
      r->traces.data[kept++] = r->traces.data[i];
  }
  r->traces.count = kept;
}

static void say(struct property_result *p, bool violated, const char *else_unknown) {
  if (violated) {
    p->verdict = VERDICT_VIOLATED;
    p->reason = p->detail = NULL;
  } else if (p->verdict == VERDICT_VIOLATED) {
    p->verdict = VERDICT_UNKNOWN;
    p->reason = else_unknown;
  }
}

void result_follow_traces(struct result *r, const struct ir_model *m) {
  leave_out_repeated(r);
  size_t errors = m->properties.count;
  bool faults = false;
  for (size_t i = 0; i <= errors; i++) {
    bool violated = false;
    for (size_t k = 0; k < r->traces.count; k++) {
      const struct trace *t = &r->traces.data[k];
      violated |= t->end == TRACE_PROPERTY && t->id == i;
      faults |= t->end == TRACE_SITE;
    }
    if (i == errors)
      say(&r->properties.data[i], faults, "errors");
    else if (m->properties.data[i]->kind == IR_PROP_INVARIANT)
      say(&r->properties.data[i], violated, "fault");
  }
}
