// SPDX-License-Identifier: Apache-2.0
// Parses what a rule shows in traces: its lines, one per statement of the model that it stands for.
#include "ir/parse.h"

static struct ir_expr *parse_shown(struct ir_parser *p) {
  struct ir_expr *e = ir_parse_value(p);
  if (e && !ir_type_scalar(e->type)) ir_parser_fail(p, e->span, "a message is made of scalars");
  return e;
}

static const struct ir_type *parse_shown_type(struct ir_parser *p) {
  struct span at = p->token.span;
  if (!ir_parser_accept_word(p, "as")) return ir_parser_expected(p, "'as' and a type"), NULL;
  const struct ir_type *t = ir_parse_type(p);
  if (t && !ir_type_scalar(t)) ir_parser_fail(p, at, "a message is made of scalars");
  return t;
}

// channel [of value as type, ...]
static void parse_message(struct ir_parser *p, struct ir_line *l) {
  VEC(struct ir_expr *) values = {0};
  VEC(const struct ir_type *) types = {0};
  l->channel = parse_shown(p);
  for (bool more = ir_parser_accept(p, LEX_OF); more && !p->panic;
       more = ir_parser_accept(p, LEX_COMMA)) {
    VEC_PUSH(&values, parse_shown(p));
    VEC_PUSH(&types, parse_shown_type(p));
  }
  l->value_count = (uint32_t)values.count;
  l->values = ARENA_ARRAY(p->model->arena, struct ir_expr *, values.count);
  l->types = ARENA_ARRAY(p->model->arena, const struct ir_type *, values.count);
  for (size_t i = 0; i < values.count; i++) {
    l->values[i] = values.data[i];
    l->types[i] = types.data[i];
  }
  VEC_CLEAR(&values);
  VEC_CLEAR(&types);
}

// "text" [by "process"] [agent n] [place n] [send|receive message] [@..]
static struct ir_line parse_line(struct ir_parser *p) {
  struct span start = p->token.span;
  uint64_t n;
  struct ir_line l = {.agent = -1, .text = ir_parser_text(p, LEX_STRING)};
  if (ir_parser_accept(p, LEX_BY)) l.process = ir_parser_text(p, LEX_STRING);
  if (ir_parser_accept_word(p, "agent") && ir_parser_natural(p, INT32_MAX, &n))
    l.agent = (int32_t)n;
  if (ir_parser_accept_word(p, "place") && ir_parser_natural(p, UINT32_MAX, &n))
    l.place = (uint32_t)n;
  if (ir_parser_accept_word(p, "send"))
    l.event = IR_EVENT_SEND;
  else if (ir_parser_accept_word(p, "receive"))
    l.event = IR_EVENT_RECEIVE;
  if (l.event != IR_EVENT_NONE) parse_message(p, &l);
  l.span = ir_parser_annotation(p, ir_parser_since(p, start));
  return l;
}

void ir_parse_lines(struct ir_parser *p, struct ir_rule *r) {
  VEC(struct ir_line) lines = {0};
  while (ir_parser_accept_word(p, "line")) VEC_PUSH(&lines, parse_line(p));
  r->lines = ARENA_ARRAY(p->model->arena, struct ir_line, lines.count);
  r->line_count = (uint32_t)lines.count;
  for (size_t i = 0; i < lines.count; i++) r->lines[i] = lines.data[i];
  VEC_CLEAR(&lines);
}
