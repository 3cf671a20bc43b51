// SPDX-License-Identifier: Apache-2.0
// Can a pointer be followed? It is not null, what it points to is there, and it points into that.
// Each question is asked once for all that it may point to.
#include "front/c/memory.h"

static const struct span nowhere;

struct ir_expr *c_is_within(struct c_lower *w, const struct ir_expr *e, uint64_t count) {
  int64_t v, n = (int64_t)count;
  if (ir_expr_const(e, &v)) return ir_bool(w->m, v >= 0 && v < n, nowhere);
  if (n == 0) return ir_bool(w->m, false, nowhere);
  return ir_ismember(w->m, c_copy(w, e), ir_type_range(w->m, 0, n - 1), nowhere);
}

struct ir_expr *c_implied(struct c_lower *w, const struct ir_expr *when, struct ir_expr *e) {
  if (!when || c_is_number(e, 1)) return e;
  if (c_is_number(e, 0)) return c_not(w, c_copy(w, when));
  return ir_binary(w->m, IR_IMPLIES, c_copy(w, when), e, nowhere);
}

static uint32_t things_of(struct c_lower *w, const struct c_facts *f) {
  uint32_t n, all = 0;
  for (size_t i = 0; i < f->count; i++) {
    c_target_things(w, f->data[i].target, &n);
    all += n;
  }
  return all;
}

struct ir_expr *c_is_object(struct c_lower *w, const struct c_address *a, uint32_t thing) {
  if (!a->object || things_of(w, a->facts) == 1) return NULL;
  return c_binary(w, IR_EQ, c_copy(w, a->object),
                  ir_const(w->m, w->pointer, w->things.data[thing].id, nowhere));
}

// What must hold of a pointer, as far as it is not known; NULL: nothing more.
struct asked {
  struct c_lower *w;
  struct ir_expr *inside, *allocated, *alive;
  const struct c_thing *outside, *left; // the last that it may be outside of, or find gone
};

static void ask_here(struct asked *q, const struct c_thing *t, const struct ir_expr *when) {
  struct c_lower *w = q->w;
  if (!t->status || (t->object && !c_may_be_gone(w, t->target - C_TARGET_OBJECTS))) return;
  struct ir_expr *here = c_binary(w, IR_EQ, ir_var_ref(w->m, t->status, nowhere),
                                  ir_const(w->m, w->status, C_STATUS_HERE, nowhere));
  here = c_implied(w, when, here);
  if (t->is_heap) {
    q->allocated = c_and(w, q->allocated, here);
  } else {
    q->alive = c_and(w, q->alive, here);
    q->left = t;
  }
}

// Is it inside of the thing? Of one that is made of elements the number of the element is asked, as
// it is when that is read.
static struct ir_expr *is_inside(struct c_lower *w, const struct c_type *t, const struct c_fact *x,
                                 const struct ir_expr *offset) {
  if (!t) return ir_bool(w->m, false, nowhere);
  if (!x->modulus)
    return c_is_within(w, c_number(w, c_int_type(w, 64, true), x->rest), c_scalars(t));
  int64_t n = t->kind == C_ARRAY ? (int64_t)c_scalars(t->to) : 1;
  if (n == 1 || x->modulus % n) return c_is_within(w, offset, c_scalars(t));
  return c_is_within(w, c_quotient(w, offset, x->rest % n, n), t->count);
}

static void ask_thing(struct asked *q, const struct c_thing *t, const struct c_address *a,
                      const struct c_fact *x, const struct ir_expr *offset) {
  struct c_lower *w = q->w;
  struct ir_expr *when = c_is_object(w, a, (uint32_t)(t - w->things.data));
  ask_here(q, t, when);
  struct ir_expr *inside = is_inside(w, t->type, x, offset);
  if (c_is_number(inside, 1)) return;
  q->inside = c_and(w, q->inside, c_implied(w, when, inside));
  q->outside = t;
}

static void ask_null(struct c_lower *w, const struct c_address *a, struct span span) {
  if (a->path || (a->facts->count && !c_facts_find(a->facts, C_TARGET_NULL))) return;
  struct ir_expr *some = ir_bool(w->m, false, nowhere);
  if (a->object)
    some = c_binary(w, IR_NE, c_copy(w, a->object), ir_const(w->m, w->pointer, 0, nowhere));
  c_check(w, C_CHECK_NULL, some, span, "a null pointer is followed");
}

static void say(struct c_lower *w, const struct asked *q, struct span span) {
  if (q->allocated)
    c_check(w, C_CHECK_NULL, q->allocated, span, "memory is used after it was freed");
  if (q->alive)
    c_check(w, C_CHECK_NULL, q->alive, span, "\"%s\" is used after its function has returned",
            q->left->name);
  if (q->inside)
    c_check(w, C_CHECK_BOUNDS, q->inside, span, "this is outside of \"%s\"", q->outside->name);
}

void c_check_pointer(struct c_lower *w, const struct c_address *a, const struct ir_expr *offset,
                     struct span span) {
  struct asked q = {.w = w};
  ask_null(w, a, span);
  if (a->path) ask_here(&q, &w->things.data[a->thing], NULL);
  for (size_t i = 0; !a->path && i < a->facts->count; i++) {
    uint32_t n, first = c_target_things(w, a->facts->data[i].target, &n);
    for (uint32_t k = 0; k < n; k++)
      ask_thing(&q, &w->things.data[first + k], a, &a->facts->data[i], offset);
  }
  say(w, &q, span);
}
