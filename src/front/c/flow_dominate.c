// SPDX-License-Identifier: Apache-2.0
// Dominators: Cooper, Harvey and Kennedy, "A simple, fast dominance algorithm" (2001). Blocks must
// be in reverse postorder, as flow_blocks leaves them.
#include "front/c/flow.h"

static uint32_t meet(const uint32_t *dominators, uint32_t x, uint32_t y) {
  while (x != y) {
    while (x > y) x = dominators[x];
    while (y > x) y = dominators[y];
  }
  return x;
}

static bool step(const struct c_function *f, uint32_t *dominators) {
  bool changed = false;
  for (uint32_t k = 0; k < f->blocks.count; k++) {
    const struct c_instruction *end = &VEC_TOP(&f->blocks.data[k].code);
    if (k && dominators[k] == FLOW_NONE) continue;
    for (uint32_t i = 0; i < end->target_count; i++) {
      uint32_t to = end->targets[i], old = dominators[to];
      if (to == 0) continue;
      dominators[to] = old == FLOW_NONE ? k : meet(dominators, old, k);
      changed |= dominators[to] != old;
    }
  }
  return changed;
}

uint32_t *flow_dominators(const struct c_function *f) {
  uint32_t *dominators = mem_alloc((f->blocks.count + 1) * sizeof *dominators);
  for (size_t k = 0; k < f->blocks.count; k++) dominators[k] = FLOW_NONE;
  while (step(f, dominators)) continue;
  return dominators;
}

bool flow_dominates(const uint32_t *dominators, uint32_t x, uint32_t y) {
  while (y != FLOW_NONE && y > x) y = dominators[y];
  return x == y;
}
