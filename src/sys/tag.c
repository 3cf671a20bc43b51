// SPDX-License-Identifier: Apache-2.0
// A number beside each state of another system. The other system is shown states whose bits behind
// its own are zero, as it makes them, so it need not know.
#include "sys/tag.h"

#include <string.h>

static struct tag *inside(struct sys *s) { return (struct tag *)s; }

const uint64_t *tag_bare(struct tag *t, const uint64_t *state) {
  if (t->wide) return state;
  memcpy(t->bare, state, t->wrap.pub.words * sizeof *state);
  t->bare[t->word] &= ~(t->mask << t->shift);
  return t->bare;
}

// --- inner's states among ours ---

static void widen(struct tag *t, struct sys_out *out) {
  size_t words = t->wrap.pub.words, least = t->wrap.inner->words;
  sys_out_reserve(out, t->narrow.count);
  for (size_t i = 0; i < t->narrow.count; i++) {
    uint64_t *state = out->words + out->count * words;
    memcpy(state, t->narrow.words + i * least, least * sizeof *state);
    memset(state + least, 0, (words - least) * sizeof *state);
    out->steps[out->count++] = t->narrow.steps[i];
  }
  out->fired += t->narrow.fired;
  out->moved |= t->narrow.moved;
}

// Lends inner the caller's bits for cover goals.
static struct sys_out *narrow_for(struct tag *t, struct sys_out *out) {
  sys_out_reset(&t->narrow);
  t->narrow.covers = out->covers;
  return &t->narrow;
}

static void starts(struct sys *s, struct sys_out *out) {
  struct tag *t = inside(s);
  struct sys *inner = t->wrap.inner;
  inner->starts(inner, t->wide ? narrow_for(t, out) : out);
  if (t->wide) widen(t, out);
}

bool tag_transient(const struct tag *t, const uint64_t *bare) {
  if (!t->transient) return false;
  uint64_t code = ir_leaf_code(t->transient, bare);
  return code != t->stable && !(t->transient->undef && code == 0);
}

static bool any_fault(const struct sys_out *out, size_t first) {
  for (size_t i = first; i < out->count; i++)
    if (out->steps[i].site) return true;
  return false;
}

bool tag_expand(struct tag *t, const uint64_t *bare, struct sys_out *out) {
  struct sys *inner = t->wrap.inner;
  size_t first = out->count;
  bool before = out->moved;
  out->moved = false;
  inner->expand(inner, bare, t->wide ? narrow_for(t, out) : out);
  if (t->wide) widen(t, out);
  bool passes = tag_transient(t, bare) && (out->moved || any_fault(out, first));
  out->moved |= before;
  return passes;
}

// --- what is asked of a state ---

static struct sys_fault check(struct sys *s, const uint64_t *state) {
  struct sys *inner = inside(s)->wrap.inner;
  return inner->check(inner, tag_bare(inside(s), state));
}

static struct sys_fault covers(struct sys *s, const uint64_t *state, uint64_t *bits) {
  struct sys *inner = inside(s)->wrap.inner;
  return inner->covers(inner, tag_bare(inside(s), state), bits);
}

static struct sys_fault atoms(struct sys *s, const uint64_t *state, uint64_t *bits) {
  struct sys *inner = inside(s)->wrap.inner;
  return inner->atoms(inner, tag_bare(inside(s), state), bits);
}

static uint64_t ample(struct sys *s, const uint64_t *state) {
  struct sys *inner = inside(s)->wrap.inner;
  return inner->ample(inner, tag_bare(inside(s), state));
}

static bool may_end(struct sys *s, const uint64_t *state) {
  struct sys *inner = inside(s)->wrap.inner;
  return inner->may_end(inner, tag_bare(inside(s), state));
}

static bool accepts(struct sys *s, const uint64_t *state) {
  struct sys *inner = inside(s)->wrap.inner;
  return inner->accepts(inner, tag_bare(inside(s), state));
}

static uint32_t claim(struct sys *s, const uint64_t *state) {
  struct sys *inner = inside(s)->wrap.inner;
  return inner->claim(inner, tag_bare(inside(s), state));
}

// --- where it lies ---

static void find_place(struct tag *t, uint32_t count) {
  struct sys *pub = &t->wrap.pub;
  unsigned width = count > 1 ? 32 - (unsigned)__builtin_clz(count - 1) : 0;
  size_t bit = 8 * pub->bytes;
  t->wide = width > 0 && (bit % 64 + width > 64 || bit == 64 * pub->words);
  if (t->wide) bit = 64 * pub->words++;
  t->mask = (UINT64_C(1) << width) - 1;
  if (width == 0) return; // there is only 0
  t->word = (uint32_t)(bit / 64);
  t->shift = bit % 64;
  pub->bytes = (bit + width + 7) / 8;
}

static void find_transient(struct tag *t, const struct ir_model *m) {
  if (!m->transient) return;
  t->transient = &m->layout->leaf[m->transient->first_leaf];
  t->stable = ir_type_rank(t->transient->type, 0) + t->transient->undef;
}

void tag_init(struct tag *t, struct sys *inner, uint32_t count) {
  struct sys *pub = &t->wrap.pub;
  sys_wrap(&t->wrap, inner);
  find_place(t, count);
  find_transient(t, inner->model);
  pub->starts = starts;
  pub->check = check;
  pub->covers = covers;
  pub->atoms = atoms;
  pub->ample = ample;
  pub->may_end = may_end;
  if (inner->accepts) pub->accepts = accepts;
  if (inner->claim) pub->claim = claim;
  t->bare = mem_zalloc(pub->words, sizeof *t->bare);
  t->narrow.words_per_state = inner->words;
}

void tag_clear(struct tag *t) {
  sys_unwrap(&t->wrap);
  t->narrow.covers = NULL; // the caller's
  sys_out_clear(&t->narrow);
  mem_free(t->bare);
}
