// SPDX-License-Identifier: Apache-2.0
// A system over representatives: the inner system's steps, their outcomes made canonical.
#include "reduce/reduce.h"

#include "sys/sys.h"

struct reduced {
  struct sys_wrapper wrap; // first: the public pointer is this pointer
  struct symmetry *symmetry;
  struct sys_asking asking; // unless the inner system has one
};

static struct reduced *inside(struct sys *s) { return (struct reduced *)s; }

// Makes successors canonical, and tells how elements are renamed.
static void follow(struct reduced *r, struct sys_out *out, size_t from) {
  size_t words = r->wrap.pub.words, each = r->wrap.pub.renames->each;
  sys_out_reserve_renames(out, each);
  for (size_t i = from; i < out->count; i++) {
    uint32_t *renaming = out->renames + i * each;
    if (!out->steps[i].site)
      symmetry_follow(r->symmetry, out->words + i * words, renaming);
    else
      for (size_t e = 0; e < each; e++) renaming[e] = (uint32_t)e;
  }
}

static void make_canonical(struct reduced *r, struct sys_out *out, size_t from) {
  size_t words = r->wrap.pub.words;
  if (out->follow) return follow(r, out, from);
  for (size_t i = from; i < out->count; i++)
    if (!out->steps[i].site) symmetry_canonical(r->symmetry, out->words + i * words);
}

static void starts(struct sys *s, struct sys_out *out) {
  struct reduced *r = inside(s);
  size_t from = out->count;
  r->wrap.inner->starts(r->wrap.inner, out);
  make_canonical(r, out, from);
}

static void expand(struct sys *s, const uint64_t *state, struct sys_out *out) {
  struct reduced *r = inside(s);
  size_t from = out->count;
  r->wrap.inner->expand(r->wrap.inner, state, out);
  make_canonical(r, out, from);
}

static void release(struct sys *s) {
  struct reduced *r = inside(s);
  symmetry_free(r->symmetry);
  sys_unwrap(&r->wrap);
  mem_free(r);
}

static struct sys *clone(struct sys *s);

static struct sys *around(struct sys *inner, struct symmetry *y) {
  struct reduced *r = mem_zalloc(1, sizeof *r);
  sys_wrap(&r->wrap, inner);
  r->symmetry = y;
  if (!r->wrap.pub.asking) r->wrap.pub.asking = &r->asking;
  symmetry_ask(y, r->wrap.pub.asking);
  r->wrap.pub.renames = symmetry_renames(y);
  r->wrap.pub.free = release;
  r->wrap.pub.clone = clone;
  r->wrap.pub.starts = starts;
  r->wrap.pub.expand = expand;
  return &r->wrap.pub;
}

static struct sys *clone(struct sys *s) {
  const struct reduced *r = inside(s);
  struct sys *copy = around(sys_clone(r->wrap.inner), symmetry_clone(r->symmetry));
  inside(copy)->wrap.owns_inner = true;
  return copy;
}

struct sys *reduce_symmetry_new(struct sys *inner, bool trust) {
  return around(inner, symmetry_new(inner->model, trust));
}
