// SPDX-License-Identifier: Apache-2.0
// A basic block: the rule that is enabled at its location, and does what its instructions do.
#include "front/c/lower.h"
#include "front/c/memory.h"

#include <string.h>

static const struct span nowhere;

void c_add(struct c_lower *w, struct ir_stmt *s) { ir_chain_add(w->out, s); }

// --- instructions with pointers ---

static bool is_address(const struct c_lower *w, const struct c_value *v) {
  if (v->type->kind == C_POINTER) return true;
  return v->kind == C_REGISTER && w->contents[v->index].address;
}

static void pass_pointer(struct c_lower *w, const struct c_instruction *i) {
  const struct c_type *from = i->args[0].type;
  struct c_address *a = c_pointer(w, &i->args[0]);
  bool is_bytes = i->type->kind == C_POINTER && i->type->to && i->type->to->bits == 8;
  if (is_bytes && from->kind == C_POINTER && from->to && from->to->bytes) a->hint = from->to;
  c_give_address(w, i->index, a);
}

static void select_pointer(struct c_lower *w, const struct c_instruction *i) {
  struct ir_expr *c = c_stored(w, c_value(w, &i->args[0]));
  struct c_address *a = c_pointer(w, &i->args[1]), *b = c_pointer(w, &i->args[2]);
  c_give_address(w, i->index, c_memory_select(w, c, a, b, &w->points->registers[i->index]));
}

// An integer made a pointer: only one that was a pointer before.
static void make_pointer(struct c_lower *w, const struct c_instruction *i) {
  if (i->args[0].kind == C_NUMBER && i->args[0].number == 0) {
    struct c_value null = {.kind = C_NULL};
    c_give_address(w, i->index, c_memory_address(w, &null));
  } else if (is_address(w, &i->args[0])) {
    c_give_address(w, i->index, c_pointer(w, &i->args[0]));
  } else {
    c_unable(w, i->span, "a number used as a pointer");
  }
}

// Those of which an operand is a pointer, or was one; false: it is another.
static bool lower_pointers(struct c_lower *w, const struct c_instruction *i) {
  bool both = i->arg_count == 2 && is_address(w, &i->args[0]) && is_address(w, &i->args[1]);
  if (i->op >= C_EQ && i->op <= C_SGE && both) {
    c_give(w, i->index, c_memory_compare(w, i));
  } else if (i->op == C_SUB && both) {
    c_give(w, i->index, c_memory_difference(w, i));
  } else if (i->op == C_SELECT && i->type->kind == C_POINTER) {
    select_pointer(w, i);
  } else if ((i->op == C_BITCAST || i->op == C_COPY) && i->type->kind == C_POINTER) {
    pass_pointer(w, i);
  } else if (i->op == C_PTRTOINT) {
    pass_pointer(w, i);
  } else if (i->op == C_INTTOPTR) {
    make_pointer(w, i);
  } else {
    return false;
  }
  return true;
}

static bool takes_address(const struct c_lower *w, const struct c_instruction *i) {
  for (uint32_t k = 0; k < i->arg_count; k++)
    if (is_address(w, &i->args[k])) return true;
  return false;
}

static void lower_value(struct c_lower *w, const struct c_instruction *i) {
  if (lower_pointers(w, i)) return;
  if (takes_address(w, i)) return c_unable(w, i->span, "a pointer used as a number");
  if (i->type->kind != C_INT || i->type->bits > 64 || i->args[0].type->bits > 64)
    return c_unable(w, i->span, "%s", i->type->name ? i->type->name : "an integer of this width");
  struct ir_expr *e = c_operation(w, i);
  if (e)
    c_give(w, i->index, e);
  else
    c_unable(w, i->span, "this operation");
}

// --- all of them ---

// A call through a pointer is a choice between all functions that fit: the pointer is rarely to
// another.
static void lower_unable(struct c_lower *w, const struct c_instruction *i) {
  static const char pointer[] = "a call through a pointer";
  if (!strncmp(i->name, pointer, sizeof pointer - 1))
    c_beyond(w, i->span, "%s", i->name);
  else
    c_unable(w, i->span, "%s", i->name);
}

// True: nothing comes after it.
static bool lower_instruction(struct c_lower *w, const struct c_instruction *i) {
  switch (i->op) {
  case C_LOAD: c_memory_load(w, i); break;
  case C_STORE: c_memory_store(w, i); break;
  case C_GEP: c_give_address(w, i->index, c_memory_gep(w, i)); break;
  case C_ENTER: c_memory_enter(w, i); break;
  case C_LEAVE: c_memory_leave(w, i); break;
  case C_MEMSET: c_memory_set(w, i); break;
  case C_MEMCPY: c_memory_move(w, i); break;
  case C_CALL: return c_lower_call(w, i) || w->is_dead;
  case C_UNABLE: lower_unable(w, i); break;
  case C_BEYOND:
    c_beyond(w, i->span, "\"%s\" calls itself more often than is looked at", i->name);
    break;
  case C_JUMP:
  case C_BRANCH:
  case C_SWITCH:
  case C_RETURN:
  case C_UNREACHABLE: c_lower_end(w, i); return true;
  default: lower_value(w, i);
  }
  return w->is_dead;
}

void c_lower_block(struct c_lower *w, uint32_t number) {
  struct ir_chain body = {0};
  w->block = &w->f->blocks.data[number];
  w->block_number = number;
  w->temporaries = 0;
  w->is_dead = false;
  w->rule = ir_rule_new(w->m, false, c_rule_name(w, w->block), c_block_span(w->block));
  w->rule->guard = ir_binary(w->m, IR_EQ, ir_var_ref(w->m, w->pc, nowhere),
                             ir_const(w->m, w->location, number, nowhere), nowhere);
  w->out = w->body = &body;
  c_lower_lines(w, w->rule, w->block);
  c_lower_choices(w, w->block);
  c_registers_begin(w);
  c_gone_begin(w, number);
  for (size_t i = 0; i < w->block->code.count; i++) {
    w->at = &w->block->code.data[i];
    c_gone_after(w->at, w->gone);
    if (lower_instruction(w, w->at)) break;
  }
  w->rule->body = body.first;
}
