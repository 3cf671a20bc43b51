// SPDX-License-Identifier: Apache-2.0
// The parser of files of flows (docs/flows.md), by recursive descent:
//   flow:  "flow" NAME [ "(" [ NAME { "," NAME } ] ")" ] "{" chain { ";" chain } [ ";" ] "}"
//   chain: event { "->" event }
//   event: ( NAME | STRING ) [ "(" [ argument { "," argument } ] ")" ] [ "as" NAME ]
// After a mistake it goes on with the next flow.
#include "guide/flows.h"
#include "guide/flows_lex.h"

#include <string.h>

struct parser {
  struct flow_lexer lexer;
  struct flow_token now;
  struct diag *diag;
};

static void advance(struct parser *p) { p->now = guide_flow_lex(&p->lexer); }

static bool at_sign(const struct parser *p, char sign) {
  return p->now.kind == FLOW_SIGN && p->now.sign == sign;
}

static bool at_word(const struct parser *p, const char *word) {
  return p->now.kind == FLOW_NAME && strcmp(p->now.text, word) == 0;
}

static bool accept_sign(struct parser *p, char sign) {
  bool is = at_sign(p, sign);
  if (is) advance(p);
  return is;
}

// Always false, for callers to return.
static bool mistake(struct parser *p, const char *expected) {
  const struct flow_token *t = &p->now;
  if (t->kind == FLOW_BAD)
    diag_error(p->diag, t->span, "%s", t->problem);
  else if (t->kind == FLOW_END)
    diag_error(p->diag, t->span, "the file ends here; expected %s", expected);
  else
    diag_error(p->diag, t->span, "expected %s", expected);
  return false;
}

static bool expect_sign(struct parser *p, char sign, const char *expected) {
  return accept_sign(p, sign) || mistake(p, expected);
}

static struct flow_word word(struct parser *p) {
  struct flow_word w = {.text = p->now.text, .span = p->now.span};
  advance(p);
  return w;
}

static bool parse_name(struct parser *p, struct flow_word *w, const char *expected) {
  if (p->now.kind != FLOW_NAME) return mistake(p, expected);
  *w = word(p);
  return true;
}

static bool parse_args(struct parser *p, struct flow_mention *e) {
  e->has_args = true;
  advance(p);
  while (!accept_sign(p, ')')) {
    if (e->args.count && !expect_sign(p, ',', "a comma or ) after the argument")) return false;
    if (p->now.kind != FLOW_NAME && p->now.kind != FLOW_NUMBER)
      return mistake(p, "an argument: a parameter of the flow, a value, or _ for any");
    VEC_PUSH(&e->args, word(p));
  }
  return true;
}

static bool parse_event(struct parser *p, struct flow_text *f, bool begins) {
  struct flow_mention e = {.begins = begins, .quoted = p->now.kind == FLOW_STRING};
  if (p->now.kind != FLOW_NAME && p->now.kind != FLOW_STRING)
    return mistake(p, "an event: the name of a rule");
  if (f->mentions.count == FLOW_MENTIONS_MAX) return mistake(p, "} since the flow is too long");
  e.rule = word(p);
  VEC_PUSH(&f->mentions, e);
  struct flow_mention *kept = &VEC_TOP(&f->mentions);
  if (at_sign(p, '(') && !parse_args(p, kept)) return false;
  if (!at_word(p, "as")) return true;
  advance(p);
  return parse_name(p, &kept->label, "a label for the event after as");
}

static bool parse_chain(struct parser *p, struct flow_text *f) {
  if (!parse_event(p, f, true)) return false;
  while (p->now.kind == FLOW_ARROW) {
    advance(p);
    if (!parse_event(p, f, false)) return false;
  }
  return true;
}

static bool parse_params(struct parser *p, struct flow_text *f) {
  while (!accept_sign(p, ')')) {
    struct flow_word w;
    if (f->params.count && !expect_sign(p, ',', "a comma or ) after the parameter")) return false;
    if (!parse_name(p, &w, "a parameter of the flow")) return false;
    VEC_PUSH(&f->params, w);
  }
  return true;
}

static bool parse_flow(struct parser *p, struct flow_text *f) {
  if (!at_word(p, "flow")) return mistake(p, "flow");
  advance(p);
  if (!parse_name(p, &f->name, "the name of the flow")) return false;
  if (accept_sign(p, '(') && !parse_params(p, f)) return false;
  if (!expect_sign(p, '{', "{ and the flow's events")) return false;
  do {
    if (!parse_chain(p, f)) return false;
  } while (accept_sign(p, ';') && !at_sign(p, '}'));
  return expect_sign(p, '}', "-> and the next event, ; and another chain, or }");
}

static void flow_text_clear(struct flow_text *f) {
  for (size_t i = 0; i < f->mentions.count; i++) VEC_CLEAR(&f->mentions.data[i].args);
  VEC_CLEAR(&f->mentions);
  VEC_CLEAR(&f->params);
}

void guide_flows_text_clear(struct flows_text *t) {
  for (size_t i = 0; i < t->flows.count; i++) flow_text_clear(&t->flows.data[i]);
  VEC_CLEAR(&t->flows);
}

static void recover(struct parser *p) {
  while (p->now.kind != FLOW_END && !at_sign(p, '}') && !at_word(p, "flow")) advance(p);
  accept_sign(p, '}');
}

bool guide_flows_parse(struct flows_text *t, const struct source *s, struct arena *a,
                       struct diag *d) {
  struct parser p = {.diag = d, .lexer = {.source = s, .arena = a, .line = 1, .column = 1}};
  size_t before = d->errors;
  advance(&p);
  while (p.now.kind != FLOW_END && d->errors < before + FLOW_MISTAKES_MAX) {
    VEC_PUSH(&t->flows, (struct flow_text){0});
    if (parse_flow(&p, &VEC_TOP(&t->flows))) continue;
    flow_text_clear(&VEC_TOP(&t->flows));
    t->flows.count--;
    recover(&p);
  }
  return d->errors == before;
}
