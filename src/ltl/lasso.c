// SPDX-License-Identifier: Apache-2.0
// A formula's truth on a lasso, by the definition of the operators: what each subformula is worth
// in each of the lasso's states, subformulas first. Until is the least fix-point of its unrolling,
// release and weak until the greatest; on a lasso two rounds backwards reach either. Of the past
// the definition goes forwards; there the cycle is gone round until nothing changes any more.
#include "ltl/formula.h"

struct lasso {
  const uint64_t *states;
  size_t count, loop;
  bool **truth; // by id, then by state; NULL: not known yet
};

static size_t successor(const struct lasso *l, size_t i) {
  return i + 1 < l->count ? i + 1 : l->loop;
}

// The fix-point of  truth = now or (stay and next(truth))  that starts from `start`.
static void unroll(const struct lasso *l, const bool *now, const bool *stay, bool start,
                   bool *truth) {
  for (size_t i = 0; i < l->count; i++) truth[i] = start;
  for (int round = 0; round < 2; round++)
    for (size_t i = l->count; i-- > 0;)
      truth[i] = (!now || now[i]) || ((!stay || stay[i]) && truth[successor(l, i)]);
}

// a R b: b holds, and a does or the same holds next.
static void unroll_release(const struct lasso *l, const bool *a, const bool *b, bool *truth) {
  for (size_t i = 0; i < l->count; i++) truth[i] = true;
  for (int round = 0; round < 2; round++)
    for (size_t i = l->count; i-- > 0;) truth[i] = b[i] && ((a && a[i]) || truth[successor(l, i)]);
}

// What operator x of the past is worth in state i, by what it was in the state before.
static bool recall(const struct ltl *x, const bool *a, const bool *b, size_t i, bool before) {
  switch (x->op) {
  case LTL_PREVIOUS: return i > 0 && a[i - 1];
  case LTL_WEAK_PREVIOUS: return i == 0 || a[i - 1];
  case LTL_ONCE: return a[i] || (i > 0 && before);
  case LTL_HISTORICALLY: return a[i] && (i == 0 || before);
  case LTL_SINCE: return b[i] || (a[i] && i > 0 && before);
  default: return b[i] && (a[i] || i == 0 || before);
  }
}

static bool boolean(const struct ltl *x, uint64_t state, bool a, bool b) {
  switch (x->op) {
  case LTL_TRUE: return true;
  case LTL_ATOM: return state >> x->atom & 1;
  case LTL_NOT: return !a;
  case LTL_AND: return a && b;
  case LTL_OR: return a || b;
  case LTL_IMPLIES: return !a || b;
  case LTL_EQUIV: return a == b;
  default: return false;
  }
}

static void evaluate(const struct lasso *l, const struct ltl *x, bool *truth) {
  const bool *a = x->left ? l->truth[x->left->id] : NULL;
  const bool *b = x->right ? l->truth[x->right->id] : NULL;
  if (ltl_is_past(x->op)) {
    for (size_t i = 0; i < l->count; i++) truth[i] = recall(x, a, b, i, i > 0 && truth[i - 1]);
    return;
  }
  switch (x->op) {
  case LTL_EVENTUALLY: unroll(l, a, NULL, false, truth); break;
  case LTL_UNTIL: unroll(l, b, a, false, truth); break;
  case LTL_WEAK: unroll(l, b, a, true, truth); break;
  case LTL_ALWAYS: unroll_release(l, NULL, a, truth); break;
  case LTL_RELEASE: unroll_release(l, a, b, truth); break;
  default:
    for (size_t i = 0; i < l->count; i++)
      truth[i] =
          x->op == LTL_NEXT ? a[successor(l, i)] : boolean(x, l->states[i], a && a[i], b && b[i]);
  }
}

static void visit(struct lasso *l, const struct ltl *x) {
  if (l->truth[x->id]) return;
  if (x->left) visit(l, x->left);
  if (x->right) visit(l, x->right);
  l->truth[x->id] = mem_zalloc(l->count, sizeof(bool));
  evaluate(l, x, l->truth[x->id]);
}

// How many states past `loop` it takes until x repeats itself, every `period` states; known: by id,
// +
// 1. A step back puts it off by one. For the others of the past, one round of the cycle maps what
// is so far to what is then: leaves it, or makes it true, or false; a second round changes nothing.
static size_t delay(const struct ltl *x, size_t period, size_t *known) {
  if (known[x->id]) return known[x->id] - 1;
  size_t a = x->left ? delay(x->left, period, known) : 0;
  size_t b = x->right ? delay(x->right, period, known) : 0;
  size_t most = a > b ? a : b;
  if (x->op == LTL_PREVIOUS || x->op == LTL_WEAK_PREVIOUS)
    most++;
  else if (ltl_is_past(x->op))
    most += period;
  known[x->id] = most + 1;
  return most;
}

static bool on_lasso(const struct ltl *f, const uint64_t *states, size_t count, size_t loop) {
  struct lasso l = {.states = states, .count = count, .loop = loop};
  l.truth = mem_zalloc((size_t)f->id + 1, sizeof *l.truth);
  visit(&l, f);
  bool answer = l.truth[f->id][0];
  for (size_t i = 0; i <= f->id; i++) mem_free(l.truth[i]);
  mem_free(l.truth);
  return answer;
}

bool ltl_on_lasso(const struct ltl *f, const uint64_t *states, size_t count, size_t loop) {
  assert(count > 0 && loop < count);
  size_t period = count - loop, *known = mem_zalloc((size_t)f->id + 1, sizeof *known);
  size_t more = delay(f, period, known);
  mem_free(known);
  uint64_t *longer = mem_alloc((count + more) * sizeof *longer);
  for (size_t i = 0; i < count + more; i++)
    longer[i] = states[i < count ? i : loop + (i - loop) % period];
  bool answer = on_lasso(f, longer, count + more, loop + more);
  mem_free(longer);
  return answer;
}
