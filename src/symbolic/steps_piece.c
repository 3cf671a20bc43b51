// SPDX-License-Identifier: Apache-2.0
// The pieces of a rule's step: guard, choices, assumptions, that nothing fails, and what is written
// into each leaf. Conjunctions are taken apart, so that clusters can be made of small pieces.
#include "ir/ir.h"
#include "symbolic/steps_own.h"

void steps_drop(dd_list *pieces) {
  for (size_t i = 0; i < pieces->count; i++) dd_drop(pieces->data[i]);
  VEC_CLEAR(pieces);
}

// Adds a piece, which is taken over. False: there is no step.
static bool add(dd_list *pieces, dd piece) {
  if (dd_is_true(piece)) return true;
  if (dd_is_false(piece)) return false;
  VEC_PUSH(pieces, piece);
  return true;
}

static bool add_term(struct space *s, dd_list *pieces, const struct term *t) {
  if (t->op == TERM_AND) return add_term(s, pieces, t->arg[0]) && add_term(s, pieces, t->arg[1]);
  return add(pieces, space_term(s, t));
}

// That a term does not hold: of a sum, that none of its parts does.
static bool add_not(struct space *s, dd_list *pieces, const struct term *t) {
  if (t->op == TERM_OR) return add_not(s, pieces, t->arg[0]) && add_not(s, pieces, t->arg[1]);
  dd is = space_term(s, t), piece = dd_not(is);
  dd_drop(is);
  return add(pieces, piece);
}

// Does the write leave its leaf as it is?
static bool stays(const struct space *s, const struct relation_write *w) {
  if (w->value->op != TERM_LEAF || w->value->leaf != w->leaf) return false;
  if (!s->model->layout->leaf[w->leaf].undef) return true;
  return w->defined && w->defined->op == TERM_DEFINED && w->defined->leaf == w->leaf;
}

static bool add_choices(struct space *s, const struct relation_rule *r, dd_list *pieces) {
  for (uint32_t k = 0; k < r->rule->choice_count; k++)
    if (!add(pieces, space_choice_valid(s, k))) return false;
  return true;
}

void steps_choices_valid(struct steps *t, const struct relation_rule *r, dd_list *pieces) {
  bool some = add_choices(t->space, r, pieces);
  assert(some && "a domain without values");
  (void)some;
}

// A leaf that stands for a choice is bound by what is said of the choice.
static bool is_choice(const struct space *s, const struct relation_rule *r,
                      const struct relation_write *w) {
  return w->value->op == TERM_CHOICE && space_choice_leaf(s, r, w->value->choice) == w->leaf;
}

// What start rules do not write is undefined, or the first of its values: code 0.
static bool add_unwritten(struct space *s, const struct relation_rule *r, dd_list *pieces) {
  size_t at = 0;
  for (uint64_t leaf = 0; leaf < s->model->layout->count; leaf++) {
    while (at < r->writes.count && r->writes.data[at].leaf < leaf) at++;
    if (at < r->writes.count && r->writes.data[at].leaf == leaf) continue;
    struct code c = space_leaf_code(s, leaf, true);
    if (!add(pieces, code_is(&space_algebra, &c, 0))) return false;
  }
  return true;
}

static bool add_writes(struct space *s, const struct relation_rule *r, dd_list *pieces) {
  for (size_t i = 0; i < r->writes.count; i++) {
    const struct relation_write *w = &r->writes.data[i];
    bool skip = is_choice(s, r, w) || (!r->rule->is_start && stays(s, w));
    if (!skip && !add(pieces, space_written(s, w, true))) return false;
  }
  return !r->rule->is_start || add_unwritten(s, r, pieces);
}

static bool add_all(struct space *s, const struct relation_rule *r, dd_list *pieces) {
  if (!add_term(s, pieces, r->guard) || !add_choices(s, r, pieces)) return false;
  for (size_t i = 0; i < r->assumes.count; i++)
    if (!add_term(s, pieces, r->assumes.data[i])) return false;
  for (size_t i = 0; i < r->errors.count; i++)
    if (!add_not(s, pieces, r->errors.data[i].alone)) return false;
  return add_writes(s, r, pieces);
}

bool steps_pieces(struct steps *t, const struct relation_rule *r, bool cut, dd_list *pieces) {
  space_bind(t->space, r, cut ? SPACE_CUT : SPACE_WHOLE);
  if (add_all(t->space, r, pieces)) return true;
  steps_drop(pieces);
  return false;
}

void steps_written(const struct space *s, const struct relation_rule *r, var_list *now,
                   var_list *next, struct move *m) {
  for (size_t i = 0; i < r->writes.count; i++) {
    const struct relation_write *w = &r->writes.data[i];
    if (stays(s, w)) continue;
    VEC_PUSH(&m->writes, w->leaf);
    const struct space_bits *b = &s->leaf[w->leaf];
    for (unsigned k = 0; k < b->count; k++) {
      VEC_PUSH(now, b->now[k]);
      VEC_PUSH(next, b->next[k]);
    }
  }
}

void steps_choice_vars(const struct space *s, const struct relation_rule *r, var_list *vars) {
  for (uint32_t k = 0; k < r->rule->choice_count; k++) {
    if (space_choice_leaf(s, r, k) != SPACE_NONE) continue;
    for (unsigned i = 0; i < s->choice[k].count; i++) VEC_PUSH(vars, s->choice[k].now[i]);
  }
}
