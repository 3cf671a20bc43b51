// SPDX-License-Identifier: Apache-2.0
// Terms as bits: Boolean ones directly, numbers as words, each made once; and what steps write, as
// a relation between codes or as the code that a leaf gets.
#include "relation/encode.h"

#include "ir/ir.h"

// --- the memo ---

static void reserve(struct encode *e, uint32_t id) {
  if (id < e->capacity) return;
  size_t had = e->capacity, want = terms_count(e->terms);
  e->capacity = want > id ? want : (size_t)id + 1;
  e->made = mem_realloc(e->made, e->capacity * sizeof(*e->made));
  e->cut = mem_realloc(e->cut, e->capacity * sizeof(*e->cut));
  for (size_t i = had; i < e->capacity; i++) {
    e->made[i] = (struct encode_made){0};
    e->cut[i] = 0;
  }
}

static void unmake(struct encode *e, struct encode_made *m) {
  if (m->word)
    word_clear(e->bits, m->word);
  else
    bits_drop(e->bits, m->truth);
  mem_free(m->word);
  *m = (struct encode_made){0};
}

void encode_forget(struct encode *e) {
  for (size_t i = 0; i < e->used.count; i++) unmake(e, &e->made[e->used.data[i]]);
  e->used.count = 0;
  for (size_t i = 0; i < e->cuts.count; i++) e->cut[e->cuts.data[i]] = 0;
  e->cuts.count = 0;
}

void encode_clear(struct encode *e) {
  encode_forget(e);
  mem_free(e->made);
  mem_free(e->cut);
  VEC_CLEAR(&e->used);
  VEC_CLEAR(&e->cuts);
}

void encode_cut(struct encode *e, const struct term *t, uint64_t leaf) {
  reserve(e, t->id);
  if (e->cut[t->id]) return;
  e->cut[t->id] = leaf + 1;
  VEC_PUSH(&e->cuts, t->id);
}

// --- terms ---

static bool coded(const struct term *t) { return t->op == TERM_LEAF || t->op == TERM_CHOICE; }

static struct code code_of(struct encode *e, const struct term *t) {
  return t->op == TERM_LEAF ? e->leaf(e->context, t->leaf) : e->choice(e->context, t->choice);
}

static struct bounds bounds_of(const struct term *a, const struct term *b) {
  return (struct bounds){a->lo < b->lo ? a->lo : b->lo, a->hi > b->hi ? a->hi : b->hi};
}

static bit equal(struct encode *e, const struct term *a, const struct term *b) {
  if (a->is_bool && b->is_bool) {
    bit x = encode_truth(e, a), y = encode_truth(e, b), out = bits_equal(e->bits, x, y);
    bits_drop(e->bits, x);
    bits_drop(e->bits, y);
    return out;
  }
  const struct term *c = a->op == TERM_CONST ? a : b, *other = c == a ? b : a;
  if (c->op == TERM_CONST && coded(other)) {
    struct code code = code_of(e, other);
    if (code.type) return code_has(e->bits, &code, c->value);
  }
  if (coded(a) && coded(b)) {
    struct code x = code_of(e, a), y = code_of(e, b);
    bool same = x.type && x.type == y.type && x.undef == y.undef && x.count == y.count;
    if (same) return code_same(e->bits, &x, &y);
  }
  struct word x = encode_number(e, a), y = encode_number(e, b);
  bit out = word_equal(e->bits, &x, &y);
  word_clear(e->bits, &x);
  word_clear(e->bits, &y);
  return out;
}

static bit less(struct encode *e, const struct term *t) {
  struct word x = encode_number(e, t->arg[0]), y = encode_number(e, t->arg[1]);
  struct bounds within = bounds_of(t->arg[0], t->arg[1]);
  if (t->op == TERM_ULT) { // the other half of the numbers comes first
    x.base += UINT64_C(1) << 63;
    y.base += UINT64_C(1) << 63;
    within = (struct bounds){INT64_MIN, INT64_MAX};
  }
  bit out = word_less(e->bits, &x, &y, within);
  word_clear(e->bits, &x);
  word_clear(e->bits, &y);
  return out;
}

static bit connective(struct encode *e, const struct term *t) {
  bit a = encode_truth(e, t->arg[0]), out;
  if (t->op == TERM_NOT) {
    out = bits_not(e->bits, a);
  } else {
    bool decided = t->op == TERM_AND ? a == e->bits->no : a == e->bits->yes;
    if (decided) return a;
    bit b = encode_truth(e, t->arg[1]);
    out = t->op == TERM_AND ? bits_and(e->bits, a, b) : bits_or(e->bits, a, b);
    bits_drop(e->bits, b);
  }
  bits_drop(e->bits, a);
  return out;
}

static bit select_truth(struct encode *e, const struct term *t) {
  bit c = encode_truth(e, t->arg[0]), a = encode_truth(e, t->arg[1]),
      b = encode_truth(e, t->arg[2]);
  bit out = bits_ite(e->bits, c, a, b);
  bits_drop(e->bits, c);
  bits_drop(e->bits, a);
  bits_drop(e->bits, b);
  return out;
}

// A number that is 0 or 1, as a truth; takes it over.
static bit not_zero(struct encode *e, struct word w) {
  struct word zero = word_const(0);
  bit is = word_equal(e->bits, &w, &zero), out = bits_not(e->bits, is);
  word_clear(e->bits, &w);
  bits_drop(e->bits, is);
  return out;
}

static bit coded_truth(struct encode *e, const struct term *t) {
  struct code c = code_of(e, t);
  bool plain = c.type && c.type->kind == IR_TYPE_BOOL;
  return plain ? code_true(e->bits, &c) : not_zero(e, code_word(e->bits, &c));
}

static bit defined(struct encode *e, uint64_t leaf) {
  struct code c = e->leaf(e->context, leaf);
  if (!c.undef) return e->bits->yes;
  bit no = code_is(e->bits, &c, 0), out = bits_not(e->bits, no);
  bits_drop(e->bits, no);
  return out;
}

static bit make_truth(struct encode *e, const struct term *t) {
  switch (t->op) {
  case TERM_CONST: return t->value ? e->bits->yes : e->bits->no;
  case TERM_DEFINED: return defined(e, t->leaf);
  case TERM_NOT:
  case TERM_AND:
  case TERM_OR: return connective(e, t);
  case TERM_EQ: return equal(e, t->arg[0], t->arg[1]);
  case TERM_LT:
  case TERM_ULT: return less(e, t);
  case TERM_ITE: return t->is_bool ? select_truth(e, t) : not_zero(e, encode_number(e, t));
  case TERM_LEAF:
  case TERM_CHOICE: return coded_truth(e, t);
  default: return not_zero(e, encode_number(e, t));
  }
}

static struct word arithmetic(struct encode *e, const struct term *t) {
  struct word a = encode_number(e, t->arg[0]), b = encode_number(e, t->arg[1]), out;
  struct bounds both = bounds_of(t->arg[0], t->arg[1]), result = {t->lo, t->hi};
  struct bounds value = {t->arg[0]->lo, t->arg[0]->hi}, counts = {t->arg[1]->lo, t->arg[1]->hi};
  switch (t->op) {
  case TERM_ADD: out = word_add(e->bits, &a, &b); break;
  case TERM_SUB: out = word_sub(e->bits, &a, &b); break;
  case TERM_MUL: out = word_mul(e->bits, &a, &b, result); break;
  case TERM_DIV: out = word_divide(e->bits, &a, &b, both, false); break;
  case TERM_MOD: out = word_divide(e->bits, &a, &b, both, true); break;
  case TERM_BITAND: out = word_bitwise(e->bits, &a, &b, both, bits_and); break;
  case TERM_BITOR: out = word_bitwise(e->bits, &a, &b, both, bits_or); break;
  case TERM_BITXOR: out = word_bitwise(e->bits, &a, &b, both, bits_xor); break;
  default: out = word_shift(e->bits, &a, &b, value, counts, t->op == TERM_SHL); break;
  }
  word_clear(e->bits, &a);
  word_clear(e->bits, &b);
  return out;
}

static struct word select_number(struct encode *e, const struct term *t) {
  bit c = encode_truth(e, t->arg[0]);
  struct word a = encode_number(e, t->arg[1]), b = encode_number(e, t->arg[2]);
  struct word out = word_select(e->bits, c, &a, &b);
  bits_drop(e->bits, c);
  word_clear(e->bits, &a);
  word_clear(e->bits, &b);
  return out;
}

static struct word wrapped(struct encode *e, const struct term *t) {
  struct word a = encode_number(e, t->arg[0]), out = word_wrap(e->bits, &a, t->bits, t->is_signed);
  word_clear(e->bits, &a);
  return out;
}

static bool is_truth(const struct term *t) {
  return t->op == TERM_DEFINED || (t->op >= TERM_NOT && t->op <= TERM_ULT) || t->is_bool;
}

static struct word make_number(struct encode *e, const struct term *t) {
  struct word out;
  switch (t->op) {
  case TERM_CONST: return word_const((uint64_t)t->value);
  case TERM_LEAF:
  case TERM_CHOICE: {
    struct code c = code_of(e, t);
    return code_word(e->bits, &c);
  }
  case TERM_ITE: out = select_number(e, t); break;
  case TERM_WRAP: out = wrapped(e, t); break;
  default: out = arithmetic(e, t); break;
  }
  word_trim(e->bits, &out, (struct bounds){t->lo, t->hi});
  return out;
}

// A term that some leaf is to hold: its next code.
static bool make_cut(struct encode *e, const struct term *t, struct encode_made *m) {
  if (!e->cut[t->id]) return false;
  struct code c = e->next(e->context, e->cut[t->id] - 1);
  if (is_truth(t) && c.type->kind == IR_TYPE_BOOL) {
    m->truth = code_true(e->bits, &c);
    return true;
  }
  if (is_truth(t)) return false;
  m->word = mem_alloc(sizeof(*m->word));
  *m->word = code_word(e->bits, &c);
  return true;
}

static struct encode_made *make(struct encode *e, const struct term *t);

// Chains of choices, as an index that is not constant makes them, may be longer than the C stack is
// deep: they are made from their end.
static void make_chain(struct encode *e, const struct term *t) {
  VEC(const struct term *) chain = {0};
  for (const struct term *a = t->arg[2]; a->op == TERM_ITE; a = a->arg[2]) {
    reserve(e, a->id);
    if (e->made[a->id].done || e->cut[a->id]) break;
    VEC_PUSH(&chain, a);
  }
  for (size_t i = chain.count; i-- > 0;) make(e, chain.data[i]);
  VEC_CLEAR(&chain);
}

static struct encode_made *make(struct encode *e, const struct term *t) {
  reserve(e, t->id);
  bool known = e->made[t->id].done || e->cut[t->id];
  if (!known && t->op == TERM_ITE && t->arg[2]->op == TERM_ITE) {
    const struct term *next = t->arg[2];
    reserve(e, next->id);
    if (!e->made[next->id].done && next->arg[2]->op == TERM_ITE) make_chain(e, t);
  }
  if (e->made[t->id].done) return &e->made[t->id];
  struct encode_made m = {.done = true};
  if (!make_cut(e, t, &m)) {
    if (is_truth(t)) {
      m.truth = make_truth(e, t);
    } else {
      struct word w = make_number(e, t);
      m.word = mem_alloc(sizeof(*m.word));
      *m.word = w;
    }
  }
  reserve(e, t->id);
  e->made[t->id] = m;
  VEC_PUSH(&e->used, t->id);
  return &e->made[t->id];
}

bit encode_truth(struct encode *e, const struct term *t) {
  if (!is_truth(t)) return make_truth(e, t);
  return bits_copy(e->bits, make(e, t)->truth);
}

struct word encode_number(struct encode *e, const struct term *t) {
  if (is_truth(t)) return word_of_bool(encode_truth(e, t));
  return word_copy(e->bits, make(e, t)->word);
}

// --- what steps write ---

// A choice between values is one between writes: so the values of a union are written by their
// codes. Good for short chains, such as cases are.
static bit holds(struct encode *e, const struct code *to, const struct term *value) {
  if (value->op == TERM_CONST) return code_has(e->bits, to, value->value);
  if (to->type->kind == IR_TYPE_UNION && coded(value)) {
    struct code from = code_of(e, value);
    if (from.type == to->type && from.undef == to->undef && from.count == to->count)
      return code_same(e->bits, to, &from);
  }
  if (to->type->kind == IR_TYPE_BOOL && to->count == 1) {
    bit is = code_true(e->bits, to), t = encode_truth(e, value), out = bits_equal(e->bits, is, t);
    bits_drop(e->bits, is);
    bits_drop(e->bits, t);
    return out;
  }
  struct word next = code_word(e->bits, to), w = encode_number(e, value);
  bit out = word_equal(e->bits, &next, &w);
  word_clear(e->bits, &next);
  word_clear(e->bits, &w);
  // Codes past the last of a union may look like any value.
  if (to->type->kind == IR_TYPE_UNION)
    bits_and_to(e->bits, &out, code_below(e->bits, to, code_count(to)));
  return out;
}

// Where the term would be read from this leaf, this is the write that says what it is.
static bit holds_uncut(struct encode *e, const struct code *to, const struct relation_write *w) {
  uint32_t id = w->value->id;
  reserve(e, id);
  if (e->cut[id] != w->leaf + 1) return holds(e, to, w->value);
  struct encode_made read = e->made[id];
  e->cut[id] = 0;
  e->made[id] = (struct encode_made){0};
  bit out = holds(e, to, w->value);
  unmake(e, &e->made[id]);
  e->cut[id] = w->leaf + 1;
  e->made[id] = read;
  return out;
}

bit encode_written(struct encode *e, const struct code *to, const struct relation_write *w) {
  bit out = holds_uncut(e, to, w);
  if (!to->undef) return out;
  bit no = code_is(e->bits, to, 0), some = bits_not(e->bits, no);
  bit is = w->defined ? encode_truth(e, w->defined) : e->bits->yes;
  bits_and_to(e->bits, &out, some);
  bits_set(e->bits, &out, bits_ite(e->bits, is, out, no));
  bits_drop(e->bits, no);
  bits_drop(e->bits, is);
  return out;
}

// --- the codes of what steps write ---

// The number lies in this part of a union; its values and the part's lie within the bounds.
static bit lies_in(struct encode *e, const struct word *w, const struct ir_type *part,
                   struct bounds within) {
  struct word lo = word_const((uint64_t)part->lo), hi = word_const((uint64_t)part->hi);
  bit below = word_less(e->bits, w, &lo, within), above = word_less(e->bits, &hi, w, within);
  bit out = bits_or(e->bits, below, above);
  bits_set(e->bits, &out, bits_not(e->bits, out));
  bits_drop(e->bits, below);
  bits_drop(e->bits, above);
  return out;
}

// The code of a number in a union: part by part, less the part's first value.
static struct word union_code(struct encode *e, const struct code *to, const struct term *t) {
  struct word w = encode_number(e, t), out = word_const(0);
  uint64_t first = to->undef;
  for (uint32_t i = 0; i < to->type->part_count; i++) {
    const struct ir_type *part = to->type->parts[i];
    struct bounds within = {t->lo < part->lo ? t->lo : part->lo,
                            t->hi > part->hi ? t->hi : part->hi};
    struct word here = word_copy(e->bits, &w);
    here.base += first - (uint64_t)part->lo;
    bit mine = lies_in(e, &w, part, within);
    word_set(e->bits, &out, word_select(e->bits, mine, &here, &out));
    word_clear(e->bits, &here);
    bits_drop(e->bits, mine);
    first += ir_type_count(part);
  }
  word_clear(e->bits, &w);
  return out;
}

static bool same_coding(const struct code *a, const struct code *b) {
  return a->type && a->type == b->type && a->undef == b->undef && a->count == b->count;
}

// As a word: its value modulo 2^count is the code.
static struct word value_code(struct encode *e, const struct code *to, const struct term *t) {
  if (t->op == TERM_CONST)
    return word_const(ir_type_has(to->type, t->value) ? ir_type_rank(to->type, t->value) + to->undef
                                                      : 0);
  if (to->type->kind != IR_TYPE_UNION) {
    struct word w = encode_number(e, t);
    w.base += to->undef - (uint64_t)to->type->lo;
    return w;
  }
  if (coded(t)) {
    struct code from = code_of(e, t);
    if (same_coding(&from, to)) return code_plain(e->bits, &from);
  }
  if (t->op != TERM_ITE) return union_code(e, to, t);
  bit c = encode_truth(e, t->arg[0]);
  struct word a = value_code(e, to, t->arg[1]), b = value_code(e, to, t->arg[2]);
  struct word out = word_select(e->bits, c, &a, &b);
  word_clear(e->bits, &a);
  word_clear(e->bits, &b);
  bits_drop(e->bits, c);
  return out;
}

void encode_value(struct encode *e, const struct code *to, const struct relation_write *w,
                  bit *out) {
  struct word code = value_code(e, to, w->value);
  word_set(e->bits, &code, word_rebase(e->bits, &code, 0, to->count));
  bit is = to->undef && w->defined ? encode_truth(e, w->defined) : e->bits->yes;
  for (unsigned i = 0; i < to->count; i++) {
    bit here = i < code.count ? bits_copy(e->bits, code.bit[i]) : e->bits->no;
    bits_and_to(e->bits, &here, bits_copy(e->bits, is));
    out[i] = here;
  }
  word_clear(e->bits, &code);
  bits_drop(e->bits, is);
}

// --- which leaves stand for which choices ---

#define VALUES_MANY 4096

// Is every value of the domain one of the leaf's?
static bool within(const struct ir_domain *d, const struct ir_type *t) {
  if (d->type) return ir_type_same(d->type, t);
  uint64_t count = ir_domain_count(d);
  if (count > VALUES_MANY) return false;
  for (uint64_t i = 0; i < count; i++)
    if (!ir_type_has(t, ir_domain_value(d, i))) return false;
  return true;
}

const struct ir_domain *encode_domain(const struct relation_rule *r, uint32_t k) {
  return r->rule->frame.locals[r->rule->param_count + k]->domain;
}

uint64_t *encode_choice_leaves(const struct ir_model *m, const struct relation_rule *r) {
  uint64_t *out = mem_alloc((r->rule->choice_count + 1) * sizeof(*out));
  for (uint32_t k = 0; k < r->rule->choice_count; k++) out[k] = ENCODE_NONE;
  for (size_t i = 0; i < r->writes.count; i++) {
    const struct relation_write *w = &r->writes.data[i];
    if (w->value->op != TERM_CHOICE || (w->defined && !term_is(w->defined, 1))) continue;
    uint32_t k = w->value->choice;
    bool fits = within(encode_domain(r, k), m->layout->leaf[w->leaf].type);
    if (out[k] == ENCODE_NONE && fits) out[k] = w->leaf;
  }
  return out;
}
