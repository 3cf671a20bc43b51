// SPDX-License-Identifier: Apache-2.0
// Intervals of expressions, to leave out checks that cannot fail. A variable or parameter holds a
// value of its type whenever it is defined; results of calls are not trusted.
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

static struct emit_range operand(struct emit *e, const struct ir_expr *x) {
  return emit_is_u64(x->type) ? operand_type_range(x->type) : emit_range(e, x);
}

static bool fits_int64(struct emit_range r) { return r.lo >= INT64_MIN && r.hi <= INT64_MAX; }

// The result before it is wrapped or trapped; false when nothing is known of it.
static bool exact(struct emit *e, const struct ir_expr *x, struct emit_range *r) {
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

bool emit_never_overflows(struct emit *e, const struct ir_expr *x) {
  struct emit_range r, t = operand_type_range(x->type);
  return exact(e, x, &r) && r.lo >= t.lo && r.hi <= t.hi;
}

static struct emit_range arithmetic(struct emit *e, const struct ir_expr *x) {
  struct emit_range r, t = operand_type_range(x->type);
  if (emit_is_u64(x->type) || !exact(e, x, &r)) return type_range(x->type);
  return r.lo >= t.lo && r.hi <= t.hi ? r : type_range(x->type);
}

static struct emit_range domain_range(struct emit *e, const struct ir_domain *d) {
  if (d->type) return type_range(d->type);
  return hull(emit_range(e, d->lo), emit_range(e, d->hi));
}

static struct emit_range local_range(struct emit *e, const struct ir_local *l) {
  if (l->kind == IR_LOCAL_BOUND && l->domain) return domain_range(e, l->domain);
  if (l->kind == IR_LOCAL_BOUND) return e->bound[l->id];
  return type_range(l->type);
}

void emit_range_bind(struct emit *e, const struct ir_local *l, const struct ir_domain *d) {
  struct emit_range r = domain_range(e, d), *old = &e->bound[l->id];
  if (r.lo != old->lo || r.hi != old->hi) e->ranges.round++;
  *old = r;
}

// --- what is known already ---

static struct emit_known *slot_of(const struct emit_ranges *t, const struct ir_expr *x) {
  size_t i = (size_t)((uintptr_t)x / 16 * UINT64_C(0x9e3779b97f4a7c15) >> 20);
  for (;; i++) {
    struct emit_known *k = &t->slots[i & (t->capacity - 1)];
    if (!k->x || k->x == x) return k;
  }
}

static void grow(struct emit *e) {
  struct emit_ranges *t = &e->ranges, old = *t;
  t->capacity = old.capacity ? 2 * old.capacity : 64;
  t->slots = ARENA_ARRAY(e->arena, struct emit_known, t->capacity);
  for (size_t i = 0; i < old.capacity; i++)
    if (old.slots[i].x) *slot_of(t, old.slots[i].x) = old.slots[i];
}

static struct emit_range remembered(struct emit *e, const struct ir_expr *x,
                                    struct emit_range (*find)(struct emit *,
                                                              const struct ir_expr *)) {
  struct emit_ranges *t = &e->ranges;
  if (t->capacity) {
    const struct emit_known *k = slot_of(t, x);
    if (k->x && k->round == t->round) return k->range;
  }
  struct emit_range r = find(e, x);
  if (2 * t->count >= t->capacity) grow(e);
  struct emit_known *k = slot_of(t, x);
  t->count += !k->x;
  *k = (struct emit_known){.x = x, .range = r, .round = t->round};
  return r;
}

// --- all of them ---

static struct emit_range either(struct emit *e, const struct ir_expr *x) {
  return hull(emit_range(e, x->args[1]), emit_range(e, x->args[2]));
}

struct emit_range emit_range(struct emit *e, const struct ir_expr *x) {
  switch (x->op) {
  case IR_CONST: return (struct emit_range){x->value, x->value};
  case IR_LOCAL: return local_range(e, x->local);
  case IR_VAR:
  case IR_INDEX:
  case IR_FIELD: return type_range(x->type);
  case IR_ITE: return remembered(e, x, either);
  case IR_CALL: return ANYTHING;
  case IR_ADD:
  case IR_SUB:
  case IR_MUL:
  case IR_DIV:
  case IR_MOD:
  case IR_NEG:
  case IR_CAST: return remembered(e, x, arithmetic);
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
bool emit_fits(struct emit *e, const struct ir_expr *x, const struct ir_type *t) {
  bool trusted = ir_expr_lvalue(x) && !(x->op == IR_LOCAL && x->local->kind == IR_LOCAL_BOUND);
  return (trusted && ir_type_same(x->type, t)) || inside(emit_range(e, x), t);
}

bool emit_type_ascending(const struct ir_type *t) {
  for (uint32_t i = 0; t->kind == IR_TYPE_UNION && i < t->part_count; i++) {
    if (!emit_type_ascending(t->parts[i])) return false;
    if (i > 0 && t->parts[i]->lo <= t->parts[i - 1]->hi) return false;
  }
  return true;
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
