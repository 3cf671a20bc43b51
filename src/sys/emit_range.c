// SPDX-License-Identifier: Apache-2.0
// Intervals of expressions, to leave out checks that cannot fail. A variable holds a value of its
// type whenever it is defined; results of calls and parameters by value are not trusted.
#include "sys/emit.h"

static const struct emit_range ANYTHING = {INT64_MIN, INT64_MAX};

bool emit_is_u64(const struct ir_type *t) {
  return t->kind == IR_TYPE_INT && !t->is_signed && t->bits == 64;
}

static struct emit_range type_range(const struct ir_type *t) {
  if (emit_is_u64(t)) return ANYTHING; // bit patterns
  return (struct emit_range){t->lo, t->hi};
}

static struct emit_range hull(struct emit_range a, struct emit_range b) {
  return (struct emit_range){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}

static struct emit_range product(struct emit_range a, struct emit_range b) {
  __int128 p[4] = {a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi};
  struct emit_range r = {p[0], p[0]};
  for (int i = 1; i < 4; i++) r = hull(r, (struct emit_range){p[i], p[i]});
  return r;
}

// The values of an operand as the evaluator widens them.
static struct emit_range operand_type_range(const struct ir_type *t) {
  return emit_is_u64(t) ? (struct emit_range){0, UINT64_MAX} : type_range(t);
}

static struct emit_range operand(const struct emit *e, const struct ir_expr *x) {
  return emit_is_u64(x->type) ? operand_type_range(x->type) : emit_range(e, x);
}

static bool fits_int64(struct emit_range r) { return r.lo >= INT64_MIN && r.hi <= INT64_MAX; }

// The result before it is wrapped or trapped; false when nothing is known of it.
static bool exact(const struct emit *e, const struct ir_expr *x, struct emit_range *r) {
  struct emit_range a = operand(e, x->args[0]);
  struct emit_range b = x->arg_count > 1 ? operand(e, x->args[1]) : a;
  switch (x->op) {
  case IR_ADD: *r = (struct emit_range){a.lo + b.lo, a.hi + b.hi}; return true;
  case IR_SUB: *r = (struct emit_range){a.lo - b.hi, a.hi - b.lo}; return true;
  case IR_MUL:
    if (!fits_int64(a) || !fits_int64(b)) return false;
    *r = product(a, b);
    return true;
  case IR_NEG: *r = (struct emit_range){-a.hi, -a.lo}; return true;
  case IR_CAST: *r = a; return true;
  case IR_MOD: // between the dividend and zero, and smaller than a positive divisor
    if (b.lo <= 0) return false;
    *r = (struct emit_range){a.lo < 0 ? 1 - b.hi : 0, a.hi > 0 ? b.hi - 1 : 0};
    return true;
  case IR_DIV:
    if (b.lo <= 0) return false;
    *r = hull((struct emit_range){0, 0}, a);
    return true;
  default: return false;
  }
}

bool emit_never_overflows(const struct emit *e, const struct ir_expr *x) {
  struct emit_range r, t = operand_type_range(x->type);
  return exact(e, x, &r) && r.lo >= t.lo && r.hi <= t.hi;
}

static struct emit_range arithmetic(const struct emit *e, const struct ir_expr *x) {
  struct emit_range r;
  if (emit_is_u64(x->type) || !exact(e, x, &r)) return type_range(x->type);
  return emit_never_overflows(e, x) ? r : type_range(x->type);
}

struct emit_range emit_domain_range(const struct emit *e, const struct ir_domain *d) {
  if (d->type) return type_range(d->type);
  return hull(emit_range(e, d->lo), emit_range(e, d->hi));
}

static struct emit_range local_range(const struct emit *e, const struct ir_local *l) {
  if (l->kind == IR_LOCAL_VALUE) return ANYTHING;
  if (l->kind == IR_LOCAL_BOUND && l->domain) return emit_domain_range(e, l->domain);
  if (l->kind == IR_LOCAL_BOUND) return e->bound[l->id];
  return type_range(l->type);
}

struct emit_range emit_range(const struct emit *e, const struct ir_expr *x) {
  switch (x->op) {
  case IR_CONST: return (struct emit_range){x->value, x->value};
  case IR_LOCAL: return local_range(e, x->local);
  case IR_VAR:
  case IR_INDEX:
  case IR_FIELD: return type_range(x->type);
  case IR_ITE: return hull(emit_range(e, x->args[1]), emit_range(e, x->args[2]));
  case IR_CALL: return ANYTHING;
  case IR_ADD:
  case IR_SUB:
  case IR_MUL:
  case IR_DIV:
  case IR_MOD:
  case IR_NEG:
  case IR_CAST: return arithmetic(e, x);
  case IR_COUNT: return (struct emit_range){0, INT64_MAX};
  default: return x->type->kind == IR_TYPE_BOOL ? (struct emit_range){0, 1} : ANYTHING;
  }
}

static bool inside(struct emit_range r, const struct ir_type *t) {
  if (emit_is_u64(t)) return true;
  if (t->kind != IR_TYPE_UNION || emit_type_contiguous(t)) return r.lo >= t->lo && r.hi <= t->hi;
  for (uint32_t i = 0; i < t->part_count; i++)
    if (inside(r, t->parts[i])) return true;
  return false;
}

// Is the value always one of the type's?
bool emit_fits(const struct emit *e, const struct ir_expr *x, const struct ir_type *t) {
  bool trusted = ir_expr_lvalue(x) && !(x->op == IR_LOCAL && x->local->kind != IR_LOCAL_PLAIN);
  return (trusted && ir_type_same(x->type, t)) || inside(emit_range(e, x), t);
}

// A union whose parts follow each other in value as they do in rank.
bool emit_type_contiguous(const struct ir_type *t) {
  if (t->kind != IR_TYPE_UNION) return true;
  int64_t next = t->lo;
  for (uint32_t i = 0; i < t->part_count; i++) {
    if (!emit_type_contiguous(t->parts[i]) || t->parts[i]->lo != next) return false;
    next = t->parts[i]->hi + 1;
  }
  return true;
}
