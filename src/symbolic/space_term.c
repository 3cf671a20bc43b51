// SPDX-License-Identifier: Apache-2.0
// Terms as diagrams: Boolean ones directly, numbers as words. Each term is made once for the rule
// that is bound; comparisons of a leaf or choice with a constant are made on its code.
#include "ir/ir.h"
#include "symbolic/space_own.h"

// --- codes ---

struct space_code space_leaf_code(const struct space *s, uint64_t leaf, bool next) {
  const struct ir_leaf *l = &s->model->layout->leaf[leaf];
  const struct space_bits *b = &s->leaf[leaf];
  return (struct space_code){
      .var = next ? b->next : b->now, .count = b->count, .type = l->type, .undef = l->undef};
}

struct space_code space_choice_code(const struct space *s, uint32_t k) {
  const struct space_own *o = s->own;
  assert(o->bound && k < o->bound->rule->choice_count);
  if (o->choice_leaf[k] != SPACE_NONE) return space_leaf_code(s, o->choice_leaf[k], true);
  const struct ir_rule *r = o->bound->rule;
  const struct ir_domain *d = r->frame.locals[r->param_count + k]->domain;
  return (struct space_code){
      .var = s->choice[k].now, .count = s->choice[k].count, .type = d->type, .domain = d};
}

uint64_t space_code_count(const struct space_code *c) {
  uint64_t n = c->type ? ir_type_count(c->type) : ir_domain_count(c->domain);
  return n + (c->undef && n != UINT64_MAX);
}

dd space_code_is(const struct space_code *c, uint64_t code) {
  if (c->count < 64 && code >> c->count) return dd_false();
  dd out = dd_true();
  for (unsigned i = 0; i < c->count; i++) dd_and_to(&out, dd_var(c->var[i], code >> i & 1));
  return out;
}

dd space_code_below(const struct space_code *c, uint64_t limit) {
  if (!limit || (c->count < 64 && limit >> c->count)) return dd_true();
  dd less = dd_false();
  for (unsigned i = 0; i < c->count; i++) {
    dd off = dd_var(c->var[i], false);
    if (limit >> i & 1)
      dd_or_to(&less, off);
    else
      dd_and_to(&less, off);
  }
  return less;
}

// The bits alone, on base 0.
static struct word plain_word(const struct space_code *c) {
  struct word w = {.count = c->count};
  for (unsigned i = 0; i < c->count; i++) w.bit[i] = dd_var(c->var[i], true);
  return w;
}

// The values of a union lie in pieces: part by part, a rank less the part's first one.
static struct word union_word(const struct space_code *c) {
  struct word code = plain_word(c), out = {0};
  uint64_t end = ir_type_count(c->type) + c->undef;
  for (uint32_t i = c->type->part_count; i-- > 0;) {
    const struct ir_type *part = c->type->parts[i];
    uint64_t first = end - ir_type_count(part);
    struct word here = word_copy(&code);
    here.base = (uint64_t)part->lo - first;
    word_trim(&here, (struct bounds){part->lo, part->hi});
    if (i + 1 == c->type->part_count) {
      out = here;
    } else {
      dd mine = space_code_below(c, end);
      word_set(&out, word_select(mine, &here, &out));
      word_clear(&here);
      dd_drop(mine);
    }
    end = first;
  }
  word_clear(&code);
  return out;
}

static struct word stepped_word(const struct space_code *c) {
  int64_t lo = ir_domain_value(c->domain, 0);
  int64_t step = ir_domain_count(c->domain) > 1 ? ir_domain_value(c->domain, 1) - lo : 1;
  struct word k = plain_word(c);
  if (step != 1) {
    struct word by = word_const((uint64_t)step);
    word_set(&k, word_mul(&k, &by, (struct bounds){INT64_MIN, INT64_MAX}));
  }
  k.base += (uint64_t)lo;
  return k;
}

struct word space_code_word(const struct space_code *c) {
  if (!c->type) return stepped_word(c);
  if (c->type->kind == IR_TYPE_UNION) return union_word(c);
  struct word w = plain_word(c);
  w.base = (uint64_t)c->type->lo - c->undef;
  return w;
}

// The code holds this value. *known: it could be told from the code.
static dd code_has(const struct space_code *c, int64_t value, bool *known) {
  *known = c->type != NULL;
  if (!*known) return dd_false();
  if (!ir_type_has(c->type, value)) return dd_false();
  return space_code_is(c, ir_type_rank(c->type, value) + c->undef);
}

// --- the memo ---

static void reserve(struct space *s, uint32_t id) {
  struct space_own *o = s->own;
  if (id < o->capacity) return;
  size_t had = o->capacity, want = terms_count(s->relation->terms);
  o->capacity = want > id ? want : (size_t)id + 1;
  o->made = mem_realloc(o->made, o->capacity * sizeof(*o->made));
  o->cut = mem_realloc(o->cut, o->capacity * sizeof(*o->cut));
  for (size_t i = had; i < o->capacity; i++) {
    o->made[i] = (struct space_made){0};
    o->cut[i] = 0;
  }
}

static void unmake(struct space_made *m) {
  if (m->word)
    word_clear(m->word);
  else
    dd_drop(m->truth);
  mem_free(m->word);
  *m = (struct space_made){0};
}

void space_forget(struct space *s) {
  struct space_own *o = s->own;
  for (size_t i = 0; i < o->used.count; i++) unmake(&o->made[o->used.data[i]]);
  o->used.count = 0;
  for (size_t i = 0; i < o->cuts.count; i++) o->cut[o->cuts.data[i]] = 0;
  o->cuts.count = 0;
}

static const uint64_t *leaves_of(const struct space *s, const struct relation_rule *r) {
  return r->rule->is_start ? s->own->start_leaf[r->instance] : s->own->rule_leaf[r->instance];
}

uint64_t space_choice_leaf(const struct space *s, const struct relation_rule *r, uint32_t k) {
  return leaves_of(s, r)[k];
}

// Is every value of the term one of the leaf's?
static bool fits(const struct space *s, const struct relation_write *w) {
  const struct ir_type *t = s->model->layout->leaf[w->leaf].type;
  return t->kind != IR_TYPE_UNION && t->lo <= t->hi && w->value->lo >= t->lo &&
         w->value->hi <= t->hi;
}

void space_bind(struct space *s, const struct relation_rule *r, enum space_cut cut) {
  space_forget(s);
  s->own->bound = r;
  s->own->choice_leaf = r ? leaves_of(s, r) : NULL;
  for (size_t i = 0; r && cut && i < r->writes.count; i++) {
    const struct relation_write *w = &r->writes.data[i];
    bool plain = w->value->args > 0 && (!w->defined || term_is(w->defined, 1));
    if (!plain || (cut == SPACE_CUT_SAFE && !fits(s, w))) continue;
    reserve(s, w->value->id);
    if (s->own->cut[w->value->id]) continue;
    s->own->cut[w->value->id] = w->leaf + 1;
    VEC_PUSH(&s->own->cuts, w->value->id);
  }
}

// --- terms ---

static dd truth(struct space *s, const struct term *t);
static struct word number(struct space *s, const struct term *t);

static bool coded(const struct term *t) { return t->op == TERM_LEAF || t->op == TERM_CHOICE; }

static struct space_code code_of(const struct space *s, const struct term *t) {
  return t->op == TERM_LEAF ? space_leaf_code(s, t->leaf, false) : space_choice_code(s, t->choice);
}

static dd same_codes(const struct space_code *a, const struct space_code *b) {
  dd out = dd_true();
  for (unsigned i = 0; i < a->count; i++) {
    dd x = dd_var(a->var[i], true), y = dd_var(b->var[i], true);
    dd_and_to(&out, dd_equal(x, y));
    dd_drop(x);
    dd_drop(y);
  }
  return out;
}

static struct bounds bounds_of(const struct term *a, const struct term *b) {
  return (struct bounds){a->lo < b->lo ? a->lo : b->lo, a->hi > b->hi ? a->hi : b->hi};
}

static dd equal(struct space *s, const struct term *a, const struct term *b) {
  if (a->is_bool && b->is_bool) {
    dd x = truth(s, a), y = truth(s, b), out = dd_equal(x, y);
    dd_drop(x);
    dd_drop(y);
    return out;
  }
  const struct term *c = a->op == TERM_CONST ? a : b, *other = c == a ? b : a;
  if (c->op == TERM_CONST && coded(other)) {
    struct space_code code = code_of(s, other);
    bool known;
    dd out = code_has(&code, c->value, &known);
    if (known) return out;
  }
  if (coded(a) && coded(b)) {
    struct space_code x = code_of(s, a), y = code_of(s, b);
    bool same = x.type && x.type == y.type && x.undef == y.undef && x.count == y.count;
    if (same) return same_codes(&x, &y);
  }
  struct word x = number(s, a), y = number(s, b);
  dd out = word_equal(&x, &y);
  word_clear(&x);
  word_clear(&y);
  return out;
}

static dd less(struct space *s, const struct term *t) {
  struct word x = number(s, t->arg[0]), y = number(s, t->arg[1]);
  struct bounds within = bounds_of(t->arg[0], t->arg[1]);
  if (t->op == TERM_ULT) { // the other half of the numbers comes first
    x.base += UINT64_C(1) << 63;
    y.base += UINT64_C(1) << 63;
    within = (struct bounds){INT64_MIN, INT64_MAX};
  }
  dd out = word_less(&x, &y, within);
  word_clear(&x);
  word_clear(&y);
  return out;
}

static dd bool_code(const struct space_code *c) { return space_code_is(c, 1 + (uint64_t)c->undef); }

static dd connective(struct space *s, const struct term *t) {
  dd a = truth(s, t->arg[0]), out;
  if (t->op == TERM_NOT) {
    out = dd_not(a);
  } else {
    bool decided = t->op == TERM_AND ? dd_is_false(a) : dd_is_true(a);
    if (decided) return a;
    dd b = truth(s, t->arg[1]);
    out = t->op == TERM_AND ? dd_and(a, b) : dd_or(a, b);
    dd_drop(b);
  }
  dd_drop(a);
  return out;
}

static dd select_truth(struct space *s, const struct term *t) {
  dd c = truth(s, t->arg[0]), a = truth(s, t->arg[1]), b = truth(s, t->arg[2]);
  dd out = dd_ite(c, a, b);
  dd_drop(c);
  dd_drop(a);
  dd_drop(b);
  return out;
}

// A number that is 0 or 1, as a truth; takes it over.
static dd not_zero(struct word w) {
  struct word zero = word_const(0);
  dd is = word_equal(&w, &zero), out = dd_not(is);
  word_clear(&w);
  dd_drop(is);
  return out;
}

static dd coded_truth(struct space *s, const struct term *t) {
  struct space_code c = code_of(s, t);
  bool plain = c.type && c.type->kind == IR_TYPE_BOOL;
  return plain ? bool_code(&c) : not_zero(space_code_word(&c));
}

static dd defined(struct space *s, uint64_t leaf) {
  struct space_code c = space_leaf_code(s, leaf, false);
  if (!c.undef) return dd_true();
  dd no = space_code_is(&c, 0), out = dd_not(no);
  dd_drop(no);
  return out;
}

static dd make_truth(struct space *s, const struct term *t) {
  switch (t->op) {
  case TERM_CONST: return t->value ? dd_true() : dd_false();
  case TERM_DEFINED: return defined(s, t->leaf);
  case TERM_NOT:
  case TERM_AND:
  case TERM_OR: return connective(s, t);
  case TERM_EQ: return equal(s, t->arg[0], t->arg[1]);
  case TERM_LT:
  case TERM_ULT: return less(s, t);
  case TERM_ITE: return t->is_bool ? select_truth(s, t) : not_zero(number(s, t));
  case TERM_LEAF:
  case TERM_CHOICE: return coded_truth(s, t);
  default: return not_zero(number(s, t));
  }
}

static struct word arithmetic(struct space *s, const struct term *t) {
  struct word a = number(s, t->arg[0]), b = number(s, t->arg[1]), out;
  struct bounds both = bounds_of(t->arg[0], t->arg[1]), result = {t->lo, t->hi};
  struct bounds value = {t->arg[0]->lo, t->arg[0]->hi}, counts = {t->arg[1]->lo, t->arg[1]->hi};
  switch (t->op) {
  case TERM_ADD: out = word_add(&a, &b); break;
  case TERM_SUB: out = word_sub(&a, &b); break;
  case TERM_MUL: out = word_mul(&a, &b, result); break;
  case TERM_DIV: out = word_divide(&a, &b, both, false); break;
  case TERM_MOD: out = word_divide(&a, &b, both, true); break;
  case TERM_BITAND: out = word_bitwise(&a, &b, both, dd_and); break;
  case TERM_BITOR: out = word_bitwise(&a, &b, both, dd_or); break;
  case TERM_BITXOR: out = word_bitwise(&a, &b, both, dd_xor); break;
  default: out = word_shift(&a, &b, value, counts, t->op == TERM_SHL); break;
  }
  word_clear(&a);
  word_clear(&b);
  return out;
}

static struct word select_number(struct space *s, const struct term *t) {
  dd c = truth(s, t->arg[0]);
  struct word a = number(s, t->arg[1]), b = number(s, t->arg[2]);
  struct word out = word_select(c, &a, &b);
  dd_drop(c);
  word_clear(&a);
  word_clear(&b);
  return out;
}

static struct word wrapped(struct space *s, const struct term *t) {
  struct word a = number(s, t->arg[0]), out = word_wrap(&a, t->bits, t->is_signed);
  word_clear(&a);
  return out;
}

static bool is_truth(const struct term *t) {
  return t->op == TERM_DEFINED || (t->op >= TERM_NOT && t->op <= TERM_ULT) || t->is_bool;
}

static struct word make_number(struct space *s, const struct term *t) {
  struct word out;
  switch (t->op) {
  case TERM_CONST: return word_const((uint64_t)t->value);
  case TERM_LEAF:
  case TERM_CHOICE: {
    struct space_code c = code_of(s, t);
    return space_code_word(&c);
  }
  case TERM_ITE: out = select_number(s, t); break;
  case TERM_WRAP: out = wrapped(s, t); break;
  default: out = arithmetic(s, t); break;
  }
  word_trim(&out, (struct bounds){t->lo, t->hi});
  return out;
}

// A term that some leaf is to hold: its next code.
static bool make_cut(struct space *s, const struct term *t, struct space_made *m) {
  if (!s->own->cut[t->id]) return false;
  struct space_code c = space_leaf_code(s, s->own->cut[t->id] - 1, true);
  if (is_truth(t) && c.type->kind == IR_TYPE_BOOL) {
    m->truth = bool_code(&c);
    return true;
  }
  if (is_truth(t)) return false;
  m->word = mem_alloc(sizeof(*m->word));
  *m->word = space_code_word(&c);
  return true;
}

static struct space_made *make(struct space *s, const struct term *t);

// Chains of choices, as an index that is not constant makes them, may be longer than the C stack is
// deep: they are made from their end.
static void make_chain(struct space *s, const struct term *t) {
  VEC(const struct term *) chain = {0};
  for (const struct term *a = t->arg[2]; a->op == TERM_ITE; a = a->arg[2]) {
    reserve(s, a->id);
    if (s->own->made[a->id].done || s->own->cut[a->id]) break;
    VEC_PUSH(&chain, a);
  }
  for (size_t i = chain.count; i-- > 0;) make(s, chain.data[i]);
  VEC_CLEAR(&chain);
}

static struct space_made *make(struct space *s, const struct term *t) {
  reserve(s, t->id);
  bool known = s->own->made[t->id].done || s->own->cut[t->id];
  if (!known && t->op == TERM_ITE && t->arg[2]->op == TERM_ITE) {
    const struct term *next = t->arg[2];
    reserve(s, next->id);
    if (!s->own->made[next->id].done && next->arg[2]->op == TERM_ITE) make_chain(s, t);
  }
  if (s->own->made[t->id].done) return &s->own->made[t->id];
  struct space_made m = {.done = true};
  if (!make_cut(s, t, &m)) {
    if (is_truth(t)) {
      m.truth = make_truth(s, t);
    } else {
      struct word w = make_number(s, t);
      m.word = mem_alloc(sizeof(*m.word));
      *m.word = w;
    }
  }
  reserve(s, t->id);
  s->own->made[t->id] = m;
  VEC_PUSH(&s->own->used, t->id);
  return &s->own->made[t->id];
}

static dd truth(struct space *s, const struct term *t) {
  if (!is_truth(t)) return make_truth(s, t);
  return dd_copy(make(s, t)->truth);
}

static struct word number(struct space *s, const struct term *t) {
  if (is_truth(t)) return word_of_bool(truth(s, t));
  return word_copy(make(s, t)->word);
}

dd space_term(struct space *s, const struct term *t) { return truth(s, t); }

// --- what steps write ---

// A choice between values is one between writes: so the values of a union are written by their
// codes. Good for short chains, such as cases are.
static dd holds(struct space *s, const struct space_code *to, const struct term *value) {
  if (value->op == TERM_CONST) {
    bool known;
    return code_has(to, value->value, &known);
  }
  if (to->type->kind == IR_TYPE_UNION && coded(value)) {
    struct space_code from = code_of(s, value);
    if (from.type == to->type && from.undef == to->undef && from.count == to->count)
      return same_codes(to, &from);
  }
  if (to->type->kind == IR_TYPE_BOOL && to->count == 1) {
    dd bit = bool_code(to), t = truth(s, value), out = dd_equal(bit, t);
    dd_drop(bit);
    dd_drop(t);
    return out;
  }
  struct word next = space_code_word(to), w = number(s, value);
  dd out = word_equal(&next, &w);
  word_clear(&next);
  word_clear(&w);
  // Codes past the last of a union may look like any value.
  if (to->type->kind == IR_TYPE_UNION) dd_and_to(&out, space_code_below(to, space_code_count(to)));
  return out;
}

// Where the term would be read from this leaf, this is the write that says what it is.
static dd holds_uncut(struct space *s, const struct space_code *to,
                      const struct relation_write *w) {
  uint32_t id = w->value->id;
  reserve(s, id);
  if (s->own->cut[id] != w->leaf + 1) return holds(s, to, w->value);
  struct space_made read = s->own->made[id];
  s->own->cut[id] = 0;
  s->own->made[id] = (struct space_made){0};
  dd out = holds(s, to, w->value);
  unmake(&s->own->made[id]);
  s->own->cut[id] = w->leaf + 1;
  s->own->made[id] = read;
  return out;
}

dd space_written(struct space *s, const struct relation_write *w, bool next) {
  struct space_code to = space_leaf_code(s, w->leaf, next);
  dd out = holds_uncut(s, &to, w);
  if (!to.undef) return out;
  dd no = space_code_is(&to, 0);
  dd is = w->defined ? truth(s, w->defined) : dd_true();
  dd_set(&out, dd_minus(out, no));
  dd_set(&out, dd_ite(is, out, no));
  dd_drop(no);
  dd_drop(is);
  return out;
}

dd space_unchanged(struct space *s, uint64_t leaf) {
  struct space_code now = space_leaf_code(s, leaf, false), next = space_leaf_code(s, leaf, true);
  return same_codes(&now, &next);
}

dd space_choice_valid(struct space *s, uint32_t k) {
  struct space_code c = space_choice_code(s, k);
  if (s->own->choice_leaf[k] == SPACE_NONE) return space_code_below(&c, space_code_count(&c));
  const struct ir_rule *r = s->own->bound->rule;
  const struct ir_domain *d = r->frame.locals[r->param_count + k]->domain;
  dd some = c.undef ? space_code_is(&c, 0) : dd_false();
  if (d->type) {
    dd_set(&some, dd_not(some));
    dd_and_to(&some, space_code_below(&c, space_code_count(&c)));
    return some;
  }
  dd_set(&some, dd_false());
  for (uint64_t i = 0; i < ir_domain_count(d); i++) {
    bool known;
    dd_or_to(&some, code_has(&c, ir_domain_value(d, i), &known));
  }
  return some;
}
