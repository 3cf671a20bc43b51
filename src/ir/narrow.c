// SPDX-License-Identifier: Apache-2.0
// Narrower types for variables: the values that a variable ever holds, as an interval with a gap or
// none, over all bodies together. Intervals grow until nothing changes (soon the ends that still
// move go to those of the type, and gaps that still move are filled), and then shrink again:
// whatever is written when all reads lie within intervals that hold everything is everything, too.
#include "ir/ir.h"

#include "ir/ctl.h"
#include "ir/narrow.h"
#include "ir/pure.h"

// --- classes ---

uint32_t ir_narrow_classes(const struct ir_type *t) {
  if (t->kind == IR_TYPE_ARRAY) return ir_narrow_classes(t->elem);
  if (t->kind != IR_TYPE_RECORD) return 1;
  uint32_t n = 0;
  for (uint32_t i = 0; i < t->field_count; i++) n += ir_narrow_classes(t->fields[i].type);
  return n;
}

uint32_t ir_narrow_root(struct ir_narrowing *n, uint32_t x) {
  while (n->parent[x] != x) x = n->parent[x] = n->parent[n->parent[x]];
  return x;
}

uint32_t ir_narrow_class(struct ir_narrowing *n, const struct ir_expr *e) {
  if (e->op == IR_VAR) return n->var_first[e->var->id];
  if (e->op == IR_LOCAL) return n->local_first[n->owner][e->local->id];
  if (e->op != IR_INDEX && e->op != IR_FIELD) return IR_NARROW_NOWHERE;
  uint32_t at = ir_narrow_class(n, e->args[0]);
  if (at == IR_NARROW_NOWHERE || e->op == IR_INDEX) return at;
  const struct ir_type *t = e->args[0]->type;
  for (uint32_t i = 0; i < e->field; i++) at += ir_narrow_classes(t->fields[i].type);
  return at;
}

#define LOCAL_KEY (UINT64_C(1) << 62)

bool ir_narrow_key(const struct ir_expr *e, uint64_t *key) {
  int64_t i;
  switch (e->op) {
  case IR_VAR: *key = e->var->first_leaf; return true;
  case IR_LOCAL: *key = LOCAL_KEY | e->local->cell; return e->local->kind != IR_LOCAL_REF;
  case IR_FIELD:
    if (!ir_narrow_key(e->args[0], key)) return false;
    *key += e->args[0]->type->fields[e->field].leaf;
    return true;
  case IR_INDEX: {
    const struct ir_type *array = e->args[0]->type;
    if (!ir_narrow_key(e->args[0], key)) return false;
    if (!ir_expr_const(e->args[1], &i) || !ir_type_has(array->index, i)) return false;
    *key += ir_type_rank(array->index, i) * array->elem->leaves;
    return true;
  }
  default: return false;
  }
}

static void add_types(struct ir_narrowing *n, const struct ir_type *t, uint32_t *at) {
  if (t->kind == IR_TYPE_ARRAY) {
    add_types(n, t->elem, at);
  } else if (t->kind == IR_TYPE_RECORD) {
    for (uint32_t i = 0; i < t->field_count; i++) add_types(n, t->fields[i].type, at);
  } else {
    n->type[(*at)++] = t;
  }
}

static const struct ir_frame *frame_of(const struct ir_model *m, size_t owner) {
  if (owner < m->functions.count) return &m->functions.data[owner]->frame;
  owner -= m->functions.count;
  if (owner < m->starts.count) return &m->starts.data[owner]->frame;
  owner -= m->starts.count;
  if (owner < m->rules.count) return &m->rules.data[owner]->frame;
  owner -= m->rules.count;
  if (owner < m->properties.count) return &m->properties.data[owner]->frame;
  owner -= m->properties.count;
  if (owner < m->atoms.count) return &m->atoms.data[owner]->frame;
  return &m->fairness.data[owner - m->atoms.count]->frame;
}

static size_t owner_count(const struct ir_model *m) {
  return m->functions.count + m->starts.count + m->rules.count + m->properties.count +
         m->atoms.count + m->fairness.count;
}

static void number_classes(struct ir_narrowing *n) {
  const struct ir_model *m = n->m;
  size_t owners = owner_count(m);
  n->var_first = mem_zalloc(m->vars.count, sizeof *n->var_first);
  n->local_first = mem_zalloc(owners, sizeof *n->local_first);
  n->result = mem_zalloc(m->functions.count, sizeof *n->result);
  for (size_t i = 0; i < m->vars.count; i++) {
    n->var_first[i] = n->count;
    n->count += ir_narrow_classes(m->vars.data[i]->type);
  }
  for (size_t o = 0; o < owners; o++) {
    const struct ir_frame *f = frame_of(m, o);
    n->local_first[o] = mem_zalloc(f->count, sizeof(uint32_t));
    for (uint32_t i = 0; i < f->count; i++) {
      n->local_first[o][i] = n->count;
      n->count += ir_narrow_classes(f->locals[i]->type);
    }
  }
  for (size_t i = 0; i < m->functions.count; i++) n->result[i] = n->count++;
}

static void describe_classes(struct ir_narrowing *n) {
  const struct ir_model *m = n->m;
  uint32_t at = 0;
  n->parent = mem_zalloc(n->count, sizeof *n->parent);
  n->type = mem_zalloc(n->count, sizeof *n->type);
  n->fixed = mem_zalloc(n->count, sizeof *n->fixed);
  n->top = mem_zalloc(n->count, sizeof *n->top);
  for (uint32_t i = 0; i < n->count; i++) n->parent[i] = i;
  for (size_t i = 0; i < m->vars.count; i++) add_types(n, m->vars.data[i]->type, &at);
  uint32_t vars = at;
  for (size_t o = 0; o < owner_count(m); o++)
    for (uint32_t i = 0; i < frame_of(m, o)->count; i++)
      add_types(n, frame_of(m, o)->locals[i]->type, &at);
  for (size_t i = 0; i < m->functions.count; i++) {
    const struct ir_type *t = m->functions.data[i]->result;
    n->type[at++] = t && ir_type_scalar(t) ? t : m->int_type;
  }
  for (uint32_t i = vars; i < n->count; i++) n->fixed[i] = true;
}

static struct ir_narrowing *narrowing_new(struct ir_model *m) {
  struct ir_narrowing *n = mem_zalloc(1, sizeof *n);
  n->m = m;
  n->impure = ir_functions_impure(m);
  number_classes(n);
  describe_classes(n);
  n->now = mem_zalloc(n->count, sizeof *n->now);
  n->next = mem_zalloc(n->count, sizeof *n->next);
  return n;
}

static void narrowing_free(struct ir_narrowing *n) {
  ir_narrow_seats_clear(n);
  for (size_t o = 0; o < owner_count(n->m); o++) mem_free(n->local_first[o]);
  mem_free(n->local_first);
  mem_free(n->var_first);
  mem_free(n->result);
  mem_free(n->impure);
  mem_free(n->parent);
  mem_free(n->type);
  mem_free(n->fixed);
  mem_free(n->top);
  mem_free(n->now);
  mem_free(n->next);
  mem_free(n);
}

// --- what must keep one type ---

static void unite(struct ir_narrowing *n, uint32_t a, uint32_t b) {
  a = ir_narrow_root(n, a);
  b = ir_narrow_root(n, b);
  if (a == b) return;
  n->parent[a] = b;
  n->fixed[b] |= n->fixed[a];
  n->top[b] |= n->top[a];
}

// Nothing is known of what is in there.
static void give_up(struct ir_narrowing *n, uint32_t first, const struct ir_type *t) {
  for (uint32_t i = 0; first != IR_NARROW_NOWHERE && i < ir_narrow_classes(t); i++)
    n->fixed[ir_narrow_root(n, first + i)] = n->top[ir_narrow_root(n, first + i)] = true;
}

// All arrays and records whose parts this expression may have.
static void give_up_all(struct ir_narrowing *n, const struct ir_expr *e) {
  if (ir_expr_lvalue(e)) give_up(n, ir_narrow_class(n, e), e->type);
  for (uint32_t i = 1; e->op == IR_ITE && i <= 2; i++) give_up_all(n, e->args[i]);
}

// Two arrays or records of one type: copied, compared.
static void meet(struct ir_narrowing *n, const struct ir_expr *a, const struct ir_expr *b) {
  uint32_t x = ir_narrow_class(n, a), y = ir_narrow_class(n, b);
  if (x == IR_NARROW_NOWHERE || y == IR_NARROW_NOWHERE) {
    give_up_all(n, a);
    give_up_all(n, b);
    return;
  }
  for (uint32_t i = 0; i < ir_narrow_classes(a->type); i++) unite(n, x + i, y + i);
}

static void meet_arguments(struct ir_narrowing *n, const struct ir_expr *e) {
  for (uint32_t i = 0; i < e->arg_count; i++) {
    const struct ir_local *l = e->func->frame.locals[i];
    uint32_t from = ir_narrow_class(n, e->args[i]), to = n->local_first[e->func->id][i];
    if (l->kind == IR_LOCAL_REF && from != IR_NARROW_NOWHERE) {
      for (uint32_t k = 0; k < ir_narrow_classes(l->type); k++) unite(n, from + k, to + k);
    } else if (!ir_type_scalar(l->type)) {
      give_up_all(n, e->args[i]);
      give_up(n, to, l->type);
    }
  }
}

static void meet_in_expr(struct ir_narrowing *n, const struct ir_expr *e) {
  if (!e) return;
  if ((e->op == IR_EQ || e->op == IR_NE) && !ir_type_scalar(e->args[0]->type))
    meet(n, e->args[0], e->args[1]);
  if (e->op == IR_CALL) meet_arguments(n, e);
}

static void meet_in_stmt(struct ir_narrowing *n, const struct ir_stmt *s) {
  if (s->kind == IR_COPY) meet(n, s->lhs, s->expr);
  if (s->kind == IR_RETURN && s->expr && !ir_type_scalar(s->expr->type)) give_up_all(n, s->expr);
}

// --- walking: every expression, where it hangs; children first ---

struct walk {
  struct ir_narrowing *n;
  void (*stmt)(struct ir_narrowing *n, const struct ir_stmt *s); // NULL: nothing
  void (*expr)(struct ir_narrowing *n, struct ir_expr **slot, bool counts);
};

static void walk_expr(const struct walk *w, struct ir_expr **slot, bool counts);

static void walk_domain(const struct walk *w, struct ir_domain *d) {
  if (!d || d->type) return;
  walk_expr(w, &d->lo, false);
  walk_expr(w, &d->hi, false);
  if (d->step) walk_expr(w, &d->step, false);
}

// Does the type of its operand i count?
static bool operand_counts(const struct ir_expr *e, uint32_t i) {
  switch (e->op) {
  case IR_NEG:
  case IR_BITNOT: return true;
  case IR_ITE: return i > 0;
  default: return e->op >= IR_ADD && e->op <= IR_SHR;
  }
}

static void walk_expr(const struct walk *w, struct ir_expr **slot, bool counts) {
  struct ir_expr *e = *slot;
  if (!e) return;
  for (uint32_t i = 0; i < e->arg_count; i++) walk_expr(w, &e->args[i], operand_counts(e, i));
  walk_domain(w, e->domain);
  w->expr(w->n, slot, counts);
}

static void walk_stmts(const struct walk *w, struct ir_stmt *s) {
  for (; s; s = s->next) {
    if (w->stmt) w->stmt(w->n, s);
    walk_expr(w, &s->lhs, false);
    walk_expr(w, &s->expr, false);
    walk_domain(w, s->domain);
    walk_stmts(w, s->body);
    walk_stmts(w, s->other);
    for (struct ir_case *c = s->cases; c; c = c->next) {
      for (uint32_t i = 0; i < c->value_count; i++) walk_expr(w, &c->values[i], false);
      walk_stmts(w, c->body);
    }
    for (uint32_t i = 0; i < s->part_count; i++) walk_expr(w, &s->parts[i].expr, false);
  }
}

static void walk_rule(const struct walk *w, struct ir_rule *r) {
  walk_expr(w, &r->guard, false);
  walk_stmts(w, r->body);
  for (uint32_t i = 0; i < r->line_count; i++) {
    struct ir_line *l = &r->lines[i];
    walk_expr(w, &l->channel, false);
    for (uint32_t k = 0; k < l->value_count; k++) walk_expr(w, &l->values[k], false);
  }
}

static void walk_ctl(void *walk, struct ir_expr **atom) { walk_expr(walk, atom, false); }

static void walk_model(const struct walk *w) {
  struct ir_narrowing *n = w->n;
  struct ir_model *m = n->m;
  n->owner = 0;
  for (size_t i = 0; i < m->functions.count; i++, n->owner++)
    walk_stmts(w, m->functions.data[i]->body);
  for (size_t i = 0; i < m->starts.count; i++, n->owner++) walk_rule(w, m->starts.data[i]);
  for (size_t i = 0; i < m->rules.count; i++, n->owner++) walk_rule(w, m->rules.data[i]);
  for (size_t i = 0; i < m->properties.count; i++, n->owner++) {
    walk_expr(w, &m->properties.data[i]->expr, false);
    ir_ctl_atoms(m->properties.data[i]->ctl, walk_ctl, (void *)w);
  }
  for (size_t i = 0; i < m->atoms.count; i++, n->owner++)
    walk_expr(w, &m->atoms.data[i]->expr, false);
  for (size_t i = 0; i < m->fairness.count; i++, n->owner++) {
    walk_expr(w, &m->fairness.data[i]->expr, false);
    walk_expr(w, &m->fairness.data[i]->given, false);
  }
  walk_expr(w, &m->valid_end, false); // it has no locals
}

static void visit_meeting(struct ir_narrowing *n, struct ir_expr **slot, bool counts) {
  (void)counts;
  meet_in_expr(n, *slot);
}

// --- intervals ---

// What there is before anything is written.
static void begin(struct ir_narrowing *n) {
  const struct ir_model *m = n->m;
  for (uint32_t i = 0; i < n->count; i++)
    n->next[i] = n->top[i] ? ir_narrow_type(n->type[i]) : IR_SPAN_NONE;
  for (uint32_t i = 0; i < n->count; i++) // they begin as 0 without being written
    if (n->type[i]->kind == IR_TYPE_INT && n->type[i]->bits == 64)
      n->next[ir_narrow_root(n, i)] = ir_narrow_type(n->type[i]);
  if (m->transient) ir_narrow_write(n, n->var_first[m->transient->id], (struct ir_span){0, 0});
}

void ir_narrow_run(struct ir_narrowing *n) {
  const struct ir_model *m = n->m;
  n->owner = 0;
  for (size_t i = 0; i < m->functions.count; i++, n->owner++)
    ir_narrow_function(n, m->functions.data[i]);
  for (size_t i = 0; i < m->starts.count; i++, n->owner++) ir_narrow_rule(n, m->starts.data[i]);
  for (size_t i = 0; i < m->rules.count; i++, n->owner++) ir_narrow_rule(n, m->rules.data[i]);
}

// Ends that moved go as far as they can, and a gap that moved is filled.
static void widen(struct ir_narrowing *n, uint32_t i, struct ir_span before) {
  struct ir_span all = ir_narrow_type(n->type[i]), *s = &n->now[i];
  if (ir_span_none(before)) return;
  if (s->lo < before.lo) s->lo = all.lo < s->lo ? all.lo : INT64_MIN;
  if (s->hi > before.hi) s->hi = all.hi > s->hi ? all.hi : INT64_MAX;
  if (s->missing != before.missing || s->gap != before.gap) s->missing = 0;
}

static void grow(struct ir_narrowing *n) {
  struct ir_span *before = mem_zalloc(n->count, sizeof *before), *next = n->next;
  bool changed = true;
  n->next = n->now; // what is written is read at once
  begin(n);
  for (unsigned round = 0; changed; round++) {
    for (uint32_t i = 0; i < n->count; i++) before[i] = n->now[i];
    ir_narrow_run(n);
    changed = false;
    for (uint32_t i = 0; i < n->count; i++) {
      if (ir_span_same(before[i], n->now[i])) continue;
      changed = true;
      if (round >= IR_NARROW_GROW) widen(n, i, before[i]);
    }
  }
  n->next = next;
  mem_free(before);
}

static void shrink(struct ir_narrowing *n) {
  for (unsigned round = 0; round < IR_NARROW_SHRINK; round++) {
    bool changed = false;
    begin(n);
    ir_narrow_run(n);
    for (uint32_t i = 0; i < n->count; i++) {
      struct ir_span s = ir_span_meet(n->now[i], n->next[i]);
      changed = changed || ir_span_changed(s, n->now[i], round >= IR_NARROW_GAPS);
      n->now[i] = s;
    }
    if (!changed) return;
  }
}

// --- new types ---

static unsigned bits_of(uint64_t n) { return n ? 64 - (unsigned)__builtin_clzll(n) : 0; }

// Does it save bits to leave out the gap, whether the scalar can be undefined or not? Named values
// stay together, and so do those of the transient variable.
static bool gap_pays(const struct ir_narrowing *n, uint32_t root, struct ir_span s) {
  const struct ir_var *transient = n->m->transient;
  if (s.missing == 0 || n->type[root]->members) return false;
  if (transient && root == n->var_first[transient->id]) return false;
  return bits_of((uint64_t)(s.hi - s.lo + 1 - s.missing)) < bits_of((uint64_t)(s.hi - s.lo));
}

// The values that the type of a class is to have.
static struct ir_span values_of(struct ir_narrowing *n, uint32_t class) {
  uint32_t c = ir_narrow_root(n, class);
  struct ir_span s = n->now[c];
  if (!gap_pays(n, c, s)) s.missing = 0;
  return s;
}

// Does the class get another type?
static bool is_narrowed(struct ir_narrowing *n, uint32_t class) {
  uint32_t c = ir_narrow_root(n, class);
  const struct ir_type *t = n->type[c];
  bool integer = t->kind == IR_TYPE_RANGE || (t->kind == IR_TYPE_INT && t->bits < 64);
  struct ir_span s = values_of(n, class);
  return integer && !n->fixed[c] && !ir_span_none(s) &&
         (s.lo > t->lo || s.hi < t->hi || s.missing > 0);
}

// One of the types from `from` on that is the same in structure and name, or t itself, which is the
// last.
static const struct ir_type *known_type(struct ir_model *m, size_t from, const struct ir_type *t) {
  for (size_t i = from; i < m->types.count; i++) {
    const struct ir_type *old = m->types.data[i];
    if (old == t || (old->name == t->name && old->members == t->members && ir_type_same(old, t))) {
      if (old != t) m->types.count--;
      return old;
    }
  }
  return t;
}

static const struct ir_type *narrowed(struct ir_narrowing *n, size_t from, uint32_t class,
                                      const struct ir_type *t) {
  if (!is_narrowed(n, class)) return t;
  struct ir_span parts[2];
  const struct ir_type *ranges[2];
  unsigned count = ir_span_parts(values_of(n, class), parts);
  for (unsigned i = 0; i < count; i++) {
    struct ir_type *r = ir_type_range(n->m, (int64_t)parts[i].lo, (int64_t)parts[i].hi);
    if (t->members) r->members = t->members + (r->lo - t->lo);
    ranges[i] = known_type(n->m, from, r);
  }
  return count == 1 ? ranges[0] : known_type(n->m, from, ir_type_union(n->m, ranges, count));
}

static const struct ir_type *rebuilt(struct ir_narrowing *n, size_t from, const struct ir_type *t,
                                     uint32_t *class);

static const struct ir_type *rebuilt_record(struct ir_narrowing *n, size_t from,
                                            const struct ir_type *t, uint32_t *class) {
  struct ir_field *fields = mem_zalloc(t->field_count, sizeof *fields);
  bool same = true;
  for (uint32_t i = 0; i < t->field_count; i++) {
    fields[i] = t->fields[i];
    fields[i].type = rebuilt(n, from, t->fields[i].type, class);
    same = same && fields[i].type == t->fields[i].type;
  }
  struct ir_type *r = same ? NULL : ir_type_record(n->m, fields, t->field_count);
  mem_free(fields);
  if (same) return t;
  r->name = t->name;
  r->span = t->span;
  return known_type(n->m, from, r);
}

static const struct ir_type *rebuilt(struct ir_narrowing *n, size_t from, const struct ir_type *t,
                                     uint32_t *class) {
  if (t->kind == IR_TYPE_RECORD) return rebuilt_record(n, from, t, class);
  if (t->kind != IR_TYPE_ARRAY) return narrowed(n, from, (*class)++, t);
  const struct ir_type *elem = rebuilt(n, from, t->elem, class);
  if (elem == t->elem) return t;
  struct ir_type *r = ir_type_array(n->m, t->index, elem);
  r->name = t->name;
  r->span = t->span;
  return known_type(n->m, from, r);
}

// Expressions get the types of what they name; where the old type counts, it comes back by a cast.
static void retype(struct ir_narrowing *n, struct ir_expr **slot, bool counts) {
  struct ir_expr *e = *slot;
  if (e->op == IR_VAR) e->type = e->var->type;
  if (e->op == IR_FIELD) e->type = e->args[0]->type->fields[e->field].type;
  if (e->op == IR_INDEX) e->type = e->args[0]->type->elem;
  if (!counts || !ir_expr_lvalue(e) || !ir_type_scalar(e->type)) return;
  uint32_t class = ir_narrow_class(n, e);
  const struct ir_type *old = n->type[ir_narrow_root(n, class)];
  if (is_narrowed(n, class) && old->kind == IR_TYPE_INT) *slot = ir_cast(n->m, old, e, e->span);
}

void ir_narrow(struct ir_model *m) {
  struct ir_narrowing *n = narrowing_new(m);
  struct walk meetings = {n, meet_in_stmt, visit_meeting}, types = {n, NULL, retype};
  walk_model(&meetings);
  grow(n);
  shrink(n);
  ir_narrow_seats(n);
  shrink(n);
  size_t from = m->types.count;
  for (size_t i = 0; i < m->vars.count; i++) {
    uint32_t class = n->var_first[i];
    m->vars.data[i]->type = rebuilt(n, from, m->vars.data[i]->type, &class);
  }
  walk_model(&types);
  narrowing_free(n);
}
