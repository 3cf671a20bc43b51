// SPDX-License-Identifier: Apache-2.0
// What can be said of an expression before there is a state: names that nobody writes are their
// initial values, a process's number is its seat's, a planned parameter is what the plan says.
#include "front/promela/lower.h"

bool lower_static_symbol(const struct lower *w, const struct pml_symbol *s, int64_t *value) {
  if (s->builtin == PML_PID_VAR && w->seat) {
    *value = w->seat->pid;
    return true;
  }
  if (s->builtin != PML_NOT_BUILTIN || s->kind == PML_FIELD) return false;
  if (s->owner >= 0) {
    const struct seat *seat = w->seat;
    if (!seat || (int32_t)seat->proc->number != s->owner || seat->field[s->id] >= 0) return false;
    *value = seat->value[s->id];
    return true;
  }
  if (s->type.base == AST_STRUCT || s->is_array) return false;
  if (s->written && !w->initialising) return false;
  if (s->channel) {
    if (s->id >= w->global_channel.count) return false;
    *value = w->channels.data[w->global_channel.data[s->id]].first;
    return true;
  }
  *value = w->initial.data[s->id];
  return true;
}

// SPIN goes by types, and only then in the order in which they are declared.
static const enum ast_base order[] = {AST_UNSIGNED, AST_BIT,   AST_BYTE,  AST_PID,
                                      AST_CHAN,     AST_MTYPE, AST_SHORT, AST_INT};

static bool same_turn(enum ast_base a, enum ast_base b) {
  return a == b || (a == AST_PID && b == AST_BYTE);
}

void lower_initial_values(struct lower *w) {
  size_t n = w->prog->globals.count;
  for (size_t i = 0; i < n; i++) VEC_PUSH(&w->initial, 0);
  w->initialising = true;
  for (size_t turn = 0; turn < sizeof order / sizeof *order; turn++) {
    for (size_t i = 0; order[turn] != AST_PID && i < n; i++) {
      const struct pml_symbol *s = w->prog->globals.data[i];
      int64_t v = 0;
      if (!same_turn(s->type.base, order[turn]) || s->is_array || s->init_count == 0) continue;
      if (lower_static(w, s->init[0], &v)) w->initial.data[i] = lower_fit_value(&s->type, v);
    }
  }
  w->initialising = false;
}

// A name of an array of channels that nobody overwrites stands for consecutive numbers.
static bool static_channel(const struct lower *w, const struct ast_expr *e, int64_t *value) {
  const struct pml_symbol *s = e->sym;
  int64_t i;
  if (!s->channel || !s->is_array || s->written || s->kind == PML_FIELD) return false;
  if (!e->args[0] || !lower_static(w, e->args[0], &i) || i < 0 || i >= s->length) return false;
  const struct seat *seat = w->seat;
  if (s->owner >= 0 && (!seat || (int32_t)seat->proc->number != s->owner)) return false;
  if (s->owner < 0 && s->id >= w->global_channel.count) return false;
  uint32_t at = s->owner < 0 ? w->global_channel.data[s->id] : seat->channel[s->id];
  *value = w->channels.data[at].first + i;
  return true;
}

static bool static_binary(enum ast_op op, int64_t a, int64_t b, int64_t *v) {
  if ((op == AST_DIV || op == AST_MOD) && (b == 0 || (a == INT32_MIN && b == -1))) return false;
  switch (op) {
  case AST_ADD: *v = (int32_t)(a + b); return true;
  case AST_SUB: *v = (int32_t)(a - b); return true;
  case AST_MUL: *v = (int32_t)(a * b); return true;
  case AST_DIV: *v = a / b; return true;
  case AST_MOD: *v = a % b; return true;
  case AST_BITAND: *v = a & b; return true;
  case AST_BITOR: *v = a | b; return true;
  case AST_BITXOR: *v = a ^ b; return true;
  case AST_SHL: *v = (int32_t)((uint32_t)a << (b & 31)); return true;
  case AST_SHR: *v = a >> (b & 31); return true;
  case AST_LT: *v = a < b; return true;
  case AST_LE: *v = a <= b; return true;
  case AST_GT: *v = a > b; return true;
  case AST_GE: *v = a >= b; return true;
  case AST_EQ: *v = a == b; return true;
  case AST_NE: *v = a != b; return true;
  case AST_AND: *v = a && b; return true;
  case AST_OR: *v = a || b; return true;
  default: return false;
  }
}

static bool static_logic(const struct lower *w, const struct ast_expr *e, int64_t *value) {
  int64_t a;
  if (!lower_static(w, e->args[0], &a)) return false;
  bool decided = e->op == AST_AND ? a == 0 : a != 0;
  if (decided) *value = a != 0;
  if (decided) return true;
  if (!lower_static(w, e->args[1], value)) return false;
  *value = *value != 0;
  return true;
}

bool lower_static(const struct lower *w, const struct ast_expr *e, int64_t *value) {
  int64_t a, b;
  switch (e->op) {
  case AST_CONST: *value = (int32_t)e->value; return true;
  case AST_REF:
    if (!e->sym) {
      *value = e->value;
      return true;
    }
    if (e->arg_count > 1 && e->args[1]) return false;
    if (e->arg_count > 0 && e->args[0]) return static_channel(w, e, value);
    return lower_static_symbol(w, e->sym, value);
  case AST_EVAL: return lower_static(w, e->args[0], value);
  case AST_NOT:
    if (!lower_static(w, e->args[0], &a)) return false;
    *value = !a;
    return true;
  case AST_NEG:
    if (!lower_static(w, e->args[0], &a)) return false;
    *value = (int32_t)-a;
    return true;
  case AST_BITNOT:
    if (!lower_static(w, e->args[0], &a)) return false;
    *value = (int32_t)~a;
    return true;
  case AST_AND:
  case AST_OR: return static_logic(w, e, value);
  case AST_COND:
    return lower_static(w, e->args[0], &a) && lower_static(w, e->args[a ? 1 : 2], value);
  default:
    if (e->op < AST_ADD || e->op > AST_OR) return false;
    return lower_static(w, e->args[0], &a) && lower_static(w, e->args[1], &b) &&
           static_binary(e->op, a, b, value);
  }
}
