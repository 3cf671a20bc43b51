// SPDX-License-Identifier: Apache-2.0
// From an SMV text to a finished model: flatten, check, lower, fold, lay out. The flat model stays
// with it, to read expressions that users give later.
#include "front/smv/smv.h"

#include "front/smv/flat.h"
#include "front/smv/lower.h"

#include <string.h>

static const char *base_name(struct arena *a, const char *path) {
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
  const char *dot = strrchr(base, '.');
  return arena_strndup(a, base, dot && dot != base ? (size_t)(dot - base) : strlen(base));
}

static void known_free(void *front) {
  struct smv_known *k = front;
  if (k->flat) smv_flat_free(k->flat);
  arena_free(k->arena);
  mem_free(k);
}

static struct smv_known *known_new(void) {
  struct smv_known *k = mem_zalloc(1, sizeof *k);
  k->arena = arena_new();
  return k;
}

static void lower_init(struct smv_lower *w, struct ir_model *m, struct diag *d) {
  *w = (struct smv_lower){.m = m, .d = d, .known = m->front, .arena = arena_new()};
  w->flat = w->known->flat;
  w->kinds = ARENA_ARRAY(w->arena, struct smv_kind, w->flat->exprs + 1);
  w->faults = ARENA_ARRAY(w->arena, const struct ir_function *, w->flat->exprs + 1);
}

static void lower_clear(struct smv_lower *w) {
  VEC_CLEAR(&w->made);
  arena_free(w->arena);
}

static void lower_model(struct ir_model *m, struct diag *d) {
  struct smv_lower w;
  size_t errors = d->errors;
  lower_init(&w, m, d);
  smv_lower_types(&w);
  smv_check(&w);
  if (d->errors == errors) smv_lower_rules(&w);
  if (d->errors == errors) smv_lower_specs(&w);
  lower_clear(&w);
}

struct ir_model *smv_load(struct source *s, const struct smv_define *defines, size_t define_count,
                          struct diag *d) {
  struct ir_model *m = ir_model_new("", "smv");
  struct smv_known *known = known_new();
  size_t errors = d->errors;
  m->name = base_name(m->arena, s->path);
  m->deadlock = IR_DEADLOCK_OFF;
  m->front = known;
  m->front_free = known_free;
  if (source_readable(s, "file", "an SMV model", d))
    known->flat = smv_flatten(s, defines, define_count, d);
  if (d->errors == errors) lower_model(m, d);
  if (d->errors == errors) ir_fold(m);
  if (d->errors == errors && ir_model_finish(m, d)) {
    VEC_PUSH(&m->sources, s);
    return m;
  }
  diag_keep_source(d, s); // the diagnostics point into it
  ir_model_free(m);
  return NULL;
}

// --- expressions given later ---

static bool fits(struct smv_lower *w, const struct smv_expr *e, enum ir_want want) {
  if (want == IR_WANT_BOOL) return smv_want_bool(w, e, "the condition");
  struct smv_kind k = smv_kind(w, e);
  bool number = k.name == KIND_INT || k.name == KIND_WORD;
  if (k.name != KIND_BAD && (!number || k.set))
    diag_error(w->d, e->span, "the value must be an integer, and this is %s", smv_kind_text(w, k));
  return number && !k.set;
}

static struct ir_expr *lower_given(struct smv_lower *w, const struct smv_expr *e, enum ir_want want,
                                   struct ir_frame *frame) {
  struct smv_scope s = {.frame = frame};
  w->scope = &s;
  w->given = true;
  if (!smv_allowed(w, e, 0, "an expression over states") || !fits(w, e, want)) return NULL;
  struct ir_expr *x = want == IR_WANT_BOOL ? smv_truth(w, e, TIME_NOW) : smv_value(w, e, TIME_NOW);
  return ir_expr_fold(w->m, x);
}

static struct ir_expr *read_given(struct ir_model *m, struct source *s, enum ir_want want,
                                  struct ir_frame *frame, struct diag *d) {
  struct smv_known *known = m->front;
  if (!source_readable(s, "text", "an SMV expression", d)) return NULL;
  const struct smv_expr *e = smv_flatten_expr(known->flat, s, d);
  if (!e) return NULL;
  struct smv_lower w;
  lower_init(&w, m, d);
  struct ir_expr *x = lower_given(&w, e, want, frame);
  lower_clear(&w);
  return x;
}

struct ir_expr *smv_expr(struct ir_model *m, struct source *s, enum ir_want want,
                         const struct ir_rule *scope, struct ir_frame *frame, struct diag *d) {
  assert(m->front_free == known_free);
  size_t sites = m->sites.count, types = m->types.count;
  ir_frame_scope(m, frame, scope);
  struct ir_expr *x = read_given(m, s, want, frame, d);
  if (x) {
    VEC_PUSH(&m->given, s);
    return x;
  }
  m->sites.count = sites; // of nodes that nobody has
  m->types.count = types;
  diag_keep_source(d, s);
  return NULL;
}
