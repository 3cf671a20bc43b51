// SPDX-License-Identifier: Apache-2.0
// Functions that are known by their names, and all others, of which nothing is known: they give any
// value.
#include "front/c/lower.h"
#include "front/c/memory.h"

#include <string.h>

static const struct span nowhere;

enum role {
  ROLE_NONE,
  ROLE_ERROR,    // reach_error
  ROLE_ASSERT,   // __assert_fail
  ROLE_OVERFLOW, // what -fsanitize calls
  ROLE_STOP,     // abort
  ROLE_EXIT,     // exit: the end of the program, too
  ROLE_ASSUME,
  ROLE_ALLOCATE,
  ROLE_FREE,
  ROLE_IGNORE, // it prints
  ROLE_COUNT,  // what main is given: how many arguments
  ROLE_GIVEN,  // and which
};

static const struct {
  const char *name;
  enum role role;
} known[] = {
    {"reach_error", ROLE_ERROR},
    {"__VERIFIER_error", ROLE_ERROR},
    {"__assert_fail", ROLE_ASSERT},
    {"__assert", ROLE_ASSERT},
    {"__assert_rtn", ROLE_ASSERT},
    {"llvm.ubsantrap", ROLE_OVERFLOW},
    {"llvm.trap", ROLE_STOP},
    {"llvm.debugtrap", ROLE_STOP},
    {"abort", ROLE_STOP},
    {"_Exit", ROLE_STOP},
    {"_exit", ROLE_STOP},
    {"exit", ROLE_EXIT},
    {"__VERIFIER_assume", ROLE_ASSUME},
    {"malloc", ROLE_ALLOCATE},
    {"calloc", ROLE_ALLOCATE},
    {"free", ROLE_FREE},
    {"printf", ROLE_IGNORE},
    {"fprintf", ROLE_IGNORE},
    {"puts", ROLE_IGNORE},
    {"putchar", ROLE_IGNORE},
    {"fputs", ROLE_IGNORE},
    {"fputc", ROLE_IGNORE},
    {"fflush", ROLE_IGNORE},
    {"perror", ROLE_IGNORE},
    {"argc", ROLE_COUNT},
    {"argv", ROLE_GIVEN},
    {"envp", ROLE_GIVEN},
};

static enum role role_of(const char *function) {
  for (size_t i = 0; function && i < sizeof known / sizeof *known; i++)
    if (!strcmp(known[i].name, function)) return known[i].role;
  return ROLE_NONE;
}

bool c_call_is_error(const char *function) {
  enum role r = role_of(function);
  return r == ROLE_ERROR || r == ROLE_ASSERT;
}

bool c_call_is_overflow(const char *function) { return role_of(function) == ROLE_OVERFLOW; }

bool c_call_ignored(const char *function) { return role_of(function) == ROLE_IGNORE; }

bool c_call_is_input(const char *function) { return role_of(function) == ROLE_NONE; }

bool c_call_allocates(const struct c_instruction *i) {
  return i->op == C_CALL && role_of(i->name) == ROLE_ALLOCATE;
}

bool c_known_result(const char *function) {
  enum role r = role_of(function);
  return r != ROLE_NONE && r != ROLE_IGNORE && r != ROLE_COUNT;
}

// --- errors ---

// The text of a string constant.
static const char *string_at(struct c_lower *w, const struct c_value *v) {
  struct c_address *a = c_pointer(w, v);
  const struct c_object *o = a->path ? w->things.data[a->thing].object : NULL;
  if (!o || !o->initial || o->type->kind != C_ARRAY || o->type->to->bits != 8) return NULL;
  char *s = arena_alloc(w->arena, o->scalars + 1);
  for (uint64_t i = 0; i < o->scalars; i++) s[i] = (char)o->initial[i].number;
  return s;
}

static void fail(struct c_lower *w, enum ir_fault fault, const char *message, struct span span) {
  c_add(w, ir_assert(w->m, ir_bool(w->m, false, nowhere), fault, message, span));
}

static void lower_assert(struct c_lower *w, const struct c_instruction *i) {
  const char *text = i->arg_count ? string_at(w, &i->args[0]) : NULL;
  fail(w, IR_FAULT_ASSERT, text ? text : c_source_text(w, i->span), i->span);
}

// The operation because of which this block is come to.
static const struct c_instruction *overflow_before(struct c_lower *w) {
  for (size_t b = 0; b < w->f->blocks.count; b++) {
    const struct c_block *from = &w->f->blocks.data[b];
    const struct c_instruction *last = &VEC_TOP(&from->code), *found = NULL;
    for (size_t i = 0; i < from->code.count; i++)
      if (from->code.data[i].op >= C_SADD_OVER && from->code.data[i].op <= C_UMUL_OVER)
        found = &from->code.data[i];
    for (uint32_t k = 0; found && k < last->target_count; k++)
      if (last->targets[k] == w->block_number) return found;
  }
  return NULL;
}

static void lower_overflow(struct c_lower *w, const struct c_instruction *i) {
  static const char *const names[] = {"sum", "difference", "product"};
  const struct c_instruction *o = overflow_before(w);
  if (!o) return fail(w, IR_FAULT_OVERFLOW, "this leaves its type", i->span);
  const char *name = names[(o->op - C_SADD_OVER) % 3];
  fail(w, IR_FAULT_OVERFLOW,
       arena_printf(w->arena, "the %s does not fit into %u bits", name, o->args[0].type->bits),
       i->span);
}

// --- unknown functions ---

static bool may_write(struct c_lower *w, const struct c_value *v) {
  struct c_address *a = c_pointer(w, v);
  if (!a->path) return true;
  const struct c_object *o = w->things.data[a->thing].object;
  return !o || !o->is_constant;
}

static void warn_unknown(struct c_lower *w, const struct c_instruction *i) {
  for (size_t k = 0; k < w->d->count; k++)
    if (strstr(w->d->entries[k].message, arena_printf(w->arena, "\"%s\"", i->name))) return;
  diag_warning(w->d, i->span, "\"%s\" has no body: it may return any value, and does nothing else",
               i->name);
}

static bool is_input(const char *function) { return !strncmp(function, "__VERIFIER_nondet_", 18); }

static void lower_unknown(struct c_lower *w, const struct c_instruction *i, bool is_ignored) {
  bool writes = false;
  for (uint32_t k = 0; k < i->arg_count; k++) {
    if (i->args[k].type->kind == C_POINTER)
      writes |= may_write(w, &i->args[k]);
    else if (i->args[k].type->kind == C_INT)
      c_value(w, &i->args[k]); // its only use may be here
  }
  if (writes && !is_ignored)
    return c_unable(w, i->span, "a pointer handed to \"%s\", which has no body", i->name);
  if (!is_ignored && !is_input(i->name)) warn_unknown(w, i);
  if (!i->type || i->type->kind == C_VOID) return;
  if (i->type->kind == C_INT && i->type->bits <= 64)
    c_give(w, i->index, c_next_choice(w));
  else
    c_unable(w, i->span, "a pointer or floating point number from \"%s\"", i->name);
}

// There is at least the program's name.
static void lower_count(struct c_lower *w, const struct c_instruction *i) {
  struct ir_expr *n = c_next_choice(w);
  c_add(w, ir_assume(w->m, c_binary(w, IR_GE, c_copy(w, n), c_number(w, n->type, 1)), i->span));
  c_give(w, i->index, n);
}

bool c_lower_call(struct c_lower *w, const struct c_instruction *i) {
  switch (role_of(i->name)) {
  case ROLE_ERROR:
    fail(w, IR_FAULT_ERROR, arena_printf(w->arena, "%s() is called", i->name), i->span);
    return true;
  case ROLE_ASSERT: lower_assert(w, i); return true;
  case ROLE_OVERFLOW: lower_overflow(w, i); return true;
  case ROLE_EXIT: c_memory_leaks(w, i->span); // fallthrough
  case ROLE_STOP: c_lower_goto(w, (uint32_t)w->f->blocks.count); return true;
  case ROLE_ASSUME:
    c_add(w, ir_assume(w->m, c_truth(w, c_value(w, &i->args[0])), i->span));
    return false;
  case ROLE_ALLOCATE: c_memory_allocate(w, i); return false;
  case ROLE_FREE: c_memory_free(w, i); return false;
  case ROLE_IGNORE: lower_unknown(w, i, true); return false;
  case ROLE_COUNT: lower_count(w, i); return false;
  case ROLE_GIVEN: c_unable(w, i->span, "the arguments that main is given"); return false;
  case ROLE_NONE: lower_unknown(w, i, false); return false;
  }
  return false;
}
