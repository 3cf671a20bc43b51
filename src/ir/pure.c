// SPDX-License-Identifier: Apache-2.0
// Which functions may be called where nothing may happen: in guards, properties and atoms. Such a
// function writes only its own locals, assumes nothing and reaches no cover goal.
#include "ir/pure.h"

#include "ir/ctl.h"

static bool domain_impure(const struct ir_domain *d, const bool *impure);

static bool calls_impure(const struct ir_expr *e, const bool *impure) {
  if (!e) return false;
  if (e->op == IR_CALL && impure[e->func->id]) return true;
  for (uint32_t i = 0; i < e->arg_count; i++)
    if (calls_impure(e->args[i], impure)) return true;
  return domain_impure(e->domain, impure);
}

static bool domain_impure(const struct ir_domain *d, const bool *impure) {
  return d && (calls_impure(d->lo, impure) || calls_impure(d->hi, impure) ||
               calls_impure(d->step, impure));
}

static bool writes_outside(const struct ir_expr *lhs) {
  while (lhs->op == IR_INDEX || lhs->op == IR_FIELD) lhs = lhs->args[0];
  return lhs->op == IR_VAR || (lhs->op == IR_LOCAL && lhs->local->kind == IR_LOCAL_REF);
}

static bool stmts_impure(const struct ir_stmt *s, const bool *impure);

static bool cases_impure(const struct ir_case *c, const bool *impure) {
  for (; c; c = c->next) {
    for (uint32_t i = 0; i < c->value_count; i++)
      if (calls_impure(c->values[i], impure)) return true;
    if (stmts_impure(c->body, impure)) return true;
  }
  return false;
}

static bool stmts_impure(const struct ir_stmt *s, const bool *impure) {
  for (; s; s = s->next) {
    if (s->kind == IR_ASSUME || s->kind == IR_COVER) return true;
    if (s->lhs && (writes_outside(s->lhs) || calls_impure(s->lhs, impure))) return true;
    if (calls_impure(s->expr, impure) || domain_impure(s->domain, impure)) return true;
    if (stmts_impure(s->body, impure) || stmts_impure(s->other, impure)) return true;
    if (cases_impure(s->cases, impure)) return true;
    for (uint32_t i = 0; i < s->part_count; i++)
      if (calls_impure(s->parts[i].expr, impure)) return true;
  }
  return false;
}

bool *ir_functions_impure(const struct ir_model *m) {
  bool *impure = mem_zalloc(m->functions.count, sizeof *impure);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < m->functions.count; i++) {
      if (impure[i] || !stmts_impure(m->functions.data[i]->body, impure)) continue;
      impure[i] = changed = true;
    }
  }
  return impure;
}

static bool refuse(const struct ir_expr *e, const bool *impure, const char *what, const char *name,
                   struct diag *d) {
  if (!calls_impure(e, impure)) return false;
  diag_error(d, e->span, "%s \"%s\" calls a function that changes variables, assumes or covers",
             what, name);
  return true;
}

static bool refuse_lines(const struct ir_rule *r, const bool *impure, struct diag *d) {
  bool refused = false;
  for (uint32_t i = 0; i < r->line_count; i++) {
    const struct ir_line *l = &r->lines[i];
    refused |= refuse(l->channel, impure, "a line of", r->name, d);
    for (uint32_t k = 0; k < l->value_count; k++)
      refused |= refuse(l->values[k], impure, "a line of", r->name, d);
  }
  return refused;
}

struct formula { // whose atoms are looked at
  const struct ir_property *property;
  const bool *impure;
  struct diag *d;
  bool refused;
};

static void refuse_ctl(void *context, struct ir_expr **atom) {
  struct formula *f = context;
  f->refused |= refuse(*atom, f->impure, "the property", f->property->name, f->d);
}

static bool refuse_property(const struct ir_property *p, const bool *impure, struct diag *d) {
  struct formula f = {.property = p, .impure = impure, .d = d};
  ir_ctl_atoms(p->ctl, refuse_ctl, &f);
  return refuse(p->expr, impure, "the property", p->name, d) || f.refused;
}

bool ir_calls_pure(const struct ir_model *m, struct diag *d) {
  bool *impure = ir_functions_impure(m), refused = false;
  for (size_t i = 0; i < m->starts.count; i++)
    refused |= refuse_lines(m->starts.data[i], impure, d);
  for (size_t i = 0; i < m->rules.count; i++) {
    const struct ir_rule *r = m->rules.data[i];
    refused |= refuse(r->guard, impure, "the guard of", r->name, d);
    refused |= refuse_lines(r, impure, d);
  }
  for (size_t i = 0; i < m->properties.count; i++)
    refused |= refuse_property(m->properties.data[i], impure, d);
  for (size_t i = 0; i < m->atoms.count; i++)
    refused |= refuse(m->atoms.data[i]->expr, impure, "the atom", m->atoms.data[i]->name, d);
  for (size_t i = 0; i < m->fairness.count; i++) {
    refused |= refuse(m->fairness.data[i]->expr, impure, "the fairness of", m->name, d);
    refused |= refuse(m->fairness.data[i]->given, impure, "the fairness of", m->name, d);
  }
  refused |= refuse(m->valid_end, impure, "the end condition of", m->name, d);
  mem_free(impure);
  return !refused;
}

bool ir_expr_pure(const struct ir_model *m, const struct ir_expr *e) {
  bool *impure = ir_functions_impure(m), pure = !calls_impure(e, impure);
  mem_free(impure);
  return pure;
}
