// SPDX-License-Identifier: Apache-2.0
// Candidates: for which values of a loop's variable can a condition hold? A condition on one field
// of an array's elements, Proc[i].State = Idle, is decided for all elements at once where these
// fields lie evenly in one word; one that names the value itself, Msg.Dest = i, leaves one
// candidate. Loops over parameters, and those of quantifiers, go through the candidates, in the
// order of the values.
#include "sys/emit.h"

#include <inttypes.h>

enum { WIDTH_MAX = 16 }; // of a field that fathom_fields compares

// The loop: over a bound variable, whose values follow each other.
struct loop {
  const struct ir_local *local;
  int64_t first;
  uint64_t count;
};

static bool loop_of(struct loop *l, const struct ir_local *local, const struct ir_domain *d) {
  int64_t v;
  if (d->type && !emit_type_contiguous(d->type)) return false;
  if (!d->type && !(ir_expr_const(d->lo, &v) && ir_expr_const(d->hi, &v))) return false;
  if (!d->type && d->step) return false;
  *l = (struct loop){local, ir_domain_value(d, 0), ir_domain_count(d)};
  return l->count > 1 && l->count <= 64 && ir_domain_value(d, 1) == l->first + 1;
}

static bool is_running(const struct loop *l, const struct ir_expr *x) {
  return x->op == IR_LOCAL && x->local == l->local;
}

// Bound by a loop around this one.
static bool is_outer(const struct emit *e, const struct ir_expr *x) {
  return x->op == IR_LOCAL && e->open[x->local->id];
}

// --- the way to a leaf ---

struct way {
  uint32_t terms;              // indices that are not constant
  uint32_t times;              // the running variable is one of them
  uint32_t term;               // and which one, counting from the outermost
  const struct ir_type *index; // of that one
};

// Are all indices constants, outer variables or the running one?
static bool follow(const struct emit *e, const struct loop *l, const struct ir_expr *x,
                   struct way *w) {
  int64_t v;
  if (x->op == IR_VAR) return true;
  if (x->op != IR_FIELD && x->op != IR_INDEX) return false;
  if (!follow(e, l, x->args[0], w)) return false;
  if (x->op == IR_FIELD || ir_expr_const(x->args[1], &v)) return true;
  if (is_running(l, x->args[1])) {
    w->term = w->terms;
    w->index = x->args[0]->type->index;
    w->times++;
  }
  w->terms++;
  return is_running(l, x->args[1]) || is_outer(e, x->args[1]);
}

// The place of such an lvalue, if none of its indices needs a check.
static bool find_place(struct emit *e, const struct loop *l, const struct ir_expr *x, struct way *w,
                       struct emit_place *p) {
  *w = (struct way){0};
  if (!follow(e, l, x, w) || !ir_type_scalar(x->type)) return false;
  struct text nowhere = {0}, *out = e->out;
  e->out = &nowhere;
  *p = emit_place(e, x);
  e->out = out;
  bool quiet = nowhere.count == 0;
  text_clear(&nowhere);
  return quiet && emit_type_contiguous(x->type) && !emit_is_u64(x->type);
}

// --- element.field = value ---

// A value that is known before the loop, as a code of the leaf.
static const char *known_code(struct emit *e, const struct ir_leaf *leaf, const struct ir_expr *x) {
  int64_t v;
  if (ir_expr_const(x, &v)) {
    if (emit_is_u64(x->type) || !ir_type_has(leaf->type, v)) return NULL;
    return emit_format(e, "%" PRIu64, ir_type_rank(leaf->type, v) + leaf->undef);
  }
  if (!is_outer(e, x) || !emit_fits(e, x, leaf->type)) return NULL;
  uint64_t base = (uint64_t)leaf->type->lo - leaf->undef;
  return emit_format(e, "((uint64_t)l%u - (uint64_t)%s)", x->local->id,
                     emit_number(e, (int64_t)base));
}

// Bits `stride` apart, one for each value.
static uint64_t ones(const struct loop *l, uint64_t stride) {
  uint64_t bits = 0;
  for (uint64_t i = 0; i < l->count; i++) bits |= UINT64_C(1) << i * stride;
  return bits;
}

static bool by_field(struct emit *e, const struct loop *l, const struct ir_expr *x,
                     const struct ir_expr *value, bool equal, struct emit_candidates *c) {
  struct way w;
  struct emit_place p;
  struct emit_fields f;
  if (!find_place(e, l, x, &w, &p) || w.times != 1 || !emit_type_contiguous(w.index)) return false;
  if (!emit_place_fields(e, &p, w.term, ir_type_rank(w.index, l->first), &f)) return false;
  if (f.leaf->width == 0 || f.leaf->width > WIDTH_MAX) return false;
  const char *code = value ? known_code(e, f.leaf, value) : emit_format(e, "%d", 1 + f.leaf->undef);
  if (!code) return false;
  uint64_t all = ones(l, f.stride);
  c->set =
      emit_format(e, "fathom_fields(%s, %s, %u, 0x%" PRIx64 ")", f.bits, code, f.leaf->width, all);
  if (!equal)
    c->set = emit_format(e, "(0x%" PRIx64 " & ~%s)", all, c->set);
  else if (f.leaf->undef)
    c->set = emit_format(e, "(%s | fathom_fields(%s, 0, %u, 0x%" PRIx64 "))", c->set, f.bits,
                         f.leaf->width, all);
  c->stride = f.stride;
  c->decides = !f.leaf->undef;
  return true;
}

// --- leaf = variable ---

static bool by_value(struct emit *e, const struct loop *l, const struct ir_expr *x,
                     struct emit_candidates *c) {
  struct way w;
  struct emit_place p;
  if (!find_place(e, l, x, &w, &p) || w.times != 0) return false;
  c->set = emit_format(e, "fathom_only(%s, %s, %" PRIu64 ")", emit_peek(e, &p),
                       emit_number(e, l->first), l->count);
  c->stride = 1;
  c->decides = emit_place_defined(e, &p);
  return true;
}

// --- conditions ---

static bool comparison(struct emit *e, const struct loop *l, const struct ir_expr *x, bool equal,
                       struct emit_candidates *c) {
  const struct ir_expr *a = x->args[0], *b = x->args[1];
  if (equal && is_running(l, b) && by_value(e, l, a, c)) return true;
  if (equal && is_running(l, a) && by_value(e, l, b, c)) return true;
  return by_field(e, l, a, b, equal, c) || by_field(e, l, b, a, equal, c);
}

static bool condition(struct emit *e, const struct loop *l, const struct ir_expr *x, bool want,
                      struct emit_candidates *c) {
  switch (x->op) {
  case IR_NOT: return condition(e, l, x->args[0], !want, c);
  case IR_EQ:
  case IR_NE: return comparison(e, l, x, (x->op == IR_EQ) == want, c);
  default: return by_field(e, l, x, NULL, want, c);
  }
}

static bool narrow(struct emit *e, const struct loop *l, const struct ir_expr *x, bool want,
                   struct emit_candidates *all) {
  struct emit_candidates c = {.first = l->first};
  if (!condition(e, l, x, want, &c)) return false;
  if (all->set && all->stride != c.stride) return false;
  if (all->set) c.set = emit_format(e, "%s & %s", all->set, c.set);
  *all = c;
  return c.decides;
}

bool emit_candidates(struct emit *e, const struct ir_local *local, const struct ir_expr *x,
                     struct emit_candidates *c) {
  struct loop l;
  return loop_of(&l, local, local->domain) && narrow(e, &l, x, true, c);
}

// --- bodies of quantifiers ---

// All conditions without which x is not `want`.
static void narrow_body(struct emit *e, const struct loop *l, const struct ir_expr *x, bool want,
                        struct emit_candidates *c) {
  bool both = (x->op == IR_AND && want) || (x->op == IR_OR && !want);
  bool implied = x->op == IR_IMPLIES && !want;
  if (x->op == IR_NOT) {
    narrow_body(e, l, x->args[0], !want, c);
  } else if (both || implied) {
    narrow_body(e, l, x->args[0], want || implied, c);
    narrow_body(e, l, x->args[1], want, c);
  } else if ((x->op == IR_FORALL && !want) || (x->op == IR_EXISTS && want)) {
    narrow_body(e, l, x->args[0], want, c);
  } else if (x->op < IR_FORALL) {
    narrow(e, l, x, want, c);
  }
}

void emit_quantifier_open(struct emit *e, const struct ir_expr *x) {
  struct emit_candidates c = {0};
  struct loop l;
  emit_range_bind(e, x->local, x->domain);
  if (!e->probing && loop_of(&l, x->local, x->domain) && !emit_can_fail(e, x->args[0]))
    narrow_body(e, &l, x->args[0], x->op != IR_FORALL, &c);
  if (c.set)
    emit_candidates_open(e, x->local, &c);
  else
    emit_loop_open(e, x->local, x->domain, x->site);
  e->open[x->local->id] = true;
}

void emit_quantifier_close(struct emit *e, const struct ir_expr *x) {
  e->open[x->local->id] = false;
  emit_loop_close(e);
}

// --- loops ---

void emit_candidates_open(struct emit *e, const struct ir_local *local,
                          const struct emit_candidates *c) {
  const char *set = emit_format(e, "c%u", local->id),
             *number = emit_format(e, "fathom_next(%s)", set);
  if (c->stride > 1) number = emit_format(e, "%s / %" PRIu64, number, c->stride);
  if (c->first) number = emit_format(e, "%s + %s", number, emit_number(e, c->first));
  emit_line(e, "for (uint64_t %s = %s; %s; %s &= %s - 1) {", set, c->set, set, set, set);
  e->indent++;
  emit_line(e, "const int64_t l%u = %s;", local->id, number);
}
