// SPDX-License-Identifier: Apache-2.0
// All reachable states as one diagram, within limits; then, for each value of each bit, one walk
// over the states that have it tells which values of other bits go with it.
#include "symbolic/exclusive.h"

#include "ir/ir.h"
#include "symbolic/steps.h"

#include <string.h>

// For each bit of a state: rings of gates stay well below, and where it is more, pairs of bits tell
// little of the states.
#define STEPS_MADE   1000 // nodes made for the steps
#define STATES_NODES 40   // of all states

struct session {
  const struct exclusive_config *config;
  struct space *space;
  struct steps *steps;
  uint32_t *place; // per variable: its bit's place in packed states
  bool too_large;
  // Of one walk, by level: values that some state has; and how many edges begin to jump over this
  // level, less how many end to.
  bool (*has)[2];
  int *jumps;
  size_t levels;
  VEC(uint64_t) walked; // nodes, a bit set
  VEC(uint64_t) pairs;
};

static bool goes_on(void *context) {
  struct session *s = context;
  const struct exclusive_config *c = s->config;
  if (s->space && !s->steps && dd_made() > STEPS_MADE * s->space->bits) s->too_large = true;
  return !s->too_large && dd_made() < c->made_max && !interrupt_pending() &&
         (!c->goes_on || c->goes_on(c->context));
}

// --- states ---

static bool open_space(struct session *s) {
  const struct exclusive_config *c = s->config;
  struct text why = {0};
  dd_open(&(struct dd_config){.mem_bytes = c->mem_bytes, .goes_on = goes_on, .context = s});
  s->space = space_new(&(struct space_config){.relation = c->relation}, &why);
  text_clear(&why);
  s->too_large = !s->space;
  if (s->space) s->steps = steps_new(s->space);
  return !s->too_large;
}

static dd reachable(struct session *s) {
  dd fresh = steps_starts(s->steps), all = dd_copy(fresh);
  while (!dd_is_false(fresh) && !s->too_large) {
    dd_pause();
    dd_set(&fresh, steps_image(s->steps, fresh));
    dd_set(&fresh, dd_minus(fresh, all));
    dd_or_to(&all, dd_copy(fresh));
    s->too_large = dd_nodes(all) > STATES_NODES * s->space->bits;
  }
  dd_drop(fresh);
  return all;
}

// --- values that go together ---

static bool first_time(struct session *s, dd node) {
  size_t word = (size_t)node / 64;
  while (s->walked.count <= word) VEC_PUSH(&s->walked, 0);
  uint64_t bit = UINT64_C(1) << ((size_t)node % 64);
  bool first = !(s->walked.data[word] & bit);
  s->walked.data[word] |= bit;
  return first;
}

static size_t level_of(const struct session *s, dd a) {
  return dd_is_true(a) ? s->levels : dd_level(dd_top(a));
}

// An edge to `to`, not false, from above this level: both values of what it jumps over go with it.
// There are no dead ends: from every node that is not false some way leads to true.
static void walk(struct session *s, size_t from, dd to) {
  size_t level = level_of(s, to);
  s->jumps[from]++;
  s->jumps[level]--;
  if (dd_is_true(to) || !first_time(s, to)) return;
  dd next[2] = {dd_low(to), dd_high(to)};
  for (int i = 0; i < 2; i++) {
    if (dd_is_false(next[i])) continue;
    s->has[level][i] = true;
    walk(s, level + 1, next[i]);
  }
}

// Values of later bits that none of the states walked over has.
static void add_pairs(struct session *s, uint32_t value, size_t bit) {
  const unsigned *now = s->space->now;
  for (size_t i = 1; i <= s->levels; i++) s->jumps[i] += s->jumps[i - 1];
  for (size_t i = bit + 1; i < s->space->bits; i++) {
    unsigned level = dd_level(now[i]);
    for (uint32_t k = 0; k < 2; k++)
      if (!s->has[level][k] && s->jumps[level] == 0)
        VEC_PUSH(&s->pairs, (uint64_t)value << 32 | (2 * s->place[now[i]] + k));
  }
}

static void find_pairs(struct session *s, dd all, size_t bit, uint32_t k) {
  unsigned var = s->space->now[bit];
  uint32_t value = 2 * s->place[var] + k;
  dd some = dd_var(var, k);
  dd_set(&some, dd_and(some, all));
  memset(s->has, 0, s->levels * sizeof *s->has);
  memset(s->jumps, 0, (s->levels + 1) * sizeof *s->jumps);
  s->walked.count = 0;
  if (dd_is_false(some)) {
    VEC_PUSH(&s->pairs, (uint64_t)value << 32 | value);
  } else {
    walk(s, 0, some);
    add_pairs(s, value, bit);
  }
  dd_drop(some);
}

static void make_room(struct session *s) {
  const struct ir_layout *layout = s->config->relation->model->layout;
  s->levels = dd_var_count();
  s->has = mem_zalloc(s->levels + 1, sizeof *s->has);
  s->jumps = mem_zalloc(s->levels + 1, sizeof *s->jumps);
  s->place = mem_zalloc(s->levels + 1, sizeof *s->place);
  for (uint64_t i = 0; i < layout->count; i++)
    for (unsigned k = 0; k < s->space->leaf[i].count; k++)
      s->place[s->space->leaf[i].now[k]] = layout->leaf[i].word * 64 + layout->leaf[i].shift + k;
}

static void find(struct session *s) {
  if (!open_space(s)) return;
  dd all = reachable(s);
  make_room(s);
  for (size_t i = 0; i < s->space->bits && !s->too_large; i++) {
    dd_pause();
    for (uint32_t k = 0; k < 2; k++) find_pairs(s, all, i, k);
  }
  dd_drop(all);
}

static void session_free(struct session *s) {
  dd_close(); // from now on nothing needs to be dropped
  if (s->steps) steps_free(s->steps);
  if (s->space) space_free(s->space);
  mem_free(s->has);
  mem_free(s->jumps);
  mem_free(s->place);
  VEC_CLEAR(&s->walked);
  VEC_CLEAR(&s->pairs);
  mem_free(s);
}

bool exclusive_find(const struct exclusive_config *c, uint64_t **pairs, size_t *count) {
  struct session *s = mem_zalloc(1, sizeof *s); // on the heap: its fields survive the jump
  struct mem_boundary boundary;
  bool ended = false;
  s->config = c;
  *pairs = NULL;
  *count = 0;
  if (!mem_boundary_enter(&boundary)) {
    find(s);
    ended = true;
    *pairs = s->pairs.data;
    *count = s->pairs.count;
    s->pairs.data = NULL;
    mem_boundary_leave(&boundary);
  }
  ended |= s->too_large;
  session_free(s);
  return ended;
}
