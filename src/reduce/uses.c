// SPDX-License-Identifier: Apache-2.0
// Is a scalarset used symmetrically? Murphi's typing sees to most of it; models in the IR's own
// text can do anything. Start rules may do as they like: permuting states commutes with the rules
// wherever one starts. Not seen here is a loop over a scalarset whose outcome depends on the
// order of its rounds; Murphi forbids it, and no tool can tell in general.
#include "reduce/plan.h"

struct uses {
  const struct ir_model *m;
  bool *sets; // per type id: still thought to be symmetric
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

static bool named(const struct uses *u, const struct ir_type *t) {
  return ir_type_scalar(t) && symmetry_depends(u->sets, t);
}

// A value goes where its names mean nothing, or something else.
static void flows(struct uses *u, const struct ir_type *from, const struct ir_type *to,
                  struct span span) {
  if (!from || !to || !ir_type_scalar(from) || !ir_type_scalar(to)) return;
  bool kept = to->kind == IR_TYPE_SCALARSET || to->kind == IR_TYPE_UNION;
  if (named(u, from) && !kept) spoil(u, from, span, "its elements are used as numbers");
  kept = from->kind == IR_TYPE_SCALARSET || from->kind == IR_TYPE_UNION;
  if (named(u, to) && !kept) spoil(u, to, span, "numbers are used as its elements");
}

static void walk_domain(struct uses *u, const struct ir_domain *d);

static void walk(struct uses *u, const struct ir_expr *e) {
  if (!e) return;
  for (uint32_t i = 0; i < e->arg_count; i++) walk(u, e->args[i]);
  walk_domain(u, e->domain);
  const char *ordered = "its elements are put in order or counted with";
  switch (e->op) {
  case IR_CONST: spoil(u, e->type, e->span, "one of its elements is named"); break;
  case IR_EQ:
  case IR_NE: flows(u, e->args[0]->type, e->args[1]->type, e->span); break;
  case IR_INDEX: flows(u, e->args[1]->type, e->args[0]->type->index, e->span); break;
  case IR_ITE:
    flows(u, e->args[1]->type, e->type, e->span);
    flows(u, e->args[2]->type, e->type, e->span);
    break;
  case IR_CALL:
    for (uint32_t i = 0; i < e->arg_count; i++)
      flows(u, e->args[i]->type, e->func->frame.locals[i]->type, e->span);
    break;
  case IR_LT ... IR_SHR:
  case IR_NEG:
  case IR_BITNOT:
  case IR_CAST:
    for (uint32_t i = 0; i < e->arg_count; i++) spoil(u, e->args[i]->type, e->span, ordered);
    break;
  default: break;
  }
}

static void walk_domain(struct uses *u, const struct ir_domain *d) {
  if (!d || d->type) return;
  struct ir_expr *bounds[] = {d->lo, d->hi, d->step};
  for (size_t i = 0; i < 3; i++) {
    walk(u, bounds[i]);
    if (bounds[i]) spoil(u, bounds[i]->type, bounds[i]->span, "its elements bound a range");
  }
}

static void walk_stmts(struct uses *u, const struct ir_stmt *s, const struct ir_type *result) {
  for (; s; s = s->next) {
    walk(u, s->lhs);
    walk(u, s->expr);
    walk_domain(u, s->domain);
    if (s->kind == IR_ASSIGN) flows(u, s->expr->type, s->lhs->type, s->span);
    if (s->kind == IR_RETURN && s->expr) flows(u, s->expr->type, result, s->span);
    if (s->kind == IR_CLEAR) spoil(u, s->lhs->type, s->span, "clear gives its first element");
    walk_stmts(u, s->body, result);
    walk_stmts(u, s->other, result);
    for (const struct ir_case *c = s->cases; c; c = c->next) {
      for (uint32_t i = 0; i < c->value_count; i++) {
        walk(u, c->values[i]);
        flows(u, s->expr->type, c->values[i]->type, s->span);
      }
      walk_stmts(u, c->body, result);
    }
  }
}

static void walk_model(struct uses *u) {
  const struct ir_model *m = u->m;
  for (size_t i = 0; i < m->functions.count; i++)
    walk_stmts(u, m->functions.data[i]->body, m->functions.data[i]->result);
  for (size_t i = 0; i < m->rules.count; i++) {
    const struct ir_rule *r = m->rules.data[i];
    for (uint32_t k = 0; k < r->param_count + r->choice_count; k++)
      walk_domain(u, r->frame.locals[k]->domain);
    walk(u, r->guard);
    walk_stmts(u, r->body, NULL);
  }
  for (size_t i = 0; i < m->properties.count; i++) walk(u, m->properties.data[i]->expr);
  walk(u, m->valid_end);
}

static bool occurs(const struct ir_model *m, const struct ir_type *set) {
  bool *only = mem_zalloc(m->types.count + 1, sizeof *only);
  only[set->id] = true;
  bool found = false;
  for (size_t i = 0; i < m->vars.count && !found; i++)
    found = m->vars.data[i]->type->leaves && symmetry_depends(only, m->vars.data[i]->type);
  mem_free(only);
  return found;
}

bool *symmetry_sets(const struct ir_model *m, struct text *why) {
  struct uses u = {.m = m, .sets = mem_zalloc(m->types.count + 1, sizeof *u.sets), .why = why};
  for (size_t i = 0; i < m->types.count; i++) {
    const struct ir_type *t = m->types.data[i];
    u.sets[i] = t->kind == IR_TYPE_SCALARSET && t->hi > t->lo && occurs(m, t);
  }
  walk_model(&u);
  return u.sets;
}

bool reduce_symmetry_applies(const struct ir_model *m, struct text *why) {
  uint64_t elements = 0;
  bool *sets = symmetry_sets(m, why);
  for (size_t i = 0; i < m->types.count; i++)
    if (sets[i]) elements += ir_type_count(m->types.data[i]);
  mem_free(sets);
  if (elements && elements <= SYMMETRY_ELEMENTS_MAX) return true;
  if (why && !why->count)
    text_add(why, elements ? "the scalarsets of the state have too many elements"
                           : "the state has no scalarset of two or more elements");
  return false;
}
