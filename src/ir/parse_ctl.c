// SPDX-License-Identifier: Apache-2.0
// Parses formulas of computation tree logic and fairness (docs/ir.md).
#include "ir/ctl.h"
#include "ir/parse.h"

static struct ir_ctl *parse_operand(struct ir_parser *p);

// ( condition )
static struct ir_ctl *parse_atom(struct ir_parser *p, struct span start) {
  ir_parser_advance(p);
  struct ir_expr *e = ir_parse_condition(p);
  if (!e || !ir_parser_expect(p, LEX_RPAREN)) return NULL;
  struct ir_ctl *f = ir_ctl_new(p->model, IR_CTL_ATOM, NULL, NULL, ir_parser_since(p, start));
  f->expr = e;
  return f;
}

// lo .. hi
static bool parse_bounds(struct ir_parser *p, struct ir_ctl *f) {
  uint64_t lo, hi;
  struct span at = p->token.span;
  if (!ir_parser_natural(p, UINT32_MAX, &lo) || !ir_parser_expect(p, LEX_DOTS) ||
      !ir_parser_natural(p, UINT32_MAX, &hi))
    return false;
  f->lo = (uint32_t)lo;
  f->hi = (uint32_t)hi;
  if (lo > hi) ir_parser_fail(p, at, "the first bound is above the second");
  return !p->panic;
}

// [ formula U formula ], [ formula BU lo..hi formula ]
static struct ir_ctl *parse_until(struct ir_parser *p, bool all, struct span start) {
  if (!ir_parser_expect(p, LEX_LBRACKET)) return NULL;
  struct ir_ctl *f = ir_ctl_new(p->model, all ? IR_CTL_AU : IR_CTL_EU, NULL, NULL, start);
  f->left = ir_parse_ctl(p);
  if (ir_parser_accept_word(p, "BU")) {
    f->op = all ? IR_CTL_ABU : IR_CTL_EBU;
    if (!parse_bounds(p, f)) return NULL;
  } else if (!ir_parser_accept_word(p, "U")) {
    ir_parser_expected(p, "'U' or 'BU'");
  }
  f->right = ir_parse_ctl(p);
  ir_parser_expect(p, LEX_RBRACKET);
  f->span = ir_parser_since(p, start);
  return p->panic ? NULL : f;
}

static struct ir_ctl *parse_prefix(struct ir_parser *p, enum ir_ctl_op op, struct span start) {
  struct ir_ctl *f = ir_ctl_new(p->model, op, NULL, NULL, start);
  ir_parser_advance(p);
  if (ir_ctl_shapes[op].bounded && !parse_bounds(p, f)) return NULL;
  f->left = parse_operand(p);
  f->span = ir_parser_since(p, start);
  return p->panic ? NULL : f;
}

static struct ir_ctl *parse_word(struct ir_parser *p, struct span start) {
  if (ir_parser_accept_word(p, "E")) return parse_until(p, false, start);
  if (ir_parser_accept_word(p, "A")) return parse_until(p, true, start);
  for (int op = IR_CTL_NOT; op < IR_CTL_OPS; op++)
    if (ir_ctl_shapes[op].operands == 1 && ir_parser_at_word(p, ir_ctl_shapes[op].word))
      return parse_prefix(p, (enum ir_ctl_op)op, start);
  ir_parser_expected(p, "a formula: a condition in parentheses, or AG, EF, A [ .. U .. ] ...");
  return NULL;
}

static struct ir_ctl *parse_operand(struct ir_parser *p) {
  struct span start = p->token.span;
  struct ir_ctl *f;
  if (!ir_parser_enter(p)) return NULL;
  if (p->token.kind == LEX_LPAREN) {
    f = parse_atom(p, start);
  } else if (ir_parser_accept(p, LEX_LBRACKET)) {
    f = ir_parse_ctl(p);
    ir_parser_expect(p, LEX_RBRACKET);
  } else {
    f = parse_word(p, start);
  }
  p->depth--;
  return p->panic ? NULL : f;
}

// The operator that stands here, passed over; IR_CTL_ATOM: none.
static enum ir_ctl_op accept_infix(struct ir_parser *p) {
  if (ir_parser_accept(p, LEX_AND)) return IR_CTL_AND;
  if (ir_parser_accept(p, LEX_OR)) return IR_CTL_OR;
  if (ir_parser_accept(p, LEX_ARROW)) return IR_CTL_IMPLIES;
  if (!ir_parser_accept(p, LEX_LT)) return IR_CTL_ATOM;
  ir_parser_expect(p, LEX_ARROW);
  return IR_CTL_IFF;
}

struct ir_ctl *ir_parse_ctl(struct ir_parser *p) {
  struct span start = p->token.span;
  struct ir_ctl *left = parse_operand(p), *right;
  enum ir_ctl_op op = left ? accept_infix(p) : IR_CTL_ATOM;
  if (op == IR_CTL_ATOM) return left;
  right = parse_operand(p);
  return right ? ir_ctl_new(p->model, op, left, right, ir_parser_since(p, start)) : NULL;
}

// [agent n] [: condition] [given condition] [@..] ;
void ir_parse_fairness(struct ir_parser *p) {
  struct span start = p->last.span;
  struct ir_fairness *f = ir_fairness_new(p->model, start);
  uint64_t agent;
  p->frame = &f->frame;
  if (ir_parser_accept_word(p, "agent") && ir_parser_natural(p, INT32_MAX, &agent))
    f->agent = (int32_t)agent;
  if (ir_parser_accept(p, LEX_COLON)) f->expr = ir_parse_condition(p);
  f->compassion = ir_parser_accept_word(p, "given");
  if (f->compassion) f->given = ir_parse_condition(p);
  f->span = ir_parser_annotation(p, ir_parser_since(p, start));
  if (!f->expr && f->agent < 0) ir_parser_expected(p, "'agent', or ':' and a condition");
  ir_parser_expect(p, LEX_SEMICOLON);
}
