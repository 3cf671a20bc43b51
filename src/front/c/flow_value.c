// SPDX-License-Identifier: Apache-2.0
// Registers that are another value under a new name are replaced by it; those nobody uses go.
#include "front/c/flow.h"

#include <string.h>

static bool same(const struct c_value *x, const struct c_value *y) {
  return x->kind == y->kind && x->type == y->type && x->number == y->number &&
         (x->kind < C_REGISTER || x->index == y->index);
}

// --- what a register is ---

// Of phis whose values are all one, or the phi itself.
static bool one_value(const struct c_phi *phi, struct c_value *out) {
  bool found = false;
  for (uint32_t k = 0; k < phi->count; k++) {
    const struct c_value *v = &phi->values[k];
    if (v->kind == C_REGISTER && v->index == phi->index) continue;
    if (found && !same(out, v)) return false;
    *out = *v;
    found = true;
  }
  return found;
}

static bool is_address(const struct c_value *v) {
  return v->kind == C_OBJECT || v->kind == C_FUNCTION;
}

// Are they equal? 1 or 0; -1: not known.
static int equal(const struct c_value *x, const struct c_value *y) {
  if (x->kind == C_NULL && y->kind == C_NULL) return 1;
  if (is_address(x) && is_address(y)) return x->kind == y->kind && x->index == y->index;
  if ((is_address(x) && y->kind == C_NULL) || (is_address(y) && x->kind == C_NULL)) return 0;
  return -1;
}

static bool known_result(const struct c_instruction *i, struct c_value *out) {
  if (i->op == C_COPY || (i->op == C_BITCAST && i->args[0].type == i->type)) {
    *out = i->args[0];
    return true;
  }
  if (i->op == C_BITCAST && (i->args[0].kind == C_NULL || i->args[0].kind == C_FUNCTION)) {
    *out = i->args[0];
    out->type = i->type;
    return true;
  }
  if (i->op == C_SELECT && i->args[0].kind == C_NUMBER) {
    *out = i->args[i->args[0].number ? 1 : 2];
    return true;
  }
  if (flow_fold(i, out)) return true;
  int known = i->op == C_EQ || i->op == C_NE ? equal(&i->args[0], &i->args[1]) : -1;
  if (known < 0) return false;
  *out = (struct c_value){.kind = C_NUMBER, .type = i->type, .number = known == (i->op == C_EQ)};
  return true;
}

// --- replacing ---

struct names {
  struct c_value *is; // of each register; itself: nothing else is known
  bool found;
};

static struct c_value lookup(const struct names *n, struct c_value v) {
  while (v.kind == C_REGISTER) {
    struct c_value to = n->is[v.index];
    if (to.kind == C_REGISTER && to.index == v.index) return v;
    v = to;
  }
  return v;
}

static void name(struct names *n, uint32_t index, struct c_value v) {
  v = lookup(n, v);
  if (v.kind == C_REGISTER && v.index == index) return; // only on ways that nobody takes
  n->is[index] = v;
  n->found = true;
}

static void find_names(const struct c_function *f, struct names *n) {
  for (size_t k = 0; k < f->blocks.count; k++) {
    const struct c_block *b = &f->blocks.data[k];
    struct c_value v;
    for (size_t i = 0; i < b->phis.count; i++)
      if (one_value(&b->phis.data[i], &v)) name(n, b->phis.data[i].index, v);
    for (size_t i = 0; i < b->code.count; i++)
      if (known_result(&b->code.data[i], &v)) name(n, b->code.data[i].index, v);
  }
}

static void replace(struct c_block *b, const struct names *n) {
  for (size_t i = 0; i < b->phis.count; i++)
    for (uint32_t k = 0; k < b->phis.data[i].count; k++)
      b->phis.data[i].values[k] = lookup(n, b->phis.data[i].values[k]);
  for (size_t i = 0; i < b->code.count; i++)
    for (uint32_t k = 0; k < b->code.data[i].arg_count; k++)
      b->code.data[i].args[k] = lookup(n, b->code.data[i].args[k]);
}

static bool has_name(const struct names *n, uint32_t index) {
  return n->is[index].kind != C_REGISTER || n->is[index].index != index;
}

// What has another name now goes.
static void drop_named(struct c_block *b, const struct names *n) {
  size_t kept = 0;
  for (size_t i = 0; i < b->phis.count; i++)
    if (!has_name(n, b->phis.data[i].index)) b->phis.data[kept++] = b->phis.data[i];
  b->phis.count = kept;
  kept = 0;
  for (size_t i = 0; i < b->code.count; i++) {
    const struct c_instruction *c = &b->code.data[i];
    if (c->type->kind == C_VOID || !has_name(n, c->index)) b->code.data[kept++] = *c;
  }
  b->code.count = kept;
}

bool flow_values(struct flow *w) {
  struct names n = {.is = mem_alloc((w->f->registers.count + 1) * sizeof *n.is)};
  for (uint32_t i = 0; i < w->f->registers.count; i++)
    n.is[i] =
        (struct c_value){.kind = C_REGISTER, .type = w->f->registers.data[i].type, .index = i};
  find_names(w->f, &n);
  for (size_t k = 0; k < w->f->blocks.count && n.found; k++) {
    replace(&w->f->blocks.data[k], &n);
    drop_named(&w->f->blocks.data[k], &n);
  }
  mem_free(n.is);
  return n.found;
}

// --- what nobody uses ---

static void use(bool *used, const struct c_value *v, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (v[i].kind == C_REGISTER) used[v[i].index] = true;
}

static bool *find_used(const struct c_function *f) {
  bool *used = mem_zalloc(f->registers.count + 1, sizeof *used);
  for (size_t k = 0; k < f->blocks.count; k++) {
    const struct c_block *b = &f->blocks.data[k];
    for (size_t i = 0; i < b->phis.count; i++)
      use(used, b->phis.data[i].values, b->phis.data[i].count);
    for (size_t i = 0; i < b->code.count; i++)
      use(used, b->code.data[i].args, b->code.data[i].arg_count);
  }
  return used;
}

bool flow_is_main_argument(const struct c_instruction *i) {
  return i->op == C_CALL && (strcmp(i->name, "argc") == 0 || strcmp(i->name, "argv") == 0);
}

// Division, shifts and what reads memory may be wrong, and are kept for that. Arguments of main
// that nobody uses are no inputs.
static bool is_harmless(const struct flow *w, const struct c_instruction *i) {
  switch (i->op) {
  case C_UDIV:
  case C_SDIV:
  case C_UREM:
  case C_SREM:
  case C_SHL:
  case C_LSHR:
  case C_ASHR: return i->args[1].kind == C_NUMBER && i->args[1].number != 0;
  case C_CALL: return flow_is_main_argument(i);
  case C_LOAD: return i->args[0].kind == C_OBJECT && w->p->objects.data[i->args[0].index].plain;
  default: return i->op < C_ENTER || i->op == C_GEP;
  }
}

bool flow_unused(struct flow *w) {
  bool *used = find_used(w->f), changed = false;
  for (size_t k = 0; k < w->f->blocks.count; k++) {
    struct c_block *b = &w->f->blocks.data[k];
    size_t kept = 0, phis = 0;
    for (size_t i = 0; i < b->phis.count; i++)
      if (used[b->phis.data[i].index]) b->phis.data[phis++] = b->phis.data[i];
    for (size_t i = 0; i < b->code.count; i++) {
      const struct c_instruction *c = &b->code.data[i];
      bool drop = c->type->kind != C_VOID && !used[c->index] && is_harmless(w, c);
      if (!drop) b->code.data[kept++] = *c;
    }
    changed |= kept < b->code.count || phis < b->phis.count;
    b->code.count = kept;
    b->phis.count = phis;
  }
  mem_free(used);
  return changed;
}
