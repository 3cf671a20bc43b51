// SPDX-License-Identifier: Apache-2.0
// Walks over the graph of a term, each node once, and makes it anew. The memo is an array by id
// with stamps, so that beginning a new round costs nothing.
#include "hybrid/efsm_rebuild.h"

#include <string.h>

void rebuild_clear(struct rebuild *r) {
  mem_free(r->out);
  mem_free(r->stamp);
  *r = (struct rebuild){0};
}

void rebuild_begin(struct rebuild *r, rebuild_by *by, void *context) {
  r->by = by;
  r->context = context;
  r->round++;
}

static void reserve(struct rebuild *r, uint32_t id) {
  if (id < r->capacity) return;
  size_t old = r->capacity;
  r->capacity = (size_t)id + id / 2 + 64;
  r->out = mem_realloc(r->out, r->capacity * sizeof *r->out);
  r->stamp = mem_realloc(r->stamp, r->capacity * sizeof *r->stamp);
  memset(r->stamp + old, 0, (r->capacity - old) * sizeof *r->stamp);
}

static const struct term *keep(struct rebuild *r, const struct term *a, const struct term *b) {
  reserve(r, a->id);
  r->stamp[a->id] = r->round;
  r->out[a->id] = b;
  return b;
}

// Of which only one argument counts, if the first decides.
static const struct term *shortcut(struct rebuild *r, const struct term *a,
                                   const struct term *first) {
  if (a->op == TERM_AND && term_is(first, 0)) return first;
  if (a->op == TERM_OR && term_is(first, 1)) return first;
  if (a->op == TERM_ITE && first->op == TERM_CONST) return rebuild(r, a->arg[first->value ? 1 : 2]);
  return NULL;
}

static const struct term *made(struct rebuild *r, const struct term *a) {
  const struct term *arg[3] = {0};
  for (unsigned i = 0; i < a->args; i++) {
    arg[i] = rebuild(r, a->arg[i]);
    const struct term *b = i == 0 ? shortcut(r, a, arg[0]) : NULL;
    if (b) return b;
  }
  switch (a->op) {
  case TERM_CONST: return a->is_bool ? term_bool(r->to, a->value) : term_const(r->to, a->value);
  case TERM_LEAF:
  case TERM_DEFINED:
  case TERM_CHOICE: return r->by(r->context, a);
  case TERM_NOT: return term_not(r->to, arg[0]);
  case TERM_AND: return term_and(r->to, arg[0], arg[1]);
  case TERM_OR: return term_or(r->to, arg[0], arg[1]);
  case TERM_WRAP: return term_wrap(r->to, arg[0], a->bits, a->is_signed);
  case TERM_ITE: return term_ite(r->to, arg[0], arg[1], arg[2]);
  default: return term_binary(r->to, a->op, arg[0], arg[1]);
  }
}

const struct term *rebuild(struct rebuild *r, const struct term *a) {
  if (a->id < r->capacity && r->stamp[a->id] == r->round) return r->out[a->id];
  return keep(r, a, made(r, a));
}

void rebuild_know(struct rebuild *r, const struct term *a, bool value) {
  if (a->op == TERM_NOT) return rebuild_know(r, a->arg[0], !value);
  if (a->op == (value ? TERM_AND : TERM_OR)) {
    rebuild_know(r, a->arg[0], value);
    rebuild_know(r, a->arg[1], value);
  }
  if (a->op != TERM_CONST) keep(r, a, term_bool(r->to, value));
}
