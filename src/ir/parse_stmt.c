// SPDX-License-Identifier: Apache-2.0
// Parses statements of the IR's text form (docs/ir.md). A broken statement is skipped, and the
// next one is looked at, so that one run reports several errors.
#include "ir/parse.h"

#include "ir/print.h"
#include "ir/typing.h"

#include <string.h>

static struct ir_stmt *parse_block(struct ir_parser *p);

static void check_target(struct ir_parser *p, const struct ir_expr *e) {
  const char *problem = ir_typing_target(e);
  if (problem) ir_parser_fail(p, e->span, "%s", problem);
}

static struct ir_stmt *parse_assign(struct ir_parser *p, struct span start) {
  struct ir_expr *lhs = ir_parse_value(p);
  if (!lhs || !ir_parser_expect(p, LEX_ASSIGN)) return NULL;
  check_target(p, lhs);
  struct ir_expr *rhs = ir_parse_value(p);
  if (!rhs) return NULL;
  const char *problem = ir_typing_value(lhs->type, rhs->type);
  if (problem) return ir_parser_fail(p, rhs->span, "%s", problem), NULL;
  return ir_assign(p->model, lhs, rhs, ir_parser_since(p, start));
}

// undefine, clear, sort
static struct ir_stmt *parse_on(struct ir_parser *p, enum ir_lex_kind k, struct span start) {
  struct ir_expr *lhs = ir_parse_value(p);
  if (!lhs) return NULL;
  check_target(p, lhs);
  struct span span = ir_parser_since(p, start);
  if (k == LEX_UNDEFINE) return ir_undefine(p->model, lhs, span);
  if (k == LEX_CLEAR) return ir_clear(p->model, lhs, span);
  if (lhs->type->kind == IR_TYPE_ARRAY) return ir_sort(p->model, lhs, span);
  ir_parser_fail(p, lhs->span, "only an array can be sorted");
  return NULL;
}

static struct ir_stmt *parse_return(struct ir_parser *p, struct span start) {
  const struct ir_type *result = p->function ? p->function->result : NULL;
  if (p->token.kind == LEX_SEMICOLON || p->token.kind == LEX_AT) {
    if (!result) return ir_return(p->model, NULL, start);
    return ir_parser_fail(p, start, "the function must return a value"), NULL;
  }
  struct ir_expr *e = ir_parse_value(p);
  if (!e) return NULL;
  const char *problem =
      result ? ir_typing_value(result, e->type) : "there is no value to be returned here";
  if (problem) return ir_parser_fail(p, e->span, "%s", problem), NULL;
  return ir_return(p->model, e, ir_parser_since(p, start));
}

static bool parse_fault(struct ir_parser *p, enum ir_fault *fault) {
  for (*fault = IR_FAULT_ASSERT; *fault <= IR_FAULT_LIMIT; ++*fault)
    if (ir_parser_accept_word(p, ir_print_fault_word(*fault))) return true;
  *fault = IR_FAULT_ASSERT;
  return false;
}

// assert c [else [fault] ["message"]]
static struct ir_stmt *parse_assert(struct ir_parser *p, struct span start) {
  enum ir_fault fault = IR_FAULT_ASSERT;
  const char *message = NULL;
  struct ir_expr *e = ir_parse_condition(p);
  if (e && ir_parser_accept(p, LEX_ELSE)) {
    bool named = parse_fault(p, &fault);
    if (p->token.kind == LEX_STRING)
      message = ir_parser_text(p, LEX_STRING);
    else if (!named)
      ir_parser_expected(p, "a message or the name of a fault");
  }
  if (p->panic) return NULL;
  return ir_assert(p->model, e, fault, message, ir_parser_since(p, start));
}

// cover "property" [# 2] [when c]
static struct ir_stmt *parse_cover(struct ir_parser *p, struct span start) {
  struct parse_cover c = {.nth = 1, .span = p->token.span};
  struct ir_expr *e = NULL;
  c.name = ir_parser_text(p, LEX_STRING);
  if (ir_parser_accept(p, LEX_HASH) && !ir_parser_natural(p, UINT32_MAX, &c.nth)) return NULL;
  if (ir_parser_accept(p, LEX_WHEN)) e = ir_parse_condition(p);
  if (p->panic) return NULL;
  const struct ir_property unknown = {0}; // put right when all properties are there
  c.stmt = ir_cover(p->model, &unknown, e ? e : ir_bool(p->model, true, start),
                    ir_parser_since(p, start));
  VEC_PUSH(&p->covers, c);
  return c.stmt;
}

static struct ir_stmt *parse_print(struct ir_parser *p, struct span start) {
  VEC(struct ir_print) parts = {0};
  struct ir_stmt *s = NULL;
  while (p->token.kind != LEX_SEMICOLON && p->token.kind != LEX_AT && !p->panic) {
    struct ir_print part = {0};
    if (parts.count && !ir_parser_expect(p, LEX_COMMA)) break;
    if (p->token.kind == LEX_STRING)
      part.literal = ir_parser_text(p, LEX_STRING);
    else
      part.expr = ir_parse_value(p);
    VEC_PUSH(&parts, part);
  }
  if (!p->panic)
    s = ir_print(p->model, parts.data, (uint32_t)parts.count, ir_parser_since(p, start));
  VEC_CLEAR(&parts);
  return s;
}

// --- spans ---

// The text of the statement's head, for what it may have to say when it fails.
static const char *head_text(const struct ir_parser *p, const char *start) {
  const char *end = p->last.start + p->last.bytes;
  return arena_strndup(p->model->arena, start, (size_t)(end - start));
}

// Reads the annotation after a statement's head. Where it leads to another source, the statement's
// site goes there too, and keeps its own text as message since that source is not at hand.
static struct ir_stmt *annotate(struct ir_parser *p, struct ir_stmt *s, const char *start) {
  if (!s) return NULL;
  const char *text = p->token.kind == LEX_AT && s->site ? head_text(p, start) : NULL;
  s->span = ir_parser_annotation(p, s->span);
  if (p->panic) return NULL;
  if (!text) return s;
  struct ir_site *site = &p->model->sites.data[s->site];
  site->span = s->span;
  if (s->kind != IR_ASSERT) site->message = text;
  return s;
}

// --- statements with blocks ---

struct branch {
  struct ir_expr *condition;
  struct ir_stmt *body;
  struct span span;
};
typedef VEC(struct branch) branch_list;

static bool parse_branch(struct ir_parser *p, branch_list *branches) {
  struct branch b = {.span = p->token.span};
  ir_parser_advance(p); // if
  b.condition = ir_parse_condition(p);
  b.span = ir_parser_annotation(p, ir_parser_since(p, b.span));
  b.body = parse_block(p);
  if (p->panic) return false;
  VEC_PUSH(branches, b);
  return true;
}

// A chain of else-ifs is read in a loop, since it may be long, and nested from its end.
static struct ir_stmt *parse_if(struct ir_parser *p) {
  branch_list branches = {0};
  struct ir_stmt *s = NULL;
  bool more = true;
  while (more && parse_branch(p, &branches)) {
    more = ir_parser_accept(p, LEX_ELSE);
    if (!more || p->token.kind == LEX_IF) continue;
    s = parse_block(p);
    more = false;
  }
  for (size_t i = branches.count; i-- > 0 && !p->panic;) {
    struct branch *b = &branches.data[i];
    s = ir_if(p->model, b->condition, b->body, s, b->span);
  }
  VEC_CLEAR(&branches);
  return p->panic ? NULL : s;
}

static struct ir_case *parse_case(struct ir_parser *p) {
  VEC(struct ir_expr *) values = {0};
  struct ir_case *c = NULL;
  if (!ir_parser_accept(p, LEX_OTHERWISE) && ir_parser_expect(p, LEX_CASE)) {
    do {
      struct ir_expr *e = ir_parse_value(p);
      if (!e) break;
      if (!ir_type_scalar(e->type)) ir_parser_fail(p, e->span, "a case must be scalar");
      VEC_PUSH(&values, e);
    } while (ir_parser_accept(p, LEX_COMMA));
  }
  struct ir_stmt *body = parse_block(p);
  if (!p->panic) c = ir_case(p->model, values.data, (uint32_t)values.count, body);
  VEC_CLEAR(&values);
  return c;
}

static struct ir_stmt *parse_switch(struct ir_parser *p, struct span start) {
  const char *from = p->token.start;
  struct ir_case *first = NULL, **next = &first;
  ir_parser_advance(p);
  struct ir_expr *e = ir_parse_value(p);
  if (!e) return NULL;
  if (!ir_type_scalar(e->type))
    return ir_parser_fail(p, e->span, "only a scalar can be switched on"), NULL;
  struct ir_stmt *s = ir_switch(p->model, e, NULL, ir_parser_since(p, start));
  if (!annotate(p, s, from) || !ir_parser_expect(p, LEX_LBRACE)) return NULL;
  while (!p->panic && p->token.kind != LEX_RBRACE) {
    if (!(*next = parse_case(p))) return NULL;
    next = &(*next)->next;
  }
  s->cases = first;
  return ir_parser_expect(p, LEX_RBRACE) ? s : NULL;
}

static struct ir_stmt *parse_for(struct ir_parser *p, struct span start) {
  const char *from = p->token.start;
  struct ir_domain *domain;
  ir_parser_advance(p);
  struct ir_local *l = ir_parse_binder(p, false, &domain);
  if (!l) return NULL;
  struct ir_stmt *s = ir_for(p->model, l, domain, NULL, ir_parser_since(p, start));
  if (!annotate(p, s, from)) return NULL;
  VEC_PUSH(&p->scope, l);
  s->body = parse_block(p);
  p->scope.count--;
  return s;
}

static struct ir_stmt *parse_while(struct ir_parser *p, struct span start) {
  const char *from = p->token.start;
  uint64_t limit;
  ir_parser_advance(p);
  struct ir_expr *e = ir_parse_condition(p);
  if (e && !ir_parser_accept_word(p, "limit")) ir_parser_expected(p, "'limit'");
  if (!e || !ir_parser_natural(p, UINT64_MAX, &limit)) return NULL;
  struct ir_stmt *s = ir_while(p->model, e, NULL, limit, ir_parser_since(p, start));
  if (!annotate(p, s, from)) return NULL;
  s->body = parse_block(p);
  return s;
}

// --- all of them ---

static struct ir_stmt *parse_call_stmt(struct ir_parser *p, struct span start) {
  struct ir_expr *call = ir_parse_call(p);
  return call ? ir_call_stmt(p->model, call, ir_parser_since(p, start)) : NULL;
}

static struct ir_stmt *parse_assume(struct ir_parser *p, struct span start) {
  struct ir_expr *e = ir_parse_condition(p);
  return e ? ir_assume(p->model, e, ir_parser_since(p, start)) : NULL;
}

static struct ir_stmt *parse_simple(struct ir_parser *p, struct span start) {
  enum ir_lex_kind k = p->token.kind;
  if (k == LEX_NAME) return parse_assign(p, start);
  ir_parser_advance(p);
  switch (k) {
  case LEX_UNDEFINE:
  case LEX_CLEAR:
  case LEX_SORT: return parse_on(p, k, start);
  case LEX_CALL: return parse_call_stmt(p, start);
  case LEX_RETURN: return parse_return(p, start);
  case LEX_ASSERT: return parse_assert(p, start);
  case LEX_ASSUME: return parse_assume(p, start);
  case LEX_COVER: return parse_cover(p, start);
  default: return parse_print(p, start);
  }
}

static bool starts_simple(enum ir_lex_kind k) {
  static const enum ir_lex_kind kinds[] = {LEX_NAME,  LEX_UNDEFINE, LEX_CLEAR,  LEX_SORT,
                                           LEX_CALL,  LEX_RETURN,   LEX_ASSERT, LEX_ASSUME,
                                           LEX_COVER, LEX_PRINT};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (kinds[i] == k) return true;
  return false;
}

static struct ir_stmt *parse_stmt(struct ir_parser *p) {
  struct span start = p->token.span;
  const char *from = p->token.start;
  switch (p->token.kind) {
  case LEX_IF: return parse_if(p);
  case LEX_SWITCH: return parse_switch(p, start);
  case LEX_FOR: return parse_for(p, start);
  case LEX_WHILE: return parse_while(p, start);
  default: break;
  }
  if (!starts_simple(p->token.kind)) return ir_parser_expected(p, "a statement"), NULL;
  struct ir_stmt *s = annotate(p, parse_simple(p, start), from);
  return ir_parser_expect(p, LEX_SEMICOLON) ? s : NULL;
}

static struct ir_stmt *parse_chain(struct ir_parser *p) {
  struct ir_chain chain = {0};
  while (p->token.kind != LEX_RBRACE && p->token.kind != LEX_END) {
    struct ir_lex lex = p->lex;
    struct ir_lex_token token = p->token;
    uint32_t depth = p->depth;
    size_t scope = p->scope.count;
    ir_chain_add(&chain, parse_stmt(p));
    if (!p->panic) continue;
    if (p->over) break;
    ir_parser_resume(p, lex, token);
    ir_parser_skip(p);
    p->depth = depth;
    p->scope.count = scope;
    p->over = p->panic = p->panic || p->token.kind == LEX_END;
  }
  return chain.first;
}

static struct ir_stmt *parse_block(struct ir_parser *p) {
  if (!ir_parser_enter(p) || !ir_parser_expect(p, LEX_LBRACE)) return NULL;
  struct ir_stmt *s = parse_chain(p);
  p->depth--;
  return ir_parser_expect(p, LEX_RBRACE) ? s : NULL;
}

struct ir_stmt *ir_parse_body(struct ir_parser *p) {
  if (!ir_parser_expect(p, LEX_LBRACE)) return NULL;
  while (ir_parser_accept(p, LEX_LOCAL)) {
    struct ir_local *l = ir_parse_local(p, IR_LOCAL_PLAIN);
    if (!l || !ir_parser_expect(p, LEX_SEMICOLON)) return NULL;
    VEC_PUSH(&p->scope, l);
  }
  struct ir_stmt *s = parse_chain(p);
  return ir_parser_expect(p, LEX_RBRACE) ? s : NULL;
}
