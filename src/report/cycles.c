// SPDX-License-Identifier: Apache-2.0
// Searches for cycles, and cycles, in words, the same for text, charts and HTML.
#include "report/cycles.h"

#include "report/format.h"

#include "ir/ir.h"
#include "sys/sys.h"

#define PLURAL(n) ((n) == 1 ? "" : "s")

const char *cycles_search(const struct report_cycles *c) {
  return c->search != NULL ? c->search : "liveness";
}

static void say_cyclic(struct text *out, const struct report_run *run) {
  const struct report_cycles *c = run->cycles;
  text_printf(out, "%zu propert%s of infinite runs", c->cyclic, c->cyclic == 1 ? "y" : "ies");
  if (!c->alone) text_printf(out, ": %s search, %s store", c->search, c->store);
  if (!c->alone && run->symmetry) text_add(out, ", symmetry off");
  if (c->fair) text_add(out, ", weakly fair runs only");
}

void cycles_plan(struct text *out, const struct report_run *run) {
  const struct report_cycles *c = run->cycles;
  if (!c->alone) text_add(out, "then ");
  if (c->liveness > 0)
    text_printf(out, "%zu liveness propert%s%s", c->liveness, c->liveness == 1 ? "y" : "ies",
                !c->alone && run->symmetry && c->cyclic == 0 ? ", symmetry off" : "");
  if (c->liveness > 0 && c->cyclic > 0) text_add(out, ", and ");
  if (c->cyclic > 0) say_cyclic(out, run);
}

void cycles_size(struct text *out, const struct property_result *p) {
  char states[FORMAT_BYTES], seconds[FORMAT_BYTES];
  if (!p->searched) return;
  text_printf(out, "%s state%s", format_count(states, p->states), PLURAL(p->states));
  if (p->automaton_states > 0)
    text_printf(out, " with an automaton of %llu", (unsigned long long)p->automaton_states);
  text_printf(out, ", %s", format_seconds(seconds, p->seconds));
}

void cycles_length(struct text *out, const struct ir_model *m, const struct trace *t,
                   const struct replay *r) {
  size_t before = 0, cycle = 0;
  bool stutters = false;
  for (size_t i = 0; i < t->steps.count; i++) {
    bool counts = !trace_inner(r, m, i);
    stutters = stutters || cycles_stutters(t, i);
    *(i < t->loop_start ? &before : &cycle) += counts;
  }
  if (before > 0) text_printf(out, "after %zu step%s ", before, PLURAL(before));
  if (stutters)
    text_add(out, "nothing can move any more, for ever");
  else
    text_printf(out, "a cycle of %zu step%s", cycle, PLURAL(cycle));
}

bool cycles_stutters(const struct trace *t, size_t step) {
  return t->steps.data[step].instance == SYS_STUTTER;
}

const char *cycles_heading(const struct trace *t, size_t step) {
  if (!t->has_loop || step != t->loop_start) return NULL;
  return "--- from here on, again and again ---";
}

void cycles_claim(struct text *out, const struct ir_model *m, const struct trace *t, size_t state) {
  if (state >= t->claims.count || t->end != TRACE_PROPERTY) return;
  const struct ir_automaton *a = m->properties.data[t->id]->automaton;
  const struct ir_automaton_state *s = &a->states[t->claims.data[state]];
  if (s->name != NULL)
    text_add(out, s->name);
  else
    text_printf(out, "state %u", t->claims.data[state]);
}
