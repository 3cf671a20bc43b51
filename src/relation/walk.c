// SPDX-License-Identifier: Apache-2.0
// Walks over the graph of a term, each node once: what it depends on, what it is with something
// else in place of a choice, and its value.
#include "relation/factory.h"

#include "ir/ir.h"

// Values by id. Graphs are small beside the number of all terms, so it is a table, not an array.
struct memo {
  struct memo_slot {
    const struct term *term;
    int64_t value;
  } * slots;
  size_t capacity, count;
};

static struct memo_slot *find(const struct memo *m, const struct term *a) {
  size_t i = (a->id * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (m->capacity - 1);
  while (m->slots[i].term && m->slots[i].term != a) i = (i + 1) & (m->capacity - 1);
  return &m->slots[i];
}

static void keep(struct memo *m, const struct term *a, int64_t value) {
  if (2 * m->count >= m->capacity) {
    struct memo old = *m;
    m->capacity = old.capacity ? 2 * old.capacity : 64;
    m->slots = mem_zalloc(m->capacity, sizeof *m->slots);
    for (size_t i = 0; i < old.capacity; i++)
      if (old.slots[i].term) *find(m, old.slots[i].term) = old.slots[i];
    mem_free(old.slots);
  }
  *find(m, a) = (struct memo_slot){a, value};
  m->count++;
}

static bool known(const struct memo *m, const struct term *a, int64_t *value) {
  if (m->capacity == 0) return false;
  const struct memo_slot *s = find(m, a);
  if (s->term) *value = s->value;
  return s->term != NULL;
}

// --- support ---

static void support(struct memo *m, const struct term *a, uint64_t *leaves, uint64_t *choices) {
  int64_t seen;
  if (a->op == TERM_CONST) return;
  if (a->op == TERM_LEAF || a->op == TERM_DEFINED) {
    if (leaves) leaves[a->leaf / 64] |= UINT64_C(1) << a->leaf % 64;
  } else if (a->op == TERM_CHOICE) {
    if (choices) choices[a->choice / 64] |= UINT64_C(1) << a->choice % 64;
  } else if (!known(m, a, &seen)) {
    keep(m, a, 0);
    for (unsigned i = 0; i < a->args; i++) support(m, a->arg[i], leaves, choices);
  }
}

void term_support(const struct term *a, uint64_t *leaves, uint64_t *choices) {
  struct memo m = {0};
  support(&m, a, leaves, choices);
  mem_free(m.slots);
}

// --- replacing ---

struct replacing {
  struct memo memo; // what came out, as a pointer
  struct terms *terms;
  uint32_t choice;
  const struct term *by;
};

static const struct term *replaced(struct replacing *w, const struct term *a);

static const struct term *rebuild(struct replacing *w, const struct term *a) {
  const struct term *arg[3] = {0};
  bool same = true;
  for (unsigned i = 0; i < a->args; i++) {
    arg[i] = replaced(w, a->arg[i]);
    same &= arg[i] == a->arg[i];
  }
  if (same) return a;
  switch (a->op) {
  case TERM_NOT: return term_not(w->terms, arg[0]);
  case TERM_AND: return term_and(w->terms, arg[0], arg[1]);
  case TERM_OR: return term_or(w->terms, arg[0], arg[1]);
  case TERM_WRAP: return term_wrap(w->terms, arg[0], a->bits, a->is_signed);
  case TERM_ITE: return term_ite(w->terms, arg[0], arg[1], arg[2]);
  default: return term_binary(w->terms, a->op, arg[0], arg[1]);
  }
}

static const struct term *replaced(struct replacing *w, const struct term *a) {
  int64_t seen;
  if (a->op == TERM_CHOICE) return a->choice == w->choice ? w->by : a;
  if (a->args == 0) return a;
  if (known(&w->memo, a, &seen)) return (const struct term *)(intptr_t)seen;
  const struct term *b = rebuild(w, a);
  keep(&w->memo, a, (int64_t)(intptr_t)b);
  return b;
}

const struct term *term_replace(struct terms *t, const struct term *a, uint32_t choice,
                                const struct term *by) {
  struct replacing w = {.terms = t, .choice = choice, .by = by};
  const struct term *b = replaced(&w, a);
  mem_free(w.memo.slots);
  return b;
}

// --- value ---

struct valuation {
  struct memo memo;
  const int64_t *leaves, *choices;
};

static bool is_undefined(const struct ir_type *type, int64_t v) {
  return v == IR_UNDEF && (type == NULL || ir_type_can_undef(type));
}

static int64_t value_of(struct valuation *w, const struct term *a);

static int64_t compute(struct valuation *w, const struct term *a) {
  switch (a->op) {
  case TERM_NOT: return !value_of(w, a->arg[0]);
  case TERM_AND: return value_of(w, a->arg[0]) && value_of(w, a->arg[1]);
  case TERM_OR: return value_of(w, a->arg[0]) || value_of(w, a->arg[1]);
  case TERM_WRAP: return term_wrapped(value_of(w, a->arg[0]), a->bits, a->is_signed);
  case TERM_ITE: return value_of(w, a->arg[value_of(w, a->arg[0]) ? 1 : 2]);
  default: return term_apply(a->op, value_of(w, a->arg[0]), value_of(w, a->arg[1]));
  }
}

static int64_t value_of(struct valuation *w, const struct term *a) {
  int64_t v;
  switch (a->op) {
  case TERM_CONST: return a->value;
  case TERM_LEAF: v = w->leaves[a->leaf]; return is_undefined(a->type, v) ? a->type->lo : v;
  case TERM_DEFINED: return !is_undefined(NULL, w->leaves[a->leaf]);
  case TERM_CHOICE: return w->choices[a->choice];
  default: break;
  }
  if (known(&w->memo, a, &v)) return v;
  v = compute(w, a);
  keep(&w->memo, a, v);
  return v;
}

int64_t term_value(const struct term *a, const int64_t *leaves, const int64_t *choices) {
  struct valuation w = {.leaves = leaves, .choices = choices};
  int64_t v = value_of(&w, a);
  mem_free(w.memo.slots);
  return v;
}
