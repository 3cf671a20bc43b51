// SPDX-License-Identifier: Apache-2.0
// One pass over a body for ir_narrow: what is written where. Along the way facts are kept about
// single scalars, from guards, conditions and assignments; they hold until something may write the
// scalar. Without a fact a scalar may have any value that its class has anywhere, so facts may be
// dropped at will: at loops, at calls that write, where paths meet that differ.
#include "ir/narrow.h"

#include <string.h>

enum { FACTS_MAX = 512 };

// --- facts ---

static void facts_clear(struct ir_facts *f) { VEC_CLEAR(&f->list); }

static struct ir_facts facts_copy(const struct ir_facts *f) {
  struct ir_facts copy = {.dead = f->dead};
  for (size_t i = 0; i < f->list.count; i++) VEC_PUSH(&copy.list, f->list.data[i]);
  return copy;
}

static struct ir_fact *fact_of(const struct ir_facts *f, uint64_t key) {
  for (size_t i = 0; i < f->list.count; i++)
    if (f->list.data[i].key == key) return &f->list.data[i];
  return NULL;
}

// Both paths may have been taken; the other one is used up.
static void facts_join(struct ir_facts *f, struct ir_facts *other) {
  if (f->dead) {
    struct ir_facts swap = *f;
    *f = *other;
    *other = swap;
  } else if (!other->dead) {
    size_t kept = 0;
    for (size_t i = 0; i < f->list.count; i++) {
      struct ir_fact a = f->list.data[i];
      const struct ir_fact *b = fact_of(other, a.key);
      if (!b) continue;
      a.span = ir_span_join(a.span, b->span);
      f->list.data[kept++] = a;
    }
    f->list.count = kept;
  }
  facts_clear(other);
}

// Something of this class is written.
static void forget_class(struct ir_facts *f, uint32_t root) {
  size_t kept = 0;
  for (size_t i = 0; i < f->list.count; i++)
    if (f->list.data[i].class != root) f->list.data[kept++] = f->list.data[i];
  f->list.count = kept;
}

// Just this scalar is written.
static void forget_key(struct ir_facts *f, uint64_t key) {
  struct ir_fact *fact = fact_of(f, key);
  if (fact) *fact = f->list.data[--f->list.count];
}

static void forget(struct ir_narrowing *n, struct ir_facts *f, const struct ir_expr *lhs) {
  uint32_t first = ir_narrow_class(n, lhs), count = ir_narrow_classes(lhs->type);
  for (uint32_t i = 0; first != IR_NARROW_NOWHERE && i < count; i++)
    forget_class(f, ir_narrow_root(n, first + i));
}

// What is not noted is only not known: long bodies (the start of a model with large arrays) are not
// worth the time that looking through their facts would take.
static void note(struct ir_facts *f, struct ir_fact fact) {
  if (f->list.count < FACTS_MAX) VEC_PUSH(&f->list, fact);
}

void ir_narrow_learn(struct ir_narrowing *n, struct ir_facts *f, uint64_t key, uint32_t class,
                     struct ir_span s) {
  uint32_t root = ir_narrow_root(n, class);
  struct ir_fact *old = fact_of(f, key);
  struct ir_span now = ir_span_meet(s, old ? old->span : n->now[root]);
  if (ir_span_none(now)) f->dead = true;
  if (old)
    old->span = now;
  else
    note(f, (struct ir_fact){key, root, now});
}

static void learn(struct ir_narrowing *n, struct ir_facts *f, const struct ir_expr *e,
                  struct ir_span s) {
  uint64_t key;
  uint32_t class = ir_narrow_class(n, e);
  if (class != IR_NARROW_NOWHERE && ir_narrow_key(e, &key)) ir_narrow_learn(n, f, key, class, s);
}

// --- conditions ---

static void require(struct ir_narrowing *n, struct ir_facts *f, const struct ir_expr *e, bool want);

static bool is_pattern(const struct ir_type *t) {
  return t->kind == IR_TYPE_INT && !t->is_signed && t->bits == 64;
}

// x + c, c + x, x - c or c - x without wrapping round: x, and within what it then lies.
static const struct ir_expr *solved(struct ir_narrowing *n, struct ir_facts *f,
                                    const struct ir_expr *e, struct ir_span *s) {
  int64_t c;
  if (e->op != IR_ADD && e->op != IR_SUB) return NULL;
  bool second = ir_expr_const(e->args[1], &c);
  if (!second && !ir_expr_const(e->args[0], &c)) return NULL;
  const struct ir_expr *x = e->args[!second];
  struct ir_span now = ir_narrow_eval(n, f, x), all = ir_narrow_type(e->type), exact;
  bool minus = e->op == IR_SUB;
  if (minus && !second) {
    exact = ir_span_from(c, now);
    *s = ir_span_from(c, *s);
  } else {
    __int128 plus = minus ? -(__int128)c : c;
    exact = ir_span_plus(now, plus);
    *s = ir_span_plus(*s, -plus);
  }
  return e->type->traps || (exact.lo >= all.lo && exact.hi <= all.hi) ? x : NULL;
}

// A cast that changes nothing.
static const struct ir_expr *uncast(struct ir_narrowing *n, struct ir_facts *f,
                                    const struct ir_expr *e) {
  if (e->op != IR_CAST) return NULL;
  struct ir_span s = ir_narrow_eval(n, f, e->args[0]), all = ir_narrow_type(e->type);
  return s.lo >= all.lo && s.hi <= all.hi ? e->args[0] : NULL;
}

// The value of e, which was evaluated, lies within a span: what does that say of a variable?
static void within(struct ir_narrowing *n, struct ir_facts *f, const struct ir_expr *e,
                   struct ir_span s) {
  while (e && !is_pattern(e->type)) {
    if (ir_expr_lvalue(e)) return learn(n, f, e, s);
    const struct ir_expr *inner = uncast(n, f, e);
    e = inner ? inner : solved(n, f, e, &s);
  }
}

// e op s holds.
static void bound(struct ir_narrowing *n, struct ir_facts *f, const struct ir_expr *e,
                  enum ir_op op, struct ir_span s) {
  struct ir_span fits = {INT64_MIN, INT64_MAX};
  if (ir_span_none(s)) return;
  switch (op) {
  case IR_EQ: fits = s; break;
  case IR_LT: fits.hi = s.hi - 1; break;
  case IR_LE: fits.hi = s.hi; break;
  case IR_GT: fits.lo = s.lo + 1; break;
  case IR_GE: fits.lo = s.lo; break;
  default:
    if (s.lo != s.hi) return;
    fits.gap = s.lo;
    fits.missing = 1;
  }
  within(n, f, e, fits);
}

// Whatever was certainly evaluated of e did not fail: its indices lie within their arrays.
static void learn_indices(struct ir_narrowing *n, struct ir_facts *f, const struct ir_expr *e) {
  uint32_t count = e->arg_count;
  if (e->op == IR_CALL || e->domain) return;
  if (e->op == IR_AND || e->op == IR_OR || e->op == IR_IMPLIES || e->op == IR_ITE) count = 1;
  for (uint32_t i = 0; i < count; i++) learn_indices(n, f, e->args[i]);
  if (e->op == IR_INDEX) within(n, f, e->args[1], ir_narrow_type(e->args[0]->type->index));
}

static enum ir_op mirrored(enum ir_op op) {
  switch (op) {
  case IR_LT: return IR_GT;
  case IR_LE: return IR_GE;
  case IR_GT: return IR_LT;
  case IR_GE: return IR_LE;
  default: return op;
  }
}

// (c ? 1 : 0) = 1 says that c holds.
static void require_choice(struct ir_narrowing *n, struct ir_facts *f, const struct ir_expr *choice,
                           const struct ir_expr *other, bool equal) {
  int64_t a, b, k;
  if (choice->op != IR_ITE || !ir_expr_const(choice->args[1], &a) ||
      !ir_expr_const(choice->args[2], &b) || !ir_expr_const(other, &k))
    return;
  if ((a == k) != (b == k)) require(n, f, choice->args[0], (a == k) == equal);
}

static void compare(struct ir_narrowing *n, struct ir_facts *f, const struct ir_expr *e,
                    bool want) {
  const struct ir_expr *a = e->args[0], *b = e->args[1];
  if (!ir_type_scalar(a->type) || is_pattern(a->type) || is_pattern(b->type)) return;
  enum ir_op op = want ? e->op : ir_op_opposite(e->op);
  learn_indices(n, f, e);
  bound(n, f, a, op, ir_narrow_eval(n, f, b));
  bound(n, f, b, mirrored(op), ir_narrow_eval(n, f, a));
  if (op != IR_EQ && op != IR_NE) return;
  require_choice(n, f, a, b, op == IR_EQ);
  require_choice(n, f, b, a, op == IR_EQ);
}

static void either(struct ir_narrowing *n, struct ir_facts *f, const struct ir_expr *a, bool want_a,
                   const struct ir_expr *b, bool want_b) {
  struct ir_facts other = facts_copy(f);
  require(n, f, a, want_a);
  require(n, &other, b, want_b);
  facts_join(f, &other);
}

// The condition was evaluated, and is `want`.
static void require(struct ir_narrowing *n, struct ir_facts *f, const struct ir_expr *e,
                    bool want) {
  if (f->dead) return;
  switch (e->op) {
  case IR_CONST: f->dead = (e->value != 0) != want; break;
  case IR_NOT: require(n, f, e->args[0], !want); break;
  case IR_AND:
  case IR_OR:
    if ((e->op == IR_AND) == want) {
      require(n, f, e->args[0], want);
      require(n, f, e->args[1], want);
    } else {
      either(n, f, e->args[0], want, e->args[1], want);
    }
    break;
  case IR_IMPLIES:
    if (want) {
      either(n, f, e->args[0], false, e->args[1], true);
    } else {
      require(n, f, e->args[0], true);
      require(n, f, e->args[1], false);
    }
    break;
  case IR_EQ:
  case IR_NE:
  case IR_LT:
  case IR_LE:
  case IR_GT:
  case IR_GE: compare(n, f, e, want); break;
  case IR_VAR:
  case IR_LOCAL:
  case IR_INDEX:
  case IR_FIELD:
    learn_indices(n, f, e);
    learn(n, f, e, (struct ir_span){want, want});
    break;
  default: break;
  }
}

// --- statements ---

// Does evaluating it write? Then what it says may have changed before it was done.
static bool writes(const struct ir_narrowing *n, const struct ir_expr *e) {
  if (!e) return false;
  if (e->op == IR_CALL && n->impure[e->func->id]) return true;
  for (uint32_t i = 0; i < e->arg_count; i++)
    if (writes(n, e->args[i])) return true;
  const struct ir_domain *d = e->domain;
  return d && (writes(n, d->lo) || writes(n, d->hi) || writes(n, d->step));
}

static void require_pure(struct ir_narrowing *n, struct ir_facts *f, const struct ir_expr *e,
                         bool want) {
  if (!writes(n, e)) require(n, f, e, want);
}

static void run(struct ir_narrowing *n, struct ir_facts *f, const struct ir_stmt *s);

// A scalar that the expression reads, whose values have a gap.
static const struct ir_expr *gapped(struct ir_narrowing *n, struct ir_facts *f,
                                    const struct ir_expr *e) {
  uint64_t key;
  if (ir_expr_lvalue(e) && ir_narrow_key(e, &key))
    return ir_narrow_eval(n, f, e).missing > 0 ? e : NULL;
  const struct ir_expr *found = NULL;
  for (uint32_t i = 0; i < e->arg_count && !found; i++) found = gapped(n, f, e->args[i]);
  return found;
}

// How often the expression reads the scalar of that key.
static unsigned reads(const struct ir_expr *e, uint64_t key) {
  uint64_t own;
  if (ir_expr_lvalue(e) && ir_narrow_key(e, &own)) return own == key;
  unsigned count = 0;
  for (uint32_t i = 0; i < e->arg_count; i++) count += reads(e->args[i], key);
  return count;
}

// An expression that reads a scalar more than once, (x - 1) | (x = 255) * 255, has its values in
// two cases: x below its gap, x above it.
static struct ir_span eval_cases(struct ir_narrowing *n, struct ir_facts *f,
                                 const struct ir_expr *e) {
  struct ir_span parts[2], v = ir_narrow_eval(n, f, e);
  if (v.lo >= v.hi || ir_expr_lvalue(e) || writes(n, e)) return v;
  const struct ir_expr *x = gapped(n, f, e);
  uint64_t key;
  if (!x || !ir_narrow_key(x, &key) || reads(e, key) < 2) return v;
  unsigned count = ir_span_parts(ir_narrow_eval(n, f, x), parts);
  v = IR_SPAN_NONE;
  for (unsigned i = 0; i < count; i++) {
    struct ir_facts in = facts_copy(f);
    learn(n, &in, x, parts[i]);
    v = ir_span_join(v, ir_narrow_eval(n, &in, e));
    facts_clear(&in);
  }
  return v;
}

static void assign(struct ir_narrowing *n, struct ir_facts *f, const struct ir_stmt *s) {
  struct ir_span v = eval_cases(n, f, s->expr);
  ir_narrow_eval(n, f, s->lhs); // its indices
  if (!writes(n, s->expr) && !writes(n, s->lhs)) {
    learn_indices(n, f, s->expr);
    learn_indices(n, f, s->lhs);
  }
  uint32_t class = ir_narrow_class(n, s->lhs);
  v = ir_span_meet(v, ir_narrow_type(n->type[ir_narrow_root(n, class)]));
  ir_narrow_write(n, class, v);
  uint64_t key;
  bool one = ir_narrow_key(s->lhs, &key);
  if (one)
    forget_key(f, key);
  else
    forget(n, f, s->lhs);
  if (ir_span_none(v)) f->dead = true;
  if (one) note(f, (struct ir_fact){key, ir_narrow_root(n, class), v});
}

// Every scalar becomes its type's smallest value; key: where the first one is, if that is known.
static void clear_parts(struct ir_narrowing *n, struct ir_facts *f, const struct ir_type *t,
                        uint32_t *class, const uint64_t *key) {
  if (t->kind == IR_TYPE_ARRAY) {
    clear_parts(n, f, t->elem, class, NULL);
  } else if (t->kind == IR_TYPE_RECORD) {
    for (uint32_t i = 0; i < t->field_count; i++) {
      uint64_t part = key ? *key + t->fields[i].leaf : 0;
      clear_parts(n, f, t->fields[i].type, class, key ? &part : NULL);
    }
  } else {
    uint32_t root = ir_narrow_root(n, (*class)++);
    struct ir_span least = {n->type[root]->lo, n->type[root]->lo};
    ir_narrow_write(n, root, least);
    if (key) note(f, (struct ir_fact){*key, root, least});
  }
}

static void clear(struct ir_narrowing *n, struct ir_facts *f, const struct ir_expr *lhs) {
  uint32_t class = ir_narrow_class(n, lhs);
  uint64_t key;
  bool known = ir_narrow_key(lhs, &key);
  forget(n, f, lhs);
  clear_parts(n, f, lhs->type, &class, known ? &key : NULL);
}

static void branch(struct ir_narrowing *n, struct ir_facts *f, const struct ir_stmt *s) {
  ir_narrow_eval(n, f, s->expr);
  struct ir_facts other = facts_copy(f);
  require_pure(n, f, s->expr, true);
  require_pure(n, &other, s->expr, false);
  run(n, f, s->body);
  run(n, &other, s->other);
  facts_join(f, &other);
}

static void cases(struct ir_narrowing *n, struct ir_facts *f, const struct ir_stmt *s) {
  struct ir_facts out = {.dead = true};
  bool otherwise = false;
  ir_narrow_eval(n, f, s->expr);
  for (const struct ir_case *c = s->cases; c; c = c->next) {
    struct ir_span values = IR_SPAN_NONE;
    bool known = !is_pattern(s->expr->type) && !writes(n, s->expr);
    for (uint32_t i = 0; i < c->value_count; i++) {
      values = ir_span_join(values, ir_narrow_eval(n, f, c->values[i]));
      known = known && !is_pattern(c->values[i]->type) && !writes(n, c->values[i]);
    }
    struct ir_facts in = facts_copy(f);
    if (c->value_count && known) bound(n, &in, s->expr, IR_EQ, values);
    run(n, &in, c->body);
    facts_join(&out, &in);
    otherwise = otherwise || c->value_count == 0;
  }
  if (!otherwise) {
    struct ir_facts none = facts_copy(f);
    facts_join(&out, &none);
  }
  facts_clear(f);
  *f = out;
}

// What holds at the beginning of any round is what holds anywhere.
static void loop(struct ir_narrowing *n, struct ir_facts *f, const struct ir_stmt *s) {
  if (s->kind == IR_FOR) ir_narrow_bind(n, f, s->local, s->domain);
  f->list.count = 0;
  struct ir_facts in = {0};
  if (s->kind == IR_WHILE) {
    ir_narrow_eval(n, &in, s->expr);
    require_pure(n, &in, s->expr, true);
  }
  run(n, &in, s->body);
  facts_clear(&in);
  if (s->kind == IR_WHILE) require_pure(n, f, s->expr, false);
}

static void leave(struct ir_narrowing *n, struct ir_facts *f, const struct ir_stmt *s) {
  struct ir_span v = s->expr ? ir_narrow_eval(n, f, s->expr) : IR_SPAN_NONE;
  if (s->expr && ir_type_scalar(s->expr->type) && n->owner < n->m->functions.count &&
      n->m->functions.data[n->owner]->result) {
    uint32_t c = ir_narrow_root(n, n->result[n->owner]);
    n->next[c] = ir_span_join(n->next[c], v); // not checked against its type
  }
  ir_narrow_leave(n, f);
  f->dead = true;
}

static void statement(struct ir_narrowing *n, struct ir_facts *f, const struct ir_stmt *s) {
  switch (s->kind) {
  case IR_ASSIGN: assign(n, f, s); break;
  case IR_COPY:
    ir_narrow_eval(n, f, s->expr);
    ir_narrow_eval(n, f, s->lhs);
    forget(n, f, s->lhs);
    break;
  case IR_UNDEFINE:
  case IR_SORT:
  case IR_FOREIGN: // its cells can hold anything: they are as wide as they can be
  case IR_CLEAR:
    ir_narrow_eval(n, f, s->lhs);
    if (s->kind == IR_CLEAR)
      clear(n, f, s->lhs);
    else
      forget(n, f, s->lhs);
    break;
  case IR_IF: branch(n, f, s); break;
  case IR_SWITCH: cases(n, f, s); break;
  case IR_FOR:
  case IR_WHILE: loop(n, f, s); break;
  case IR_RETURN: leave(n, f, s); break;
  case IR_ASSERT:
  case IR_ASSUME:
    ir_narrow_eval(n, f, s->expr);
    require_pure(n, f, s->expr, true);
    break;
  case IR_CALL_STMT:
  case IR_COVER:
    if (s->expr) ir_narrow_eval(n, f, s->expr);
    break;
  case IR_PRINT:
    for (uint32_t i = 0; i < s->part_count; i++)
      if (s->parts[i].expr) ir_narrow_eval(n, f, s->parts[i].expr);
    break;
  }
}

static void run(struct ir_narrowing *n, struct ir_facts *f, const struct ir_stmt *s) {
  for (; s && !f->dead; s = s->next) statement(n, f, s);
}

// --- rules and functions ---

void ir_narrow_rule(struct ir_narrowing *n, const struct ir_rule *r) {
  struct ir_facts f = {0};
  for (uint32_t i = 0; i < r->param_count + r->choice_count; i++)
    ir_narrow_bind(n, &f, r->frame.locals[i], r->frame.locals[i]->domain);
  if (r->guard) {
    ir_narrow_eval(n, &f, r->guard);
    require(n, &f, r->guard, true);
  }
  ir_narrow_enter(n, &f);
  run(n, &f, r->body);
  ir_narrow_leave(n, &f);
  facts_clear(&f);
}

void ir_narrow_function(struct ir_narrowing *n, const struct ir_function *to) {
  struct ir_facts f = {0};
  n->touch_count = 0;
  run(n, &f, to->body);
  facts_clear(&f);
}
