// SPDX-License-Identifier: Apache-2.0
// Creation and death. SPIN's process numbers are a stack: a new process gets the lowest number that
// is free, and only the youngest may die. A `run` that no seat is planned for, or whose arguments
// are not the planned constants, fails with IR_FAULT_PLAN; what it would have needed is printed
// just before, and read from there (plan.c).
#include "front/promela/lower.h"

// --- initial values ---

struct initial {
  struct lower *w;
  struct ir_chain *out;
  uint32_t channel; // the next one that is declared
};

static void initialise(struct initial *n, const struct pml_symbol *s, struct ir_expr *place);

static void initialise_one(struct initial *n, const struct pml_symbol *s, uint32_t i,
                           struct ir_expr *place) {
  struct lower *w = n->w;
  struct ir_expr *v = NULL;
  if (s->type.base == AST_STRUCT) {
    const struct pml_struct *t = s->type.fields;
    for (uint32_t k = 0; k < t->field_count; k++)
      initialise(n, t->fields[k], ir_field(w->m, place, k, t->fields[k]->span));
    return;
  }
  if (s->channel)
    v = lower_number(w, w->channels.data[n->channel].first + i, s->span);
  else if (s->owner < 0 && s->kind != PML_FIELD && !s->is_array)
    v = lower_number(w, w->initial.data[s->id], s->span);
  else if (s->init_count)
    v = lower_value(w, s->init[i < s->init_count ? i : s->init_count - 1]);
  if (v && (v->op != IR_CONST || v->value != 0))
    lower_assign(w, place, lower_fit(w, lower_element(s), v), n->out, s->span);
}

static void initialise(struct initial *n, const struct pml_symbol *s, struct ir_expr *place) {
  struct lower *w = n->w;
  bool needed = s->init_count || s->channel || s->type.base == AST_STRUCT;
  if (!s->is_array) initialise_one(n, s, 0, place);
  for (uint32_t i = 0; s->is_array && needed && i < s->length; i++)
    initialise_one(n, s, i, lower_index(w, place, lower_number(w, i, s->span), s->span));
  n->channel += s->channel != NULL;
}

void lower_initialise(struct lower *w, const struct pml_symbol *s, struct ir_expr *place,
                      struct ir_chain *out) {
  struct initial n = {.w = w, .out = out};
  n.channel = s->owner < 0 ? w->global_channel.data[s->id] : w->seat->channel[s->id];
  initialise(&n, s, place);
}

// --- sitting down ---

// The scalars of a structure come as arguments of their own.
static void receive_structure(struct lower *w, const struct pml_type *t, struct ir_expr *place,
                              struct ir_expr *const **args, struct ir_chain *out,
                              struct span span) {
  if (t->base != AST_STRUCT) {
    lower_assign(w, place, lower_fit(w, t, *(*args)++), out, span);
    return;
  }
  for (uint32_t i = 0; i < t->fields->field_count; i++) {
    const struct pml_symbol *f = t->fields->fields[i];
    struct ir_expr *part = ir_field(w->m, place, i, span);
    for (uint32_t k = 0; f->is_array && k < f->length; k++)
      receive_structure(w, lower_element(f), lower_index(w, part, lower_number(w, k, span), span),
                        args, out, span);
    if (!f->is_array) receive_structure(w, &f->type, part, args, out, span);
  }
}

uint32_t lower_arg_count(struct lower *w, const struct pml_symbol *param) {
  return (uint32_t)lower_scalar_type(w, &param->type)->leaves;
}

void lower_sit(struct lower *w, const struct seat *s, struct ir_expr *const *args, int64_t priority,
               struct ir_chain *out, struct span span) {
  const struct seat *outer = w->seat;
  w->seat = s;
  const struct pml_proc *p = s->proc;
  for (uint32_t i = 0; i < p->locals.count; i++) {
    const struct pml_symbol *sym = p->locals.data[i];
    bool is_param = i < p->param_count;
    if (s->field[i] < 0) {
      args += is_param;
      continue;
    }
    struct ir_expr *place = lower_local(w, s, sym, span);
    if (is_param)
      receive_structure(w, &sym->type, place, &args, out, span);
    else
      lower_initialise(w, sym, place, out);
  }
  if (s->priority_field >= 0) {
    struct ir_expr *var = ir_var_ref(w->m, s->var, span);
    lower_assign(w, ir_field(w->m, var, (uint32_t)s->priority_field, span),
                 lower_number(w, priority & 255, span), out, span);
  }
  lower_c_sit(w, s, out);
  lower_assign(w, lower_at(w, s), lower_number(w, s->place[p->graph.start], span), out, span);
  w->seat = outer;
}

// --- run ---

static struct ir_expr *nr_pr(struct lower *w, struct span span) {
  return w->nr_pr ? ir_var_ref(w->m, w->nr_pr, span) : lower_number(w, w->nr_pr_value, span);
}

// "plan 3 5 17 2": proctype, pid, arguments.
static void unplanned(struct lower *w, const struct ast_expr *run, struct ir_expr *const *args,
                      struct ir_chain *out) {
  VEC(struct ir_print) parts = {0};
  const char *begin = arena_printf(w->m->arena, PLAN_MARK "%u ", run->index);
  VEC_PUSH(&parts, ((struct ir_print){.literal = begin}));
  VEC_PUSH(&parts, ((struct ir_print){.expr = lower_int32(w, nr_pr(w, run->span))}));
  for (uint32_t i = 0; i < run->arg_count; i++) {
    VEC_PUSH(&parts, ((struct ir_print){.literal = " "}));
    VEC_PUSH(&parts, ((struct ir_print){.expr = lower_int32(w, args[i])}));
  }
  ir_chain_add(out, ir_print(w->m, parts.data, (uint32_t)parts.count, run->span));
  VEC_CLEAR(&parts);
  lower_fail(w, IR_FAULT_PLAN, "a process that the plan does not foresee", out, run->span);
}

// The arguments are what the seat has as constants.
static struct ir_expr *as_planned(struct lower *w, const struct seat *s,
                                  struct ir_expr *const *args) {
  struct ir_expr *x = lower_true(w);
  for (uint32_t i = 0; i < s->proc->param_count; i++) {
    const struct pml_symbol *sym = s->proc->locals.data[i];
    if (s->field[i] < 0)
      x = lower_and(w, x, lower_equal(w, lower_fit(w, &sym->type, *args), s->value[i]));
    args += lower_arg_count(w, sym);
  }
  return x;
}

void lower_run(struct lower *w, const struct ast_expr *run, struct ir_chain *out) {
  struct span span = run->span;
  struct ir_expr **args = mem_zalloc(run->arg_count + 1, sizeof(*args));
  for (uint32_t i = 0; i < run->arg_count; i++) args[i] = lower_value(w, run->args[i]);
  struct ir_chain rest = {0};
  unplanned(w, run, args, &rest);
  const struct pml_proc *proc = w->prog->procs.data[run->index];
  int64_t priority = run->value > 0 ? run->value : 1;
  for (size_t i = w->seats.count; i-- > 0;) {
    const struct seat *s = w->seats.data[i];
    if (s->proc != proc || s == w->seat) continue;
    struct ir_expr *fits = lower_equal(w, nr_pr(w, span), s->pid);
    fits = lower_and(w, fits, as_planned(w, s, args));
    if (lower_is_false(fits)) continue;
    struct ir_chain body = {0}, next = {0};
    lower_sit(w, s, args, priority, &body, span);
    ir_chain_add(&next, ir_if(w->m, fits, body.first, rest.first, span));
    rest = next;
  }
  ir_chain_add(out, rest.first);
  mem_free(args);
}

void lower_created(struct lower *w, struct ir_chain *out, struct span span) {
  if (!w->nr_pr) return;
  struct ir_expr *n = ir_var_ref(w->m, w->nr_pr, span);
  lower_assign(w, n, lower_binary(w, IR_ADD, n, lower_number(w, 1, span), span), out, span);
}

// --- death ---

void lower_death(struct lower *w, const struct seat *s, struct ir_chain *out) {
  struct span span = s->proc->span;
  lower_zero(w, ir_var_ref(w->m, s->var, span), out, span);
  for (size_t i = 0; i < w->channels.count; i++) {
    const struct channel *c = &w->channels.data[i];
    if (c->seat == s && c->var) lower_zero(w, ir_var_ref(w->m, c->var, span), out, span);
  }
  lower_assign(w, ir_var_ref(w->m, w->nr_pr, span), lower_number(w, s->pid, span), out, span);
}
