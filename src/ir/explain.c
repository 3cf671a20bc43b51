// SPDX-License-Identifier: Apache-2.0
// Why a Boolean is false (or true) in a state: the failing conjunct, the quantifier values that
// lead to it, and the values of the leaves it reads. The conjunct is shown as its user wrote it
// where that is one short line: the IR of a multiset, say, is nothing a user has seen.
#include "ir/eval.h"

#include "ir/eval_private.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { VALUES_SHOWN_MAX = 24, SOURCE_MAX = 120 };

struct explain {
  struct ir_eval *e;
  struct text *out;
  struct text bindings;  // "i = Node_1, j = Node_2"
  VEC(uint64_t) shown;   // leaves already listed
  VEC(char *) constants; // "LIMIT = 3"
  VEC(const struct ir_local *) unbound;
  struct text values;
  struct span around; // of the expression above the one that is explained
};

static void explain(struct explain *x, const struct ir_expr *e, bool value);

static bool uses_unbound(const struct explain *x, const struct ir_expr *e) {
  if (e->op == IR_LOCAL)
    for (size_t i = 0; i < x->unbound.count; i++)
      if (x->unbound.data[i] == e->local) return true;
  for (uint32_t i = 0; i < e->arg_count; i++)
    if (uses_unbound(x, e->args[i])) return true;
  return false;
}

// Where an lvalue is, unless finding it fails: not all parts of a conditional need be in order.
static bool find_place(struct ir_eval *e, const struct ir_expr *x, struct place *p) {
  jmp_buf outer;
  memcpy(&outer, &e->boundary, sizeof outer);
  size_t base = e->base, top = e->top;
  uint32_t depth = e->depth;
  volatile bool found = false;
  if (setjmp(e->boundary) == 0) {
    *p = ir_eval_place(e, x);
    found = true;
  }
  memcpy(&e->boundary, &outer, sizeof outer);
  e->base = base;
  e->top = top;
  e->depth = depth;
  return found;
}

static void list_leaf(struct explain *x, const struct ir_expr *e) {
  struct place p;
  if (uses_unbound(x, e) || x->shown.count >= VALUES_SHOWN_MAX) return;
  if (!find_place(x->e, e, &p) || p.local) return;
  for (size_t i = 0; i < x->shown.count; i++)
    if (x->shown.data[i] == p.at) return;
  VEC_PUSH(&x->shown, p.at);
  if (x->values.count) text_add(&x->values, ", ");
  ir_leaf_name(&x->values, x->e->m, p.at);
  text_add(&x->values, " = ");
  ir_type_print_value(&x->values, e->type, ir_leaf_get(&x->e->leaf[p.at], x->e->state));
}

// Lists the leaves an expression reads, as far as they are known.
static void list_values(struct explain *x, const struct ir_expr *e) {
  bool quantifier = e->op == IR_FORALL || e->op == IR_EXISTS || e->op == IR_COUNT;
  if (quantifier) VEC_PUSH(&x->unbound, e->local);
  bool path = e->op == IR_VAR || e->op == IR_INDEX || e->op == IR_FIELD;
  if (path && ir_expr_lvalue(e) && ir_type_scalar(e->type)) list_leaf(x, e);
  for (uint32_t i = 0; i < e->arg_count; i++) list_values(x, e->args[i]);
  if (quantifier) x->unbound.count--;
}

// --- the source text of an expression ---

// The stretch of one line that a span covers, or NULL.
static const char *span_line(const struct span *s, size_t *length) {
  if (!s->source || s->line == 0 || s->column == 0 || s->end_line != s->line) return NULL;
  if (s->end_column <= s->column || s->end_column - s->column > SOURCE_MAX) return NULL;
  const char *line = s->source->text, *end = line + s->source->bytes;
  for (uint32_t n = 1; line && n < s->line; n++) {
    line = memchr(line, '\n', (size_t)(end - line));
    if (line) line++;
  }
  if (!line || (size_t)(end - line) < s->end_column - 1) return NULL;
  *length = s->end_column - s->column;
  return line + s->column - 1;
}

static size_t word_length(const char *s, size_t n) {
  size_t k = 0;
  while (k < n && (isalnum((unsigned char)s[k]) || s[k] == '_')) k++;
  return k;
}

static bool is_word(const char *s, size_t n, const char *word) {
  return n == strlen(word) && strncasecmp(s, word, n) == 0;
}

// How a word changes the nesting: quantifiers reach to their end.
static int word_nesting(const char *s, size_t n) {
  if (is_word(s, n, "forall") || is_word(s, n, "exists")) return 1;
  return n >= 3 && strncasecmp(s, "end", 3) == 0 ? -1 : 0;
}

// Is it one expression in itself? The span of an expression that a front end put together from
// pieces may hold half a parenthesis, or reach from the declaration of an alias to its use.
static bool is_whole(const char *s, size_t n) {
  int nesting = 0;
  for (size_t i = 0; i < n && nesting >= 0;) {
    size_t word = word_length(s + i, n - i);
    if (nesting == 0 && (s[i] == ';' || is_word(s + i, word, "do"))) return false;
    if (iscntrl((unsigned char)s[i]) && s[i] != '\t') return false;
    if (word > 0)
      nesting += word_nesting(s + i, word);
    else
      nesting += (strchr("([{", s[i]) != NULL) - (strchr(")]}", s[i]) != NULL);
    i += word > 0 ? word : 1;
  }
  return nesting == 0;
}

static bool same_span(const struct span *a, const struct span *b) {
  return a->source == b->source && a->line == b->line && a->column == b->column &&
         a->end_line == b->end_line && a->end_column == b->end_column;
}

// Prints the expression as it was written; false when that cannot be shown. Where the expression
// above it has the same text (a != b as !(a = b)), the text is that one's and may mean the
// contrary.
static bool print_source(struct explain *x, const struct ir_expr *e) {
  size_t n;
  const char *s = span_line(&e->span, &n);
  if (!s || same_span(&e->span, &x->around) || !is_whole(s, n)) return false;
  while (n > 2 && s[0] == '(' && s[n - 1] == ')' && is_whole(s + 1, n - 2)) s++, n -= 2;
  for (size_t i = 0; i < n; i++) text_char(x->out, s[i] == '\t' ? ' ' : s[i]);
  return true;
}

static bool has_letter(const char *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (isalpha((unsigned char)s[i])) return true;
  return false;
}

static void list_constant(struct explain *x, const struct ir_expr *e) {
  size_t n;
  const char *s = span_line(&e->span, &n);
  if (!s || !is_whole(s, n) || !has_letter(s, n)) return;
  struct text value = {0}, line = {0};
  ir_type_print_value(&value, e->type, e->value);
  text_printf(&line, "%.*s = %s", (int)n, s, text_str(&value));
  bool known = is_word(s, n, text_str(&value)); // names itself: true, Exclusive
  for (size_t i = 0; i < x->constants.count; i++)
    known = known || strcmp(x->constants.data[i], line.data) == 0;
  text_clear(&value);
  if (known)
    text_clear(&line);
  else
    VEC_PUSH(&x->constants, line.data);
}

// Lists the named constants of an expression, of which the source shows no value.
static void list_constants(struct explain *x, const struct ir_expr *e) {
  if (e->op == IR_CONST) list_constant(x, e);
  for (uint32_t i = 0; i < e->arg_count; i++) list_constants(x, e->args[i]);
}

// --- the explanation ---

static void atom(struct explain *x, const struct ir_expr *e, bool value) {
  if (x->bindings.count) text_printf(x->out, "for %s:\n", text_str(&x->bindings));
  text_printf(x->out, "this is %s: ", value ? "true" : "false");
  if (print_source(x, e))
    list_constants(x, e);
  else
    ir_print_expr(x->out, e);
  text_char(x->out, '\n');
  list_values(x, e);
  for (size_t i = 0; i < x->constants.count; i++)
    text_printf(&x->values, "%s%s", x->values.count ? ", " : "", x->constants.data[i]);
  if (x->values.count) text_printf(x->out, "where %s\n", text_str(&x->values));
}

// Binds the quantifier's variable to the first value for which the body is `value`.
static bool witness(struct explain *x, const struct ir_expr *e, bool value) {
  struct iteration it;
  ir_eval_domain(x->e, e->domain, e->site, &it);
  int64_t v;
  while (ir_eval_domain_next(&it, &v)) {
    x->e->cells[x->e->base + e->local->cell] = v;
    if ((ir_eval_scalar(x->e, e->args[0]) != 0) != value) continue;
    if (x->bindings.count) text_add(&x->bindings, ", ");
    text_printf(&x->bindings, "%s = ", e->local->name);
    ir_type_print_value(&x->bindings, e->local->type, v);
    return true;
  }
  return false;
}

static bool is(struct explain *x, const struct ir_expr *e, bool value) {
  return (ir_eval_scalar(x->e, e) != 0) == value;
}

// Goes on to a part of e. (A quantifier for a ruleset has the text of its body, and means it.)
static void descend(struct explain *x, const struct ir_expr *e, uint32_t part, bool value) {
  if (e->op != IR_FORALL && e->op != IR_EXISTS) x->around = e->span;
  explain(x, e->args[part], value);
}

static void explain_implies(struct explain *x, const struct ir_expr *e, bool value) {
  if (value && is(x, e->args[0], false)) return descend(x, e, 0, false);
  if (!value) list_values(x, e->args[0]); // the premise holds: its values belong to the reason
  descend(x, e, 1, value);
}

// e is `value` in the state; says why.
static void explain(struct explain *x, const struct ir_expr *e, bool value) {
  switch (e->op) {
  case IR_NOT: return descend(x, e, 0, !value);
  case IR_AND:
    if (!value) return descend(x, e, is(x, e->args[0], false) ? 0 : 1, false);
    break;
  case IR_OR:
    if (value) return descend(x, e, is(x, e->args[0], true) ? 0 : 1, true);
    break;
  case IR_IMPLIES: return explain_implies(x, e, value);
  case IR_ITE: return descend(x, e, is(x, e->args[0], true) ? 1 : 2, value);
  case IR_FORALL:
    if (!value && witness(x, e, false)) return descend(x, e, 0, false);
    break;
  case IR_EXISTS:
    if (value && witness(x, e, true)) return descend(x, e, 0, true);
    break;
  default: break;
  }
  atom(x, e, value);
}

void ir_explain(struct text *out, struct ir_eval *e, const struct ir_frame *f,
                const struct ir_expr *expr, const uint64_t *state) {
  struct explain x = {.e = e, .out = out};
  ir_eval_begin(e, f, state);
  if (setjmp(e->boundary) == 0) {
    bool value = ir_eval_scalar(e, expr) != 0;
    explain(&x, expr, value);
  } else { // evaluating it is itself at fault: say that much
    ir_site_print(out, e->m, e->site);
    text_char(out, '\n');
  }
  text_clear(&x.bindings);
  text_clear(&x.values);
  for (size_t i = 0; i < x.constants.count; i++) mem_free(x.constants.data[i]);
  VEC_CLEAR(&x.constants);
  VEC_CLEAR(&x.shown);
  VEC_CLEAR(&x.unbound);
}
