// SPDX-License-Identifier: Apache-2.0
// New code for blocks, instruction by instruction; types that the bitcode may not have; which
// instruction a register is given by.
#include "front/c/flow.h"

// --- types ---

static const struct c_type *add_type(struct c_program *p, struct c_type t) {
  struct c_type *kept = ARENA_NEW(p->arena, struct c_type);
  *kept = t;
  VEC_PUSH(&p->types, kept);
  return kept;
}

const struct c_type *flow_pointer_to(struct c_program *p, const struct c_type *to) {
  for (size_t i = 0; i < p->types.count; i++)
    if (p->types.data[i]->kind == C_POINTER && p->types.data[i]->to == to) return p->types.data[i];
  return add_type(p, (struct c_type){.kind = C_POINTER, .bytes = 8, .to = to});
}

const struct c_type *flow_integer(struct c_program *p, uint32_t bits) {
  for (size_t i = 0; i < p->types.count; i++)
    if (p->types.data[i]->kind == C_INT && p->types.data[i]->bits == bits) return p->types.data[i];
  return add_type(p, (struct c_type){.kind = C_INT, .bits = bits, .bytes = (bits + 7) / 8});
}

const struct c_type *flow_array(struct c_program *p, const struct c_type *of, uint64_t count) {
  for (size_t i = 0; i < p->types.count; i++) {
    const struct c_type *t = p->types.data[i];
    if (t->kind == C_ARRAY && t->to == of && t->count == count) return t;
  }
  return add_type(
      p, (struct c_type){.kind = C_ARRAY, .bytes = of->bytes * count, .to = of, .count = count});
}

// --- definitions ---

void flow_defs_init(struct flow_defs *d, const struct c_function *f) {
  d->count = f->registers.count;
  d->of = mem_zalloc(d->count + 1, sizeof *d->of);
  for (size_t k = 0; k < f->blocks.count; k++)
    for (size_t i = 0; i < f->blocks.data[k].code.count; i++) {
      const struct c_instruction *c = &f->blocks.data[k].code.data[i];
      if (c->type->kind != C_VOID) d->of[c->index] = *c;
    }
}

void flow_defs_clear(struct flow_defs *d) {
  mem_free(d->of);
  *d = (struct flow_defs){0};
}

const struct c_instruction *flow_def(const struct flow_defs *d, const struct c_value *v) {
  if (v->kind != C_REGISTER || v->index >= d->count || !d->of[v->index].type) return NULL;
  return &d->of[v->index];
}

// --- new code ---

void flow_push(struct flow_out *out, const struct c_instruction *i) { VEC_PUSH(&out->code, *i); }

struct c_instruction *flow_put(struct flow_out *out, enum c_op op, const struct c_type *type,
                               uint32_t arg_count) {
  struct c_instruction i = {.op = op,
                            .type = type,
                            .args = ARENA_ARRAY(out->w->p->arena, struct c_value, arg_count),
                            .arg_count = arg_count,
                            .span = out->like->span,
                            .function = out->like->function};
  VEC_PUSH(&out->code, i);
  return &VEC_TOP(&out->code);
}

struct c_value flow_give(struct flow_out *out, struct c_instruction *i) {
  i->index = (uint32_t)out->w->f->registers.count;
  VEC_PUSH(&out->w->f->registers, ((struct c_register){.type = i->type}));
  return (struct c_value){.kind = C_REGISTER, .type = i->type, .index = i->index};
}

struct c_value flow_unary(struct flow_out *out, enum c_op op, const struct c_type *type,
                          struct c_value x) {
  struct c_instruction *i = flow_put(out, op, type, 1);
  i->args[0] = x;
  return flow_give(out, i);
}

struct c_value flow_binary(struct flow_out *out, enum c_op op, struct c_value x, int64_t y) {
  struct c_instruction *i = flow_put(out, op, x.type, 2);
  i->args[0] = x;
  i->args[1] = (struct c_value){.kind = C_NUMBER, .type = x.type, .number = y};
  return flow_give(out, i);
}

void flow_put_copy(struct flow_out *out, const struct c_instruction *of, struct c_value v) {
  struct c_instruction *i = flow_put(out, C_COPY, of->type, 1);
  i->args[0] = v;
  i->index = of->index;
}

void flow_put_unable(struct flow_out *out, const struct c_instruction *of, const char *what) {
  struct c_instruction *i = flow_put(out, C_UNABLE, of->type, 0);
  i->name = what;
  i->index = of->index;
}

// --- blocks ---

static bool rewrite_block(struct flow *w, uint32_t k, flow_rewriter *f, void *context) {
  struct flow_out out = {.w = w, .block = k};
  bool changed = false;
  for (uint32_t i = 0; i < w->f->blocks.data[k].code.count; i++) {
    struct c_instruction c = w->f->blocks.data[k].code.data[i];
    out.like = &c;
    out.at = i;
    if (f(context, &out, &c))
      changed = true;
    else
      flow_push(&out, &c);
  }
  struct c_block *b = &w->f->blocks.data[k];
  b->code.count = 0;
  for (size_t i = 0; i < out.code.count; i++) VEC_PUSH(&b->code, out.code.data[i]);
  VEC_CLEAR(&out.code);
  return changed;
}

bool flow_rewrite(struct flow *w, flow_rewriter *f, void *context) {
  bool changed = false;
  for (uint32_t k = 0; k < w->f->blocks.count; k++) changed |= rewrite_block(w, k, f, context);
  return changed;
}
