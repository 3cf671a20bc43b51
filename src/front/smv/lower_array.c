// SPDX-License-Identifier: Apache-2.0
// Elements of arrays by an index that is not constant: a choice among all of them, by the index.
// Arrays of arrays are chosen from the outside to the inside.
#include "front/smv/lower.h"

#define DIMENSIONS_MAX 16
#define ELEMENTS_MAX   5000 // they become nested choices

// a[i][j] as the array and its indices, the outermost first.
struct path {
  const struct smv_symbol *array;
  const struct smv_expr *index[DIMENSIONS_MAX];
  uint32_t count;
};

// False: it is not an array.
static bool path_of(const struct smv_expr *e, struct path *p) {
  p->count = 0;
  for (const struct smv_expr *x = e; x->op == SMV_INDEX; x = x->args[0]) p->count++;
  if (p->count > DIMENSIONS_MAX) return false;
  uint32_t i = p->count;
  for (; e->op == SMV_INDEX; e = e->args[0]) p->index[--i] = e->args[1];
  p->array = e->op == SMV_SYMBOL ? e->symbol : NULL;
  return p->array && p->array->kind == SMV_ARRAY;
}

static void each(const struct smv_symbol *s, void (*f)(void *, const struct smv_symbol *),
                 void *context) {
  if (s->kind != SMV_ARRAY) return f(context, s);
  for (int64_t i = 0; i <= s->hi - s->lo; i++) each(s->elements[i], f, context);
}

void smv_each_element(const struct smv_expr *e, void (*f)(void *, const struct smv_symbol *),
                      void *context) {
  struct path p;
  if (path_of(e, &p)) each(p.array, f, context);
}

void smv_index_bounds(const struct smv_expr *e, int64_t *lo, int64_t *hi) {
  struct path p;
  bool array = path_of(e, &p);
  assert(array);
  (void)array;
  const struct smv_symbol *s = p.array;
  for (uint32_t i = 1; i < p.count; i++) s = s->elements[0];
  *lo = s->lo;
  *hi = s->hi;
}

// --- kinds ---

// The index is a variable whose values all lie in the array.
static bool is_inside(struct smv_lower *w, const struct smv_expr *index,
                      const struct smv_symbol *array) {
  const struct smv_expr *x = smv_meant(index);
  const struct ir_type *t = x->op == SMV_SYMBOL ? w->known->types[x->symbol->id] : NULL;
  return t && t->lo >= array->lo && t->hi <= array->hi;
}

struct joining {
  struct smv_lower *w;
  struct smv_kind kind;
  uint32_t count;
};

static void join_element(void *context, const struct smv_symbol *s) {
  struct joining *j = context;
  struct smv_kind k = smv_symbol_kind(j->w, s);
  j->kind = j->count++ == 0 ? k : smv_kind_join(j->kind, k);
}

// The dimensions match, and the indices are integers or words; false: told.
static bool check_path(struct smv_lower *w, const struct path *p, struct span span, bool *fails) {
  const struct smv_symbol *s = p->array;
  for (uint32_t i = 0; i < p->count; i++) {
    if (s->kind != SMV_ARRAY) {
      diag_error(w->d, span, "%s has fewer dimensions than that", p->array->name);
      return false;
    }
    struct smv_kind k = smv_kind(w, p->index[i]);
    if (k.name == KIND_BAD) return false;
    if ((k.name != KIND_INT && k.name != KIND_WORD) || k.set) {
      diag_error(w->d, p->index[i]->span, "an index must be an integer or a word, and this is %s",
                 smv_kind_text(w, k));
      return false;
    }
    *fails = *fails || k.fails || !is_inside(w, p->index[i], s);
    s = s->elements[0];
  }
  if (s->kind == SMV_ARRAY) diag_error(w->d, span, "%s has more dimensions", p->array->name);
  return s->kind != SMV_ARRAY;
}

struct smv_kind smv_kind_index(struct smv_lower *w, const struct smv_expr *e) {
  struct path p;
  bool fails = false;
  if (!path_of(e, &p))
    return smv_kind_error(w, e->span, "this is indexed, and is no array of at most %d dimensions",
                          DIMENSIONS_MAX);
  if (!check_path(w, &p, e->span, &fails)) return (struct smv_kind){.name = KIND_BAD};
  struct joining j = {.w = w};
  each(p.array, join_element, &j);
  if (j.count > ELEMENTS_MAX)
    return smv_kind_error(w, e->span, "an index into more than %d elements", ELEMENTS_MAX);
  if (j.kind.name == KIND_BAD)
    return smv_kind_error(w, e->span, "the elements of %s do not have one type", p.array->name);
  j.kind.fails = j.kind.fails || fails;
  return j.kind;
}

// --- values ---

static struct ir_expr *read_element(struct smv_lower *w, const struct smv_expr *e,
                                    const struct path *p, uint32_t depth,
                                    const struct smv_symbol *s, enum smv_time t) {
  struct smv_kind k = smv_kind(w, e);
  if (s->kind != SMV_ARRAY) {
    struct ir_expr *x = smv_symbol_value(w, s, t, e->span);
    bool number = smv_symbol_kind(w, s).name != KIND_BOOL && k.name == KIND_BOOL;
    return number ? ir_binary(w->m, IR_NE, x, ir_int(w->m, 0, e->span), e->span) : x;
  }
  const struct smv_expr *index = p->index[depth];
  int64_t count = s->hi - s->lo + 1;
  struct ir_expr *x =
      is_inside(w, index, s)
          ? read_element(w, e, p, depth + 1, s->elements[--count], t)
          : smv_fault(w, k, IR_FAULT_INDEX, e->span,
                      arena_printf(w->arena, "the index of %s is outside of %lld..%lld", s->name,
                                   (long long)s->lo, (long long)s->hi));
  while (count-- > 0) {
    struct ir_expr *at = smv_value(w, index, t), *n = ir_int(w->m, s->lo + count, e->span);
    struct ir_expr *element = read_element(w, e, p, depth + 1, s->elements[count], t);
    x = ir_ite(w->m, ir_binary(w->m, IR_EQ, at, n, e->span), element, x, smv_kind_type(w, k),
               e->span);
  }
  return x;
}

struct ir_expr *smv_element(struct smv_lower *w, const struct smv_expr *e, enum smv_time t) {
  struct path p;
  bool array = path_of(e, &p);
  assert(array);
  (void)array;
  return read_element(w, e, &p, 0, p.array, t);
}
