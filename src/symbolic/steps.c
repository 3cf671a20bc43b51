// SPDX-License-Identifier: Apache-2.0
// Images of sets of states, one move after the other. A move quantifies only what it writes:
// leaves that stay keep their variables, so that no diagram says "unchanged".
#include "symbolic/steps.h"

#include "ir/ir.h"
#include "symbolic/split.h"
#include "symbolic/steps_own.h"

#include <string.h>

#define JOIN_NODES 1000 // moves that write the same are joined up to this size

// --- moves ---

void steps_move_clear(struct move *m) {
  VEC_CLEAR(&m->instances);
  VEC_CLEAR(&m->writes);
  clusters_clear(&m->relation);
  dd_renaming_free(m->to_next);
  dd_renaming_free(m->to_now);
}

static void list_add(var_list *to, const var_list *from) {
  for (size_t i = 0; i < from->count; i++) VEC_PUSH(to, from->data[i]);
}

struct lists { // the variables of a move
  var_list now, next, choice, forward, backward;
};

static void lists_clear(struct lists *l) {
  VEC_CLEAR(&l->now);
  VEC_CLEAR(&l->next);
  VEC_CLEAR(&l->choice);
  VEC_CLEAR(&l->forward);
  VEC_CLEAR(&l->backward);
}

static void lists_init(struct lists *l, const struct space *s, const struct relation_rule *r,
                       struct move *m) {
  *l = (struct lists){0};
  steps_written(s, r, &l->now, &l->next, m);
  steps_choice_vars(s, r, &l->choice);
  list_add(&l->forward, &l->now);
  list_add(&l->forward, &l->choice);
  list_add(&l->backward, &l->next);
  list_add(&l->backward, &l->choice);
}

static bool same_writes(const struct move *a, const struct move *b) {
  return a->writes.count == b->writes.count &&
         (!a->writes.count ||
          !memcmp(a->writes.data, b->writes.data, a->writes.count * sizeof(*a->writes.data)));
}

// Joins a move of one cluster to one like it, if the sum stays small. It is used up then.
static bool join(struct steps *t, struct move *m) {
  if (m->relation.part.count != 1) return false;
  for (size_t i = t->moves.count; i-- > 0;) {
    struct move *to = &t->moves.data[i];
    if (to->relation.part.count != 1 || to->agent != m->agent || !same_writes(to, m)) continue;
    dd sum = dd_or(to->relation.part.data[0], m->relation.part.data[0]);
    if (dd_nodes(sum) > JOIN_NODES) {
      dd_drop(sum);
      continue;
    }
    dd_set(&to->relation.part.data[0], sum);
    for (size_t k = 0; k < m->instances.count; k++) VEC_PUSH(&to->instances, m->instances.data[k]);
    steps_move_clear(m);
    return true;
  }
  return false;
}

static void add_rule(struct steps *t, const struct relation_rule *r) {
  dd_list pieces = {0};
  if (!steps_pieces(t, r, true, &pieces)) return;
  struct move m = {.agent = r->agent};
  struct lists l;
  lists_init(&l, t->space, r, &m);
  VEC_PUSH(&m.instances, r->instance);
  clusters_init(&m.relation, &pieces, &l.forward, &l.backward, &l.choice);
  if (m.relation.part.count == 1 && dd_is_false(m.relation.part.data[0])) {
    steps_move_clear(&m);
  } else if (!join(t, &m)) {
    m.to_next = dd_renaming_new(l.now.data, l.next.data, l.now.count);
    m.to_now = dd_renaming_new(l.next.data, l.now.data, l.now.count);
    VEC_PUSH(&t->moves, m);
  }
  lists_clear(&l);
}

struct steps *steps_new(struct space *s) {
  struct steps *t = mem_zalloc(1, sizeof(*t));
  t->space = s;
  for (size_t i = 0; i < s->model->properties.count; i++)
    t->assumes |= s->model->properties.data[i]->kind == IR_PROP_ASSUME;
  for (size_t i = 0; i < s->relation->rules.count; i++) add_rule(t, &s->relation->rules.data[i]);
  space_bind(s, NULL, SPACE_WHOLE);
  if (t->moves.count == 1) t->split = split_new(t);
  return t;
}

void steps_free(struct steps *t) {
  if (!t) return;
  split_free(t->split);
  for (size_t i = 0; i < t->moves.count; i++) steps_move_clear(&t->moves.data[i]);
  VEC_CLEAR(&t->moves);
  dd_drop(t->failing);
  mem_free(t);
}

size_t steps_nodes(const struct steps *t) {
  size_t sum = 0;
  for (size_t i = 0; i < t->moves.count; i++) {
    const dd_list *part = &t->moves.data[i].relation.part;
    for (size_t k = 0; k < part->count; k++) sum += dd_nodes(part->data[k]);
  }
  return sum;
}

// --- images ---

static dd allowed(const struct steps *t, dd a) {
  return t->assumes ? dd_and(a, t->space->valid_now) : dd_copy(a);
}

dd steps_move_image(const struct move *m, dd from) {
  dd next = clusters_product(&m->relation, &m->relation.forward, from);
  dd out = dd_rename(next, m->to_now);
  dd_drop(next);
  return out;
}

dd steps_image(struct steps *t, dd from) {
  dd sum = t->split ? split_image(t->split, from) : dd_false();
  for (size_t i = 0; i < t->moves.count && !t->split; i++)
    dd_or_to(&sum, steps_move_image(&t->moves.data[i], from));
  dd_set(&sum, allowed(t, sum));
  return sum;
}

static dd move_preimage(const struct move *m, dd to, dd within) {
  dd next = dd_rename(to, m->to_next);
  dd out = clusters_product_in(&m->relation, &m->relation.backward, next, within);
  dd_drop(next);
  return out;
}

// Steps of all agents (any), or of this one, from states of a set to states of which nothing is
// assumed.
static dd preimage(struct steps *t, dd to, dd within, bool any, int32_t agent) {
  dd sum = dd_false();
  for (size_t i = 0; i < t->moves.count; i++)
    if (any || t->moves.data[i].agent == agent)
      dd_or_to(&sum, move_preimage(&t->moves.data[i], to, within));
  dd_set(&sum, dd_and(sum, t->space->valid_now));
  return sum;
}

dd steps_before(struct steps *t, dd to, dd within) {
  dd good = allowed(t, to), out = preimage(t, good, within, true, 0);
  dd_drop(good);
  return out;
}

dd steps_preimage(struct steps *t, dd to) { return steps_before(t, to, dd_true()); }

dd steps_preimage_of(struct steps *t, dd to, int32_t agent) {
  dd good = allowed(t, to), out = preimage(t, good, dd_true(), false, agent);
  dd_drop(good);
  return out;
}

dd steps_enabled(struct steps *t) { return steps_preimage(t, dd_true()); }

// --- starts ---

// The start states of one start rule, over `next` and its choices.
static dd start_states(struct steps *t, const struct relation_rule *r) {
  dd_list pieces = {0};
  dd out = dd_true();
  if (!steps_pieces(t, r, true, &pieces)) return dd_false();
  for (size_t i = 0; i < pieces.count; i++) dd_and_to(&out, dd_copy(pieces.data[i]));
  steps_drop(&pieces);
  if (t->assumes) dd_and_to(&out, dd_copy(t->space->valid_next));
  return out;
}

dd steps_starts(struct steps *t) {
  struct space *s = t->space;
  dd sum = dd_false();
  for (size_t i = 0; i < s->relation->starts.count; i++) {
    dd one = start_states(t, &s->relation->starts.data[i]);
    dd_or_to(&sum, dd_exists(one, s->choice_cube));
    dd_drop(one);
  }
  dd_set(&sum, dd_rename(sum, s->to_now));
  space_bind(s, NULL, SPACE_WHOLE);
  return sum;
}

// --- what fails ---

// Most errors that the terms allow cannot be: that is seen of each by itself, without all that
// comes before it, and mostly without knowing how next values come about. Binds the rule.
static bool *possible_errors(struct steps *t, const struct relation_rule *r) {
  const struct space *s = t->space;
  bool *possible = mem_zalloc(r->errors.count + 1, sizeof *possible);
  space_bind(t->space, r, SPACE_CUT_SAFE);
  for (size_t i = 0; i < r->errors.count; i++) {
    dd alone = space_term(t->space, r->errors.data[i].alone);
    dd_and_to(&alone, dd_copy(s->valid_now));
    if (!t->assumes) dd_and_to(&alone, dd_copy(s->valid_next));
    possible[i] = !dd_is_false(alone);
    dd_drop(alone);
  }
  return possible;
}

// Under which states and choices a rule fails. Binds it.
dd steps_errors(struct steps *t, const struct relation_rule *r) {
  bool *possible = possible_errors(t, r);
  space_bind(t->space, r, SPACE_WHOLE);
  dd bad = dd_false();
  for (size_t i = 0; i < r->errors.count; i++)
    if (possible[i]) dd_or_to(&bad, space_term(t->space, r->errors.data[i].when));
  mem_free(possible);
  if (dd_is_false(bad)) return bad;
  dd_list choices = {0};
  steps_choices_valid(t, r, &choices);
  for (size_t i = 0; i < choices.count; i++) dd_and_to(&bad, dd_copy(choices.data[i]));
  steps_drop(&choices);
  return bad;
}

// States before, whatever the choices are.
static dd without_choices(const struct space *s, dd a) {
  dd cube = dd_and(s->choice_cube, s->next_cube), out = dd_exists(a, cube);
  dd_drop(cube);
  return out;
}

dd steps_failing(struct steps *t) {
  if (t->failing_known) return dd_copy(t->failing);
  struct space *s = t->space;
  dd sum = preimage(t, s->assume_fails, dd_true(), true, 0);
  for (size_t i = 0; i < s->relation->rules.count; i++) {
    dd bad = steps_errors(t, &s->relation->rules.data[i]);
    dd_or_to(&sum, without_choices(s, bad));
    dd_drop(bad);
  }
  dd_set(&sum, dd_and(sum, s->valid_now));
  space_bind(s, NULL, SPACE_WHOLE);
  t->failing_known = true;
  t->failing = sum;
  return dd_copy(sum);
}

// Starts that fail by themselves, or that lead where an assumption fails.
static dd start_errors(struct steps *t, const struct relation_rule *r) {
  dd bad = steps_errors(t, r);
  if (dd_is_false(t->space->assume_fails)) return bad;
  bool assumes = t->assumes;
  t->assumes = false;
  dd there = start_states(t, r);
  t->assumes = assumes;
  dd fails = dd_rename(t->space->assume_fails, t->space->to_next);
  dd_and_to(&there, fails);
  dd_or_to(&bad, there);
  return bad;
}

bool steps_start_fails(struct steps *t, uint32_t *instance, int64_t *choices) {
  struct space *s = t->space;
  bool found = false;
  for (size_t i = 0; i < s->relation->starts.count && !found; i++) {
    const struct relation_rule *r = &s->relation->starts.data[i];
    dd bad = start_errors(t, r);
    found = !dd_is_false(bad);
    if (found) {
      *instance = r->instance;
      space_pick_choices(s, bad, r, choices);
    }
    dd_drop(bad);
  }
  space_bind(s, NULL, SPACE_WHOLE);
  return found;
}

// --- covers ---

static bool covered(const uint64_t *bits, uint32_t property) {
  return bits[property / 64] >> (property % 64) & 1;
}

// COVER statements of a rule that its steps from these states reach.
static void rule_covers(struct steps *t, const struct relation_rule *r, dd from, uint64_t *bits) {
  bool open = false;
  for (size_t i = 0; i < r->covers.count; i++) open |= !covered(bits, r->covers.data[i].property);
  dd_list pieces = {0};
  if (!open || !steps_pieces(t, r, false, &pieces)) return;
  dd step = dd_copy(from);
  for (size_t i = 0; i < pieces.count; i++) dd_and_to(&step, dd_copy(pieces.data[i]));
  for (size_t i = 0; i < r->covers.count; i++) {
    uint32_t p = r->covers.data[i].property;
    dd when = space_term(t->space, r->covers.data[i].when);
    if (dd_meets(step, when)) bits[p / 64] |= UINT64_C(1) << (p % 64);
    dd_drop(when);
  }
  dd_drop(step);
  steps_drop(&pieces);
}

void steps_covers(struct steps *t, dd from, uint64_t *bits) {
  const struct relation *r = t->space->relation;
  for (size_t i = 0; i < r->rules.count; i++) rule_covers(t, &r->rules.data[i], from, bits);
  space_bind(t->space, NULL, SPACE_WHOLE);
}

void steps_start_covers(struct steps *t, uint64_t *bits) {
  const struct relation *r = t->space->relation;
  for (size_t i = 0; i < r->starts.count; i++) rule_covers(t, &r->starts.data[i], dd_true(), bits);
  space_bind(t->space, NULL, SPACE_WHOLE);
}
