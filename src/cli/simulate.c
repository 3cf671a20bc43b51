// SPDX-License-Identifier: Apache-2.0
// fathom simulate: a random walk through the interpreter. Each start and each successor is equally
// likely; the walk ends at a violation, a deadlock, its last step, or an interrupt.
#include "cli/cli.h"

#include "ir/ir.h"
#include "sys/sys.h"

#include <string.h>

#define STEPS_UNLESS_SAID 100

struct walk {
  struct sys *sys;
  const struct report_run *run;
  const uint8_t *property_on;
  uint64_t steps_max;
  struct rng rng;
  struct sys_out out;
  uint64_t *state;
  struct trace trace;
  bool ended;      // something was found, or nothing can be fired
  bool interrupted;
};

static void end(struct walk *w, enum trace_end how, uint32_t id) {
  w->trace.end = how;
  w->trace.id = id;
  w->ended = true;
}

// A violated property that was not asked for hides others behind it: those are looked at one by one.
static void check_state(struct walk *w) {
  struct sys_fault f = w->sys->check(w->sys, w->state);
  if (f.kind == SYS_PROPERTY && w->property_on[f.id]) end(w, TRACE_PROPERTY, f.id);
  if (f.kind != SYS_SITE) return;
  end(w, TRACE_SITE, f.id);
  w->trace.in_property = true;
}

// Takes one of the successors in w->out: into w->state, or to the end if firing it fails.
static struct sys_step take_one(struct walk *w) {
  uint64_t k = rng_below(&w->rng, w->out.count);
  struct sys_step step = w->out.steps[k];
  if (step.site != 0)
    end(w, TRACE_SITE, step.site);
  else
    memcpy(w->state, w->out.words + k * w->sys->words, w->sys->words * sizeof *w->state);
  return step;
}
