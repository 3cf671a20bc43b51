// SPDX-License-Identifier: Apache-2.0
// Bits that are put together from integers and taken apart again: the low or high part of
// zext(a) + (zext(b) << n) is a or b.
#include "front/c/flow.h"

struct bits { // of a value, from bit `from` on
  struct c_value of;
  uint32_t from, count;
};

enum found { NOTHING, ZERO, VALUE };

static uint32_t least(uint32_t x, uint32_t y) { return x < y ? x : y; }

// Bits above this one are zero.
static uint32_t high(const struct flow_defs *d, struct c_value v, unsigned depth) {
  const struct c_instruction *i = flow_def(d, &v);
  if (!i || depth == 0 || v.type->kind != C_INT) return v.type->bits;
  if (i->op == C_ZEXT) return high(d, i->args[0], depth - 1);
  if (i->op == C_SHL && i->args[1].kind == C_NUMBER)
    return least(v.type->bits, high(d, i->args[0], depth - 1) + (uint32_t)i->args[1].number);
  return v.type->bits;
}

// Bits below this one are zero.
static uint32_t low(const struct flow_defs *d, struct c_value v) {
  const struct c_instruction *i = flow_def(d, &v);
  return i && i->op == C_SHL && i->args[1].kind == C_NUMBER ? (uint32_t)i->args[1].number : 0;
}

static enum found find(const struct flow_defs *d, struct bits b, struct c_value *out,
                       unsigned depth);

// Of a sum whose parts have no bit in common: those of one of them.
static enum found find_in_sum(const struct flow_defs *d, const struct c_instruction *i,
                              struct bits b, struct c_value *out, unsigned depth) {
  struct c_value other;
  enum found x, y;
  if (i->op == C_ADD && high(d, i->args[0], 8) > low(d, i->args[1])) return NOTHING;
  b.of = i->args[0];
  x = find(d, b, out, depth);
  b.of = i->args[1];
  y = find(d, b, &other, depth);
  if (y == ZERO) return x;
  if (x != ZERO) return NOTHING;
  *out = other;
  return y;
}

static enum found find_shifted(const struct flow_defs *d, const struct c_instruction *i,
                               struct bits b, struct c_value *out, unsigned depth) {
  uint32_t n = (uint32_t)i->args[1].number, width = i->type->bits;
  b.of = i->args[0];
  if (i->args[1].kind != C_NUMBER || n >= width) return NOTHING;
  if (i->op == C_SHL) {
    if (b.from + b.count <= n) return ZERO;
    if (b.from < n) return NOTHING;
    b.from -= n;
  } else {
    if (b.from + n >= width) return ZERO;
    if (b.from + n + b.count > width) return NOTHING;
    b.from += n;
  }
  return find(d, b, out, depth);
}

// The value that these bits are, of a type of as many bits.
static enum found find(const struct flow_defs *d, struct bits b, struct c_value *out,
                       unsigned depth) {
  const struct c_instruction *i = flow_def(d, &b.of);
  uint32_t width = b.of.type->bits;
  if (b.from == 0 && b.count == width) return *out = b.of, VALUE;
  if (b.of.type->kind != C_INT || !i || depth == 0) return NOTHING;
  switch (i->op) {
  case C_ZEXT:
    if (b.from >= i->args[0].type->bits) return ZERO;
    if (b.from + b.count > i->args[0].type->bits) return NOTHING;
    b.of = i->args[0];
    return find(d, b, out, depth - 1);
  case C_TRUNC: b.of = i->args[0]; return find(d, b, out, depth - 1);
  case C_SHL:
  case C_LSHR: return find_shifted(d, i, b, out, depth - 1);
  case C_OR:
  case C_ADD: return find_in_sum(d, i, b, out, depth - 1);
  default: return NOTHING;
  }
}

static bool rewrite(void *context, struct flow_out *out, const struct c_instruction *i) {
  const struct flow_defs *d = context;
  struct c_value v;
  if (i->op != C_TRUNC || i->type->kind != C_INT) return false;
  struct bits b = {.of = i->args[0], .count = i->type->bits};
  switch (find(d, b, &v, 16)) {
  case NOTHING: return false;
  case ZERO: v = (struct c_value){.kind = C_NUMBER, .type = i->type}; break;
  case VALUE: break;
  }
  if (v.type != i->type) return false;
  flow_put_copy(out, i, v);
  return true;
}

bool flow_slice(struct flow *w) {
  struct flow_defs d;
  flow_defs_init(&d, w->f);
  bool changed = flow_rewrite(w, rewrite, &d);
  flow_defs_clear(&d);
  return changed;
}
