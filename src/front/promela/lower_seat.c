// SPDX-License-Identifier: Apache-2.0
// Seats: for every proctype that may run under a pid, a variable with its place and its locals. A
// process that is not there has all 0. What a seat's process never changes, and what the plan says
// it always starts with, is a constant and takes no room.
#include "front/promela/lower.h"

static bool starts_as(const struct lower *w, uint32_t pid, const struct pml_proc *proc) {
  uint32_t next = 0;
  for (size_t i = 0; i < w->prog->procs.count; i++) {
    const struct pml_proc *p = w->prog->procs.data[i];
    if (p->kind != PML_PROCTYPE && p->kind != PML_INIT) continue;
    if (p == proc && pid >= next && pid < next + p->active) return true;
    next += p->active;
  }
  return false;
}

static struct seat *seat_new(struct lower *w, struct plan_seat *plan) {
  struct arena *a = w->m->arena;
  struct seat *s = ARENA_NEW(a, struct seat);
  s->plan = plan;
  s->proc = w->prog->procs.data[plan->proc];
  s->pid = plan->pid;
  s->number = (uint32_t)w->seats.count;
  s->shown = arena_printf(a, "%s(%u)", s->proc->kind == PML_INIT ? "init" : s->proc->name, s->pid);
  s->at_start = starts_as(w, s->pid, s->proc);
  s->priority_field = -1;
  size_t locals = s->proc->locals.count, states = s->proc->graph.states.count;
  s->field = ARENA_ARRAY(a, int32_t, locals);
  s->value = ARENA_ARRAY(a, int64_t, locals);
  s->channel = ARENA_ARRAY(a, uint32_t, locals);
  s->place = ARENA_ARRAY(a, uint32_t, states);
  s->held = ARENA_ARRAY(a, bool, states);
  return s;
}

void lower_seats(struct lower *w) {
  for (size_t i = 0; i < w->plan->seats.count; i++) {
    struct seat *s = seat_new(w, w->plan->seats.data[i]);
    VEC_PUSH(&w->seats, s);
  }
}

// --- constants ---

static bool constant_local(struct lower *w, const struct seat *s, uint32_t i, int64_t *value) {
  const struct pml_symbol *sym = s->proc->locals.data[i];
  if (sym->written) return false;
  if (i < s->proc->param_count) {
    uint32_t arg = 0;
    for (uint32_t k = 0; k < i; k++) arg += lower_arg_count(w, s->proc->locals.data[k]);
    *value = lower_fit_value(&sym->type, s->plan->params[arg].value);
    return sym->type.base != AST_STRUCT && !s->plan->params[arg].varies;
  }
  if (sym->channel) {
    *value = w->channels.data[s->channel[i]].first;
    return true;
  }
  if (sym->is_array || sym->type.base == AST_STRUCT) return false;
  *value = 0;
  if (sym->init_count && !lower_static(w, sym->init[0], value)) return false;
  *value = lower_fit_value(&sym->type, *value);
  return true;
}

void lower_constants(struct lower *w) {
  for (size_t i = 0; i < w->seats.count; i++) {
    struct seat *s = w->seats.data[i];
    w->seat = s;
    int32_t next = 1; // behind _p
    for (uint32_t j = 0; j < s->proc->locals.count; j++) s->field[j] = INT32_MAX;
    for (uint32_t j = 0; j < s->proc->locals.count; j++)
      s->field[j] = constant_local(w, s, j, &s->value[j]) ? -1 : next++;
    if (w->prog->uses_priority) s->priority_field = next++;
    s->c_field = next;
  }
  w->seat = NULL;
}

// --- who can die ---

// Only the youngest process dies. So one can only if all with higher numbers are not there, or can
// be gone before.
void lower_deaths(struct lower *w) {
  bool gone = true; // everybody with a higher number may be
  for (size_t i = w->seats.count; i > 0;) {
    uint32_t pid = w->seats.data[i - 1]->pid;
    bool stays = false;
    for (; i > 0 && w->seats.data[i - 1]->pid == pid; i--) {
      struct seat *s = w->seats.data[i - 1];
      s->dies = s->ends && gone;
      stays |= s->at_start && !s->dies;
    }
    gone &= !stays;
  }
  for (size_t i = 0; i < w->seats.count; i++) {
    struct seat *s = w->seats.data[i];
    bool shared = (i > 0 && w->seats.data[i - 1]->pid == s->pid) ||
                  (i + 1 < w->seats.count && w->seats.data[i + 1]->pid == s->pid);
    s->empty = !s->at_start || s->dies || shared;
  }
}

// --- variables ---

static void seat_variable(struct lower *w, struct seat *s) {
  VEC(struct ir_field) fields = {0};
  const struct ir_type *at = ir_type_range(w->m, s->empty ? 0 : 1, s->places);
  VEC_PUSH(&fields, ((struct ir_field){.name = "_p", .type = at}));
  for (uint32_t i = 0; i < s->proc->locals.count; i++) {
    const struct pml_symbol *sym = s->proc->locals.data[i];
    if (s->field[i] >= 0)
      VEC_PUSH(&fields, ((struct ir_field){.name = sym->shown, .type = lower_symbol_type(w, sym)}));
  }
  if (s->priority_field >= 0)
    VEC_PUSH(&fields, ((struct ir_field){.name = "_priority", .type = w->u8}));
  for (uint32_t i = 0; i < lower_c_field_count(w, s->proc); i++)
    VEC_PUSH(&fields, lower_c_field(w, s->proc, i));
  const struct ir_type *t = ir_type_record(w->m, fields.data, (uint32_t)fields.count);
  VEC_CLEAR(&fields);
  struct ir_var *v = ir_var_new(w->m, s->shown, t, s->proc->span);
  v->is_location = true;
  v->agent = (int32_t)s->pid;
  s->var = v;
}

void lower_seat_variables(struct lower *w) {
  uint32_t most = 0, start = 0;
  bool moves = false;
  for (size_t i = 0; i < w->seats.count; i++) {
    struct seat *s = w->seats.data[i];
    most = s->pid + 1 > most ? s->pid + 1 : most;
    start += s->at_start;
    moves |= s->dies || !s->at_start;
  }
  static const struct span nowhere;
  w->nr_pr_value = start;
  if (moves) w->nr_pr = ir_var_new(w->m, "_nr_pr", ir_type_range(w->m, 0, most), nowhere);
  for (size_t i = 0; i < w->seats.count; i++) seat_variable(w, w->seats.data[i]);
}

// --- the start ---

static void start_globals(struct lower *w, struct ir_chain *out) {
  for (size_t i = 0; i < w->prog->globals.count; i++) {
    const struct pml_symbol *s = w->prog->globals.data[i];
    if (w->globals.data[i])
      lower_initialise(w, s, ir_var_ref(w->m, w->globals.data[i], s->span), out);
  }
}

static void start_processes(struct lower *w, struct ir_chain *out) {
  for (size_t i = 0; i < w->seats.count; i++) {
    const struct seat *s = w->seats.data[i];
    if (!s->at_start) continue;
    struct ir_expr **none = mem_zalloc(s->plan->param_count + 1, sizeof(*none));
    for (uint32_t j = 0; j < s->plan->param_count; j++) none[j] = lower_number(w, 0, s->proc->span);
    int64_t priority = s->proc->priority > 0 ? s->proc->priority : 1;
    lower_sit(w, s, none, priority, out, s->proc->span);
    mem_free(none);
  }
}

void lower_start(struct lower *w) {
  static const struct span nowhere;
  struct ir_rule *r = ir_rule_new(w->m, true, "start", nowhere);
  struct ir_chain out = {0};
  w->frame = &r->frame;
  for (size_t i = 0; i < w->m->vars.count; i++) {
    const struct ir_var *v = w->m->vars.data[i];
    if (v == w->nr_pr) continue;
    bool there = false; // its place is given below, and may have no 0
    for (size_t j = 0; j < w->seats.count; j++)
      there |= w->seats.data[j]->var == v && w->seats.data[j]->at_start;
    struct ir_expr *x = ir_var_ref(w->m, v, nowhere);
    if (!there) lower_zero(w, x, &out, nowhere);
    for (uint32_t k = 1; there && k < v->type->field_count; k++)
      lower_zero(w, ir_field(w->m, x, k, nowhere), &out, nowhere);
  }
  if (w->nr_pr)
    lower_assign(w, ir_var_ref(w->m, w->nr_pr, nowhere), lower_number(w, w->nr_pr_value, nowhere),
                 &out, nowhere);
  start_globals(w, &out);
  lower_c_start(w, &out);
  start_processes(w, &out);
  r->body = out.first;
}
