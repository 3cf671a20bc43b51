// SPDX-License-Identifier: Apache-2.0
// Prints types and expressions of the IR in its text form (docs/ir.md). Parentheses appear only
// where the tree would otherwise parse to another shape.
#include "ir/print.h"

#include "ir/lex.h"

#include <inttypes.h>
#include <string.h>

// --- types ---

static void print_name(struct ir_printer *p, const char *name) {
  if (p->model)
    ir_lex_print_name(p->out, name);
  else
    text_add(p->out, name);
}

static void print_machine(struct ir_printer *p, const struct ir_type *t) {
  text_printf(p->out, "%c%d%s", t->is_signed ? 'i' : 'u', t->bits, t->traps ? "!" : "");
}

void ir_printer_type_body(struct ir_printer *p, const struct ir_type *t) {
  struct text *out = p->out;
  switch (t->kind) {
  case IR_TYPE_BOOL: text_add(out, "bool"); break;
  case IR_TYPE_INT: print_machine(p, t); break;
  case IR_TYPE_RANGE: text_printf(out, "%" PRId64 "..%" PRId64, t->lo, t->hi); break;
  case IR_TYPE_SCALARSET:
    text_printf(out, "scalarset(%" PRId64 ")", t->hi - t->lo + 1);
    if (t->lo) text_printf(out, " from %" PRId64, t->lo);
    break;
  case IR_TYPE_ENUM:
    for (int64_t i = 0; i <= t->hi - t->lo; i++) {
      text_add(out, i ? ", " : "enum {");
      print_name(p, t->members[i]);
    }
    text_add(out, "}");
    if (t->lo) text_printf(out, " from %" PRId64, t->lo);
    break;
  case IR_TYPE_UNION:
    for (uint32_t i = 0; i < t->part_count; i++) {
      text_add(out, i ? ", " : "union {");
      ir_printer_type(p, t->parts[i]);
    }
    text_add(out, "}");
    break;
  case IR_TYPE_ARRAY:
    text_add(out, "array [");
    ir_printer_type(p, t->index);
    text_add(out, "] of ");
    ir_printer_type(p, t->elem);
    break;
  case IR_TYPE_RECORD:
    text_add(out, "record {");
    for (uint32_t i = 0; i < t->field_count; i++) {
      text_add(out, " ");
      print_name(p, t->fields[i].name);
      text_add(out, " : ");
      ir_printer_type(p, t->fields[i].type);
      text_add(out, ";");
    }
    text_add(out, " }");
    break;
  }
}

// Is this the model's own integer, i64! without a name of its own?
static bool plain_int(const struct ir_printer *p, const struct ir_type *t) {
  if (t->kind != IR_TYPE_INT) return false;
  if (p->model && t == p->model->int_type) return true;
  return t->bits == 64 && t->is_signed && t->traps && (!p->model || !t->name);
}

void ir_printer_type(struct ir_printer *p, const struct ir_type *t) {
  if (t->kind == IR_TYPE_BOOL)
    text_add(p->out, "bool");
  else if (plain_int(p, t))
    text_add(p->out, "int");
  else if (p->model ? p->type_names[t->id] : t->name)
    text_add(p->out, p->model ? p->type_names[t->id] : t->name);
  else
    ir_printer_type_body(p, t);
}

// --- constants ---

static const char *member_name(const struct ir_type *t, int64_t v) {
  if (t->kind == IR_TYPE_ENUM) return ir_type_has(t, v) ? t->members[v - t->lo] : NULL;
  if (t->kind != IR_TYPE_UNION) return NULL;
  for (uint32_t i = 0; i < t->part_count; i++) {
    const char *name = member_name(t->parts[i], v);
    if (name) return name;
  }
  return NULL;
}

static void print_const(struct ir_printer *p, const struct ir_type *t, int64_t v) {
  if (!p->model) {
    ir_type_print_value(p->out, t, v);
    return;
  }
  const char *name = member_name(t, v);
  bool plain = plain_int(p, t);
  if (t->kind == IR_TYPE_BOOL && (v == 0 || v == 1)) {
    text_add(p->out, v ? "true" : "false");
    return;
  }
  if (name) {
    ir_lex_print_name(p->out, name);
    plain = ir_names_get(&p->globals, name) == t;
  } else if (t->kind == IR_TYPE_INT && !t->is_signed) {
    text_printf(p->out, "%" PRIu64, (uint64_t)v);
  } else {
    text_printf(p->out, "%" PRId64, v);
  }
  if (plain) return;
  text_add(p->out, ":");
  ir_printer_type(p, t);
}

// --- expressions ---

enum precedence { // of the outermost operator; the higher binds the tighter
  PREC_ITE,
  PREC_IMPLIES,
  PREC_OR,
  PREC_AND,
  PREC_COMPARE,
  PREC_BITOR,
  PREC_BITXOR,
  PREC_BITAND,
  PREC_SHIFT,
  PREC_ADD,
  PREC_MUL,
  PREC_UNARY,
  PREC_PRIMARY,
};

static const struct {
  const char *text;
  enum precedence precedence;
} operators[IR_OP_COUNT] = {
    [IR_IMPLIES] = {"->", PREC_IMPLIES}, [IR_OR] = {"|", PREC_OR},
    [IR_AND] = {"&", PREC_AND},          [IR_EQ] = {"=", PREC_COMPARE},
    [IR_NE] = {"!=", PREC_COMPARE},      [IR_LT] = {"<", PREC_COMPARE},
    [IR_LE] = {"<=", PREC_COMPARE},      [IR_GT] = {">", PREC_COMPARE},
    [IR_GE] = {">=", PREC_COMPARE},      [IR_BITOR] = {"bor", PREC_BITOR},
    [IR_BITXOR] = {"bxor", PREC_BITXOR}, [IR_BITAND] = {"band", PREC_BITAND},
    [IR_SHL] = {"<<", PREC_SHIFT},       [IR_SHR] = {">>", PREC_SHIFT},
    [IR_ADD] = {"+", PREC_ADD},          [IR_SUB] = {"-", PREC_ADD},
    [IR_MUL] = {"*", PREC_MUL},          [IR_DIV] = {"/", PREC_MUL},
    [IR_MOD] = {"%", PREC_MUL},          [IR_NOT] = {"!", PREC_UNARY},
    [IR_NEG] = {"-", PREC_UNARY},        [IR_BITNOT] = {"~", PREC_UNARY},
    [IR_ITE] = {"if", PREC_ITE},
};

static enum precedence precedence_of(const struct ir_expr *e) {
  if (operators[e->op].text) return operators[e->op].precedence;
  return PREC_PRIMARY;
}

static void print_expr(struct ir_printer *p, const struct ir_expr *e, enum precedence least) {
  bool paren = precedence_of(e) < least;
  if (paren) text_char(p->out, '(');
  ir_printer_expr(p, e);
  if (paren) text_char(p->out, ')');
}

static void print_binary(struct ir_printer *p, const struct ir_expr *e) {
  enum precedence own = precedence_of(e);
  bool left = own != PREC_IMPLIES && own != PREC_COMPARE, right = own == PREC_IMPLIES;
  print_expr(p, e->args[0], left ? own : own + 1);
  text_printf(p->out, " %s ", operators[e->op].text);
  print_expr(p, e->args[1], right ? own : own + 1);
}

// The operand of a minus is bracketed unless it is a name: "-5" is a constant.
static void print_unary(struct ir_printer *p, const struct ir_expr *e) {
  text_add(p->out, operators[e->op].text);
  bool tight = e->args[0]->op == IR_CONST && e->op != IR_NOT;
  print_expr(p, e->args[0], tight ? PREC_PRIMARY + 1 : PREC_PRIMARY);
}

static void print_ite(struct ir_printer *p, const struct ir_expr *e) {
  text_add(p->out, "if ");
  if (p->model && !ir_type_same(e->type, e->args[1]->type)) {
    text_add(p->out, "[");
    ir_printer_type(p, e->type);
    text_add(p->out, "] ");
  }
  ir_printer_expr(p, e->args[0]);
  text_add(p->out, " then ");
  ir_printer_expr(p, e->args[1]);
  text_add(p->out, " else ");
  ir_printer_expr(p, e->args[2]);
}

static void print_args(struct ir_printer *p, const struct ir_expr *e) {
  for (uint32_t i = 0; i < e->arg_count; i++) {
    if (i) text_add(p->out, ", ");
    ir_printer_expr(p, e->args[i]);
  }
}

// name(args...) or name(args..., type)
static void print_function(struct ir_printer *p, const char *name, const struct ir_expr *e,
                           const struct ir_type *t) {
  text_printf(p->out, "%s(", name);
  print_args(p, e);
  if (t) {
    text_add(p->out, ", ");
    ir_printer_type(p, t);
  }
  text_add(p->out, ")");
}

static bool type_prints_same(struct ir_printer *p, const struct ir_type *a,
                             const struct ir_type *b) {
  if (a == b) return true;
  struct text one = {0}, two = {0}, *out = p->out;
  p->out = &one;
  ir_printer_type(p, a);
  p->out = &two;
  ir_printer_type(p, b);
  p->out = out;
  bool same = strcmp(text_str(&one), text_str(&two)) == 0;
  text_clear(&one);
  text_clear(&two);
  return same;
}

void ir_printer_local(struct ir_printer *p, const struct ir_local *l) {
  print_name(p, p->model ? p->local_names[l->id] : l->name);
}

void ir_printer_binder(struct ir_printer *p, const struct ir_local *l, const struct ir_domain *d) {
  ir_printer_local(p, l);
  text_add(p->out, " : ");
  ir_printer_type(p, l->type);
  if (!d) return;
  if (d->type) {
    if (type_prints_same(p, d->type, l->type)) return;
    text_add(p->out, " in type ");
    ir_printer_type(p, d->type);
    return;
  }
  text_add(p->out, " in ");
  ir_printer_expr(p, d->lo);
  text_add(p->out, " to ");
  ir_printer_expr(p, d->hi);
  if (!d->step) return;
  text_add(p->out, " by ");
  ir_printer_expr(p, d->step);
}

static void print_quant(struct ir_printer *p, const struct ir_expr *e) {
  text_printf(p->out, "%s ",
              e->op == IR_FORALL   ? "forall"
              : e->op == IR_EXISTS ? "exists"
                                   : "countof");
  ir_printer_bind(p, e->local);
  ir_printer_binder(p, e->local, e->domain);
  text_add(p->out, " { ");
  ir_printer_expr(p, e->args[0]);
  text_add(p->out, " }");
  ir_printer_unbind(p);
}

static void print_call(struct ir_printer *p, const struct ir_expr *e) {
  print_name(p, p->model ? p->function_names[e->func->id] : e->func->name);
  print_function(p, "", e, NULL);
}

void ir_printer_expr(struct ir_printer *p, const struct ir_expr *e) {
  switch (e->op) {
  case IR_CONST: print_const(p, e->type, e->value); break;
  case IR_VAR: print_name(p, p->model ? p->var_names[e->var->id] : e->var->name); break;
  case IR_LOCAL: ir_printer_local(p, e->local); break;
  case IR_INDEX:
    print_expr(p, e->args[0], PREC_PRIMARY);
    text_add(p->out, "[");
    ir_printer_expr(p, e->args[1]);
    text_add(p->out, "]");
    break;
  case IR_FIELD:
    print_expr(p, e->args[0], PREC_PRIMARY);
    text_add(p->out, ".");
    print_name(p, e->args[0]->type->fields[e->field].name);
    break;
  case IR_NOT:
  case IR_NEG:
  case IR_BITNOT: print_unary(p, e); break;
  case IR_ITE: print_ite(p, e); break;
  case IR_CAST: print_function(p, "cast", e, e->type); break;
  case IR_CALL: print_call(p, e); break;
  case IR_ISUNDEF: print_function(p, "isundefined", e, NULL); break;
  case IR_ISMEMBER: print_function(p, "ismember", e, e->test); break;
  case IR_FORALL:
  case IR_EXISTS:
  case IR_COUNT: print_quant(p, e); break;
  default: print_binary(p, e); break;
  }
}

void ir_print_expr(struct text *out, const struct ir_expr *e) {
  struct ir_printer p = {.out = out};
  ir_printer_expr(&p, e);
}
