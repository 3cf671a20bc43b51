// SPDX-License-Identifier: Apache-2.0
// Expressions that are met again. Front ends share nodes, so that expressions are graphs, and the
// tree that they stand for may be of any size. What a node came to holds as long as nothing was
// written that it could read; what it depends on is found once per node.
#include "relation/exec.h"

enum uses { USES_FOUND = 1, USES_LEAVES = 2, USES_LOCALS = 4, USES_CALLS = 8 };

static struct known *slot(const struct exec *e, const struct ir_expr *x) {
  size_t i = ((uintptr_t)x >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 32 & (e->known_capacity - 1);
  while (e->known[i].expr && e->known[i].expr != x) i = (i + 1) & (e->known_capacity - 1);
  return &e->known[i];
}

static void grow(struct exec *e) {
  struct known *old = e->known;
  size_t n = e->known_capacity;
  e->known_capacity = n ? 2 * n : 256;
  e->known = mem_zalloc(e->known_capacity, sizeof *e->known);
  for (size_t i = 0; i < n; i++)
    if (old[i].expr) *slot(e, old[i].expr) = old[i];
  mem_free(old);
}

static struct known *entry(struct exec *e, const struct ir_expr *x) {
  if (2 * e->known_count >= e->known_capacity) grow(e);
  struct known *k = slot(e, x);
  if (!k->expr) {
    *k = (struct known){.expr = x};
    e->known_count++;
  }
  return k;
}

static uint8_t uses_of(struct exec *e, const struct ir_expr *x);

// Parameters and choices of a rule.
static bool is_fixed(const struct exec *e, const struct ir_local *l) {
  return l->id < e->fixed && e->outer->locals[l->id] == l;
}

static uint8_t own_uses(const struct exec *e, const struct ir_expr *x) {
  switch (x->op) {
  case IR_VAR: return USES_LEAVES;
  case IR_LOCAL:
    if (is_fixed(e, x->local)) return 0;
    return x->local->kind == IR_LOCAL_REF ? USES_LOCALS | USES_LEAVES : USES_LOCALS;
  case IR_CALL: return USES_CALLS;
  default: return 0;
  }
}

static uint8_t find_uses(struct exec *e, const struct ir_expr *x) {
  uint8_t uses = own_uses(e, x) | USES_FOUND;
  for (uint32_t i = 0; i < x->arg_count; i++) uses |= uses_of(e, x->args[i]);
  const struct ir_domain *d = x->domain;
  if (d && d->lo) uses |= uses_of(e, d->lo);
  if (d && d->hi) uses |= uses_of(e, d->hi);
  if (d && d->step) uses |= uses_of(e, d->step);
  return uses;
}

static uint8_t uses_of(struct exec *e, const struct ir_expr *x) {
  uint8_t uses = entry(e, x)->uses;
  if (uses) return uses;
  uses = find_uses(e, x);
  entry(e, x)->uses = uses; // the table may have moved
  return uses;
}

struct known *exec_known(struct exec *e, const struct ir_expr *x) {
  uses_of(e, x);
  return entry(e, x);
}

bool exec_known_keeps(const struct known *k) { return !(k->uses & USES_CALLS); }

bool exec_known_valid(const struct exec *e, const struct known *k) {
  return k->run == e->run && (!(k->uses & USES_LEAVES) || k->leaf_epoch == e->leaf_epoch) &&
         (!(k->uses & USES_LOCALS) || k->local_epoch == e->local_epoch);
}

void exec_known_store(struct exec *e, const struct ir_expr *x, const struct term *value) {
  struct known *k = exec_known(e, x);
  k->run = e->run;
  k->leaf_epoch = e->leaf_epoch;
  k->local_epoch = e->local_epoch;
  k->value = value;
  k->error_count = e->errors.count - e->first_error;
  k->errors = NULL;
  if (k->error_count == 0) return;
  k->errors = ARENA_ARRAY(e->scratch, struct relation_error, k->error_count);
  for (size_t i = 0; i < k->error_count; i++) k->errors[i] = e->errors.data[e->first_error + i];
}
