// SPDX-License-Identifier: Apache-2.0
// Parses expressions of the IR's text form (docs/ir.md) by precedence climbing. Every node is
// checked against the typing rules before its constructor sees it.
#include "ir/parse.h"

#include "ir/typing.h"

#include <inttypes.h>
#include <string.h>

static const struct {
  enum ir_lex_kind token;
  enum ir_op op;
  int precedence; // the higher binds the tighter
} operators[] = {
    {LEX_ARROW, IR_IMPLIES, 1}, {LEX_OR, IR_OR, 2},       {LEX_AND, IR_AND, 3},
    {LEX_EQ, IR_EQ, 4},         {LEX_NE, IR_NE, 4},       {LEX_LT, IR_LT, 4},
    {LEX_LE, IR_LE, 4},         {LEX_GT, IR_GT, 4},       {LEX_GE, IR_GE, 4},
    {LEX_BOR, IR_BITOR, 5},     {LEX_BXOR, IR_BITXOR, 6}, {LEX_BAND, IR_BITAND, 7},
    {LEX_SHL, IR_SHL, 8},       {LEX_SHR, IR_SHR, 8},     {LEX_PLUS, IR_ADD, 9},
    {LEX_MINUS, IR_SUB, 9},     {LEX_STAR, IR_MUL, 10},   {LEX_SLASH, IR_DIV, 10},
    {LEX_PERCENT, IR_MOD, 10},
};
enum { OPERATOR_COUNT = sizeof operators / sizeof *operators, IMPLIES = 1, COMPARE = 4 };

// Puts the height of a node above one of height `below`; fails when the tree gets too high.
static bool set_height(struct ir_parser *p, uint32_t below) {
  p->height = below + 1;
  if (p->height <= PARSE_HEIGHT_MAX) return true;
  ir_parser_fail(p, p->last.span, "the expression is too large: split it up");
  return false;
}

static uint32_t higher(uint32_t a, uint32_t b) { return a > b ? a : b; }

// --- constants and names ---

static struct ir_expr *make_const(struct ir_parser *p, const struct ir_type *t, int64_t v,
                                  struct span start) {
  struct span span = ir_parser_since(p, start);
  if (!ir_type_scalar(t) || !ir_type_has(t, v))
    return ir_parser_fail(p, span, "the type has no such value"), NULL;
  return ir_const(p->model, t, v, span);
}

// 5, -5, 5:u8
static struct ir_expr *parse_number(struct ir_parser *p, bool negative, struct span start) {
  struct span span = p->token.span;
  uint64_t n = p->token.number, most = (uint64_t)INT64_MAX + negative;
  const struct ir_type *t = p->model->int_type;
  ir_parser_advance(p);
  if (ir_parser_accept(p, LEX_COLON) && !(t = ir_parse_type(p))) return NULL;
  bool wide = t->kind == IR_TYPE_INT && !t->is_signed && !negative;
  if (n > most && !wide) return ir_parser_fail(p, span, "the number is too large"), NULL;
  return make_const(p, t, (int64_t)(negative ? -n : n), start);
}

static bool member_value(const struct ir_type *t, const char *name, int64_t *v) {
  if (t->kind == IR_TYPE_UNION) {
    for (uint32_t i = 0; i < t->part_count; i++)
      if (member_value(t->parts[i], name, v)) return true;
  }
  if (t->kind != IR_TYPE_ENUM) return false;
  for (*v = t->lo; *v <= t->hi; ++*v)
    if (strcmp(t->members[*v - t->lo], name) == 0) return true;
  return false;
}

static struct ir_expr *member_const(struct ir_parser *p, const struct ir_type *t, const char *name,
                                    struct span start) {
  int64_t v;
  if (member_value(t, name, &v)) return ir_const(p->model, t, v, ir_parser_since(p, start));
  ir_parser_fail(p, start, "the type has no member \"%s\"", name);
  return NULL;
}

static struct ir_local *find_local(const struct ir_parser *p, const char *name) {
  for (size_t i = p->scope.count; i-- > 0;)
    if (strcmp(p->scope.data[i]->name, name) == 0) return p->scope.data[i];
  return NULL;
}

static struct ir_expr *parse_call(struct ir_parser *p, const char *name, struct span start);

static struct ir_expr *parse_name(struct ir_parser *p) {
  struct span start = p->token.span;
  const char *name = ir_parser_text(p, LEX_NAME);
  if (!name) return NULL;
  if (p->token.kind == LEX_LPAREN) return parse_call(p, name, start);
  if (ir_parser_accept(p, LEX_COLON)) {
    const struct ir_type *t = ir_parse_type(p);
    return t ? member_const(p, t, name, start) : NULL;
  }
  const struct ir_local *l = find_local(p, name);
  if (l) return ir_local_ref(p->model, l, start);
  const struct ir_var *v = ir_names_get(&p->vars, name);
  if (v) return ir_var_ref(p->model, v, start);
  const struct ir_type *t = ir_names_get(&p->members, name);
  if (t) return member_const(p, t, name, start);
  ir_parser_fail(p, start, "nothing here is called \"%s\"", name);
  return NULL;
}

// --- calls ---

typedef VEC(struct ir_expr *) expr_list;

static bool parse_args(struct ir_parser *p, expr_list *args) {
  uint32_t height = 0;
  ir_parser_expect(p, LEX_LPAREN);
  while (!p->panic && p->token.kind != LEX_RPAREN) {
    if (args->count && !ir_parser_expect(p, LEX_COMMA)) break;
    struct ir_expr *e = ir_parse_value(p);
    if (!e) break;
    VEC_PUSH(args, e);
    height = higher(height, p->height);
  }
  return ir_parser_expect(p, LEX_RPAREN) && set_height(p, height);
}

static bool args_fit(struct ir_parser *p, const struct ir_function *f, const expr_list *args) {
  if (args->count != f->param_count) {
    ir_parser_fail(p, p->last.span, "\"%s\" has %" PRIu32 " parameters, and %zu are given", f->name,
                   f->param_count, args->count);
    return false;
  }
  for (uint32_t i = 0; i < f->param_count; i++) {
    const char *problem = ir_typing_argument(f->frame.locals[i], args->data[i]);
    if (problem) return ir_parser_fail(p, args->data[i]->span, "%s", problem), false;
  }
  return true;
}

static struct ir_expr *parse_call(struct ir_parser *p, const char *name, struct span start) {
  const struct ir_function *f = ir_names_get(&p->functions, name);
  if (!f) return ir_parser_fail(p, start, "there is no function \"%s\"", name), NULL;
  expr_list args = {0};
  struct ir_expr *e = NULL;
  if (parse_args(p, &args) && args_fit(p, f, &args))
    e = ir_call(p->model, f, args.data, (uint32_t)args.count, ir_parser_since(p, start));
  VEC_CLEAR(&args);
  return e;
}

struct ir_expr *ir_parse_call(struct ir_parser *p) {
  struct span start = p->token.span;
  const char *name = ir_parser_text(p, LEX_NAME);
  if (!name) return NULL;
  if (p->token.kind != LEX_LPAREN) return ir_parser_expected(p, "'('"), NULL;
  return parse_call(p, name, start);
}

// --- what begins with a word ---

// isundefined(lvalue)
static struct ir_expr *parse_isundefined(struct ir_parser *p, struct span start) {
  struct ir_expr *a = ir_parse_value(p);
  if (!a || !ir_parser_expect(p, LEX_RPAREN) || !set_height(p, p->height)) return NULL;
  if (!ir_expr_lvalue(a) || !ir_type_scalar(a->type)) {
    ir_parser_fail(p, a->span, "isundefined is asked of a scalar variable or a scalar part of one");
    return NULL;
  }
  return ir_isundef(p->model, a, ir_parser_since(p, start));
}

// cast(value, type), ismember(value, type)
static struct ir_expr *parse_typed(struct ir_parser *p, bool cast, struct span start) {
  struct ir_expr *a = ir_parse_value(p);
  if (!a || !ir_parser_expect(p, LEX_COMMA)) return NULL;
  struct span at = p->token.span;
  const struct ir_type *t = ir_parse_type(p);
  if (!t || !ir_parser_expect(p, LEX_RPAREN) || !set_height(p, p->height)) return NULL;
  if (!ir_type_scalar(a->type)) return ir_parser_fail(p, a->span, "a scalar is wanted here"), NULL;
  if (cast ? t->kind != IR_TYPE_INT : !ir_type_scalar(t)) {
    ir_parser_fail(p, at, cast ? "a cast leads to a machine integer" : "a scalar type is wanted");
    return NULL;
  }
  struct span span = ir_parser_since(p, start);
  return cast ? ir_cast(p->model, t, a, span) : ir_ismember(p->model, a, t, span);
}

static struct ir_expr *parse_builtin(struct ir_parser *p) {
  struct span start = p->token.span;
  enum ir_lex_kind k = p->token.kind;
  ir_parser_advance(p);
  if (!ir_parser_expect(p, LEX_LPAREN)) return NULL;
  return k == LEX_ISUNDEFINED ? parse_isundefined(p, start) : parse_typed(p, k == LEX_CAST, start);
}

// forall i : T { body }
static struct ir_expr *parse_quantifier(struct ir_parser *p) {
  struct span start = p->token.span;
  enum ir_op op = p->token.kind == LEX_FORALL   ? IR_FORALL
                  : p->token.kind == LEX_EXISTS ? IR_EXISTS
                                                : IR_COUNT;
  struct ir_domain *domain;
  ir_parser_advance(p);
  p->height = 0;
  struct ir_local *l = ir_parse_binder(p, false, &domain);
  uint32_t height = p->height;
  if (!l || !ir_parser_expect(p, LEX_LBRACE)) return NULL;
  VEC_PUSH(&p->scope, l);
  struct ir_expr *body = ir_parse_condition(p);
  p->scope.count--;
  if (!body || !ir_parser_expect(p, LEX_RBRACE) || !set_height(p, higher(height, p->height)))
    return NULL;
  return ir_quant(p->model, op, l, domain, body, ir_parser_since(p, start));
}

// --- operators ---

static struct ir_expr *parse_primary(struct ir_parser *p) {
  struct span start = p->token.span;
  struct ir_expr *e;
  p->height = 1;
  switch (p->token.kind) {
  case LEX_NUMBER: return parse_number(p, false, start);
  case LEX_TRUE: return ir_parser_advance(p), ir_bool(p->model, true, start);
  case LEX_FALSE: return ir_parser_advance(p), ir_bool(p->model, false, start);
  case LEX_NAME: return parse_name(p);
  case LEX_FORALL:
  case LEX_EXISTS:
  case LEX_COUNTOF: return parse_quantifier(p);
  case LEX_CAST:
  case LEX_ISMEMBER:
  case LEX_ISUNDEFINED: return parse_builtin(p);
  case LEX_LPAREN:
    ir_parser_advance(p);
    e = ir_parse_value(p);
    return ir_parser_expect(p, LEX_RPAREN) ? e : NULL;
  default: ir_parser_expected(p, "an expression"); return NULL;
  }
}

static struct ir_expr *parse_index(struct ir_parser *p, struct ir_expr *base, struct span start) {
  uint32_t height = p->height;
  ir_parser_advance(p);
  struct ir_expr *index = ir_parse_value(p);
  if (!index || !ir_parser_expect(p, LEX_RBRACKET)) return NULL;
  if (!set_height(p, higher(height, p->height))) return NULL;
  if (base->type->kind != IR_TYPE_ARRAY)
    return ir_parser_fail(p, base->span, "only an array has elements"), NULL;
  if (!ir_type_scalar(index->type))
    return ir_parser_fail(p, index->span, "an index must be scalar"), NULL;
  return ir_index(p->model, base, index, ir_parser_since(p, start));
}

static struct ir_expr *parse_field(struct ir_parser *p, struct ir_expr *base, struct span start) {
  ir_parser_advance(p);
  struct span span = p->token.span;
  const char *name = ir_parser_text(p, LEX_NAME);
  if (!name || !set_height(p, p->height)) return NULL;
  if (base->type->kind != IR_TYPE_RECORD)
    return ir_parser_fail(p, base->span, "only a record has fields"), NULL;
  for (uint32_t i = 0; i < base->type->field_count; i++)
    if (strcmp(base->type->fields[i].name, name) == 0)
      return ir_field(p->model, base, i, ir_parser_since(p, start));
  ir_parser_fail(p, span, "the record has no field \"%s\"", name);
  return NULL;
}

static struct ir_expr *parse_postfix(struct ir_parser *p) {
  struct span start = p->token.span;
  struct ir_expr *e = parse_primary(p);
  while (e && (p->token.kind == LEX_LBRACKET || p->token.kind == LEX_DOT)) {
    if (!e->type) return ir_parser_fail(p, e->span, "a procedure has no value"), NULL;
    e = p->token.kind == LEX_DOT ? parse_field(p, e, start) : parse_index(p, e, start);
  }
  if (e && !e->type) return ir_parser_fail(p, e->span, "a procedure has no value"), NULL;
  return e;
}

static struct ir_expr *parse_unary(struct ir_parser *p);

// "-5" is a constant; "-(5)" and "-x" are operations.
static struct ir_expr *parse_operation(struct ir_parser *p) {
  struct span start = p->token.span;
  enum ir_op op = p->token.kind == LEX_BANG    ? IR_NOT
                  : p->token.kind == LEX_MINUS ? IR_NEG
                                               : IR_BITNOT;
  ir_parser_advance(p);
  p->height = 1;
  if (op == IR_NEG && p->token.kind == LEX_NUMBER) return parse_number(p, true, start);
  struct ir_expr *a = parse_unary(p);
  if (!a || !set_height(p, p->height)) return NULL;
  const char *problem = ir_typing_unary(op, a->type);
  if (problem) return ir_parser_fail(p, a->span, "%s", problem), NULL;
  return ir_unary(p->model, op, a, ir_parser_since(p, start));
}

static struct ir_expr *parse_unary(struct ir_parser *p) {
  enum ir_lex_kind k = p->token.kind;
  if (k != LEX_BANG && k != LEX_MINUS && k != LEX_TILDE) return parse_postfix(p);
  if (!ir_parser_enter(p)) return NULL;
  struct ir_expr *e = parse_operation(p);
  p->depth--;
  return e;
}

static int find_operator(enum ir_lex_kind k) {
  for (int i = 0; i < OPERATOR_COUNT; i++)
    if (operators[i].token == k) return i;
  return -1;
}

static struct ir_expr *make_binary(struct ir_parser *p, int k, struct ir_expr *a, struct ir_expr *b,
                                   struct span at, struct span start) {
  const char *problem = ir_typing_binary(operators[k].op, a->type, b->type);
  if (problem) return ir_parser_fail(p, at, "%s", problem), NULL;
  return ir_binary(p->model, operators[k].op, a, b, ir_parser_since(p, start));
}

// Operators of at least this precedence: -> leans to the right, comparisons do not chain, all
// others lean to the left.
static struct ir_expr *parse_binary(struct ir_parser *p, int least) {
  struct span start = p->token.span;
  struct ir_expr *e = parse_unary(p);
  int most = INT32_MAX;
  for (int k; e && (k = find_operator(p->token.kind)) >= 0;) {
    int own = operators[k].precedence;
    struct span at = p->token.span;
    uint32_t height = p->height;
    if (own < least) break;
    if (own > most) return ir_parser_fail(p, at, "comparisons do not chain: use brackets"), NULL;
    ir_parser_advance(p);
    if (!ir_parser_enter(p)) return NULL;
    struct ir_expr *b = parse_binary(p, own == IMPLIES ? own : own + 1);
    p->depth--;
    if (!b || !set_height(p, higher(height, p->height))) return NULL;
    e = make_binary(p, k, e, b, at, start);
    most = own == COMPARE ? own - 1 : own;
  }
  return p->panic ? NULL : e;
}

// if c then a else b, if [T] c then a else b
static struct ir_expr *parse_ite(struct ir_parser *p) {
  struct span start = p->token.span;
  const struct ir_type *t = NULL;
  ir_parser_advance(p);
  if (ir_parser_accept(p, LEX_LBRACKET) &&
      (!(t = ir_parse_type(p)) || !ir_parser_expect(p, LEX_RBRACKET)))
    return NULL;
  struct ir_expr *c = ir_parse_condition(p);
  uint32_t height = p->height;
  if (!c || !ir_parser_expect(p, LEX_THEN)) return NULL;
  struct ir_expr *a = ir_parse_value(p);
  height = higher(height, p->height);
  if (!a || !ir_parser_expect(p, LEX_ELSE)) return NULL;
  struct ir_expr *b = ir_parse_value(p);
  if (!b || !set_height(p, higher(height, p->height))) return NULL;
  if (!t) t = a->type;
  const char *problem = ir_typing_value(t, a->type);
  if (!problem) problem = ir_typing_value(t, b->type);
  if (problem) return ir_parser_fail(p, b->span, "%s", problem), NULL;
  return ir_ite(p->model, c, a, b, t, ir_parser_since(p, start));
}

struct ir_expr *ir_parse_value(struct ir_parser *p) {
  if (!ir_parser_enter(p)) return NULL;
  struct ir_expr *e = p->token.kind == LEX_IF ? parse_ite(p) : parse_binary(p, IMPLIES);
  p->depth--;
  return p->panic ? NULL : e;
}

struct ir_expr *ir_parse_condition(struct ir_parser *p) {
  struct ir_expr *e = ir_parse_value(p);
  if (!e) return NULL;
  const char *problem = ir_typing_condition(e->type);
  if (problem) return ir_parser_fail(p, e->span, "%s", problem), NULL;
  return e;
}
