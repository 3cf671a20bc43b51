// SPDX-License-Identifier: Apache-2.0
// The lowering as a whole: layout first (seats, channels, variables), then the start, the rules,
// and what is to be checked.
#include "front/promela/lower.h"

static const struct span nowhere;

static void global_variables(struct lower *w) {
  for (size_t i = 0; i < w->prog->globals.count; i++) {
    const struct pml_symbol *s = w->prog->globals.data[i];
    const struct ir_var *v = NULL;
    int64_t value;
    bool constant = s->builtin != PML_NOT_BUILTIN || (s->channel && !s->written) ||
                    lower_static_symbol(w, s, &value) || lower_left_out(s);
    if (!constant && s->visibility == AST_HIDDEN && !w->plan->settled)
      diag_warning(w->d, s->span, "'%s' is hidden but read: it is part of the state here", s->name);
    if (!constant) v = ir_var_new(w->m, s->shown, lower_symbol_type(w, s), s->span);
    VEC_PUSH(&w->globals, v);
  }
}

// Is there a state in which somebody goes on alone?
static bool needs_atomic(const struct lower *w) {
  for (size_t i = 0; i < w->seats.count; i++) {
    const struct seat *s = w->seats.data[i];
    for (uint32_t k = 0; k < s->proc->graph.states.count; k++)
      if (s->held[k]) return true;
  }
  return false;
}

static void special_variables(struct lower *w) {
  uint32_t most = 0;
  for (size_t i = 0; i < w->seats.count; i++)
    most = w->seats.data[i]->pid + 1 > most ? w->seats.data[i]->pid + 1 : most;
  if (needs_atomic(w)) {
    struct ir_var *v = ir_var_new(w->m, "_atomic", ir_type_range(w->m, 0, most), nowhere);
    v->hidden = true;
    w->atomic = w->m->transient = v;
  }
  if (w->prog->uses_last) w->last = ir_var_new(w->m, "_last", w->u8, nowhere);
}

// Every process that is there is at an end state.
static struct ir_expr *valid_end(struct lower *w) {
  struct ir_expr *all = lower_true(w);
  for (size_t i = 0; i < w->seats.count; i++) {
    const struct seat *s = w->seats.data[i];
    struct ir_expr *ok = s->empty ? lower_equal(w, lower_at(w, s), 0) : lower_false(w);
    for (uint32_t k = 0; k < s->proc->graph.states.count; k++)
      if (s->place[k] && s->proc->graph.states.data[k].is_end)
        ok = lower_or(w, ok, lower_equal(w, lower_at(w, s), s->place[k]));
    all = lower_and(w, all, ok);
  }
  return all;
}

void lower_program(struct lower *w) {
  lower_types(w);
  lower_seats(w);
  lower_channels(w);
  lower_initial_values(w);
  if (w->d->errors) return;
  lower_constants(w);
  lower_numbers(w);
  lower_places(w);
  lower_deaths(w);
  special_variables(w);
  lower_seat_variables(w);
  lower_channel_variables(w);
  global_variables(w);
  lower_c_variables(w);
  lower_start(w);
  lower_rules(w);
  w->m->deadlock = IR_DEADLOCK_STUCK;
  w->m->seats = !w->prog->uses_priority; // set_priority may write another process's seat
  w->m->valid_end = valid_end(w);
  lower_properties(w);
}
