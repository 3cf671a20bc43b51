// SPDX-License-Identifier: Apache-2.0
// The order of conditions and choices: the condition that needs the fewest choices that are not yet
// made comes next, so that concrete engines leave early what leads nowhere. Choices that no
// condition needs come last.
#include "front/smv/lower.h"

#include <string.h>

static size_t words(const struct smv_lower *w) { return w->flat->symbols.count / 64 + 1; }

static void add(uint64_t *set, size_t i) { set[i / 64] |= UINT64_C(1) << (i % 64); }

static void add_all(uint64_t *set, const uint64_t *other, size_t n) {
  for (size_t i = 0; i < n; i++) set[i] |= other[i];
}

// --- what is needed ---

static const uint64_t *needs_of(struct smv_lower *w, struct smv_scope *s,
                                const struct smv_symbol *x);

static void need(struct smv_walk *walk, const struct smv_symbol *x) {
  add_all(walk->context, needs_of(walk->w, walk->s, x), words(walk->w));
}

static uint64_t *needs_of_expr(struct smv_lower *w, struct smv_scope *s, const struct smv_expr *e,
                               enum smv_time t) {
  uint64_t *set = ARENA_ARRAY(w->arena, uint64_t, words(w));
  struct smv_walk walk = {w, s, need, set, mem_zalloc(w->flat->exprs, 1)};
  smv_walk_unknowns(&walk, e, t);
  mem_free(walk.seen);
  return set;
}

static const uint64_t *needs_of(struct smv_lower *w, struct smv_scope *s,
                                const struct smv_symbol *x) {
  struct smv_unknown *u = &s->unknowns[x->id];
  if (u->needs) return u->needs;
  if (u->wanted) diag_error(w->d, u->span, "the value of %s depends on itself", x->name);
  if (u->how != HOW_COMPUTED || u->wanted) {
    u->needs = ARENA_ARRAY(w->arena, uint64_t, words(w));
    if (u->how == HOW_CHOSEN) add(u->needs, x->id);
    return u->needs;
  }
  u->wanted = true;
  u->needs = needs_of_expr(w, s, u->expr, u->time);
  u->wanted = false;
  return u->needs;
}

// Circles are found where an unknown is needed while it is looked at.
static void find_needs(struct smv_lower *w, struct smv_scope *s) {
  for (size_t i = 0; i < w->flat->symbols.count; i++)
    if (s->unknowns[i].how == HOW_COMPUTED) needs_of(w, s, w->flat->symbols.data[i]);
  for (size_t i = 0; i < s->conditions.count; i++) {
    struct smv_condition *c = &s->conditions.data[i];
    const struct smv_unknown *u = c->symbol ? &s->unknowns[c->symbol->id] : NULL;
    c->needs = u ? needs_of_expr(w, s, u->expr, u->time) : needs_of_expr(w, s, c->expr, c->time);
    if (u) add(c->needs, c->symbol->id);
  }
}

// --- order ---

static unsigned missing(const uint64_t *needs, const uint64_t *made, size_t n) {
  unsigned count = 0;
  for (size_t i = 0; i < n; i++) count += (unsigned)__builtin_popcountll(needs[i] & ~made[i]);
  return count;
}

static void choose(struct smv_lower *w, struct smv_scope *s, size_t symbol) {
  const struct smv_symbol *x = w->flat->symbols.data[symbol];
  const char *name = s->unknown == TIME_NEXT && x->kind != SMV_INPUT
                         ? arena_printf(w->arena, "next(%s)", x->name)
                         : x->name;
  const struct ir_type *t = w->known->types[symbol];
  struct ir_local *l = ir_local_new(w->m, s->frame, IR_LOCAL_BOUND, name, t, x->span);
  l->domain = ir_domain_type(w->m, t);
  s->unknowns[symbol].local = l;
  s->rule->choice_count++;
}

static void choose_all(struct smv_lower *w, struct smv_scope *s, const uint64_t *needs,
                       uint64_t *made) {
  for (size_t i = 0; i < w->flat->symbols.count; i++)
    if (words_has(needs, i) && !words_has(made, i)) choose(w, s, i);
  add_all(made, needs, words(w));
}

// Moves the condition that needs least to the front of those from `first` on.
static void bring_easiest(struct smv_lower *w, struct smv_scope *s, size_t first,
                          const uint64_t *made) {
  size_t best = first;
  unsigned least = ~0u;
  for (size_t i = first; i < s->conditions.count && least > 0; i++) {
    unsigned count = missing(s->conditions.data[i].needs, made, words(w));
    if (count < least) least = count, best = i;
  }
  struct smv_condition c = s->conditions.data[best];
  memmove(&s->conditions.data[first + 1], &s->conditions.data[first], (best - first) * sizeof c);
  s->conditions.data[first] = c;
}

void smv_order(struct smv_lower *w, struct smv_scope *s) {
  uint64_t *made = ARENA_ARRAY(w->arena, uint64_t, words(w));
  find_needs(w, s);
  for (size_t i = 0; i < s->conditions.count; i++) {
    bring_easiest(w, s, i, made);
    choose_all(w, s, s->conditions.data[i].needs, made);
  }
  for (size_t i = 0; i < w->flat->symbols.count; i++)
    if (s->unknowns[i].how == HOW_CHOSEN && !words_has(made, i)) choose(w, s, i);
}
