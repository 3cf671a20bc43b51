// SPDX-License-Identifier: Apache-2.0
// Small models, and their state spaces walked the plain way: in full, and reduced by ample sets in
// several orders, each with its own proviso. What they found can be compared: every deadlock, by
// its state, every property that some state violates, every place where a step fails.
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "front/promela/promela.h"
#include "ir/eval.h"
#include "ir/ir.h"
#include "reduce/reduce.h"
#include "sys/sys.h"

static inline struct ir_model *load_promela(const char *text) {
  struct diag d = {0};
  struct source *s = source_from_text("test.pml", text, strlen(text));
  struct ir_model *m = promela_load(s, &(struct promela_config){0}, NULL, &d);
  if (!m) fail_msg("%s\n%s", d.count ? d.entries[0].message : "does not load", text);
  diag_clear(&d);
  return m;
}

static inline struct ir_model *load_ir(const char *text) {
  struct diag d = {0};
  struct ir_model *m = ir_parse_model(source_from_text("test.ir", text, strlen(text)), &d);
  if (!m) fail_msg("%s\n%s", d.count ? d.entries[0].message : "does not load", text);
  diag_clear(&d);
  return m;
}

enum walk_order {
  WALK_LEVELS, // breadth first: some successor lies behind the level
  WALK_PATH,   // depth first: some successor is not on the path
  WALK_ANYHOW, // any state next: some successor is not known yet
};

struct walk {
  const struct ir_model *m;
  struct sys *inner, *sys;
  const struct ample *ample; // NULL: in full
  struct ir_eval *eval;
  enum walk_order order;
  bool no_proviso; // to see that it is needed
  struct rng rng;
  size_t words, limit;
  VEC(uint64_t) states; // one after the other
  size_t count;
  VEC(uint32_t) level; // per state
  VEC(bool) on_path;
  uint32_t *slots; // number of a state, plus one
  size_t capacity;
  VEC(size_t) todo;
  VEC(size_t) deadlocks;
  uint8_t *violated, *failed; // per property, per site
  size_t reduced;
  bool too_many;
};

static inline const uint64_t *walk_state(const struct walk *w, size_t i) {
  return w->states.data + i * w->words;
}

static inline uint32_t *walk_slot(const struct walk *w, const uint64_t *state) {
  size_t at = hash_words(state, w->words) & (w->capacity - 1);
  while (w->slots[at] && memcmp(walk_state(w, w->slots[at] - 1), state, w->words * 8) != 0)
    at = (at + 1) & (w->capacity - 1);
  return &w->slots[at];
}

static inline size_t walk_find(const struct walk *w, const uint64_t *state) {
  uint32_t slot = *walk_slot(w, state);
  return slot ? slot - 1 : SIZE_MAX;
}

static inline void walk_check(struct walk *w, const uint64_t *state) {
  for (size_t i = 0; i < w->m->properties.count; i++) {
    const struct ir_property *p = w->m->properties.data[i];
    bool value = false;
    if ((p->kind != IR_PROP_INVARIANT && p->kind != IR_PROP_COVER) || !p->expr) continue;
    if (ir_eval_bool(w->eval, &p->frame, p->expr, state, &value) == IR_FAILED)
      w->failed[ir_eval_site(w->eval)] = 1;
    else if (value == (p->kind == IR_PROP_COVER))
      w->violated[i] = 1;
  }
}

static inline size_t walk_add(struct walk *w, const uint64_t *state, uint32_t level) {
  uint32_t *slot = walk_slot(w, state);
  if (*slot) return SIZE_MAX;
  if (w->count == w->limit) {
    w->too_many = true;
    return SIZE_MAX;
  }
  for (size_t i = 0; i < w->words; i++) VEC_PUSH(&w->states, state[i]);
  VEC_PUSH(&w->level, level);
  VEC_PUSH(&w->on_path, false);
  *slot = (uint32_t)++w->count;
  walk_check(w, walk_state(w, w->count - 1));
  return w->count - 1;
}

// --- one state ---

static inline bool walk_ahead(const struct walk *w, size_t from, const uint64_t *state) {
  size_t i = walk_find(w, state);
  if (i == SIZE_MAX || w->no_proviso) return true;
  if (w->order == WALK_LEVELS) return w->level.data[i] > w->level.data[from];
  return w->order == WALK_PATH && !w->on_path.data[i];
}

// Leaves the steps of one group, if that may be; faults are noted before.
static inline void walk_reduce(struct walk *w, size_t from, struct sys_out *o) {
  if (!w->ample || o->count < 2) return;
  uint64_t groups = w->sys->ample(w->sys, walk_state(w, from));
  for (size_t n; (n = ample_select(w->ample, o, 0, &groups)) > 0;) {
    bool ahead = false;
    for (size_t i = 0; i < n && !ahead; i++) ahead = walk_ahead(w, from, o->words + i * w->words);
    if (!ahead) continue;
    w->reduced += n < o->count;
    o->count = n;
    return;
  }
}

static inline void walk_expand(struct walk *w, size_t from, struct sys_out *o) {
  uint64_t *state = mem_alloc(w->words * sizeof *state);
  memcpy(state, walk_state(w, from), w->words * sizeof *state);
  sys_out_reset(o);
  w->sys->expand(w->sys, state, o);
  mem_free(state);
  bool faulty = false;
  for (size_t i = 0; i < w->m->properties.count; i++)
    if (o->covers[i / 64] >> i % 64 & 1) w->violated[i] = 1;
  for (size_t i = 0; i < o->count; i++) {
    if (!o->steps[i].site) continue;
    w->failed[o->steps[i].site] = 1;
    faulty = true;
  }
  bool stuck = w->m->deadlock == IR_DEADLOCK_STUTTERING ? !o->moved : o->fired == 0;
  if (stuck && !faulty) VEC_PUSH(&w->deadlocks, from);
  walk_reduce(w, from, o);
}

static inline void walk_take(struct walk *w, size_t from, const struct sys_out *o) {
  for (size_t i = 0; i < o->count; i++) {
    if (o->steps[i].site) continue;
    size_t to = walk_add(w, o->words + i * w->words, w->level.data[from] + 1);
    if (to != SIZE_MAX) VEC_PUSH(&w->todo, to);
  }
}

// --- orders ---

static inline void walk_list(struct walk *w, struct sys_out *o) {
  for (size_t first = 0; first < w->todo.count && !w->too_many;) {
    size_t k = first;
    if (w->order == WALK_ANYHOW) k += rng_below(&w->rng, w->todo.count - first);
    size_t from = w->todo.data[k];
    w->todo.data[k] = w->todo.data[first++];
    walk_expand(w, from, o);
    walk_take(w, from, o);
  }
}

// The successors of a state on the path are taken out of the buffer: others use it.
static inline void walk_deeper(struct walk *w, size_t from) {
  struct sys_out o;
  sys_out_init(&o, w->words, w->m->properties.count);
  w->on_path.data[from] = true;
  walk_expand(w, from, &o);
  for (size_t i = 0; i < o.count && !w->too_many; i++) {
    if (o.steps[i].site) continue;
    size_t to = walk_add(w, o.words + i * w->words, w->level.data[from] + 1);
    if (to != SIZE_MAX) walk_deeper(w, to);
  }
  w->on_path.data[from] = false;
  sys_out_clear(&o);
}

// --- the whole ---

static inline void walk_run(struct walk *w) {
  struct sys_out o;
  sys_out_init(&o, w->words, w->m->properties.count);
  w->sys->starts(w->sys, &o);
  for (size_t i = 0; i < o.count; i++) {
    if (o.steps[i].site) {
      w->failed[o.steps[i].site] = 1;
      continue;
    }
    size_t to = walk_add(w, o.words + i * w->words, 0);
    if (to != SIZE_MAX && w->order == WALK_PATH)
      walk_deeper(w, to);
    else if (to != SIZE_MAX)
      VEC_PUSH(&w->todo, to);
  }
  walk_list(w, &o);
  sys_out_clear(&o);
}

static inline void walk_init(struct walk *w, const struct ir_model *m, const struct ample *ample,
                             enum walk_order order, size_t limit) {
  *w = (struct walk){.m = m, .ample = ample, .order = order, .limit = limit};
  w->inner = sys_new(m, &(struct sys_config){.mode = SYS_INTERPRETED});
  w->sys = m->transient ? reduce_chain_new(w->inner) : w->inner;
  w->eval = ir_eval_new(m);
  w->words = w->sys->words;
  rng_init(&w->rng, limit);
  for (w->capacity = 16; w->capacity < 3 * limit;) w->capacity *= 2;
  w->slots = mem_zalloc(w->capacity, sizeof *w->slots);
  w->violated = mem_zalloc(m->properties.count + 1, 1);
  w->failed = mem_zalloc(m->sites.count + 1, 1);
}

static inline void walk_clear(struct walk *w) {
  if (w->sys != w->inner) sys_free(w->sys);
  sys_free(w->inner);
  ir_eval_free(w->eval);
  VEC_CLEAR(&w->states);
  VEC_CLEAR(&w->level);
  VEC_CLEAR(&w->on_path);
  VEC_CLEAR(&w->todo);
  VEC_CLEAR(&w->deadlocks);
  mem_free(w->slots);
  mem_free(w->violated);
  mem_free(w->failed);
}

static inline bool walk_same_deadlocks(const struct walk *a, const struct walk *b) {
  if (a->deadlocks.count != b->deadlocks.count) return false;
  for (size_t i = 0; i < a->deadlocks.count; i++) {
    size_t there = walk_find(b, walk_state(a, a->deadlocks.data[i]));
    bool found = false;
    for (size_t k = 0; k < b->deadlocks.count; k++) found |= b->deadlocks.data[k] == there;
    if (!found) return false;
  }
  return true;
}

// NULL: the reduced walk found what the full one did, and nothing else.
static inline const char *walk_differ(const struct walk *full, const struct walk *reduced) {
  for (size_t i = 0; i < reduced->count; i++)
    if (walk_find(full, walk_state(reduced, i)) == SIZE_MAX) return "a state that there is not";
  if (!walk_same_deadlocks(full, reduced)) return "other deadlocks";
  if (memcmp(full->violated, reduced->violated, full->m->properties.count) != 0)
    return "other properties are violated, or covered";
  if (memcmp(full->failed, reduced->failed, full->m->sites.count) != 0)
    return "steps fail at other places";
  return NULL;
}
