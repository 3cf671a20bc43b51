// SPDX-License-Identifier: Apache-2.0
// Is a scalarset used symmetrically? Murphi's typing sees to most of it; models in the IR's own
// text can do anything. Start rules may do as they like: permuting states commutes with the rules
// wherever one starts. Whether the order in which a loop goes through a scalarset matters is
// order.c's question.
#include "reduce/order.h"
#include "reduce/plan.h"

#include <string.h>

struct uses {
  const struct ir_model *m;
  bool *sets; // per type id: still thought to be symmetric
  bool *seen; // per function: walked, since some rule or property can call it
  struct text *why;
};

bool symmetry_depends(const bool *sets, const struct ir_type *t) {
  switch (t->kind) {
  case IR_TYPE_SCALARSET: return sets[t->id];
  case IR_TYPE_UNION:
    for (uint32_t i = 0; i < t->part_count; i++)
      if (symmetry_depends(sets, t->parts[i])) return true;
    return false;
  case IR_TYPE_ARRAY: return symmetry_depends(sets, t->index) || symmetry_depends(sets, t->elem);
  case IR_TYPE_RECORD:
    for (uint32_t i = 0; i < t->field_count; i++)
      if (symmetry_depends(sets, t->fields[i].type)) return true;
    return false;
  default: return false;
  }
}

// The scalarsets among a type's values (not its indices) are out.
static void spoil(struct uses *u, const struct ir_type *t, struct span span, const char *how) {
  if (t->kind == IR_TYPE_ARRAY) return spoil(u, t->elem, span, how);
  for (uint32_t i = 0; t->kind == IR_TYPE_RECORD && i < t->field_count; i++)
    spoil(u, t->fields[i].type, span, how);
  for (uint32_t i = 0; t->kind == IR_TYPE_UNION && i < t->part_count; i++)
    spoil(u, t->parts[i], span, how);
  if (t->kind != IR_TYPE_SCALARSET || !u->sets[t->id]) return;
  u->sets[t->id] = false;
  if (!u->why) return;
  text_printf(u->why, "%sscalarset %s is not symmetric: ", u->why->count ? "; " : "",
              t->name ? t->name : "without a name");
  if (span.source) text_printf(u->why, "%s:%u: ", span.source->path, span.line);
  text_add(u->why, how);
}

static const char as_numbers[] = "its elements are used as numbers";

static const struct ir_type *part(const struct ir_type *t, uint32_t i) {
  return t->kind == IR_TYPE_UNION ? t->parts[i] : t;
}

static uint32_t parts(const struct ir_type *t) {
  return t->kind == IR_TYPE_UNION ? t->part_count : 1;
}

static bool overlap(const struct ir_type *a, const struct ir_type *b) {
  bool wide = a->kind == IR_TYPE_INT || b->kind == IR_TYPE_INT;
  return wide || (a->lo <= b->hi && b->lo <= a->hi);
}

// Values of the one become, or are compared with, values of the other. An element must stay what it
// is: not become a number, nor the element of another scalarset that happens to have its number.
static void scalars_meet(struct uses *u, const struct ir_type *a, const struct ir_type *b,
                         struct span span) {
  for (uint32_t i = 0; i < parts(a); i++)
    for (uint32_t k = 0; k < parts(b); k++) {
      const struct ir_type *p = part(a, i), *q = part(b, k);
      if (p == q || !overlap(p, q)) continue;
      spoil(u, p, span, as_numbers);
      spoil(u, q, span, as_numbers);
    }
}

// The same for all that an array or record holds; the two have the same structure.
static void meet(struct uses *u, const struct ir_type *a, const struct ir_type *b,
                 struct span span) {
  if (!a || !b || a == b) return;
  if (ir_type_scalar(a) && ir_type_scalar(b)) return scalars_meet(u, a, b, span);
  if (a->kind == IR_TYPE_ARRAY && b->kind == IR_TYPE_ARRAY) {
    scalars_meet(u, a->index, b->index, span);
    meet(u, a->elem, b->elem, span);
  }
  bool records = a->kind == IR_TYPE_RECORD && b->kind == IR_TYPE_RECORD;
  for (uint32_t i = 0; records && i < a->field_count && i < b->field_count; i++)
    meet(u, a->fields[i].type, b->fields[i].type, span);
}

static void walk_domain(struct uses *u, const struct ir_domain *d, const struct ir_local *l);
static void walk_stmts(struct uses *u, const struct ir_stmt *s, const struct ir_type *result);

static void walk_call(struct uses *u, const struct ir_expr *e) {
  const struct ir_function *f = e->func;
  for (uint32_t i = 0; i < e->arg_count; i++)
    meet(u, e->args[i]->type, f->frame.locals[i]->type, e->span);
  meet(u, f->result, e->type, e->span);
  if (u->seen[f->id]) return;
  u->seen[f->id] = true;
  walk_stmts(u, f->body, f->result);
}

static void walk(struct uses *u, const struct ir_expr *e) {
  if (!e) return;
  for (uint32_t i = 0; i < e->arg_count; i++) walk(u, e->args[i]);
  if (e->domain) walk_domain(u, e->domain, e->local);
  const char *ordered = "its elements are put in order or counted with";
  switch (e->op) {
  case IR_CONST: spoil(u, e->type, e->span, "one of its elements is named"); break;
  case IR_EQ:
  case IR_NE: meet(u, e->args[0]->type, e->args[1]->type, e->span); break;
  case IR_INDEX: meet(u, e->args[1]->type, e->args[0]->type->index, e->span); break;
  case IR_ISMEMBER: meet(u, e->args[0]->type, e->test, e->span); break;
  case IR_ITE:
    meet(u, e->args[1]->type, e->type, e->span);
    meet(u, e->args[2]->type, e->type, e->span);
    break;
  case IR_CALL: walk_call(u, e); break;
  case IR_LT ... IR_SHR:
  case IR_NEG:
  case IR_BITNOT:
  case IR_CAST:
    for (uint32_t i = 0; i < e->arg_count; i++) spoil(u, e->args[i]->type, e->span, ordered);
    break;
  default: break;
  }
}

static void walk_domain(struct uses *u, const struct ir_domain *d, const struct ir_local *l) {
  if (d->type) return meet(u, d->type, l->type, l->span);
  struct ir_expr *bounds[] = {d->lo, d->hi, d->step};
  spoil(u, l->type, l->span, as_numbers);
  for (size_t i = 0; i < 3; i++) {
    walk(u, bounds[i]);
    if (bounds[i]) spoil(u, bounds[i]->type, bounds[i]->span, "its elements bound a range");
  }
}

static void walk_cases(struct uses *u, const struct ir_stmt *s, const struct ir_type *result) {
  for (const struct ir_case *c = s->cases; c; c = c->next) {
    for (uint32_t i = 0; i < c->value_count; i++) {
      walk(u, c->values[i]);
      meet(u, s->expr->type, c->values[i]->type, s->span);
    }
    walk_stmts(u, c->body, result);
  }
}

static void walk_stmts(struct uses *u, const struct ir_stmt *s, const struct ir_type *result) {
  for (; s; s = s->next) {
    walk(u, s->lhs);
    walk(u, s->expr);
    if (s->domain) walk_domain(u, s->domain, s->local);
    if (s->kind == IR_ASSIGN || s->kind == IR_COPY) meet(u, s->expr->type, s->lhs->type, s->span);
    if (s->kind == IR_RETURN && s->expr) meet(u, s->expr->type, result, s->span);
    if (s->kind == IR_CLEAR) spoil(u, s->lhs->type, s->span, "clear gives its first element");
    if (s->kind == IR_SORT)
      spoil(u, s->lhs->type->index, s->span, "what it numbers is put in another order");
    for (uint32_t i = 0; i < s->part_count; i++) walk(u, s->parts[i].expr);
    walk_stmts(u, s->body, result);
    walk_stmts(u, s->other, result);
    walk_cases(u, s, result);
  }
}

static void walk_params(struct uses *u, const struct ir_frame *f, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) walk_domain(u, f->locals[i]->domain, f->locals[i]);
}

// Functions that only start rules call may do as start rules do.
static void walk_model(struct uses *u) {
  const struct ir_model *m = u->m;
  for (size_t i = 0; i < m->rules.count; i++) {
    const struct ir_rule *r = m->rules.data[i];
    walk_params(u, &r->frame, r->param_count + r->choice_count);
    walk(u, r->guard);
    walk_stmts(u, r->body, NULL);
  }
  for (size_t i = 0; i < m->properties.count; i++) {
    walk_params(u, &m->properties.data[i]->frame, m->properties.data[i]->param_count);
    walk(u, m->properties.data[i]->expr);
  }
  walk(u, m->valid_end);
}

// --- which arrays are multisets ---

static void find_sorts(const bool *sets, bool *sorted, const struct ir_stmt *s) {
  for (; s; s = s->next) {
    if (s->kind == IR_SORT && symmetry_depends(sets, s->lhs->type->elem))
      sorted[s->lhs->type->id] = true;
    find_sorts(sets, sorted, s->body);
    find_sorts(sets, sorted, s->other);
    for (const struct ir_case *c = s->cases; c; c = c->next) find_sorts(sets, sorted, c->body);
  }
}

bool *symmetry_sorted(const struct ir_model *m, const bool *sets) {
  bool *sorted = mem_zalloc(m->types.count + 1, sizeof *sorted);
  for (size_t i = 0; i < m->functions.count; i++)
    find_sorts(sets, sorted, m->functions.data[i]->body);
  for (size_t i = 0; i < m->rules.count; i++) find_sorts(sets, sorted, m->rules.data[i]->body);
  for (size_t i = 0; i < m->starts.count; i++) find_sorts(sets, sorted, m->starts.data[i]->body);
  return sorted;
}

// --- the whole ---

static bool occurs(const struct ir_model *m, const struct ir_type *set) {
  bool *only = mem_zalloc(m->types.count + 1, sizeof *only);
  only[set->id] = true;
  bool found = false;
  for (size_t i = 0; i < m->vars.count && !found; i++)
    found = m->vars.data[i]->type->leaves && symmetry_depends(only, m->vars.data[i]->type);
  mem_free(only);
  return found;
}

static const char on_trust[] = "; violations are real, but nothing is proved";
static const char not_on_trust[] = "; --symmetry on searches with it all the same: violations are "
                                   "then real, but nothing is proved";

bool *symmetry_sets(const struct ir_model *m, bool trust, struct text *why) {
  size_t n = m->types.count + 1;
  struct uses u = {.m = m, .sets = mem_zalloc(n, sizeof *u.sets), .why = why};
  u.seen = mem_zalloc(m->functions.count + 1, sizeof *u.seen);
  for (size_t i = 0; i < m->types.count; i++) {
    const struct ir_type *t = m->types.data[i];
    u.sets[i] = t->kind == IR_TYPE_SCALARSET && t->hi > t->lo && occurs(m, t);
  }
  walk_model(&u);
  bool *proven = mem_zalloc(n, sizeof *proven);
  memcpy(proven, u.sets, n * sizeof *proven);
  size_t said = why ? why->count : 0;
  order_check(m, proven, why);
  if (why && why->count > said) text_add(why, trust ? on_trust : not_on_trust);
  mem_free(u.seen);
  mem_free(trust ? proven : u.sets);
  return trust ? u.sets : proven;
}

bool reduce_symmetry_applies(const struct ir_model *m, bool trust, struct text *why) {
  uint64_t elements = 0;
  bool *sets = symmetry_sets(m, trust, why);
  for (size_t i = 0; i < m->types.count; i++)
    if (sets[i]) elements += ir_type_count(m->types.data[i]);
  mem_free(sets);
  if (elements && elements <= SYMMETRY_ELEMENTS_MAX) return true;
  if (why && !why->count)
    text_add(why, elements ? "the scalarsets of the state have too many elements"
                           : "the state has no scalarset of two or more elements");
  return false;
}

bool reduce_symmetry_proved(const struct ir_model *m) {
  bool *with = symmetry_sets(m, true, NULL), *without = symmetry_sets(m, false, NULL);
  bool same = memcmp(with, without, m->types.count * sizeof *with) == 0;
  mem_free(with);
  mem_free(without);
  return same;
}
