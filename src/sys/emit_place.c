// SPDX-License-Identifier: Apache-2.0
// Places: where an lvalue lives and how C reads and writes it. Leaf numbers are affine in the
// indices; where the layout made word and shift affine too, the C computes them, elsewhere it
// looks them up in the table of positions.
#include "sys/emit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define AFFINE_LIMIT 65536 // leaves looked at to find out

static const struct ir_leaf *place_leaf(const struct emit *e, const struct emit_place *p) {
  assert(p->kind == EMIT_STATE && p->leaf < e->m->layout->count);
  return &e->m->layout->leaf[p->leaf];
}

// --- following an lvalue ---

static struct emit_place local_place(struct emit *e, const struct ir_local *l) {
  struct emit_place p = {.kind = EMIT_CELLS, .type = l->type};
  p.root = emit_format(e, "l%u", l->id);
  if (l->kind == IR_LOCAL_REF) {
    const struct emit_binding *b = &e->instance->bindings[l->id];
    if (b->in_state) p.kind = EMIT_STATE, p.leaf = b->leaf;
  } else if (!e->boxed[l->id]) {
    p.kind = EMIT_SCALAR;
  }
  return p;
}

struct emit_place emit_place_element(struct emit_place p, const char *rank) {
  uint64_t count = ir_type_count(p.type->index);
  p.type = p.type->elem;
  char *end;
  uint64_t r = strtoull(rank, &end, 10);
  if (*end == 0) {
    p.offset += r * p.type->leaves;
    p.leaf += r * p.type->leaves;
  } else {
    assert(p.term_count < EMIT_TERMS);
    p.terms[p.term_count++] =
        (struct emit_term){.rank = rank, .stride = p.type->leaves, .count = count};
  }
  return p;
}

struct emit_place emit_place_field(const struct emit_place *p, uint32_t field) {
  struct emit_place q = *p;
  const struct ir_field *f = &p->type->fields[field];
  q.type = f->type;
  q.offset += f->leaf;
  q.leaf += f->leaf;
  return q;
}

static struct emit_place index_place(struct emit *e, const struct ir_expr *x) {
  struct emit_place p = emit_place(e, x->args[0]);
  const struct ir_type *index = p.type->index;
  int64_t v;
  if (ir_expr_const(x->args[1], &v)) {
    if (ir_type_has(index, v))
      return emit_place_element(p, emit_format(e, "%" PRIu64, ir_type_rank(index, v)));
    emit_fail_if(e, "true", x->site);
    return emit_place_element(p, "0");
  }
  const char *i = emit_simple(e, emit_expr(e, x->args[1]));
  if (!emit_fits(e, x->args[1], index)) emit_fail_if(e, emit_outside(e, index, i), x->site);
  return emit_place_element(p, emit_rank(e, index, i));
}

struct emit_place emit_cells(struct emit *e, const struct ir_type *t) {
  return (struct emit_place){
      .kind = EMIT_CELLS, .root = emit_array(e, "int64_t", t->leaves), .type = t};
}

// A conditional of arrays or records: the chosen one is copied.
static struct emit_place conditional_place(struct emit *e, const struct ir_expr *x) {
  struct emit_place p = emit_cells(e, x->type), q;
  emit_line(e, "if (%s) {", emit_expr(e, x->args[0]));
  for (uint32_t i = 1; i <= 2; i++) {
    e->indent++;
    q = emit_place(e, x->args[i]);
    emit_copy(e, &p, &q);
    e->indent--;
    emit_line(e, i == 1 ? "} else {" : "}");
  }
  return p;
}

struct emit_place emit_place(struct emit *e, const struct ir_expr *x) {
  switch (x->op) {
  case IR_VAR:
    return (struct emit_place){.kind = EMIT_STATE,
                               .offset = x->var->first_leaf,
                               .leaf = x->var->first_leaf,
                               .type = x->var->type};
  case IR_LOCAL: return local_place(e, x->local);
  case IR_FIELD: {
    struct emit_place p = emit_place(e, x->args[0]);
    return emit_place_field(&p, x->field);
  }
  case IR_CALL: {
    struct emit_place p = emit_cells(e, x->type);
    emit_call(e, x, &p);
    return p;
  }
  case IR_ITE: return conditional_place(e, x);
  default: assert(x->op == IR_INDEX); return index_place(e, x);
  }
}

// --- positions ---

// first + sum of factor * rank; the first term without factors is left out when it is 0.
static const char *affine_sum(struct emit *e, uint64_t first, const char *root,
                              const struct emit_place *p, const int64_t *factors) {
  struct text t = {0};
  if (root) text_printf(&t, "%s", root);
  if (first) text_printf(&t, "%s%" PRIu64, t.count ? " + " : "", first);
  for (uint32_t i = 0; i < p->term_count; i++) {
    if (factors[i] == 0) continue;
    if (t.count) text_add(&t, " + ");
    if (factors[i] != 1) text_printf(&t, "%" PRId64 " * ", factors[i]);
    text_add(&t, p->terms[i].rank);
  }
  const char *s = emit_format(e, "%s", t.count ? text_str(&t) : "0");
  text_clear(&t);
  return s;
}

static const char *leaf_number(struct emit *e, const struct emit_place *p) {
  int64_t strides[EMIT_TERMS];
  for (uint32_t i = 0; i < p->term_count; i++) strides[i] = (int64_t)p->terms[i].stride;
  return affine_sum(e, p->offset, p->root, p, strides);
}

struct affine {
  int64_t word[EMIT_TERMS], shift[EMIT_TERMS];
};

// Goes through all indices like an odometer; false when it is back at the start.
static bool next_ranks(const struct emit_place *p, uint64_t *ranks) {
  for (uint32_t i = 0; i < p->term_count; i++) {
    if (++ranks[i] < p->terms[i].count) return true;
    ranks[i] = 0;
  }
  return false;
}

// Are word and shift of this access affine in the ranks, with factors >= 0?
static bool place_affine(const struct emit *e, const struct emit_place *p, struct affine *a) {
  if (p->root) return false;
  const struct ir_leaf *leaves = e->m->layout->leaf, *first = &leaves[p->offset];
  uint64_t total = 1;
  for (uint32_t i = 0; i < p->term_count; i++) {
    total *= p->terms[i].count;
    if (total > AFFINE_LIMIT) return false;
    const struct ir_leaf *l = &leaves[p->offset + (p->terms[i].count > 1) * p->terms[i].stride];
    a->word[i] = (int64_t)l->word - first->word;
    a->shift[i] = (int64_t)l->shift - first->shift;
    if (a->word[i] < 0 || a->shift[i] < 0) return false;
  }
  uint64_t ranks[EMIT_TERMS] = {0};
  do {
    int64_t word = first->word, shift = first->shift;
    uint64_t leaf = p->offset;
    for (uint32_t i = 0; i < p->term_count; i++) {
      word += a->word[i] * (int64_t)ranks[i];
      shift += a->shift[i] * (int64_t)ranks[i];
      leaf += p->terms[i].stride * ranks[i];
    }
    if (leaves[leaf].word != word || leaves[leaf].shift != shift) return false;
  } while (next_ranks(p, ranks));
  return true;
}

static uint64_t mask_of(const struct ir_leaf *l) { return ~UINT64_C(0) >> (64 - l->width); }

static const char *place_code(struct emit *e, const struct emit_place *p) {
  const struct ir_leaf *l = place_leaf(e, p);
  struct affine a;
  if (l->width == 0) return "0";
  if (!place_affine(e, p, &a)) {
    e->pos_used = true;
    return emit_format(e, "fathom_get(s, &pos[%s], 0x%" PRIx64 ")", leaf_number(e, p), mask_of(l));
  }
  const struct ir_leaf *first = &e->m->layout->leaf[p->offset];
  const char *word = affine_sum(e, first->word, NULL, p, a.word);
  const char *shift = affine_sum(e, first->shift, NULL, p, a.shift);
  if (l->width == 64) return emit_format(e, "s[%s]", word);
  if (p->term_count) shift = emit_format(e, "(%s)", shift);
  return emit_format(e, "(s[%s] >> %s & 0x%" PRIx64 ")", word, shift, mask_of(l));
}

const char *emit_code(struct emit *e, const struct emit_place *p) { return place_code(e, p); }

// The place with one of its indices given.
static struct emit_place fix_term(const struct emit_place *p, uint32_t term, uint64_t rank) {
  struct emit_place q = *p;
  q.offset += rank * p->terms[term].stride;
  q.leaf += rank * p->terms[term].stride;
  q.term_count--;
  for (uint32_t i = term; i < q.term_count; i++) q.terms[i] = p->terms[i + 1];
  return q;
}

bool emit_place_fields(struct emit *e, const struct emit_place *p, uint32_t term, uint64_t rank,
                       struct emit_fields *f) {
  struct affine a, b;
  if (!place_affine(e, p, &a) || a.word[term] != 0) return false;
  struct emit_place q = fix_term(p, term, rank);
  if (!place_affine(e, &q, &b)) return false;
  const struct ir_leaf *first = &e->m->layout->leaf[q.offset];
  f->leaf = place_leaf(e, &q);
  f->stride = p->terms[term].count > 1 ? (uint64_t)a.shift[term] : 1;
  const char *shift = affine_sum(e, first->shift, NULL, &q, b.shift);
  f->bits = emit_format(e, "s[%s]", affine_sum(e, first->word, NULL, &q, b.word));
  if (strcmp(shift, "0") != 0) f->bits = emit_format(e, "%s >> (%s)", f->bits, shift);
  return true;
}

static void write_code(struct emit *e, const struct emit_place *p, const char *code) {
  const struct ir_leaf *l = place_leaf(e, p);
  struct affine a;
  if (l->width == 0) return;
  if (!place_affine(e, p, &a)) {
    e->pos_used = true;
    emit_line(e, "fathom_set(s, &pos[%s], 0x%" PRIx64 ", %s);", leaf_number(e, p), mask_of(l),
              code);
    return;
  }
  const struct ir_leaf *first = &e->m->layout->leaf[p->offset];
  const char *word = affine_sum(e, first->word, NULL, p, a.word);
  if (l->width == 64)
    emit_line(e, "s[%s] = %s;", word, code);
  else if (p->term_count == 0)
    emit_line(e, "s[%s] = (s[%s] & ~UINT64_C(0x%" PRIx64 ")) | (uint64_t)(%s) << %u;", word, word,
              mask_of(l) << first->shift, code, first->shift);
  else
    emit_line(e, "fathom_put(&s[%s], %s, 0x%" PRIx64 ", %s);", word,
              affine_sum(e, first->shift, NULL, p, a.shift), mask_of(l), code);
}

// --- several leaves at once ---

static bool same_codes(const struct emit *e, const struct emit_place *p,
                       const struct emit_place *q) {
  if (p->kind != EMIT_STATE || q->kind != EMIT_STATE || !ir_type_scalar(p->type)) return false;
  const struct ir_leaf *a = place_leaf(e, p), *b = place_leaf(e, q);
  return a->width == b->width && a->undef == b->undef && ir_type_same(a->type, b->type);
}

// Does the leaf lie `width` bits above the first, wherever the indices lead?
static bool lies_above(const struct emit *e, const struct emit_place *first, const struct affine *a,
                       const struct emit_place *p, uint32_t width) {
  const struct ir_leaf *leaf = e->m->layout->leaf, *x = &leaf[first->offset], *y = &leaf[p->offset];
  struct affine b;
  if (x->word != y->word || x->shift + width != y->shift || !place_affine(e, p, &b)) return false;
  for (uint32_t i = 0; i < p->term_count; i++)
    if (a->word[i] != b.word[i] || a->shift[i] != b.shift[i]) return false;
  return true;
}

uint32_t emit_copy_run(struct emit *e, const struct emit_place *to, const struct emit_place *from,
                       uint32_t field) {
  const struct emit_place first = emit_place_field(to, field),
                          source = emit_place_field(from, field);
  const struct ir_leaf *leaf = e->m->layout->leaf;
  struct affine a, b;
  uint32_t n = 0, width = 0;
  if (!same_codes(e, &first, &source) || !place_affine(e, &first, &a) ||
      !place_affine(e, &source, &b))
    return 0;
  for (; field + n < to->type->field_count; n++) {
    struct emit_place p = emit_place_field(to, field + n), q = emit_place_field(from, field + n);
    if (!same_codes(e, &p, &q) || width + place_leaf(e, &p)->width >= 64) break;
    if (!lies_above(e, &first, &a, &p, width) || !lies_above(e, &source, &b, &q, width)) break;
    width += place_leaf(e, &p)->width;
  }
  if (width)
    emit_line(e, "fathom_put(&s[%s], %s, 0x%" PRIx64 ", s[%s] >> (%s) & 0x%" PRIx64 ");",
              affine_sum(e, leaf[first.offset].word, NULL, &first, a.word),
              affine_sum(e, leaf[first.offset].shift, NULL, &first, a.shift),
              ~UINT64_C(0) >> (64 - width),
              affine_sum(e, leaf[source.offset].word, NULL, &source, b.word),
              affine_sum(e, leaf[source.offset].shift, NULL, &source, b.shift),
              ~UINT64_C(0) >> (64 - width));
  return n;
}

// --- values and codes ---

const char *emit_rank(struct emit *e, const struct ir_type *t, const char *value) {
  if (!emit_type_contiguous(t)) return emit_format(e, "t%u_rank(%s)", t->id, value);
  if (t->lo == 0) return value;
  return emit_format(e, "(%s - %s)", value, emit_number(e, t->lo));
}

const char *emit_value_of_rank(struct emit *e, const struct ir_type *t, const char *rank) {
  if (!emit_type_contiguous(t)) return emit_format(e, "t%u_value(%s)", t->id, rank);
  if (t->lo == 0) return emit_format(e, "(int64_t)%s", rank);
  if (ir_type_count(t) > INT64_MAX / 2)
    return emit_format(e, "(int64_t)((uint64_t)%s + (uint64_t)%s)", rank, emit_number(e, t->lo));
  return emit_format(e, "((int64_t)%s + %s)", rank, emit_number(e, t->lo));
}

const char *emit_outside(struct emit *e, const struct ir_type *t, const char *value) {
  if (!emit_type_contiguous(t)) return emit_format(e, "t%u_outside(%s)", t->id, value);
  return emit_format(e, "fathom_outside(%s, %s, %s)", value, emit_number(e, t->lo),
                     emit_number(e, t->hi));
}

static const char *cell(struct emit *e, const struct emit_place *p) {
  if (p->kind == EMIT_SCALAR) return p->root;
  int64_t strides[EMIT_TERMS];
  for (uint32_t i = 0; i < p->term_count; i++) strides[i] = (int64_t)p->terms[i].stride;
  return emit_format(e, "%s[%s]", p->root, affine_sum(e, p->offset, NULL, p, strides));
}

// The value of a defined code of a leaf that may be undefined: codes start at 1.
static const char *value_of_code(struct emit *e, const struct ir_type *t, const char *code) {
  bool simple = emit_type_contiguous(t) && ir_type_count(t) < INT64_MAX / 2;
  if (simple && t->lo == 1) return code;
  if (simple && t->lo > IR_UNDEF + 1)
    return emit_format(e, "(%s + %s)", code, emit_number(e, t->lo - 1));
  return emit_value_of_rank(e, t, emit_format(e, "(%s - 1)", code));
}

const char *emit_read(struct emit *e, const struct emit_place *p, uint32_t site) {
  assert(ir_type_scalar(p->type));
  const char *value;
  if (p->kind != EMIT_STATE) {
    value = cell(e, p);
    if (p->kind == EMIT_CELLS && site) value = emit_keep(e, value);
    if (site) emit_fail_if(e, emit_format(e, "%s == FATHOM_UNDEF", value), site);
    return e->ordered ? emit_keep(e, value) : value;
  }
  const struct ir_leaf *l = place_leaf(e, p);
  const char *code = place_code(e, p);
  if (l->undef) {
    code = emit_keep(e, emit_format(e, "(int64_t)%s", code));
    emit_fail_if(e, emit_format(e, "%s == 0", code), site);
    value = value_of_code(e, l->type, code);
  } else {
    value = emit_value_of_rank(e, l->type, code);
  }
  return e->ordered ? emit_keep(e, value) : emit_format(e, "(%s)", value);
}

bool emit_place_defined(const struct emit *e, const struct emit_place *p) {
  return p->kind == EMIT_STATE && !place_leaf(e, p)->undef;
}

const char *emit_compare_code(struct emit *e, const struct emit_place *p, const char *op,
                              int64_t value, uint32_t site) {
  const struct ir_leaf *l = p->kind == EMIT_STATE ? place_leaf(e, p) : NULL;
  if (!l || !emit_type_ascending(l->type) || !ir_type_has(l->type, value)) return NULL;
  const char *code = place_code(e, p);
  if (l->undef) {
    code = emit_keep(e, emit_format(e, "(int64_t)%s", code));
    emit_fail_if(e, emit_format(e, "%s == 0", code), site);
  } else if (e->ordered) {
    code = emit_keep(e, code);
  }
  return emit_format(e, "(%s %s %" PRIu64 ")", code, op, ir_type_rank(l->type, value) + l->undef);
}

const char *emit_peek(struct emit *e, const struct emit_place *p) {
  if (p->kind != EMIT_STATE) return cell(e, p);
  const struct ir_leaf *l = place_leaf(e, p);
  const char *code = place_code(e, p);
  if (!l->undef) return emit_format(e, "(%s)", emit_value_of_rank(e, l->type, code));
  if (emit_type_contiguous(l->type))
    return emit_format(e, "fathom_peek(%s, %s)", code, emit_number(e, l->type->lo));
  code = emit_keep(e, emit_format(e, "(int64_t)%s", code));
  return emit_format(e, "(%s == 0 ? FATHOM_UNDEF : t%u_value(%s - 1))", code, l->type->id, code);
}

const char *emit_is_undefined(struct emit *e, const struct emit_place *p) {
  if (p->kind != EMIT_STATE) return emit_format(e, "(%s == FATHOM_UNDEF)", cell(e, p));
  if (!place_leaf(e, p)->undef) return "0";
  return emit_format(e, "(%s == 0)", place_code(e, p));
}

// Codes of literals are literals.
static const char *defined_code(struct emit *e, const struct ir_leaf *l, const char *value) {
  char *end;
  int64_t v = strtoll(value, &end, 10);
  if (*end == 0 && ir_type_has(l->type, v))
    return emit_format(e, "%" PRIu64, ir_type_rank(l->type, v) + l->undef);
  if (emit_type_contiguous(l->type)) {
    uint64_t base = (uint64_t)l->type->lo - l->undef;
    if (base == 0) return value;
    return emit_format(e, "((uint64_t)%s - (uint64_t)%s)", value, emit_number(e, (int64_t)base));
  }
  const char *rank = emit_rank(e, l->type, value);
  return l->undef ? emit_format(e, "(%s + 1)", rank) : rank;
}

void emit_write(struct emit *e, const struct emit_place *p, const char *value) {
  if (p->kind != EMIT_STATE)
    emit_line(e, "%s = %s;", cell(e, p), value);
  else
    write_code(e, p, defined_code(e, place_leaf(e, p), value));
}

void emit_poke(struct emit *e, const struct emit_place *p, const char *value) {
  if (p->kind != EMIT_STATE || !place_leaf(e, p)->undef) {
    emit_write(e, p, value);
    return;
  }
  const struct ir_type *t = place_leaf(e, p)->type;
  if (strcmp(value, "FATHOM_UNDEF") == 0) {
    write_code(e, p, "0");
  } else if (emit_type_contiguous(t)) {
    write_code(e, p, emit_format(e, "fathom_code(%s, %s)", value, emit_number(e, t->lo)));
  } else {
    value = emit_keep(e, value);
    write_code(e, p,
               emit_format(e, "(%s == FATHOM_UNDEF ? 0 : t%u_rank(%s) + 1)", value, t->id, value));
  }
}

const char *emit_reference(struct emit *e, const struct emit_place *p) {
  if (p->kind == EMIT_STATE) return emit_format(e, "(uint32_t)(%s)", leaf_number(e, p));
  if (p->kind == EMIT_CELLS) return emit_format(e, "&%s", cell(e, p));
  // a read-only scalar: its callee sees a copy
  const char *copy = emit_temp(e);
  emit_line(e, "int64_t %s[1] = {%s};", copy, p->root);
  return copy;
}
