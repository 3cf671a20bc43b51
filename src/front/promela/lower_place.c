// SPDX-License-Identifier: Apache-2.0
// Where variables are: a name with its indices and fields becomes a place in the state, or, when
// the seat makes a constant of it, a value.
#include "front/promela/lower.h"

struct ir_expr *lower_at(struct lower *w, const struct seat *s) {
  return ir_field(w->m, ir_var_ref(w->m, s->var, s->proc->span), 0, s->proc->span);
}

struct ir_expr *lower_local(struct lower *w, const struct seat *s, const struct pml_symbol *sym,
                            struct span span) {
  if (s->field[sym->id] < 0) return lower_number(w, s->value[sym->id], span);
  struct ir_expr *var = ir_var_ref(w->m, s->var, span);
  return ir_field(w->m, var, (uint32_t)s->field[sym->id], span);
}

static struct ir_expr *builtin(struct lower *w, const struct pml_symbol *sym, struct span span) {
  switch (sym->builtin) {
  case PML_PID_VAR: return lower_number(w, w->seat ? w->seat->pid : 0, span);
  case PML_NR_PR:
    return w->nr_pr ? ir_var_ref(w->m, w->nr_pr, span) : lower_number(w, w->nr_pr_value, span);
  case PML_LAST: return ir_var_ref(w->m, w->last, span);
  case PML_PRIORITY:
    if (!w->seat || w->seat->priority_field < 0) return lower_number(w, 1, span);
    return ir_field(w->m, ir_var_ref(w->m, w->seat->var, span), (uint32_t)w->seat->priority_field,
                    span);
  case PML_SCRATCH:
  case PML_NOT_BUILTIN: break;
  }
  return lower_number(w, 0, span);
}

static struct ir_expr *subscript(struct lower *w, const struct ast_expr *e) {
  if (e->arg_count > 0 && e->args[0]) return lower_value(w, e->args[0]);
  return lower_number(w, 0, e->span);
}

// Names of channels that nobody overwrites are numbers, not variables.
static struct ir_expr *channel_number(struct lower *w, const struct ast_expr *e) {
  const struct pml_symbol *s = e->sym;
  uint32_t at = s->owner < 0 ? w->global_channel.data[s->id] : w->seat->channel[s->id];
  struct ir_expr *first = lower_number(w, w->channels.data[at].first, e->span);
  if (!s->is_array) return first;
  return lower_binary(w, IR_ADD, subscript(w, e), first, e->span);
}

bool lower_left_out(const struct pml_symbol *s) {
  if (s->builtin == PML_SCRATCH) return true;
  return s->owner < 0 && s->builtin == PML_NOT_BUILTIN && s->visibility == AST_HIDDEN && !s->read;
}

static struct ir_expr *root(struct lower *w, const struct ast_expr *e) {
  const struct pml_symbol *s = e->sym;
  int64_t v;
  if (!s) return lower_number(w, e->value, e->span);
  if (lower_left_out(s)) return lower_number(w, 0, e->span);
  if (s->builtin != PML_NOT_BUILTIN) return builtin(w, s, e->span);
  if (s->channel && !s->written) return channel_number(w, e);
  if (lower_static_symbol(w, s, &v)) return lower_number(w, v, e->span);
  struct ir_expr *x;
  if (s->owner < 0) {
    assert(w->globals.data[s->id]);
    x = ir_var_ref(w->m, w->globals.data[s->id], e->span);
  } else {
    assert(w->seat && (int32_t)w->seat->proc->number == s->owner);
    x = lower_local(w, w->seat, s, e->span);
  }
  return s->is_array ? lower_index(w, x, subscript(w, e), e->span) : x;
}

struct ir_expr *lower_place(struct lower *w, const struct ast_expr *e) {
  struct ir_expr *x = root(w, e);
  while (e->arg_count > 1 && e->args[1] && !(e->sym && lower_left_out(e->sym))) {
    e = e->args[1];
    x = ir_field(w->m, x, e->sym->id, e->span);
    if (e->sym->is_array) x = lower_index(w, x, subscript(w, e), e->span);
  }
  return x;
}

const struct pml_type *lower_place_type(const struct ast_expr *e, const struct pml_symbol **last) {
  while (e->arg_count > 1 && e->args[1]) e = e->args[1];
  if (last) *last = e->sym;
  return lower_element(e->sym);
}
