// SPDX-License-Identifier: Apache-2.0
// From a Murphi text to a finished model: read, resolve and lower in source order, fold, lay out.
#include "front/murphi/murphi.h"

#include "front/murphi/lower.h"
#include "front/murphi/parse.h"
#include "ir/ir.h"

#include <string.h>

static struct span start_of(const struct source *s) {
  return (struct span){.source = s, .line = 1, .column = 1, .end_line = 1, .end_column = 2};
}

bool murphi_readable(struct source *s, bool given, struct diag *d) {
  return given ? source_readable(s, "text", "a Murphi expression", d)
               : source_readable(s, "file", "a Murphi model", d);
}

static const char *base_name(struct arena *a, const char *path) {
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
  const char *dot = strrchr(base, '.');
  return arena_strndup(a, base, dot && dot != base ? (size_t)(dot - base) : strlen(base));
}

static void predeclare(struct lower *w) {
  static const char *const names[] = {"false", "true"};
  for (int64_t i = 0; i < 2; i++) {
    struct ast_name n = {
        .ident = murphi_ident(&w->known->idents, w->m->arena, names[i], strlen(names[i]))};
    struct symbol *s = murphi_declare(w, SYMBOL_CONST, &n);
    s->type = w->m->bool_type;
    s->value = i;
  }
}

static void unused_defines(struct lower *w) {
  static const struct span nowhere;
  VEC(const char *) names = {0};
  for (const struct symbol *s = w->last; s; s = s->below)
    if (s->kind == SYMBOL_CONST && s->type->kind != IR_TYPE_ENUM && s->span.source)
      VEC_PUSH(&names, s->ident->text);
  for (size_t i = 0; i < w->define_count; i++) {
    if (w->define_used[i]) continue;
    const char *name = w->defines[i].name, *best = name_nearest(name, names.data, names.count);
    if (best)
      diag_error(w->d, nowhere, "-D %s: the model has no constant '%s'; did you mean '%s'?", name,
                 name, best);
    else
      diag_error(w->d, nowhere, "-D %s: the model has no constant '%s'; expected one of its own",
                 name, name);
  }
  VEC_CLEAR(&names);
}

static void lower_all(struct lower *w, struct ast_node *nodes) {
  w->depth = 0;
  predeclare(w);
  for (struct ast_node *n = nodes; n; n = n->next) {
    if (n->decls) murphi_decls(w, n->decls);
    if (n->function) murphi_function(w, n->function);
    if (n->rule) murphi_rule(w, n->rule);
  }
  unused_defines(w);
  if (w->priorities && w->d->errors == 0) murphi_priorities(w);
  if (w->rules == 0)
    diag_error(w->d, start_of(w->source), "the model has no rule; expected at least one");
  if (w->starts == 0)
    diag_error(w->d, start_of(w->source), "the model has no startstate; expected at least one");
}

static void lower_tree(struct ir_model *m, struct murphi_parse *p, struct lower *w) {
  w->m = m;
  w->known = m->front;
  w->d = p->diag;
  w->source = p->source;
  w->tree = p->tree;
  w->define_used = mem_zalloc(w->define_count + 1, sizeof(bool));
  lower_all(w, p->nodes);
  assert(w->depth == 0);
  mem_free(w->define_used);
  VEC_CLEAR(&w->lines);
  VEC_CLEAR(&w->returns);
  VEC_CLEAR(&w->around);
  VEC_CLEAR(&w->lowered);
}

struct ir_model *murphi_load(struct source *s, const struct murphi_define *defines,
                             size_t define_count, uint64_t while_limit, struct diag *d) {
  struct ir_model *m = ir_model_new("", "murphi");
  m->name = base_name(m->arena, s->path);
  m->deadlock = IR_DEADLOCK_STUTTERING;
  struct known *known = murphi_known_new();
  m->front = known;
  m->front_free = murphi_known_free;
  struct murphi_parse p = {.source = s, .diag = d, .tree = arena_new(), .texts = m->arena};
  p.idents = &known->idents;
  size_t before = d->errors;
  if (murphi_readable(s, false, d)) murphi_parse(&p);
  if (d->errors == before) {
    struct lower w = {.defines = defines, .define_count = define_count, .while_limit = while_limit};
    lower_tree(m, &p, &w);
  }
  arena_free(p.tree);
  if (d->errors == before) ir_fold(m);
  if (d->errors == before && ir_model_finish(m, d)) {
    VEC_PUSH(&m->sources, s);
    return m;
  }
  diag_keep_source(d, s); // the diagnostics point into it
  ir_model_free(m);
  return NULL;
}
