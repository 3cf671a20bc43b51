// SPDX-License-Identifier: Apache-2.0
// A system over representatives: the inner system's steps, their outcomes made canonical.
#include "reduce/reduce.h"

#include "sys/sys.h"

struct reduced {
  struct sys pub; // first: the public pointer is this pointer
  struct sys *inner;
  bool owns_inner; // a clone has a clone of it
  struct symmetry *symmetry;
};

static struct reduced *inside(struct sys *s) { return (struct reduced *)s; }

// Makes successors canonical, and tells how elements are renamed.
static void follow(struct reduced *r, struct sys_out *out, size_t from) {
  size_t words = r->pub.words, each = r->pub.renames->each;
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
  size_t words = r->pub.words;
  if (out->follow) return follow(r, out, from);
  for (size_t i = from; i < out->count; i++)
    if (!out->steps[i].site) symmetry_canonical(r->symmetry, out->words + i * words);
}

static void starts(struct sys *s, struct sys_out *out) {
  struct reduced *r = inside(s);
  size_t from = out->count;
  r->inner->starts(r->inner, out);
  make_canonical(r, out, from);
}

static void expand(struct sys *s, const uint64_t *state, struct sys_out *out) {
  struct reduced *r = inside(s);
  size_t from = out->count;
  r->inner->expand(r->inner, state, out);
  make_canonical(r, out, from);
}

static struct sys_fault check(struct sys *s, const uint64_t *state) {
  struct sys *inner = inside(s)->inner;
  return inner->check(inner, state);
}

static struct sys_fault covers(struct sys *s, const uint64_t *state, uint64_t *bits) {
  struct sys *inner = inside(s)->inner;
  return inner->covers(inner, state, bits);
}

static uint64_t atoms(struct sys *s, const uint64_t *state) {
  struct sys *inner = inside(s)->inner;
  return inner->atoms(inner, state);
}

static void look_at_inner(struct reduced *r) {
  r->pub.native = r->inner->native;
  r->pub.note = r->inner->note;
  r->pub.compile_seconds = r->inner->compile_seconds;
}

static void poll(struct sys *s) {
  struct reduced *r = inside(s);
  sys_poll(r->inner);
  look_at_inner(r);
}

static void release(struct sys *s) {
  struct reduced *r = inside(s);
  symmetry_free(r->symmetry);
  if (r->owns_inner) sys_free(r->inner);
  mem_free(r);
}

static struct sys *clone(struct sys *s);

static struct sys *wrap(struct sys *inner, struct symmetry *y) {
  struct reduced *r = mem_zalloc(1, sizeof *r);
  r->inner = inner;
  r->symmetry = y;
  r->pub = (struct sys){.model = inner->model,
                        .words = inner->words,
                        .bytes = inner->bytes,
                        .renames = symmetry_renames(y),
                        .chains = inner->chains,
                        .poll = poll,
                        .free = release,
                        .clone = clone,
                        .starts = starts,
                        .expand = expand,
                        .check = check,
                        .covers = covers,
                        .atoms = atoms};
  look_at_inner(r);
  return &r->pub;
}

static struct sys *clone(struct sys *s) {
  const struct reduced *r = inside(s);
  struct sys *copy = wrap(sys_clone(r->inner), symmetry_clone(r->symmetry));
  inside(copy)->owns_inner = true;
  return copy;
}

struct sys *reduce_symmetry_new(struct sys *inner, bool trust) {
  return wrap(inner, symmetry_new(inner->model, trust));
}
