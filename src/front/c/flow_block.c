// SPDX-License-Identifier: Apache-2.0
// The graph of blocks: constant branches, blocks nobody comes to, blocks that become one.
#include "front/c/flow.h"

#include <string.h>

static struct c_instruction *end_of(const struct c_block *b) { return &VEC_TOP(&b->code); }

// --- branches ---

// The one way that a branch takes; FLOW_NONE: there are several.
static uint32_t only_way(const struct c_instruction *end) {
  struct c_value c = end->arg_count ? end->args[0] : (struct c_value){0};
  bool known = end->arg_count && c.kind == C_NUMBER;
  if (end->op == C_BRANCH && known) return end->targets[c.number == 0];
  if (end->op == C_SWITCH && known) {
    for (uint32_t k = 1; k < end->arg_count; k++)
      if (end->args[k].number == c.number) return end->targets[k];
    return end->targets[0];
  }
  if (end->op != C_BRANCH && end->op != C_SWITCH) return FLOW_NONE;
  for (uint32_t k = 1; k < end->target_count; k++)
    if (end->targets[k] != end->targets[0]) return FLOW_NONE;
  return end->targets[0];
}

// A block is no longer come to from `from`.
static void forget_way(struct c_block *to, uint32_t from) {
  for (size_t i = 0; i < to->phis.count; i++) {
    struct c_phi *phi = &to->phis.data[i];
    uint32_t kept = 0;
    for (uint32_t k = 0; k < phi->count; k++)
      if (phi->blocks[k] != from) {
        phi->blocks[kept] = phi->blocks[k];
        phi->values[kept++] = phi->values[k];
      }
    phi->count = kept;
  }
}

static bool straighten(struct c_function *f, uint32_t k) {
  struct c_instruction *end = end_of(&f->blocks.data[k]);
  uint32_t way = only_way(end);
  if (way == FLOW_NONE) return false;
  for (uint32_t i = 0; i < end->target_count; i++)
    if (end->targets[i] != way) forget_way(&f->blocks.data[end->targets[i]], k);
  end->op = C_JUMP;
  end->arg_count = 0;
  end->targets[0] = way;
  end->target_count = 1;
  return true;
}

// --- blocks that only jump ---

// Where a way to block k ends: past blocks that only jump, if it makes no difference to come from
// them.
static uint32_t past_jumps(const struct c_function *f, uint32_t k) {
  for (size_t steps = 0; steps < f->blocks.count; steps++) {
    const struct c_block *b = &f->blocks.data[k];
    const struct c_instruction *end = end_of(b);
    bool only = b->code.count == 1 && b->phis.count == 0 && end->op == C_JUMP;
    if (!only || f->blocks.data[end->targets[0]].phis.count) return k;
    k = end->targets[0];
  }
  return k; // round and round
}

static bool pass_jumps(struct c_function *f, uint32_t k) {
  struct c_instruction *end = end_of(&f->blocks.data[k]);
  bool changed = false;
  for (uint32_t i = 0; i < end->target_count; i++) {
    uint32_t to = past_jumps(f, end->targets[i]);
    changed |= to != end->targets[i];
    end->targets[i] = to;
  }
  return changed;
}

// --- blocks that become one ---

static uint32_t *count_ways(const struct c_function *f) {
  uint32_t *ways = mem_zalloc(f->blocks.count + 1, sizeof *ways);
  for (size_t k = 0; k < f->blocks.count; k++) {
    const struct c_instruction *end = end_of(&f->blocks.data[k]);
    for (uint32_t i = 0; i < end->target_count; i++) ways[end->targets[i]]++;
  }
  return ways;
}

// Phis for a block that is come to from `from` are for `to` now.
static void rename_way(struct c_function *f, const struct c_instruction *end, uint32_t from,
                       uint32_t to) {
  for (uint32_t t = 0; t < end->target_count; t++) {
    struct c_block *b = &f->blocks.data[end->targets[t]];
    for (size_t i = 0; i < b->phis.count; i++)
      for (uint32_t k = 0; k < b->phis.data[i].count; k++)
        if (b->phis.data[i].blocks[k] == from) b->phis.data[i].blocks[k] = to;
  }
}

// The phi of a block with one predecessor is a copy.
static struct c_instruction as_copy(const struct flow *w, const struct c_phi *phi,
                                    const struct c_instruction *like) {
  struct c_instruction i = {.op = C_COPY,
                            .type = phi->type,
                            .index = phi->index,
                            .args = ARENA_NEW(w->p->arena, struct c_value),
                            .arg_count = 1,
                            .span = like->span,
                            .function = like->function};
  i.args[0] = phi->count ? phi->values[0] : (struct c_value){.kind = C_UNDEF, .type = phi->type};
  return i;
}

static void join(struct flow *w, uint32_t k, uint32_t next) {
  struct c_block *b = &w->f->blocks.data[k], *n = &w->f->blocks.data[next];
  struct c_instruction jump = VEC_POP(&b->code);
  for (size_t i = 0; i < n->phis.count; i++)
    VEC_PUSH(&b->code, as_copy(w, &n->phis.data[i], &jump));
  for (size_t i = 0; i < n->code.count; i++) VEC_PUSH(&b->code, n->code.data[i]);
  rename_way(w->f, end_of(b), next, k);
  n->phis.count = 0;
  n->code.count = 0;
}

static bool join_all(struct flow *w) {
  uint32_t *ways = count_ways(w->f);
  bool changed = false;
  for (uint32_t k = 0; k < w->f->blocks.count; k++)
    while (w->f->blocks.data[k].code.count) {
      const struct c_instruction *end = end_of(&w->f->blocks.data[k]);
      uint32_t next = end->op == C_JUMP ? end->targets[0] : 0;
      if (next == 0 || next == k || ways[next] != 1) break;
      join(w, k, next);
      changed = true;
    }
  mem_free(ways);
  return changed;
}

// --- order ---

struct step {
  uint32_t block, next;
};

struct walk {
  const struct c_function *f;
  uint32_t *order; // blocks, in reverse postorder from `at` on
  size_t at;
  bool *seen;
};

// Postorder, with a stack of our own: programs are deep.
static void walk(struct walk *w) {
  VEC(struct step) stack = {0};
  VEC_PUSH(&stack, ((struct step){0, 0}));
  w->seen[0] = true;
  while (stack.count) {
    const struct c_instruction *end = end_of(&w->f->blocks.data[VEC_TOP(&stack).block]);
    uint32_t next = VEC_TOP(&stack).next++;
    if (next >= end->target_count) {
      w->order[--w->at] = VEC_POP(&stack).block;
      continue;
    }
    uint32_t to = end->targets[end->target_count - 1 - next];
    if (w->seen[to]) continue;
    w->seen[to] = true;
    VEC_PUSH(&stack, ((struct step){to, 0}));
  }
  VEC_CLEAR(&stack);
}

static void renumber(struct c_block *b, const uint32_t *number) {
  struct c_instruction *end = end_of(b);
  for (uint32_t i = 0; i < end->target_count; i++) end->targets[i] = number[end->targets[i]];
  for (size_t i = 0; i < b->phis.count; i++) {
    struct c_phi *phi = &b->phis.data[i];
    uint32_t kept = 0;
    for (uint32_t k = 0; k < phi->count; k++) {
      if (number[phi->blocks[k]] == FLOW_NONE) continue;
      phi->blocks[kept] = number[phi->blocks[k]];
      phi->values[kept++] = phi->values[k];
    }
    phi->count = kept;
  }
}

static void drop_block(struct c_block *b) {
  VEC_CLEAR(&b->phis);
  VEC_CLEAR(&b->code);
}

// True: some are gone.
static bool put_in_order(struct c_function *f) {
  size_t n = f->blocks.count;
  struct walk w = {.f = f, .order = mem_alloc(n * sizeof *w.order), .at = n};
  uint32_t *number = mem_alloc(n * sizeof *number);
  struct c_block *blocks = mem_alloc(n * sizeof *blocks);
  w.seen = mem_zalloc(n, sizeof *w.seen);
  walk(&w);
  for (size_t k = 0; k < n; k++) number[k] = FLOW_NONE;
  for (size_t k = w.at; k < n; k++) number[w.order[k]] = (uint32_t)(k - w.at);
  for (size_t k = 0; k < n; k++)
    if (number[k] == FLOW_NONE)
      drop_block(&f->blocks.data[k]);
    else
      blocks[number[k]] = f->blocks.data[k];
  f->blocks.count = n - w.at;
  memcpy(f->blocks.data, blocks, f->blocks.count * sizeof *blocks);
  for (size_t k = 0; k < f->blocks.count; k++) renumber(&f->blocks.data[k], number);
  mem_free(w.order);
  mem_free(w.seen);
  mem_free(number);
  mem_free(blocks);
  return w.at > 0;
}

bool flow_blocks(struct flow *w) {
  bool changed = false;
  for (uint32_t k = 0; k < w->f->blocks.count; k++) {
    changed |= pass_jumps(w->f, k);
    changed |= straighten(w->f, k);
  }
  changed |= put_in_order(w->f);
  if (join_all(w)) {
    put_in_order(w->f);
    changed = true;
  }
  return changed;
}
