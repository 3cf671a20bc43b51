// SPDX-License-Identifier: Apache-2.0
// Inlining: main is built anew, and where a function is called its blocks are put in, with
// registers and variables of their own. A function that calls itself is put in so many times.
#include "front/c/inline.h"

#include <string.h>

enum { SIZE_MAX_INSTRUCTIONS = 200000 };

bool c_known(const char *name) {
  static const char *const names[] = {
      "reach_error", "__VERIFIER_error", "__VERIFIER_assume", "abort",  "exit",   "_Exit",
      "_exit",       "__assert_fail",    "__assert",          "malloc", "calloc", "free"};
  if (strncmp(name, "__VERIFIER_nondet_", strlen("__VERIFIER_nondet_")) == 0) return true;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) return true;
  return false;
}

// --- main, as it grows ---

struct c_instruction *inline_emit(struct inliner *in, const struct c_instruction *like,
                                  enum c_op op, uint32_t arg_count) {
  struct c_instruction i = *like;
  i.op = op;
  i.args = ARENA_ARRAY(in->p->arena, struct c_value, arg_count);
  i.arg_count = arg_count;
  i.targets = NULL;
  i.target_count = 0;
  i.name = NULL;
  i.element = NULL;
  in->size++;
  VEC_PUSH(&in->out.blocks.data[in->block].code, i);
  return &VEC_TOP(&in->out.blocks.data[in->block].code);
}

uint32_t inline_block(struct inliner *in, const char *name) {
  VEC_PUSH(&in->out.blocks, ((struct c_block){.name = name}));
  return (uint32_t)in->out.blocks.count - 1;
}

void inline_jump(struct inliner *in, const struct c_instruction *like, uint32_t to) {
  struct c_instruction *i = inline_emit(in, like, C_JUMP, 0);
  i->type = in->p->nothing;
  i->targets = ARENA_NEW(in->p->arena, uint32_t);
  i->targets[0] = to;
  i->target_count = 1;
}

struct c_value inline_register(struct inliner *in, const struct c_type *type) {
  VEC_PUSH(&in->out.registers, ((struct c_register){.type = type}));
  return (struct c_value){
      .kind = C_REGISTER, .type = type, .index = (uint32_t)in->out.registers.count - 1};
}

// --- one function ---

static const char *const ARGUMENTS[] = {"argc", "argv", "envp"};

static struct c_value map_value(const struct inliner *in, const struct inline_frame *f,
                                struct c_value v) {
  if (v.kind == C_REGISTER) v.index += f->reg;
  if (v.kind == C_OBJECT && v.index >= in->locals[0][f->number] &&
      v.index < in->locals[1][f->number])
    v.index += f->object - in->locals[0][f->number];
  if (v.kind != C_ARGUMENT) return v;
  if (v.index < f->arg_count) return f->args[v.index];
  return (struct c_value){.kind = C_UNDEF, .type = v.type};
}

static struct c_instruction map_instruction(struct inliner *in, const struct inline_frame *f,
                                            const struct c_instruction *from) {
  struct c_instruction i = *from;
  i.index += f->reg;
  i.args = ARENA_ARRAY(in->p->arena, struct c_value, i.arg_count);
  i.targets = ARENA_ARRAY(in->p->arena, uint32_t, i.target_count);
  for (uint32_t k = 0; k < i.arg_count; k++) i.args[k] = map_value(in, f, from->args[k]);
  for (uint32_t k = 0; k < i.target_count; k++) i.targets[k] = f->block + from->targets[k];
  return i;
}

static void put_instruction(struct inliner *in, struct inline_frame *f,
                            const struct c_instruction *from) {
  struct c_instruction i = map_instruction(in, f, from);
  in->size++;
  if (i.op == C_CALL && !i.name) {
    inline_indirect(in, &i);
  } else if (i.op == C_CALL) {
    inline_call(in, &i);
  } else if (i.op == C_RETURN && f->number != in->p->main) {
    VEC_PUSH(&f->ends, in->block);
    if (i.arg_count) VEC_PUSH(&f->results, i.args[0]);
  } else {
    VEC_PUSH(&in->out.blocks.data[in->block].code, i);
  }
}

static void put_phi(struct inliner *in, const struct inline_frame *f, uint32_t block,
                    const struct c_phi *from) {
  struct c_phi phi = *from;
  phi.index += f->reg;
  phi.blocks = ARENA_ARRAY(in->p->arena, uint32_t, phi.count);
  phi.values = ARENA_ARRAY(in->p->arena, struct c_value, phi.count);
  for (uint32_t k = 0; k < phi.count; k++) {
    phi.blocks[k] = f->last[from->blocks[k]];
    phi.values[k] = map_value(in, f, from->values[k]);
  }
  VEC_PUSH(&in->out.blocks.data[block].phis, phi);
}

static void make_room(struct inliner *in, struct inline_frame *f) {
  uint32_t from = in->locals[0][f->number], to = in->locals[1][f->number];
  f->block = (uint32_t)in->out.blocks.count;
  f->reg = (uint32_t)in->out.registers.count;
  f->last = ARENA_ARRAY(in->p->arena, uint32_t, f->f->blocks.count);
  f->object = f->number == in->p->main && in->active[f->number] == 0
                  ? from
                  : (uint32_t)in->p->objects.count;
  for (size_t k = 0; k < f->f->blocks.count; k++) inline_block(in, f->f->blocks.data[k].name);
  for (size_t k = 0; k < f->f->registers.count; k++)
    VEC_PUSH(&in->out.registers, f->f->registers.data[k]);
  for (uint32_t k = from; k < to && f->object != from; k++) {
    struct c_object o = in->p->objects.data[k];
    VEC_PUSH(&in->p->objects, o);
  }
}

// Those of main come from outside: calls of functions that nobody has written.
static void make_arguments(struct inliner *in, struct inline_frame *f) {
  struct c_instruction like = {.span = f->f->span, .function = f->f->name};
  struct c_value *args = ARENA_ARRAY(in->p->arena, struct c_value, f->f->param_count);
  in->block = f->block;
  for (uint32_t k = 0; k < f->f->param_count; k++) {
    struct c_instruction *i = inline_emit(in, &like, C_CALL, 0);
    args[k] = inline_register(in, f->f->params[k]);
    i->type = f->f->params[k];
    i->index = args[k].index;
    i->name = ARGUMENTS[k < 3 ? k : 2];
  }
  f->args = args;
  f->arg_count = f->f->param_count;
}

static void put_function(struct inliner *in, struct inline_frame *f) {
  make_room(in, f);
  if (f->number == in->p->main && in->active[f->number] == 0) make_arguments(in, f);
  in->active[f->number]++;
  for (uint32_t k = 0; k < f->f->blocks.count; k++) {
    const struct c_block *block = &f->f->blocks.data[k];
    in->block = f->block + k;
    for (size_t i = 0; i < block->code.count && in->size <= SIZE_MAX_INSTRUCTIONS; i++)
      put_instruction(in, f, &block->code.data[i]);
    f->last[k] = in->block;
  }
  for (uint32_t k = 0; k < f->f->blocks.count; k++)
    for (size_t i = 0; i < f->f->blocks.data[k].phis.count; i++)
      put_phi(in, f, f->block + k, &f->f->blocks.data[k].phis.data[i]);
  in->active[f->number]--;
}

// --- a call ---

static uint32_t find_function(const struct c_program *p, const char *name) {
  uint32_t n = 0;
  while (n < p->functions.count && strcmp(p->functions.data[n].name, name) != 0) n++;
  return n;
}

// An argument as the function declares it: calls without a prototype may hand over others.
static struct c_value convert(struct inliner *in, const struct c_instruction *call,
                              struct c_value v, const struct c_type *type) {
  enum c_op op = C_BITCAST;
  if (v.type == type || v.kind == C_UNDEF) return v.type = type, v;
  if (v.type->kind == C_INT && type->kind == C_INT)
    op = type->bits < v.type->bits ? C_TRUNC : C_SEXT;
  else if (v.type->kind == C_INT && type->kind == C_POINTER)
    op = C_INTTOPTR;
  else if (v.type->kind == C_POINTER && type->kind == C_INT)
    op = C_PTRTOINT;
  else if (v.type->kind != C_POINTER || type->kind != C_POINTER)
    op = C_UNABLE;
  struct c_instruction *i = inline_emit(in, call, op, op == C_UNABLE ? 0 : 1);
  struct c_value to = inline_register(in, type);
  i->type = type;
  i->index = to.index;
  if (op == C_UNABLE)
    i->name = "an argument of another kind than the function takes";
  else
    i->args[0] = v;
  return to;
}

// What the calls give: the value that came with the way back.
static void put_result(struct inliner *in, const struct inline_frame *f,
                       const struct c_instruction *call) {
  size_t n = f->results.count;
  if (call->type->kind == C_VOID) return;
  if (n < 2) {
    struct c_value v = {.kind = C_UNDEF, .type = call->type};
    if (n == 1) v = convert(in, call, f->results.data[0], call->type);
    inline_emit(in, call, C_COPY, 1)->args[0] = v;
    return;
  }
  struct c_phi phi = {.index = call->index,
                      .type = call->type,
                      .blocks = ARENA_ARRAY(in->p->arena, uint32_t, n),
                      .values = ARENA_ARRAY(in->p->arena, struct c_value, n),
                      .count = (uint32_t)n};
  memcpy(phi.blocks, f->ends.data, n * sizeof *phi.blocks);
  memcpy(phi.values, f->results.data, n * sizeof *phi.values);
  VEC_PUSH(&in->out.blocks.data[in->block].phis, phi);
}

static void put_beyond(struct inliner *in, const struct c_instruction *call) {
  struct c_instruction *i = inline_emit(in, call, C_BEYOND, 0);
  i->type = in->p->nothing;
  i->name = call->name;
  in->block = inline_block(in, "beyond");
}

static void put_body(struct inliner *in, const struct c_instruction *call, uint32_t number) {
  const struct c_function *f = &in->p->functions.data[number];
  struct inline_frame frame = {.f = f, .number = number};
  struct c_value *args = ARENA_ARRAY(in->p->arena, struct c_value, call->arg_count);
  for (uint32_t k = 0; k < call->arg_count; k++)
    args[k] = k < f->param_count ? convert(in, call, call->args[k], f->params[k]) : call->args[k];
  frame.args = args;
  frame.arg_count = call->arg_count;
  uint32_t caller = in->block;
  inline_jump(in, call, (uint32_t)in->out.blocks.count);
  put_function(in, &frame);
  uint32_t after = inline_block(in, in->out.blocks.data[caller].name);
  for (size_t k = 0; k < frame.ends.count; k++) {
    in->block = frame.ends.data[k];
    inline_jump(in, call, after);
  }
  in->block = after;
  put_result(in, &frame, call);
  VEC_CLEAR(&frame.ends);
  VEC_CLEAR(&frame.results);
}

void inline_call(struct inliner *in, const struct c_instruction *call) {
  uint32_t number = find_function(in->p, call->name);
  bool has_body = number < in->p->functions.count && in->p->functions.data[number].has_body;
  if (!has_body || c_known(call->name)) {
    VEC_PUSH(&in->out.blocks.data[in->block].code, *call);
  } else if (in->active[number] > in->recursion) {
    put_beyond(in, call);
  } else {
    put_body(in, call, number);
  }
}

// --- the whole program ---

static void find_locals(struct inliner *in, uint32_t number) {
  const struct c_function *f = &in->p->functions.data[number];
  uint32_t from = UINT32_MAX, to = 0;
  for (size_t k = 0; k < f->blocks.count; k++)
    for (size_t i = 0; i < f->blocks.data[k].code.count; i++) {
      const struct c_instruction *c = &f->blocks.data[k].code.data[i];
      if (c->op != C_ENTER && c->op != C_LEAVE) continue;
      if (c->args[0].index < from) from = c->args[0].index;
      if (c->args[0].index >= to) to = c->args[0].index + 1;
    }
  in->locals[0][number] = from < to ? from : 0;
  in->locals[1][number] = to;
}

static void note_taken(struct inliner *in, const struct c_value *v, uint64_t n) {
  for (uint64_t i = 0; i < n; i++)
    if (v[i].kind == C_FUNCTION) in->taken[v[i].index] = true;
}

static void find_taken(struct inliner *in) {
  for (size_t k = 0; k < in->p->objects.count; k++)
    if (in->p->objects.data[k].initial)
      note_taken(in, in->p->objects.data[k].initial, in->p->objects.data[k].scalars);
  for (size_t n = 0; n < in->p->functions.count; n++)
    for (size_t k = 0; k < in->p->functions.data[n].blocks.count; k++) {
      const struct c_block *b = &in->p->functions.data[n].blocks.data[k];
      for (size_t i = 0; i < b->phis.count; i++)
        note_taken(in, b->phis.data[i].values, b->phis.data[i].count);
      for (size_t i = 0; i < b->code.count; i++)
        note_taken(in, b->code.data[i].args, b->code.data[i].arg_count);
    }
}

static void clear_blocks(struct c_function *f) {
  for (size_t k = 0; k < f->blocks.count; k++) {
    VEC_CLEAR(&f->blocks.data[k].phis);
    VEC_CLEAR(&f->blocks.data[k].code);
  }
  VEC_CLEAR(&f->blocks);
  VEC_CLEAR(&f->registers);
}

// False: it is too large.
static bool build(struct inliner *in) {
  size_t objects = in->p->objects.count;
  const struct c_function *f = &in->p->functions.data[in->p->main];
  struct inline_frame frame = {.f = f, .number = in->p->main};
  in->out = *f;
  memset(&in->out.blocks, 0, sizeof in->out.blocks);
  memset(&in->out.registers, 0, sizeof in->out.registers);
  in->size = 0;
  put_function(in, &frame);
  if (in->size <= SIZE_MAX_INSTRUCTIONS) return true;
  clear_blocks(&in->out);
  in->p->objects.count = objects;
  return false;
}

static void finish(struct inliner *in) {
  for (size_t n = 0; n < in->p->functions.count; n++) {
    clear_blocks(&in->p->functions.data[n]);
    in->p->functions.data[n].has_body = false;
  }
  in->p->functions.data[in->p->main] = in->out;
}

static void begin(struct inliner *in) {
  size_t n = in->p->functions.count;
  in->active = ARENA_ARRAY(in->p->arena, uint32_t, n);
  in->locals[0] = ARENA_ARRAY(in->p->arena, uint32_t, n);
  in->locals[1] = ARENA_ARRAY(in->p->arena, uint32_t, n);
  in->taken = ARENA_ARRAY(in->p->arena, bool, n);
  for (uint32_t k = 0; k < n; k++) find_locals(in, k);
  find_taken(in);
}

bool c_program_inline(struct c_program *p, uint32_t recursion, struct diag *d) {
  struct inliner in = {.p = p, .recursion = recursion};
  struct span at = p->functions.data[p->main].span;
  begin(&in);
  while (!build(&in)) {
    if (in.recursion == 0) {
      diag_error(d, at, "with every call in its place the program has more than %d instructions",
                 SIZE_MAX_INSTRUCTIONS);
      return false;
    }
    in.recursion -= 1 + in.recursion / 8;
  }
  if (in.recursion < recursion)
    diag_warning(d, at,
                 "recursion is followed to a depth of %u only: beyond, the program is too large",
                 (unsigned)in.recursion);
  finish(&in);
  return true;
}
