// SPDX-License-Identifier: Apache-2.0
// Conditions of claims and formulas as atoms of the model: over global names and remote references,
// of nobody's process. Equal text is an equal condition, since every name means the same
// everywhere.
#include "front/promela/lower.h"

#include <string.h>

#define NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

uint32_t lower_new_atom(struct lower *w, const char *name, struct ir_expr *x) {
  ir_atom_new(w->m, name)->expr = x;
  return (uint32_t)w->m->atoms.count - 1;
}

// --- names ---

// Do these brackets belong together, all around the text?
static bool is_wrapped(const char *s, size_t length) {
  size_t open = 0;
  if (length < 2 || s[0] != '(' || s[length - 1] != ')') return false;
  for (size_t i = 0; i < length; i++) {
    open += s[i] == '(';
    open -= s[i] == ')';
    if (open == 0 && i + 1 < length) return false;
  }
  return true;
}

// As SPIN writes it, without brackets around the whole unless it is a single name. So it always
// stands in double quotes in the text of a formula (ltl_print), and can be found there again.
static const char *name_of(struct lower *w, const struct ast_expr *e) {
  struct text t = {0};
  ast_print_expr(&t, e);
  const char *s = text_str(&t);
  size_t length = t.count;
  while (is_wrapped(s, length)) s++, length -= 2;
  bool single = strspn(s, NAME_CHARACTERS) >= length;
  char *name = single ? arena_printf(w->m->arena, "(%.*s)", (int)length, s)
                      : arena_strndup(w->m->arena, s, length);
  for (char *c = name; *c; c++)
    if (*c == '"' || *c == '\\') *c = '\'';
  text_clear(&t);
  return name;
}

// --- what they can be about ---

static const char *refusal(const struct ast_expr *e) {
  const char *why = NULL;
  if (!e) return NULL;
  if (e->op == AST_C_EXPR) return "it has embedded C";
  if (e->op == AST_RUN) return "it runs processes";
  if (e->op == AST_REF && e->sym && e->sym->owner >= 0) return "it has variables of its own";
  if (e->op == AST_REMOTE_VAR) { // the name behind the colon is another process's
    const struct ast_expr *var = e->args[1];
    for (; var && !why; var = var->arg_count > 1 ? var->args[1] : NULL)
      if (var->arg_count > 0) why = refusal(var->args[0]);
    return why ? why : refusal(e->args[0]);
  }
  for (uint32_t i = 0; i < e->arg_count && !why; i++) why = refusal(e->args[i]);
  return why;
}

// `timeout` is true where no process can do anything else.
static struct ir_expr *condition(struct lower *w, const struct ast_expr *e) {
  struct ir_expr *x = lower_cond(w, e);
  if (!lower_mentions(e, AST_TIMEOUT)) return x;
  w->timeout = true;
  struct ir_expr *then = lower_cond(w, e);
  w->timeout = false;
  return lower_ite(w, lower_timeout(w), then, x);
}

static struct ir_expr *lower_for(struct lower *w, struct ir_frame *frame,
                                 const struct ast_expr *e) {
  assert(!w->seat);
  struct ir_frame *outer = w->frame;
  w->frame = frame;
  w->in_claim = true;
  struct ir_expr *x = condition(w, e);
  w->in_claim = false;
  w->frame = outer;
  return x;
}

// Without negations in front of it.
static bool literal_of(struct lower *w, const struct ast_expr *e, struct literal *out,
                       const char **why) {
  const char *name = name_of(w, e);
  for (uint32_t i = 0; i < w->m->atoms.count; i++) {
    *out = (struct literal){.atom = i};
    if (strcmp(w->m->atoms.data[i]->name, name) == 0) return true;
  }
  struct ir_frame frame = {0};
  struct ir_expr *x = lower_for(w, &frame, e);
  *out = (struct literal){.known = x->op == IR_CONST, .value = x->value != 0};
  if (out->known) return true;
  if (w->m->atoms.count == IR_ATOMS_MAX)
    return *why = "claims and formulas have more than 64 conditions", false;
  out->atom = lower_new_atom(w, name, x);
  w->m->atoms.data[out->atom]->frame = frame;
  return true;
}

bool lower_literal(struct lower *w, const struct ast_expr *e, struct literal *out,
                   const char **why) {
  const char *refused = refusal(e);
  bool no = false;
  if (refused) return *why = refused, false;
  for (; e->op == AST_NOT; e = e->args[0]) no = !no;
  if (!literal_of(w, e, out, why)) return false;
  out->value ^= no;
  out->no = no;
  return true;
}
