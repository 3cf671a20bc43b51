// SPDX-License-Identifier: Apache-2.0
// Codes as bits: single ones, ranges of them, and the numbers that they stand for.
#include "relation/code.h"

#include "ir/ir.h"

uint64_t code_count(const struct code *c) {
  const struct ir_type *t = c->type;
  if (t && t->kind != IR_TYPE_UNION && (uint64_t)t->hi - (uint64_t)t->lo == UINT64_MAX) return 0;
  uint64_t n = c->type ? ir_type_count(c->type) : ir_domain_count(c->domain);
  return n + (c->undef && n != UINT64_MAX);
}

bit code_is(const struct bits *o, const struct code *c, uint64_t code) {
  if (c->count < 64 && code >> c->count) return o->no;
  bit out = o->yes;
  for (unsigned i = 0; i < c->count; i++)
    bits_and_to(o, &out, bits_var(o, c->var[i], code >> i & 1));
  return out;
}

bit code_below(const struct bits *o, const struct code *c, uint64_t limit) {
  if (!limit || (c->count < 64 && limit >> c->count)) return o->yes;
  bit less = o->no;
  for (unsigned i = 0; i < c->count; i++) {
    bit off = bits_var(o, c->var[i], false);
    if (limit >> i & 1)
      bits_or_to(o, &less, off);
    else
      bits_and_to(o, &less, off);
  }
  return less;
}

bit code_same(const struct bits *o, const struct code *a, const struct code *b) {
  bit out = o->yes;
  for (unsigned i = 0; i < a->count; i++) {
    bit x = bits_var(o, a->var[i], true), y = bits_var(o, b->var[i], true);
    bits_and_to(o, &out, bits_equal(o, x, y));
    bits_drop(o, x);
    bits_drop(o, y);
  }
  return out;
}

struct word code_plain(const struct bits *o, const struct code *c) {
  struct word w = {.count = c->count};
  for (unsigned i = 0; i < c->count; i++) w.bit[i] = bits_var(o, c->var[i], true);
  return w;
}

// The values of a union lie in pieces: part by part, a rank less the part's first one.
static struct word union_word(const struct bits *o, const struct code *c) {
  struct word code = code_plain(o, c), out = {0};
  uint64_t end = ir_type_count(c->type) + c->undef;
  for (uint32_t i = c->type->part_count; i-- > 0;) {
    const struct ir_type *part = c->type->parts[i];
    uint64_t first = end - ir_type_count(part);
    struct word here = word_copy(o, &code);
    here.base = (uint64_t)part->lo - first;
    word_trim(o, &here, (struct bounds){part->lo, part->hi});
    if (i + 1 == c->type->part_count) {
      out = here;
    } else {
      bit mine = code_below(o, c, end);
      word_set(o, &out, word_select(o, mine, &here, &out));
      word_clear(o, &here);
      bits_drop(o, mine);
    }
    end = first;
  }
  word_clear(o, &code);
  return out;
}

static struct word stepped_word(const struct bits *o, const struct code *c) {
  int64_t lo = ir_domain_value(c->domain, 0);
  int64_t step = ir_domain_count(c->domain) > 1 ? ir_domain_value(c->domain, 1) - lo : 1;
  struct word k = code_plain(o, c);
  if (step != 1) {
    struct word by = word_const((uint64_t)step);
    word_set(o, &k, word_mul(o, &k, &by, (struct bounds){INT64_MIN, INT64_MAX}));
  }
  k.base += (uint64_t)lo;
  return k;
}

struct word code_word(const struct bits *o, const struct code *c) {
  if (!c->type) return stepped_word(o, c);
  if (c->type->kind == IR_TYPE_UNION) return union_word(o, c);
  struct word w = code_plain(o, c);
  w.base = (uint64_t)c->type->lo - c->undef;
  return w;
}

bit code_has(const struct bits *o, const struct code *c, int64_t value) {
  if (!ir_type_has(c->type, value)) return o->no;
  return code_is(o, c, ir_type_rank(c->type, value) + c->undef);
}

bit code_true(const struct bits *o, const struct code *c) {
  return code_is(o, c, 1 + (uint64_t)c->undef);
}

bit code_within(const struct bits *o, const struct code *c, const struct ir_domain *d) {
  if (c->domain) return code_below(o, c, code_count(c));
  bit some = o->no;
  if (d->type) {
    some = c->undef ? code_is(o, c, 0) : o->no;
    bits_set(o, &some, bits_not(o, some));
    bits_and_to(o, &some, code_below(o, c, code_count(c)));
    return some;
  }
  for (uint64_t i = 0; i < ir_domain_count(d); i++)
    bits_or_to(o, &some, code_has(o, c, ir_domain_value(d, i)));
  return some;
}
