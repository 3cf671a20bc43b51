// SPDX-License-Identifier: Apache-2.0
// Chains through transient states by plain recursion, over lists that are searched from end to end.
#include "random/naive.h"

#include "ir/ir.h"
#include "sys/sys.h"

#include <string.h>

struct naive {
  struct sys pub; // first: the public pointer is this pointer
  struct sys *inner;
  VEC(uint64_t) seen; // transient states of this expansion, one after the other
};

static struct naive *inside(struct sys *s) { return (struct naive *)s; }

static bool is_transient(const struct naive *n, const uint64_t *state) {
  const struct ir_model *m = n->pub.model;
  const struct ir_leaf *leaf = &m->layout->leaf[m->transient->first_leaf];
  int64_t value = ir_leaf_get(leaf, state);
  return value != 0 && !(leaf->undef && value == IR_UNDEF);
}

static bool see(struct naive *n, const uint64_t *state) {
  size_t words = n->pub.words;
  for (size_t i = 0; i < n->seen.count; i += words)
    if (memcmp(n->seen.data + i, state, words * sizeof *state) == 0) return false;
  for (size_t i = 0; i < words; i++) VEC_PUSH(&n->seen, state[i]);
  return true;
}

static void put(struct naive *n, const uint64_t *state, struct sys_step step, struct sys_out *out) {
  sys_out_reserve(out, 1);
  memcpy(out->words + out->count * n->pub.words, state, n->pub.words * sizeof *state);
  out->steps[out->count++] = step;
}

// False: the state is a dead end. `root` is the instance of the chain's first step, unless that is
// the one from here.
static bool go_on(struct naive *n, const uint64_t *state, uint32_t root, bool first,
                  struct sys_out *out) {
  struct sys_out here;
  sys_out_init(&here, n->pub.words, n->pub.model->properties.count);
  n->inner->expand(n->inner, state, &here);
  bool moves = here.moved;
  out->fired += here.fired;
  if (first) out->moved |= here.moved;
  for (size_t i = 0; i <= n->pub.model->properties.count / 64; i++)
    out->covers[i] |= here.covers[i];
  for (size_t i = 0; i < here.count; i++) moves |= here.steps[i].site != 0;
  for (size_t i = 0; i < here.count && (moves || first); i++) {
    const uint64_t *to = here.words + i * n->pub.words;
    struct sys_step step = {first ? here.steps[i].instance : root, 0, here.steps[i].site};
    bool passes = !step.site && is_transient(n, to);
    if (passes && !see(n, to)) continue;
    if (!passes || !go_on(n, to, step.instance, false, out)) put(n, to, step, out);
  }
  sys_out_clear(&here);
  return moves;
}

static void expand(struct sys *s, const uint64_t *state, struct sys_out *out) {
  struct naive *n = inside(s);
  size_t begin = out->count;
  n->seen.count = 0;
  go_on(n, state, 0, true, out);
  for (size_t i = begin; i < out->count; i++) out->steps[i].choice = (uint32_t)(i - begin);
}

static void starts(struct sys *s, struct sys_out *out) {
  struct sys *inner = inside(s)->inner;
  inner->starts(inner, out);
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

static void release(struct sys *s) {
  VEC_CLEAR(&inside(s)->seen);
  mem_free(s);
}

struct sys *naive_chain_new(struct sys *inner) {
  struct naive *n = mem_zalloc(1, sizeof *n);
  n->inner = inner;
  n->pub = (struct sys){.model = inner->model,
                        .words = inner->words,
                        .bytes = inner->bytes,
                        .free = release,
                        .starts = starts,
                        .expand = expand,
                        .check = check,
                        .covers = covers,
                        .atoms = atoms};
  return &n->pub;
}
