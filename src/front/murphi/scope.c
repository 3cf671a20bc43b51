// SPDX-License-Identifier: Apache-2.0
// What names mean: a stack of symbols, each hanging at its ident and hiding the outer meaning.
#include "front/murphi/lower.h"

#include <string.h>
#include <strings.h>

// Rulesets and aliases are lowered once per rule inside them; their errors are told once.
void murphi_error(struct lower *w, struct span span, const char *format, ...) {
  va_list args;
  va_start(args, format);
  diag_vonce(w->d, span, format, args);
  va_end(args);
}

struct known *murphi_known_new(void) {
  return mem_zalloc(1, sizeof(struct known));
}

void murphi_known_free(void *p) {
  struct known *known = p;
  murphi_ident_clear(&known->idents);
  VEC_CLEAR(&known->multisets);
  VEC_CLEAR(&known->slots);
  mem_free(known);
}

void murphi_scope_open(struct lower *w) { w->depth++; }

void murphi_scope_close(struct lower *w) {
  assert(w->depth > 0);
  for (; w->last && w->last->depth == w->depth; w->last = w->last->below)
    w->last->ident->symbol = w->last->shadowed;
  w->depth--;
}

struct symbol *murphi_declare(struct lower *w, enum symbol_kind kind, const struct ast_name *name) {
  struct symbol *old = name->ident->symbol;
  if (old && old->depth == w->depth) {
    size_t errors = w->d->errors;
    murphi_error(w, name->span, "'%s' is already declared here; expected another name",
                 name->ident->text);
    if (w->d->errors > errors && old->span.source)
      diag_add(w->d, DIAG_NOTE, old->span, "'%s' was declared here", name->ident->text);
  }
  struct symbol *s = ARENA_NEW(w->depth ? w->tree : w->m->arena, struct symbol);
  s->kind = kind;
  s->ident = name->ident;
  s->span = name->span;
  s->depth = w->depth;
  s->shadowed = old;
  s->below = w->last;
  w->last = s;
  name->ident->symbol = s;
  return s;
}

static const char *nearest(const struct lower *w, const char *text) {
  if (w->d->errors >= 20) return NULL; // nobody reads on
  VEC(const char *) names = {0};
  for (size_t b = 0; b < w->known->idents.bucket_count; b++)
    for (const struct ident *id = w->known->idents.buckets[b]; id; id = id->chain)
      if (id->symbol && id->symbol->kind != SYMBOL_WRONG) VEC_PUSH(&names, id->text);
  const char *best = name_nearest(text, names.data, names.count);
  VEC_CLEAR(&names);
  bool chance = best && strlen(text) < 3 && strcasecmp(best, text) != 0; // x for y helps nobody
  return chance ? NULL : best;
}

struct symbol *murphi_lookup(struct lower *w, const struct ast_name *name, const char *wanted) {
  struct symbol *s = name->ident->symbol;
  if (s) return s;
  const char *best = nearest(w, name->ident->text);
  if (best)
    murphi_error(w, name->span, "'%s' is not declared; expected %s, did you mean '%s'?",
                 name->ident->text, wanted, best);
  else
    murphi_error(w, name->span, "'%s' is not declared before this; expected %s", name->ident->text,
                 wanted);
  return NULL;
}

bool murphi_enter(struct lower *w, struct span span) {
  if (w->nesting < MURPHI_NESTING_MAX && w->weight < MURPHI_WEIGHT_MAX) {
    w->nesting++;
    w->weight++;
    return true;
  }
  if (w->gave_up) return false;
  w->gave_up = true;
  if (w->nesting >= MURPHI_NESTING_MAX)
    murphi_error(w, span, "nested too deeply: more than %d levels", MURPHI_NESTING_MAX);
  else
    murphi_error(w, span, "the model grows too large when its aliases are put in their places");
  return false;
}

void murphi_leave(struct lower *w) { w->nesting--; }

// Where the lines of a source begin; found once, since every assertion asks.
static void find_lines(struct lower *w, const struct source *s) {
  const char *text = s->text, *end = text + s->bytes;
  w->lined = s;
  w->lines.count = 0;
  for (const char *p = text; p; p = p ? p + 1 : NULL) {
    VEC_PUSH(&w->lines, p);
    p = memchr(p, '\n', (size_t)(end - p));
  }
}

static const char *position(struct lower *w, const struct source *s, uint32_t line,
                            uint32_t column) {
  if (w->lined != s) find_lines(w, s);
  assert(line >= 1 && line <= w->lines.count && column >= 1);
  const char *at = w->lines.data[line - 1], *end = s->text + s->bytes;
  return (size_t)(end - at) >= column - 1 ? at + column - 1 : end;
}

const char *murphi_source_text(struct lower *w, struct span span) {
  const char *from = position(w, span.source, span.line, span.column);
  const char *to = position(w, span.source, span.end_line, span.end_column);
  struct text out = {0};
  bool blank = false;
  for (const char *p = from; p < to; p++) {
    unsigned char c = (unsigned char)*p;
    bool space = c <= ' ';
    if (space && blank) continue;
    blank = space;
    text_char(&out, space ? ' ' : (char)c);
  }
  const char *copy = arena_strdup(w->m->arena, text_str(&out));
  text_clear(&out);
  return copy;
}
