// SPDX-License-Identifier: Apache-2.0
// Rules: one that makes the initial states, and one for each process (a synchronous model is one).
// Values of the next state are locals until the end, when all variables get theirs at once.
#include "front/smv/lower.h"

static void add(struct smv_lower *w, struct ir_stmt *s) { ir_chain_add(&w->scope->chain, s); }

static const char *misfit(struct smv_lower *w, const struct smv_symbol *x,
                          const struct smv_expr *e) {
  return arena_printf(w->arena, "cannot assign %s to variable %s", smv_text(w->arena, e), x->name);
}

// --- computed values ---

static const struct ir_local *put(struct smv_lower *w, const char *name, const struct ir_type *t,
                                  struct ir_expr *value, struct span span, const char *message) {
  struct ir_local *l = ir_local_new(w->m, w->scope->frame, IR_LOCAL_PLAIN, name, t, span);
  struct ir_stmt *s = ir_assign(w->m, ir_local_ref(w->m, l, span), value, span);
  w->m->sites.data[s->site].message = arena_strdup(w->m->arena, message);
  add(w, s);
  return l;
}

// A constant outside of the type is an error of the model.
static void check_constant(struct smv_lower *w, const struct smv_symbol *x,
                           const struct ir_expr *value, struct span span) {
  int64_t v;
  const struct ir_type *t = w->known->types[x->id];
  if (!ir_expr_const(value, &v) || ir_type_has(t, v)) return;
  struct text shown = {0};
  ir_type_print_value(&shown, value->type, v);
  diag_error(w->d, span, "cannot assign value %s to variable %s", text_str(&shown), x->name);
  text_clear(&shown);
}

static void compute(struct smv_lower *w, const struct smv_symbol *x) {
  struct smv_unknown *u = &w->scope->unknowns[x->id];
  const struct ir_type *type = w->known->types[x->id];
  const char *message = misfit(w, x, u->expr);
  char *name = w->scope->unknown == TIME_NEXT ? arena_printf(w->arena, "next(%s)", x->name)
                                              : arena_printf(w->arena, "init(%s)", x->name);
  struct ir_expr *value = smv_value_as(w, u->expr, u->time, smv_symbol_kind(w, x));
  bool fits = type->kind == IR_TYPE_BOOL || type->kind == IR_TYPE_INT;
  if (!u->restricts) check_constant(w, x, value, u->expr->span);
  if (u->restricts && !fits) {
    const struct ir_local *l = put(w, arena_printf(w->arena, "value of %s", x->name),
                                   w->m->int_type, value, u->span, message);
    add(w,
        ir_assume(w->m, ir_ismember(w->m, ir_local_ref(w->m, l, u->span), type, u->span), u->span));
    value = ir_local_ref(w->m, l, u->span);
  }
  u->local = put(w, name, type, value, u->span, message);
}

struct ir_expr *smv_unknown_value(struct smv_lower *w, const struct smv_symbol *x,
                                  struct span span) {
  struct smv_unknown *u = &w->scope->unknowns[x->id];
  if (u->how == HOW_STAYS) return ir_var_ref(w->m, w->known->vars[x->id], span);
  if (!u->local) compute(w, x);
  return ir_local_ref(w->m, u->local, span);
}

// --- conditions ---

static void assume_member(struct smv_lower *w, const struct smv_symbol *x) {
  const struct smv_unknown *u = &w->scope->unknowns[x->id];
  struct ir_expr *fits = smv_set_fits(w, u->expr, u->time, w->known->types[x->id]);
  if (fits) add(w, ir_assert(w->m, fits, IR_FAULT_RANGE, misfit(w, x, u->expr), u->span));
  struct smv_tested tested = {.local = u->local, .kind = smv_symbol_kind(w, x)};
  struct ir_expr *in = smv_in(w, &tested, u->expr, u->time);
  add(w, ir_assume(w->m, in, u->span));
}

static void assume(struct smv_lower *w, const struct smv_condition *c) {
  if (!c->expr) return assume_member(w, c->symbol);
  struct ir_expr *x = smv_truth(w, c->expr, c->time);
  if (c->negated) x = ir_unary(w->m, IR_NOT, x, c->expr->span);
  add(w, ir_assume(w->m, x, c->expr->span));
}

// --- the end of a step ---

static void assign_all(struct smv_lower *w) {
  const struct smv_scope *s = w->scope;
  for (size_t i = 0; i < w->flat->symbols.count; i++) {
    const struct ir_var *v = w->known->vars[i];
    const struct smv_unknown *u = &s->unknowns[i];
    if (!v || !u->local) continue;
    struct ir_expr *value = ir_local_ref(w->m, u->local, u->span);
    add(w, ir_assign(w->m, ir_var_ref(w->m, v, u->span), value, u->span));
  }
}

// Inputs are no part of the state: a trace tells them as what the step prints.
static void print_inputs(struct smv_lower *w) {
  for (size_t i = 0; i < w->flat->symbols.count; i++) {
    const struct smv_symbol *x = w->flat->symbols.data[i];
    const struct ir_local *l = w->scope->unknowns[i].local;
    if (x->kind != SMV_INPUT || !l) continue;
    struct ir_print parts[] = {{.literal = arena_printf(w->arena, "%s = ", x->name)},
                               {.expr = ir_local_ref(w->m, l, x->span)}};
    add(w, ir_print(w->m, parts, 2, x->span));
  }
}

static void lower_rule(struct smv_lower *w, struct ir_rule *r, uint32_t process) {
  struct smv_scope s = {.rule = r,
                        .unknown = r->is_start ? TIME_NOW : TIME_NEXT,
                        .process = process,
                        .frame = &r->frame};
  w->scope = &s;
  size_t errors = w->d->errors;
  smv_plan(w, &s);
  smv_order(w, &s);
  if (w->d->errors == errors) {
    for (size_t i = 0; i < s.conditions.count; i++) assume(w, &s.conditions.data[i]);
    for (size_t i = 0; i < w->flat->symbols.count; i++)
      if (s.unknowns[i].how == HOW_COMPUTED && !s.unknowns[i].local)
        compute(w, w->flat->symbols.data[i]);
    assign_all(w);
    print_inputs(w);
    r->body = s.chain.first;
  }
  VEC_CLEAR(&s.conditions);
  w->scope = NULL;
}

// What the trace shows of a step: who moves. The values chosen are those of the next state.
static void add_line(struct smv_lower *w, struct ir_rule *r) {
  r->lines = ARENA_NEW(w->m->arena, struct ir_line);
  r->lines[0] = (struct ir_line){.text = r->name, .span = r->span, .process = "", .agent = -1};
  r->line_count = 1;
}

// A process is found where its first assignment stands; the step of all is nowhere in particular.
static struct span span_of(const struct smv_lower *w, uint32_t process) {
  const struct smv_flat *f = w->flat;
  for (size_t i = 0; i < f->assigns.count && f->processes.count > 1; i++)
    if (f->assigns.data[i].process == process) return f->assigns.data[i].span;
  return (struct span){0};
}

void smv_lower_rules(struct smv_lower *w) {
  const struct smv_flat *f = w->flat;
  bool async = f->processes.count > 1;
  struct ir_rule *start = ir_rule_new(w->m, true, "init", (struct span){0});
  lower_rule(w, start, UINT32_MAX);
  for (uint32_t i = 0; i < f->processes.count; i++) {
    const char *name = async ? f->processes.data[i] : "step";
    struct ir_rule *r = ir_rule_new(w->m, false, name, span_of(w, i));
    r->agent = async ? (int32_t)i : -1;
    lower_rule(w, r, i);
    add_line(w, r);
  }
}
