// SPDX-License-Identifier: Apache-2.0
// From a trace over representatives back to a real execution. Two runs go side by side: the trace's
// own, whose states are made canonical after every step, and a real one, which takes any step whose
// outcome has the same representative. Symmetry says that there always is one.
#include "trace/trace.h"

#include "ir/eval.h"
#include "ir/ir.h"
#include "sys/sys.h"

#include <string.h>

struct walker {
  struct sys *sys;
  struct trace_symmetry symmetry;
  uint64_t *given;   // representative of where the trace is
  uint64_t *real;    // where the real execution is
  uint64_t *scratch; // one state
  struct sys_out out;
};

static bool same(const struct walker *w, const uint64_t *a, const uint64_t *b) {
  return memcmp(a, b, w->sys->words * sizeof *a) == 0;
}

static void copy(const struct walker *w, uint64_t *to, const uint64_t *from) {
  memcpy(to, from, w->sys->words * sizeof *to);
}

static void canonical(struct walker *w, uint64_t *state) {
  w->symmetry.canonical(w->symmetry.context, state);
}

// The outcome in the buffer that a step names, or NULL.
static const uint64_t *outcome(const struct walker *w, uint32_t instance, uint32_t choice) {
  for (size_t i = 0; i < w->out.count; i++) {
    const struct sys_step *s = &w->out.steps[i];
    if (!s->site && s->instance == instance && s->choice == choice)
      return w->out.words + i * w->sys->words;
  }
  return NULL;
}

// The trace goes to this state.
static bool give(struct walker *w, const uint64_t *state) {
  if (!state) return false;
  copy(w, w->given, state);
  canonical(w, w->given);
  return true;
}

static void expand(struct walker *w, const uint64_t *state) {
  sys_out_reset(&w->out);
  w->sys->expand(w->sys, state, &w->out);
}

// The real step to the representative w->given; false: there is none.
static bool follow(struct walker *w, struct trace_step *step) {
  for (size_t i = 0; i < w->out.count; i++) {
    const uint64_t *next = w->out.words + i * w->sys->words;
    if (w->out.steps[i].site) continue;
    copy(w, w->scratch, next);
    canonical(w, w->scratch);
    if (!same(w, w->scratch, w->given)) continue;
    copy(w, w->real, next);
    *step = (struct trace_step){w->out.steps[i].instance, w->out.steps[i].choice};
    return true;
  }
  return false;
}

// The real step that fails where the trace's does. The order in which a quantifier goes through
// elements may let another failure of the same step come first: then that one is what happens.
static bool follow_fault(struct walker *w, struct trace *t, struct trace_step *step) {
  const struct sys_step *found = NULL;
  for (size_t i = 0; i < w->out.count; i++) {
    const struct sys_step *s = &w->out.steps[i];
    if (!s->site || (found && s->site != t->id)) continue;
    found = s;
    if (s->site == t->id) break;
  }
  if (!found) return false;
  t->id = found->site;
  *step = (struct trace_step){found->instance, found->choice};
  return true;
}

// The invariant of which something is wrong at the end, or NULL.
static const struct ir_property *invariant_of(const struct trace *t, const struct ir_model *m,
                                              uint32_t *number) {
  bool fault = t->end == TRACE_SITE && t->in_property;
  if (t->end != TRACE_PROPERTY && !fault) return NULL;
  *number = fault ? t->property : t->id;
  const struct ir_property *q = m->properties.data[*number];
  return q->kind == IR_PROP_INVARIANT ? q : NULL;
}

// An invariant that is violated for one element may fail to be evaluated for another: which comes
// first is a matter of order, and symmetry lets both count as wrong. What is so at the real end is
// what happens.
static void end_really(const struct walker *w, struct trace *t) {
  uint32_t number;
  const struct ir_property *q = invariant_of(t, w->sys->model, &number);
  if (!q) return;
  struct ir_eval *eval = ir_eval_new(w->sys->model);
  bool value = true;
  if (ir_eval_bool(eval, &q->frame, q->expr, w->real, &value) == IR_FAILED) {
    t->end = TRACE_SITE;
    t->id = ir_eval_site(eval);
    t->in_property = true;
    t->property = number;
  } else if (!value) {
    t->end = TRACE_PROPERTY;
    t->id = number;
    t->in_property = false;
    t->property = 0;
  } // else the model is not symmetric, as replaying it will show
  ir_eval_free(eval);
}

static bool ends_in_fault(const struct trace *t) { return t->end == TRACE_SITE && !t->in_property; }

static bool walk(struct walker *w, struct trace *t) {
  bool faulty = ends_in_fault(t);
  if (faulty && t->steps.count == 0) return true;
  w->sys->starts(w->sys, &w->out);
  const uint64_t *start = outcome(w, t->start_instance, t->start_choice);
  if (!give(w, start)) return false;
  copy(w, w->real, start);
  for (size_t i = 0; i < t->steps.count; i++) {
    struct trace_step *step = &t->steps.data[i];
    bool fails = faulty && i + 1 == t->steps.count;
    if (!fails) {
      expand(w, w->given);
      if (!give(w, outcome(w, step->instance, step->choice))) return false;
    }
    expand(w, w->real);
    if (fails) return follow_fault(w, t, step);
    if (!follow(w, step)) return false;
  }
  end_really(w, t);
  return true;
}

bool trace_concretise(struct trace *t, struct sys *inner, struct trace_symmetry symmetry) {
  assert(!t->has_loop && "symmetry is for safety only");
  struct walker w = {.sys = inner, .symmetry = symmetry};
  w.given = mem_zalloc(3 * inner->words, sizeof *w.given);
  w.real = w.given + inner->words;
  w.scratch = w.real + inner->words;
  sys_out_init(&w.out, inner->words, inner->model->properties.count);
  bool ok = walk(&w, t);
  sys_out_clear(&w.out);
  mem_free(w.given);
  return ok;
}
