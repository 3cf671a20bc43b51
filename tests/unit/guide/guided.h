// SPDX-License-Identifier: Apache-2.0
// Models for the tests of marks, flows and agents: a small one in the IR's text form, and what
// reads expressions over it.
#pragma once

#include "guide/guide.h"
#include "ir/eval.h"
#include "ir/ir.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char guided_text[] =
    "model \"guided\";\n"
    "type Node : scalarset(3) from 1;\n"
    "type Mode : enum { Idle, Busy };\n"
    "var at : array [Node] of Mode;\n"
    "var free : bool;\n"
    "start \"all idle\" { clear at; free := true; }\n"
    "rule \"Send\" (i : Node) agent i mark \"net\" when at[i] = Idle { at[i] := Busy; }\n"
    "rule \"Recv\" (i : Node) agent i mark \"net\" when at[i] = Busy { at[i] := Idle; }\n"
    "rule \"Grant\" (i : Node, k : 2..4) agent i { free := false; }\n"
    "rule \"Back\" (i : Node, j : Node) agent j { free := true; }\n"
    "rule \"odd, name\" (m : Mode) { free := true; }\n"
    "rule \"Tick\" agent 7 { free := true; }\n"
    "rule \"Step\" (k : 2..4) agent k { free := true; }\n"
    "rule \"Step2\" (k : 3..5) agent k { free := true; }\n";

static inline struct ir_model *guided_model(void) {
  struct diag d = {0};
  struct ir_model *m =
      ir_parse_model(source_from_text("guided.ir", guided_text, sizeof guided_text - 1), &d);
  if (!m) diag_print(&d, stderr, false);
  assert_non_null(m);
  diag_clear(&d);
  return m;
}

static inline struct ir_expr *guided_expr(void *context, struct ir_model *m, const char *text,
                                          const struct ir_rule *scope, struct ir_frame *frame,
                                          struct diag *d) {
  (void)context;
  return ir_parse_expr(m, source_from_text("when", text, strlen(text)), IR_WANT_BOOL, scope, frame,
                       d);
}

static const struct guide_language guided_language = {.expr = guided_expr};

// The number of an instance by what it is printed as.
static inline uint32_t guided_instance(const struct ir_model *m, const char *printed) {
  for (uint32_t i = 0; i < m->rule_instances; i++) {
    struct text t = {0};
    ir_instance_print(&t, m, false, i, 0);
    bool is = strcmp(text_str(&t), printed) == 0;
    text_clear(&t);
    if (is) return i;
  }
  fail_msg("no instance is printed as %s", printed);
  return 0;
}
