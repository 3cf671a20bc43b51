// SPDX-License-Identifier: Apache-2.0
// Sets of objects that flow through the blocks, in the order of the program, until nothing changes:
// which locals may not be set yet, and which may be gone (or not be there yet).
#include "front/c/lower.h"

#include <string.h>

struct flow {
  struct c_lower *w;
  size_t words;
  uint64_t *in; // by block
  void (*pass)(struct c_lower *w, const struct c_instruction *i, uint64_t *now);
};

static void drop(uint64_t *set, uint32_t i) { set[i / 64] &= ~(UINT64_C(1) << (i % 64)); }

static bool pass_on(struct flow *f, const uint64_t *now, uint32_t block) {
  bool changed = false;
  uint64_t *in = f->in + block * f->words;
  for (size_t i = 0; i < f->words; i++) {
    changed |= (now[i] & ~in[i]) != 0;
    in[i] |= now[i];
  }
  return changed;
}

static bool pass_block(struct flow *f, uint32_t number, uint64_t *now) {
  const struct c_block *b = &f->w->f->blocks.data[number];
  const struct c_instruction *last = &VEC_TOP(&b->code);
  bool changed = false;
  memcpy(now, f->in + number * f->words, f->words * sizeof *now);
  for (size_t i = 0; i < b->code.count; i++) f->pass(f->w, &b->code.data[i], now);
  for (uint32_t k = 0; k < last->target_count; k++) changed |= pass_on(f, now, last->targets[k]);
  return changed;
}

static void run(struct flow *f) {
  uint64_t *now = mem_zalloc(f->words, sizeof *now);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = 0; b < f->w->f->blocks.count; b++) changed |= pass_block(f, b, now);
  }
  mem_free(now);
}

static void flow_init(struct flow *f, struct c_lower *w) {
  f->w = w;
  f->words = w->p->objects.count / 64 + 1;
  f->in = ARENA_ARRAY(w->arena, uint64_t, w->f->blocks.count * f->words);
}

// --- not set ---

static bool is_plain(const struct c_lower *w, const struct c_value *v) {
  return v->kind == C_OBJECT && w->p->objects.data[v->index].plain;
}

static void pass_unset(struct c_lower *w, const struct c_instruction *i, uint64_t *now) {
  if (i->op == C_ENTER && is_plain(w, &i->args[0])) words_put(now, i->args[0].index);
  if (i->op == C_STORE && is_plain(w, &i->args[1])) drop(now, i->args[1].index);
  if (i->op == C_LOAD && is_plain(w, &i->args[0]) && words_has(now, i->args[0].index))
    w->unset[i->args[0].index] = true;
}

void c_find_unset(struct c_lower *w) {
  struct flow f = {.pass = pass_unset};
  flow_init(&f, w);
  w->unset = ARENA_ARRAY(w->arena, bool, w->p->objects.count + 1);
  run(&f);
}

// --- gone ---

// An access by this pointer may find the object gone.
static void pass_pointer(struct c_lower *w, const struct c_value *v, const uint64_t *now) {
  struct c_facts f = {0};
  if (v->type->kind == C_POINTER) c_value_facts(w->points, v, &f);
  for (size_t i = 0; i < f.count; i++) {
    uint32_t object = f.data[i].target - C_TARGET_OBJECTS;
    if (f.data[i].target != C_TARGET_NULL && object < w->p->objects.count && words_has(now, object))
      w->used_gone[object] = true;
  }
  VEC_CLEAR(&f);
}

static void pass_gone(struct c_lower *w, const struct c_instruction *i, uint64_t *now) {
  c_gone_after(i, now);
  if (i->op == C_LOAD) pass_pointer(w, &i->args[0], now);
  if (i->op == C_STORE) pass_pointer(w, &i->args[1], now);
  if (i->op != C_MEMCPY && i->op != C_MEMSET) return;
  pass_pointer(w, &i->args[0], now);
  pass_pointer(w, &i->args[1], now);
}

void c_gone_after(const struct c_instruction *i, uint64_t *now) {
  if (i->op == C_ENTER) drop(now, i->args[0].index);
  if (i->op == C_LEAVE) words_put(now, i->args[0].index);
}

void c_find_gone(struct c_lower *w) {
  struct flow f = {.pass = pass_gone};
  flow_init(&f, w);
  w->used_gone = ARENA_ARRAY(w->arena, bool, w->p->objects.count + 1);
  for (size_t b = 0; b < w->f->blocks.count; b++)
    for (size_t i = 0; i < w->f->blocks.data[b].code.count; i++) {
      const struct c_instruction *in = &w->f->blocks.data[b].code.data[i];
      if (in->op == C_ENTER) words_put(f.in, in->args[0].index);
    }
  run(&f);
  w->gone_in = f.in;
  w->gone = ARENA_ARRAY(w->arena, uint64_t, f.words);
}

void c_gone_begin(struct c_lower *w, uint32_t block) {
  size_t words = w->p->objects.count / 64 + 1;
  memcpy(w->gone, w->gone_in + block * words, words * sizeof *w->gone);
}

bool c_may_be_gone(const struct c_lower *w, uint32_t object) { return words_has(w->gone, object); }
