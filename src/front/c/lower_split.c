// SPDX-License-Identifier: Apache-2.0
// A call that is an error gets a block of its own: a control state that a search can aim at (the
// error blocks of paper 003). What the sanitizer of overflows calls is one for all operations of a
// function, and nowhere: each gets its own, where the operation is.
#include "front/c/lower.h"

// What only computes something for the call goes with it.
static bool prepares(const struct c_instruction *i) {
  return i->op == C_GEP || i->op == C_BITCAST || i->op == C_COPY;
}

// Where the block of the first error begins; 0: there is none, or it begins this block.
static size_t error_in(const struct c_block *b) {
  for (size_t i = 0; i < b->code.count; i++) {
    if (b->code.data[i].op != C_CALL || !c_call_is_error(b->code.data[i].name)) continue;
    while (i > 0 && prepares(&b->code.data[i - 1])) i--;
    return i;
  }
  return 0;
}

// Phis of what follows know the new block instead of the old one.
static void rename_source(struct c_function *f, const struct c_instruction *last, uint32_t from,
                          uint32_t to) {
  for (uint32_t k = 0; k < last->target_count; k++) {
    struct c_block *b = &f->blocks.data[last->targets[k]];
    for (size_t i = 0; i < b->phis.count; i++)
      for (uint32_t j = 0; j < b->phis.data[i].count; j++)
        if (b->phis.data[i].blocks[j] == from) b->phis.data[i].blocks[j] = to;
  }
}

static void split(struct c_program *p, struct c_function *f, uint32_t number, size_t at) {
  struct c_block rest = {.name = "error"};
  uint32_t next = (uint32_t)f->blocks.count;
  struct c_block *b = &f->blocks.data[number];
  for (size_t i = at; i < b->code.count; i++) VEC_PUSH(&rest.code, b->code.data[i]);
  b->code.count = at;
  struct c_instruction jump = {.op = C_JUMP,
                               .span = b->code.data[at - 1].span,
                               .function = b->code.data[at - 1].function,
                               .target_count = 1};
  jump.targets = ARENA_NEW(p->arena, uint32_t);
  jump.targets[0] = next;
  VEC_PUSH(&b->code, jump);
  VEC_PUSH(&f->blocks, rest);
  rename_source(f, &VEC_TOP(&rest.code), number, next);
}

// --- overflows ---

static bool is_trap(const struct c_block *b) {
  return b->phis.count == 0 && b->code.data[0].op == C_CALL &&
         c_call_is_overflow(b->code.data[0].name);
}

static const struct c_instruction *operation_in(const struct c_block *b) {
  for (size_t i = b->code.count; i-- > 0;)
    if (b->code.data[i].op >= C_SADD_OVER && b->code.data[i].op <= C_UMUL_OVER)
      return &b->code.data[i];
  return &VEC_TOP(&b->code);
}

static void place_trap(struct c_block *b, const struct c_instruction *at) {
  b->name = "overflow";
  for (size_t i = 0; i < b->code.count; i++) {
    if (b->code.data[i].span.line == 0) b->code.data[i].span = at->span;
    b->code.data[i].function = at->function;
  }
}

static uint32_t copy_block(struct c_function *f, uint32_t number) {
  struct c_block b = {0};
  const struct c_block *old = &f->blocks.data[number];
  for (size_t i = 0; i < old->code.count; i++) VEC_PUSH(&b.code, old->code.data[i]);
  VEC_PUSH(&f->blocks, b);
  return (uint32_t)f->blocks.count - 1;
}

// The first that comes to a trap has it for itself, the next ones get copies of it. Those first.
void c_split_overflows(struct c_program *p) {
  struct c_function *f = &p->functions.data[p->main];
  size_t blocks = f->blocks.count;
  bool *seen = mem_zalloc(blocks, sizeof *seen);
  VEC(struct {
    uint32_t trap;
    struct c_instruction at;
  })
  own = {0};
  for (uint32_t n = 0; n < blocks; n++) {
    const struct c_instruction at = *operation_in(&f->blocks.data[n]);
    for (uint32_t k = 0; k < VEC_TOP(&f->blocks.data[n].code).target_count; k++) {
      uint32_t *to = &VEC_TOP(&f->blocks.data[n].code).targets[k];
      if (!is_trap(&f->blocks.data[*to])) continue;
      if (seen[*to]) *to = copy_block(f, *to);
      if (*to < blocks) seen[*to] = true;
      VEC_PUSH(&own, ((typeof(*own.data)){*to, at}));
    }
  }
  for (size_t i = 0; i < own.count; i++)
    place_trap(&f->blocks.data[own.data[i].trap], &own.data[i].at);
  VEC_CLEAR(&own);
  mem_free(seen);
}

// --- errors ---

void c_split_errors(struct c_program *p) {
  struct c_function *f = &p->functions.data[p->main];
  for (uint32_t n = 0; n < f->blocks.count; n++) {
    size_t at = error_in(&f->blocks.data[n]);
    if (at) split(p, f, n, at);
  }
}
