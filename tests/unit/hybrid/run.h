// SPDX-License-Identifier: Apache-2.0
// For tests of the hybrid engine: models from text, runs whose traces are replayed, modes by name.
#pragma once

#include "hybrid/hybrid.h"
#include "ir/ir.h"
#include "trace/trace.h"

#include <stdio.h>
#include <string.h>

static inline struct ir_model *run_parse(const char *text) {
  struct diag d = {0};
  struct ir_model *m = ir_parse_model(source_from_text("test.ir", text, strlen(text)), &d);
  if (!m) diag_print(&d, stderr, false);
  assert_non_null(m);
  diag_clear(&d);
  return m;
}

static inline void run_hybrid(const struct ir_model *m, struct hybrid_config c, struct result *r) {
  c.model = m;
  c.started = clock_seconds();
  if (c.budget.seconds == 0) c.budget.seconds = 60;
  *r = (struct result){0};
  hybrid_run(&c, r);
  for (size_t i = 0; i < r->traces.count; i++) {
    struct replay replay = {0};
    if (!trace_replay(&r->traces.data[i], m, IR_DEADLOCK_OFF, &replay))
      fail_msg("trace %zu: %s", i, replay.problem);
    replay_clear(&replay);
  }
}

struct run_mode {
  const char *name;
  struct hybrid_config config;
};

// Every mode; all but the second one can prove what has loops.
static const struct run_mode run_modes[] = {
    {"st", {.mode = HYBRID_ST, .reached = true}},
    {"smt", {.mode = HYBRID_PR}},
    {"dfs", {.mode = HYBRID_HMC, .partition = true, .reached = true}},
    {"dfs, small",
     {.mode = HYBRID_HMC,
      .partition = true,
      .reached = true,
      .tsize = 2,
      .isize = 2,
      .fsize = 2,
      .path_depth = 2}},
    {"no partition", {.mode = HYBRID_HMC, .reached = true, .fsize = 3}},
    // An error behind a long loop is far: distances would take all the time that they get.
    {"glh",
     {.mode = HYBRID_HMC,
      .search = HYBRID_GLH,
      .partition = true,
      .reached = true,
      .glh_seconds = 0.3}},
    {"threads", {.mode = HYBRID_HMC, .partition = true, .reached = true, .threads = 3, .fsize = 3}},
};
#define RUN_MODES (sizeof run_modes / sizeof *run_modes)
