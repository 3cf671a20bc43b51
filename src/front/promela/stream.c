// SPDX-License-Identifier: Apache-2.0
// The tokens as the grammar sees them: inline calls replaced by their bodies, with the arguments'
// tokens for the parameters' names; semicolons put in and left out by SPIN's rules for line ends
// and braces; and names told apart by what has been declared so far.
#include "front/promela/scan.h"

#include "front/promela/parser.h"

#include <string.h>

enum {
  EXPANDED_MAX = 2000000, // tokens that inlines may come to
  INLINE_DEPTH_MAX = 200,
};

struct pml_arg {
  struct pml_token *tokens;
  size_t count;
};
struct pml_args {
  struct pml_arg *args;
  uint32_t count;
};

// --- words ---

static struct pml_word **bucket(struct pml_stream *s, const char *name) {
  return &s->words[hash_bytes(name, strlen(name), 0) % (sizeof s->words / sizeof *s->words)];
}

static struct pml_word *find_word(struct pml_stream *s, const char *name) {
  for (struct pml_word *w = *bucket(s, name); w; w = w->next)
    if (strcmp(w->name, name) == 0) return w;
  return NULL;
}

static struct pml_word *add_word(struct pml_stream *s, const char *name, enum pml_word_kind kind) {
  struct pml_word **at = bucket(s, name), *w = ARENA_NEW(s->arena, struct pml_word);
  *w = (struct pml_word){.name = name, .kind = kind, .next = *at};
  return *at = w;
}

void pml_stream_word(struct pml_stream *s, const char *name, enum pml_word_kind kind) {
  if (!find_word(s, name)) add_word(s, name, kind);
}

void pml_stream_init(struct pml_stream *s, struct diag *d, struct arena *a,
                     const struct pml_tokens *tokens) {
  *s = (struct pml_stream){.diag = d, .arena = a, .before = {.kind = ';'}};
  struct pml_frame f = {.tokens = tokens->all.data, .count = tokens->all.count};
  VEC_PUSH(&s->frames, f);
}

void pml_stream_clear(struct pml_stream *s) { VEC_CLEAR(&s->frames); }

// --- reading through the frames ---

static void close_frame(struct pml_stream *s) {
  struct pml_frame f = VEC_POP(&s->frames);
  if (f.def) f.def->open = false;
}

// The argument that the next name in an inline's body stands for. The name of an mtype's value is
// never a parameter's.
static const struct pml_arg *argument(struct pml_stream *s, const struct pml_frame *f) {
  const struct pml_token *t = &f->tokens[f->at];
  if (!f->def || t->kind != PML_NAME) return NULL;
  const struct pml_word *w = find_word(s, t->text);
  if (w && w->kind == PML_WORD_MTYPE) return NULL;
  for (uint32_t i = 0; i < f->def->param_count; i++)
    if (strcmp(f->def->params[i], t->text) == 0) return &f->args->args[i];
  return NULL;
}

static void open_argument(struct pml_stream *s, const struct pml_arg *a,
                          const struct pml_token *name) {
  struct pml_frame f = {.tokens = a->tokens, .count = a->count, .seen_as = name};
  VEC_PUSH(&s->frames, f);
}

static void count_expanded(struct pml_stream *s, const struct pml_token *t) {
  if (s->frames.count == 1 || ++s->expanded <= EXPANDED_MAX || s->stopped) return;
  s->stopped = true;
  diag_error(s->diag, t->span, "the inlines expand to more than %d tokens", EXPANDED_MAX);
}

// The end of the text, for good.
static struct pml_token stop(struct pml_stream *s) {
  while (s->frames.count > 1) close_frame(s);
  return s->frames.data[0].tokens[s->frames.data[0].count - 1];
}

// The next token with parameters replaced: an argument's tokens stand where the parameter does.
static struct pml_token read_token(struct pml_stream *s) {
  for (;;) {
    if (s->stopped) return stop(s);
    struct pml_frame *f = &VEC_TOP(&s->frames);
    if (f->at == f->count) {
      close_frame(s);
      continue;
    }
    const struct pml_arg *a = argument(s, f);
    if (a) {
      open_argument(s, a, &f->tokens[f->at++]);
      continue;
    }
    struct pml_token t = f->tokens[f->at];
    if (f->seen_as) {
      t.span = f->seen_as->span;
      t.newline = f->at == 0 && f->seen_as->newline;
    }
    if (t.kind == PML_SELECT) t.value = s->frames.count > 1;
    if (t.kind != PML_EOF) f->at++; // the end stays
    count_expanded(s, &t);
    return t;
  }
}

// The kind of what read_token will give.
static int peek_kind(struct pml_stream *s) {
  for (size_t i = s->frames.count; i-- > 0;) {
    const struct pml_frame *f = &s->frames.data[i];
    if (f->at == f->count) continue;
    const struct pml_arg *a = argument(s, f);
    return a ? a->tokens[0].kind : f->tokens[f->at].kind; // no argument is empty
  }
  return PML_EOF;
}

// --- inlines ---

static bool expect(struct pml_stream *s, const struct pml_frame *f, size_t at, int kind,
                   const char *what) {
  if (f->tokens[at].kind == kind) return true;
  diag_error(s->diag, f->tokens[at].span, "expected %s in the inline's definition", what);
  return false;
}

// Reads "(a, b)" at `at` into the inline; where it ends, or 0 after an error.
static size_t define_params(struct pml_stream *s, const struct pml_frame *f, size_t at,
                            struct pml_inline *d) {
  VEC(const char *) params = {0};
  bool good = expect(s, f, at++, '(', "'('");
  while (good && f->tokens[at].kind != ')') {
    if (params.count) good = expect(s, f, at++, ',', "',' or ')'");
    good = good && expect(s, f, at, PML_NAME, "a parameter's name");
    if (good) VEC_PUSH(&params, f->tokens[at++].text);
  }
  d->param_count = (uint32_t)params.count;
  d->params = ARENA_ARRAY(s->arena, const char *, params.count + 1);
  for (size_t i = 0; i < params.count; i++) d->params[i] = params.data[i];
  VEC_CLEAR(&params);
  return good ? at + 1 : 0;
}

static size_t matching_brace(const struct pml_frame *f, size_t at) {
  size_t depth = 0;
  for (; at < f->count; at++) {
    depth += f->tokens[at].kind == '{';
    depth -= f->tokens[at].kind == '}';
    if (depth == 0) return at;
  }
  return 0;
}

// Behind the next block.
static void skip_body(struct pml_frame *f) {
  while (f->tokens[f->at].kind != '{' && f->tokens[f->at].kind != PML_EOF) f->at++;
  size_t end = f->tokens[f->at].kind == '{' ? matching_brace(f, f->at) : 0;
  f->at = end ? end + 1 : f->count - 1;
}

// The definition after the word `inline`, which has been read; it is not the grammar's business.
static void define(struct pml_stream *s) {
  struct pml_frame *f = &s->frames.data[0];
  struct pml_inline *d = ARENA_NEW(s->arena, struct pml_inline);
  if (!expect(s, f, f->at, PML_NAME, "a name")) return skip_body(f);
  d->name = f->tokens[f->at].text;
  d->span = f->tokens[f->at].span;
  size_t at = define_params(s, f, f->at + 1, d), end = 0;
  if (at == 0 || !expect(s, f, at, '{', "'{'")) return skip_body(f);
  if ((end = matching_brace(f, at)) == 0) {
    diag_error(s->diag, f->tokens[at].span, "the body of inline '%s' is not closed; expected '}'",
               d->name);
    f->at = f->count - 1;
    return;
  }
  d->body = &f->tokens[at];
  d->body_count = end + 1 - at;
  f->at = end + 1;
  struct pml_word *w = find_word(s, d->name);
  if (w)
    diag_error(s->diag, d->span, "'%s' is declared twice", d->name);
  else
    add_word(s, d->name, PML_WORD_INLINE)->def = d;
}

struct pml_collect {
  VEC(struct pml_token) tokens;
  VEC(size_t) ends; // of each argument
};

// Reads "(x, y[2])" up to its closing parenthesis.
static bool collect_arguments(struct pml_stream *s, struct pml_collect *c,
                              const struct pml_token *call) {
  size_t depth = 0;
  read_token(s); // (
  for (;;) {
    struct pml_token t = read_token(s);
    if (t.kind == PML_EOF) {
      diag_error(s->diag, call->span, "the arguments of '%s' are not closed; expected ')'",
                 call->text);
      return false;
    }
    if (depth == 0 && (t.kind == ')' || t.kind == ',')) {
      if (t.kind == ',' || c->tokens.count || c->ends.count) VEC_PUSH(&c->ends, c->tokens.count);
      if (t.kind == ')') return true;
      continue;
    }
    depth += t.kind == '(';
    depth -= t.kind == ')';
    VEC_PUSH(&c->tokens, t);
  }
}

static struct pml_args *keep_arguments(struct pml_stream *s, const struct pml_collect *c) {
  struct pml_args *a = ARENA_NEW(s->arena, struct pml_args);
  struct pml_token *tokens = ARENA_ARRAY(s->arena, struct pml_token, c->tokens.count + 1);
  a->count = (uint32_t)c->ends.count;
  a->args = ARENA_ARRAY(s->arena, struct pml_arg, c->ends.count + 1);
  if (c->tokens.count) memcpy(tokens, c->tokens.data, c->tokens.count * sizeof *tokens);
  for (size_t i = 0, from = 0; i < c->ends.count; from = c->ends.data[i++])
    a->args[i] = (struct pml_arg){tokens + from, c->ends.data[i] - from};
  return a;
}

static bool check_call(struct pml_stream *s, const struct pml_inline *d, const struct pml_args *a,
                       const struct pml_token *call) {
  if (a->count != d->param_count) {
    diag_error(s->diag, call->span, "inline '%s' has %u parameter%s, but is called with %u",
               d->name, d->param_count, d->param_count == 1 ? "" : "s", a->count);
    return false;
  }
  for (uint32_t i = 0; i < a->count; i++) {
    if (a->args[i].count) continue;
    diag_error(s->diag, call->span, "argument %u of '%s' is empty", i + 1, d->name);
    return false;
  }
  if (!d->open && s->frames.count < INLINE_DEPTH_MAX) return true;
  diag_error(s->diag, call->span,
             d->open ? "inline '%s' calls itself" : "inline '%s': nested too deeply", d->name);
  return false;
}

// A call whose name has been read: its body comes next. After an error, a skip in its place.
static void open_call(struct pml_stream *s, struct pml_inline *d, struct pml_token *call) {
  struct pml_collect c = {0};
  bool good = collect_arguments(s, &c, call);
  struct pml_args *a = keep_arguments(s, &c);
  VEC_CLEAR(&c.tokens);
  VEC_CLEAR(&c.ends);
  if (!good || !check_call(s, d, a, call)) {
    call->kind = PML_NUMBER;
    call->value = 1;
    return;
  }
  struct pml_frame f = {.tokens = d->body, .count = d->body_count, .def = d, .args = a};
  d->open = true;
  call->kind = PML_CALL;
  VEC_PUSH(&s->frames, f);
}

// --- semicolons ---

enum { END = -1 }; // of a set of tokens

static bool one_of(int kind, const int *set) {
  for (; *set != END; set++)
    if (*set == kind) return true;
  return false;
}

// A line end behind these ends a statement, ...
static const int enders[] = {'}',       ')',        ']',         PML_OD,     PML_FI,   PML_ELSE,
                             PML_BREAK, PML_C_CODE, PML_C_EXPR,  PML_C_DECL, PML_NAME, PML_NUMBER,
                             PML_INCR,  PML_DECR,   PML_TIMEOUT, END};
// ... unless what follows goes on with it.
static const int continuers[] = {PML_AND,    PML_OR,     PML_EQ,  PML_NE,
                                 PML_LE,     PML_GE,     PML_SHL, PML_SHR,
                                 PML_INCR,   PML_DECR,   PML_EOF, PML_RANDOM_RECEIVE,
                                 PML_DOTDOT, PML_UNLESS, END};
static bool continues(int kind) {
  bool is_character = kind > 0 && kind < 128;
  return is_character ? strchr("<>+*/%&|^?.,)]:=@}", kind) != NULL : one_of(kind, continuers);
}
// A closing brace needs no semicolon before these.
static const int after_brace[] = {PML_PROCTYPE, PML_INIT, PML_NEVER, PML_SEP, PML_FI, PML_OD, '}',
                                  PML_UNLESS,   ';',      PML_ARROW, PML_EOF, ',',    ')',    END};

static bool line_ends_statement(const struct pml_stream *s, const struct pml_token *t) {
  return t->newline && s->in_sequence && s->parens == 0 && one_of(s->before.kind, enders) &&
         !continues(t->kind);
}

// --- names ---

static void classify(struct pml_stream *s, struct pml_token *t) {
  bool after_place = s->before.kind == PML_NAME || s->before.kind == ']';
  if (s->for_parens && after_place && strcmp(t->text, "in") == 0) {
    t->kind = PML_IN;
    return;
  }
  const struct pml_word *w = find_word(s, t->text);
  if (!w) return;
  switch (w->kind) {
  case PML_WORD_TYPE: t->kind = PML_UNAME; break;
  case PML_WORD_PROCTYPE: t->kind = PML_PNAME; break;
  case PML_WORD_MTYPE: break;
  case PML_WORD_INLINE:
    if (peek_kind(s) == '(')
      open_call(s, w->def, t);
    else
      t->kind = PML_INAME;
    break;
  }
}

static bool begins_statement(int before) {
  return before == ';' || before == PML_ARROW || before == '{' || before == '}' ||
         before == PML_SEP || before == PML_ELSE || before == ':';
}

// "f(...)" where a statement begins and f is not an inline.
static void unknown_call(struct pml_stream *s, struct pml_token *t) {
  struct pml_collect c = {0};
  if (t->kind != PML_NAME || s->braces == 0 || s->parens) return;
  if (!begins_statement(s->before.kind) && !line_ends_statement(s, t)) return;
  if (peek_kind(s) != '(') return;
  diag_error(s->diag, t->span, "no inline '%s' is defined before this line", t->text);
  collect_arguments(s, &c, t);
  VEC_CLEAR(&c.tokens);
  VEC_CLEAR(&c.ends);
  t->kind = PML_NUMBER;
  t->value = 1;
}

// The next token of the program: definitions of inlines are taken out.
static struct pml_token next_token(struct pml_stream *s) {
  struct pml_token t = read_token(s);
  while (t.kind == PML_INLINE && s->frames.count == 1 && s->braces == 0) {
    define(s);
    t = read_token(s);
  }
  if (t.kind == PML_NAME) classify(s, &t);
  unknown_call(s, &t);
  return t;
}

// --- the stream ---

// Keeps count of what is open.
static void follow(struct pml_stream *s, const struct pml_token *t) {
  int before = s->before.kind;
  if (t->kind == '{') {
    if (s->braces == 0) s->outermost = t->span;
    if (s->braces++ == 0)
      s->in_sequence = !s->in_ltl && before != '=' && before != PML_OF && before != PML_TYPE;
    s->parens = 0;
  } else if (t->kind == '}') {
    if (s->braces > 0 && --s->braces == 0) s->in_sequence = s->in_ltl = false;
    s->parens = 0;
  } else if (t->kind == '(' || t->kind == '[') {
    s->parens++;
    if (t->kind == '(' && before == PML_FOR) s->for_parens = s->parens;
  } else if ((t->kind == ')' || t->kind == ']') && s->parens > 0) {
    if (s->parens-- == s->for_parens) s->for_parens = 0;
  }
  if (t->kind == PML_LTL) s->in_ltl = true;
  s->before = *t;
}

static struct pml_token semicolon(const struct pml_stream *s) {
  struct pml_token t = {.kind = ';', .span = s->before.span};
  t.span.line = t.span.end_line;
  t.span.column = t.span.end_column;
  return t;
}

static struct pml_token take(struct pml_stream *s) {
  if (!s->has_held) return next_token(s);
  s->has_held = false;
  return s->held;
}

static void hold(struct pml_stream *s, struct pml_token t) {
  assert(!s->has_held);
  s->held = t;
  s->has_held = true;
}

static bool separates(int kind) { return kind == ';' || kind == PML_ARROW; }

void pml_stream_next(struct pml_stream *s, struct pml_token *out) {
  struct pml_token t = take(s);
  int before = s->before.kind;
  bool missing = line_ends_statement(s, &t) ||
                 (before == PML_ELSE && !separates(t.kind) && t.kind != PML_FI &&
                  t.kind != PML_OD && t.kind != PML_SEP && t.kind != '}') ||
                 (before == '}' && !one_of(t.kind, after_brace));
  if (missing) {
    hold(s, t);
    t = semicolon(s);
  }
  // Of several separators one is left; names are told apart as they are read, so nothing is read
  // ahead that could be a name.
  while (separates(t.kind) && separates(s->has_held ? s->held.kind : peek_kind(s))) t = take(s);
  follow(s, &t);
  *out = t;
}
