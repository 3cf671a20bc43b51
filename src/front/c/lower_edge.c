// SPDX-License-Identifier: Apache-2.0
// Where a block ends: phis of the block that follows are assigned together, then the location.
#include "front/c/lower.h"
#include "front/c/memory.h"

static const struct span nowhere;

static struct ir_expr *location(struct c_lower *w, uint32_t number) {
  return ir_const(w->m, w->location, number, nowhere);
}

void c_lower_goto(struct c_lower *w, uint32_t number) {
  c_add(w, ir_assign(w->m, ir_var_ref(w->m, w->pc, nowhere), location(w, number), nowhere));
}

void c_lower_stop(struct c_lower *w, struct span span) {
  c_memory_leaks(w, span);
  c_lower_goto(w, (uint32_t)w->f->blocks.count);
}

// --- phis ---

static const struct c_value *value_from(const struct c_phi *p, uint32_t block) {
  for (uint32_t k = 0; k < p->count; k++)
    if (p->blocks[k] == block) return &p->values[k];
  return NULL;
}

struct incoming {
  const struct ir_var *var;
  struct ir_expr *expr;
  struct c_address *address;
};

static void keep(struct c_lower *w, struct c_address *a) {
  for (uint32_t i = 0; i < a->step_count; i++)
    if (a->steps[i].index) a->steps[i].index = c_stored(w, a->steps[i].index);
}

// What it will be. Where there are several one may be another's old value: that is kept.
static struct incoming incoming(struct c_lower *w, const struct c_phi *p, bool several) {
  struct incoming in = {.var = w->crossing[p->index].var};
  const struct c_value *v = value_from(p, w->block_number);
  if (!v || (p->type->kind != C_INT && p->type->kind != C_POINTER)) return in;
  if (p->type->kind == C_INT) {
    in.expr = c_value(w, v);
    if (in.var) in.expr = c_as(w, in.expr, in.var->type);
    if (several && in.expr->op != IR_CONST) in.expr = c_kept(w, in.expr);
  } else {
    in.address = c_pointer(w, v);
    keep(w, in.address);
    if (several && in.address->object) in.address->object = c_kept(w, in.address->object);
    if (several && in.address->offset) in.address->offset = c_kept(w, in.address->offset);
  }
  return in;
}

static void assign_phis(struct c_lower *w, const struct c_block *b) {
  size_t n = b->phis.count;
  struct incoming *all = ARENA_ARRAY(w->arena, struct incoming, n + 1);
  for (size_t i = 0; i < n; i++) all[i] = incoming(w, &b->phis.data[i], n > 1);
  for (size_t i = 0; i < n; i++) {
    if (!all[i].var) continue;
    struct ir_expr *place = ir_var_ref(w->m, all[i].var, nowhere);
    if (all[i].expr) c_add(w, ir_assign(w->m, place, all[i].expr, nowhere));
    if (all[i].address) c_memory_put_pointer(w, place, all[i].address, nowhere);
  }
}

static struct ir_stmt *edge(struct c_lower *w, uint32_t target) {
  struct ir_chain body = {0}, *out = w->out;
  w->out = &body;
  assign_phis(w, &w->f->blocks.data[target]);
  c_lower_goto(w, target);
  w->out = out;
  return body.first;
}

// --- branches ---

static bool has_phis(struct c_lower *w, uint32_t block) {
  return w->f->blocks.data[block].phis.count > 0;
}

static void branch(struct c_lower *w, const struct c_instruction *i) {
  uint32_t yes = i->targets[0], no = i->targets[1];
  struct ir_expr *c = c_truth(w, c_value(w, &i->args[0]));
  if (yes == no) return c_add(w, edge(w, yes));
  if (has_phis(w, yes) || has_phis(w, no))
    return c_add(w, ir_if(w->m, c, edge(w, yes), edge(w, no), i->span));
  struct ir_expr *to = ir_ite(w->m, c, location(w, yes), location(w, no), w->location, nowhere);
  c_add(w, ir_assign(w->m, ir_var_ref(w->m, w->pc, nowhere), to, i->span));
}

// One case for all values that lead to the same block.
static struct ir_case *case_of(struct c_lower *w, const struct c_instruction *i, uint32_t first,
                               const struct ir_type *t) {
  struct ir_expr **values = ARENA_ARRAY(w->arena, struct ir_expr *, i->arg_count + 1);
  uint32_t n = 0;
  for (uint32_t k = first; k < i->arg_count; k++)
    if (i->targets[k] == i->targets[first]) values[n++] = c_number(w, t, i->args[k].number);
  return ir_case(w->m, values, n, edge(w, i->targets[first]));
}

static bool is_first(const struct c_instruction *i, uint32_t k) {
  for (uint32_t j = 1; j < k; j++)
    if (i->targets[j] == i->targets[k]) return false;
  return true;
}

static void lower_switch(struct c_lower *w, const struct c_instruction *i) {
  struct ir_expr *e = c_value(w, &i->args[0]);
  struct ir_case *first = NULL, **end = &first;
  for (uint32_t k = 1; k < i->arg_count; k++) {
    if (!is_first(i, k)) continue;
    *end = case_of(w, i, k, e->type);
    end = &(*end)->next;
  }
  *end = ir_case(w->m, NULL, 0, edge(w, i->targets[0]));
  c_add(w, ir_switch(w->m, e, first, i->span));
}

void c_lower_end(struct c_lower *w, const struct c_instruction *i) {
  switch (i->op) {
  case C_JUMP: c_add(w, edge(w, i->targets[0])); return;
  case C_BRANCH: branch(w, i); return;
  case C_SWITCH: lower_switch(w, i); return;
  case C_RETURN: c_lower_stop(w, i->span); return;
  default: c_lower_goto(w, (uint32_t)w->f->blocks.count); // nobody comes here
  }
}
