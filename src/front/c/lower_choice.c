// SPDX-License-Identifier: Apache-2.0
// The choices of a block's rule: what the program is given (inputs), what functions without a body
// return, and what variables hold that nobody set. They come before all other locals of the rule.
#include "front/c/lower.h"
#include "front/c/memory.h"

#include <string.h>

static const struct span nowhere;

// --- names ---

// The variable that the result is stored to; else the function's name without its prefix.
static const char *holder(struct c_lower *w, const struct c_block *b, size_t at) {
  const struct c_instruction *call = &b->code.data[at];
  uint32_t reg = call->index;
  for (size_t i = at + 1; i < b->code.count; i++) {
    const struct c_instruction *in = &b->code.data[i];
    bool first = in->arg_count && in->args[0].kind == C_REGISTER && in->args[0].index == reg;
    if (first && in->op == C_STORE && in->args[1].kind == C_OBJECT)
      return w->p->objects.data[in->args[1].index].name;
    if (first && in->op >= C_ZEXT && in->op <= C_COPY) reg = in->index;
  }
  static const char prefix[] = "__VERIFIER_";
  bool has = !strncmp(call->name, prefix, sizeof prefix - 1);
  return has ? call->name + sizeof prefix - 1 : call->name;
}

// --- types ---

static bool is_input(const char *function) { return !strncmp(function, "__VERIFIER_nondet_", 18); }

// char, short, int and long are signed; uint, ulong, size_t, unsigned and _Bool are not.
static bool gives_unsigned(const char *function) {
  if (!is_input(function)) return false;
  const char *kind = function + 18;
  return *kind == 'u' || !strcmp(kind, "size_t") || !strcmp(kind, "bool") ||
         !strcmp(kind, "_Bool") || !strncmp(kind, "U", 1);
}

static bool chooses(const struct c_instruction *i) {
  return i->op == C_CALL && i->type && i->type->kind == C_INT && i->type->bits <= 64 &&
         !c_known_result(i->name);
}

static void add_choice(struct c_lower *w, const char *name, const struct ir_type *t,
                       const char *input, struct span span) {
  struct ir_local *l = ir_local_new(w->m, &w->rule->frame, IR_LOCAL_BOUND, name, t, span);
  l->domain = ir_domain_type(w->m, t);
  l->input = input ? arena_strdup(w->m->arena, input) : NULL;
  w->rule->choice_count++;
}

static void add_call(struct c_lower *w, const struct c_block *b, size_t at) {
  const struct c_instruction *i = &b->code.data[at];
  const struct ir_type *t = c_int_type(w, i->type->bits, !gives_unsigned(i->name));
  add_choice(w, holder(w, b, at), t, c_call_is_input(i->name) ? i->name : NULL, i->span);
}

static void add_unset(struct c_lower *w, const struct c_instruction *i) {
  uint64_t n = c_memory_any_count(w, i);
  for (uint64_t k = 0; k < n; k++) {
    const char *name = i->op == C_ENTER ? w->p->objects.data[i->args[0].index].name : i->name;
    add_choice(w, arena_printf(w->arena, "%s (unset)", name), c_memory_any_type(w, i, k), NULL,
               i->span);
  }
}

void c_lower_choices(struct c_lower *w, const struct c_block *b) {
  w->next_choice = 0;
  for (size_t i = 0; i < b->code.count; i++) {
    const struct c_instruction *in = &b->code.data[i];
    if (in->op == C_ENTER || c_call_allocates(in)) add_unset(w, in);
    if (chooses(in)) add_call(w, b, i);
  }
}

struct ir_expr *c_next_choice(struct c_lower *w) {
  assert(w->next_choice < w->rule->choice_count);
  return ir_local_ref(w->m, w->rule->frame.locals[w->next_choice++], nowhere);
}
