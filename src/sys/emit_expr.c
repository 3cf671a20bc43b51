// SPDX-License-Identifier: Apache-2.0
// Expressions as C. What emit_expr returns is free of effects and cannot fail; the checks come
// before it as statements, in the order of evaluation, inside an `if` where && would skip them.
#include "sys/emit.h"

#include <inttypes.h>
#include <string.h>

// --- subexpressions whose statements may have to be kept apart ---

struct part {
  struct text statements;
  const char *value;
};

// Emits x aside, so that the caller sees whether it needed statements.
static struct part aside(struct emit *e, const struct ir_expr *x, int indent) {
  struct part p = {0};
  struct text *out = e->out;
  e->out = &p.statements;
  e->indent += indent;
  p.value = emit_expr(e, x);
  e->indent -= indent;
  e->out = out;
  return p;
}

static void append(struct emit *e, struct part *p) {
  text_add(e->out, text_str(&p->statements));
  text_clear(&p->statements);
}

// result = value, below the part's statements, when `condition` holds.
static void assign_if(struct emit *e, const char *condition, struct part *p, const char *result) {
  emit_line(e, "if (%s) {", condition);
  append(e, p);
  e->indent++;
  emit_line(e, "%s = %s;", result, p->value);
  e->indent--;
  emit_line(e, "}");
}

// a && b, a || b, a -> b: the right side is evaluated only where the left does not decide.
static const char *short_circuit(struct emit *e, const struct ir_expr *x) {
  const char *a = emit_expr(e, x->args[0]);
  struct part b = aside(e, x->args[1], 1);
  if (x->op == IR_IMPLIES) a = emit_format(e, "!%s", a);
  if (b.statements.count == 0) {
    text_clear(&b.statements);
    return emit_format(e, x->op == IR_AND ? "(%s && %s)" : "(%s || %s)", a, b.value);
  }
  const char *t = emit_keep(e, a);
  assign_if(e, x->op == IR_AND ? t : emit_format(e, "!%s", t), &b, t);
  return t;
}

static const char *if_then_else(struct emit *e, const struct ir_expr *x) {
  const char *c = emit_expr(e, x->args[0]);
  struct part a = aside(e, x->args[1], 1), b = aside(e, x->args[2], 1);
  if (a.statements.count + b.statements.count == 0)
    return emit_format(e, "(%s ? %s : %s)", c, a.value, b.value);
  c = emit_simple(e, c);
  const char *t = emit_temp(e);
  emit_line(e, "int64_t %s = 0;", t);
  assign_if(e, c, &a, t);
  assign_if(e, emit_format(e, "!%s", c), &b, t);
  return t;
}

// --- comparison ---

static bool compares_unsigned(const struct ir_expr *x) {
  const struct ir_type *t = x->args[0]->type;
  return t->kind == IR_TYPE_INT && !t->is_signed && t->bits == 64;
}

static const char *comparison(struct emit *e, const struct ir_expr *x) {
  static const char *const names[] = {[IR_EQ] = "==", [IR_NE] = "!=", [IR_LT] = "<",
                                      [IR_LE] = "<=", [IR_GT] = ">",  [IR_GE] = ">="};
  const char *a = emit_expr(e, x->args[0]), *b = emit_expr(e, x->args[1]);
  if (x->op != IR_EQ && x->op != IR_NE && compares_unsigned(x))
    return emit_format(e, "((uint64_t)%s %s (uint64_t)%s)", a, names[x->op], b);
  return emit_format(e, "(%s %s %s)", a, names[x->op], b);
}

// Leaf by leaf; `same` becomes 0 at the first difference.
static void compare_places(struct emit *e, const struct emit_place *a, const struct emit_place *b,
                           const char *same) {
  if (ir_type_scalar(a->type)) {
    const char *x = emit_peek(e, a), *y = emit_peek(e, b);
    emit_line(e, "%s &= %s == %s;", same, x, y);
  } else if (a->type->kind == IR_TYPE_RECORD) {
    for (uint32_t i = 0; i < a->type->field_count; i++) {
      struct emit_place p = emit_place_field(a, i), q = emit_place_field(b, i);
      compare_places(e, &p, &q, same);
    }
  } else {
    const char *t = emit_temp(e);
    emit_line(e, "for (int64_t %s = 0; %s < %" PRIu64 "; %s++) {", t, t,
              ir_type_count(a->type->index), t);
    e->indent++;
    struct emit_place p = emit_place_element(*a, t), q = emit_place_element(*b, t);
    compare_places(e, &p, &q, same);
    e->indent--;
    emit_line(e, "}");
  }
}

static const char *compare_composites(struct emit *e, const struct ir_expr *x) {
  struct emit_place a = emit_place(e, x->args[0]), b = emit_place(e, x->args[1]);
  const char *same = emit_keep(e, "1");
  compare_places(e, &a, &b, same);
  return x->op == IR_EQ ? same : emit_format(e, "!%s", same);
}

// --- arithmetic ---

static bool is_s64(const struct ir_type *t) { return t->bits == 64 && t->is_signed; }

static const char *wrapped(struct emit *e, const struct ir_type *t, const char *value) {
  if (t->bits == 64) return emit_format(e, "(int64_t)(%s)", value);
  return emit_format(e, "fathom_wrap_%s(%s, %u)", t->is_signed ? "signed" : "unsigned", value,
                     t->bits);
}

// The exact result as an interval lies in the type: plain C arithmetic will do.
static bool never_overflows(const struct emit *e, const struct ir_expr *x) {
  const struct ir_type *t = x->type;
  if (t->bits == 64 && !t->is_signed) return false;
  struct emit_range a = emit_range(e, x->args[0]);
  struct emit_range b = x->arg_count > 1 ? emit_range(e, x->args[1]) : a;
  __int128 lo, hi;
  switch (x->op) {
  case IR_ADD: lo = a.lo + b.lo, hi = a.hi + b.hi; break;
  case IR_SUB: lo = a.lo - b.hi, hi = a.hi - b.lo; break;
  case IR_NEG: lo = -a.hi, hi = -a.lo; break;
  case IR_MUL: {
    __int128 p = a.lo < 0 ? -a.lo : a.lo, q = b.lo < 0 ? -b.lo : b.lo;
    if (a.hi > p) p = a.hi;
    if (b.hi > q) q = b.hi;
    lo = -p * q, hi = p * q;
    if (a.lo >= 0 && b.lo >= 0) lo = 0;
    break;
  }
  default: return false;
  }
  return lo >= t->lo && hi <= t->hi;
}

// ADD, SUB, MUL, and NEG as 0 - a.
static const char *arithmetic(struct emit *e, const struct ir_expr *x, const char *a,
                              const char *b) {
  const struct ir_type *t = x->type;
  const char *op = x->op == IR_ADD ? "+" : x->op == IR_MUL ? "*" : "-";
  if (never_overflows(e, x)) return emit_format(e, "((int64_t)%s %s %s)", a, op, b);
  if (!t->traps) return wrapped(e, t, emit_format(e, "(uint64_t)%s %s (uint64_t)%s", a, op, b));
  const char *name = x->op == IR_ADD ? "add" : x->op == IR_MUL ? "mul" : "sub";
  const char *type = t->bits == 64 && !t->is_signed ? "uint64_t" : "int64_t";
  const char *r = emit_temp(e);
  emit_line(e, "%s %s;", type, r);
  emit_fail_if(e,
               emit_format(e, "__builtin_%s_overflow((%s)%s, (%s)%s, &%s)", name, type, a, type, b,
                           r),
               x->site);
  if (t->bits < 64) emit_fail_if(e, emit_outside(e, t, r), x->site);
  return is_s64(t) || t->bits < 64 ? r : emit_format(e, "(int64_t)%s", r);
}

static const char *division(struct emit *e, const struct ir_expr *x) {
  const struct ir_type *t = x->type;
  const char *a = emit_expr(e, x->args[0]), *b = emit_expr(e, x->args[1]);
  const char *op = x->op == IR_DIV ? "/" : "%%";
  struct emit_range divisor = emit_range(e, x->args[1]), dividend = emit_range(e, x->args[0]);
  b = emit_simple(e, b);
  if (divisor.lo <= 0 && divisor.hi >= 0) emit_fail_if(e, emit_format(e, "%s == 0", b), x->site);
  if (t->bits == 64 && !t->is_signed)
    return emit_format(e, x->op == IR_DIV ? "(int64_t)((uint64_t)%s / (uint64_t)%s)"
                                          : "(int64_t)((uint64_t)%s %% (uint64_t)%s)",
                       a, b);
  if (t->is_signed && dividend.lo <= t->lo && divisor.lo <= -1 && divisor.hi >= -1) {
    a = emit_simple(e, a);
    return emit_format(e, "fathom_divide_%s", op); // replaced below
  }
  return emit_format(e, x->op == IR_DIV ? "((int64_t)%s / %s)" : "((int64_t)%s %% %s)", a, b);
}
