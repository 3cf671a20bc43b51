// SPDX-License-Identifier: Apache-2.0
// The variables of quantifiers, loops, rulesets and chooses, and the values they run through.
#include "front/murphi/lower.h"

#include <inttypes.h>

static struct ir_local *declare(struct lower *w, struct ast_name *name, const struct ir_type *t,
                                struct ir_domain *d) {
  struct symbol *s = murphi_declare(w, SYMBOL_LOCAL, name);
  struct ir_local *l =
      ir_local_new(w->m, w->frame, IR_LOCAL_BOUND, name->ident->text, t, name->span);
  l->domain = d;
  s->local = l;
  return l;
}

static bool few_values(struct lower *w, struct ast_quant *q, uint64_t n) {
  if (n <= (uint64_t)MURPHI_VALUES_MAX) return true;
  murphi_error(w, q->span, "'%s' runs through %" PRIu64 " values; expected at most %" PRId64,
               q->name->ident->text, n, MURPHI_VALUES_MAX);
  return false;
}

static struct ir_domain *typed(struct lower *w, struct ast_quant *q, const struct ir_type **t) {
  *t = murphi_type(w, q->type);
  if (!*t) return NULL;
  if (!ir_type_scalar(*t)) {
    murphi_error(w, q->type->span,
                 "expected a range, boolean, enumeration, scalarset or union to "
                 "run through, but this is %s",
                 murphi_type_name(w, *t));
    return NULL;
  }
  return few_values(w, q, ir_type_count(*t)) ? ir_domain_type(w->m, *t) : NULL;
}

// As in Rumur a loop without a step goes down when its bounds do, unless both are constants: then
// it is a mistake.
static bool right_direction(struct lower *w, struct ast_quant *q, int64_t lo, int64_t hi,
                            const int64_t *step) {
  int64_t by = step ? *step : 1;
  if ((by > 0 && lo <= hi) || (by < 0 && lo >= hi)) {
    uint64_t distance = lo < hi ? (uint64_t)hi - (uint64_t)lo : (uint64_t)lo - (uint64_t)hi;
    return few_values(w, q, distance / (by > 0 ? (uint64_t)by : -(uint64_t)by) + 1);
  }
  murphi_error(w, q->span,
               "a step of %" PRId64 " does not lead from %" PRId64 " to %" PRId64
               "; expected one that does",
               by, lo, hi);
  return false;
}

static struct ir_expr *bound(struct lower *w, struct ast_expr *e, const char *what, bool constant,
                             bool *known, int64_t *value) {
  const char *why = NULL;
  struct ir_expr *x = murphi_integer(w, e, what);
  if (!x) return NULL;
  *known = murphi_const_value(x, value, &why);
  if (*known) return ir_int(w->m, *value, e->span);
  if (!why && !constant) return x;
  murphi_error(w, e->span, "expected a constant as %s%s%s", what, why ? ", but " : "",
               why ? why : " of a ruleset");
  return NULL;
}

static struct ir_domain *ranged(struct lower *w, struct ast_quant *q, bool constant,
                                const struct ir_type **t) {
  bool known_lo, known_hi, known_step = true;
  int64_t lo, hi, by = 1;
  struct ir_expr *a = bound(w, q->from, "the first value", constant, &known_lo, &lo);
  struct ir_expr *b = bound(w, q->to, "the last value", constant, &known_hi, &hi);
  struct ir_expr *s = q->step ? bound(w, q->step, "the step", constant, &known_step, &by) : NULL;
  if (!a || !b || (q->step && !s)) return NULL;
  if (s && known_step && by == 0) {
    murphi_error(w, q->step->span, "a step of 0 never ends; expected another");
    return NULL;
  }
  *t = w->m->int_type;
  if (known_lo && known_hi) {
    if (known_step && !right_direction(w, q, lo, hi, s ? &by : NULL)) return NULL;
    int64_t least = lo < hi ? lo : hi, most = lo < hi ? hi : lo;
    if (least != IR_UNDEF && most != INT64_MAX) *t = ir_type_range(w->m, least, most);
  }
  return ir_domain_range(w->m, a, b, s);
}

struct ir_local *murphi_quant(struct lower *w, struct ast_quant *q, bool constant,
                              struct ir_domain **domain) {
  const struct ir_type *t = NULL;
  *domain = q->type ? typed(w, q, &t) : ranged(w, q, constant, &t);
  if (*domain) return declare(w, q->name, t, *domain);
  murphi_declare(w, SYMBOL_WRONG, q->name);
  return NULL;
}

struct ir_local *murphi_slot(struct lower *w, struct ast_name *name, struct ir_expr *set,
                             struct ir_domain **domain) {
  if (!set) {
    murphi_declare(w, SYMBOL_WRONG, name);
    return NULL;
  }
  *domain = ir_domain_type(w->m, set->type->index);
  struct ir_local *l = declare(w, name, set->type->index, *domain);
  name->ident->symbol->set = set;
  return l;
}
