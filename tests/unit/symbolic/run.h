// SPDX-License-Identifier: Apache-2.0
// Runs of the BDD engine on models in the text form, their traces replayed.
#pragma once

#include "ir/ir.h"
#include "symbolic/symbolic.h"
#include "trace/trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static inline struct ir_model *run_parse(const char *text) {
  struct diag d = {0};
  struct ir_model *m = ir_parse_model(source_from_text("test.ir", text, strlen(text)), &d);
  if (!m) diag_print(&d, stderr, false);
  assert_non_null(m);
  diag_clear(&d);
  return m;
}

// Every trace replays; those of liveness, whose end shows nothing by itself, as far as they go.
static inline void run_replay(const struct ir_model *m, const struct result *r, int deadlock) {
  for (size_t i = 0; i < r->traces.count; i++) {
    struct trace t = r->traces.data[i];
    struct replay replay = {0};
    if (t.end == TRACE_PROPERTY && m->properties.data[t.id]->kind == IR_PROP_LIVENESS)
      t.end = TRACE_WITNESS;
    if (!trace_replay(&t, m, deadlock, &replay)) fail_msg("trace %zu: %s", i, replay.problem);
    replay_clear(&replay);
  }
}

static inline void run_model(const struct ir_model *m, struct symbolic_config c, struct result *r) {
  c.model = m;
  c.started = clock_seconds();
  *r = (struct result){0};
  symbolic_run(&c, r);
  run_replay(m, r, c.deadlock);
}

static inline const struct property_result *run_property(const struct result *r, const char *name) {
  for (size_t i = 0; i < r->properties.count; i++)
    if (strcmp(r->properties.data[i].name, name) == 0) return &r->properties.data[i];
  fail_msg("no property %s", name);
  return NULL;
}

// The trace that shows this property's violation; NULL: there is none.
static inline const struct trace *run_trace(const struct ir_model *m, const struct result *r,
                                            const char *name) {
  for (size_t i = 0; i < r->traces.count; i++) {
    const struct trace *t = &r->traces.data[i];
    if (t->end == TRACE_PROPERTY && strcmp(m->properties.data[t->id]->name, name) == 0) return t;
    if (t->end == TRACE_DEADLOCK && strcmp(name, "deadlock") == 0) return t;
    if (t->end == TRACE_SITE && strcmp(name, "assertions and errors") == 0) return t;
  }
  return NULL;
}

// What must come out of a property: its verdict, and how many steps its trace has (-1: any or
// none).
struct run_expected {
  const char *name;
  enum verdict verdict;
  int steps;
};
