// SPDX-License-Identifier: Apache-2.0
// Statements and expressions as SPIN prints them in its traces and in the graphs of `pan -d`.
#include "front/promela/ast.h"

#include <inttypes.h>

static const char *binary_sign(enum ast_op op) {
  static const char *const signs[] = {
      [AST_ADD] = "+",
      [AST_SUB] = "-",
      [AST_MUL] = "*",
      [AST_DIV] = "/",
      [AST_MOD] = "%",
      [AST_BITAND] = "&",
      [AST_BITOR] = "|",
      [AST_BITXOR] = "^",
      [AST_SHL] = "<<",
      [AST_SHR] = ">>",
      [AST_LT] = "<",
      [AST_LE] = "<=",
      [AST_GT] = ">",
      [AST_GE] = ">=",
      [AST_EQ] = "==",
      [AST_NE] = "!=",
      [AST_AND] = "&&",
      [AST_OR] = "||",
      [AST_LTL_UNTIL] = " U ",
      [AST_LTL_RELEASE] = " V ",
      [AST_LTL_WEAK] = " W ",
      [AST_LTL_IMPLIES] = " -> ",
      [AST_LTL_EQUIV] = " <-> ",
  };
  return (size_t)op < sizeof signs / sizeof *signs ? signs[op] : NULL;
}

// f( x ), for operators of one argument.
static const char *call_name(enum ast_op op) {
  switch (op) {
  case AST_NOT: return "!(";
  case AST_NEG: return "-(";
  case AST_BITNOT: return "~(";
  case AST_LEN: return "len(";
  case AST_FULL: return "full(";
  case AST_NFULL: return "nfull(";
  case AST_EMPTY: return "empty(";
  case AST_NEMPTY: return "nempty(";
  case AST_EVAL: return "eval(";
  case AST_ENABLED: return "enabled(";
  case AST_PC_VALUE: return "pc_value(";
  case AST_GET_PRIORITY: return "get_priority(";
  case AST_LTL_NEXT: return "X (";
  case AST_LTL_ALWAYS: return "[] (";
  case AST_LTL_EVENTUALLY: return "<> (";
  default: return NULL;
  }
}

static void print_list(struct text *out, struct ast_expr *const *args, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (i) text_char(out, ',');
    ast_print_expr(out, args[i]);
  }
}

static void print_ref(struct text *out, const struct ast_expr *e) {
  text_add(out, e->name);
  if (e->args[0]) {
    text_char(out, '[');
    ast_print_expr(out, e->args[0]);
    text_char(out, ']');
  }
  if (e->args[1]) {
    text_char(out, '.');
    print_ref(out, e->args[1]);
  }
}

static void print_remote(struct text *out, const struct ast_expr *e) {
  text_printf(out, "%s%s", e->op == AST_REMOTE_LAB ? "(" : "", e->name);
  if (e->args[0]) {
    text_char(out, '[');
    ast_print_expr(out, e->args[0]);
    text_char(out, ']');
  }
  if (e->op == AST_REMOTE_LAB) {
    text_printf(out, "._p==%s)", e->label);
  } else {
    text_char(out, '.');
    print_ref(out, e->args[1]);
  }
}

static void print_cond(struct text *out, const struct ast_expr *e) {
  static const char *const before[] = {"( (", ") -> (", ") : ("};
  for (int i = 0; i < 3; i++) {
    text_add(out, before[i]);
    ast_print_expr(out, e->args[i]);
  }
  text_add(out, ") )");
}

// As written, but quotes are apostrophes.
static void print_string(struct text *out, const char *s) {
  text_char(out, '\'');
  for (; *s; s++) text_char(out, *s == '"' ? '\'' : *s);
  text_char(out, '\'');
}

#define C_SHOWN 60 // characters

// C text on one line, cut short.
static void print_c(struct text *out, const char *keyword, const char *c) {
  text_printf(out, "%s {", keyword);
  size_t begin = out->count;
  for (bool blank = false; *c && out->count - begin < C_SHOWN; c++) {
    bool is_blank = *c == ' ' || *c == '\t' || *c == '\n';
    if (!is_blank || !blank) text_char(out, is_blank ? ' ' : *c);
    blank = is_blank;
  }
  text_add(out, *c ? "... }" : "}");
}

static void print_other(struct text *out, const struct ast_expr *e) {
  switch (e->op) {
  case AST_CONST:
    if (e->name)
      text_add(out, e->name);
    else
      text_printf(out, "%" PRId64, e->value);
    break;
  case AST_STRING: print_string(out, e->name); break;
  case AST_REF: print_ref(out, e); break;
  case AST_COND: print_cond(out, e); break;
  case AST_RUN:
    text_printf(out, "run %s(", e->name);
    print_list(out, e->args, e->arg_count);
    text_char(out, ')');
    break;
  case AST_POLL:
    ast_print_expr(out, e->args[0]);
    text_add(out, e->random ? "??[" : "?[");
    print_list(out, e->args + 1, e->arg_count - 1);
    text_char(out, ']');
    break;
  case AST_TIMEOUT: text_add(out, "timeout"); break;
  case AST_NP: text_add(out, "np_"); break;
  case AST_REMOTE_LAB:
  case AST_REMOTE_VAR: print_remote(out, e); break;
  case AST_C_EXPR: print_c(out, "c_expr", e->name); break;
  default: assert(!"every operator has its form");
  }
}

void ast_print_expr(struct text *out, const struct ast_expr *e) {
  const char *sign = binary_sign(e->op), *call = call_name(e->op);
  if (sign) {
    text_char(out, '(');
    ast_print_expr(out, e->args[0]);
    text_add(out, sign);
    ast_print_expr(out, e->args[1]);
    text_char(out, ')');
  } else if (call) {
    text_add(out, call);
    ast_print_expr(out, e->args[0]);
    text_char(out, ')');
  } else {
    print_other(out, e);
  }
}

static void print_call(struct text *out, const char *name, const struct ast_expr *e,
                       const char *end) {
  text_add(out, name);
  ast_print_expr(out, e);
  text_add(out, end);
}

static void print_message(struct text *out, const struct ast_stmt *s) {
  ast_print_expr(out, s->lhs);
  if (s->kind == AST_SEND)
    text_add(out, s->sorted ? "!!" : "!");
  else
    text_printf(out, "%s%s", s->random ? "??" : "?", s->keep ? "<" : "");
  print_list(out, s->args, s->arg_count);
  if (s->keep) text_char(out, '>');
}

static void print_simple(struct text *out, const struct ast_stmt *s) {
  switch (s->kind) {
  case AST_EXPR: print_call(out, "(", s->expr, ")"); break;
  case AST_ASSIGN:
    ast_print_expr(out, s->lhs);
    print_call(out, " = ", s->expr, "");
    break;
  case AST_SEND:
  case AST_RECEIVE: print_message(out, s); break;
  case AST_ASSERT: print_call(out, "assert(", s->expr, ")"); break;
  case AST_PRINTF:
    text_add(out, "printf(");
    print_list(out, s->args, s->arg_count);
    text_char(out, ')');
    break;
  case AST_PRINTM: print_call(out, "printm(", s->expr, ")"); break;
  case AST_SET_PRIORITY:
    print_call(out, "set_priority(", s->args[0], ", ");
    print_call(out, "", s->args[1], ")");
    break;
  case AST_C_CODE: print_c(out, "c_code", s->name); break;
  case AST_GOTO: text_printf(out, "goto %s", s->name); break;
  default: assert(!"every statement has its form");
  }
}

void ast_print_stmt(struct text *out, const struct ast_stmt *s) {
  static const char *const words[] = {
      [AST_DECLS] = "declaration",
      [AST_ELSE] = "else",
      [AST_BREAK] = "break",
      [AST_IF] = "IF",
      [AST_DO] = "DO",
      [AST_ATOMIC] = "ATOMIC",
      [AST_BLOCK] = "sub-sequence",
      [AST_UNLESS] = "unless",
      [AST_FOR] = "for",
      [AST_SELECT] = "select",
      [AST_XR] = "xr",
      [AST_RETURN] = "return",
  };
  if (s->kind == AST_LABEL && s->body)
    ast_print_stmt(out, s->body);
  else if (s->kind == AST_LABEL)
    text_add(out, "(1)");
  else if (s->kind == AST_D_STEP)
    text_printf(out, "D_STEP%u", s->span.line);
  else if ((size_t)s->kind < sizeof words / sizeof *words && words[s->kind])
    text_add(out, words[s->kind]);
  else
    print_simple(out, s);
}
