// SPDX-License-Identifier: Apache-2.0
// The nodes of the syntax tree, as the grammar's actions ask for them.
#include "front/promela/build.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

// --- spans ---

static bool before(const struct span *a, const struct span *b) {
  return a->line < b->end_line || (a->line == b->end_line && a->column <= b->end_column);
}

// From the first to the last token; the first alone when they are not in one stretch of text.
struct span pml_span(const struct span *first, const struct span *last) {
  struct span at = *first;
  if (first->source != last->source || !before(first, last)) return at;
  at.end_line = last->end_line;
  at.end_column = last->end_column;
  return at;
}

struct span pml_span_behind(const struct span *before_it) {
  struct span at = *before_it;
  at.line = at.end_line;
  at.column = at.end_column;
  return at;
}

static const char *text_at(struct pml_build *b, const struct source *s, uint32_t line,
                           uint32_t column) {
  size_t n;
  return pml_file_line(pml_file_of(b->files, s), line, &n) + column - 1;
}

const char *pml_text_between(struct pml_build *b, const struct span *open,
                             const struct span *close) {
  struct text t = {0};
  bool whole = open->source && open->source == close->source;
  const char *from = whole ? text_at(b, open->source, open->end_line, open->end_column) : "";
  const char *to = whole ? text_at(b, open->source, close->line, close->column) : from;
  for (; from < to; from++) {
    if (!isspace((unsigned char)*from))
      text_char(&t, *from);
    else if (t.count && t.data[t.count - 1] != ' ')
      text_char(&t, ' ');
  }
  while (t.count && t.data[t.count - 1] == ' ') t.count--;
  const char *result = arena_strndup(b->parse->arena, text_str(&t), t.count);
  text_clear(&t);
  return result;
}

// --- expressions ---

struct ast_expr *pml_expr(struct pml_build *b, enum ast_op op, struct span at) {
  struct ast_expr *e = ARENA_NEW(b->parse->arena, struct ast_expr);
  e->op = op;
  e->span = at;
  return e;
}

struct ast_expr *pml_const(struct pml_build *b, int64_t value, struct span at) {
  struct ast_expr *e = pml_expr(b, AST_CONST, at);
  e->value = value;
  return e;
}

static struct ast_expr *with_args(struct pml_build *b, enum ast_op op, uint32_t count,
                                  struct span at) {
  struct ast_expr *e = pml_expr(b, op, at);
  e->args = ARENA_ARRAY(b->parse->arena, struct ast_expr *, count + 1);
  e->arg_count = count;
  return e;
}

// Puts an argument into its place. An expression that becomes too deep is left out.
static void set_arg(struct pml_build *b, struct ast_expr *e, uint32_t i, struct ast_expr *arg) {
  e->args[i] = arg;
  if (!arg || arg->depth < e->depth) return;
  e->depth = arg->depth + 1;
  if (e->depth <= AST_DEPTH_MAX) return;
  if (!b->too_deep)
    diag_error(b->parse->diag, e->span,
               "the expression is nested too deeply: more than %d operators", AST_DEPTH_MAX);
  b->too_deep = true; // said once
  e->args[i] = pml_const(b, 0, e->span);
  e->depth = 1;
}

struct ast_expr *pml_expr1(struct pml_build *b, enum ast_op op, struct ast_expr *x,
                           struct span at) {
  struct ast_expr *e = with_args(b, op, 1, at);
  set_arg(b, e, 0, x);
  return e;
}

struct ast_expr *pml_expr2(struct pml_build *b, enum ast_op op, struct ast_expr *x,
                           struct ast_expr *y, struct span at) {
  struct ast_expr *e = with_args(b, op, 2, at);
  set_arg(b, e, 0, x);
  set_arg(b, e, 1, y);
  return e;
}

struct ast_expr *pml_expr3(struct pml_build *b, enum ast_op op, struct ast_expr *x,
                           struct ast_expr *y, struct ast_expr *z, struct span at) {
  struct ast_expr *e = with_args(b, op, 3, at);
  set_arg(b, e, 0, x);
  set_arg(b, e, 1, y);
  set_arg(b, e, 2, z);
  return e;
}

struct ast_expr *pml_list_expr(struct pml_build *b, enum ast_op op, const struct pml_exprs *args,
                               struct span at) {
  struct ast_expr *e = with_args(b, op, args ? args->count : 0, at);
  for (uint32_t i = 0; i < e->arg_count; i++) set_arg(b, e, i, args->data[i]);
  return e;
}

struct ast_expr *pml_not(struct pml_build *b, struct ast_expr *x, struct span at) {
  static const char *const opposite[] = {"full", "nfull", "empty", "nempty"};
  if (x->op >= AST_FULL && x->op <= AST_NEMPTY && !b->in_ltl && !b->given)
    diag_error(b->parse->diag, at, "%s(...) cannot be negated; expected %s(...)",
               opposite[x->op - AST_FULL], opposite[(x->op - AST_FULL) ^ 1]);
  return pml_expr1(b, AST_NOT, x, at);
}

struct ast_expr *pml_ref(struct pml_build *b, const char *name, struct ast_expr *index,
                         struct span at) {
  struct ast_expr *e = pml_expr2(b, AST_REF, index, NULL, at);
  e->name = name;
  return e;
}

struct ast_expr *pml_field(struct pml_build *b, struct ast_expr *ref, struct ast_expr *field,
                           struct span at) {
  ref->span = at;
  set_arg(b, ref, 1, field);
  return ref;
}

struct ast_expr *pml_poll(struct pml_build *b, struct ast_expr *channel,
                          const struct pml_exprs *args, bool random, struct span at) {
  struct ast_expr *e = with_args(b, AST_POLL, args->count + 1, at);
  set_arg(b, e, 0, channel);
  for (uint32_t i = 0; i < args->count; i++) set_arg(b, e, i + 1, args->data[i]);
  e->random = random;
  return e;
}

struct ast_expr *pml_remote_label(struct pml_build *b, const char *proc, struct ast_expr *pid,
                                  const char *label, struct span at) {
  struct ast_expr *e = pml_expr1(b, AST_REMOTE_LAB, pid, at);
  e->name = proc;
  e->label = label;
  return e;
}

struct ast_expr *pml_remote_var(struct pml_build *b, const char *proc, struct ast_expr *pid,
                                struct ast_expr *var, struct span at) {
  struct ast_expr *e = pml_expr2(b, AST_REMOTE_VAR, pid, var, at);
  e->name = proc;
  return e;
}

// --- lists ---

static void *grown(struct pml_build *b, void *data, uint32_t *capacity, uint32_t count,
                   size_t bytes) {
  if (count < *capacity) return data;
  *capacity = *capacity ? *capacity * 2 : 4;
  void *more = arena_alloc(b->parse->arena, *capacity * bytes);
  if (count) memcpy(more, data, count * bytes);
  return more;
}

struct pml_exprs *pml_expr_add(struct pml_build *b, struct pml_exprs *list, struct ast_expr *e) {
  if (!list) list = ARENA_NEW(b->parse->arena, struct pml_exprs);
  list->data = grown(b, list->data, &list->capacity, list->count, sizeof *list->data);
  list->data[list->count++] = e;
  return list;
}

struct pml_exprs *pml_exprs_join(struct pml_build *b, struct pml_exprs *list,
                                 const struct pml_exprs *more) {
  for (uint32_t i = 0; i < more->count; i++) list = pml_expr_add(b, list, more->data[i]);
  return list;
}

struct pml_names *pml_name_add(struct pml_build *b, struct pml_names *list, const char *name,
                               struct span at) {
  if (!list) list = ARENA_NEW(b->parse->arena, struct pml_names);
  uint32_t capacity = list->capacity;
  list->spans = grown(b, list->spans, &capacity, list->count, sizeof *list->spans);
  list->data = grown(b, list->data, &list->capacity, list->count, sizeof *list->data);
  list->spans[list->count] = at;
  list->data[list->count++] = name;
  return list;
}

struct pml_types *pml_type_add(struct pml_build *b, struct pml_types *list, struct ast_type t) {
  if (!list) list = ARENA_NEW(b->parse->arena, struct pml_types);
  list->data = grown(b, list->data, &list->capacity, list->count, sizeof *list->data);
  list->data[list->count++] = t;
  return list;
}

// --- declarations ---

struct ast_type pml_type(struct pml_build *b, int64_t base, const char *name, struct span at) {
  if (name && base != AST_MTYPE && base != AST_STRUCT)
    diag_error(b->parse->diag, at, "only an mtype can be one of a named set, like mtype:%s", name);
  return (struct ast_type){.base = (enum ast_base)base, .name = name, .span = at};
}

void pml_no_unsigned(struct pml_build *b, const struct ast_type *t) {
  if (t->base == AST_UNSIGNED)
    diag_error(b->parse->diag, t->span,
               "a message cannot hold an unsigned; expected another type, like byte or int");
}

struct ast_decl *pml_decl(struct pml_build *b, const char *name, struct span at) {
  struct ast_decl *d = ARENA_NEW(b->parse->arena, struct ast_decl);
  d->name = name;
  d->span = at;
  return d;
}

struct ast_decl *pml_typed(struct pml_build *b, struct ast_decl *vars, int64_t base,
                           const char *name, int64_t visibility, struct span at) {
  struct ast_type type = pml_type(b, base, name, at);
  struct ast_decl *d = vars;
  do {
    d->type = type;
    d->visibility = (enum ast_visibility)visibility;
    if (d->channel && type.base != AST_CHAN)
      diag_error(b->parse->diag, d->span, "'%s' is given a channel; expected the type chan",
                 d->name);
    d = d->next;
  } while (d != vars);
  return vars;
}

void pml_initial(struct pml_build *b, struct ast_decl *d, const struct pml_exprs *values) {
  d->init = ARENA_ARRAY(b->parse->arena, struct ast_expr *, values->count);
  d->init_count = values->count;
  for (uint32_t i = 0; i < values->count; i++) d->init[i] = values->data[i];
}

struct ast_channel *pml_channel(struct pml_build *b, struct ast_expr *capacity,
                                const struct pml_types *types) {
  struct ast_channel *c = ARENA_NEW(b->parse->arena, struct ast_channel);
  *c = (struct ast_channel){.capacity = capacity, .types = types->data, .type_count = types->count};
  return c;
}

// --- statements ---

struct ast_stmt *pml_stmt(struct pml_build *b, enum ast_stmt_kind kind, struct span at) {
  struct ast_stmt *s = ARENA_NEW(b->parse->arena, struct ast_stmt);
  s->kind = kind;
  s->span = at;
  return s;
}

void pml_args(struct pml_build *b, struct ast_stmt *s, const struct pml_exprs *args) {
  s->args = ARENA_ARRAY(b->parse->arena, struct ast_expr *, args->count);
  s->arg_count = args->count;
  for (uint32_t i = 0; i < args->count; i++) s->args[i] = args->data[i];
}

struct ast_stmt *pml_receive(struct pml_build *b, struct ast_expr *channel,
                             const struct pml_exprs *args, bool random, bool keep, struct span at) {
  struct ast_stmt *s = pml_stmt(b, AST_RECEIVE, at);
  s->lhs = channel;
  s->random = random;
  s->keep = keep;
  pml_args(b, s, args);
  return s;
}

struct ast_stmt *pml_send(struct pml_build *b, struct ast_expr *channel,
                          const struct pml_exprs *args, bool sorted, struct span at) {
  struct ast_stmt *s = pml_stmt(b, AST_SEND, at);
  s->lhs = channel;
  s->sorted = sorted;
  pml_args(b, s, args);
  return s;
}

struct ast_stmt *pml_assign(struct pml_build *b, struct ast_expr *lhs, struct ast_expr *value,
                            char how, struct span at) {
  struct ast_stmt *s = pml_stmt(b, AST_ASSIGN, at);
  s->lhs = lhs;
  s->expr = value;
  s->how = how;
  return s;
}

struct ast_stmt *pml_step(struct pml_build *b, struct ast_expr *lhs, char how, struct span at) {
  struct ast_expr *one = pml_const(b, 1, at);
  return pml_assign(b, lhs, pml_expr2(b, how == '+' ? AST_ADD : AST_SUB, lhs, one, at), how, at);
}

struct ast_stmt *pml_range(struct pml_build *b, enum ast_stmt_kind kind, struct ast_expr *lhs,
                           struct ast_expr *lo, struct ast_expr *hi, struct span at) {
  struct ast_stmt *s = pml_stmt(b, kind, at);
  struct pml_exprs *args = pml_expr_add(b, NULL, lo);
  s->lhs = lhs;
  pml_args(b, s, hi ? pml_expr_add(b, args, hi) : args);
  return s;
}

// SPIN replaces a select between two numbers by what it stands for while it reads the text, unless
// the text is that of an inline or the variable's name has an underscore.
static bool is_replaced(const struct ast_expr *lhs, const struct ast_expr *lo,
                        const struct ast_expr *hi) {
  if (lo->op != AST_CONST || hi->op != AST_CONST || lo->in_parens || hi->in_parens) return false;
  return !lhs->args[0] && !lhs->args[1] && !strchr(lhs->name, '_');
}

static struct ast_stmt *choices(struct pml_build *b, struct ast_expr *lhs, int64_t lo, int64_t hi,
                                struct span at) {
  struct ast_stmt *s = pml_stmt(b, AST_IF, at);
  struct ast_option *last = NULL;
  for (int64_t v = lo; v <= hi; v++) {
    struct ast_option *o = ARENA_NEW(b->parse->arena, struct ast_option);
    struct ast_expr *target = pml_ref(b, lhs->name, NULL, lhs->span);
    *o = (struct ast_option){.span = at,
                             .body = pml_assign(b, target, pml_const(b, v, at), '=', at)};
    last = PML_APPEND(last, o);
  }
  s->options = PML_CLOSE(last);
  return s;
}

struct ast_stmt *pml_select(struct pml_build *b, bool in_inline, struct ast_expr *lhs,
                            struct ast_expr *lo, struct ast_expr *hi, struct span at) {
  enum { CHOICES_MAX = 32 };
  bool replaced = !in_inline && is_replaced(lhs, lo, hi);
  if (replaced && lo->value > hi->value)
    diag_error(b->parse->diag, at, "select from %lld to %lld: the range is empty",
               (long long)lo->value, (long long)hi->value);
  else if (replaced && hi->value - lo->value <= CHOICES_MAX)
    return choices(b, lhs, lo->value, hi->value, at);
  struct ast_stmt *s = pml_range(b, AST_SELECT, lhs, lo, hi, at);
  s->how = replaced ? 't' : 0;
  return s;
}

struct ast_stmt *pml_printf(struct pml_build *b, const char *format, struct span format_at,
                            const struct pml_exprs *args, struct span at) {
  struct ast_stmt *s = pml_stmt(b, AST_PRINTF, at);
  struct ast_expr *f = pml_expr(b, AST_STRING, format_at);
  f->name = format;
  struct pml_exprs *all = pml_expr_add(b, NULL, f);
  pml_args(b, s, args ? pml_exprs_join(b, all, args) : all);
  return s;
}

struct ast_stmt *pml_return(struct pml_build *b, struct ast_expr *value, struct span at) {
  if (b->result) return pml_assign(b, b->result, value, '=', at);
  diag_error(b->parse->diag, at,
             "return stands outside of an inline that is called for its value, like x = f()");
  return pml_stmt(b, AST_BREAK, at);
}

// --- units ---

struct ast_unit *pml_unit(struct pml_build *b, enum ast_unit_kind kind, struct span at) {
  struct ast_unit *u = ARENA_NEW(b->parse->arena, struct ast_unit);
  u->kind = kind;
  u->span = at;
  return u;
}

struct ast_unit *pml_named_unit(struct pml_build *b, enum ast_unit_kind kind, const char *name,
                                const struct pml_names *names, struct span at) {
  struct ast_unit *u = pml_unit(b, kind, at);
  u->name = name;
  u->names = names->data;
  u->name_spans = names->spans;
  u->name_count = names->count;
  return u;
}

struct ast_unit *pml_mtype(struct pml_build *b, int64_t base, const char *set,
                           const struct pml_names *names, struct span at) {
  if (base != AST_MTYPE)
    diag_error(b->parse->diag, at, "names are declared for an mtype only; expected mtype");
  for (uint32_t i = 0; i < names->count; i++)
    pml_stream_word(b->stream, names->data[i], PML_WORD_MTYPE);
  return pml_named_unit(b, AST_UNIT_MTYPE, set, names, at);
}
