// SPDX-License-Identifier: Apache-2.0
// The interpreter: a walk over the tree. Locals are cells on a stack addressed by index (the stack
// may move); a fault or a failed assume jumps back to the boundary of the public call.
#include "ir/eval.h"

#include "ir/eval_private.h"

#include <inttypes.h>
#include <string.h>

enum jump { JUMP_FAULT = 1, JUMP_DROP };
enum flow { FLOW_NEXT, FLOW_RETURN };
enum { STACK_BYTES_MAX = 4 << 20 }; // of the usual 8 MiB

// --- life ---

struct ir_eval *ir_eval_new(const struct ir_model *m) {
  struct ir_eval *e = mem_zalloc(1, sizeof *e);
  e->m = m;
  e->covers = mem_zalloc(m->properties.count / 64 + 1, sizeof *e->covers);
  e->wide = mem_zalloc(m->start_layout->words, sizeof *e->wide);
  return e;
}

void ir_eval_free(struct ir_eval *e) {
  if (!e) return;
  mem_free(e->cells);
  mem_free(e->result);
  mem_free(e->covers);
  mem_free(e->wide);
  text_clear(&e->detail);
  text_clear(&e->prints);
  mem_free(e);
}

uint32_t ir_eval_prunes(const struct ir_eval *e) { return e->prunes; }

uint32_t ir_eval_site(const struct ir_eval *e) { return e->site; }
const char *ir_eval_detail(const struct ir_eval *e) { return text_str(&e->detail); }
const uint64_t *ir_eval_covers(const struct ir_eval *e) { return e->covered ? e->covers : NULL; }
void ir_eval_collect_prints(struct ir_eval *e, bool on) { e->collect = on; }
const char *ir_eval_prints(const struct ir_eval *e) { return text_str(&e->prints); }

static _Noreturn void fault(struct ir_eval *e, uint32_t site) {
  e->site = site;
  longjmp(e->boundary, JUMP_FAULT);
}

// --- cells ---

static void reserve_cells(struct ir_eval *e, size_t top) {
  if (top <= e->capacity) return;
  size_t n = e->capacity ? e->capacity : 64;
  while (n < top) n *= 2;
  e->cells = mem_realloc(e->cells, n * sizeof *e->cells);
  e->capacity = n;
}

static size_t push_cells(struct ir_eval *e, size_t n) {
  size_t at = e->top;
  reserve_cells(e, at + n);
  e->top = at + n;
  return at;
}

static void undefine_local(struct ir_eval *e, size_t at, const struct ir_type *t) {
  if (t->kind == IR_TYPE_ARRAY) {
    for (uint64_t i = 0; i < t->leaves; i += t->elem->leaves) undefine_local(e, at + i, t->elem);
  } else if (t->kind == IR_TYPE_RECORD) {
    for (uint32_t i = 0; i < t->field_count; i++)
      undefine_local(e, at + t->fields[i].leaf, t->fields[i].type);
  } else {
    e->cells[at] = ir_type_can_undef(t) ? IR_UNDEF : 0;
  }
}

static void init_frame(struct ir_eval *e, size_t base, const struct ir_frame *f) {
  for (uint32_t i = 0; i < f->count; i++)
    if (f->locals[i]->kind == IR_LOCAL_PLAIN)
      undefine_local(e, base + f->locals[i]->cell, f->locals[i]->type);
}

// --- values of plain types: all scalars but unions and machine integers; without a call ---

static inline bool is_plain(const struct ir_type *t) { return t->kind < IR_TYPE_UNION; }

static inline bool type_has(const struct ir_type *t, int64_t v) {
  return is_plain(t) ? v >= t->lo && v <= t->hi : ir_type_has(t, v);
}

static inline uint64_t type_rank(const struct ir_type *t, int64_t v) {
  return is_plain(t) ? (uint64_t)v - (uint64_t)t->lo : ir_type_rank(t, v);
}

static inline int64_t leaf_get(const struct ir_leaf *l, const uint64_t *state) {
  if (!is_plain(l->type)) return ir_leaf_get(l, state);
  uint64_t code = ir_leaf_code(l, state);
  return l->undef && code == 0 ? IR_UNDEF : (int64_t)((uint64_t)l->type->lo + code - l->undef);
}

// --- places ---

static int64_t load_raw(const struct ir_eval *e, struct place p, uint64_t offset) {
  return p.local ? e->cells[p.at + offset] : leaf_get(&e->leaf[p.at + offset], e->state);
}

static void store_raw(struct ir_eval *e, struct place p, uint64_t offset, int64_t v) {
  if (p.local)
    e->cells[p.at + offset] = v;
  else
    ir_leaf_set(&e->leaf[p.at + offset], e->state, v);
}

// What most operands are is seen without a call.
static inline int64_t operand(struct ir_eval *e, const struct ir_expr *x) {
  if (x->op == IR_CONST) return x->value;
  if (x->op == IR_LOCAL && x->local->kind == IR_LOCAL_BOUND)
    return e->cells[e->base + x->local->cell];
  return ir_eval_scalar(e, x);
}

static int64_t eval_call(struct ir_eval *e, const struct ir_expr *x);

// A call that gives an array or record leaves it in fresh cells.
static struct place call_place(struct ir_eval *e, const struct ir_expr *x) {
  size_t n = x->type->leaves;
  eval_call(e, x);
  size_t at = push_cells(e, n);
  memcpy(e->cells + at, e->result, n * sizeof *e->cells);
  return (struct place){.local = true, .at = at};
}

struct place ir_eval_place(struct ir_eval *e, const struct ir_expr *x) {
  struct place p;
  switch (x->op) {
  case IR_VAR: return (struct place){.at = x->var->first_leaf};
  case IR_LOCAL:
    p = (struct place){.local = true, .at = e->base + x->local->cell};
    if (x->local->kind != IR_LOCAL_REF) return p;
    int64_t ref = e->cells[p.at];
    return (struct place){.local = ref & 1, .at = (uint64_t)ref >> 1};
  case IR_INDEX:
    p = ir_eval_place(e, x->args[0]);
    const struct ir_type *array = x->args[0]->type;
    int64_t i = operand(e, x->args[1]);
    if (!type_has(array->index, i)) {
      text_add(&e->detail, "index ");
      ir_type_print_value(&e->detail, x->args[1]->type, i);
      text_add(&e->detail, " is outside the array");
      fault(e, x->site);
    }
    p.at += type_rank(array->index, i) * array->elem->leaves;
    return p;
  case IR_FIELD:
    p = ir_eval_place(e, x->args[0]);
    p.at += x->args[0]->type->fields[x->field].leaf;
    return p;
  case IR_ITE: return ir_eval_place(e, x->args[ir_eval_scalar(e, x->args[0]) ? 1 : 2]);
  case IR_CALL: return call_place(e, x);
  default: assert(!"not a place"); return (struct place){0};
  }
}

static int64_t read_scalar(struct ir_eval *e, const struct ir_expr *x) {
  int64_t v = load_raw(e, ir_eval_place(e, x), 0);
  if (v == IR_UNDEF && ir_type_can_undef(x->type)) fault(e, x->site + (x->op == IR_INDEX));
  return v;
}

// --- arithmetic ---

static __int128 widen(const struct ir_type *t, int64_t v) {
  return t->kind == IR_TYPE_INT && !t->is_signed ? (__int128)(uint64_t)v : (__int128)v;
}

int64_t ir_eval_wrap(const struct ir_type *t, uint64_t v) {
  if (t->bits == 64) return (int64_t)v;
  uint64_t ones = ~UINT64_C(0) >> (64 - t->bits);
  v &= ones;
  if (t->is_signed && v >> (t->bits - 1)) v |= ~ones;
  return (int64_t)v;
}

bool ir_eval_fits(const struct ir_type *t, __int128 v) {
  return v >= widen(t, t->lo) && v <= widen(t, t->hi);
}

static int64_t settle(struct ir_eval *e, const struct ir_type *t, __int128 v, uint32_t site) {
  if (t->traps && !ir_eval_fits(t, v)) fault(e, site);
  return ir_eval_wrap(t, (uint64_t)v);
}

static int64_t shift(const struct ir_type *t, int64_t a, int64_t count, bool left) {
  if (count <= -(int64_t)t->bits || count >= (int64_t)t->bits) return 0;
  if (count < 0) return shift(t, a, -count, !left);
  if (left) return ir_eval_wrap(t, (uint64_t)a << count);
  return t->is_signed ? a >> count : (int64_t)((uint64_t)a >> count);
}

static int64_t divide(struct ir_eval *e, const struct ir_expr *x, __int128 a, __int128 b) {
  if (b == 0) fault(e, x->site);
  __int128 q = a / b; // of INT64_MIN and -1 it leaves the type, and so the remainder is refused too
  if (x->type->traps && !ir_eval_fits(x->type, q)) fault(e, x->site + 1);
  return ir_eval_wrap(x->type, (uint64_t)(x->op == IR_DIV ? q : a % b));
}

// Of two unsigned 64-bit operands the product can leave 128 signed bits; it wraps the same way.
static int64_t multiply(struct ir_eval *e, const struct ir_expr *x, __int128 a, __int128 b) {
  __int128 product;
  if (!__builtin_mul_overflow(a, b, &product)) return settle(e, x->type, product, x->site);
  if (x->type->traps) fault(e, x->site);
  return ir_eval_wrap(x->type, (uint64_t)a * (uint64_t)b);
}

int64_t ir_eval_arithmetic(struct ir_eval *e, const struct ir_expr *x, int64_t a, int64_t b) {
  const struct ir_type *t = x->type;
  __int128 p = widen(x->args[0]->type, a), q = widen(x->args[1]->type, b);
  switch (x->op) {
  case IR_ADD: return settle(e, t, p + q, x->site);
  case IR_SUB: return settle(e, t, p - q, x->site);
  case IR_MUL: return multiply(e, x, p, q);
  case IR_DIV:
  case IR_MOD: return divide(e, x, p, q);
  case IR_BITAND: return ir_eval_wrap(t, (uint64_t)a & (uint64_t)b);
  case IR_BITOR: return ir_eval_wrap(t, (uint64_t)a | (uint64_t)b);
  case IR_BITXOR: return ir_eval_wrap(t, (uint64_t)a ^ (uint64_t)b);
  case IR_SHL: return shift(t, a, b, true);
  case IR_SHR: return shift(t, a, b, false);
  case IR_EQ: return p == q;
  case IR_NE: return p != q;
  case IR_LT: return p < q;
  case IR_LE: return p <= q;
  case IR_GT: return p > q;
  case IR_GE: return p >= q;
  default: assert(!"not arithmetic"); return 0;
  }
}

static bool same_composite(struct ir_eval *e, const struct ir_expr *x) {
  struct place a = ir_eval_place(e, x->args[0]), b = ir_eval_place(e, x->args[1]);
  for (uint64_t i = 0; i < x->args[0]->type->leaves; i++)
    if (load_raw(e, a, i) != load_raw(e, b, i)) return false;
  return true;
}

// Not a bit pattern.
static inline bool is_number(const struct ir_type *t) {
  return t->kind != IR_TYPE_INT || t->is_signed;
}

static int64_t eval_equality(struct ir_eval *e, const struct ir_expr *x) {
  const struct ir_type *s = x->args[0]->type, *t = x->args[1]->type;
  if (!ir_type_scalar(s)) return same_composite(e, x) == (x->op == IR_EQ);
  int64_t a = operand(e, x->args[0]), b = operand(e, x->args[1]);
  if (is_number(s) && is_number(t)) return (a == b) == (x->op == IR_EQ);
  return ir_eval_arithmetic(e, x, a, b);
}

static int64_t eval_binary(struct ir_eval *e, const struct ir_expr *x) {
  int64_t a = operand(e, x->args[0]), b = operand(e, x->args[1]);
  return ir_eval_arithmetic(e, x, a, b);
}

// --- domains ---

void ir_eval_domain(struct ir_eval *e, const struct ir_domain *d, uint32_t site,
                    struct iteration *it) {
  *it = (struct iteration){.type = d->type};
  if (d->type) {
    it->left = ir_type_count(d->type);
    return;
  }
  it->value = ir_eval_scalar(e, d->lo);
  int64_t hi = ir_eval_scalar(e, d->hi);
  it->step = d->step ? ir_eval_scalar(e, d->step) : hi >= it->value ? 1 : -1;
  bool wrong = (hi > it->value && it->step < 0) || (hi < it->value && it->step > 0);
  if (it->step == 0 || wrong) {
    text_printf(&e->detail, "a step of %" PRId64 " does not lead from %" PRId64 " to %" PRId64,
                it->step, it->value, hi);
    fault(e, site);
  }
  uint64_t span =
      hi > it->value ? (uint64_t)hi - (uint64_t)it->value : (uint64_t)it->value - (uint64_t)hi;
  it->left = span / (it->step > 0 ? (uint64_t)it->step : -(uint64_t)it->step) + 1;
}

bool ir_eval_domain_next(struct iteration *it, int64_t *value) {
  if (it->left == 0) return false;
  it->left--;
  if (it->type) {
    *value = ir_type_value(it->type, it->rank++);
  } else {
    *value = it->value;
    it->value = (int64_t)((uint64_t)it->value + (uint64_t)it->step);
  }
  return true;
}

static int64_t eval_quantifier(struct ir_eval *e, const struct ir_expr *x) {
  struct iteration it;
  ir_eval_domain(e, x->domain, x->site, &it);
  size_t cell = e->base + x->local->cell, top = e->top;
  int64_t count = 0, value;
  while (ir_eval_domain_next(&it, &value)) {
    e->cells[cell] = value;
    bool holds = ir_eval_scalar(e, x->args[0]);
    e->top = top;
    count += holds;
    if (x->op == IR_FORALL && !holds) return false;
    if (x->op == IR_EXISTS && holds) return true;
  }
  return x->op == IR_COUNT ? count : x->op == IR_FORALL;
}

// --- expressions ---

int64_t ir_eval_scalar(struct ir_eval *e, const struct ir_expr *x) {
  switch (x->op) {
  case IR_CONST: return x->value;
  case IR_VAR:
  case IR_LOCAL:
  case IR_INDEX:
  case IR_FIELD: return read_scalar(e, x);
  case IR_EQ:
  case IR_NE: return eval_equality(e, x);
  case IR_NOT: return !ir_eval_scalar(e, x->args[0]);
  case IR_NEG:
    return settle(e, x->type, -widen(x->args[0]->type, ir_eval_scalar(e, x->args[0])), x->site);
  case IR_BITNOT: return ir_eval_wrap(x->type, ~(uint64_t)ir_eval_scalar(e, x->args[0]));
  case IR_AND: return ir_eval_scalar(e, x->args[0]) && ir_eval_scalar(e, x->args[1]);
  case IR_OR: return ir_eval_scalar(e, x->args[0]) || ir_eval_scalar(e, x->args[1]);
  case IR_IMPLIES: return !ir_eval_scalar(e, x->args[0]) || ir_eval_scalar(e, x->args[1]);
  case IR_ITE: return ir_eval_scalar(e, x->args[ir_eval_scalar(e, x->args[0]) ? 1 : 2]);
  case IR_CAST:
    return settle(e, x->type, widen(x->args[0]->type, ir_eval_scalar(e, x->args[0])), x->site);
  case IR_CALL: return eval_call(e, x);
  case IR_ISUNDEF:
    return load_raw(e, ir_eval_place(e, x->args[0]), 0) == IR_UNDEF &&
           ir_type_can_undef(x->args[0]->type);
  case IR_ISMEMBER: return ir_type_has(x->test, ir_eval_scalar(e, x->args[0]));
  case IR_FORALL:
  case IR_EXISTS:
  case IR_COUNT: return eval_quantifier(e, x);
  default: return eval_binary(e, x);
  }
}

// --- calls ---

static enum flow exec(struct ir_eval *e, const struct ir_stmt *s);

// Bytes of C stack since the public call: calls and the nesting of expressions both take from it.
static size_t stack_used(const struct ir_eval *e) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  return here < e->stack ? e->stack - here : here - e->stack;
}

static void check_argument(struct ir_eval *e, const struct ir_local *l, int64_t v, uint32_t site) {
  if (ir_type_has(l->type, v) || (l->may_undef && v == IR_UNDEF)) return;
  text_printf(&e->detail, "the parameter \"%s\" is given ", l->name);
  ir_type_print_value(&e->detail, e->m->int_type, v);
  fault(e, site);
}

static void pass_argument(struct ir_eval *e, size_t base, const struct ir_local *l,
                          const struct ir_expr *arg, uint32_t range_site) {
  if (l->kind == IR_LOCAL_REF) {
    struct place p = ir_eval_place(e, arg);
    e->cells[base + l->cell] = (int64_t)(p.at << 1 | p.local);
  } else if (ir_type_scalar(l->type)) {
    bool raw = l->may_undef && ir_expr_lvalue(arg);
    int64_t v = raw ? load_raw(e, ir_eval_place(e, arg), 0) : ir_eval_scalar(e, arg);
    check_argument(e, l, v, range_site);
    e->cells[base + l->cell] = v;
  } else {
    struct place p = ir_eval_place(e, arg);
    for (uint64_t i = 0; i < l->type->leaves; i++) e->cells[base + l->cell + i] = load_raw(e, p, i);
  }
}

static int64_t eval_call(struct ir_eval *e, const struct ir_expr *x) {
  const struct ir_function *f = x->func;
  if (e->depth >= IR_CALL_DEPTH || stack_used(e) > STACK_BYTES_MAX) fault(e, x->site);
  size_t top = e->top, caller = e->base, base = push_cells(e, f->frame.cells);
  for (uint32_t i = 0; i < f->param_count; i++)
    pass_argument(e, base, f->frame.locals[i], x->args[i], x->site + 1);
  init_frame(e, base, &f->frame);
  e->base = base;
  e->depth++;
  enum flow flow = exec(e, f->body);
  if (f->result && flow != FLOW_RETURN) fault(e, f->site);
  e->depth--;
  e->base = caller;
  e->top = top;
  return f->result ? e->result[0] : 0;
}

// --- statements ---

static void exec_assign(struct ir_eval *e, const struct ir_stmt *s) {
  int64_t v = ir_eval_scalar(e, s->expr);
  struct place p = ir_eval_place(e, s->lhs);
  if (!ir_type_has(s->lhs->type, v)) {
    text_add(&e->detail, "the value is ");
    ir_type_print_value(&e->detail, s->expr->type, v);
    fault(e, s->site);
  }
  store_raw(e, p, 0, v);
}

static void exec_copy(struct ir_eval *e, const struct ir_stmt *s) {
  struct place from = ir_eval_place(e, s->expr), to = ir_eval_place(e, s->lhs);
  for (uint64_t i = 0; i < s->lhs->type->leaves; i++) store_raw(e, to, i, load_raw(e, from, i));
}

// Sets every leaf to undefined, or to its type's smallest value.
static void fill(struct ir_eval *e, struct place p, const struct ir_type *t, bool undefined) {
  if (t->kind == IR_TYPE_ARRAY) {
    for (uint64_t i = 0; i < t->leaves; i += t->elem->leaves, p.at += t->elem->leaves)
      fill(e, p, t->elem, undefined);
  } else if (t->kind == IR_TYPE_RECORD) {
    for (uint32_t i = 0; i < t->field_count; i++) {
      struct place q = {.local = p.local, .at = p.at + t->fields[i].leaf};
      fill(e, q, t->fields[i].type, undefined);
    }
  } else {
    int64_t none = ir_type_can_undef(t) ? IR_UNDEF : 0;
    store_raw(e, p, 0, undefined ? none : ir_type_value(t, 0));
  }
}

// Order of two leaves: undefined first, then by rank.
static int compare_leaves(const struct ir_type *t, int64_t a, int64_t b) {
  if (a == b) return 0;
  if (ir_type_can_undef(t) && (a == IR_UNDEF || b == IR_UNDEF)) return a == IR_UNDEF ? -1 : 1;
  return ir_type_rank(t, a) < ir_type_rank(t, b) ? -1 : 1;
}

static int compare_elements(const struct ir_type *t, const int64_t *a, const int64_t *b) {
  int c = 0;
  if (t->kind == IR_TYPE_ARRAY) {
    for (uint64_t i = 0; i < t->leaves && !c; i += t->elem->leaves)
      c = compare_elements(t->elem, a + i, b + i);
  } else if (t->kind == IR_TYPE_RECORD) {
    for (uint32_t i = 0; i < t->field_count && !c; i++)
      c = compare_elements(t->fields[i].type, a + t->fields[i].leaf, b + t->fields[i].leaf);
  } else {
    c = compare_leaves(t, *a, *b);
  }
  return c;
}

static void exec_sort(struct ir_eval *e, const struct ir_stmt *s) {
  struct place p = ir_eval_place(e, s->lhs);
  const struct ir_type *t = s->lhs->type, *elem = t->elem;
  size_t n = elem->leaves, at = push_cells(e, t->leaves + n);
  int64_t *all = e->cells + at, *one = all + t->leaves;
  for (uint64_t i = 0; i < t->leaves; i++) all[i] = load_raw(e, p, i);
  for (uint64_t i = n; n && i < t->leaves; i += n) { // insertion sort: multisets are small
    memcpy(one, all + i, n * sizeof *one);
    uint64_t j = i;
    for (; j > 0 && compare_elements(elem, all + j - n, one) > 0; j -= n)
      memcpy(all + j, all + j - n, n * sizeof *one);
    memcpy(all + j, one, n * sizeof *one);
  }
  for (uint64_t i = 0; i < t->leaves; i++) store_raw(e, p, i, all[i]);
}

static void exec_foreign(struct ir_eval *e, const struct ir_stmt *s) {
  struct place p = ir_eval_place(e, s->lhs);
  assert(p.local);
  e->m->foreign->functions[s->foreign](e->cells + p.at);
}

static enum flow exec_switch(struct ir_eval *e, const struct ir_stmt *s) {
  int64_t v = ir_eval_scalar(e, s->expr);
  for (const struct ir_case *c = s->cases; c; c = c->next) {
    if (c->value_count == 0) return exec(e, c->body);
    for (uint32_t i = 0; i < c->value_count; i++)
      if (ir_eval_scalar(e, c->values[i]) == v) return exec(e, c->body);
  }
  return FLOW_NEXT;
}

static enum flow exec_for(struct ir_eval *e, const struct ir_stmt *s) {
  struct iteration it;
  ir_eval_domain(e, s->domain, s->site, &it);
  int64_t value;
  while (ir_eval_domain_next(&it, &value)) {
    e->cells[e->base + s->local->cell] = value;
    if (exec(e, s->body) == FLOW_RETURN) return FLOW_RETURN;
  }
  return FLOW_NEXT;
}

static enum flow exec_while(struct ir_eval *e, const struct ir_stmt *s) {
  size_t top = e->top;
  for (uint64_t rounds = 0; ir_eval_scalar(e, s->expr); rounds++) {
    e->top = top;
    if (rounds >= s->limit) {
      text_printf(&e->detail, "more than %" PRIu64 " rounds", s->limit);
      fault(e, s->site);
    }
    if (exec(e, s->body) == FLOW_RETURN) return FLOW_RETURN;
  }
  return FLOW_NEXT;
}

static void exec_return(struct ir_eval *e, const struct ir_stmt *s) {
  if (!s->expr) return;
  size_t n = s->expr->type->leaves;
  if (n > e->result_capacity) {
    e->result = mem_realloc(e->result, n * sizeof *e->result);
    e->result_capacity = n;
  }
  if (ir_type_scalar(s->expr->type)) {
    int64_t v = ir_eval_scalar(e, s->expr); // may itself use e->result
    e->result[0] = v;
    return;
  }
  struct place p = ir_eval_place(e, s->expr);
  for (uint64_t i = 0; i < n; i++) e->result[i] = load_raw(e, p, i);
}

static void print_value(struct ir_eval *e, struct place p, const struct ir_type *t) {
  if (ir_type_scalar(t)) return ir_type_print_value(&e->prints, t, load_raw(e, p, 0));
  bool array = t->kind == IR_TYPE_ARRAY;
  uint64_t n = array ? ir_type_count(t->index) : t->field_count;
  text_char(&e->prints, array ? '[' : '{');
  for (uint64_t i = 0; i < n; i++) {
    if (i) text_add(&e->prints, ", ");
    if (!array) text_printf(&e->prints, "%s: ", t->fields[i].name);
    uint64_t offset = array ? i * t->elem->leaves : t->fields[i].leaf;
    print_value(e, (struct place){p.local, p.at + offset}, array ? t->elem : t->fields[i].type);
  }
  text_char(&e->prints, array ? ']' : '}');
}

static void exec_print(struct ir_eval *e, const struct ir_stmt *s) {
  for (uint32_t i = 0; i < s->part_count; i++) {
    const struct ir_print *p = &s->parts[i];
    if (p->literal) {
      if (e->collect) text_add(&e->prints, p->literal);
    } else if (ir_expr_lvalue(p->expr) || !ir_type_scalar(p->expr->type)) {
      struct place q = ir_eval_place(e, p->expr);
      if (e->collect) print_value(e, q, p->expr->type);
    } else {
      int64_t v = ir_eval_scalar(e, p->expr);
      if (e->collect) ir_type_print_value(&e->prints, p->expr->type, v);
    }
  }
}

static enum flow exec_one(struct ir_eval *e, const struct ir_stmt *s) {
  switch (s->kind) {
  case IR_ASSIGN: exec_assign(e, s); break;
  case IR_COPY: exec_copy(e, s); break;
  case IR_UNDEFINE: fill(e, ir_eval_place(e, s->lhs), s->lhs->type, true); break;
  case IR_CLEAR: fill(e, ir_eval_place(e, s->lhs), s->lhs->type, false); break;
  case IR_SORT: exec_sort(e, s); break;
  case IR_IF: return exec(e, ir_eval_scalar(e, s->expr) ? s->body : s->other);
  case IR_SWITCH: return exec_switch(e, s);
  case IR_FOR: return exec_for(e, s);
  case IR_WHILE: return exec_while(e, s);
  case IR_CALL_STMT: eval_call(e, s->expr); break;
  case IR_RETURN: exec_return(e, s); return FLOW_RETURN;
  case IR_ASSERT:
    if (!ir_eval_scalar(e, s->expr)) fault(e, s->site);
    break;
  case IR_ASSUME:
    if (ir_eval_scalar(e, s->expr)) break;
    e->prunes = s->prunes;
    longjmp(e->boundary, JUMP_DROP);
  case IR_COVER:
    if (!ir_eval_scalar(e, s->expr)) break;
    e->covers[s->cover / 64] |= UINT64_C(1) << s->cover % 64;
    e->covered = true;
    break;
  case IR_PRINT: exec_print(e, s); break;
  case IR_FOREIGN: exec_foreign(e, s); break;
  }
  return FLOW_NEXT;
}

static enum flow exec(struct ir_eval *e, const struct ir_stmt *s) {
  size_t top = e->top;
  for (; s; s = s->next) {
    if (exec_one(e, s) == FLOW_RETURN) return FLOW_RETURN;
    e->top = top;
  }
  return FLOW_NEXT;
}

// --- the public calls ---

void ir_eval_begin(struct ir_eval *e, const struct ir_frame *f, const uint64_t *state) {
  e->leaf = e->m->layout->leaf;
  e->state = (uint64_t *)state; // only bodies write, and they were given a writable state
  e->base = e->top = 0;
  e->depth = 0;
  e->stack = (uintptr_t)__builtin_frame_address(0);
  e->site = 0;
  if (e->detail.count) text_clear(&e->detail);
  push_cells(e, f->cells);
  init_frame(e, 0, f);
}

static void bind(struct ir_eval *e, const struct ir_rule *r, const int64_t *params,
                 const int64_t *choices) {
  for (uint32_t i = 0; i < r->param_count; i++) e->cells[r->frame.locals[i]->cell] = params[i];
  for (uint32_t i = 0; i < r->choice_count; i++)
    e->cells[r->frame.locals[r->param_count + i]->cell] = choices[i];
}

static enum ir_outcome landed(int jump) { return jump == JUMP_DROP ? IR_DROPPED : IR_FAILED; }

enum ir_outcome ir_eval_guard(struct ir_eval *e, const struct ir_rule *r, const int64_t *params,
                              const int64_t *choices, const uint64_t *state) {
  if (!r->guard) return IR_OK;
  ir_eval_begin(e, &r->frame, state);
  bind(e, r, params, choices);
  int jump = setjmp(e->boundary);
  if (jump) return landed(jump);
  return ir_eval_scalar(e, r->guard) ? IR_OK : IR_DISABLED;
}

// From the wide layout of start rules to the layout of states. What is undefined but has no code
// for it can only be seen after a fault, and shows as the smallest value.
static void repack(const struct ir_eval *e, uint64_t *state) {
  const struct ir_layout *from = e->m->start_layout, *to = e->m->layout;
  memset(state, 0, to->words * sizeof *state);
  for (uint64_t i = 0; i < to->count; i++) {
    int64_t v = ir_leaf_get(&from->leaf[i], e->wide);
    bool lost = v == IR_UNDEF && !to->leaf[i].undef && ir_type_can_undef(to->leaf[i].type);
    if (!lost) ir_leaf_set(&to->leaf[i], state, v);
  }
}

static enum ir_outcome run_body(struct ir_eval *e, const struct ir_rule *r, const int64_t *params,
                                const int64_t *choices, uint64_t *state) {
  ir_eval_begin(e, &r->frame, state);
  if (r->is_start) e->leaf = e->m->start_layout->leaf;
  bind(e, r, params, choices);
  if (e->covered) memset(e->covers, 0, (e->m->properties.count / 64 + 1) * sizeof *e->covers);
  e->covered = false;
  if (e->prints.count) text_clear(&e->prints);
  int jump = setjmp(e->boundary);
  if (jump) return landed(jump);
  exec(e, r->body);
  return IR_OK;
}

enum ir_outcome ir_eval_body(struct ir_eval *e, const struct ir_rule *r, const int64_t *params,
                             const int64_t *choices, uint64_t *state) {
  if (!r->is_start) return run_body(e, r, params, choices, state);
  const struct ir_layout *wide = e->m->start_layout;
  memset(e->wide, 0, wide->words * sizeof *e->wide);
  for (uint64_t i = 0; i < wide->count; i++) // 64-bit machine integers start as 0
    if (!wide->leaf[i].undef) ir_leaf_set(&wide->leaf[i], e->wide, 0);
  enum ir_outcome o = run_body(e, r, params, choices, e->wide);
  repack(e, state);
  return o;
}

enum ir_outcome ir_eval_int(struct ir_eval *e, const struct ir_frame *f, const struct ir_expr *x,
                            const uint64_t *state, int64_t *value) {
  ir_eval_begin(e, f, state);
  int jump = setjmp(e->boundary);
  if (jump) return landed(jump);
  *value = ir_eval_scalar(e, x);
  return IR_OK;
}

enum ir_outcome ir_eval_bool(struct ir_eval *e, const struct ir_frame *f, const struct ir_expr *x,
                             const uint64_t *state, bool *value) {
  int64_t v;
  enum ir_outcome o = ir_eval_int(e, f, x, state, &v);
  if (o == IR_OK) *value = v;
  return o;
}
