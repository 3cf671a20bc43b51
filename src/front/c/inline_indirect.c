// SPDX-License-Identifier: Apache-2.0
// Calls through pointers: a case for each function of that type whose address somebody takes.
#include "front/c/inline.h"

// The functions that a pointer of this type may point to; their number.
static uint32_t candidates(const struct inliner *in, const struct c_type *type, uint32_t *out) {
  uint32_t n = 0;
  for (uint32_t k = 0; k < in->p->functions.count; k++)
    if (in->taken[k] && in->p->functions.data[k].address == type) out[n++] = k;
  return n;
}

// The call of one of them; what it gives is a register of its own, if it gives anything.
static struct c_value call_one(struct inliner *in, const struct c_instruction *call,
                               uint32_t number) {
  struct c_instruction i = *call;
  struct c_value gives = {.kind = C_UNDEF, .type = call->type};
  i.name = in->p->functions.data[number].name;
  i.arg_count--;
  if (call->type->kind != C_VOID) {
    gives = inline_register(in, call->type);
    i.index = gives.index;
  }
  inline_call(in, &i);
  return gives;
}

static void branch_to(struct inliner *in, const struct c_instruction *call, uint32_t number,
                      uint32_t yes, uint32_t no) {
  struct c_value pointer = call->args[call->arg_count - 1];
  struct c_value is = inline_register(in, in->p->truth);
  struct c_instruction *i = inline_emit(in, call, C_EQ, 2);
  i->type = in->p->truth;
  i->index = is.index;
  i->args[0] = pointer;
  i->args[1] = (struct c_value){.kind = C_FUNCTION, .type = pointer.type, .index = number};
  i = inline_emit(in, call, C_BRANCH, 1);
  i->type = in->p->nothing;
  i->args[0] = is;
  i->target_count = 2;
  i->targets = ARENA_ARRAY(in->p->arena, uint32_t, 2);
  i->targets[0] = yes;
  i->targets[1] = no;
}

static void give_up(struct inliner *in, const struct c_instruction *call) {
  struct c_instruction *i = inline_emit(in, call, C_UNABLE, 0);
  i->type = in->p->nothing;
  i->name = "a call through a pointer to an unknown function";
  inline_emit(in, call, C_UNREACHABLE, 0)->type = in->p->nothing;
}

static void split(struct inliner *in, const struct c_instruction *call, const uint32_t *number,
                  uint32_t n) {
  struct c_phi phi = {.index = call->index,
                      .type = call->type,
                      .blocks = ARENA_ARRAY(in->p->arena, uint32_t, n),
                      .values = ARENA_ARRAY(in->p->arena, struct c_value, n),
                      .count = n};
  uint32_t after = inline_block(in, in->out.blocks.data[in->block].name);
  for (uint32_t k = 0; k < n; k++) {
    uint32_t yes = inline_block(in, "call"), no = inline_block(in, "pointer");
    branch_to(in, call, number[k], yes, no);
    in->block = yes;
    phi.values[k] = call_one(in, call, number[k]);
    phi.blocks[k] = in->block;
    inline_jump(in, call, after);
    in->block = no;
  }
  give_up(in, call);
  in->block = after;
  if (call->type->kind != C_VOID) VEC_PUSH(&in->out.blocks.data[after].phis, phi);
}

void inline_indirect(struct inliner *in, const struct c_instruction *call) {
  struct c_value pointer = call->args[call->arg_count - 1];
  uint32_t *number = ARENA_ARRAY(in->p->arena, uint32_t, in->p->functions.count);
  if (pointer.kind == C_FUNCTION) {
    struct c_instruction i = *call;
    i.name = in->p->functions.data[pointer.index].name;
    i.arg_count--;
    inline_call(in, &i);
  } else {
    split(in, call, number, candidates(in, pointer.type, number));
  }
}
