// SPDX-License-Identifier: Apache-2.0
// Values and places, as far as they are known in the middle of a round: what a read gives, what a
// write leaves, and which loops learn of it.
#include "reduce/order.h"

// --- values ---

static void bounds(const struct ir_type *t, __int128 *lo, __int128 *hi) {
  bool wide = t->kind == IR_TYPE_INT && !t->is_signed;
  *lo = wide ? (__int128)(uint64_t)t->lo : t->lo;
  *hi = wide ? (__int128)(uint64_t)t->hi : t->hi;
}

struct order_value order_any(const struct ir_type *t, uint32_t varies) {
  struct order_value v = {.kind = ORDER_ANY, .varies = varies};
  if (ir_type_scalar(t)) bounds(t, &v.lo, &v.hi);
  return v;
}

struct order_value order_number(int64_t v) {
  return (struct order_value){.kind = ORDER_NUMBER, .number = v, .lo = v, .hi = v};
}

// No value lies between its bounds.
struct order_value order_undefined(void) {
  return (struct order_value){.kind = ORDER_NUMBER, .number = IR_UNDEF, .lo = 1, .hi = 0};
}

bool order_same_value(const struct order_value *a, const struct order_value *b) {
  return a->kind == b->kind && a->kind != ORDER_ANY && a->round == b->round &&
         a->number == b->number && a->lo == b->lo;
}

// Either of the two, and which one may depend on anything.
struct order_value order_join(struct order_value a, struct order_value b) {
  if (order_same_value(&a, &b)) return a;
  return (struct order_value){.kind = ORDER_ANY,
                              .varies = ORDER_ALL,
                              .lo = a.lo < b.lo ? a.lo : b.lo,
                              .hi = a.hi > b.hi ? a.hi : b.hi};
}

static bool range_within(__int128 lo, __int128 hi, const struct ir_type *to) {
  __int128 least, most;
  for (uint32_t i = 0; to->kind == IR_TYPE_UNION && i < to->part_count; i++)
    if (range_within(lo, hi, to->parts[i])) return true;
  if (to->kind == IR_TYPE_UNION) return false;
  bounds(to, &least, &most);
  return lo >= least && hi <= most;
}

bool order_within(const struct order_value *v, const struct ir_type *from,
                  const struct ir_type *to) {
  if (from->kind != IR_TYPE_UNION || v->kind == ORDER_NUMBER) return range_within(v->lo, v->hi, to);
  for (uint32_t i = 0; i < from->part_count; i++)
    if (!range_within(from->parts[i]->lo, from->parts[i]->hi, to)) return false;
  return v->lo >= from->lo && v->hi <= from->hi; // and not something else in disguise
}

void order_fails(struct order *w) { w->met.faults++; }

// --- places ---

bool order_same_place(const struct ir_expr *a, const struct ir_expr *b) {
  if (a->op != b->op) return false;
  switch (a->op) {
  case IR_CONST: return a->value == b->value;
  case IR_VAR: return a->var == b->var;
  case IR_LOCAL: return a->local == b->local;
  case IR_FIELD: return a->field == b->field && order_same_place(a->args[0], b->args[0]);
  case IR_INDEX:
    return order_same_place(a->args[0], b->args[0]) && order_same_place(a->args[1], b->args[1]);
  default: return false;
  }
}

bool order_has_slots(const struct order *w, const struct ir_type *t) {
  if (t->kind == IR_TYPE_ARRAY) return w->slots[t->index->id] == t || order_has_slots(w, t->elem);
  for (uint32_t i = 0; t->kind == IR_TYPE_RECORD && i < t->field_count; i++)
    if (order_has_slots(w, t->fields[i].type)) return true;
  return false;
}

static void add_step(struct order *w, struct order_place *p, struct order_step step) {
  struct order_step *way = ARENA_ARRAY(w->arena, struct order_step, p->length + 1);
  for (uint32_t i = 0; i < p->length; i++) way[i] = p->way[i];
  way[p->length++] = step;
  p->way = way;
}

static void step_field(struct order *w, struct order_place *p, const struct ir_expr *e) {
  const struct ir_field *f = &e->args[0]->type->fields[e->field];
  add_step(w, p, (struct order_step){.field = e->field});
  p->sample += f->leaf;
  if (!p->exact) return;
  p->first += f->leaf;
  p->leaves = f->type->leaves;
}

// The rule's own slot variable means nothing once slots have changed places.
static void look_at_slot(struct order *w, const struct ir_expr *e) {
  const struct ir_type *t = e->args[0]->type;
  if (w->slots[t->index->id] != t || !w->moved[t->id] || !w->rule || w->call->caller) return;
  if (e->args[1]->op != IR_LOCAL) return;
  if (e->args[1]->local->id < w->rule->param_count + w->rule->choice_count)
    order_doubt(w, t->index, e->span, "the slot may hold another element by now", NULL);
}

static void step_index(struct order *w, struct order_place *p, const struct ir_expr *e) {
  const struct ir_type *t = e->args[0]->type;
  struct order_value i = order_eval(w, e->args[1], ORDER_BOTH);
  bool within = order_within(&i, e->args[1]->type, t->index);
  if (!within) order_fails(w);
  look_at_slot(w, e);
  add_step(w, p, (struct order_step){.is_index = true, .index = i});
  if (i.kind == ORDER_NUMBER && within && i.number != IR_UNDEF) {
    uint64_t offset = ir_type_rank(t->index, i.number) * t->elem->leaves;
    p->sample += offset;
    if (!p->exact) return;
    p->first += offset;
    p->leaves = t->elem->leaves;
  } else {
    p->exact = false; // and lies somewhere in the array
  }
}

struct order_place order_place(struct order *w, const struct ir_expr *e) {
  w->work++;
  struct order_place p = {.exact = true, .leaves = e->type->leaves};
  switch (e->op) {
  case IR_VAR: p.var = e->var; return p;
  case IR_LOCAL:
    if (e->local->kind == IR_LOCAL_REF) return w->call->refs[e->local->id];
    p.local = e->local;
    p.cell = w->call->base + e->local->cell;
    return p;
  case IR_FIELD:
    p = order_place(w, e->args[0]);
    step_field(w, &p, e);
    return p;
  default:
    assert(e->op == IR_INDEX);
    p = order_place(w, e->args[0]);
    step_index(w, &p, e);
    return p;
  }
}

static uint32_t way_varies(const struct order_place *p) {
  uint32_t varies = 0;
  for (uint32_t i = 0; i < p->length; i++)
    if (p->way[i].is_index) varies |= p->way[i].index.varies;
  return varies;
}

static struct order_cell *cells_of(const struct order *w, const struct order_place *p) {
  return w->cells.data + p->cell + p->first;
}

static bool is_mine(const struct order *w, const struct order_place *p, uint32_t round) {
  const struct order_cell *c = cells_of(w, p);
  for (uint64_t i = 0; i < p->leaves; i++)
    if (!(c[i].mine >> round & 1)) return false;
  return true;
}

// Tells the loops around. They do not care for what is born and dies in one round, nor for what a
// round reads of its own; what it adds to its own is just a write.
void order_note(struct order *w, struct order_access a) {
  bool constant = !a.at.var && a.at.local->kind != IR_LOCAL_PLAIN;
  if (constant) return;
  if (a.kind != ORDER_READ && (a.at.var || a.at.cell < w->call->base)) w->writes++;
  for (uint32_t i = 0; i < w->round_count; i++) {
    struct order_round *r = &w->rounds[i];
    if (!a.at.var && a.at.cell >= r->top) continue;
    bool own = !a.at.var && a.kind != ORDER_SET && is_mine(w, &a.at, i);
    if (own && a.kind == ORDER_READ) continue;
    if (r->accesses.count >= ORDER_ACCESSES_MAX) {
      w->too_large = true;
      return;
    }
    VEC_PUSH(&r->accesses, a);
    if (own) r->accesses.data[r->accesses.count - 1].kind = ORDER_WRITE;
  }
}

// Which leaves of variables can be undefined is a matter of their fields, not of indices.
static bool leaf_defined(const struct order *w, const struct order_place *p, uint64_t i) {
  if (!p->var) return p->leaves == 0 || cells_of(w, p)[p->exact ? i : 0].defined;
  return !w->m->layout->leaf[p->var->first_leaf + p->sample + i].undef;
}

bool order_defined(const struct order *w, const struct order_place *p, const struct ir_type *t) {
  if (ir_type_scalar(t) && !ir_type_can_undef(t)) return true;
  if (!p->var && !p->exact) {
    for (uint64_t i = 0; i < p->leaves; i++)
      if (!cells_of(w, p)[i].defined) return false;
    return true;
  }
  for (uint64_t i = 0; i < t->leaves; i++)
    if (!leaf_defined(w, p, i)) return false;
  return true;
}

// A local holds what its type allows; the variable of a loop what the loop gives it.
static struct order_value clamped(struct order_value v, const struct order_value *type,
                                  const struct ir_local *l) {
  if (v.kind != ORDER_ANY || l->kind == IR_LOCAL_BOUND) return v;
  if (v.lo < type->lo) v.lo = type->lo;
  if (v.hi > type->hi) v.hi = type->hi;
  return v;
}

struct order_value order_read(struct order *w, const struct order_place *p,
                              const struct ir_expr *e) {
  order_note(w, (struct order_access){.kind = ORDER_READ, .at = *p, .span = e->span});
  struct order_value v = order_any(e->type, way_varies(p));
  if (p->var) return v;
  const struct order_cell *c = cells_of(w, p);
  if (p->exact && ir_type_scalar(e->type)) return clamped(c->value, &v, p->local);
  for (uint64_t i = 0; i < p->leaves; i++) v.varies |= c[i].value.varies;
  return v;
}

// --- writes to locals ---

static uint32_t active(const struct order *w) {
  return w->round_count ? ORDER_ALL >> (32 - w->round_count) : 0;
}

// A write through a reference parameter may be jumped over by a return: nothing is sure after it.
void order_store(struct order *w, const struct order_place *p, const struct order_value *v,
                 bool defined) {
  if (p->var) return;
  bool sure = p->exact && p->cell >= w->call->base;
  struct order_cell *c = cells_of(w, p);
  for (uint64_t i = 0; i < p->leaves; i++) {
    c[i].write = ++w->cell_writes;
    if (sure) {
      c[i].value = *v;
      c[i].mine |= active(w);
      c[i].defined = defined;
    } else {
      c[i].value = order_any(w->m->int_type, ORDER_ALL);
      c[i].defined = c[i].defined && defined && p->cell >= w->call->base;
    }
  }
}

// x := x + ...: what other rounds added is still in it.
void order_blur(struct order *w, const struct order_place *p) {
  if (p->var) return;
  for (uint64_t i = 0; i < p->leaves; i++) {
    cells_of(w, p)[i].value = order_any(w->m->int_type, ORDER_ALL);
    cells_of(w, p)[i].write = ++w->cell_writes;
  }
}

void order_copy(struct order *w, const struct order_place *to, const struct order_place *from) {
  struct order_value any = order_any(w->m->int_type, way_varies(from));
  for (uint64_t i = 0; !from->var && i < from->leaves; i++)
    any.varies |= cells_of(w, from)[i].value.varies;
  order_store(w, to, &any, false);
  if (to->var || !to->exact || to->cell < w->call->base) return;
  bool cells = !from->var && from->exact;
  for (uint64_t i = 0; i < to->leaves; i++) {
    struct order_cell *c = cells_of(w, to) + i;
    if (cells) c->value = cells_of(w, from)[i].value;
    if (cells || from->var) c->defined = leaf_defined(w, from, i);
  }
}

// --- before a loop ---

static void forget_place(struct order *w, const struct ir_expr *e, bool defines) {
  while (e->op == IR_INDEX || e->op == IR_FIELD) e = e->args[0];
  if (e->op != IR_LOCAL || e->local->kind == IR_LOCAL_BOUND || e->local->kind == IR_LOCAL_VALUE)
    return;
  struct order_place p = order_place(w, e);
  if (p.var) return;
  struct order_cell *c = cells_of(w, &p);
  for (uint64_t i = 0; i < p.leaves; i++) {
    c[i].value = order_any(w->m->int_type, ORDER_ALL);
    c[i].write = ++w->cell_writes;
    c[i].defined &= defines;
  }
}

// Calls may write what they are given by reference.
void order_forget_expr(struct order *w, const struct ir_expr *e) {
  if (!e) return;
  for (uint32_t i = 0; i < e->arg_count; i++) {
    order_forget_expr(w, e->args[i]);
    if (e->op == IR_CALL && e->func->frame.locals[i]->kind == IR_LOCAL_REF)
      forget_place(w, e->args[i], false);
  }
  if (e->domain && !e->domain->type) {
    order_forget_expr(w, e->domain->lo);
    order_forget_expr(w, e->domain->hi);
    order_forget_expr(w, e->domain->step);
  }
}

void order_forget(struct order *w, const struct ir_stmt *s) {
  for (; s; s = s->next) {
    w->work++;
    if (s->lhs) {
      order_forget_expr(w, s->lhs);
      forget_place(w, s->lhs, s->kind == IR_ASSIGN || s->kind == IR_CLEAR);
    }
    order_forget_expr(w, s->expr);
    if (s->domain && !s->domain->type) {
      order_forget_expr(w, s->domain->lo);
      order_forget_expr(w, s->domain->hi);
      order_forget_expr(w, s->domain->step);
    }
    for (uint32_t i = 0; i < s->part_count; i++) order_forget_expr(w, s->parts[i].expr);
    order_forget(w, s->body);
    order_forget(w, s->other);
    for (const struct ir_case *c = s->cases; c; c = c->next) {
      for (uint32_t i = 0; i < c->value_count; i++) order_forget_expr(w, c->values[i]);
      order_forget(w, c->body);
    }
  }
}
