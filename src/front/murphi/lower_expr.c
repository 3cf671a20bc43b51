// SPDX-License-Identifier: Apache-2.0
// Expressions: resolved, type checked and lowered in one walk. Integers meet in the model's 64-bit
// type whatever their ranges; the places they go to check the range.
#include "front/murphi/lower.h"

#include <string.h>

struct ir_expr *murphi_skippable(struct lower *w, struct ast_expr *e) {
  w->conditional++;
  struct ir_expr *x = murphi_value(w, e);
  w->conditional--;
  return x;
}

struct ir_expr *murphi_condition(struct lower *w, struct ast_expr *e, const char *what) {
  struct ir_expr *x = murphi_value(w, e);
  if (!x || murphi_is_bool(x->type)) return x;
  murphi_error(w, e->span, "expected a boolean as %s, but this is %s", what,
               murphi_type_name(w, x->type));
  return NULL;
}

struct ir_expr *murphi_integer(struct lower *w, struct ast_expr *e, const char *what) {
  struct ir_expr *x = murphi_value(w, e);
  if (!x || murphi_is_integer(x->type)) return x;
  murphi_error(w, e->span, "expected an integer as %s, but this is %s", what,
               murphi_type_name(w, x->type));
  return NULL;
}

// --- designators ---

static struct ir_expr *local_expr(struct lower *w, struct ast_expr *e, const struct symbol *s) {
  if (!s->set) return ir_local_ref(w->m, s->local, e->span);
  murphi_error(w, e->span, "'%s' is a slot of %s and has no value; expected it as an index",
               e->name->ident->text, murphi_source_text(w, s->set->span));
  return NULL;
}

static struct ir_expr *name_expr(struct lower *w, struct ast_expr *e) {
  struct symbol *s = murphi_lookup(w, e->name, "a value");
  if (!s) return NULL;
  switch (s->kind) {
  case SYMBOL_CONST: return ir_const(w->m, s->type, s->value, e->span);
  case SYMBOL_VAR: return ir_var_ref(w->m, s->var, e->span);
  case SYMBOL_LOCAL: return local_expr(w, e, s);
  case SYMBOL_ALIAS: w->weight += s->weight; return s->expr;
  case SYMBOL_WRONG: return NULL;
  case SYMBOL_TYPE:
    murphi_error(w, e->span, "'%s' is a type; expected a value", e->name->ident->text);
    return NULL;
  case SYMBOL_FUNCTION:
    murphi_error(w, e->span, "'%s' is a function; expected '%s(...)' to call it",
                 e->name->ident->text, e->name->ident->text);
    return NULL;
  }
  return NULL;
}

static struct ir_expr *index_expr(struct lower *w, struct ast_expr *e) {
  struct ir_expr *base = murphi_value(w, e->left);
  if (base && murphi_is_multiset(w, base->type)) {
    struct ir_expr *slot = murphi_slot_of(w, e->right, base);
    return slot ? murphi_slot_elem(w, base, slot, e->span) : NULL;
  }
  if (!base && murphi_is_slot(e->right)) return NULL;
  struct ir_expr *index = murphi_value(w, e->right);
  if (!base || !index) return NULL;
  if (base->type->kind != IR_TYPE_ARRAY) {
    murphi_error(w, e->left->span, "expected an array before '[', but this is %s",
                 murphi_type_name(w, base->type));
    return NULL;
  }
  if (!murphi_compatible(index->type, base->type->index)) {
    murphi_error(w, e->right->span, "expected %s as the index, but this is %s",
                 murphi_type_name(w, base->type->index), murphi_type_name(w, index->type));
    return NULL;
  }
  return ir_index(w->m, base, index, e->span);
}

static const char *nearest_field(const struct ir_type *t, const char *name) {
  const char **names = mem_alloc(sizeof(*names) * (t->field_count + 1));
  for (uint32_t i = 0; i < t->field_count; i++) names[i] = t->fields[i].name;
  const char *best = name_nearest(name, names, t->field_count);
  mem_free(names);
  return best;
}

static struct ir_expr *field_expr(struct lower *w, struct ast_expr *e) {
  struct ir_expr *base = murphi_value(w, e->left);
  if (!base) return NULL;
  const char *name = e->name->ident->text;
  if (base->type->kind != IR_TYPE_RECORD) {
    murphi_error(w, e->left->span, "expected a record before '.%s', but this is %s", name,
                 murphi_type_name(w, base->type));
    return NULL;
  }
  for (uint32_t i = 0; i < base->type->field_count; i++)
    if (strcmp(base->type->fields[i].name, name) == 0) return ir_field(w->m, base, i, e->span);
  const char *best = nearest_field(base->type, name);
  murphi_error(w, e->name->span,
               best ? "the record has no field '%s'; did you mean '%s'?"
                    : "the record has no field '%s'; expected one of its fields",
               name, best);
  return NULL;
}

bool murphi_fixed(const struct ast_expr *e) {
  while (e->kind == AST_INDEX || e->kind == AST_FIELD) e = e->left;
  if (e->kind != AST_ID) return true;
  const struct symbol *s = e->name->ident->symbol;
  if (!s) return true;
  if (s->kind == SYMBOL_VAR) return false;
  if (s->kind == SYMBOL_ALIAS) return s->fixed;
  return s->kind != SYMBOL_LOCAL ||
         (s->local->kind != IR_LOCAL_PLAIN && s->local->kind != IR_LOCAL_REF);
}

bool murphi_writable(struct lower *w, struct ast_expr *e) {
  if (!murphi_fixed(e)) return true;
  struct ast_expr *root = e;
  while (root->kind == AST_INDEX || root->kind == AST_FIELD) root = root->left;
  const struct symbol *s = root->kind == AST_ID ? root->name->ident->symbol : NULL;
  if (s && s->kind == SYMBOL_WRONG) return false;
  const char *why = "this is a value";
  if (s && s->kind == SYMBOL_CONST) why = "this is a constant";
  if (s && s->kind == SYMBOL_ALIAS) why = "this alias stands for a value";
  if (s && s->kind == SYMBOL_LOCAL && s->local->kind == IR_LOCAL_BOUND)
    why = "the variable of a ruleset, loop, quantifier or choose cannot be changed";
  if (s && s->kind == SYMBOL_LOCAL && s->local->kind == IR_LOCAL_VALUE)
    why = "this parameter is passed by value: declare it var to change it";
  murphi_error(w, e->span, "expected a variable that can be changed, but %s", why);
  return false;
}

// --- operators ---

static const enum ir_op operators[] = {
    [AST_NOT] = IR_NOT,         [AST_NEG] = IR_NEG, [AST_BITNOT] = IR_BITNOT, [AST_AND] = IR_AND,
    [AST_OR] = IR_OR,           [AST_AMP] = IR_AND, [AST_PIPE] = IR_OR,       [AST_XOR] = IR_BITXOR,
    [AST_IMPLIES] = IR_IMPLIES, [AST_EQ] = IR_EQ,   [AST_NE] = IR_NE,         [AST_LT] = IR_LT,
    [AST_LE] = IR_LE,           [AST_GT] = IR_GT,   [AST_GE] = IR_GE,         [AST_SHL] = IR_SHL,
    [AST_SHR] = IR_SHR,         [AST_ADD] = IR_ADD, [AST_SUB] = IR_SUB,       [AST_MUL] = IR_MUL,
    [AST_DIV] = IR_DIV,         [AST_MOD] = IR_MOD,
};

static const char *const spellings[] = {
    [AST_NOT] = "!", [AST_NEG] = "-",  [AST_PLUS] = "+", [AST_BITNOT] = "~", [AST_AND] = "&&",
    [AST_OR] = "||", [AST_AMP] = "&",  [AST_PIPE] = "|", [AST_XOR] = "^",    [AST_IMPLIES] = "->",
    [AST_EQ] = "=",  [AST_NE] = "!=",  [AST_LT] = "<",   [AST_LE] = "<=",    [AST_GT] = ">",
    [AST_GE] = ">=", [AST_SHL] = "<<", [AST_SHR] = ">>", [AST_ADD] = "+",    [AST_SUB] = "-",
    [AST_MUL] = "*", [AST_DIV] = "/",  [AST_MOD] = "%",
};

static bool operand(struct lower *w, const struct ast_expr *e, const struct ir_expr *x,
                    enum ast_op op, bool boolean) {
  if (boolean ? murphi_is_bool(x->type) : murphi_is_integer(x->type)) return true;
  murphi_error(w, e->span, "expected %s as an operand of '%s', but this is %s",
               boolean ? "a boolean" : "an integer", spellings[op], murphi_type_name(w, x->type));
  return false;
}

static struct ir_expr *unary_expr(struct lower *w, struct ast_expr *e) {
  struct ir_expr *a = murphi_value(w, e->left);
  if (!a || !operand(w, e->left, a, e->op, e->op == AST_NOT)) return NULL;
  return e->op == AST_PLUS ? a : ir_unary(w->m, operators[e->op], a, e->span);
}

static bool is_logic(enum ast_op op) {
  return op == AST_AND || op == AST_OR || op == AST_AMP || op == AST_PIPE;
}

// And and or of a whole chain become a balanced tree, which keeps the order of evaluation and the
// depth small however long the chain is.
static struct ir_expr *balanced(struct lower *w, enum ir_op op, struct ir_expr **x, size_t n) {
  if (n == 1) return x[0];
  struct ir_expr *a = balanced(w, op, x, n / 2), *b = balanced(w, op, x + n / 2, n - n / 2);
  struct span span = a->span;
  span.end_line = b->span.end_line;
  span.end_column = b->span.end_column;
  return ir_binary(w->m, op, a, b, span);
}

// The operands of a op b op c ..., as the parser nested them to the left.
struct operands {
  VEC(struct ast_expr *) ast;
  VEC(struct ir_expr *) ir;
};

static bool logic_operands(struct lower *w, struct operands *o, enum ast_op op, bool boolean) {
  bool ok = true;
  for (size_t i = 1; i < o->ast.count; i++) {
    struct ast_expr *e = o->ast.data[i];
    struct ir_expr *x = boolean ? murphi_skippable(w, e) : murphi_value(w, e);
    ok = x && operand(w, e, x, op, boolean) && ok;
    VEC_PUSH(&o->ir, x);
  }
  return ok;
}

static struct ir_expr *logic_tree(struct lower *w, struct ast_expr *e, struct operands *o) {
  struct ast_expr *spine = e;
  for (; spine->kind == AST_BINARY && spine->op == e->op; spine = spine->left)
    VEC_PUSH(&o->ast, spine->right);
  VEC_PUSH(&o->ast, spine);
  for (size_t i = 0, j = o->ast.count - 1; i < j; i++, j--) {
    struct ast_expr *swap = o->ast.data[i];
    o->ast.data[i] = o->ast.data[j];
    o->ast.data[j] = swap;
  }
  struct ir_expr *first = murphi_value(w, o->ast.data[0]);
  VEC_PUSH(&o->ir, first);
  bool bitwise = first && murphi_is_integer(first->type) && (e->op == AST_AMP || e->op == AST_PIPE);
  bool ok = first && (bitwise || operand(w, o->ast.data[0], first, e->op, true));
  if (!first || !logic_operands(w, o, e->op, !bitwise) || !ok) return NULL;
  enum ir_op op = operators[e->op];
  if (bitwise) op = op == IR_AND ? IR_BITAND : IR_BITOR;
  return balanced(w, op, o->ir.data, o->ir.count);
}

static struct ir_expr *logic_expr(struct lower *w, struct ast_expr *e) {
  struct operands o = {0};
  struct ir_expr *x = logic_tree(w, e, &o);
  VEC_CLEAR(&o.ast);
  VEC_CLEAR(&o.ir);
  return x;
}

static struct ir_expr *equality(struct lower *w, struct ast_expr *e, struct ir_expr *a,
                                struct ir_expr *b) {
  if (murphi_has_multiset(w, a->type) || murphi_has_multiset(w, b->type)) {
    murphi_error(w, e->span, "multisets cannot be compared; expected scalars, arrays or records");
    return NULL;
  }
  if (murphi_compatible(a->type, b->type)) return ir_binary(w->m, operators[e->op], a, b, e->span);
  murphi_error(w, e->span, "'%s' compares values of one type, but these are %s and %s",
               spellings[e->op], murphi_type_name(w, a->type), murphi_type_name(w, b->type));
  return NULL;
}

// Two slots of one multiset.
static struct ir_expr *slot_equality(struct lower *w, struct ast_expr *e) {
  const struct symbol *left = e->left->name->ident->symbol;
  struct ir_expr *b = murphi_slot_of(w, e->right, left->set);
  if (!b) return NULL;
  struct ir_expr *a = ir_local_ref(w->m, left->local, e->left->span);
  return ir_binary(w->m, operators[e->op], a, b, e->span);
}

static struct ir_expr *binary_expr(struct lower *w, struct ast_expr *e) {
  if (is_logic(e->op)) return logic_expr(w, e);
  bool implies = e->op == AST_IMPLIES, equal = e->op == AST_EQ || e->op == AST_NE;
  if (equal && murphi_is_slot(e->left) && murphi_is_slot(e->right)) return slot_equality(w, e);
  struct ir_expr *a = murphi_value(w, e->left);
  struct ir_expr *b = implies ? murphi_skippable(w, e->right) : murphi_value(w, e->right);
  if (!a || !b) return NULL;
  if (equal) return equality(w, e, a, b);
  bool ok = operand(w, e->left, a, e->op, implies);
  ok &= operand(w, e->right, b, e->op, implies);
  return ok ? ir_binary(w->m, operators[e->op], a, b, e->span) : NULL;
}

static const struct ir_type *common_type(struct lower *w, const struct ir_type *a,
                                         const struct ir_type *b) {
  if (ir_type_same(a, b)) return a;
  if (murphi_is_integer(a)) return w->m->int_type;
  return murphi_contained(a, b) ? b : a;
}

static struct ir_expr *ternary_expr(struct lower *w, struct ast_expr *e) {
  struct ir_expr *c = murphi_condition(w, e->left, "the condition of '?'");
  struct ir_expr *a = murphi_skippable(w, e->right), *b = murphi_skippable(w, e->third);
  if (!c || !a || !b) return NULL;
  if (!murphi_compatible(a->type, b->type)) {
    murphi_error(w, e->span, "expected two values of one type round ':', but these are %s and %s",
                 murphi_type_name(w, a->type), murphi_type_name(w, b->type));
    return NULL;
  }
  return ir_ite(w->m, c, a, b, common_type(w, a->type, b->type), e->span);
}

// --- quantifiers and predicates ---

static struct ir_expr *quantified(struct lower *w, struct ast_expr *e, struct ast_quant *q) {
  if (!q)
    return murphi_condition(w, e->left,
                            e->kind == AST_FORALL ? "the body of forall" : "the body of exists");
  if (!murphi_enter(w, q->span)) return NULL;
  struct ir_domain *d = NULL;
  murphi_scope_open(w);
  struct ir_local *l = murphi_quant(w, q, false, &d);
  w->conditional++;
  struct ir_expr *body = quantified(w, e, q->next);
  w->conditional--;
  murphi_scope_close(w);
  murphi_leave(w);
  if (!l || !body) return NULL;
  return ir_quant(w->m, e->kind == AST_FORALL ? IR_FORALL : IR_EXISTS, l, d, body, e->span);
}

static struct ir_expr *isundefined_expr(struct lower *w, struct ast_expr *e) {
  struct ir_expr *x = murphi_value(w, e->left);
  if (!x) return NULL;
  if (ir_expr_lvalue(x) && ir_type_scalar(x->type)) return ir_isundef(w->m, x, e->span);
  murphi_error(w, e->left->span, "isundefined expects a variable that holds one scalar");
  return NULL;
}

static struct ir_expr *ismember_expr(struct lower *w, struct ast_expr *e) {
  struct ir_expr *x = murphi_value(w, e->left);
  const struct ir_type *t = murphi_type(w, e->type);
  if (!x || !t) return NULL;
  if (ir_type_scalar(x->type) && ir_type_scalar(t) && murphi_compatible(x->type, t))
    return ir_ismember(w->m, x, t, e->span);
  murphi_error(w, e->span, "ismember expects a type that %s may belong to",
               murphi_type_name(w, x->type));
  return NULL;
}

static struct ir_expr *dispatch(struct lower *w, struct ast_expr *e) {
  switch (e->kind) {
  case AST_ID: return name_expr(w, e);
  case AST_NUMBER: return ir_int(w->m, e->value, e->span);
  case AST_INDEX: return index_expr(w, e);
  case AST_FIELD: return field_expr(w, e);
  case AST_CALL: return murphi_call(w, e, false);
  case AST_UNARY: return unary_expr(w, e);
  case AST_BINARY: return binary_expr(w, e);
  case AST_TERNARY: return ternary_expr(w, e);
  case AST_FORALL:
  case AST_EXISTS: return quantified(w, e, e->quants);
  case AST_ISUNDEFINED: return isundefined_expr(w, e);
  case AST_ISMEMBER: return ismember_expr(w, e);
  case AST_MULTISETCOUNT: return murphi_multiset_count(w, e);
  }
  return NULL;
}

struct ir_expr *murphi_value(struct lower *w, struct ast_expr *e) {
  if (!murphi_enter(w, e->span)) return NULL;
  struct ir_expr *x = dispatch(w, e);
  murphi_leave(w);
  return x;
}
