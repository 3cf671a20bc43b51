// SPDX-License-Identifier: Apache-2.0
// Expressions as C. What emit_expr returns is free of effects and cannot fail; the checks come
// before it as statements, in the order of evaluation, inside an `if` where && would skip them.
#include "sys/emit.h"

#include <inttypes.h>
#include <string.h>

enum { TEXT_MAX = 600 }; // characters of one C expression, beyond which it gets a name

// --- subexpressions whose statements may have to be kept apart ---

struct part {
  struct text statements;
  const char *value;
};

// Emits x aside, so that the caller sees whether it needed statements.
static struct part aside(struct emit *e, const struct ir_expr *x) {
  struct part p = {0};
  struct text *out = e->out;
  e->out = &p.statements;
  e->indent++;
  p.value = emit_expr(e, x);
  e->indent--;
  e->out = out;
  return p;
}

static void append(struct emit *e, struct part *p) {
  text_add(e->out, text_str(&p->statements));
  text_clear(&p->statements);
}

// if (condition) { the part's statements; result = its value; }
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
  struct part b = aside(e, x->args[1]);
  if (x->op == IR_IMPLIES) a = emit_format(e, "!%s", a);
  if (b.statements.count == 0)
    return emit_format(e, "(%s %s %s)", a, x->op == IR_AND ? "&&" : "||", b.value);
  const char *t = emit_keep(e, a);
  assign_if(e, x->op == IR_AND ? t : emit_format(e, "!%s", t), &b, t);
  return t;
}

static const char *if_then_else(struct emit *e, const struct ir_expr *x) {
  const char *c = emit_expr(e, x->args[0]);
  struct part a = aside(e, x->args[1]), b = aside(e, x->args[2]);
  if (a.statements.count + b.statements.count == 0)
    return emit_format(e, "(%s ? (int64_t)%s : %s)", c, a.value, b.value);
  c = emit_simple(e, c);
  const char *t = emit_keep(e, "0");
  assign_if(e, c, &a, t);
  assign_if(e, emit_format(e, "!%s", c), &b, t);
  return t;
}

// --- comparison ---

// A leaf and a constant: by code.
static const char *leaf_comparison(struct emit *e, const struct ir_expr *x, const char *op) {
  const struct ir_expr *a = x->args[0];
  int64_t value;
  if (!ir_expr_lvalue(a) || !ir_expr_const(x->args[1], &value)) return NULL;
  if (emit_is_u64(a->type) || emit_is_u64(x->args[1]->type)) return NULL;
  struct emit_place p = emit_place(e, a);
  const char *short_form = emit_compare_code(e, &p, op, value, a->site + (a->op == IR_INDEX));
  if (short_form) return short_form;
  uint32_t site = emit_always_defined(e, a) ? 0 : a->site + (a->op == IR_INDEX);
  return emit_format(e, "(%s %s %s)", emit_read(e, &p, site), op, emit_number(e, value));
}

static const char *comparison(struct emit *e, const struct ir_expr *x, enum ir_op as) {
  static const char *const names[] = {
      [IR_EQ] = "==", [IR_NE] = "!=", [IR_LT] = "<", [IR_LE] = "<=", [IR_GT] = ">", [IR_GE] = ">="};
  const char *with_constant = leaf_comparison(e, x, names[as]);
  if (with_constant) return with_constant;
  const char *a = emit_expr(e, x->args[0]), *b = emit_expr(e, x->args[1]), *op = names[as];
  bool u = emit_is_u64(x->args[0]->type), v = emit_is_u64(x->args[1]->type);
  if (u != v) // a bit pattern and a number
    return emit_format(e, "((__int128)(%s)%s %s (__int128)(%s)%s)", u ? "uint64_t" : "int64_t", a,
                       op, v ? "uint64_t" : "int64_t", b);
  if (u) return emit_format(e, "((uint64_t)%s %s (uint64_t)%s)", a, op, b);
  return emit_format(e, "(%s %s %s)", a, op, b);
}

// Leaf by leaf; `same` becomes 0 at a difference.
static void compare_places(struct emit *e, const struct emit_place *a, const struct emit_place *b,
                           const char *same) {
  if (ir_type_scalar(a->type)) {
    const char *v = emit_peek(e, a), *w = emit_peek(e, b);
    emit_line(e, "%s &= %s == %s;", same, v, w);
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

static const char *wrapped(struct emit *e, const struct ir_type *t, const char *value) {
  if (t->bits == 64) return emit_format(e, "(int64_t)(%s)", value);
  return emit_format(e, "fathom_wrap_%s(%s, %u)", t->is_signed ? "signed" : "unsigned", value,
                     t->bits);
}

static const char *c_type(const struct ir_type *t) {
  return emit_is_u64(t) ? "uint64_t" : "int64_t";
}

// Traps: the builtins work on the operands' own types without any overflow in between.
static const char *trapping(struct emit *e, const struct ir_expr *x, const char *name,
                            const char *a, const char *b) {
  const char *r = emit_temp(e), *first = c_type(x->args[0]->type);
  const char *second = x->arg_count > 1 ? c_type(x->args[1]->type) : first;
  emit_line(e, "%s %s;", c_type(x->type), r);
  emit_fail_if(
      e, emit_format(e, "__builtin_%s_overflow((%s)%s, (%s)%s, &%s)", name, first, a, second, b, r),
      x->site);
  if (x->type->bits < 64) emit_fail_if(e, emit_outside(e, x->type, r), x->site);
  return emit_is_u64(x->type) ? emit_format(e, "(int64_t)%s", r) : r;
}

// ADD, SUB, MUL, and NEG as 0 - a.
static const char *arithmetic(struct emit *e, const struct ir_expr *x) {
  const char *a = "0", *b = emit_expr(e, x->args[0]);
  if (x->op != IR_NEG) a = b, b = emit_expr(e, x->args[1]);
  const char *op = x->op == IR_ADD ? "+" : x->op == IR_MUL ? "*" : "-";
  if (!emit_is_u64(x->type) && emit_never_overflows(e, x))
    return emit_format(e, "((int64_t)%s %s %s)", a, op, b);
  if (x->type->traps)
    return trapping(e, x, x->op == IR_ADD ? "add" : x->op == IR_MUL ? "mul" : "sub", a, b);
  return wrapped(e, x->type, emit_format(e, "(uint64_t)%s %s (uint64_t)%s", a, op, b));
}

// Of a dividend and a divisor of which one is a bit pattern: the evaluator's own arithmetic.
static const char *mixed_division(struct emit *e, const struct ir_expr *x, const char *a,
                                  const char *b) {
  const char *q = emit_temp(e), *wide = emit_temp(e), *over = emit_temp(e);
  const struct ir_type *t = x->type;
  emit_line(e, "const __int128 %s = (%s)%s, %s = (%s)%s;", wide, c_type(x->args[0]->type), a, over,
            c_type(x->args[1]->type), b);
  emit_line(e, "const __int128 %s = %s / %s;", q, wide, over);
  if (t->traps)
    emit_fail_if(e,
                 emit_format(e, "%s < (%s)%s || %s > (%s)%s", q, c_type(t), emit_number(e, t->lo),
                             q, c_type(t), emit_number(e, t->hi)),
                 x->site + 1);
  const char *r = x->op == IR_DIV ? q : emit_format(e, "(%s - %s * %s)", wide, q, over);
  return wrapped(e, t, emit_format(e, "(uint64_t)%s", r));
}

static const char *division(struct emit *e, const struct ir_expr *x) {
  const struct ir_type *t = x->type;
  const char *a = emit_expr(e, x->args[0]), *b = emit_simple(e, emit_expr(e, x->args[1]));
  const char *op = x->op == IR_DIV ? "/" : "%";
  struct emit_range p = emit_range(e, x->args[0]), q = emit_range(e, x->args[1]);
  bool first = emit_is_u64(x->args[0]->type), second = emit_is_u64(x->args[1]->type);
  if (q.lo <= 0 && q.hi >= 0) emit_fail_if(e, emit_format(e, "%s == 0", b), x->site);
  if (first != second) return mixed_division(e, x, a, b);
  if (first) return wrapped(e, t, emit_format(e, "(uint64_t)%s %s (uint64_t)%s", a, op, b));
  if (q.lo > -1 || q.hi < -1 || p.lo > t->lo)
    return emit_format(e, "((int64_t)%s %s %s)", a, op, b);
  a = emit_simple(e, a); // the smallest value divided by -1 leaves the type
  if (t->traps) {
    const char *lo = emit_number(e, t->lo);
    emit_fail_if(e, emit_format(e, "%s == %s && %s == -1", a, lo, b), x->site + 1);
    return emit_format(e, "(%s %s %s)", a, op, b);
  }
  if (x->op == IR_MOD) return emit_format(e, "(%s == -1 ? 0 : %s %% %s)", b, a, b);
  return wrapped(e, t,
                 emit_format(e, "%s == -1 ? 0 - (uint64_t)%s : (uint64_t)(%s / %s)", b, a, a, b));
}

static const char *bitwise(struct emit *e, const struct ir_expr *x) {
  const char *op = x->op == IR_BITAND ? "&" : x->op == IR_BITOR ? "|" : "^";
  const char *a = emit_expr(e, x->args[0]), *b = emit_expr(e, x->args[1]);
  return wrapped(e, x->type, emit_format(e, "(uint64_t)%s %s (uint64_t)%s", a, op, b));
}

static const char *shift(struct emit *e, const struct ir_expr *x) {
  const char *a = emit_expr(e, x->args[0]), *b = emit_expr(e, x->args[1]);
  return emit_format(e, "fathom_shift(%s, %s, %u, %s, %s)", a, b, x->type->bits,
                     x->type->is_signed ? "true" : "false", x->op == IR_SHL ? "true" : "false");
}

static const char *cast(struct emit *e, const struct ir_expr *x) {
  const struct ir_type *t = x->type;
  bool pattern = emit_is_u64(x->args[0]->type);
  if (!pattern && !emit_is_u64(t) && emit_fits(e, x->args[0], t)) return emit_expr(e, x->args[0]);
  const char *a = emit_simple(e, emit_expr(e, x->args[0]));
  if (!t->traps) return wrapped(e, t, emit_format(e, "(uint64_t)%s", a));
  if (pattern != emit_is_u64(t)) emit_fail_if(e, emit_format(e, "%s < 0", a), x->site);
  if (!emit_fits(e, x->args[0], t)) emit_fail_if(e, emit_outside(e, t, a), x->site);
  return a;
}

// --- loops ---

// for (l = lo; l <= hi; l += step) with constants that do not overflow; false when they might.
static bool constant_loop(struct emit *e, const char *l, const struct ir_domain *d) {
  int64_t lo, hi, step = 1;
  if (d->type) {
    if (!emit_type_contiguous(d->type)) return false;
    lo = d->type->lo, hi = d->type->hi;
  } else {
    if (!ir_expr_const(d->lo, &lo) || !ir_expr_const(d->hi, &hi)) return false;
    if (d->step && !ir_expr_const(d->step, &step)) return false;
    if (step <= 0) return false;
  }
  if (lo > hi || hi > INT64_MAX - step) return false;
  const char *next = step == 1 ? "++" : emit_format(e, " += %s", emit_number(e, step));
  emit_line(e, "for (int64_t %s = %s; %s <= %s; %s%s) {", l, emit_number(e, lo), l,
            emit_number(e, hi), l, next);
  return true;
}

static void type_loop(struct emit *e, const char *l, const struct ir_type *t) {
  const char *rank = emit_temp(e);
  emit_line(e, "for (uint64_t %s = 0; %s < UINT64_C(%" PRIu64 "); %s++) {", rank, rank,
            ir_type_count(t), rank);
  emit_line(e, "  const int64_t %s = %s;", l, emit_value_of_rank(e, t, rank));
}

static void range_loop(struct emit *e, const char *l, const struct ir_domain *d, uint32_t site) {
  const char *lo = emit_keep(e, emit_expr(e, d->lo));
  const char *hi = emit_keep(e, emit_expr(e, d->hi));
  const char *step =
      d->step ? emit_expr(e, d->step) : emit_format(e, "(%s >= %s ? 1 : -1)", hi, lo);
  step = emit_keep(e, step);
  if (d->step) emit_fail_if(e, emit_format(e, "fathom_bad_step(%s, %s, %s)", lo, hi, step), site);
  const char *i = emit_temp(e), *rounds = emit_temp(e);
  emit_line(e, "const uint64_t %s = fathom_rounds(%s, %s, %s);", rounds, lo, hi, step);
  emit_line(e, "for (uint64_t %s = 0; %s <= %s; %s++) {", i, i, rounds, i);
  emit_line(e, "  const int64_t %s = (int64_t)((uint64_t)%s + %s * (uint64_t)%s);", l, lo, i, step);
}

void emit_loop_open(struct emit *e, const struct ir_local *l, const struct ir_domain *d,
                    uint32_t site) {
  const char *name = emit_format(e, "l%u", l->id);
  emit_range_bind(e, l, d);
  if (!constant_loop(e, name, d)) {
    if (d->type)
      type_loop(e, name, d->type);
    else
      range_loop(e, name, d, site);
  }
  e->indent++;
}

void emit_loop_close(struct emit *e) {
  e->indent--;
  emit_line(e, "}");
}

static const char *quantifier(struct emit *e, const struct ir_expr *x) {
  const char *t = emit_keep(e, x->op == IR_FORALL ? "1" : "0");
  emit_quantifier_open(e, x);
  if (x->op == IR_COUNT) {
    emit_line(e, "%s += %s;", t, emit_expr(e, x->args[0]));
  } else {
    bool all = x->op == IR_FORALL;
    emit_line(e, "if (%s) {", emit_condition(e, x->args[0], !all));
    emit_line(e, "  %s = %d;", t, !all);
    emit_line(e, "  break;");
    emit_line(e, "}");
  }
  emit_quantifier_close(e, x);
  return t;
}

// --- all of them ---

// Bound variables, and parameters by value that are not handed undefined values, are defined.
bool emit_always_defined(const struct emit *e, const struct ir_expr *x) {
  if (!ir_type_can_undef(x->type)) return true;
  if (x->op != IR_LOCAL) return false;
  const struct ir_local *l = x->local;
  if (l->kind != IR_LOCAL_VALUE) return l->kind == IR_LOCAL_BOUND;
  return !l->may_undef || e->instance->bindings[l->id].defined;
}

static const char *read_lvalue(struct emit *e, const struct ir_expr *x) {
  struct emit_place p = emit_place(e, x);
  return emit_read(e, &p, emit_always_defined(e, x) ? 0 : x->site + (x->op == IR_INDEX));
}

static const char *is_undefined(struct emit *e, const struct ir_expr *x) {
  struct emit_place p = emit_place(e, x->args[0]);
  return ir_type_can_undef(x->args[0]->type) ? emit_is_undefined(e, &p) : "0";
}

static const char *is_member(struct emit *e, const struct ir_expr *x) {
  return emit_format(e, "!%s", emit_outside(e, x->test, emit_expr(e, x->args[0])));
}

static const char *value_of(struct emit *e, const struct ir_expr *x) {
  switch (x->op) {
  case IR_CONST: return emit_number(e, x->value);
  case IR_VAR:
  case IR_LOCAL:
  case IR_INDEX:
  case IR_FIELD: return read_lvalue(e, x);
  case IR_NOT: return emit_format(e, "!%s", emit_expr(e, x->args[0]));
  case IR_BITNOT:
    return wrapped(e, x->type, emit_format(e, "~(uint64_t)%s", emit_expr(e, x->args[0])));
  case IR_AND:
  case IR_OR:
  case IR_IMPLIES: return short_circuit(e, x);
  case IR_EQ:
  case IR_NE:
    if (!ir_type_scalar(x->args[0]->type)) return compare_composites(e, x);
    return comparison(e, x, x->op);
  case IR_LT:
  case IR_LE:
  case IR_GT:
  case IR_GE: return comparison(e, x, x->op);
  case IR_NEG:
  case IR_ADD:
  case IR_SUB:
  case IR_MUL: return arithmetic(e, x);
  case IR_DIV:
  case IR_MOD: return division(e, x);
  case IR_BITAND:
  case IR_BITOR:
  case IR_BITXOR: return bitwise(e, x);
  case IR_SHL:
  case IR_SHR: return shift(e, x);
  case IR_ITE: return if_then_else(e, x);
  case IR_CAST: return cast(e, x);
  case IR_CALL: return emit_call_value(e, x);
  case IR_ISUNDEF: return is_undefined(e, x);
  case IR_ISMEMBER: return is_member(e, x);
  case IR_FORALL:
  case IR_EXISTS:
  case IR_COUNT: return quantifier(e, x);
  case IR_OP_COUNT: break;
  }
  assert(!"unknown expression");
  return "0";
}

// Nested text is copied at each level, and compilers limit the depth of parentheses.
const char *emit_expr(struct emit *e, const struct ir_expr *x) {
  const char *value = value_of(e, x);
  return strnlen(value, TEXT_MAX) < TEXT_MAX ? value : emit_keep(e, emit_bare(e, value));
}

// --- conditions that must hold ---

static bool compares_scalars(const struct ir_expr *x) {
  return x->op >= IR_EQ && x->op <= IR_GE && ir_type_scalar(x->args[0]->type);
}

const char *emit_condition(struct emit *e, const struct ir_expr *x, bool want) {
  if (want) return emit_bare(e, emit_expr(e, x));
  if (x->op == IR_NOT) return emit_condition(e, x->args[0], true);
  if (compares_scalars(x)) return emit_bare(e, comparison(e, x, ir_op_opposite(x->op)));
  return emit_format(e, "!%s", emit_expr(e, x));
}

// A condition's own block, and the stack words in use before it.
struct scope {
  bool block;
  uint64_t words;
};

static struct scope scope_open(struct emit *e, const struct ir_expr *condition) {
  struct scope s = {.block = emit_needs_block(condition), .words = e->words};
  if (s.block) emit_block_open(e);
  return s;
}

static void scope_close(struct emit *e, struct scope s) {
  if (s.block) emit_block_close(e);
  e->words = s.words;
}

// Where the first argument does not decide, the second must be as wanted.
static void require_second(struct emit *e, const struct ir_expr *x, bool want, const char *reject) {
  struct scope s = scope_open(e, x->args[0]);
  emit_line(e, "if (%s) {", emit_condition(e, x->args[0], x->op != IR_OR));
  e->indent++;
  emit_require(e, x->args[1], want, reject);
  e->indent--;
  emit_line(e, "}");
  scope_close(e, s);
}

void emit_require(struct emit *e, const struct ir_expr *x, bool want, const char *reject) {
  bool both = (x->op == IR_AND && want) || (x->op == IR_OR && !want);
  bool implied = x->op == IR_IMPLIES && !want;
  bool loop = (x->op == IR_FORALL && want) || (x->op == IR_EXISTS && !want);
  if (x->op == IR_NOT) {
    emit_require(e, x->args[0], !want, reject);
  } else if (both || implied) {
    emit_require(e, x->args[0], want || implied, reject);
    emit_require(e, x->args[1], want, reject);
  } else if (x->op == IR_AND || x->op == IR_OR || x->op == IR_IMPLIES) {
    require_second(e, x, want, reject);
  } else if (loop) {
    emit_quantifier_open(e, x);
    emit_require(e, x->args[0], want, reject);
    emit_quantifier_close(e, x);
  } else {
    struct scope s = scope_open(e, x);
    emit_line(e, "if (%s) %s", emit_condition(e, x, !want), reject);
    scope_close(e, s);
  }
}

// Emits the condition to nowhere, to see whether it can fail.
bool emit_can_fail(struct emit *e, const struct ir_expr *x) {
  struct text nowhere = {0}, *out = e->out;
  bool probing = e->probing, may_fail = e->may_fail;
  uint64_t words = e->words, words_max = e->words_max;
  unsigned temps = e->temps;
  e->out = &nowhere;
  e->probing = true;
  e->may_fail = false;
  emit_require(e, x, true, "return 0;");
  bool fails = e->may_fail;
  e->out = out;
  e->probing = probing;
  e->may_fail = may_fail;
  e->words = words;
  e->words_max = words_max;
  e->temps = temps;
  text_clear(&nowhere);
  return fails;
}
