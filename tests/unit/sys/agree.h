// SPDX-License-Identifier: Apache-2.0
// Interpreter and native code side by side, for the unit tests of native code.
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ir/ir.h"
#include "random/compare.h"
#include "sys/sys.h"

#include <string.h>

static const struct span NOWHERE_SPAN = {0};

static inline void finish_model(struct ir_model *m) {
  struct diag d = {0};
  struct text errors = {0};
  assert_true(ir_model_finish(m, &d));
  if (!ir_check(m, &errors)) fail_msg("%s", text_str(&errors));
  text_clear(&errors);
  diag_clear(&d);
}

// Takes the model. Fails the test at the first difference.
static inline struct compare_count agree(struct ir_model *m, size_t states_max) {
  struct sys *a = sys_new(m, &(struct sys_config){.mode = SYS_INTERPRETED});
  struct sys *b = sys_new(m, &(struct sys_config){.mode = SYS_NATIVE, .no_cache = true});
  struct compare_count count = {0};
  struct text why = {0};
  if (!b->native) fail_msg("not native: %s", b->note ? b->note : "no reason given");
  if (!compare_systems(a, b, COMPARE_EXACT, states_max, &count, &why))
    fail_msg("%s", text_str(&why));
  text_clear(&why);
  sys_free(a);
  sys_free(b);
  ir_model_free(m);
  return count;
}

// A model from its text form; the test fails when there is none.
static inline struct ir_model *parse(const char *text) {
  struct diag d = {0};
  struct ir_model *m = ir_parse_model(source_from_text("test.ir", text, strlen(text)), &d);
  if (!m) {
    diag_print(&d, stderr, false);
    fail_msg("the model does not parse");
  }
  diag_clear(&d);
  if (!m->layout) finish_model(m);
  return m;
}
