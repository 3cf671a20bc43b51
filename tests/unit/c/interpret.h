// SPDX-License-Identifier: Apache-2.0
// Runs a program of one function on bytes, as a machine does: what reading, inlining and tidying up
// must keep. A pointer is the number of an object + 1 in its upper half, a byte of it in the lower;
// one to a function has its sign set. Calls: nondet functions give the next input, out() adds to
// the outputs, malloc, abort and reach_error do what they say.
#pragma once

#include "front/c/program.h"

#include <string.h>

enum ending { RETURNED, FAILED, ABORTED, UNABLE, BEYOND, STEPS, WRONG };

struct machine {
  const struct c_program *p;
  const struct c_function *f;
  int64_t *registers;
  VEC(unsigned char *) memory; // of each object
  VEC(uint64_t) bytes;         // of each object
  const int64_t *inputs;
  size_t input_count, input_at;
  int64_t outputs[4096];
  size_t output_count;
  int64_t result;
  enum ending ending;
  bool done;
};

static inline int64_t machine_narrow(uint64_t v, const struct c_type *t) {
  if (t->kind != C_INT || t->bits == 64) return (int64_t)v;
  if (t->bits == 1) return (int64_t)(v & 1);
  uint64_t sign = (uint64_t)1 << (t->bits - 1);
  return (int64_t)(((v & (2 * sign - 1)) ^ sign) - sign);
}

static inline uint64_t machine_unsigned(int64_t v, const struct c_type *t) {
  return t->kind != C_INT || t->bits == 64 ? (uint64_t)v
                                           : (uint64_t)v & (((uint64_t)1 << t->bits) - 1);
}

static inline int64_t machine_pointer(uint32_t object, int64_t byte) {
  return (int64_t)((uint64_t)(object + 1) << 32) + byte;
}

static inline void machine_end(struct machine *m, enum ending how) {
  if (!m->done) m->ending = how;
  m->done = true;
}

static inline int64_t machine_value(const struct machine *m, const struct c_value *v) {
  switch (v->kind) {
  case C_NUMBER: return v->number;
  case C_REGISTER: return m->registers[v->index];
  case C_OBJECT: return machine_pointer(v->index, v->number);
  case C_FUNCTION: return INT64_MIN + v->index;
  default: return 0;
  }
}

// The bytes behind a pointer; NULL, and the run ends, if they are not of an object.
static inline unsigned char *machine_at(struct machine *m, int64_t pointer, uint64_t bytes) {
  uint64_t object = ((uint64_t)pointer >> 32) - 1, byte = (uint64_t)pointer & UINT32_MAX;
  if (pointer > 0 && object < m->memory.count && byte + bytes <= m->bytes.data[object])
    return m->memory.data[object] + byte;
  machine_end(m, WRONG);
  return NULL;
}

static inline uint64_t machine_width(const struct c_type *t) {
  return t->kind == C_INT ? (t->bits + 7) / 8 : t->bytes;
}

static inline int64_t machine_load(struct machine *m, int64_t pointer, const struct c_type *t) {
  uint64_t v = 0;
  const unsigned char *at = machine_at(m, pointer, machine_width(t));
  if (machine_width(t) > sizeof v) return machine_end(m, UNABLE), 0;
  if (at) memcpy(&v, at, machine_width(t));
  return machine_narrow(v, t);
}

static inline void machine_store(struct machine *m, int64_t pointer, int64_t v,
                                 const struct c_type *t) {
  uint64_t bits = machine_unsigned(v, t);
  unsigned char *at = machine_at(m, pointer, machine_width(t));
  if (at) memcpy(at, &bits, machine_width(t));
}

static inline int64_t machine_element(const struct machine *m, const struct c_instruction *i) {
  const struct c_type *t = i->element;
  int64_t at = machine_value(m, &i->args[0]);
  at += machine_value(m, &i->args[1]) * (int64_t)t->bytes;
  for (uint32_t k = 2; k < i->arg_count; k++) {
    int64_t index = machine_value(m, &i->args[k]);
    at += t->kind == C_STRUCT ? (int64_t)t->fields[index].offset : index * (int64_t)t->to->bytes;
    t = t->kind == C_STRUCT ? t->fields[index].type : t->to;
  }
  return at;
}

static inline int64_t machine_divide(struct machine *m, enum c_op op, int64_t x, int64_t y,
                                     const struct c_type *t) {
  uint64_t a = machine_unsigned(x, t), b = machine_unsigned(y, t);
  if (b == 0 || (y == -1 && (op == C_SDIV || op == C_SREM))) {
    if (b == 0) machine_end(m, WRONG);
    return b && op == C_SDIV ? (int64_t) - (uint64_t)x : 0;
  }
  switch (op) {
  case C_UDIV: return (int64_t)(a / b);
  case C_SDIV: return x / y;
  case C_UREM: return (int64_t)(a % b);
  default: return x % y;
  }
}

static inline bool machine_over(enum c_op op, int64_t x, int64_t y, const struct c_type *t) {
  uint64_t a = machine_unsigned(x, t), b = machine_unsigned(y, t), big = 0;
  int64_t wide = 0;
  bool over = false;
  switch (op) {
  case C_SADD_OVER: over = __builtin_add_overflow(x, y, &wide); break;
  case C_SSUB_OVER: over = __builtin_sub_overflow(x, y, &wide); break;
  case C_SMUL_OVER: over = __builtin_mul_overflow(x, y, &wide); break;
  case C_UADD_OVER: over = __builtin_add_overflow(a, b, &big); break;
  case C_USUB_OVER: return a < b;
  default: over = __builtin_mul_overflow(a, b, &big); break;
  }
  if (op >= C_UADD_OVER) return over || machine_unsigned((int64_t)big, t) != big;
  return over || machine_narrow((uint64_t)wide, t) != wide;
}

static inline int64_t machine_binary(struct machine *m, enum c_op op, int64_t x, int64_t y,
                                     const struct c_type *t) {
  uint64_t a = machine_unsigned(x, t), b = machine_unsigned(y, t);
  if (op >= C_SADD_OVER && op <= C_UMUL_OVER) return machine_over(op, x, y, t);
  switch (op) {
  case C_ADD: return (int64_t)(a + b);
  case C_SUB: return (int64_t)(a - b);
  case C_MUL: return (int64_t)(a * b);
  case C_AND: return (int64_t)(a & b);
  case C_OR: return (int64_t)(a | b);
  case C_XOR: return (int64_t)(a ^ b);
  case C_SHL: return (int64_t)(a << (b & 63));
  case C_LSHR: return (int64_t)(a >> (b & 63));
  case C_ASHR: return x >> (b & 63);
  case C_EQ: return a == b;
  case C_NE: return a != b;
  case C_ULT: return a < b;
  case C_ULE: return a <= b;
  case C_UGT: return a > b;
  case C_UGE: return a >= b;
  case C_SLT: return x < y;
  case C_SLE: return x <= y;
  case C_SGT: return x > y;
  case C_SGE: return x >= y;
  default: return machine_divide(m, op, x, y, t);
  }
}

static inline int64_t machine_malloc(struct machine *m, uint64_t bytes) {
  VEC_PUSH(&m->memory, mem_zalloc(bytes + 1, 1));
  VEC_PUSH(&m->bytes, bytes);
  return machine_pointer((uint32_t)m->memory.count - 1, 0);
}

static inline int64_t machine_call(struct machine *m, const struct c_instruction *i) {
  const char *name = i->name;
  if (strncmp(name, "__VERIFIER_nondet_", 18) == 0)
    return m->input_at < m->input_count ? m->inputs[m->input_at++] : 0;
  if (strcmp(name, "out") == 0) {
    if (m->output_count < 4096) m->outputs[m->output_count++] = machine_value(m, &i->args[0]);
  } else if (strcmp(name, "malloc") == 0) {
    return machine_malloc(m, (uint64_t)machine_value(m, &i->args[0]));
  } else if (strcmp(name, "reach_error") == 0 || strcmp(name, "__assert_fail") == 0) {
    machine_end(m, FAILED);
  } else if (strcmp(name, "abort") == 0 || strcmp(name, "exit") == 0 ||
             strncmp(name, "llvm.", 5) == 0) {
    machine_end(m, ABORTED);
  } else if (strcmp(name, "__VERIFIER_assume") == 0) {
    if (machine_value(m, &i->args[0]) == 0) machine_end(m, ABORTED);
  }
  return 0;
}

static inline void machine_move(struct machine *m, const struct c_instruction *i) {
  uint64_t n = (uint64_t)machine_value(m, &i->args[2]);
  unsigned char *to = machine_at(m, machine_value(m, &i->args[0]), n);
  if (i->op == C_MEMSET && to) memset(to, (int)machine_value(m, &i->args[1]), n);
  if (i->op == C_MEMSET || !to) return;
  const unsigned char *from = machine_at(m, machine_value(m, &i->args[1]), n);
  if (from) memmove(to, from, n);
}

static inline int64_t machine_do(struct machine *m, const struct c_instruction *i) {
  int64_t x = i->arg_count > 0 ? machine_value(m, &i->args[0]) : 0;
  int64_t y = i->arg_count > 1 ? machine_value(m, &i->args[1]) : 0;
  if (i->op < C_ZEXT) return machine_binary(m, i->op, x, y, i->args[0].type);
  switch (i->op) {
  case C_ZEXT: return (int64_t)machine_unsigned(x, i->args[0].type);
  case C_SEXT: return i->args[0].type->bits == 1 ? -x : x;
  case C_TRUNC:
  case C_BITCAST:
  case C_PTRTOINT:
  case C_INTTOPTR:
  case C_COPY: return x;
  case C_SELECT: return x ? y : machine_value(m, &i->args[2]);
  case C_ENTER: memset(m->memory.data[i->args[0].index], 0, m->bytes.data[i->args[0].index]); break;
  case C_LOAD: return machine_load(m, x, i->type);
  case C_STORE: machine_store(m, y, x, i->args[0].type); break;
  case C_GEP: return machine_element(m, i);
  case C_MEMSET:
  case C_MEMCPY: machine_move(m, i); break;
  case C_CALL: return machine_call(m, i);
  case C_PART:
  case C_UNABLE: machine_end(m, UNABLE); break;
  default: break;
  }
  return 0;
}

// The block that comes after.
static inline uint32_t machine_way(struct machine *m, const struct c_instruction *i) {
  int64_t x = i->arg_count ? machine_value(m, &i->args[0]) : 0;
  switch (i->op) {
  case C_JUMP: return i->targets[0];
  case C_BRANCH: return i->targets[x == 0];
  case C_SWITCH:
    for (uint32_t k = 1; k < i->arg_count; k++)
      if (i->args[k].number == x) return i->targets[k];
    return i->targets[0];
  case C_RETURN:
    m->result = x;
    machine_end(m, RETURNED);
    break;
  case C_BEYOND: machine_end(m, BEYOND); break;
  default: machine_end(m, WRONG);
  }
  return 0;
}

static inline void machine_phis(struct machine *m, const struct c_block *b, uint32_t from) {
  int64_t values[64] = {0};
  for (size_t i = 0; i < b->phis.count; i++)
    for (uint32_t k = 0; k < b->phis.data[i].count; k++)
      if (b->phis.data[i].blocks[k] == from)
        values[i] = machine_value(m, &b->phis.data[i].values[k]);
  for (size_t i = 0; i < b->phis.count; i++) m->registers[b->phis.data[i].index] = values[i];
}

static inline void machine_run_blocks(struct machine *m) {
  uint32_t block = 0, from = UINT32_MAX;
  for (uint32_t steps = 0; !m->done; steps++) {
    const struct c_block *b = &m->f->blocks.data[block];
    machine_phis(m, b, from);
    for (size_t i = 0; i + 1 < b->code.count && !m->done; i++) {
      const struct c_instruction *c = &b->code.data[i];
      int64_t v = machine_do(m, c);
      if (c->type->kind != C_VOID) m->registers[c->index] = machine_narrow((uint64_t)v, c->type);
    }
    from = block;
    if (!m->done) block = machine_way(m, &VEC_TOP(&b->code));
    if (steps > 1000000) machine_end(m, STEPS);
  }
}

static inline void machine_fill(struct machine *m, const struct c_object *o, int64_t at,
                                const struct c_type *t, uint64_t *scalar) {
  if (t->kind == C_ARRAY) {
    for (uint64_t k = 0; k < t->count; k++)
      machine_fill(m, o, at + (int64_t)(k * t->to->bytes), t->to, scalar);
  } else if (t->kind == C_STRUCT) {
    for (uint32_t k = 0; k < t->field_count; k++)
      machine_fill(m, o, at + (int64_t)t->fields[k].offset, t->fields[k].type, scalar);
  } else {
    machine_store(m, at, machine_value(m, &o->initial[(*scalar)++]), t);
  }
}

// Runs the program; machine_clear when done.
static inline void machine_run(struct machine *m, const struct c_program *p, const int64_t *inputs,
                               size_t count) {
  *m = (struct machine){.p = p, .inputs = inputs, .input_count = count};
  m->f = &p->functions.data[p->main];
  m->registers = mem_zalloc(m->f->registers.count + 1, sizeof *m->registers);
  for (size_t i = 0; i < p->objects.count; i++) machine_malloc(m, p->objects.data[i].type->bytes);
  for (uint32_t i = 0; i < p->objects.count; i++) {
    uint64_t scalar = 0;
    const struct c_object *o = &p->objects.data[i];
    if (o->initial) machine_fill(m, o, machine_pointer(i, 0), o->type, &scalar);
  }
  machine_run_blocks(m);
}

static inline void machine_clear(struct machine *m) {
  for (size_t i = 0; i < m->memory.count; i++) mem_free(m->memory.data[i]);
  VEC_CLEAR(&m->memory);
  VEC_CLEAR(&m->bytes);
  mem_free(m->registers);
}
