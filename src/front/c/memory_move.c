// SPDX-License-Identifier: Apache-2.0
// Addresses that move: getelementptr, and parts of what is copied. A path is kept as long as it can
// be, so that each index is known for what it is; else the offset from the beginning counts.
#include "front/c/memory.h"

static const struct ir_type *wide(struct c_lower *w) { return c_int_type(w, 64, true); }

// --- paths ---

bool c_is_first_step(const struct c_step *s) {
  return s->index ? c_is_number(s->index, 0) : s->field == 0;
}

const struct c_type *c_step_type(const struct c_type *t, const struct c_step *s) {
  return t->kind == C_ARRAY ? t->to : t->fields[s->field].type;
}

static void add_step(struct c_lower *w, struct c_address *a, struct c_step s) {
  struct c_step *steps = ARENA_ARRAY(w->arena, struct c_step, a->step_count + 1);
  for (uint32_t i = 0; i < a->step_count; i++) steps[i] = a->steps[i];
  steps[a->step_count++] = s;
  a->steps = steps;
  a->type = c_step_type(a->type, &s);
}

static const struct c_type *type_before(struct c_lower *w, const struct c_address *a,
                                        uint32_t steps) {
  const struct c_type *t = c_address_root(w, a);
  for (uint32_t i = 0; i < steps; i++) t = c_step_type(t, &a->steps[i]);
  return t;
}

// Makes the path end at something of type t that begins at the same place; false: nothing is.
static bool reach_type(struct c_lower *w, struct c_address *a, const struct c_type *t) {
  uint32_t keep = a->step_count;
  while (type_before(w, a, keep) != t && keep > 0 && c_is_first_step(&a->steps[keep - 1])) keep--;
  if (type_before(w, a, keep) == t) {
    a->step_count = keep;
    a->type = t;
    return true;
  }
  struct c_address down = *a;
  while (down.type && down.type != t && !c_is_scalar(down.type) && c_scalars(down.type) > 0)
    add_step(w, &down,
             (struct c_step){.index = down.type->kind == C_ARRAY ? c_number(w, wide(w), 0) : NULL});
  if (down.type != t) return false;
  *a = down;
  return true;
}

// Moves a path by so many elements of type t; false: it is not in an array of these.
static bool move_path(struct c_lower *w, struct c_address *a, const struct c_type *t,
                      struct ir_expr *by) {
  if (!reach_type(w, a, t)) return false;
  if (c_is_number(by, 0)) return true;
  struct c_step *last = a->step_count ? &a->steps[a->step_count - 1] : NULL;
  if (!last || !last->index) return false;
  last->index = c_sum(w, last->index, by);
  return true;
}

// --- facts that move ---

static int64_t divisor(int64_t a, int64_t b) { return b ? divisor(b, a % b) : a; }

// By a number of scalars, or by any number times `n`.
static const struct c_facts *moved(struct c_lower *w, const struct c_facts *f, int64_t by,
                                   int64_t n) {
  struct c_facts *m = ARENA_NEW(w->arena, struct c_facts);
  m->data = ARENA_ARRAY(w->arena, struct c_fact, f->count + 1);
  m->count = m->capacity = f->count;
  for (size_t i = 0; i < f->count; i++) {
    struct c_fact *x = &m->data[i];
    *x = f->data[i];
    if (x->target == C_TARGET_NULL) continue;
    x->rest += by;
    x->modulus = divisor(x->modulus, n);
    if (x->modulus) x->rest = ((x->rest % x->modulus) + x->modulus) % x->modulus;
  }
  return m;
}

static bool can_move(struct c_lower *w, const struct c_facts *f, const struct c_type *element) {
  for (size_t i = 0; i < f->count; i++) {
    const struct c_type *t = c_target_type(w->points, f->data[i].target);
    if (t && !c_type_holds(t, element)) return false;
  }
  return true;
}

// Does something of type `root` begin there, for sure?
static bool begins(const struct c_type *t, int64_t rest, int64_t modulus,
                   const struct c_type *root) {
  while (t != root || modulus || rest) {
    if (t->kind == C_ARRAY) {
      int64_t n = (int64_t)c_scalars(t->to);
      if (n == 0 || modulus % n || rest < 0) return false;
      t = t->to;
      rest %= n;
      modulus = 0;
    } else if (t->kind == C_STRUCT && modulus == 0 && rest >= 0 && rest < (int64_t)c_scalars(t)) {
      uint32_t i = 0;
      for (int64_t n; rest >= (n = (int64_t)c_scalars(t->fields[i].type)); i++) rest -= n;
      t = t->fields[i].type;
    } else {
      return false;
    }
  }
  return true;
}

static bool all_begin(struct c_lower *w, const struct c_facts *f, const struct c_type *root) {
  for (size_t i = 0; i < f->count; i++) {
    const struct c_type *t = c_target_type(w->points, f->data[i].target);
    if (t && !begins(t, f->data[i].rest, f->data[i].modulus, root)) return false;
  }
  return true;
}

// --- without a path ---

static const struct c_facts *whole(const struct c_address *a) {
  return a->whole ? a->whole : a->facts;
}

struct c_address *c_memory_flat(struct c_lower *w, const struct c_address *a) {
  struct c_address *b = c_address_new(w);
  const struct c_facts *f = whole(a);
  uint32_t n = 0;
  if (f->count == 1) c_target_things(w, f->data[0].target, &n);
  b->facts = f;
  b->unable = a->unable;
  b->object = n == 1 ? NULL : c_address_object(w, a);
  b->offset = c_facts_vary(f) ? c_address_offset(w, a) : NULL;
  return b;
}

// Moves the root by so many elements of type t; a path may begin there, if all that it may point to
// have such an element at the place.
static void move_root(struct c_lower *w, struct c_address *a, const struct c_type *t,
                      struct ir_expr *by) {
  int64_t v, n = (int64_t)c_scalars(t);
  bool known = ir_expr_const(by, &v);
  if (!can_move(w, a->facts, t) && !a->unable) a->unable = "memory used as of another type";
  struct ir_expr *offset = c_sum(w, c_address_offset(w, a), c_times(w, by, (uint64_t)n));
  a->facts = moved(w, a->facts, known ? v * n : 0, known ? 0 : n);
  a->offset = c_facts_vary(a->facts) ? offset : NULL;
  a->whole = NULL;
  a->root = all_begin(w, a->facts, t) ? t : NULL;
  a->type = a->root;
}

static struct ir_expr *index_of(struct c_lower *w, const struct c_value *v) {
  struct ir_expr *e = c_value(w, v);
  return c_as(w, c_as(w, e, c_int_type(w, v->type->bits, true)), wide(w));
}

// --- getelementptr ---

static void enter_path(struct c_lower *w, const struct c_instruction *i, struct c_address *a) {
  for (uint32_t k = 2; k < i->arg_count; k++) {
    struct c_step s = {.field = (uint32_t)i->args[k].number};
    if (a->type->kind == C_ARRAY) s.index = index_of(w, &i->args[k]);
    add_step(w, a, s);
  }
}

static void enter_offset(struct c_lower *w, const struct c_instruction *i, struct c_address *a) {
  const struct c_type *t = i->element;
  struct ir_expr *e = c_address_offset(w, a);
  for (uint32_t k = 2; k < i->arg_count; k++) {
    struct c_step s = {.field = (uint32_t)i->args[k].number};
    if (t->kind == C_ARRAY)
      e = c_sum(w, e, c_times(w, index_of(w, &i->args[k]), c_scalars(t->to)));
    else
      e = c_sum(w, e, c_number(w, wide(w), (int64_t)c_field_scalar(t, s.field)));
    t = c_step_type(t, &s);
  }
  a->facts = &w->points->registers[i->index];
  a->offset = c_facts_vary(a->facts) ? e : NULL;
}

struct c_address *c_memory_gep(struct c_lower *w, const struct c_instruction *i) {
  struct c_address *a = c_pointer(w, &i->args[0]);
  struct ir_expr *by = index_of(w, &i->args[1]);
  bool has_path = a->path || a->root;
  if (!has_path || !move_path(w, a, i->element, by)) {
    if (has_path) a = c_memory_flat(w, a);
    move_root(w, a, i->element, by);
  }
  if (a->path || a->root)
    enter_path(w, i, a);
  else
    enter_offset(w, i, a);
  a->whole = &w->points->registers[i->index];
  if (a->path) a->facts = a->whole;
  a->hint = NULL;
  return a;
}

// --- parts ---

static struct c_address *copy_of(struct c_lower *w, const struct c_address *a) {
  struct c_address *b = c_address_new(w);
  *b = *a;
  b->steps = ARENA_ARRAY(w->arena, struct c_step, a->step_count + 1);
  for (uint32_t i = 0; i < a->step_count; i++) {
    b->steps[i] = a->steps[i];
    if (b->steps[i].index) b->steps[i].index = c_copy(w, b->steps[i].index);
  }
  if (a->object) b->object = c_copy(w, a->object);
  if (a->offset) b->offset = c_copy(w, a->offset);
  return b;
}

struct c_address *c_memory_part(struct c_lower *w, const struct c_address *a,
                                const struct c_type *t, uint64_t element, uint64_t scalar) {
  struct c_address *b = copy_of(w, a);
  struct ir_expr *by = c_number(w, wide(w), (int64_t)element);
  bool has_path = b->path || b->root;
  if (!has_path || !move_path(w, b, t, by)) {
    if (has_path) b = c_memory_flat(w, b);
    move_root(w, b, t, c_number(w, wide(w), (int64_t)element));
  }
  if (b->path || b->root) {
    struct c_step *steps;
    uint32_t n = c_scalar_steps(w, t, scalar, &steps);
    for (uint32_t i = 0; i < n; i++) add_step(w, b, steps[i]);
  } else {
    struct ir_expr *offset =
        c_sum(w, c_address_offset(w, b), c_number(w, wide(w), (int64_t)scalar));
    b->facts = moved(w, b->facts, (int64_t)scalar, 0);
    b->offset = c_facts_vary(b->facts) ? offset : NULL;
  }
  return b;
}
