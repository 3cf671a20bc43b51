// SPDX-License-Identifier: Apache-2.0
// Parses one expression of the text form over a model that is finished. Its names come from the
// model itself, so a model of any language will do; types without a name cannot be named.
#include "ir/parse.h"

#include "ir/pure.h"

static void know_type(struct ir_parser *p, const struct ir_type *t) {
  if (t->name) ir_names_add(&p->types, t->name, t);
  for (int64_t v = t->lo; t->kind == IR_TYPE_ENUM && v <= t->hi; v++)
    ir_names_add(&p->members, t->members[v - t->lo], t);
}

static void know_names(struct ir_parser *p) {
  const struct ir_model *m = p->model;
  for (size_t i = 0; i < m->types.count; i++) know_type(p, m->types.data[i]);
  for (size_t i = 0; i < m->vars.count; i++)
    ir_names_add(&p->vars, m->vars.data[i]->name, m->vars.data[i]);
  for (size_t i = 0; i < m->functions.count; i++)
    ir_names_add(&p->functions, m->functions.data[i]->name, m->functions.data[i]);
  for (uint32_t i = 0; i < p->frame->count; i++) VEC_PUSH(&p->scope, p->frame->locals[i]);
}

// Not every u64 is one of the model's integers: the others are a fault.
static struct ir_expr *parse_integer(struct ir_parser *p) {
  struct ir_expr *e = ir_parse_value(p);
  if (!e) return NULL;
  const struct ir_type *t = e->type;
  if (t->kind != IR_TYPE_RANGE && t->kind != IR_TYPE_INT)
    return ir_parser_fail(p, e->span, "the value must be an integer"), NULL;
  bool pattern = t->kind == IR_TYPE_INT && t->bits == 64 && !t->is_signed;
  return pattern ? ir_cast(p->model, p->model->int_type, e, e->span) : e;
}

static struct ir_expr *parse_given(struct ir_parser *p, enum ir_want want) {
  p->token = ir_lex_next(&p->lex);
  if (p->token.kind == LEX_BAD) ir_parser_fail(p, p->token.span, "%s", p->token.problem);
  struct ir_expr *e = want == IR_WANT_BOOL ? ir_parse_condition(p) : parse_integer(p);
  if (!e) return NULL;
  if (p->token.kind != LEX_END) return ir_parser_expected(p, "the end of the expression"), NULL;
  if (ir_expr_pure(p->model, e)) return ir_expr_fold(p->model, e);
  ir_parser_fail(p, e->span,
                 "the expression calls a function that changes variables, assumes or covers");
  return NULL;
}

struct ir_expr *ir_parse_expr(struct ir_model *m, struct source *s, enum ir_want want,
                              const struct ir_rule *scope, struct ir_frame *frame, struct diag *d) {
  struct ir_parser p = {.model = m, .diag = d, .frame = frame, .given = true};
  size_t sites = m->sites.count, types = m->types.count;
  ir_frame_scope(m, frame, scope);
  know_names(&p);
  ir_lex_init(&p.lex, s);
  struct ir_expr *e = parse_given(&p, want);
  assert((e == NULL) == p.panic);
  ir_parser_clear(&p);
  if (e) {
    VEC_PUSH(&m->given, s);
    return e;
  }
  m->sites.count = sites; // of nodes that nobody has
  m->types.count = types;
  diag_keep_source(d, s);
  return NULL;
}
