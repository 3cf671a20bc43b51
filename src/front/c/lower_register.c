// SPDX-License-Identifier: Apache-2.0
// Registers: inside of a block an expression that waits for its only use, or a local of the rule;
// between blocks a hidden variable. What waits and reads memory is read before memory changes.
#include "front/c/lower.h"
#include "front/c/memory.h"

static const struct span nowhere;

// --- which cross ---

static void scan_use(struct c_lower *w, const struct c_value *v, uint32_t block) {
  if (v->kind == C_REGISTER && w->crossing[v->index].block != block)
    w->crossing[v->index].crosses = true;
}

static void scan_block(struct c_lower *w, uint32_t number) {
  const struct c_block *b = &w->f->blocks.data[number];
  for (size_t i = 0; i < b->phis.count; i++)
    for (uint32_t k = 0; k < b->phis.data[i].count; k++)
      scan_use(w, &b->phis.data[i].values[k], b->phis.data[i].blocks[k]);
  for (size_t i = 0; i < b->code.count; i++)
    for (uint32_t k = 0; k < b->code.data[i].arg_count; k++)
      scan_use(w, &b->code.data[i].args[k], number);
}

static bool gives(const struct c_instruction *i) { return i->type && i->type->kind != C_VOID; }

void c_registers_scan(struct c_lower *w) {
  w->crossing = ARENA_ARRAY(w->arena, struct c_crossing, w->f->registers.count + 1);
  w->contents = ARENA_ARRAY(w->arena, struct c_content, w->f->registers.count + 1);
  for (uint32_t n = 0; n < w->f->blocks.count; n++) {
    const struct c_block *b = &w->f->blocks.data[n];
    for (size_t i = 0; i < b->phis.count; i++)
      w->crossing[b->phis.data[i].index] = (struct c_crossing){.crosses = true, .block = n};
    for (size_t i = 0; i < b->code.count; i++)
      if (gives(&b->code.data[i])) w->crossing[b->code.data[i].index].block = n;
  }
  for (uint32_t n = 0; n < w->f->blocks.count; n++) scan_block(w, n);
}

// --- uses in a block ---

typedef void visit(struct c_content *c);
static void forget(struct c_content *c) { *c = (struct c_content){0}; }
static void count(struct c_content *c) { c->uses++; }

static void visit_value(struct c_lower *w, const struct c_value *v, visit *f) {
  if (v->kind == C_REGISTER) f(&w->contents[v->index]);
}

static void visit_phis(struct c_lower *w, uint32_t target, visit *f) {
  const struct c_block *b = &w->f->blocks.data[target];
  for (size_t i = 0; i < b->phis.count; i++)
    for (uint32_t k = 0; k < b->phis.data[i].count; k++)
      if (b->phis.data[i].blocks[k] == w->block_number)
        visit_value(w, &b->phis.data[i].values[k], f);
}

static void visit_uses(struct c_lower *w, visit *f) {
  for (size_t i = 0; i < w->block->code.count; i++) {
    const struct c_instruction *in = &w->block->code.data[i];
    for (uint32_t k = 0; k < in->arg_count; k++) visit_value(w, &in->args[k], f);
    for (uint32_t k = 0; k < in->target_count; k++) visit_phis(w, in->targets[k], f);
  }
}

void c_registers_begin(struct c_lower *w) {
  w->waiting.count = 0;
  for (size_t i = 0; i < w->block->code.count; i++)
    if (gives(&w->block->code.data[i])) forget(&w->contents[w->block->code.data[i].index]);
  visit_uses(w, forget);
  visit_uses(w, count);
}

// --- giving ---

struct ir_local *c_temporary(struct c_lower *w, const struct ir_type *t) {
  const char *name = arena_printf(w->arena, "t%u", w->temporaries++);
  return ir_local_new(w->m, &w->rule->frame, IR_LOCAL_PLAIN, name, t, nowhere);
}

static bool is_simple(const struct ir_expr *e) { return e->op == IR_CONST || e->op == IR_LOCAL; }

// A register's own variable: nothing but the register's instruction writes it.
static bool is_hidden(const struct ir_expr *e) { return e->op == IR_VAR && e->var->hidden; }

struct ir_expr *c_kept(struct c_lower *w, struct ir_expr *e) {
  struct ir_local *l = c_temporary(w, e->type);
  c_add(w, ir_assign(w->m, ir_local_ref(w->m, l, nowhere), e, nowhere));
  return ir_local_ref(w->m, l, nowhere);
}

struct ir_expr *c_stored(struct c_lower *w, struct ir_expr *e) {
  return is_simple(e) || is_hidden(e) ? e : c_kept(w, e);
}

enum { HEIGHT_MAX = 50 }; // of expressions: what walks them does not go too deep

static unsigned height(const struct ir_expr *e) {
  unsigned most = 0;
  for (uint32_t i = 0; i < e->arg_count; i++) {
    unsigned h = height(e->args[i]);
    if (h > most) most = h;
  }
  return most + 1;
}

void c_give(struct c_lower *w, uint32_t reg, struct ir_expr *e) {
  struct c_content *c = &w->contents[reg];
  const struct ir_var *var = w->crossing[reg].var;
  if (var) {
    if (c->uses) e = c_stored(w, e);
    c_add(w, ir_assign(w->m, ir_var_ref(w->m, var, nowhere), c_as(w, c_copy(w, e), var->type),
                       nowhere));
  }
  if (c->uses == 0) return;
  c->expr = c->uses > 1 || height(e) > HEIGHT_MAX ? c_stored(w, e) : e;
  if (c->uses == 1 && !is_simple(e)) VEC_PUSH(&w->waiting, reg);
}

static void store_address(struct c_lower *w, struct c_address *a) {
  for (uint32_t i = 0; i < a->step_count; i++)
    if (a->steps[i].index) a->steps[i].index = c_stored(w, a->steps[i].index);
  if (a->object) a->object = c_stored(w, a->object);
  if (a->offset) a->offset = c_stored(w, a->offset);
}

void c_give_address(struct c_lower *w, uint32_t reg, struct c_address *a) {
  struct c_content *c = &w->contents[reg];
  const struct ir_var *var = w->crossing[reg].var;
  if (var && var->type->kind == IR_TYPE_INT)
    return c_unable(w, w->at->span, "a pointer used as a number");
  if (var || c->uses > 1) store_address(w, a);
  if (var) c_memory_put_pointer(w, ir_var_ref(w->m, var, nowhere), a, nowhere);
  if (c->uses == 0) return;
  c->address = a;
  if (c->uses == 1) VEC_PUSH(&w->waiting, reg);
}

void c_settle(struct c_lower *w) {
  for (size_t i = 0; i < w->waiting.count; i++) {
    struct c_content *c = &w->contents[w->waiting.data[i]];
    if (c->uses == 0) continue;
    if (c->address)
      store_address(w, c->address);
    else
      c->expr = c_stored(w, c->expr);
  }
  w->waiting.count = 0;
}

// --- taking ---

// Where an address was made a number, only their difference is known.
static struct ir_expr *not_a_number(struct c_lower *w, const struct c_type *t) {
  c_unable(w, w->at->span, "a pointer used as a number");
  return c_number(w, c_int_type(w, t->bits, true), 0);
}

static struct ir_expr *take(struct c_lower *w, uint32_t reg, const struct c_type *t) {
  struct c_content *c = &w->contents[reg];
  assert(c->uses > 0);
  c->uses--;
  if (c->address) return not_a_number(w, t);
  if (c->expr) return c->uses ? c_copy(w, c->expr) : c->expr;
  assert(w->crossing[reg].var);
  return ir_var_ref(w->m, w->crossing[reg].var, nowhere);
}

// What nobody set is any value; one will do.
struct ir_expr *c_value(struct c_lower *w, const struct c_value *v) {
  assert(v->type->kind == C_INT);
  if (v->kind == C_REGISTER) return take(w, v->index, v->type);
  return c_number(w, c_int_type(w, v->type->bits, true), v->kind == C_NUMBER ? v->number : 0);
}

static struct c_address *copy_address(struct c_lower *w, const struct c_address *a) {
  struct c_address *c = ARENA_NEW(w->arena, struct c_address);
  *c = *a;
  c->steps = ARENA_ARRAY(w->arena, struct c_step, a->step_count + 1);
  for (uint32_t i = 0; i < a->step_count; i++) {
    c->steps[i] = a->steps[i];
    if (a->steps[i].index) c->steps[i].index = c_copy(w, a->steps[i].index);
  }
  if (a->object) c->object = c_copy(w, a->object);
  if (a->offset) c->offset = c_copy(w, a->offset);
  return c;
}

static struct c_address *take_address(struct c_lower *w, uint32_t reg) {
  struct c_content *c = &w->contents[reg];
  assert(c->uses > 0);
  c->uses--;
  if (c->address) return c->uses ? copy_address(w, c->address) : c->address;
  const struct ir_var *var = w->crossing[reg].var;
  const struct c_facts *facts = &w->points->registers[reg];
  return c_memory_get_pointer(w, var ? ir_var_ref(w->m, var, nowhere) : NULL, facts);
}

struct c_address *c_pointer(struct c_lower *w, const struct c_value *v) {
  if (v->kind == C_REGISTER) return take_address(w, v->index);
  return c_memory_address(w, v);
}
