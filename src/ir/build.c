// SPDX-License-Identifier: Apache-2.0
// Constructors of the IR. Each allocates the error sites that its node needs, in the order that
// ir.h lays down; nothing else creates nodes.
#include "ir/ir.h"

#include <string.h>

struct ir_model *ir_model_new(const char *name, const char *language) {
  struct ir_model *m = mem_zalloc(1, sizeof *m);
  m->arena = arena_new();
  m->name = arena_strdup(m->arena, name);
  m->language = arena_strdup(m->arena, language);
  VEC_PUSH(&m->sites, (struct ir_site){0});
  struct ir_type *b = ir_type_range(m, 0, 1);
  b->kind = IR_TYPE_BOOL;
  b->name = "boolean";
  m->bool_type = b;
  struct ir_type *i = ir_type_int(m, 64, true, true);
  i->name = "integer";
  m->int_type = i;
  return m;
}

void ir_model_free(struct ir_model *m) {
  if (!m) return;
  for (size_t i = 0; i < m->sources.count; i++) source_free(m->sources.data[i]);
  for (size_t i = 0; i < m->given.count; i++) source_free(m->given.data[i]);
  VEC_CLEAR(&m->sources);
  VEC_CLEAR(&m->given);
  VEC_CLEAR(&m->types);
  VEC_CLEAR(&m->vars);
  VEC_CLEAR(&m->functions);
  VEC_CLEAR(&m->rules);
  VEC_CLEAR(&m->starts);
  VEC_CLEAR(&m->properties);
  VEC_CLEAR(&m->atoms);
  VEC_CLEAR(&m->fairness);
  VEC_CLEAR(&m->ample);
  VEC_CLEAR(&m->sites);
  if (m->front) m->front_free(m->front);
  arena_free(m->arena);
  mem_free(m);
}

// --- declarations ---

struct ir_var *ir_var_new(struct ir_model *m, const char *name, const struct ir_type *type,
                          struct span span) {
  struct ir_var *v = ARENA_NEW(m->arena, struct ir_var);
  *v = (struct ir_var){.name = arena_strdup(m->arena, name),
                       .type = type,
                       .span = span,
                       .id = (uint32_t)m->vars.count,
                       .first_leaf = m->leaves,
                       .agent = -1};
  m->leaves += type->leaves;
  VEC_PUSH(&m->vars, v);
  return v;
}

struct ir_local *ir_local_new(struct ir_model *m, struct ir_frame *f, enum ir_local_kind kind,
                              const char *name, const struct ir_type *type, struct span span) {
  struct ir_local *l = ARENA_NEW(m->arena, struct ir_local);
  *l = (struct ir_local){.kind = kind,
                         .name = arena_strdup(m->arena, name),
                         .type = type,
                         .span = span,
                         .id = f->count,
                         .cell = f->cells};
  if (f->count == f->capacity) {
    uint32_t n = f->capacity ? f->capacity * 2 : 8;
    struct ir_local **grown = ARENA_ARRAY(m->arena, struct ir_local *, n);
    if (f->count) memcpy(grown, f->locals, f->count * sizeof *grown);
    f->locals = grown;
    f->capacity = n;
  }
  f->locals[f->count++] = l;
  f->cells += kind == IR_LOCAL_REF ? 1 : (uint32_t)type->leaves;
  return l;
}

// The rule's own locals: parameters come first in its frame, so their cells are the same here.
void ir_frame_scope(struct ir_model *m, struct ir_frame *f, const struct ir_rule *scope) {
  *f = (struct ir_frame){0};
  if (!scope || scope->param_count == 0) return;
  f->count = f->capacity = scope->param_count;
  f->locals = ARENA_ARRAY(m->arena, struct ir_local *, f->count);
  for (uint32_t i = 0; i < f->count; i++) {
    f->locals[i] = scope->frame.locals[i];
    f->cells += (uint32_t)f->locals[i]->type->leaves;
  }
}

struct ir_function *ir_function_new(struct ir_model *m, const char *name,
                                    const struct ir_type *result, struct span span) {
  struct ir_function *f = ARENA_NEW(m->arena, struct ir_function);
  f->name = arena_strdup(m->arena, name);
  f->span = span;
  f->id = (uint32_t)m->functions.count;
  f->result = result;
  f->site = ir_site_new(m, IR_FAULT_RETURN, span, f->name);
  VEC_PUSH(&m->functions, f);
  return f;
}

struct ir_rule *ir_rule_new(struct ir_model *m, bool is_start, const char *name, struct span span) {
  struct ir_rule *r = ARENA_NEW(m->arena, struct ir_rule);
  r->name = arena_strdup(m->arena, name);
  r->span = span;
  r->is_start = is_start;
  r->id = (uint32_t)(is_start ? m->starts.count : m->rules.count);
  r->agent_param = r->agent = -1;
  if (is_start)
    VEC_PUSH(&m->starts, r);
  else
    VEC_PUSH(&m->rules, r);
  return r;
}

struct ir_property *ir_property_new(struct ir_model *m, enum ir_property_kind kind,
                                    const char *name, struct span span) {
  struct ir_property *p = ARENA_NEW(m->arena, struct ir_property);
  p->kind = kind;
  p->name = arena_strdup(m->arena, name);
  p->span = span;
  p->id = (uint32_t)m->properties.count;
  VEC_PUSH(&m->properties, p);
  return p;
}

struct ir_atom *ir_atom_new(struct ir_model *m, const char *name) {
  struct ir_atom *a = ARENA_NEW(m->arena, struct ir_atom);
  a->name = arena_strdup(m->arena, name);
  VEC_PUSH(&m->atoms, a);
  return a;
}

struct ir_ctl *ir_ctl_new(struct ir_model *m, enum ir_ctl_op op, const struct ir_ctl *left,
                          const struct ir_ctl *right, struct span span) {
  struct ir_ctl *f = ARENA_NEW(m->arena, struct ir_ctl);
  *f = (struct ir_ctl){.op = op, .span = span, .left = left, .right = right};
  return f;
}

struct ir_fairness *ir_fairness_new(struct ir_model *m, struct span span) {
  struct ir_fairness *f = ARENA_NEW(m->arena, struct ir_fairness);
  f->agent = -1;
  f->span = span;
  VEC_PUSH(&m->fairness, f);
  return f;
}

uint32_t ir_automaton_atoms(const struct ir_automaton *a) {
  uint64_t used = a->accept_atom >= 0 ? UINT64_C(1) << a->accept_atom : 0;
  for (uint32_t i = 0; i < a->count; i++)
    for (uint32_t k = 0; k < a->states[i].edge_count; k++)
      used |= a->states[i].edges[k].yes | a->states[i].edges[k].no;
  uint32_t n = 0;
  for (; used; used >>= 1) n++;
  return n;
}

struct ir_domain *ir_domain_type(struct ir_model *m, const struct ir_type *t) {
  struct ir_domain *d = ARENA_NEW(m->arena, struct ir_domain);
  d->type = t;
  return d;
}

struct ir_domain *ir_domain_range(struct ir_model *m, struct ir_expr *lo, struct ir_expr *hi,
                                  struct ir_expr *step) {
  struct ir_domain *d = ARENA_NEW(m->arena, struct ir_domain);
  d->lo = lo;
  d->hi = hi;
  d->step = step;
  return d;
}

uint32_t ir_site_new(struct ir_model *m, enum ir_fault fault, struct span span,
                     const char *message) {
  VEC_PUSH(&m->sites,
           ((struct ir_site){.fault = fault,
                             .span = span,
                             .message = message ? arena_strdup(m->arena, message) : NULL}));
  return (uint32_t)m->sites.count - 1;
}

// --- expressions ---

static struct ir_expr *expr_new(struct ir_model *m, enum ir_op op, const struct ir_type *type,
                                struct span span, uint32_t arg_count) {
  struct ir_expr *e = ARENA_NEW(m->arena, struct ir_expr);
  e->op = op;
  e->type = type;
  e->span = span;
  e->arg_count = arg_count;
  if (arg_count) e->args = ARENA_ARRAY(m->arena, struct ir_expr *, arg_count);
  return e;
}

static uint32_t site(struct ir_model *m, enum ir_fault fault, struct span span) {
  return ir_site_new(m, fault, span, NULL);
}

struct ir_expr *ir_const(struct ir_model *m, const struct ir_type *t, int64_t value,
                         struct span span) {
  struct ir_expr *e = expr_new(m, IR_CONST, t, span, 0);
  e->value = value;
  return e;
}

struct ir_expr *ir_bool(struct ir_model *m, bool value, struct span span) {
  return ir_const(m, m->bool_type, value, span);
}

struct ir_expr *ir_int(struct ir_model *m, int64_t value, struct span span) {
  return ir_const(m, m->int_type, value, span);
}

struct ir_expr *ir_var_ref(struct ir_model *m, const struct ir_var *v, struct span span) {
  struct ir_expr *e = expr_new(m, IR_VAR, v->type, span, 0);
  e->var = v;
  if (ir_type_scalar(v->type)) e->site = site(m, IR_FAULT_UNDEFINED, span);
  return e;
}

struct ir_expr *ir_local_ref(struct ir_model *m, const struct ir_local *l, struct span span) {
  struct ir_expr *e = expr_new(m, IR_LOCAL, l->type, span, 0);
  e->local = l;
  bool defined = l->kind == IR_LOCAL_BOUND || (l->kind == IR_LOCAL_VALUE && !l->may_undef);
  if (ir_type_scalar(l->type) && !defined) e->site = site(m, IR_FAULT_UNDEFINED, span);
  return e;
}

struct ir_expr *ir_index(struct ir_model *m, struct ir_expr *base, struct ir_expr *index,
                         struct span span) {
  assert(base->type->kind == IR_TYPE_ARRAY);
  struct ir_expr *e = expr_new(m, IR_INDEX, base->type->elem, span, 2);
  e->args[0] = base;
  e->args[1] = index;
  e->site = site(m, IR_FAULT_INDEX, span);
  if (ir_type_scalar(e->type)) site(m, IR_FAULT_UNDEFINED, span);
  return e;
}

struct ir_expr *ir_field(struct ir_model *m, struct ir_expr *base, uint32_t field,
                         struct span span) {
  assert(base->type->kind == IR_TYPE_RECORD && field < base->type->field_count);
  struct ir_expr *e = expr_new(m, IR_FIELD, base->type->fields[field].type, span, 1);
  e->args[0] = base;
  e->field = field;
  if (ir_type_scalar(e->type)) e->site = site(m, IR_FAULT_UNDEFINED, span);
  return e;
}

// Arithmetic happens in the machine integer that both operands share, else in the model's integers.
static const struct ir_type *arithmetic_type(const struct ir_model *m, const struct ir_expr *a,
                                             const struct ir_expr *b) {
  bool machine = a->type->kind == IR_TYPE_INT && a->type != m->int_type;
  return machine && ir_type_same(a->type, b->type) ? a->type : m->int_type;
}

struct ir_expr *ir_unary(struct ir_model *m, enum ir_op op, struct ir_expr *a, struct span span) {
  assert(op == IR_NOT || op == IR_NEG || op == IR_BITNOT);
  const struct ir_type *t = op == IR_NOT ? m->bool_type : arithmetic_type(m, a, a);
  struct ir_expr *e = expr_new(m, op, t, span, 1);
  e->args[0] = a;
  if (op == IR_NEG && t->traps) e->site = site(m, IR_FAULT_OVERFLOW, span);
  return e;
}

struct ir_expr *ir_binary(struct ir_model *m, enum ir_op op, struct ir_expr *a, struct ir_expr *b,
                          struct span span) {
  assert(op >= IR_AND && op <= IR_SHR);
  const struct ir_type *t = op <= IR_GE                    ? m->bool_type
                            : op == IR_SHL || op == IR_SHR ? arithmetic_type(m, a, a)
                                                           : arithmetic_type(m, a, b);
  struct ir_expr *e = expr_new(m, op, t, span, 2);
  e->args[0] = a;
  e->args[1] = b;
  if (op == IR_DIV || op == IR_MOD) {
    e->site = site(m, IR_FAULT_DIVISION, span);
    site(m, IR_FAULT_OVERFLOW, span);
  } else if (op >= IR_ADD && op <= IR_MUL && t->traps) {
    e->site = site(m, IR_FAULT_OVERFLOW, span);
  }
  return e;
}

struct ir_expr *ir_ite(struct ir_model *m, struct ir_expr *c, struct ir_expr *a, struct ir_expr *b,
                       const struct ir_type *type, struct span span) {
  struct ir_expr *e = expr_new(m, IR_ITE, type, span, 3);
  e->args[0] = c;
  e->args[1] = a;
  e->args[2] = b;
  return e;
}

struct ir_expr *ir_cast(struct ir_model *m, const struct ir_type *t, struct ir_expr *a,
                        struct span span) {
  assert(t->kind == IR_TYPE_INT);
  struct ir_expr *e = expr_new(m, IR_CAST, t, span, 1);
  e->args[0] = a;
  if (t->traps) e->site = site(m, IR_FAULT_OVERFLOW, span);
  return e;
}

struct ir_expr *ir_call(struct ir_model *m, const struct ir_function *f,
                        struct ir_expr *const *args, uint32_t n, struct span span) {
  struct ir_expr *e = expr_new(m, IR_CALL, f->result, span, n);
  e->func = f;
  for (uint32_t i = 0; i < n; i++) e->args[i] = args[i];
  e->site = site(m, IR_FAULT_STACK, span);
  site(m, IR_FAULT_RANGE, span);
  return e;
}

struct ir_expr *ir_isundef(struct ir_model *m, struct ir_expr *a, struct span span) {
  struct ir_expr *e = expr_new(m, IR_ISUNDEF, m->bool_type, span, 1);
  e->args[0] = a;
  return e;
}

struct ir_expr *ir_ismember(struct ir_model *m, struct ir_expr *a, const struct ir_type *t,
                            struct span span) {
  struct ir_expr *e = expr_new(m, IR_ISMEMBER, m->bool_type, span, 1);
  e->args[0] = a;
  e->test = t;
  return e;
}

struct ir_expr *ir_quant(struct ir_model *m, enum ir_op op, const struct ir_local *l,
                         struct ir_domain *d, struct ir_expr *body, struct span span) {
  assert(op == IR_FORALL || op == IR_EXISTS || op == IR_COUNT);
  struct ir_expr *e = expr_new(m, op, op == IR_COUNT ? m->int_type : m->bool_type, span, 1);
  e->args[0] = body;
  e->local = l;
  e->domain = d;
  if (!d->type) e->site = site(m, IR_FAULT_LOOP, span);
  return e;
}

bool ir_expr_lvalue(const struct ir_expr *e) {
  while (e->op == IR_INDEX || e->op == IR_FIELD) e = e->args[0];
  return e->op == IR_VAR || e->op == IR_LOCAL;
}

enum ir_op ir_op_opposite(enum ir_op op) {
  switch (op) {
  case IR_EQ: return IR_NE;
  case IR_NE: return IR_EQ;
  case IR_LT: return IR_GE;
  case IR_LE: return IR_GT;
  case IR_GT: return IR_LE;
  case IR_GE: return IR_LT;
  default: return IR_OP_COUNT;
  }
}

bool ir_expr_const(const struct ir_expr *e, int64_t *value) {
  if (e->op != IR_CONST) return false;
  *value = e->value;
  return true;
}

// --- statements ---

static struct ir_stmt *stmt_new(struct ir_model *m, enum ir_stmt_kind kind, struct span span) {
  struct ir_stmt *s = ARENA_NEW(m->arena, struct ir_stmt);
  s->kind = kind;
  s->span = span;
  return s;
}

static struct ir_stmt *stmt_on(struct ir_model *m, enum ir_stmt_kind kind, struct ir_expr *lhs,
                               struct span span) {
  struct ir_stmt *s = stmt_new(m, kind, span);
  s->lhs = lhs;
  return s;
}

struct ir_stmt *ir_assign(struct ir_model *m, struct ir_expr *lhs, struct ir_expr *rhs,
                          struct span span) {
  bool scalar = ir_type_scalar(lhs->type);
  struct ir_stmt *s = stmt_on(m, scalar ? IR_ASSIGN : IR_COPY, lhs, span);
  s->expr = rhs;
  if (scalar) s->site = site(m, IR_FAULT_RANGE, span);
  return s;
}

struct ir_stmt *ir_undefine(struct ir_model *m, struct ir_expr *lhs, struct span span) {
  return stmt_on(m, IR_UNDEFINE, lhs, span);
}

struct ir_stmt *ir_clear(struct ir_model *m, struct ir_expr *lhs, struct span span) {
  return stmt_on(m, IR_CLEAR, lhs, span);
}

struct ir_stmt *ir_sort(struct ir_model *m, struct ir_expr *lhs, struct span span) {
  assert(lhs->type->kind == IR_TYPE_ARRAY);
  return stmt_on(m, IR_SORT, lhs, span);
}

struct ir_stmt *ir_foreign(struct ir_model *m, uint32_t number, const struct ir_local *cells,
                           struct span span) {
  struct ir_stmt *s = stmt_on(m, IR_FOREIGN, ir_local_ref(m, cells, span), span);
  s->foreign = number;
  return s;
}

struct ir_stmt *ir_if(struct ir_model *m, struct ir_expr *c, struct ir_stmt *body,
                      struct ir_stmt *other, struct span span) {
  struct ir_stmt *s = stmt_new(m, IR_IF, span);
  s->expr = c;
  s->body = body;
  s->other = other;
  return s;
}

struct ir_stmt *ir_switch(struct ir_model *m, struct ir_expr *e, struct ir_case *cases,
                          struct span span) {
  struct ir_stmt *s = stmt_new(m, IR_SWITCH, span);
  s->expr = e;
  s->cases = cases;
  return s;
}

struct ir_case *ir_case(struct ir_model *m, struct ir_expr *const *values, uint32_t n,
                        struct ir_stmt *body) {
  struct ir_case *c = ARENA_NEW(m->arena, struct ir_case);
  c->values = ARENA_ARRAY(m->arena, struct ir_expr *, n);
  for (uint32_t i = 0; i < n; i++) c->values[i] = values[i];
  c->value_count = n;
  c->body = body;
  return c;
}

struct ir_stmt *ir_for(struct ir_model *m, const struct ir_local *l, struct ir_domain *d,
                       struct ir_stmt *body, struct span span) {
  struct ir_stmt *s = stmt_new(m, IR_FOR, span);
  s->local = l;
  s->domain = d;
  s->body = body;
  if (!d->type) s->site = site(m, IR_FAULT_LOOP, span);
  return s;
}

struct ir_stmt *ir_while(struct ir_model *m, struct ir_expr *c, struct ir_stmt *body,
                         uint64_t limit, struct span span) {
  struct ir_stmt *s = stmt_new(m, IR_WHILE, span);
  s->expr = c;
  s->body = body;
  s->limit = limit;
  s->site = site(m, IR_FAULT_LOOP, span);
  return s;
}

struct ir_stmt *ir_call_stmt(struct ir_model *m, struct ir_expr *call, struct span span) {
  assert(call->op == IR_CALL);
  struct ir_stmt *s = stmt_new(m, IR_CALL_STMT, span);
  s->expr = call;
  return s;
}

struct ir_stmt *ir_return(struct ir_model *m, struct ir_expr *e, struct span span) {
  struct ir_stmt *s = stmt_new(m, IR_RETURN, span);
  s->expr = e;
  return s;
}

struct ir_stmt *ir_assert(struct ir_model *m, struct ir_expr *e, enum ir_fault fault,
                          const char *message, struct span span) {
  struct ir_stmt *s = stmt_new(m, IR_ASSERT, span);
  s->expr = e;
  s->site = ir_site_new(m, fault, span, message);
  return s;
}

struct ir_stmt *ir_assume(struct ir_model *m, struct ir_expr *e, struct span span) {
  struct ir_stmt *s = stmt_new(m, IR_ASSUME, span);
  s->expr = e;
  s->prunes = UINT32_MAX;
  return s;
}

struct ir_stmt *ir_cover(struct ir_model *m, const struct ir_property *p, struct ir_expr *e,
                         struct span span) {
  struct ir_stmt *s = stmt_new(m, IR_COVER, span);
  s->expr = e;
  s->cover = p->id;
  return s;
}

struct ir_stmt *ir_print(struct ir_model *m, const struct ir_print *parts, uint32_t n,
                         struct span span) {
  struct ir_stmt *s = stmt_new(m, IR_PRINT, span);
  s->parts = ARENA_ARRAY(m->arena, struct ir_print, n);
  for (uint32_t i = 0; i < n; i++) {
    s->parts[i] = parts[i];
    if (parts[i].literal) s->parts[i].literal = arena_strdup(m->arena, parts[i].literal);
  }
  s->part_count = n;
  return s;
}

void ir_chain_add(struct ir_chain *c, struct ir_stmt *s) {
  if (!s) return;
  if (c->last)
    c->last->next = s;
  else
    c->first = s;
  while (s->next) s = s->next;
  c->last = s;
}

const char *ir_fault_name(enum ir_fault f) {
  static const char *const names[] = {
      [IR_FAULT_NONE] = "no fault",
      [IR_FAULT_ASSERT] = "assertion failed",
      [IR_FAULT_ERROR] = "error statement reached",
      [IR_FAULT_UNDEFINED] = "read of undefined value",
      [IR_FAULT_RANGE] = "value out of range",
      [IR_FAULT_INDEX] = "index out of range",
      [IR_FAULT_DIVISION] = "division by zero",
      [IR_FAULT_OVERFLOW] = "integer overflow",
      [IR_FAULT_LOOP] = "loop does not end",
      [IR_FAULT_RETURN] = "function ended without a return",
      [IR_FAULT_MULTISET] = "multiset is full",
      [IR_FAULT_STACK] = "calls nested too deeply",
      [IR_FAULT_PLAN] = "the state has no room for this step",
      [IR_FAULT_MEMORY] = "invalid pointer",
      [IR_FAULT_LEAK] = "memory leak",
      [IR_FAULT_LIMIT] = "not carried further",
  };
  return names[f];
}

// The text that a span covers, white space folded, cut when long.
static void print_span_text(struct text *out, const struct span *s) {
  if (!s->source || s->line == 0) return;
  const char *p = s->source->text, *end = p + s->source->bytes;
  for (uint32_t line = 1; line < s->line; line++) {
    p = memchr(p, '\n', (size_t)(end - p));
    if (!p) return;
    p++;
  }
  uint32_t line = s->line, column = 1;
  size_t shown = 0;
  bool space = false;
  for (; p < end && (line < s->end_line || column < s->end_column) && shown < 120; p++) {
    bool wanted = line > s->line || column >= s->column;
    bool white = *p == ' ' || *p == '\t' || *p == '\n' || *p == '\r';
    if (wanted && !white) {
      if (space && shown) text_char(out, ' ');
      text_char(out, (unsigned char)*p < 32 ? '?' : *p);
      shown++;
    }
    space = white;
    column++;
    if (*p == '\n') line++, column = 1;
  }
  if (shown == 120) text_add(out, " ...");
}

void ir_site_print(struct text *out, const struct ir_model *m, uint32_t n) {
  const struct ir_site *s = &m->sites.data[n];
  text_add(out, ir_fault_name(s->fault));
  struct text what = {0};
  if (s->message)
    text_add(&what, s->message);
  else
    print_span_text(&what, &s->span);
  if (what.count) text_printf(out, ": %s", what.data);
  text_clear(&what);
}
