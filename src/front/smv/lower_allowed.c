// SPDX-License-Identifier: Apache-2.0
// What may stand where: next, inputs, running and temporal operators each have their places.
#include "front/smv/lower.h"

static const char *const operators[] = {
    [SMV_NUMBER] = "a number",
    [SMV_TRUE] = "TRUE",
    [SMV_FALSE] = "FALSE",
    [SMV_WORD] = "a word",
    [SMV_NAME] = "a name",
    [SMV_SYMBOL] = "a name",
    [SMV_SELF] = "self",
    [SMV_INDEX] = "[]",
    [SMV_RANGE] = "..",
    [SMV_SET] = "{}",
    [SMV_BITS] = "[:]",
    [SMV_NOT] = "!",
    [SMV_MINUS] = "-",
    [SMV_AND] = "&",
    [SMV_OR] = "|",
    [SMV_XOR] = "xor",
    [SMV_XNOR] = "xnor",
    [SMV_IMPLIES] = "->",
    [SMV_IFF] = "<->",
    [SMV_EQ] = "=",
    [SMV_NE] = "!=",
    [SMV_LT] = "<",
    [SMV_LE] = "<=",
    [SMV_GT] = ">",
    [SMV_GE] = ">=",
    [SMV_ADD] = "+",
    [SMV_SUB] = "-",
    [SMV_MUL] = "*",
    [SMV_DIV] = "/",
    [SMV_MOD] = "mod",
    [SMV_SHL] = "<<",
    [SMV_SHR] = ">>",
    [SMV_CONCAT] = "::",
    [SMV_UNION] = "union",
    [SMV_IN] = "in",
    [SMV_CASE] = "case",
    [SMV_ITE] = "?:",
    [SMV_NEXT] = "next",
    [SMV_CALL] = "a function",
    [SMV_EX] = "EX",
    [SMV_AX] = "AX",
    [SMV_EF] = "EF",
    [SMV_AF] = "AF",
    [SMV_EG] = "EG",
    [SMV_AG] = "AG",
    [SMV_EU] = "E[ U ]",
    [SMV_AU] = "A[ U ]",
    [SMV_EBF] = "EBF",
    [SMV_ABF] = "ABF",
    [SMV_EBG] = "EBG",
    [SMV_ABG] = "ABG",
    [SMV_EBU] = "E[ BU ]",
    [SMV_ABU] = "A[ BU ]",
    [SMV_X] = "X",
    [SMV_G] = "G",
    [SMV_F] = "F",
    [SMV_U] = "U",
    [SMV_V] = "V",
    [SMV_Y] = "Y",
    [SMV_Z] = "Z",
    [SMV_H] = "H",
    [SMV_O] = "O",
    [SMV_S] = "S",
    [SMV_T] = "T",
    [SMV_MIN] = "MIN",
    [SMV_MAX] = "MAX",
};

const char *smv_operator(enum smv_op op) { return operators[op]; }

static const char *refuse_operator(enum smv_op op, unsigned allow) {
  if (op == SMV_NEXT && (allow & ALLOW_INSIDE_NEXT)) return "next inside of next is not allowed";
  if (op == SMV_NEXT && !(allow & ALLOW_NEXT)) return "next is not allowed";
  if (op >= SMV_EX && op <= SMV_ABU && !(allow & ALLOW_CTL))
    return "an operator of computation tree logic is not allowed";
  if (op >= SMV_X && op <= SMV_T && !(allow & ALLOW_LTL))
    return "an operator of linear temporal logic is not allowed";
  return op == SMV_MIN || op == SMV_MAX ? "MIN and MAX are not allowed" : NULL;
}

static const char *refuse_symbol(const struct smv_symbol *s, unsigned allow) {
  if (s->kind == SMV_RUNNING && !(allow & ALLOW_RUNNING)) return "running is not allowed";
  if (s->kind != SMV_INPUT) return NULL;
  if (allow & ALLOW_INSIDE_NEXT) return "an input inside of next is not allowed";
  return allow & ALLOW_INPUTS ? NULL : "an input variable is not allowed";
}

// Elements that an index may mean: the definitions among them hold expressions.
struct elements {
  struct smv_lower *w;
  unsigned allow;
  const char *why;
};

static void look_at_element(void *context, const struct smv_symbol *s) {
  struct elements *x = context;
  if (x->why) return;
  x->why = refuse_symbol(s, x->allow);
  if (s->kind == SMV_DEFINE) smv_refused(x->w, s->expr, x->allow, &x->why);
}

const struct smv_expr *smv_refused(struct smv_lower *w, const struct smv_expr *e, unsigned allow,
                                   const char **why) {
  bool **seen = &w->allowed[allow];
  if (!*seen) *seen = ARENA_ARRAY(w->arena, bool, w->flat->exprs);
  if ((*seen)[e->id]) return NULL;
  *why = e->op == SMV_SYMBOL ? refuse_symbol(e->symbol, allow) : refuse_operator(e->op, allow);
  if (e->op == SMV_INDEX) {
    struct elements x = {.w = w, .allow = allow};
    smv_each_element(e, look_at_element, &x);
    *why = x.why;
  }
  if (*why) return e;
  if (e->op == SMV_NEXT) allow = (allow & ~(unsigned)ALLOW_NEXT) | ALLOW_INSIDE_NEXT;
  const struct smv_expr *found = NULL;
  if (e->op == SMV_SYMBOL && e->symbol->kind == SMV_DEFINE)
    found = smv_refused(w, e->symbol->expr, allow & ~(unsigned)(ALLOW_CTL | ALLOW_LTL), why);
  for (uint32_t i = 0; i < e->arg_count && !found; i++)
    found = smv_refused(w, e->args[i], allow, why);
  if (!found) (*seen)[e->id] = true;
  return found;
}

bool smv_allowed(struct smv_lower *w, const struct smv_expr *e, unsigned allow, const char *where) {
  const char *why = NULL;
  const struct smv_expr *spot = smv_refused(w, e, allow, &why);
  if (spot) diag_error(w->d, spot->span, "%s in %s", why, where);
  return !spot;
}
