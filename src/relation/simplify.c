// SPDX-License-Identifier: Apache-2.0
// Constructors of operations. What is a constant, by value or by its interval, becomes one; what
// follows from one level of structure (in chains of connectives: from a few nodes of the chain) is
// used; operands of symmetric operations are ordered. Every rewriting keeps term_value.
#include "relation/factory.h"

#include "ir/ir.h"

enum { CHAIN_LOOK = 24 }; // nodes of a chain of connectives that are looked at

static bool is_const(const struct term *a) { return a->op == TERM_CONST; }

static const struct term *make(struct terms *t, enum term_op op, bool is_bool, const struct term *a,
                               const struct term *b) {
  struct term key = {.op = op, .is_bool = is_bool, .args = 2, .arg = {a, b}};
  term_interval(op, a, b, &key.lo, &key.hi);
  if (key.lo == key.hi) return term_const(t, key.lo);
  return term_intern(t, key);
}

// --- connectives ---

static bool opposite(const struct term *a, const struct term *b) {
  return (a->op == TERM_NOT && a->arg[0] == b) || (b->op == TERM_NOT && b->arg[0] == a);
}

// Both say what one and the same term equals, and it is not the same.
static bool differ(const struct term *a, const struct term *b) {
  return a->op == TERM_EQ && b->op == TERM_EQ && a->arg[0] == b->arg[0] && is_const(a->arg[1]) &&
         is_const(b->arg[1]) && a->arg[1] != b->arg[1];
}

static const struct term *inner(const struct term *a) { return a->op == TERM_NOT ? a->arg[0] : a; }

static bool excludes(const struct term *a, const struct term *b) {
  return opposite(a, b) || differ(a, b);
}

static bool implies(const struct term *a, const struct term *b) {
  return a == b || (b->op == TERM_NOT && differ(a, inner(b)));
}

static bool covers(const struct term *a, const struct term *b) { // one of them always holds
  return opposite(a, b) || (a->op == TERM_NOT && b->op == TERM_NOT && differ(inner(a), inner(b)));
}

enum finding { NOTHING, ABSORBED, DECIDED };

// What the members of the chain `a` make of joining b to it.
static enum finding look(enum term_op op, const struct term *a, const struct term *b, int *left) {
  if (--*left < 0) return NOTHING;
  if (a->op == op) {
    enum finding f = look(op, a->arg[0], b, left);
    return f != NOTHING ? f : look(op, a->arg[1], b, left);
  }
  if (op == TERM_AND) return excludes(a, b) ? DECIDED : implies(a, b) ? ABSORBED : NOTHING;
  return covers(a, b) ? DECIDED : implies(b, a) ? ABSORBED : NOTHING;
}

// One of the pair that is the other connective, seen from the other one: b & (!b | x) is b & x, and
// b & (b | x) is b.
static const struct term *resolve(struct terms *t, enum term_op op, const struct term *a,
                                  const struct term *b) {
  if (a->op != (op == TERM_AND ? TERM_OR : TERM_AND)) return NULL;
  for (int i = 0; i < 2; i++) {
    if (a->arg[i] == b) return b;
    if (!opposite(a->arg[i], b)) continue;
    return op == TERM_AND ? term_and(t, a->arg[!i], b) : term_or(t, a->arg[!i], b);
  }
  return NULL;
}

static const struct term *connect(struct terms *t, enum term_op op, const struct term *a,
                                  const struct term *b) {
  int64_t zero = op == TERM_OR; // decides
  assert(a->is_bool && b->is_bool);
  if (term_is(a, zero) || term_is(b, zero)) return term_const(t, zero);
  if (is_const(a)) return b;
  if (is_const(b) || a == b) return a;
  int left = CHAIN_LOOK, right = CHAIN_LOOK;
  enum finding f = b->op == op && a->op != op ? NOTHING : look(op, a, b, &left);
  if (f == ABSORBED) return a;
  enum finding g = look(op, b, a, &right);
  if (f == DECIDED || g == DECIDED) return term_const(t, zero);
  if (g == ABSORBED) return b;
  const struct term *r = resolve(t, op, a, b);
  if (!r) r = resolve(t, op, b, a);
  if (r) return r;
  bool swap = a->id > b->id;
  struct term key = {
      .op = op, .hi = 1, .is_bool = true, .args = 2, .arg = {swap ? b : a, swap ? a : b}};
  return term_intern(t, key);
}

const struct term *term_and(struct terms *t, const struct term *a, const struct term *b) {
  return connect(t, TERM_AND, a, b);
}

const struct term *term_or(struct terms *t, const struct term *a, const struct term *b) {
  return connect(t, TERM_OR, a, b);
}

const struct term *term_not(struct terms *t, const struct term *a) {
  assert(a->is_bool);
  if (is_const(a)) return term_bool(t, !a->value);
  if (a->op == TERM_NOT) return a->arg[0];
  return term_intern(
      t, (struct term){.op = TERM_NOT, .hi = 1, .is_bool = true, .args = 1, .arg = {a}});
}

// --- if then else ---

static const struct term *ite_bool(struct terms *t, const struct term *c, const struct term *a,
                                   const struct term *b) {
  if (term_is(a, 1) || a == c) return term_or(t, c, b);
  if (term_is(b, 0) || b == c) return term_and(t, c, a);
  if (term_is(a, 0) || opposite(a, c)) return term_and(t, term_not(t, c), b);
  if (term_is(b, 1) || opposite(b, c)) return term_or(t, term_not(t, c), a);
  return NULL;
}

const struct term *term_ite(struct terms *t, const struct term *c, const struct term *a,
                            const struct term *b) {
  assert(c->is_bool);
  if (is_const(c)) return c->value ? a : b;
  if (c->op == TERM_NOT) return term_ite(t, c->arg[0], b, a);
  if (a->op == TERM_ITE && a->arg[0] == c) a = a->arg[1];
  if (b->op == TERM_ITE && b->arg[0] == c) b = b->arg[2];
  if (a == b) return a;
  bool is_bool = a->is_bool && b->is_bool;
  const struct term *r = is_bool ? ite_bool(t, c, a, b) : NULL;
  if (r) return r;
  if (b->op == TERM_ITE && b->arg[1] == a)
    return term_ite(t, term_or(t, c, b->arg[0]), a, b->arg[2]);
  if (b->op == TERM_ITE && b->arg[2] == a)
    return term_ite(t, term_and(t, term_not(t, c), b->arg[0]), b->arg[1], a);
  struct term key = {.op = TERM_ITE,
                     .lo = a->lo < b->lo ? a->lo : b->lo,
                     .hi = a->hi > b->hi ? a->hi : b->hi,
                     .is_bool = is_bool,
                     .args = 3,
                     .arg = {c, a, b}};
  return term_intern(t, key);
}

// --- comparison ---

// A comparison with a constant goes into the branches if one of them is a constant.
static bool splits(const struct term *a, const struct term *b) {
  return a->op == TERM_ITE && is_const(b) && (is_const(a->arg[1]) || is_const(a->arg[2]));
}

static const struct term *split(struct terms *t, enum term_op op, const struct term *a,
                                const struct term *b) {
  if (splits(a, b))
    return term_ite(t, a->arg[0], term_binary(t, op, a->arg[1], b),
                    term_binary(t, op, a->arg[2], b));
  if (splits(b, a))
    return term_ite(t, b->arg[0], term_binary(t, op, a, b->arg[1]),
                    term_binary(t, op, a, b->arg[2]));
  return NULL;
}

static const struct term *equal_const(struct terms *t, const struct term *a, const struct term *k) {
  if (a->is_bool && k->is_bool) return k->value ? a : term_not(t, a);
  if (a->type && !ir_type_has(a->type, k->value)) return term_bool(t, false);
  if (a->op == TERM_ADD && is_const(a->arg[1])) // wrapping round is one to one
    return term_binary(t, TERM_EQ, a->arg[0],
                       term_const(t, term_apply(TERM_SUB, k->value, a->arg[1]->value)));
  return NULL;
}

static const struct term *equal(struct terms *t, const struct term *a, const struct term *b) {
  if (a == b) return term_bool(t, true);
  if (a->hi < b->lo || b->hi < a->lo) return term_bool(t, false);
  if (opposite(a, b)) return term_bool(t, false);
  const struct term *r = is_const(b) ? equal_const(t, a, b) : NULL;
  if (!r) r = split(t, TERM_EQ, a, b);
  return r ? r : make(t, TERM_EQ, true, a, b);
}

static const struct term *less(struct terms *t, const struct term *a, const struct term *b) {
  if (a == b || a->lo >= b->hi) return term_bool(t, false);
  if (a->hi < b->lo) return term_bool(t, true);
  // At the rim of an interval it is a matter of being equal.
  if (is_const(b) && b->value - 1 == a->lo) return term_binary(t, TERM_EQ, a, term_const(t, a->lo));
  if (is_const(a) && a->value + 1 == b->hi) return term_binary(t, TERM_EQ, b, term_const(t, b->hi));
  const struct term *r = split(t, TERM_LT, a, b);
  return r ? r : make(t, TERM_LT, true, a, b);
}

static const struct term *less_unsigned(struct terms *t, const struct term *a,
                                        const struct term *b) {
  if (a == b || term_is(b, 0)) return term_bool(t, false);
  if ((a->lo >= 0 && b->lo >= 0) || (a->hi < 0 && b->hi < 0)) return less(t, a, b);
  if (a->lo >= 0 && b->hi < 0) return term_bool(t, true);
  if (a->hi < 0 && b->lo >= 0) return term_bool(t, false);
  const struct term *r = split(t, TERM_ULT, a, b);
  return r ? r : make(t, TERM_ULT, true, a, b);
}

// --- arithmetic ---

static bool is_symmetric(enum term_op op) {
  return op == TERM_EQ || op == TERM_ADD || op == TERM_MUL || op == TERM_BITAND ||
         op == TERM_BITOR || op == TERM_BITXOR;
}

// Are all values of a among those that this mask of low bits lets through?
static bool passes(const struct term *a, const struct term *mask) {
  uint64_t ones = (uint64_t)mask->value;
  return is_const(mask) && ((ones & (ones + 1)) == 0) &&
         (mask->value == -1 || (a->lo >= 0 && a->hi <= mask->value));
}

// Operations of which b is a constant, or that need not be done. NULL: nothing to say.
static const struct term *trivial(struct terms *t, enum term_op op, const struct term *a,
                                  const struct term *b) {
  switch (op) {
  case TERM_ADD:
    if (term_is(b, 0)) return a;
    if (is_const(b) && a->op == TERM_ADD && is_const(a->arg[1]))
      return term_binary(t, TERM_ADD, a->arg[0],
                         term_const(t, term_apply(TERM_ADD, a->arg[1]->value, b->value)));
    return NULL;
  case TERM_SUB:
    if (a == b) return term_const(t, 0);
    if (is_const(b))
      return term_binary(t, TERM_ADD, a, term_const(t, term_apply(TERM_SUB, 0, b->value)));
    return NULL;
  case TERM_MUL: return term_is(b, 0) ? b : term_is(b, 1) ? a : NULL;
  case TERM_DIV: return term_is(b, 1) ? a : NULL;
  case TERM_MOD: return is_const(b) && a->lo >= 0 && a->hi < b->value ? a : NULL;
  case TERM_BITAND: return term_is(b, 0) ? b : a == b || passes(a, b) ? a : NULL;
  case TERM_BITOR: return term_is(b, 0) || a == b ? a : NULL;
  case TERM_BITXOR: return term_is(b, 0) ? a : a == b ? term_const(t, 0) : NULL;
  case TERM_SHL:
  case TERM_SHR: return term_is(b, 0) ? a : NULL;
  default: return NULL;
  }
}

const struct term *term_binary(struct terms *t, enum term_op op, const struct term *a,
                               const struct term *b) {
  assert(op >= TERM_EQ && op <= TERM_SHR);
  if (is_const(a) && is_const(b)) return term_const(t, term_apply(op, a->value, b->value));
  if (is_symmetric(op) && (is_const(a) || (!is_const(b) && a->id > b->id))) {
    const struct term *c = a;
    a = b;
    b = c;
  }
  if (op == TERM_EQ) return equal(t, a, b);
  if (op == TERM_LT) return less(t, a, b);
  if (op == TERM_ULT) return less_unsigned(t, a, b);
  const struct term *r = trivial(t, op, a, b);
  return r ? r : make(t, op, false, a, b);
}

const struct term *term_wrap(struct terms *t, const struct term *a, uint8_t bits, bool is_signed) {
  assert(bits >= 1 && bits <= 64);
  if (bits == 64) return a;
  int64_t ones = (int64_t)(~UINT64_C(0) >> (64 - bits));
  int64_t hi = is_signed ? ones >> 1 : ones, lo = is_signed ? -hi - 1 : 0;
  if (a->lo >= lo && a->hi <= hi) return a;
  if (is_const(a)) return term_const(t, term_wrapped(a->value, bits, is_signed));
  if (a->op == TERM_WRAP && a->bits >= bits) return term_wrap(t, a->arg[0], bits, is_signed);
  return term_intern(t, (struct term){.op = TERM_WRAP,
                                      .lo = lo,
                                      .hi = hi,
                                      .bits = bits,
                                      .is_signed = is_signed,
                                      .args = 1,
                                      .arg = {a}});
}
