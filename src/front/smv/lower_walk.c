// SPDX-License-Identifier: Apache-2.0
// Walks over what expressions say, definitions included, each node once for each time.
#include "front/smv/lower.h"

struct counting {
  struct smv_lower *w;
  uint32_t **uses;
  enum smv_time time;
};

static void count_element(void *context, const struct smv_symbol *s) {
  struct counting *c = context;
  if (s->kind == SMV_DEFINE) smv_count_uses(c->w, c->uses, s->expr, c->time);
}

// Lowering mentions some operands several times.
static bool repeats(enum smv_op op) {
  return op == SMV_INDEX || op == SMV_IN || op == SMV_CALL || op == SMV_SHL || op == SMV_SHR;
}

// Is it a node of which a local can hold the value? What is inside of others is used as often as
// they are.
static bool can_hold(struct smv_lower *w, const struct smv_expr *e) {
  if (e->op == SMV_SYMBOL || e->op == SMV_NEXT) return false; // also: arrays have no kind
  return !smv_kind(w, e).set;
}

void smv_count_uses(struct smv_lower *w, uint32_t *uses[2], const struct smv_expr *e,
                    enum smv_time t) {
  uint32_t n = ++uses[t][e->id];
  if (n > 2 || (n == 2 && can_hold(w, e))) return; // twice is as good as more
  if (e->op == SMV_SYMBOL && e->symbol->kind == SMV_DEFINE)
    smv_count_uses(w, uses, e->symbol->expr, t);
  struct counting c = {w, uses, t};
  if (e->op == SMV_INDEX) smv_each_element(e, count_element, &c);
  enum smv_time inside = e->op == SMV_NEXT ? TIME_NEXT : t;
  for (uint32_t i = 0; i < e->arg_count; i++) {
    smv_count_uses(w, uses, e->args[i], inside);
    if (repeats(e->op)) smv_count_uses(w, uses, e->args[i], inside);
  }
}

struct element_walk {
  struct smv_walk *walk;
  enum smv_time time;
};

static void look_at(struct smv_walk *walk, const struct smv_symbol *s, enum smv_time t) {
  if (s->kind == SMV_DEFINE) return smv_walk_unknowns(walk, s->expr, t);
  bool variable = s->kind == SMV_VAR || s->kind == SMV_FROZEN;
  bool unknown = s->kind == SMV_INPUT || (variable && t == walk->s->unknown);
  if (unknown && walk->s->unknowns[s->id].how != HOW_STAYS) walk->found(walk, s);
}

static void look_at_element(void *context, const struct smv_symbol *s) {
  struct element_walk *x = context;
  look_at(x->walk, s, x->time);
}

void smv_walk_unknowns(struct smv_walk *walk, const struct smv_expr *e, enum smv_time t) {
  if (walk->seen[e->id] >> t & 1) return;
  walk->seen[e->id] |= (uint8_t)(1 << t);
  if (e->op == SMV_SYMBOL) return look_at(walk, e->symbol, t);
  struct element_walk x = {walk, t};
  if (e->op == SMV_INDEX) smv_each_element(e, look_at_element, &x);
  enum smv_time inside = e->op == SMV_NEXT ? TIME_NEXT : t;
  for (uint32_t i = 0; i < e->arg_count; i++) smv_walk_unknowns(walk, e->args[i], inside);
}
