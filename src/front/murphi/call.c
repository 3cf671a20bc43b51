// SPDX-License-Identifier: Apache-2.0
// Calls. One that changes something may stand alone or as the whole right side of an assignment;
// inside a larger expression of a body it is moved in front of the statement, into a local. (The
// order in which operands are evaluated is open in Murphi.) Elsewhere it is an error.
#include "front/murphi/lower.h"

#include <strings.h>

bool murphi_undefined_word(const struct ast_expr *e) {
  return e->kind == AST_ID && !e->name->ident->symbol &&
         strcasecmp(e->name->ident->text, "undefined") == 0;
}

void murphi_wrote(struct lower *w, const struct ir_expr *target) {
  if (!w->effects) return;
  if (murphi_has_multiset(w, target->type)) w->effects->multiset = true;
  for (; target->op == IR_INDEX || target->op == IR_FIELD; target = target->args[0])
    if (murphi_is_multiset(w, target->args[0]->type))
      w->effects->multiset = w->effects->slot = true;
  if (target->op == IR_VAR) w->effects->state = true;
  if (target->op == IR_LOCAL && target->local->kind == IR_LOCAL_REF) w->effects->refs = true;
}

struct ir_expr *murphi_temporary(struct lower *w, const char *name, const struct ir_type *type,
                                 struct ir_expr *value, struct ir_chain *out, struct span span) {
  struct ir_local *l = ir_local_new(w->m, w->frame, IR_LOCAL_PLAIN, name, type, span);
  if (value) ir_chain_add(out, ir_assign(w->m, ir_local_ref(w->m, l, span), value, span));
  return ir_local_ref(w->m, l, span);
}

static struct ir_expr *by_reference(struct lower *w, struct ast_expr *e, const struct ir_local *p) {
  struct ir_expr *x = murphi_value(w, e);
  if (!x || !murphi_writable(w, e)) return NULL;
  if (!ir_type_same(x->type, p->type)) {
    murphi_error(w, e->span, "expected %s for the var parameter '%s', but this is %s",
                 murphi_type_name(w, p->type), p->name, murphi_type_name(w, x->type));
    return NULL;
  }
  return x;
}

// The call itself checks that the value is one of the parameter's type.
static struct ir_expr *by_value(struct lower *w, struct ast_expr *e, const struct ir_local *p) {
  if (murphi_undefined_word(e)) return murphi_temporary(w, p->name, p->type, NULL, NULL, e->span);
  struct ir_expr *x = murphi_value(w, e);
  if (!x) return NULL;
  if (!murphi_compatible(x->type, p->type)) {
    murphi_error(w, e->span, "expected %s for the parameter '%s', but this is %s",
                 murphi_type_name(w, p->type), p->name, murphi_type_name(w, x->type));
    return NULL;
  }
  return x;
}

// What the call does to its caller's surroundings.
static void note_effects(struct lower *w, const struct symbol *s, struct ir_expr **args) {
  struct effects *to = w->effects;
  if (!to) return;
  to->state |= s->effects.state;
  to->drops |= s->effects.drops;
  to->multiset |= s->effects.multiset;
  to->slot |= s->effects.slot;
  if (!s->effects.refs && !s->open) return;
  for (uint32_t i = 0; i < s->function->param_count; i++)
    if (s->function->frame.locals[i]->kind == IR_LOCAL_REF) murphi_wrote(w, args[i]);
}

static bool has_reference(const struct ir_function *f) {
  for (uint32_t i = 0; i < f->param_count; i++)
    if (f->frame.locals[i]->kind == IR_LOCAL_REF) return true;
  return false;
}

// While a body is being lowered its effects are not known: a call of itself with references is
// taken for one that changes something; others are looked at again at its end.
static bool is_impure(const struct symbol *s) {
  return s->effects.state || s->effects.refs || (s->open && has_reference(s->function));
}

static struct ir_expr *place_call(struct lower *w, struct ast_expr *e, struct symbol *s,
                                  struct ir_expr *call) {
  bool impure = is_impure(s);
  if (s->open && w->direct != e) s->nested = e->span;
  const char *name = s->ident->text;
  if (w->pure && (impure || s->effects.drops)) {
    murphi_error(w, e->span, "expected %s to change nothing, but '%s' %s", w->pure, name,
                 impure ? "changes variables" : "holds an assume or a cover");
    return NULL;
  }
  if (!impure || w->direct == e) return call;
  if (!w->pre || w->conditional) {
    murphi_error(w, e->span,
                 "'%s' changes variables; expected it where it is always called: alone, "
                 "or in front of this statement",
                 name);
    return NULL;
  }
  return murphi_temporary(w, name, s->function->result, call, w->pre, e->span);
}

static struct symbol *callee(struct lower *w, struct ast_expr *e, bool statement) {
  struct symbol *s = murphi_lookup(w, e->name, "a function or procedure declared above");
  if (!s || s->kind == SYMBOL_WRONG) return NULL;
  if (s->kind != SYMBOL_FUNCTION) {
    murphi_error(w, e->name->span, "'%s' is not a function; expected the name of one",
                 e->name->ident->text);
    return NULL;
  }
  if (!statement && !s->function->result) {
    murphi_error(w, e->span, "'%s' is a procedure and gives no value; expected a function",
                 e->name->ident->text);
    return NULL;
  }
  return s;
}

struct ir_expr *murphi_call(struct lower *w, struct ast_expr *e, bool statement) {
  struct symbol *s = callee(w, e, statement);
  uint32_t count = 0, n = s ? s->function->param_count : 0;
  for (struct ast_expr *a = e->args; a; a = a->next) count++;
  if (s && count != n) {
    murphi_error(w, e->span, "'%s' expects %u argument%s, but gets %u", e->name->ident->text, n,
                 n == 1 ? "" : "s", count);
    s = NULL;
  }
  struct ir_expr **args = ARENA_ARRAY(w->tree, struct ir_expr *, count + 1);
  bool ok = s != NULL;
  uint32_t i = 0;
  for (struct ast_expr *a = e->args; a; a = a->next, i++) {
    const struct ir_local *p = s ? s->function->frame.locals[i] : NULL;
    args[i] = !p                        ? murphi_value(w, a)
              : p->kind == IR_LOCAL_REF ? by_reference(w, a, p)
                                        : by_value(w, a, p);
    ok &= args[i] != NULL;
  }
  if (!ok) return NULL;
  note_effects(w, s, args);
  struct ir_expr *call = ir_call(w->m, s->function, args, count, e->span);
  return statement ? call : place_call(w, e, s, call);
}
