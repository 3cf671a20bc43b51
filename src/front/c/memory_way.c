// SPDX-License-Identifier: Apache-2.0
// From an address to the places in memory that it may be of: one where the path is known, else one
// for each thing that it may point to, and for each field that it may be at in there.
#include "front/c/memory.h"

static const struct span nowhere;

static const struct ir_type *wide(struct c_lower *w) { return c_int_type(w, 64, true); }

static struct ir_expr *number(struct c_lower *w, int64_t v) { return c_number(w, wide(w), v); }

uint32_t c_scalar_steps(struct c_lower *w, const struct c_type *t, uint64_t scalar,
                        struct c_step **out) {
  VEC(struct c_step) steps = {0};
  while (!c_is_scalar(t)) {
    struct c_step s = {0};
    if (t->kind == C_ARRAY) {
      uint64_t n = c_scalars(t->to);
      s.index = number(w, (int64_t)(scalar / n));
      scalar %= n;
    } else {
      for (uint64_t n; scalar >= (n = c_scalars(t->fields[s.field].type)); s.field++) scalar -= n;
    }
    t = c_step_type(t, &s);
    VEC_PUSH(&steps, s);
  }
  uint32_t count = (uint32_t)steps.count;
  *out = ARENA_ARRAY(w->arena, struct c_step, count + 1);
  for (uint32_t i = 0; i < count; i++) (*out)[i] = steps.data[i];
  VEC_CLEAR(&steps);
  return count;
}

struct ir_expr *c_way_place(struct c_lower *w, const struct c_way *y, bool set) {
  const struct c_thing *t = &w->things.data[y->thing];
  struct ir_expr *e = ir_var_ref(w->m, set ? t->set : t->var, nowhere);
  for (uint32_t i = 0; i < y->step_count; i++) {
    const struct c_step *s = &y->steps[i];
    e = s->index ? ir_index(w->m, e, c_copy(w, s->index), nowhere)
                 : ir_field(w->m, e, s->field, nowhere);
  }
  return e;
}

// --- types ---

static bool fits(const struct c_type *u, const struct c_type *t) {
  return u->kind == t->kind && t->kind != C_OTHER && u->bits == t->bits;
}

enum { VARYING_MAX = 4096 }; // scalars of what an index that varies leads into

// Would it be one case for each of very many elements?
static bool is_too_large(struct c_lower *w, const struct c_way *y) {
  int64_t v;
  if (c_scalars(w->things.data[y->thing].type) <= VARYING_MAX) return false;
  for (uint32_t i = 0; i < y->step_count; i++)
    if (y->steps[i].index && !ir_expr_const(y->steps[i].index, &v)) return true;
  return false;
}

static void add_way(struct c_lower *w, struct c_ways *out, struct c_way y, const struct c_type *t,
                    struct span span) {
  struct ir_expr *elsewhere = y.when ? c_not(w, c_copy(w, y.when)) : ir_bool(w->m, false, nowhere);
  if (!fits(y.type, t))
    c_unable_unless(w, elsewhere, span, "memory used as of another type");
  else if (is_too_large(w, &y))
    c_unable_unless(w, elsewhere, span, "an index that varies into more than 4096 elements");
  else
    VEC_PUSH(out, y);
}

// --- paths ---

static const char *thing_text(struct c_lower *w, const struct c_way *y, uint32_t steps) {
  const struct c_thing *t = &w->things.data[y->thing];
  const struct c_type *type = t->type;
  struct text s = {0};
  text_add(&s, t->name);
  for (uint32_t i = 0; i < steps; i++) {
    int64_t v;
    const struct c_step *p = &y->steps[i];
    const char *name = p->index ? NULL : type->fields[p->field].name;
    if (!p->index)
      text_printf(&s, ".%s", name ? name : "?");
    else if (ir_expr_const(p->index, &v))
      text_printf(&s, "[%lld]", (long long)v);
    else
      text_add(&s, "[...]");
    type = c_step_type(type, p);
  }
  const char *r = arena_strdup(w->arena, text_str(&s));
  text_clear(&s);
  return r;
}

// Indices from step `first` on.
static void check_path(struct c_lower *w, struct c_way *y, uint32_t first, struct span span) {
  const struct c_type *t = w->things.data[y->thing].type;
  for (uint32_t i = 0; i < y->step_count; i++) {
    struct c_step *s = &y->steps[i];
    if (s->index && i >= first) {
      s->index = c_stored(w, s->index);
      c_check(w, C_CHECK_BOUNDS, c_implied(w, y->when, c_is_within(w, s->index, t->count)), span,
              "%s has %llu elements", thing_text(w, y, i), (unsigned long long)t->count);
    }
    t = c_step_type(t, s);
  }
}

// The steps of an address are added, and those to the first scalar there.
static void add_steps(struct c_lower *w, struct c_way *y, const struct c_address *a) {
  struct c_step *more = NULL;
  uint32_t n = c_scalars(a->type) ? c_scalar_steps(w, a->type, 0, &more) : 0;
  uint32_t count = y->step_count + a->step_count + n, at = 0;
  struct c_step *steps = ARENA_ARRAY(w->arena, struct c_step, count + 1);
  for (uint32_t i = 0; i < y->step_count; i++) steps[at++] = y->steps[i];
  for (uint32_t i = 0; i < a->step_count; i++) steps[at++] = a->steps[i];
  for (uint32_t i = 0; i < n; i++) steps[at++] = more[i];
  y->steps = steps;
  y->step_count = count;
  y->type = n ? c_scalar_type(a->type, 0) : a->type;
}

static void add_path(struct c_lower *w, const struct c_address *a, const struct c_type *t,
                     struct span span, struct c_ways *out) {
  struct c_way y = {.thing = a->thing};
  add_steps(w, &y, a);
  check_path(w, &y, 0, span);
  c_check_pointer(w, a, NULL, span);
  add_way(w, out, y, t, span);
}

// --- offsets ---

struct descent {
  struct c_lower *w;
  struct c_ways *out;
  const struct c_type *want;
  struct span span;
  uint32_t thing;
  const struct c_address *address;
};

static void descend(struct descent *d, struct ir_expr *when, struct c_step *steps, uint32_t count,
                    const struct c_type *t, struct ir_expr *e, struct c_fact at);

static struct c_step *with_step(struct c_lower *w, const struct c_step *steps, uint32_t count,
                                struct c_step s) {
  struct c_step *r = ARENA_ARRAY(w->arena, struct c_step, count + 2);
  for (uint32_t i = 0; i < count; i++) r[i] = steps[i];
  r[count] = s;
  return r;
}

struct ir_expr *c_quotient(struct c_lower *w, const struct ir_expr *e, int64_t less, int64_t by) {
  struct ir_expr *x = c_copy(w, e);
  if (less) x = c_binary(w, IR_SUB, x, number(w, less));
  return by == 1 ? x : c_binary(w, IR_DIV, x, number(w, by));
}

static void descend_array(struct descent *d, struct ir_expr *when, struct c_step *steps,
                          uint32_t count, const struct c_type *t, struct ir_expr *e,
                          struct c_fact at) {
  struct c_lower *w = d->w;
  int64_t n = (int64_t)c_scalars(t->to);
  bool known = at.modulus % n == 0; // which scalar of an element it is
  int64_t inner = at.rest % n;
  struct c_step s = {.index = c_stored(w, c_quotient(w, e, known ? inner : 0, n))};
  struct ir_expr *left =
      known ? number(w, inner) : c_stored(w, c_binary(w, IR_MOD, c_copy(w, e), number(w, n)));
  while (!known && n % at.modulus) { // the greatest number that divides both
    int64_t r = n % at.modulus;
    n = at.modulus;
    at.modulus = r;
  }
  struct c_fact next = {at.target, known ? inner : at.rest % at.modulus, known ? 0 : at.modulus};
  descend(d, when, with_step(w, steps, count, s), count + 1, t->to, left, next);
}

static void descend_struct(struct descent *d, struct ir_expr *when, struct c_step *steps,
                           uint32_t count, const struct c_type *t, struct ir_expr *e,
                           struct c_fact at) {
  struct c_lower *w = d->w;
  for (uint32_t i = 0; i < t->field_count; i++) {
    int64_t lo = (int64_t)c_field_scalar(t, i), hi = (int64_t)c_field_scalar(t, i + 1);
    int64_t first =
        at.modulus ? lo + ((at.rest - lo) % at.modulus + at.modulus) % at.modulus : at.rest;
    if (first < lo || first >= hi) continue;
    struct c_step s = {.field = i};
    struct ir_expr *here = when ? c_copy(w, when) : NULL;
    if (at.modulus)
      here = c_and(w, here,
                   c_and(w, c_binary(w, IR_GE, c_copy(w, e), number(w, lo)),
                         c_binary(w, IR_LT, c_copy(w, e), number(w, hi))));
    struct c_fact next = {at.target, first - lo, at.modulus};
    descend(d, here, with_step(w, steps, count, s), count + 1, t->fields[i].type,
            lo ? c_stored(w, c_binary(w, IR_SUB, c_copy(w, e), number(w, lo))) : e, next);
  }
}

// Where the address has a root of known type, its steps go on from there.
static void descend_end(struct descent *d, struct c_way y) {
  if (d->address->root) {
    uint32_t first = y.step_count;
    add_steps(d->w, &y, d->address);
    check_path(d->w, &y, first, d->span);
  }
  add_way(d->w, d->out, y, d->want, d->span);
}

// e: the scalar's number in t, of which `at` is known.
static void descend(struct descent *d, struct ir_expr *when, struct c_step *steps, uint32_t count,
                    const struct c_type *t, struct ir_expr *e, struct c_fact at) {
  bool is_root = t == d->address->root && at.modulus == 0 && at.rest == 0;
  if (t->kind == C_ARRAY && !is_root) return descend_array(d, when, steps, count, t, e, at);
  if (t->kind == C_STRUCT && !is_root) return descend_struct(d, when, steps, count, t, e, at);
  descend_end(d,
              (struct c_way){
                  .when = when, .thing = d->thing, .steps = steps, .step_count = count, .type = t});
}

static void add_thing(struct descent *d, const struct c_address *a, struct c_fact x,
                      struct ir_expr *offset) {
  struct c_lower *w = d->w;
  const struct c_thing *t = &w->things.data[d->thing];
  struct ir_expr *when = c_is_object(w, a, d->thing);
  bool outside = x.modulus == 0 && t->type && (x.rest < 0 || x.rest >= (int64_t)c_scalars(t->type));
  if (t->var && !outside)
    descend(d, when, NULL, 0, t->type, x.modulus ? offset : number(w, x.rest), x);
}

void c_memory_ways(struct c_lower *w, struct c_address *a, const struct c_type *t, struct span span,
                   struct c_ways *out) {
  if (a->unable) return c_unable(w, span, "%s", a->unable);
  if (a->path && w->things.data[a->thing].var) return add_path(w, a, t, span, out);
  if (a->path) return c_unable(w, span, "access to a function");
  if (a->object) a->object = c_stored(w, a->object);
  for (uint32_t i = 0; i < a->step_count; i++)
    if (a->steps[i].index) a->steps[i].index = c_stored(w, a->steps[i].index);
  struct ir_expr *offset = c_facts_vary(a->facts) ? a->offset = c_stored(w, a->offset) : NULL;
  c_check_pointer(w, a, offset, span);
  for (size_t i = 0; i < a->facts->count; i++) {
    uint32_t n, first = c_target_things(w, a->facts->data[i].target, &n);
    for (uint32_t k = 0; k < n; k++) {
      struct descent d = {w, out, t, span, first + k, a};
      add_thing(&d, a, a->facts->data[i], offset);
    }
  }
}
