// SPDX-License-Identifier: Apache-2.0
// A multiset [n] of T is an array [0..n-1] of record { valid; elem }. Free slots have valid false
// and elem undefined (again after a rule that may have written into one), and after each rule that
// changes a multiset the slots are sorted, so that equal multisets are equal states.
#include "front/murphi/lower.h"

enum { VALID, ELEM };

const struct ir_type *murphi_multiset_type(struct lower *w, int64_t size,
                                           const struct ir_type *elem) {
  struct ir_field fields[] = {{.name = "valid", .type = w->m->bool_type},
                              {.name = "elem", .type = elem}};
  struct ir_type *slot = ir_type_record(w->m, fields, 2);
  struct ir_type *t = ir_type_array(w->m, ir_type_range(w->m, 0, size - 1), slot);
  VEC_PUSH(&w->known->multisets, t);
  return t;
}

struct ir_expr *murphi_multiset_expr(struct lower *w, struct ast_expr *e) {
  struct ir_expr *x = murphi_value(w, e);
  if (!x || murphi_is_multiset(w, x->type)) return x;
  murphi_error(w, e->span, "expected a multiset, but this is %s", murphi_type_name(w, x->type));
  return NULL;
}

struct ir_expr *murphi_slot_valid(struct lower *w, struct ir_expr *set, const struct ir_local *slot,
                                  struct span span) {
  struct ir_expr *at = ir_index(w->m, set, ir_local_ref(w->m, slot, span), span);
  return ir_field(w->m, at, VALID, span);
}

struct ir_expr *murphi_slot_elem(struct lower *w, struct ir_expr *set, struct ir_expr *slot,
                                 struct span span) {
  return ir_field(w->m, ir_index(w->m, set, slot, span), ELEM, span);
}

// --- slot variables ---

bool murphi_is_slot(const struct ast_expr *e) {
  if (e->kind != AST_ID) return false;
  const struct symbol *s = e->name->ident->symbol;
  return s && s->kind == SYMBOL_LOCAL && s->set;
}

// Are the two surely different places? Indices that are not constants may be equal.
static bool differ(const struct ir_expr *a, const struct ir_expr *b) {
  int64_t i, k;
  const char *why;
  if (a->op != b->op) return true;
  switch (a->op) {
  case IR_VAR: return a->var != b->var;
  case IR_LOCAL: return a->local != b->local;
  case IR_FIELD: return a->field != b->field || differ(a->args[0], b->args[0]);
  case IR_INDEX:
    return differ(a->args[0], b->args[0]) || (murphi_const_value(a->args[1], &i, &why) &&
                                              murphi_const_value(b->args[1], &k, &why) && i != k);
  default: return false;
  }
}

struct ir_expr *murphi_slot_of(struct lower *w, struct ast_expr *slot, const struct ir_expr *set) {
  const struct symbol *s = slot->kind == AST_ID ? slot->name->ident->symbol : NULL;
  if (s && s->kind == SYMBOL_WRONG) return NULL;
  if (!murphi_is_slot(slot)) {
    murphi_error(w, slot->span,
                 "expected a variable of choose, multisetcount or multisetremovepred as the index "
                 "of a multiset");
    return NULL;
  }
  if (!differ(s->set, set)) return ir_local_ref(w->m, s->local, slot->span);
  murphi_error(w, slot->span, "'%s' is a slot of %s; expected a slot of this multiset",
               s->ident->text, murphi_source_text(w, s->set->span));
  return NULL;
}

// --- predicates ---

// valid & condition, for the variable of multisetcount or multisetremovepred.
static struct ir_expr *slot_condition(struct lower *w, struct ir_expr *set, struct ir_local *l,
                                      struct ast_expr *condition, const char *what) {
  w->conditional++;
  struct ir_expr *c = murphi_condition(w, condition, what);
  w->conditional--;
  if (!c || !set) return NULL;
  struct ir_expr *valid = murphi_slot_valid(w, set, l, condition->span);
  return ir_binary(w->m, IR_AND, valid, c, condition->span);
}

struct ir_expr *murphi_multiset_count(struct lower *w, struct ast_expr *e) {
  struct ir_expr *set = murphi_multiset_expr(w, e->left);
  struct ir_domain *d = NULL;
  murphi_scope_open(w);
  struct ir_local *l = murphi_slot(w, e->name, set, &d);
  struct ir_expr *c = slot_condition(w, set, l, e->right, "what multisetcount counts");
  murphi_scope_close(w);
  return c ? ir_quant(w->m, IR_COUNT, l, d, c, e->span) : NULL;
}

// --- statements ---

static struct ir_local *slot_local(struct lower *w, const struct ir_type *index, struct span span) {
  return ir_local_new(w->m, w->frame, IR_LOCAL_BOUND, "slot", index, span);
}

static struct ir_expr *target_set(struct lower *w, struct ast_stmt *s) {
  struct ir_expr *set = murphi_multiset_expr(w, s->target);
  if (!set || !murphi_writable(w, s->target)) return NULL;
  murphi_wrote(w, set);
  return set;
}

// for slot: if !added & !set[slot].valid then fill it
static void fill_slot(struct lower *w, struct ir_expr *set, struct ir_expr *value,
                      struct ir_chain *out, struct span span) {
  struct ir_model *m = w->m;
  struct ir_expr *added =
      murphi_temporary(w, "added", m->bool_type, ir_bool(m, false, span), out, span);
  struct ir_local *l = slot_local(w, set->type->index, span);
  struct ir_expr *valid = murphi_slot_valid(w, set, l, span);
  struct ir_expr *into = murphi_slot_elem(w, set, ir_local_ref(m, l, span), span);
  struct ir_expr *is_free = ir_binary(m, IR_AND, ir_unary(m, IR_NOT, added, span),
                                      ir_unary(m, IR_NOT, valid, span), span);
  struct ir_chain fill = {0};
  ir_chain_add(&fill, ir_assign(m, into, value, span));
  ir_chain_add(&fill, ir_assign(m, valid, ir_bool(m, true, span), span));
  ir_chain_add(&fill, ir_assign(m, added, ir_bool(m, true, span), span));
  struct ir_stmt *body = ir_if(m, is_free, fill.first, NULL, span);
  ir_chain_add(out, ir_for(m, l, ir_domain_type(m, set->type->index), body, span));
  ir_chain_add(out, ir_assert(m, added, IR_FAULT_MULTISET, murphi_source_text(w, span), span));
}

// The value may speak of the multiset itself, so it is known before a slot is touched.
void murphi_multiset_add(struct lower *w, struct ast_stmt *s, struct ir_chain *out) {
  struct ir_expr *set = target_set(w, s), *value = murphi_value(w, s->expr);
  if (!set || !value) return;
  const struct ir_type *elem = set->type->elem->fields[ELEM].type;
  if (!murphi_compatible(value->type, elem)) {
    murphi_error(w, s->expr->span, "expected %s to add to the multiset, but this is %s",
                 murphi_type_name(w, elem), murphi_type_name(w, value->type));
    return;
  }
  struct ir_expr *place = murphi_freeze(w, set, "set", out);
  struct ir_expr *kept = murphi_temporary(w, "value", elem, value, out, s->expr->span);
  fill_slot(w, place, kept, out, s->span);
}

static void free_slot(struct lower *w, struct ir_expr *set, struct ir_expr *slot,
                      struct ir_chain *out, struct span span) {
  struct ir_expr *at = ir_index(w->m, set, slot, span);
  ir_chain_add(out, ir_undefine(w->m, at, span));
  ir_chain_add(out,
               ir_assign(w->m, ir_field(w->m, at, VALID, span), ir_bool(w->m, false, span), span));
}

// An element can be removed once, as in CMurphi.
void murphi_multiset_remove(struct lower *w, struct ast_stmt *s, struct ir_chain *out) {
  struct ir_expr *set = target_set(w, s);
  struct ir_expr *slot = set ? murphi_slot_of(w, s->expr, set) : NULL;
  if (!slot) return;
  struct ir_expr *place = murphi_freeze(w, set, "set", out);
  const char *message = arena_printf(w->m->arena, "%s removes an element that is still there",
                                     murphi_source_text(w, s->span));
  ir_chain_add(out, ir_assert(w->m, murphi_slot_valid(w, place, slot->local, s->span),
                              IR_FAULT_ASSERT, message, s->span));
  free_slot(w, place, slot, out, s->span);
}

// Element by element, as in CMurphi: the condition sees what is already removed.
void murphi_multiset_remove_where(struct lower *w, struct ast_stmt *s, struct ir_chain *out) {
  struct ir_expr *set = target_set(w, s);
  struct ir_domain *d = NULL;
  murphi_scope_open(w);
  struct ir_local *l = murphi_slot(w, s->name, set, &d);
  struct ir_expr *place = set ? murphi_freeze(w, set, "set", out) : NULL;
  struct ir_expr *c = slot_condition(w, place, l, s->expr, "what multisetremovepred removes");
  murphi_scope_close(w);
  if (!c) return;
  struct ir_chain body = {0};
  free_slot(w, place, ir_local_ref(w->m, l, s->span), &body, s->span);
  struct ir_stmt *remove = ir_if(w->m, c, body.first, NULL, s->span);
  ir_chain_add(out, ir_for(w->m, l, d, remove, s->span));
}

// --- whole variables ---

static void empty_one(struct lower *w, struct ir_expr *set, struct ir_chain *out) {
  struct ir_local *l = slot_local(w, set->type->index, set->span);
  struct ir_stmt *body = ir_assign(w->m, murphi_slot_valid(w, set, l, set->span),
                                   ir_bool(w->m, false, set->span), set->span);
  ir_chain_add(out, ir_undefine(w->m, set, set->span));
  ir_chain_add(out, ir_for(w->m, l, ir_domain_type(w->m, set->type->index), body, set->span));
}

// Runs `one` on every multiset inside the target, outermost only for emptying; sorting goes inside
// first, since the order of an outer multiset depends on its elements.
static void each(struct lower *w, struct ir_expr *x, bool sort, struct ir_chain *out) {
  const struct ir_type *t = x->type;
  if (!murphi_has_multiset(w, t)) return;
  if (!sort && murphi_is_multiset(w, t)) return empty_one(w, x, out);
  if (t->kind == IR_TYPE_RECORD) {
    for (uint32_t i = 0; i < t->field_count; i++) each(w, ir_field(w->m, x, i, x->span), sort, out);
    return;
  }
  if (murphi_has_multiset(w, t->elem)) {
    struct ir_local *l = slot_local(w, t->index, x->span);
    struct ir_chain body = {0};
    each(w, ir_index(w->m, x, ir_local_ref(w->m, l, x->span), x->span), sort, &body);
    ir_chain_add(out, ir_for(w->m, l, ir_domain_type(w->m, t->index), body.first, x->span));
  }
  if (sort && murphi_is_multiset(w, t)) ir_chain_add(out, ir_sort(w->m, x, x->span));
}

// What was written into free slots goes: an element may be removed first, and written then.
void murphi_multiset_tidy(struct lower *w, struct ir_expr *x, struct ir_chain *out) {
  const struct ir_type *t = x->type;
  struct ir_model *m = w->m;
  if (!murphi_has_multiset(w, t)) return;
  if (t->kind == IR_TYPE_RECORD) {
    for (uint32_t i = 0; i < t->field_count; i++)
      murphi_multiset_tidy(w, ir_field(m, x, i, x->span), out);
    return;
  }
  struct ir_local *l = slot_local(w, t->index, x->span);
  struct ir_expr *at = ir_local_ref(m, l, x->span);
  struct ir_chain inside = {0}, away = {0};
  if (murphi_is_multiset(w, t)) {
    murphi_multiset_tidy(w, murphi_slot_elem(w, x, at, x->span), &inside);
    free_slot(w, x, at, &away, x->span);
    struct ir_expr *valid = murphi_slot_valid(w, x, l, x->span);
    struct ir_stmt *either = ir_if(m, valid, inside.first, away.first, x->span);
    inside = (struct ir_chain){either, either};
  } else {
    murphi_multiset_tidy(w, ir_index(m, x, at, x->span), &inside);
  }
  ir_chain_add(out, ir_for(m, l, ir_domain_type(m, t->index), inside.first, x->span));
}

void murphi_multiset_empty(struct lower *w, struct ir_expr *target, struct ir_chain *out) {
  each(w, target, false, out);
}

void murphi_multiset_sort(struct lower *w, struct ir_expr *target, struct ir_chain *out) {
  each(w, target, true, out);
}
