// SPDX-License-Identifier: Apache-2.0
// A synchronous step gives every leaf its next value, and an image quantifies all of them; yet in
// many models one step changes few leaves, such as two of the nine cells of a puzzle. Here steps
// are split into kinds, by the leaves that they change: each is a move that speaks of these only,
// as those of asynchronous models are. Kinds are found as states are met that have steps of others;
// where they are many, or change much, all is left as it was.
#include "symbolic/split.h"

#include "ir/ir.h"

#include <string.h>

#ifdef FATHOM_SMALL // wherever it can be done, whether it pays or not
#define MADE_MIN  1
#define PART_MAX  1
#define KINDS_MAX 300
#define OWN_MAX   100
#define OPEN_MIN  1000000
#define TRUSTED   true
#else
#define MADE_MIN  500   // nodes that an image makes for each leaf, from which on it may pay
#define PART_MAX  3     // a kind changes at most one of so many leaves
#define KINDS_MAX 40    // of all steps,
#define OWN_MAX   8     // and of those of one state
#define OPEN_MIN  15000 // nodes that looking for more may take, or as many as an image made
#define TRUSTED   false
#endif

struct split {
  struct steps *steps;
  const struct move *whole;
  split_other *other; // the other way, by the whole move or what somebody else has
  void *context;
  VEC(struct kind {
    bool *changed; // by leaf
    struct move move;
    bool ready; // the move is made
  })
  kinds;
  size_t leaves; // that the whole move writes; of each:
  dd *same;      // steps that leave it as it is
  dd *differs;   // steps that change it
  dd others;     // steps, over now and next, that are of no kind yet
  dd open;       // states that have such steps
  bool off;
  bool trusted; // it has made fewer nodes than the other way
  size_t made;  // nodes that the last image made
};

static dd image_by_whole(void *context, dd from) {
  const struct split *p = context;
  return steps_move_image(p->whole, from);
}

struct split *split_new(struct steps *t) {
  struct split *p = mem_zalloc(1, sizeof *p);
  split_against(p, image_by_whole, p, 0);
  p->steps = t;
  p->trusted = TRUSTED;
  p->whole = &t->moves.data[0];
  p->leaves = p->whole->writes.count;
  p->others = p->open = dd_true();
  return p;
}

void split_against(struct split *p, split_other *image, void *context, size_t made) {
  p->other = image;
  p->context = context;
  p->made = made;
}

void split_free(struct split *p) {
  if (!p) return;
  for (size_t i = 0; i < p->kinds.count; i++) {
    mem_free(p->kinds.data[i].changed);
    if (p->kinds.data[i].ready) steps_move_clear(&p->kinds.data[i].move);
  }
  VEC_CLEAR(&p->kinds);
  for (size_t i = 0; i < p->leaves && p->same; i++) {
    dd_drop(p->same[i]);
    dd_drop(p->differs[i]);
  }
  mem_free(p->same);
  mem_free(p->differs);
  dd_drop(p->others);
  dd_drop(p->open);
  mem_free(p);
}

size_t split_kinds(const struct split *p) { return p->off ? 0 : p->kinds.count; }

// --- a kind ---

static void prepare(struct split *p) {
  if (p->same) return;
  p->same = mem_zalloc(p->leaves + 1, sizeof *p->same);
  p->differs = mem_zalloc(p->leaves + 1, sizeof *p->differs);
  for (size_t i = 0; i < p->leaves; i++) {
    p->same[i] = space_unchanged(p->steps->space, p->whole->writes.data[i]);
    p->differs[i] = dd_not(p->same[i]);
  }
}

// Which leaves differ between a state and another: values of all variables.
static void changed_leaves(const struct split *p, const uint8_t *values, bool *changed) {
  for (size_t i = 0; i < p->leaves; i++) {
    const struct space_bits *b = &p->steps->space->leaf[p->whole->writes.data[i]];
    changed[i] = false;
    for (unsigned k = 0; k < b->count; k++) changed[i] |= values[b->now[k]] != values[b->next[k]];
  }
}

static void add_vars(var_list *to, const unsigned *vars, unsigned count) {
  for (unsigned k = 0; k < count; k++) VEC_PUSH(to, vars[k]);
}

// Steps that change just these leaves.
static dd kind_steps(const struct split *p, const bool *changed) {
  dd out = dd_true();
  for (size_t i = p->leaves; i-- > 0;)
    dd_and_to(&out, dd_copy(changed[i] ? p->differs[i] : p->same[i]));
  return out;
}

struct kind_vars {
  var_list now, next, stays, choice, forward, backward;
};

static void kind_vars_init(struct kind_vars *v, const struct split *p, const bool *changed) {
  const struct space *s = p->steps->space;
  *v = (struct kind_vars){0};
  for (size_t i = 0; i < p->leaves; i++) {
    const struct space_bits *b = &s->leaf[p->whole->writes.data[i]];
    if (changed[i]) add_vars(&v->now, b->now, b->count);
    add_vars(changed[i] ? &v->next : &v->stays, b->next, b->count);
  }
  for (size_t k = 0; k < s->choices; k++)
    add_vars(&v->choice, s->choice[k].now, s->choice[k].count);
  add_vars(&v->forward, v->now.data, (unsigned)v->now.count);
  add_vars(&v->forward, v->choice.data, (unsigned)v->choice.count);
  add_vars(&v->backward, v->next.data, (unsigned)v->next.count);
  add_vars(&v->backward, v->choice.data, (unsigned)v->choice.count);
}

static void kind_vars_clear(struct kind_vars *v) {
  VEC_CLEAR(&v->now);
  VEC_CLEAR(&v->next);
  VEC_CLEAR(&v->stays);
  VEC_CLEAR(&v->choice);
  VEC_CLEAR(&v->forward);
  VEC_CLEAR(&v->backward);
}

// The clusters of all steps, for those of the kind: what stays is read from the state before.
static void kind_pieces(const struct split *p, const bool *changed, const var_list *stays,
                        dd_list *pieces) {
  dd same = dd_true(), cube = dd_cube(stays->data, stays->count);
  for (size_t i = p->leaves; i-- > 0;) {
    if (changed[i])
      VEC_PUSH(pieces, dd_copy(p->differs[i]));
    else
      dd_and_to(&same, dd_copy(p->same[i]));
  }
  const dd_list *part = &p->whole->relation.part;
  for (size_t i = 0; i < part->count; i++)
    VEC_PUSH(pieces, dd_and_exists(part->data[i], same, cube));
  dd_drop(same);
  dd_drop(cube);
}

static void make_move(const struct split *p, struct kind *kind) {
  struct move *m = &kind->move;
  struct kind_vars v;
  dd_list pieces = {0};
  kind_vars_init(&v, p, kind->changed);
  kind_pieces(p, kind->changed, &v.stays, &pieces);
  *m = (struct move){.agent = p->whole->agent};
  clusters_init(&m->relation, &pieces, &v.forward, &v.backward, &v.choice);
  m->to_now = dd_renaming_new(v.next.data, v.now.data, v.now.count);
  kind->ready = true; // not before: whoever unwinds leaves half of it
  kind_vars_clear(&v);
}

// --- finding them ---

static bool changes_much(const struct split *p, const bool *changed) {
  size_t count = 0;
  for (size_t i = 0; i < p->leaves; i++) count += changed[i];
  return count * PART_MAX > p->leaves;
}

// The kind of a step is a new one, or not.
static void add_kind(struct split *p, const bool *changed, dd these) {
  size_t size = (p->leaves + 1) * sizeof *changed;
  if (!dd_meets(these, p->others)) return;
  dd_set(&p->others, dd_minus(p->others, these));
  struct kind kind = {.changed = mem_alloc(size)};
  memcpy(kind.changed, changed, size);
  VEC_PUSH(&p->kinds, kind);
  p->off |= p->kinds.count > KINDS_MAX;
}

// One out of a set: the values of these variables, by number.
static void pick(dd set, const unsigned *vars, size_t count, uint8_t *values) {
  uint8_t *in_order = mem_alloc(count + 1);
  dd_pick(set, vars, count, in_order);
  for (size_t i = 0; i < count; i++) values[vars[i]] = in_order[i];
  mem_free(in_order);
}

// The kinds of all steps of one state, whose values are known.
static void add_kinds_of(struct split *p, dd state, uint8_t *values) {
  const struct space *s = p->steps->space;
  bool *changed = mem_zalloc(p->leaves + 1, sizeof *changed);
  dd next = clusters_product(&p->whole->relation, &p->whole->relation.forward, state);
  for (unsigned own = 0; !dd_is_false(next) && !p->off; own++) {
    pick(next, s->next, s->bits, values);
    changed_leaves(p, values, changed);
    p->off |= changes_much(p, changed); // asked first: the steps of such a kind may be large
    if (p->off) break;
    dd these = kind_steps(p, changed), there = dd_and_exists(these, state, s->now_cube);
    add_kind(p, changed, these);
    p->off |= own >= OWN_MAX;
    dd_set(&next, dd_minus(next, there));
    dd_drop(there);
    dd_drop(these);
  }
  mem_free(changed);
  dd_drop(next);
}

static dd one_state(const struct space *s, const uint8_t *values) {
  uint8_t *in_order = mem_alloc(s->bits + 1);
  for (size_t i = 0; i < s->bits; i++) in_order[i] = values[s->now[i]];
  dd state = dd_point(s->now, in_order, s->bits);
  mem_free(in_order);
  return state;
}

// States that have steps of no kind yet: of all states, reachable or not, so it may be large.
static void set_open(struct split *p) {
  const struct clusters *c = &p->whole->relation;
  size_t most = p->made > OPEN_MIN ? p->made : OPEN_MIN;
  dd states = dd_copy(p->others);
  p->off |= !clusters_product_within(c, &c->backward, most, &states);
  dd_set(&p->open, states);
}

// Until all steps from these states are of some kind.
static void find_kinds(struct split *p, dd from) {
  const struct space *s = p->steps->space;
  uint8_t *values = mem_zalloc(dd_var_count() + 1, sizeof *values);
  dd some = dd_and(from, p->open); // as a rule nothing, which dd_meets would be slower to see
  prepare(p);
  while (!p->off && !dd_is_false(some)) {
    pick(some, s->now, s->bits, values);
    dd state = one_state(s, values);
    add_kinds_of(p, state, values);
    dd_drop(state);
    if (!p->off) set_open(p);
    dd_set(&some, dd_and(some, p->open));
  }
  dd_drop(some);
  for (size_t i = 0; i < p->kinds.count && !p->off; i++)
    if (!p->kinds.data[i].ready) make_move(p, &p->kinds.data[i]);
  mem_free(values);
}

// --- images ---

static dd sum_of_kinds(const struct split *p, dd from) {
  dd sum = dd_false();
  for (size_t i = 0; i < p->kinds.count; i++)
    dd_or_to(&sum, steps_move_image(&p->kinds.data[i].move, from));
  return sum;
}

// Both ways, to see which one makes fewer nodes. The second finds those of the result there.
static void compare(struct split *p, dd from) {
  size_t before = dd_made();
  dd again = p->other(p->context, from);
  p->off = dd_made() - before + dd_nodes(again) < p->made;
  p->trusted = true;
  dd_drop(again);
}

dd split_image(struct split *p, dd from) {
  if (!p->off && (p->kinds.count || p->made >= MADE_MIN * p->leaves)) find_kinds(p, from);
  bool split = !p->off && p->kinds.count > 0;
  size_t before = dd_made();
  dd out = split ? sum_of_kinds(p, from) : p->other(p->context, from);
  p->made = dd_made() - before;
  if (split && !p->trusted) compare(p, from);
  return out;
}
