// SPDX-License-Identifier: Apache-2.0
// What a system around another hands on to it.
#include "sys/sys.h"

static struct sys *inner_of(struct sys *s) { return ((struct sys_wrapper *)s)->inner; }

static void starts(struct sys *s, struct sys_out *out) {
  struct sys *inner = inner_of(s);
  inner->starts(inner, out);
}

static struct sys_fault check(struct sys *s, const uint64_t *state) {
  struct sys *inner = inner_of(s);
  return inner->check(inner, state);
}

static struct sys_fault covers(struct sys *s, const uint64_t *state, uint64_t *bits) {
  struct sys *inner = inner_of(s);
  return inner->covers(inner, state, bits);
}

static struct sys_fault atoms(struct sys *s, const uint64_t *state, uint64_t *bits) {
  struct sys *inner = inner_of(s);
  return inner->atoms(inner, state, bits);
}

static uint64_t ample(struct sys *s, const uint64_t *state) {
  struct sys *inner = inner_of(s);
  return inner->ample(inner, state);
}

static bool may_end(struct sys *s, const uint64_t *state) {
  struct sys *inner = inner_of(s);
  return inner->may_end(inner, state);
}

static bool accepts(struct sys *s, const uint64_t *state) {
  struct sys *inner = inner_of(s);
  return inner->accepts(inner, state);
}

static uint32_t claim(struct sys *s, const uint64_t *state) {
  struct sys *inner = inner_of(s);
  return inner->claim(inner, state);
}

static void look_at_inner(struct sys_wrapper *w) {
  w->pub.native = w->inner->native;
  w->pub.compiling = w->inner->compiling;
  w->pub.note = w->inner->note;
  w->pub.compile_seconds = w->inner->compile_seconds;
}

static void poll(struct sys *s) {
  struct sys_wrapper *w = (struct sys_wrapper *)s;
  sys_poll(w->inner);
  look_at_inner(w);
}

void sys_wrap(struct sys_wrapper *w, struct sys *inner) {
  w->inner = inner;
  w->pub = (struct sys){.model = inner->model,
                        .words = inner->words,
                        .bytes = inner->bytes,
                        .chains = inner->chains,
                        .asking = inner->asking,
                        .poll = poll,
                        .starts = starts,
                        .check = check,
                        .covers = covers,
                        .atoms = atoms,
                        .ample = ample,
                        .may_end = may_end,
                        .accepts = inner->accepts ? accepts : NULL,
                        .claim = inner->claim ? claim : NULL,
                        .weak = inner->weak};
  look_at_inner(w);
}

void sys_unwrap(struct sys_wrapper *w) {
  if (w->owns_inner) sys_free(w->inner);
}
