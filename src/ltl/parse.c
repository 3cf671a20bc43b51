// SPDX-License-Identifier: Apache-2.0
// Parses a formula by precedence climbing into a tree of stretches of text, then has every largest
// stretch without temporal operators read as one atom. A word such as X or U is an operator only
// where one can stand: a unary one where an operand begins and another follows, a binary one after
// an operand.
#include "ltl/formula.h"
#include "ltl/scan.h"

#include <string.h>
#include <strings.h>

enum { HEIGHT_MAX = 1000, ATOMS_MAX = 64 };

// A part of the formula as it is written, from lexeme `first` to lexeme `last`.
struct part {
  enum part_kind { PART_TEXT, PART_QUOTED, PART_OPERATOR } kind;
  enum ltl_op op; // TEXT: TRUE, FALSE, or ATOM
  bool plain;     // the atoms' language has all that is in it
  bool closed;    // nothing beside it can bind tighter than what is in it
  int height;
  uint32_t first, last;
  uint32_t inner_first, inner_last; // without parentheses around it
  struct part *left, *right;
};

struct parser {
  const struct ltl_lexeme *list;
  uint32_t at;
  int depth;
  enum ltl_style style;
  struct arena *arena;
  struct diag *diag;
  struct ltl_factory *factory;
  const struct ltl_reader *reader;
};

static void *fail(struct parser *p, const struct ltl_lexeme *at, const char *expected) {
  if (at->kind == LEXEME_END)
    diag_error(p->diag, at->span, "expected %s, but the formula ends", expected);
  else
    diag_error(p->diag, at->span, "expected %s, not '%.*s'", expected,
               (int)(at->bytes < 40 ? at->bytes : 40), at->start);
  return NULL;
}

static bool word_is(const struct parser *p, const struct ltl_lexeme *x, const char *word) {
  if (x->kind != LEXEME_WORD || strlen(word) != x->bytes) return false;
  bool any_case = p->style == LTL_STYLE_MURPHI;
  return (any_case ? strncasecmp : strncmp)(x->start, word, x->bytes) == 0;
}

// --- what lexemes are, by their place ---

// After a complete operand: the binary operator at lexeme i, if it is one.
static bool binary_at(const struct parser *p, uint32_t i, struct ltl_lexeme *out) {
  *out = p->list[i];
  if (out->kind == LEXEME_WORD) ltl_scan_word(out->start, out->bytes, p->style, out);
  return out->kind == LEXEME_BINARY;
}

static bool begins_operand(const struct parser *p, uint32_t i) {
  const struct ltl_lexeme *x = &p->list[i];
  struct ltl_lexeme operator;
  switch (x->kind) {
  case LEXEME_WORD: return !binary_at(p, i, &operator);
  case LEXEME_NUMBER:
  case LEXEME_UNARY:
  case LEXEME_OPEN:
  case LEXEME_QUOTED: return true;
  case LEXEME_SIGN: return x->bytes == 1 && (*x->start == '-' || *x->start == '~');
  default: return false;
  }
}

// Where an operand is expected: the unary operator at lexeme i, if it is one.
static bool unary_at(const struct parser *p, uint32_t i, struct ltl_lexeme *out) {
  *out = p->list[i];
  if (out->kind == LEXEME_WORD && begins_operand(p, i + 1))
    ltl_scan_word(out->start, out->bytes, p->style, out);
  return out->kind == LEXEME_UNARY;
}

static bool ends_operand(const struct ltl_lexeme *x) {
  return x->kind == LEXEME_WORD || x->kind == LEXEME_NUMBER || x->kind == LEXEME_GROUP ||
         x->kind == LEXEME_CLOSE;
}

// Does the text of an atom go on at lexeme i?
static bool text_at(const struct parser *p, uint32_t i) {
  const struct ltl_lexeme *x = &p->list[i];
  struct ltl_lexeme operator;
  switch (x->kind) {
  case LEXEME_WORD: return !(ends_operand(x - 1) && binary_at(p, i, &operator));
  case LEXEME_NUMBER:
  case LEXEME_SIGN:
  case LEXEME_OPEN:
  case LEXEME_GROUP: return true;
  default: return false;
  }
}

// Is (a -> b : c) Promela's conditional expression? Its colon stands apart; that of P:x does not.
static bool is_conditional(const struct parser *p, uint32_t open) {
  bool arrow = false;
  for (uint32_t i = open + 1; i < p->list[open].match; i++) {
    const struct ltl_lexeme *x = &p->list[i];
    if (x->kind == LEXEME_OPEN) i = x->match;
    arrow = arrow || (x->kind == LEXEME_BINARY && x->op == LTL_IMPLIES);
    bool apart = x[-1].start + x[-1].bytes < x->start || x->start + 1 < x[1].start;
    if (arrow && x->bytes == 1 && *x->start == ':' && apart) return true;
  }
  return false;
}

// --- parts ---

static struct part *new_part(struct parser *p, struct part x) {
  const struct part *l = x.left, *r = x.right;
  x.height = 1 + (l ? l->height : 0);
  if (r && r->height >= x.height) x.height = r->height + 1;
  if (x.height > HEIGHT_MAX) {
    diag_error(p->diag, p->list[x.first].span, "the formula has more than %d levels", HEIGHT_MAX);
    return NULL;
  }
  x.inner_first = x.first;
  x.inner_last = x.last;
  struct part *part = ARENA_NEW(p->arena, struct part);
  *part = x;
  return part;
}

// Murphi's forall ... end: up to its end, or as far as there is one.
static uint32_t quantifier_end(const struct parser *p, uint32_t i) {
  int open = 0;
  for (;; i++) {
    const struct ltl_lexeme *x = &p->list[i];
    if (x->kind == LEXEME_END || x->kind == LEXEME_CLOSE) return i - 1;
    open += word_is(p, x, "forall") || word_is(p, x, "exists");
    open -= word_is(p, x, "end") || word_is(p, x, "endforall") || word_is(p, x, "endexists");
    if (open == 0) return i;
    if (x->kind == LEXEME_OPEN) i = x->match;
  }
}

// The last lexeme of what begins at lexeme i of an atom's text; all of it is the atom's.
static uint32_t text_piece(const struct parser *p, uint32_t i) {
  const struct ltl_lexeme *x = &p->list[i];
  if (x->kind == LEXEME_OPEN) return x->match;
  bool quantifier =
      p->style == LTL_STYLE_MURPHI && (word_is(p, x, "forall") || word_is(p, x, "exists"));
  return quantifier ? quantifier_end(p, i) : i;
}

// A name, with what belongs to it: x, a[1].b, len(q), P@cs, P[1]:x.
static bool is_name(const struct parser *p, uint32_t first, uint32_t last) {
  bool name = p->list[first].kind == LEXEME_WORD;
  for (uint32_t i = first + 1; i <= last && name; i++) {
    const struct ltl_lexeme *x = &p->list[i];
    bool dot = x->kind == LEXEME_SIGN && x->bytes == 1 && strchr(".@:", *x->start);
    bool field = x->kind == LEXEME_WORD && x[-1].kind == LEXEME_SIGN;
    name = dot || field || x->kind == LEXEME_GROUP || x->kind == LEXEME_OPEN;
    if (x->kind == LEXEME_OPEN) i = x->match;
  }
  return name;
}

static bool is_unary(const struct ltl_lexeme *x, bool temporal) {
  return x->kind == LEXEME_UNARY && (x->op != LTL_NOT) == temporal;
}

static struct part *parse_text(struct parser *p) {
  uint32_t first = p->at;
  do {
    uint32_t last = text_piece(p, p->at);
    for (; p->at <= last; p->at++) {
      if (!is_unary(&p->list[p->at], true)) continue;
      diag_error(p->diag, p->list[p->at].span, "a temporal operator stands inside a condition");
      return NULL;
    }
  } while (text_at(p, p->at) || is_unary(&p->list[p->at], false));
  struct part x = {.op = LTL_ATOM, .first = first, .last = p->at - 1};
  if (x.last == first && word_is(p, &p->list[first], "true")) x.op = LTL_TRUE;
  if (x.last == first && word_is(p, &p->list[first], "false")) x.op = LTL_FALSE;
  x.plain = x.op == LTL_ATOM;
  x.closed = is_name(p, first, x.last);
  return new_part(p, x);
}

static struct part *parse_level(struct parser *p, int least);

static struct part *parse_parenthesis(struct parser *p) {
  uint32_t open = p->at, close = p->list[open].match;
  if (text_at(p, close + 1) || (p->style == LTL_STYLE_C && is_conditional(p, open)))
    return parse_text(p);
  p->at++;
  struct part *x = parse_level(p, 1);
  if (!x) return NULL;
  if (p->at != close) return fail(p, &p->list[p->at], "an operator");
  p->at++;
  x->first = open;
  x->last = close;
  x->closed = true;
  return x;
}

static struct part *parse_operand(struct parser *p);

static struct part *parse_unary(struct parser *p, const struct ltl_lexeme *operator) {
  uint32_t first = p->at++;
  struct part *x = parse_operand(p);
  if (!x) return NULL;
  struct part whole = {.kind = PART_OPERATOR, .op = operator->op, .left = x, .first = first};
  whole.plain = x->plain && operator->own;
  whole.last = x->last;
  return new_part(p, whole);
}

static struct part *parse_operand_here(struct parser *p) {
  const struct ltl_lexeme *x = &p->list[p->at];
  struct ltl_lexeme operator;
  if (unary_at(p, p->at, &operator)) return parse_unary(p, &operator);
  switch (x->kind) {
  case LEXEME_OPEN: return parse_parenthesis(p);
  case LEXEME_QUOTED:
    p->at++;
    return new_part(p, (struct part){.kind = PART_QUOTED, .first = p->at - 1, .last = p->at - 1});
  case LEXEME_WORD:
  case LEXEME_NUMBER:
  case LEXEME_SIGN:
  case LEXEME_GROUP: return parse_text(p);
  default: return fail(p, x, "a formula");
  }
}

static struct part *parse_operand(struct parser *p) {
  struct part *x = NULL;
  if (++p->depth <= HEIGHT_MAX)
    x = parse_operand_here(p);
  else
    diag_error(p->diag, p->list[p->at].span, "the formula has more than %d levels", HEIGHT_MAX);
  p->depth--;
  return x;
}

// Operators of at least this level; all lean to the left, as SPIN's do.
static struct part *parse_level(struct parser *p, int least) {
  struct part *x = parse_operand(p);
  struct ltl_lexeme operator;
  while (x && binary_at(p, p->at, &operator) && operator.level >= least) {
    p->at++;
    struct part *y = parse_level(p, operator.level + 1);
    if (!y) return NULL;
    struct part whole = {.kind = PART_OPERATOR, .op = operator.op, .left = x, .right = y};
    whole.plain = x->plain && y->plain && operator.own;
    whole.first = x->first;
    whole.last = y->last;
    x = new_part(p, whole);
  }
  return x;
}

// --- formulas ---

static const struct ltl *read_atom(struct parser *p, const struct part *x) {
  const struct ltl_lexeme *first = &p->list[x->inner_first], *last = &p->list[x->inner_last];
  struct span span = first->span;
  span.end_line = last->span.end_line;
  span.end_column = last->span.end_column;
  uint32_t atom;
  if (!p->reader->atom(p->reader->context, span, &atom)) return NULL;
  if (atom < ATOMS_MAX) return ltl_atom(p->factory, atom);
  diag_error(p->diag, span, "the formulas have more than %d different conditions", ATOMS_MAX);
  return NULL;
}

// Of !x and !(x) only x is an atom, the same as elsewhere.
static const struct ltl *formula_of(struct parser *p, const struct part *x) {
  bool negation = x->kind == PART_OPERATOR && x->op == LTL_NOT && x->left->closed;
  if ((x->plain && !negation) || x->kind == PART_QUOTED) return read_atom(p, x);
  if (x->kind == PART_TEXT) return ltl_make(p->factory, x->op, NULL, NULL);
  const struct ltl *left = formula_of(p, x->left);
  const struct ltl *right = x->right ? formula_of(p, x->right) : NULL;
  if (!left || (x->right && !right)) return NULL;
  return ltl_make(p->factory, x->op, left, right);
}

static const struct ltl *parse_all(struct parser *p) {
  struct part *x = parse_level(p, 1);
  if (!x) return NULL;
  if (p->list[p->at].kind != LEXEME_END) return fail(p, &p->list[p->at], "an operator");
  return formula_of(p, x);
}

const struct ltl *ltl_parse(struct ltl_factory *f, struct source *s, const struct ltl_reader *r,
                            struct diag *d) {
  if (!source_readable(s, "formula", "an LTL formula", d)) return NULL;
  struct ltl_lexemes lexemes = {0};
  const struct ltl *formula = NULL;
  if (ltl_scan(&lexemes, s, r->style, d)) {
    struct parser p = {.list = lexemes.list.data,
                       .style = r->style,
                       .arena = arena_new(),
                       .diag = d,
                       .factory = f,
                       .reader = r};
    formula = parse_all(&p);
    arena_free(p.arena);
  }
  VEC_CLEAR(&lexemes.list);
  return formula;
}
