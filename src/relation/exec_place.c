// SPDX-License-Identifier: Apache-2.0
// Symbolic execution of places: what an index that is not constant reads and writes, and sorting.
#include "relation/exec.h"

enum { WAYS_MAX = 1 << 16 };

static struct place place_at(const struct exec *e, size_t at) {
  return (struct place){.one = {e->yes, at}, .count = 1};
}

static const struct alternative *way(const struct place *p, size_t i) {
  return p->many ? &p->many[i] : &p->one;
}

static struct place with_room(struct exec *e, size_t count) {
  if (count > WAYS_MAX) exec_refuse(e, "an index leads to more than %d places", WAYS_MAX);
  exec_work(e, count);
  struct place p = {.count = 0};
  if (count > 1) p.many = ARENA_ARRAY(e->scratch, struct alternative, count);
  return p;
}

static void add_way(struct place *p, const struct term *when, size_t at) {
  struct alternative a = {when, at};
  if (p->many)
    p->many[p->count] = a;
  else
    p->one = a;
  p->count++;
}

static struct place moved(struct exec *e, const struct place *p, size_t by) {
  struct place q = with_room(e, p->count);
  for (size_t i = 0; i < p->count; i++) add_way(&q, way(p, i)->when, way(p, i)->at + by);
  return q;
}

static const struct term *is(struct exec *e, const struct term *i, int64_t value) {
  return term_binary(e->terms, TERM_EQ, i, term_const(e->terms, value));
}

// How many values of the index type the index may have.
static size_t count_values(struct exec *e, const struct ir_type *t, const struct term *i) {
  size_t n = 0;
  for (uint64_t k = 0; k < ir_type_count(t); k++) n += !term_is(is(e, i, ir_type_value(t, k)), 0);
  return n;
}

static struct place element(struct exec *e, const struct place *p, const struct ir_type *array,
                            const struct term *i) {
  size_t n = array->elem->leaves;
  if (i->op == TERM_CONST || exec_dead(e)) { // of the dead any will do
    bool good = i->op == TERM_CONST && ir_type_has(array->index, i->value);
    return moved(e, p, good ? ir_type_rank(array->index, i->value) * n : 0);
  }
  exec_work(e, ir_type_count(array->index));
  struct place q = with_room(e, p->count * count_values(e, array->index, i));
  for (uint64_t k = 0; k < ir_type_count(array->index); k++) {
    const struct term *here = is(e, i, ir_type_value(array->index, k));
    for (size_t j = 0; j < p->count && !term_is(here, 0); j++)
      add_way(&q, term_and(e->terms, way(p, j)->when, here), way(p, j)->at + k * n);
  }
  return q;
}

static struct place place_of_index(struct exec *e, const struct ir_expr *x) {
  const struct ir_type *array = x->args[0]->type;
  struct place p = exec_place(e, x->args[0]);
  const struct term *i = exec_value(e, x->args[1]);
  exec_fault(e, term_not(e->terms, exec_has(e, array->index, i)), x->site);
  return element(e, &p, array, i);
}

static struct place place_of_ite(struct exec *e, const struct ir_expr *x) {
  const struct term *c = exec_condition(e, x->args[0]);
  int decided = exec_decided(e, c);
  if (decided >= 0) return exec_place(e, x->args[decided ? 1 : 2]);
  struct branch b;
  exec_open(e, &b, c);
  struct place p = exec_place(e, x->args[1]);
  exec_turn(e, &b);
  struct place q = exec_place(e, x->args[2]);
  exec_close(e, &b);
  struct place r = with_room(e, p.count + q.count);
  const struct term *not_c = term_not(e->terms, c);
  for (size_t i = 0; i < p.count; i++)
    add_way(&r, term_and(e->terms, c, way(&p, i)->when), way(&p, i)->at);
  for (size_t i = 0; i < q.count; i++)
    add_way(&r, term_and(e->terms, not_c, way(&q, i)->when), way(&q, i)->at);
  return r;
}

struct place exec_place(struct exec *e, const struct ir_expr *x) {
  struct place p;
  size_t at;
  switch (x->op) {
  case IR_VAR: return place_at(e, x->var->first_leaf);
  case IR_LOCAL:
    at = e->frame + x->local->cell;
    return x->local->kind == IR_LOCAL_REF ? *e->cells[at].ref : place_at(e, at);
  case IR_INDEX: return place_of_index(e, x);
  case IR_FIELD:
    p = exec_place(e, x->args[0]);
    return moved(e, &p, x->args[0]->type->fields[x->field].leaf);
  case IR_ITE: return place_of_ite(e, x);
  case IR_CALL: return place_at(e, exec_call(e, x));
  default: assert(!"not a place"); return (struct place){0};
  }
}

struct pair exec_load(struct exec *e, const struct place *p, uint64_t offset) {
  size_t i = p->count - 1;
  struct pair r = e->cells[way(p, i)->at + offset].now;
  while (i-- > 0) r = exec_choose(e, way(p, i)->when, e->cells[way(p, i)->at + offset].now, r);
  return r;
}

void exec_store(struct exec *e, const struct place *p, uint64_t offset, struct pair v) {
  for (size_t i = 0; i < p->count; i++) {
    size_t at = way(p, i)->at + offset;
    exec_write(e, at, p->count == 1 ? v : exec_choose(e, way(p, i)->when, v, e->cells[at].now));
  }
}

const struct term *exec_same(struct exec *e, struct pair a, struct pair b) {
  const struct term *both = term_binary(e->terms, TERM_EQ, a.defined, b.defined);
  const struct term *equal = term_binary(e->terms, TERM_EQ, a.value, b.value);
  return term_and(e->terms, both, term_or(e->terms, term_not(e->terms, a.defined), equal));
}

// --- sorting ---

// The rank of a value, up to what they all have in common.
static const struct term *rank(struct exec *e, const struct ir_type *t, const struct term *v) {
  if (t->kind != IR_TYPE_UNION) return v;
  const struct term *r = term_const(e->terms, 0);
  for (uint32_t i = t->part_count; i-- > 0;) {
    const struct ir_type *part = t->parts[i];
    int64_t shift = (int64_t)(ir_type_rank(t, part->lo) - (uint64_t)part->lo);
    r = term_ite(e->terms, exec_has(e, part, v),
                 term_binary(e->terms, TERM_ADD, v, term_const(e->terms, shift)), r);
  }
  return r;
}

static const struct term *leaf_before(struct exec *e, const struct ir_type *t, struct pair a,
                                      struct pair b) {
  bool pattern = t->kind == IR_TYPE_INT && !t->is_signed;
  const struct term *less =
      term_binary(e->terms, pattern ? TERM_ULT : TERM_LT, rank(e, t, a.value), rank(e, t, b.value));
  less = term_or(e->terms, term_not(e->terms, a.defined), less);
  return term_and(e->terms, b.defined, less);
}

// Is a before b, where `tie` is the answer for those that are equal here?
static const struct term *before(struct exec *e, const struct ir_type *t, const struct pair *a,
                                 const struct pair *b, const struct term *tie) {
  if (t->kind == IR_TYPE_ARRAY) {
    for (uint64_t i = t->elem->leaves ? t->leaves : 0; i > 0; i -= t->elem->leaves)
      tie = before(e, t->elem, a + i - t->elem->leaves, b + i - t->elem->leaves, tie);
    return tie;
  }
  if (t->kind == IR_TYPE_RECORD) {
    for (uint32_t i = t->field_count; i-- > 0;)
      tie = before(e, t->fields[i].type, a + t->fields[i].leaf, b + t->fields[i].leaf, tie);
    return tie;
  }
  return term_ite(e->terms, exec_same(e, *a, *b), tie, leaf_before(e, t, *a, *b));
}

static void exchange(struct exec *e, const struct ir_type *elem, struct pair *a, struct pair *b) {
  const struct term *swap = before(e, elem, b, a, e->no);
  for (uint64_t i = 0; i < elem->leaves; i++) {
    struct pair p = a[i], q = b[i];
    a[i] = exec_choose(e, swap, q, p);
    b[i] = exec_choose(e, swap, p, q);
  }
  exec_work(e, 4 * elem->leaves);
}

// Insertion sort as a network: elements that are equal are the same.
void exec_sort(struct exec *e, const struct place *p, const struct ir_type *t) {
  uint64_t n = t->elem->leaves;
  struct pair *all = ARENA_ARRAY(e->scratch, struct pair, t->leaves + 1);
  for (uint64_t i = 0; i < t->leaves; i++) all[i] = exec_load(e, p, i);
  for (uint64_t i = n; n && i < t->leaves; i += n)
    for (uint64_t j = i; j > 0; j -= n) exchange(e, t->elem, all + j - n, all + j);
  for (uint64_t i = 0; i < t->leaves; i++) exec_store(e, p, i, all[i]);
}
