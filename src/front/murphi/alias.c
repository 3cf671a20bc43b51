// SPDX-License-Identifier: Apache-2.0
// Aliases. In a body an alias of a variable keeps the place it had on entry: indices that could
// change are put into locals; an alias of a value keeps the value. In guards and properties, where
// nothing changes, an alias stands for its expression.
#include "front/murphi/lower.h"

// Does the index have the same value wherever it is evaluated in the body?
static bool is_stable(const struct ir_expr *e) {
  if (e->op == IR_CONST) return true;
  return e->op == IR_LOCAL &&
         (e->local->kind == IR_LOCAL_BOUND || e->local->kind == IR_LOCAL_VALUE);
}

struct ir_expr *murphi_freeze(struct lower *w, struct ir_expr *e, const char *name,
                              struct ir_chain *out) {
  if (e->op == IR_FIELD)
    return ir_field(w->m, murphi_freeze(w, e->args[0], name, out), e->field, e->span);
  if (e->op != IR_INDEX) return e;
  struct ir_expr *base = murphi_freeze(w, e->args[0], name, out), *index = e->args[1];
  if (!is_stable(index)) index = murphi_temporary(w, name, index->type, index, out, index->span);
  return ir_index(w->m, base, index, e->span);
}

static void declare(struct lower *w, struct ast_decl *d, struct ir_chain *out) {
  const char *name = d->names->ident->text, *why;
  int64_t value;
  uint64_t weight = w->weight;
  struct ir_chain *pre = w->pre;
  w->pre = out;
  struct ir_expr *x = murphi_value(w, d->value);
  w->pre = pre;
  if (!x) {
    murphi_declare(w, SYMBOL_WRONG, d->names);
    return;
  }
  bool lvalue = ir_expr_lvalue(x), fixed = !lvalue || murphi_fixed(d->value);
  if (out && lvalue)
    x = murphi_freeze(w, x, name, out);
  else if (out && !murphi_const_value(x, &value, &why))
    x = murphi_temporary(w, name, x->type, x, out, d->value->span);
  struct symbol *s = murphi_declare(w, SYMBOL_ALIAS, d->names);
  s->expr = x;
  s->fixed = fixed;
  s->weight = w->weight - weight;
}

void murphi_aliases(struct lower *w, struct ast_decl *decls, struct ir_chain *out) {
  for (struct ast_decl *d = decls; d; d = d->next) declare(w, d, out);
}
