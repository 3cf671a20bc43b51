// SPDX-License-Identifier: Apache-2.0
// Parses a model in the IR's text form (docs/ir.md). Two passes over the items: the first declares
// types, variables and functions, the second reads bodies and expressions, which may name
// functions that come later. Any bytes may come in; errors are located, several per run.
#include "ir/parse.h"

#include "ir/print.h"
#include "ir/typing.h"

#include <inttypes.h>
#include <string.h>

enum { ERRORS_MAX = 20 };

// --- tokens ---

void ir_parser_fail(struct ir_parser *p, struct span span, const char *format, ...) {
  if (p->panic) return;
  va_list args;
  va_start(args, format);
  diag_vadd(p->diag, DIAG_ERROR, span, format, args);
  va_end(args);
  p->panic = true;
  p->token.kind = LEX_END;
}

void ir_parser_expected(struct ir_parser *p, const char *what) {
  const struct ir_lex_token *t = &p->token;
  if (t->kind == LEX_END)
    ir_parser_fail(p, t->span, "expected %s, but the text ends here", what);
  else
    ir_parser_fail(p, t->span, "expected %s, found %.*s", what,
                   (int)(t->bytes < 40 ? t->bytes : 40), t->start);
}

void ir_parser_advance(struct ir_parser *p) {
  if (p->panic) return;
  p->last = p->token;
  p->token = ir_lex_next(&p->lex);
  if (p->token.kind == LEX_BAD) ir_parser_fail(p, p->token.span, "%s", p->token.problem);
}

bool ir_parser_accept(struct ir_parser *p, enum ir_lex_kind k) {
  if (p->token.kind != k) return false;
  ir_parser_advance(p);
  return true;
}

bool ir_parser_expect(struct ir_parser *p, enum ir_lex_kind k) {
  if (ir_parser_accept(p, k)) return !p->panic;
  const char *name = ir_lex_kind_name(k);
  ir_parser_expected(p, k > LEX_MACHINE ? arena_printf(p->model->arena, "'%s'", name) : name);
  return false;
}

bool ir_parser_at_word(const struct ir_parser *p, const char *word) {
  return p->token.kind != LEX_END && p->token.bytes == strlen(word) &&
         memcmp(p->token.start, word, p->token.bytes) == 0;
}

bool ir_parser_accept_word(struct ir_parser *p, const char *word) {
  if (!ir_parser_at_word(p, word)) return false;
  ir_parser_advance(p);
  return true;
}

char *ir_parser_text(struct ir_parser *p, enum ir_lex_kind k) {
  struct ir_lex_token t = p->token;
  return ir_parser_expect(p, k) ? ir_lex_text(p->model->arena, &t) : NULL;
}

bool ir_parser_natural(struct ir_parser *p, uint64_t max, uint64_t *value) {
  struct ir_lex_token t = p->token;
  if (!ir_parser_expect(p, LEX_NUMBER)) return false;
  *value = t.number;
  if (t.number <= max) return true;
  ir_parser_fail(p, t.span, "the number is too large: at most %" PRIu64, max);
  return false;
}

bool ir_parser_integer(struct ir_parser *p, int64_t *value) {
  bool negative = ir_parser_accept(p, LEX_MINUS);
  uint64_t n;
  if (!ir_parser_natural(p, (uint64_t)INT64_MAX + negative, &n)) return false;
  *value = (int64_t)(negative ? -n : n);
  return true;
}

bool ir_parser_enter(struct ir_parser *p) {
  if (p->panic) return false;
  if (++p->depth <= PARSE_DEPTH_MAX) return true;
  ir_parser_fail(p, p->token.span, "nested too deeply: at most %d levels", PARSE_DEPTH_MAX);
  p->depth--;
  return false;
}

struct span ir_parser_since(const struct ir_parser *p, struct span start) {
  start.end_line = p->last.span.end_line;
  start.end_column = p->last.span.end_column;
  return start;
}

// @line:column, or @k/line:column for the k-th source, counted from 0.
struct span ir_parser_annotation(struct ir_parser *p, struct span own) {
  struct span at = p->token.span;
  uint64_t k = 0, line, column;
  if (!ir_parser_accept(p, LEX_AT)) return p->annotated ? (struct span){0} : own;
  if (!ir_parser_natural(p, UINT32_MAX, &line)) return own;
  if (ir_parser_accept(p, LEX_SLASH)) {
    k = line;
    if (!ir_parser_natural(p, UINT32_MAX, &line)) return own;
  }
  if (!ir_parser_expect(p, LEX_COLON) || !ir_parser_natural(p, UINT32_MAX - 1, &column)) return own;
  if (line == 0 || k >= p->model->sources.count - p->source_first) {
    ir_parser_fail(p, at, "there is no such line: no 'source' names its text");
    return own;
  }
  return (struct span){.source = p->model->sources.data[p->source_first + k],
                       .line = (uint32_t)line,
                       .column = (uint32_t)column,
                       .end_line = (uint32_t)line,
                       .end_column = (uint32_t)column + 1};
}

void ir_parser_resume(struct ir_parser *p, struct ir_lex lex, struct ir_lex_token token) {
  p->panic = false;
  p->lex = lex;
  p->token = token;
}

// Does the token after a closing brace go on with the statement or item that the brace is part of?
// No statement or item begins with a sign.
static bool goes_on(const struct ir_parser *p) {
  static const enum ir_lex_kind words[] = {LEX_ELSE, LEX_THEN, LEX_TO,  LEX_BY,
                                           LEX_IN,   LEX_BAND, LEX_BOR, LEX_BXOR};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (p->token.kind == words[i]) return true;
  static const char *const names[] = {"limit", "from", "of", "as", "line", "when"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (ir_parser_at_word(p, names[i])) return true;
  return p->token.kind >= LEX_ASSIGN && p->token.kind != LEX_RBRACE;
}

// Errors inside what is skipped are not looked for.
void ir_parser_skip(struct ir_parser *p) {
  uint32_t open = 0;
  while (p->token.kind != LEX_END) {
    enum ir_lex_kind k = p->token.kind;
    if (k == LEX_RBRACE && open == 0) return; // the block around ends here
    open += k == LEX_LBRACE;
    open -= k == LEX_RBRACE;
    p->last = p->token;
    p->token = ir_lex_next(&p->lex);
    if (open == 0 && (k == LEX_SEMICOLON || (k == LEX_RBRACE && !goes_on(p)))) break;
  }
  if (p->token.kind == LEX_BAD) ir_parser_fail(p, p->token.span, "%s", p->token.problem);
}

// --- first pass: declarations ---

static void parse_header(struct ir_parser *p) {
  struct ir_model *m = p->model;
  if (!ir_parser_accept_word(p, "model")) return ir_parser_expected(p, "'model'");
  const char *name = ir_parser_text(p, LEX_STRING);
  if (name) m->name = name;
  if (ir_parser_accept_word(p, "language")) {
    const char *language = ir_parser_text(p, LEX_STRING);
    if (language) m->language = language;
  }
  p->annotated = strcmp(m->language, "ir") != 0;
  ir_parser_expect(p, LEX_SEMICOLON);
}

static void parse_source(struct ir_parser *p) {
  const char *path = ir_parser_text(p, LEX_STRING);
  if (path && ir_parser_expect(p, LEX_SEMICOLON))
    VEC_PUSH(&p->model->sources, source_from_text(path, "", 0));
}

static void parse_deadlock(struct ir_parser *p) {
  for (enum ir_deadlock d = IR_DEADLOCK_OFF; d <= IR_DEADLOCK_STUTTERING; d++) {
    if (!ir_parser_accept_word(p, ir_print_deadlock_word(d))) continue;
    p->model->deadlock = d;
    ir_parser_expect(p, LEX_SEMICOLON);
    return;
  }
  ir_parser_expected(p, "'off', 'stuck' or 'stuttering'");
}

// name : type [location] [agent n] [hidden] ;
static void parse_var(struct ir_parser *p) {
  struct span start = p->token.span;
  uint64_t agent;
  const char *name = ir_parser_text(p, LEX_NAME);
  if (!name || !ir_parser_expect(p, LEX_COLON)) return;
  const struct ir_type *type = ir_parse_type(p);
  if (!type) return;
  struct span own = ir_parser_since(p, start);
  if (ir_names_get(&p->vars, name))
    return ir_parser_fail(p, start, "there is already a variable \"%s\"", name);
  struct ir_var *v = ir_var_new(p->model, name, type, own);
  ir_names_add(&p->vars, name, v);
  v->is_location = ir_parser_accept_word(p, "location");
  if (ir_parser_accept_word(p, "agent") && ir_parser_natural(p, INT32_MAX, &agent))
    v->agent = (int32_t)agent;
  v->hidden = ir_parser_accept_word(p, "hidden");
  v->span = ir_parser_annotation(p, own);
  ir_parser_expect(p, LEX_SEMICOLON);
}

static void parse_function_param(struct ir_parser *p, struct ir_function *f) {
  enum ir_local_kind kind = ir_parser_accept(p, LEX_REF) ? IR_LOCAL_REF : IR_LOCAL_VALUE;
  bool maybe = kind == IR_LOCAL_VALUE && ir_parser_accept(p, LEX_MAYBE);
  struct ir_local *l = ir_parse_local(p, kind);
  if (!l) return;
  l->may_undef = maybe;
  for (uint32_t i = 0; i < f->param_count; i++)
    if (strcmp(f->frame.locals[i]->name, l->name) == 0)
      ir_parser_fail(p, l->span, "two parameters are called \"%s\"", l->name);
  f->param_count++;
}

// name(params) [: type]; the body is left for the second pass.
static struct ir_function *parse_signature(struct ir_parser *p) {
  struct span start = p->token.span;
  const char *name = ir_parser_text(p, LEX_NAME);
  if (!name || !ir_parser_expect(p, LEX_LPAREN)) return NULL;
  struct ir_function *f = ir_function_new(p->model, name, NULL, start);
  if (!ir_names_add(&p->functions, f->name, f))
    return ir_parser_fail(p, start, "there is already a function \"%s\"", name), NULL;
  p->frame = &f->frame;
  while (!p->panic && p->token.kind != LEX_RPAREN) {
    if (f->param_count && !ir_parser_expect(p, LEX_COMMA)) break;
    parse_function_param(p, f);
  }
  p->frame = NULL;
  ir_parser_expect(p, LEX_RPAREN);
  if (ir_parser_accept(p, LEX_COLON)) f->result = ir_parse_type(p);
  f->span = ir_parser_annotation(p, ir_parser_since(p, start));
  if (f->span.source) p->model->sites.data[f->site].span = f->span;
  return p->panic ? NULL : f;
}

// --- second pass: bodies and expressions ---

static void scope_frame(struct ir_parser *p, const struct ir_frame *f) {
  for (uint32_t i = 0; i < f->count; i++) VEC_PUSH(&p->scope, f->locals[i]);
}

static void parse_function_body(struct ir_parser *p, struct ir_function *f) {
  p->frame = &f->frame;
  p->function = f;
  scope_frame(p, &f->frame);
  f->body = ir_parse_body(p);
}

// binder, binder ... ) ; each sees none of the others, since bounds are literal.
static uint32_t parse_binders(struct ir_parser *p) {
  uint32_t first = p->frame->count;
  struct ir_domain *domain;
  do {
    struct ir_local *l = ir_parse_binder(p, true, &domain);
    for (uint32_t i = 0; l && i < l->id; i++)
      if (strcmp(p->frame->locals[i]->name, l->name) == 0)
        ir_parser_fail(p, l->span, "two parameters are called \"%s\"", l->name);
  } while (ir_parser_accept(p, LEX_COMMA));
  ir_parser_expect(p, LEX_RPAREN);
  return p->frame->count - first;
}

static void parse_agent(struct ir_parser *p, struct ir_rule *r) {
  uint64_t n;
  struct span at = p->token.span;
  if (p->token.kind == LEX_NUMBER) {
    if (ir_parser_natural(p, INT32_MAX, &n)) r->agent = (int32_t)n;
    return;
  }
  const char *name = ir_parser_text(p, LEX_NAME);
  if (!name) return;
  for (uint32_t i = 0; i < r->param_count; i++)
    if (strcmp(r->frame.locals[i]->name, name) == 0) r->agent_param = (int32_t)i;
  if (r->agent_param < 0) ir_parser_fail(p, at, "the rule has no parameter \"%s\"", name);
}

static void parse_marks(struct ir_parser *p, struct ir_rule *r) {
  VEC(const char *) marks = {0};
  while (ir_parser_accept_word(p, "mark")) {
    const char *mark = ir_parser_text(p, LEX_STRING);
    if (mark) VEC_PUSH(&marks, mark);
  }
  r->marks = ARENA_ARRAY(p->model->arena, const char *, marks.count);
  r->mark_count = (uint32_t)marks.count;
  for (size_t i = 0; i < marks.count; i++) r->marks[i] = marks.data[i];
  VEC_CLEAR(&marks);
}

// "name" [(params)] [choose (choices)] [agent ...] [mark "m"] [@..] lines [when guard] { body }
static void parse_rule(struct ir_parser *p, bool is_start) {
  struct span start = p->token.span;
  const char *name = ir_parser_text(p, LEX_STRING);
  if (!name) return;
  struct ir_rule *r = ir_rule_new(p->model, is_start, name, start);
  p->frame = &r->frame;
  if (ir_parser_accept(p, LEX_LPAREN)) r->param_count = parse_binders(p);
  if (ir_parser_accept_word(p, "choose") && ir_parser_expect(p, LEX_LPAREN))
    r->choice_count = parse_binders(p);
  while (ir_parser_accept_word(p, "agent")) parse_agent(p, r);
  parse_marks(p, r);
  r->span = ir_parser_annotation(p, ir_parser_since(p, start));
  scope_frame(p, &r->frame);
  ir_parse_lines(p, r);
  if (ir_parser_accept(p, LEX_WHEN)) r->guard = ir_parse_condition(p);
  r->body = ir_parse_body(p);
}

static bool has_formula(enum ir_property_kind kind) {
  return kind == IR_PROP_LTL || kind == IR_PROP_CTL;
}

// What a property of that kind must have, and this one has not; NULL: nothing.
static const char *missing(const struct ir_property *o) {
  if (has_formula(o->kind)) return o->text || o->ctl ? NULL : "':' and a formula";
  if (ir_prop_cyclic(o->kind)) return o->automaton || o->unchecked ? NULL : "'automaton'";
  return o->expr || o->kind == IR_PROP_COVER ? NULL : "':' and a condition";
}

// [unchecked "why"], then an automaton or a semicolon
static void parse_property_end(struct ir_parser *p, struct ir_property *o) {
  bool cyclic = ir_prop_cyclic(o->kind);
  const char *lacks;
  bool formula = cyclic || o->kind == IR_PROP_CTL;
  if (formula && ir_parser_accept_word(p, "unchecked"))
    o->unchecked = ir_parser_text(p, LEX_STRING);
  bool has_automaton = cyclic && ir_parser_accept_word(p, "automaton");
  if (has_automaton) o->automaton = ir_parse_automaton(p);
  if (!p->panic && (lacks = missing(o)) != NULL) ir_parser_expected(p, lacks);
  if (!has_automaton) ir_parser_expect(p, LEX_SEMICOLON);
}

// "name" [(params)] [: ["formula"] [condition, or CTL]] [@..] end
static void parse_property(struct ir_parser *p, enum ir_property_kind kind) {
  struct span start = p->token.span;
  const char *name = ir_parser_text(p, LEX_STRING);
  if (!name) return;
  struct ir_property *o = ir_property_new(p->model, kind, name, start);
  p->frame = &o->frame;
  if (ir_parser_accept(p, LEX_LPAREN)) o->param_count = parse_binders(p);
  scope_frame(p, &o->frame);
  bool cyclic = ir_prop_cyclic(kind), text = cyclic || has_formula(kind);
  if (ir_parser_accept(p, LEX_COLON)) {
    if (p->token.kind == LEX_STRING) o->text = ir_parser_text(p, LEX_STRING);
    bool over = p->token.kind == LEX_SEMICOLON || p->token.kind == LEX_AT;
    if (kind == IR_PROP_CTL && !over)
      o->ctl = ir_parse_ctl(p);
    else if (!cyclic && (!over || !text))
      o->expr = ir_parse_condition(p);
  }
  o->span = ir_parser_annotation(p, ir_parser_since(p, start));
  parse_property_end(p, o);
}

static void parse_atom(struct ir_parser *p) {
  const char *name = ir_parser_text(p, LEX_STRING);
  if (!name || !ir_parser_expect(p, LEX_COLON)) return;
  struct ir_atom *a = ir_atom_new(p->model, name);
  p->frame = &a->frame;
  a->expr = ir_parse_condition(p);
  ir_parser_expect(p, LEX_SEMICOLON);
}

static void parse_valid_end(struct ir_parser *p) {
  struct span at = p->token.span;
  if (p->model->valid_end) return ir_parser_fail(p, at, "valid_end is given twice");
  if (!ir_parser_expect(p, LEX_COLON)) return;
  p->model->valid_end = ir_parse_condition(p);
  ir_parser_expect(p, LEX_SEMICOLON);
}

static void parse_transient(struct ir_parser *p) {
  struct span at = p->token.span;
  const char *name = ir_parser_text(p, LEX_NAME);
  if (!name) return;
  const struct ir_var *v = ir_names_get(&p->vars, name);
  const char *problem = !v                    ? "there is no such variable"
                        : p->model->transient ? "transient is given twice"
                                              : ir_typing_transient(v->type);
  if (problem) return ir_parser_fail(p, at, "%s", problem);
  p->model->transient = v;
  ir_parser_expect(p, LEX_SEMICOLON);
}

// --- items ---

enum item { // what a word begins
  ITEM_SOURCE,
  ITEM_DEADLOCK,
  ITEM_TYPE,
  ITEM_VAR,
  ITEM_FUNCTION,
  ITEM_START, // from here on: second pass
  ITEM_RULE,
  ITEM_ATOM,
  ITEM_VALID_END,
  ITEM_TRANSIENT,
  ITEM_FAIRNESS,
  ITEM_PROPERTY, // + enum ir_property_kind
  ITEM_COUNT = ITEM_PROPERTY + IR_PROP_KINDS,
};

struct deferred {
  enum item item;
  struct ir_function *function; // ITEM_FUNCTION
  struct ir_lex lex;            // where it goes on
  struct ir_lex_token token;
};
typedef VEC(struct deferred) deferred_list;

static enum item find_item(const struct ir_parser *p) {
  static const char *const words[] = {"source",    "deadlock",  "type",    "var",
                                      "function",  "start",     "rule",    "atom",
                                      "valid_end", "transient", "fairness"};
  for (int i = 0; i < ITEM_PROPERTY; i++)
    if (ir_parser_at_word(p, words[i])) return (enum item)i;
  for (int k = IR_PROP_INVARIANT; k < IR_PROP_KINDS; k++)
    if (ir_parser_at_word(p, ir_property_word((enum ir_property_kind)k)))
      return (enum item)(ITEM_PROPERTY + k);
  return ITEM_COUNT;
}

// Reads a declaration, or notes where the second pass will find the rest of it.
static void declare_item(struct ir_parser *p, deferred_list *later) {
  struct deferred d = {.item = find_item(p)};
  if (d.item == ITEM_COUNT) return ir_parser_expected(p, "a declaration, a rule or a property");
  ir_parser_advance(p);
  switch (d.item) {
  case ITEM_SOURCE: return parse_source(p);
  case ITEM_DEADLOCK: return parse_deadlock(p);
  case ITEM_TYPE: return ir_parse_type_item(p);
  case ITEM_VAR: return parse_var(p);
  case ITEM_FUNCTION: d.function = parse_signature(p); break;
  default: break;
  }
  if (p->panic) return;
  d.lex = p->lex;
  d.token = p->token;
  VEC_PUSH(later, d);
  ir_parser_skip(p);
}

static void first_pass(struct ir_parser *p, deferred_list *later) {
  p->token = ir_lex_next(&p->lex);
  if (p->token.kind == LEX_BAD) ir_parser_fail(p, p->token.span, "%s", p->token.problem);
  parse_header(p);
  if (p->panic) return; // whatever this is, it is no model
  while (p->token.kind != LEX_END && p->diag->errors < ERRORS_MAX) {
    struct ir_lex lex = p->lex;
    struct ir_lex_token token = p->token;
    if (ir_parser_at_word(p, "foreign"))
      return ir_parser_fail(p, token.span,
                            "the model has C code of its own, which cannot be read from this text");
    declare_item(p, later);
    if (!p->panic) continue;
    ir_parser_resume(p, lex, token);
    p->depth = 0;
    p->frame = NULL;
    ir_parser_skip(p);
    if (p->token.kind == LEX_RBRACE && !p->panic) ir_parser_advance(p); // one too many
    if (p->panic) ir_parser_resume(p, p->lex, ir_lex_next(&p->lex));
  }
}

static void define_item(struct ir_parser *p, const struct deferred *d) {
  ir_parser_resume(p, d->lex, d->token);
  p->depth = 0;
  p->frame = NULL;
  p->function = NULL;
  p->scope.count = 0;
  p->over = false;
  switch (d->item) {
  case ITEM_FUNCTION: parse_function_body(p, d->function); break;
  case ITEM_START:
  case ITEM_RULE: parse_rule(p, d->item == ITEM_START); break;
  case ITEM_ATOM: parse_atom(p); break;
  case ITEM_VALID_END: parse_valid_end(p); break;
  case ITEM_TRANSIENT: parse_transient(p); break;
  case ITEM_FAIRNESS: ir_parse_fairness(p); break;
  default: parse_property(p, (enum ir_property_kind)(d->item - ITEM_PROPERTY)); break;
  }
}

static void resolve_cover(struct ir_parser *p, const struct parse_cover *c) {
  uint64_t seen = 0;
  for (size_t i = 0; i < p->model->properties.count; i++) {
    const struct ir_property *o = p->model->properties.data[i];
    if (strcmp(o->name, c->name) != 0 || ++seen != c->nth) continue;
    c->stmt->cover = o->id;
    if (o->kind != IR_PROP_COVER)
      diag_error(p->diag, c->span, "\"%s\" is no cover property", c->name);
    return;
  }
  diag_error(p->diag, c->span, "there is no property \"%s\"", c->name);
}

// Atoms may come after the automata that speak of them.
static void check_atoms(struct ir_parser *p) {
  const struct ir_model *m = p->model;
  for (size_t i = 0; i < m->properties.count; i++) {
    const struct ir_property *o = m->properties.data[i];
    if (o->automaton && ir_automaton_atoms(o->automaton) > m->atoms.count)
      diag_error(p->diag, o->span, "the automaton of \"%s\" speaks of an atom that there is not",
                 o->name);
  }
}

static void second_pass(struct ir_parser *p, const deferred_list *later) {
  for (size_t i = 0; i < later->count && p->diag->errors < ERRORS_MAX; i++)
    define_item(p, &later->data[i]);
  for (size_t i = 0; i < p->covers.count; i++) resolve_cover(p, &p->covers.data[i]);
  check_atoms(p);
}

void ir_parser_clear(struct ir_parser *p) {
  VEC_CLEAR(&p->scope);
  VEC_CLEAR(&p->covers);
  ir_names_clear(&p->types);
  ir_names_clear(&p->vars);
  ir_names_clear(&p->members);
  ir_names_clear(&p->functions);
  ir_names_clear(&p->plain_types);
}

struct ir_model *ir_parse_model(struct source *s, struct diag *d) {
  struct ir_model *m = ir_model_new(s->path, "ir");
  struct ir_parser p = {.model = m, .diag = d, .source_first = 1};
  deferred_list later = {0};
  size_t errors = d->errors;
  VEC_PUSH(&m->sources, s);
  ir_lex_init(&p.lex, s);
  first_pass(&p, &later);
  second_pass(&p, &later);
  VEC_CLEAR(&later);
  ir_parser_clear(&p);
  if (d->errors == errors && ir_model_finish(m, d)) return m;
  for (size_t i = 0; i < m->sources.count; i++) diag_keep_source(d, m->sources.data[i]);
  m->sources.count = 0;
  ir_model_free(m);
  return NULL;
}
