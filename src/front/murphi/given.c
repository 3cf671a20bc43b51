// SPDX-License-Identifier: Apache-2.0
// One expression over a finished model, as users give it on the command line. The names of the
// model still have their global meanings (struct known); the parameters of a rule hide them for a
// while.
#include "front/murphi/lower.h"
#include "front/murphi/parse.h"

#include <string.h>

static struct symbol *declare(struct lower *w, enum symbol_kind kind, const char *name) {
  struct ident *id = murphi_ident(&w->known->idents, w->m->arena, name, strlen(name));
  return murphi_declare(w, kind, &(struct ast_name){.ident = id});
}

// The members of an enumeration that is written where the parameter is.
static void declare_members(struct lower *w, const struct ir_type *t) {
  if (t->name) return; // the model's
  for (uint32_t i = 0; i < t->part_count; i++) declare_members(w, t->parts[i]);
  for (int64_t v = t->lo; t->kind == IR_TYPE_ENUM && v <= t->hi; v++) {
    struct symbol *s = declare(w, SYMBOL_CONST, t->members[v - t->lo]);
    s->type = t;
    s->value = v;
  }
}

static struct ir_expr *set_of(const struct known *k, const struct ir_local *l) {
  for (size_t i = 0; i < k->slots.count; i++)
    if (k->slots.data[i].local == l) return k->slots.data[i].set;
  return NULL;
}

// Each in a scope of its own: an inner ruleset may use the name of an outer one.
static void open_params(struct lower *w) {
  for (uint32_t i = 0; i < w->frame->count; i++) {
    const struct ir_local *l = w->frame->locals[i];
    murphi_scope_open(w);
    declare_members(w, l->type);
    struct symbol *s = declare(w, SYMBOL_LOCAL, l->name);
    s->local = l;
    s->set = set_of(w->known, l);
  }
}

static struct ir_expr *lower_given(struct lower *w, struct ast_expr *e, enum ir_want want) {
  open_params(w);
  struct ir_expr *x = want == IR_WANT_BOOL ? murphi_condition(w, e, "the condition")
                                           : murphi_integer(w, e, "the value");
  while (w->depth > 0) murphi_scope_close(w);
  VEC_CLEAR(&w->lines);
  return x;
}

static struct ir_expr *read_given(struct ir_model *m, struct source *s, enum ir_want want,
                                  struct ir_frame *frame, struct diag *d) {
  struct known *known = m->front;
  struct murphi_parse p = {.source = s,
                           .diag = d,
                           .tree = arena_new(),
                           .texts = m->arena,
                           .idents = &known->idents,
                           .given = true};
  struct lower w = {.m = m,
                    .d = d,
                    .source = s,
                    .known = known,
                    .tree = p.tree,
                    .given = true,
                    .frame = frame,
                    .pure = "the expression"};
  size_t before = d->errors;
  struct ir_expr *x = NULL;
  if (murphi_readable(s, true, d)) murphi_parse(&p);
  if (d->errors == before) x = lower_given(&w, p.expr, want);
  assert(x || d->errors > before);
  arena_free(p.tree);
  return d->errors == before ? ir_expr_fold(m, x) : NULL;
}

struct ir_expr *murphi_expr(struct ir_model *m, struct source *s, enum ir_want want,
                            const struct ir_rule *scope, struct ir_frame *frame, struct diag *d) {
  assert(m->front_free == murphi_known_free);
  size_t sites = m->sites.count, types = m->types.count;
  ir_frame_scope(m, frame, scope);
  struct ir_expr *x = read_given(m, s, want, frame, d);
  if (x) {
    VEC_PUSH(&m->given, s);
    return x;
  }
  m->sites.count = sites; // of nodes that nobody has
  m->types.count = types;
  diag_keep_source(d, s);
  return NULL;
}
