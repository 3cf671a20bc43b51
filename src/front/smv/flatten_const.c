// SPDX-License-Identifier: Apache-2.0
// Constant expressions: bounds of types, indices. They may name DEFINEs and parameters.
#include "front/smv/flatten.h"

#include <string.h>

static bool unary(const struct smv_expr *e, int64_t a, int64_t *v) {
  if (e->op == SMV_CALL) return a >= 0 ? (*v = a, true) : !__builtin_sub_overflow((int64_t)0, a, v);
  return !__builtin_sub_overflow((int64_t)0, a, v);
}

static bool binary(const struct smv_expr *e, int64_t a, int64_t b, int64_t *v) {
  switch (e->op) {
  case SMV_ADD: return !__builtin_add_overflow(a, b, v);
  case SMV_SUB: return !__builtin_sub_overflow(a, b, v);
  case SMV_MUL: return !__builtin_mul_overflow(a, b, v);
  case SMV_DIV:
  case SMV_MOD:
    if (b == 0 || (a == INT64_MIN && b == -1)) return false;
    *v = e->op == SMV_DIV ? a / b : a % b;
    return true;
  case SMV_CALL: *v = (e->text[1] == 'a') == (a > b) ? a : b; return true; // max, min
  default: return false;
  }
}

static bool is_function(const struct smv_expr *e, const char *one, const char *other) {
  return e->op == SMV_CALL && (strcmp(e->text, one) == 0 || strcmp(e->text, other) == 0);
}

static bool evaluate(struct smv_names *n, const struct smv_expr *e, int64_t *v) {
  int64_t a, b;
  switch (e->op) {
  case SMV_NUMBER: *v = e->value; return true;
  case SMV_SYMBOL:
    if (e->symbol->kind != SMV_DEFINE) return false;
    smv_flat_define(n, e->symbol);
    return e->symbol->expr && smv_known(n, e->symbol->expr, v);
  case SMV_MINUS: return smv_known(n, e->args[0], &a) && unary(e, a, v);
  case SMV_CALL:
    if (is_function(e, "abs", "toint")) return smv_known(n, e->args[0], &a) && unary(e, a, v);
    if (!is_function(e, "max", "min")) return false;
    break;
  case SMV_ADD:
  case SMV_SUB:
  case SMV_MUL:
  case SMV_DIV:
  case SMV_MOD: break;
  default: return false;
  }
  return smv_known(n, e->args[0], &a) && smv_known(n, e->args[1], &b) && binary(e, a, b, v);
}

// Each node is evaluated once; one that is asked for while it is evaluated is not constant.
bool smv_known(struct smv_names *n, const struct smv_expr *e, int64_t *value) {
  while (n->known.count <= e->id) VEC_PUSH(&n->known, (struct known){0});
  if (n->known.data[e->id].state == FRESH && smv_enter(n, e->span)) {
    n->known.data[e->id].state = BUSY;
    int64_t v = 0;
    bool good = evaluate(n, e, &v);
    n->known.data[e->id] = (struct known){good ? DONE : FAILED, v};
    smv_leave(n);
  }
  *value = n->known.data[e->id].value;
  return n->known.data[e->id].state == DONE;
}

bool smv_known_here(struct smv_names *n, const struct instance *scope, const struct smv_expr *e,
                    const char *what, int64_t *value) {
  const struct smv_expr *x = smv_flat_expr(n, scope, e);
  if (!x) return false;
  if (smv_known(n, x, value)) return true;
  smv_error(n, e->span, "expected a constant number as %s", what);
  return false;
}
