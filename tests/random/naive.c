// SPDX-License-Identifier: Apache-2.0
// Chains through transient states by plain recursion, over lists that are searched from end to end.
#include "random/naive.h"

#include "ir/ir.h"
#include "sys/sys.h"

#include <string.h>

struct naive {
  struct sys_wrapper wrap; // first: the public pointer is this pointer
  VEC(uint64_t) seen;      // transient states of this expansion, one after the other
};

static struct naive *inside(struct sys *s) { return (struct naive *)s; }

static bool is_transient(const struct naive *n, const uint64_t *state) {
  const struct ir_model *m = n->wrap.pub.model;
  const struct ir_leaf *leaf = &m->layout->leaf[m->transient->first_leaf];
  int64_t value = ir_leaf_get(leaf, state);
  return value != 0 && !(leaf->undef && value == IR_UNDEF);
}

static bool see(struct naive *n, const uint64_t *state) {
  size_t words = n->wrap.pub.words;
  for (size_t i = 0; i < n->seen.count; i += words)
    if (memcmp(n->seen.data + i, state, words * sizeof *state) == 0) return false;
  for (size_t i = 0; i < words; i++) VEC_PUSH(&n->seen, state[i]);
  return true;
}

static void put(struct naive *n, const uint64_t *state, struct sys_step step, struct sys_out *out) {
  sys_out_reserve(out, 1);
  memcpy(out->words + out->count * n->wrap.pub.words, state, n->wrap.pub.words * sizeof *state);
  out->steps[out->count++] = step;
}

// False: the state is a dead end. `root` is the instance of the chain's first step, unless that is
// the one from here.
static bool go_on(struct naive *n, const uint64_t *state, uint32_t root, bool first,
                  struct sys_out *out) {
  struct sys_out here;
  sys_out_init(&here, n->wrap.pub.words, n->wrap.pub.model->properties.count);
  n->wrap.inner->expand(n->wrap.inner, state, &here);
  bool moves = here.moved;
  out->fired += here.fired;
  if (first) out->moved |= here.moved;
  for (size_t i = 0; i <= n->wrap.pub.model->properties.count / 64; i++)
    out->covers[i] |= here.covers[i];
  for (size_t i = 0; i < here.count; i++) moves |= here.steps[i].site != 0;
  for (size_t i = 0; i < here.count && (moves || first); i++) {
    const uint64_t *to = here.words + i * n->wrap.pub.words;
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

static void release(struct sys *s) {
  VEC_CLEAR(&inside(s)->seen);
  mem_free(s);
}

struct sys *naive_chain_new(struct sys *inner) {
  struct naive *n = mem_zalloc(1, sizeof *n);
  sys_wrap(&n->wrap, inner);
  n->wrap.pub.free = release;
  n->wrap.pub.expand = expand;
  return &n->wrap.pub;
}
