// SPDX-License-Identifier: Apache-2.0
// The walk over rules and properties, statement by statement. After a branch only what holds on
// both ways is known; before a loop what its body writes is forgotten.
#include "reduce/order.h"

#include "reduce/plan.h"

#include <string.h>

// --- what is known, on several ways ---

static struct order_cell *save(struct order *w) {
  size_t bytes = w->cells.count * sizeof(struct order_cell);
  struct order_cell *copy = mem_alloc(bytes + 1);
  if (bytes) memcpy(copy, w->cells.data, bytes);
  w->work += w->cells.count;
  return copy;
}

// The other way's cells become the present ones, and the present ones the other's.
static void exchange(struct order *w, struct order_cell *other) {
  for (size_t i = 0; i < w->cells.count; i++) {
    struct order_cell c = w->cells.data[i];
    w->cells.data[i] = other[i];
    other[i] = c;
  }
}

static void join(struct order *w, const struct order_cell *other) {
  for (size_t i = 0; i < w->cells.count; i++) {
    struct order_cell *c = &w->cells.data[i];
    if (c->write != other[i].write) c->value = order_join(c->value, other[i].value);
    if (c->write != other[i].write) c->write = ++w->cell_writes;
    c->mine &= other[i].mine;
    c->defined &= other[i].defined;
  }
  w->work += w->cells.count;
}

// --- rounds ---

bool order_unordered(const struct order *w, const struct ir_domain *d) {
  if (!d->type || ir_type_count(d->type) < 2) return false;
  return w->slots[d->type->id] || symmetry_depends(w->sets, d->type);
}

bool order_enter_round(struct order *w, const struct ir_type *over, struct span span) {
  if (w->round_count == ORDER_ROUNDS_MAX) {
    w->too_large = true;
    return false;
  }
  uint32_t bit = UINT32_C(1) << w->round_count;
  uint32_t around = (bit - 1) | (w->ordered ? ORDER_STEP : 0);
  for (size_t i = 0; i < w->cells.count; i++) {
    w->cells.data[i].mine &= ~bit;
    w->cells.data[i].value.varies &= around; // it is there before the loop
  }
  w->work += w->cells.count;
  w->rounds[w->round_count++] =
      (struct order_round){.over = over, .span = span, .top = w->cells.count, .before = w->met};
  return true;
}

void order_make_round(const struct order *w, struct order_value *v) {
  v->kind = ORDER_ROUND;
  v->round = w->round_count - 1;
  v->varies = UINT32_C(1) << v->round;
}

struct order_round *order_leave_round(struct order *w) {
  return &w->rounds[--w->round_count];
}

// --- multisets ---

static bool rule_has_slot(const struct order *w, const struct ir_type *set, uint32_t least) {
  uint32_t n = 0;
  for (uint32_t i = 0; w->rule && i < w->rule->param_count + w->rule->choice_count; i++)
    n += w->rule->frame.locals[i]->type == set->index;
  return n >= least;
}

// Do loops around look at a slot of the rule? (Or what comes after them; that will be seen.)
static bool loops_look(const struct order *w, const struct ir_type *set) {
  for (const struct order_rest *r = w->call->rest; r; r = r->outer)
    for (uint32_t i = 0; r->loop && i < w->rule->param_count + w->rule->choice_count; i++)
      if (w->rule->frame.locals[i]->type == set->index &&
          order_names(r->loop, w->rule->frame.locals[i]))
        return true;
  return false;
}

// From here on a slot of the rule may be another one. In a loop this may have been looked at
// before, and a reference parameter may stand for a slot.
static void slots_move(struct order *w, const struct ir_type *set, struct span span) {
  w->moved[set->id] = true;
  if (rule_has_slot(w, set, 1) && (w->call->caller || loops_look(w, set)))
    order_doubt(w, set->index, span, "the slots of a multiset change places here", NULL);
}

static void all_slots_move(struct order *w, const struct ir_type *t, struct span span) {
  if (t->kind == IR_TYPE_ARRAY) {
    if (w->slots[t->index->id] == t) slots_move(w, t, span);
    all_slots_move(w, t->elem, span);
  }
  for (uint32_t i = 0; t->kind == IR_TYPE_RECORD && i < t->field_count; i++)
    all_slots_move(w, t->fields[i].type, span);
}

static bool is_not(const struct ir_expr *e, enum ir_op op) {
  return e->op == IR_NOT && e->args[0]->op == op;
}

static bool is_true(const struct ir_expr *e) {
  int64_t v;
  return ir_expr_const(e, &v) && v;
}

// Is this how Murphi's front end adds an element?
//   for slot : if !added & !set[slot].valid { set[slot].elem := value; .valid := true; added :=
//   true }
static bool is_fill(const struct order *w, const struct ir_stmt *s) {
  const struct ir_type *set = s->domain->type ? w->slots[s->domain->type->id] : NULL;
  const struct ir_stmt *test = s->body, *elem = test ? test->body : NULL;
  if (!set || !test || test->kind != IR_IF || test->next || test->other) return false;
  const struct ir_expr *c = test->expr;
  if (c->op != IR_AND || !is_not(c->args[0], IR_LOCAL) || !is_not(c->args[1], IR_FIELD))
    return false;
  const struct ir_expr *valid = c->args[1]->args[0], *slot = valid->args[0];
  const struct ir_stmt *flag = elem ? elem->next : NULL, *added = flag ? flag->next : NULL;
  if (!added || added->next || slot->op != IR_INDEX || slot->args[0]->type != set) return false;
  bool own = slot->args[1]->op == IR_LOCAL && slot->args[1]->local == s->local;
  bool fills = (elem->kind == IR_ASSIGN || elem->kind == IR_COPY) && elem->lhs->op == IR_FIELD &&
               order_same_place(elem->lhs->args[0], slot) && elem->expr->op == IR_LOCAL;
  return own && fills && flag->kind == IR_ASSIGN && order_same_place(flag->lhs, valid) &&
         added->kind == IR_ASSIGN && order_same_place(added->lhs, c->args[0]->args[0]) &&
         is_true(flag->expr) && is_true(added->expr);
}

// Free slots are all alike, so it does not matter which one is filled, unless a slot that the rule
// knows is among several free ones.
static void walk_fill(struct order *w, const struct ir_stmt *s) {
  const struct ir_stmt *elem = s->body->body, *added = elem->next->next;
  const struct ir_expr *set = elem->lhs->args[0]->args[0];
  order_eval(w, elem->expr, ORDER_BOTH);
  order_fails(w);
  struct order_access a = {.kind = ORDER_FILL, .at = order_place(w, set), .span = s->span};
  order_note(w, a);
  order_blur(w, &a.at);
  struct order_access flag = {.kind = ORDER_SET, .at = order_place(w, added->lhs), .span = s->span};
  flag.value = order_any(added->lhs->type, ORDER_ALL);
  order_note(w, flag);
  order_blur(w, &flag.at);
  if (w->loops || rule_has_slot(w, set->type, 2)) slots_move(w, set->type, s->span);
}

// --- statements ---

static void write(struct order *w, const struct ir_stmt *s, struct order_value v, bool defined) {
  struct order_access a = {.kind = ORDER_SET, .value = v, .span = s->span};
  a.at = order_place(w, s->lhs);
  if (s->kind == IR_SORT || s->kind == IR_FOREIGN) {
    a.kind = ORDER_WRITE;
    order_read(w, &a.at, s->lhs);
  }
  order_note(w, a);
  order_store(w, &a.at, &v, defined);
  all_slots_move(w, s->lhs->type, s->span);
}

static void walk_copy(struct order *w, const struct ir_stmt *s) {
  if (!ir_expr_lvalue(s->expr)) return write(w, s, order_eval(w, s->expr, ORDER_BOTH), false);
  struct order_place from = order_place(w, s->expr);
  write(w, s, order_read(w, &from, s->expr), false);
  struct order_place to = order_place(w, s->lhs);
  order_copy(w, &to, &from);
}

static void walk_clear(struct order *w, const struct ir_stmt *s) {
  bool scalar = ir_type_scalar(s->lhs->type);
  struct order_value v =
      scalar ? order_number(ir_type_value(s->lhs->type, 0)) : order_any(w->m->int_type, 0);
  write(w, s, v, true);
}

static void walk_if(struct order *w, const struct ir_stmt *s) {
  order_eval(w, s->expr, ORDER_BOTH);
  struct order_cell *before = save(w);
  order_stmts(w, s->body);
  exchange(w, before);
  order_stmts(w, s->other);
  join(w, before);
  mem_free(before);
}

static void walk_switch(struct order *w, const struct ir_stmt *s) {
  order_eval(w, s->expr, ORDER_BOTH);
  struct order_cell *after = NULL;
  bool otherwise = false;
  for (const struct ir_case *c = s->cases; c; c = c->next) {
    for (uint32_t i = 0; i < c->value_count; i++) order_eval(w, c->values[i], ORDER_BOTH);
    otherwise |= c->value_count == 0;
    struct order_cell *before = save(w);
    order_stmts(w, c->body);
    if (after) join(w, after);
    exchange(w, before);
    mem_free(after);
    after = before;
  }
  if (after && otherwise) exchange(w, after);
  if (after && !otherwise) join(w, after);
  mem_free(after);
}

// A body that may be run again, from what is known before it; what is known after it holds after
// any number of runs.
static void walk_body(struct order *w, const struct ir_stmt *s) {
  struct order_rest again = {.loop = s, .outer = w->call->rest};
  struct order_cell *before = save(w);
  w->call->rest = &again;
  w->loops++;
  order_stmts(w, s->body);
  w->loops--;
  w->call->rest = again.outer;
  join(w, before);
  mem_free(before);
}

static void walk_for(struct order *w, const struct ir_stmt *s) {
  if (is_fill(w, s)) return walk_fill(w, s);
  struct order_value v = order_bound(w, s->domain, s->local);
  // Rounds that do not know which one they are do not know their order.
  bool unordered = order_unordered(w, s->domain) && order_names(s->body, s->local);
  if (unordered && !order_enter_round(w, s->domain->type, s->span)) return;
  order_forget(w, s->body);
  v.varies = ORDER_ALL;
  if (unordered) order_make_round(w, &v);
  struct order_cell *cell = &w->cells.data[w->call->base + s->local->cell];
  *cell = (struct order_cell){.value = v, .defined = true};
  walk_body(w, s);
  if (!unordered) return;
  const struct ir_type *set = w->slots[s->domain->type->id];
  if (set) slots_move(w, set, s->span);
  uint32_t number = w->round_count - 1;
  order_judge(w, order_leave_round(w), number);
}

static void walk_while(struct order *w, const struct ir_stmt *s) {
  order_forget(w, s->body);
  order_forget_expr(w, s->expr);
  order_eval(w, s->expr, ORDER_BOTH);
  walk_body(w, s);
  order_fails(w); // too many rounds
}

// Ends the loops that were begun in this call.
static void walk_return(struct order *w, const struct ir_stmt *s) {
  struct order_value v = order_number(0);
  if (s->expr) v = order_eval(w, s->expr, ORDER_BOTH);
  if (v.kind != ORDER_NUMBER && w->round_count > w->call->rounds)
    v = order_any(w->m->int_type, ORDER_ALL);
  for (uint32_t i = w->call->rounds; i < w->round_count; i++) {
    struct order_round *r = &w->rounds[i];
    bool differs = v.kind != ORDER_NUMBER || (r->returns && r->returned.number != v.number);
    r->returns_differ |= differs;
    r->returns = true;
    r->returned = v;
  }
  w->call->result = w->call->returned ? order_join(w->call->result, v) : v;
  w->call->returned = true;
}

static void walk_claim(struct order *w, const struct ir_stmt *s) {
  order_eval(w, s->expr, s->kind == IR_ASSERT ? ORDER_TRUE : ORDER_BOTH);
  if (s->kind == IR_ASSERT && !is_true(s->expr)) order_fails(w);
  w->met.assumes += s->kind == IR_ASSUME;
  w->met.covers += s->kind == IR_COVER;
}

static void walk_print(struct order *w, const struct ir_stmt *s) {
  for (uint32_t i = 0; i < s->part_count; i++) {
    const struct ir_expr *e = s->parts[i].expr;
    if (e && ir_expr_lvalue(e))
      order_place(w, e);
    else if (e)
      order_eval(w, e, ORDER_BOTH);
  }
}

static void walk_stmt(struct order *w, const struct ir_stmt *s) {
  w->work++;
  switch (s->kind) {
  case IR_ASSIGN: order_assign(w, s); break;
  case IR_COPY: walk_copy(w, s); break;
  case IR_UNDEFINE: write(w, s, order_undefined(), false); break;
  case IR_CLEAR: walk_clear(w, s); break;
  case IR_FOREIGN:
  case IR_SORT: write(w, s, order_any(w->m->int_type, ORDER_ALL), false); break;
  case IR_IF: walk_if(w, s); break;
  case IR_SWITCH: walk_switch(w, s); break;
  case IR_FOR: walk_for(w, s); break;
  case IR_WHILE: walk_while(w, s); break;
  case IR_CALL_STMT: order_eval(w, s->expr, ORDER_BOTH); break;
  case IR_RETURN: walk_return(w, s); break;
  case IR_ASSERT:
  case IR_ASSUME:
  case IR_COVER: walk_claim(w, s); break;
  case IR_PRINT: walk_print(w, s); break;
  }
}

void order_stmts(struct order *w, const struct ir_stmt *s) {
  struct order_rest here = {.outer = w->call->rest};
  w->call->rest = &here;
  for (; s && !w->too_large; s = s->next) {
    here.next = s->next;
    walk_stmt(w, s);
    if (w->work > ORDER_WORK_MAX) w->too_large = true;
  }
  w->call->rest = here.outer;
}

// --- the whole ---

static void begin(struct order *w, struct order_call *call, const struct ir_frame *f,
                  uint32_t params) {
  *call = (struct order_call){.frame = f};
  w->arena = arena_new();
  w->call = call;
  w->cells.count = w->loops = 0;
  w->facts = NULL;
  memset(w->moved, 0, w->m->types.count * sizeof *w->moved);
  call->refs = ARENA_ARRAY(w->arena, struct order_place, f->count);
  struct order_cell fresh = {.value = order_any(w->m->int_type, 0)};
  for (uint32_t i = 0; i < f->cells; i++) VEC_PUSH(&w->cells, fresh);
  for (uint32_t i = 0; i < params; i++) {
    const struct ir_local *l = f->locals[i];
    w->cells.data[l->cell] =
        (struct order_cell){.value = order_bound(w, l->domain, l), .defined = true};
  }
}

static void end(struct order *w) {
  arena_free(w->arena);
  w->arena = NULL;
  w->call = NULL;
}

static void walk_rule(struct order *w, const struct ir_rule *r) {
  struct order_call call;
  w->rule = r;
  begin(w, &call, &r->frame, r->param_count + r->choice_count);
  if (r->guard) order_eval(w, r->guard, ORDER_BOTH);
  order_stmts(w, r->body);
  end(w);
  w->rule = NULL;
}

static void walk_condition(struct order *w, const struct ir_frame *f, uint32_t params,
                           const struct ir_expr *e, enum order_context c) {
  struct order_call call;
  if (!e) return;
  begin(w, &call, f, params);
  order_eval(w, e, c);
  end(w);
}

static void walk_model(struct order *w) {
  const struct ir_model *m = w->m;
  for (size_t i = 0; i < m->rules.count; i++) walk_rule(w, m->rules.data[i]);
  for (size_t i = 0; i < m->properties.count; i++) {
    const struct ir_property *p = m->properties.data[i];
    bool invariant = p->kind == IR_PROP_INVARIANT;
    walk_condition(w, &p->frame, p->param_count, p->expr, invariant ? ORDER_TRUE : ORDER_BOTH);
  }
  walk_condition(w, &(struct ir_frame){0}, 0, m->valid_end, ORDER_BOTH);
}

// In models of other languages nothing says that the free places of a sorted array are all alike.
static void find_slots(struct order *w) {
  bool *sorted = symmetry_sorted(w->m, w->sets);
  for (size_t i = 0; i < w->m->types.count; i++) {
    const struct ir_type *t = w->m->types.data[i];
    if (!sorted[i]) continue;
    w->slots[t->index->id] = t;
    if (strcmp(w->m->language, "murphi") != 0)
      order_doubt(w, t, t->span, "its elements are in an array that is sorted", NULL);
  }
  mem_free(sorted);
}

static void give_up(struct order *w) {
  for (size_t i = 0; i < w->m->types.count; i++)
    if (w->sets[i])
      order_doubt(w, w->m->types.data[i], w->m->types.data[i]->span,
                  "the calls in the model are recursive, or too many to follow", NULL);
}

void order_check(const struct ir_model *m, bool *sets, struct text *why) {
  struct text nowhere = {0};
  struct order w = {.m = m, .sets = sets, .why = why ? why : &nowhere};
  w.slots = mem_zalloc(m->types.count + 1, sizeof *w.slots);
  w.moved = mem_zalloc(m->types.count + 1, sizeof *w.moved);
  find_slots(&w);
  walk_model(&w);
  if (w.too_large) give_up(&w);
  mem_free(w.slots);
  mem_free(w.moved);
  VEC_CLEAR(&w.cells);
  text_clear(&nowhere);
}
