// SPDX-License-Identifier: Apache-2.0
// What the fields of a process hold at each of its locations. A loop counter that a guard bounds at
// one location has bounds at the others, too, although nothing there says so.
//
// Holds for every state: where a process is at a location, that location was reached, and what is
// defined of its fields lies within what is noted for it. A rule that writes nothing of a process
// leaves that as it is; for one that does, what it leaves is noted for every location at which the
// process may then be.
#include "ir/narrow.h"

enum { PLACES_MAX = 4096, LEAVES_MAX = 20000 }; // larger models are not worth the time

// --- finding processes ---

// Nothing of it is copied, compared or handed on as a whole.
static bool stands_alone(struct ir_narrowing *n, const struct ir_var *v) {
  uint32_t first = n->var_first[v->id];
  for (uint32_t i = 0; i < ir_narrow_classes(v->type); i++)
    if (n->parent[first + i] != first + i || n->fixed[first + i]) return false;
  for (uint32_t i = 0; i < n->count; i++) // ... and nothing is one class with it
    if (n->parent[i] != i && ir_narrow_root(n, i) >= first &&
        ir_narrow_root(n, i) < first + ir_narrow_classes(v->type))
      return false;
  return true;
}

static void seat_add(struct ir_narrowing *n, const struct ir_var *v) {
  const struct ir_type *t = v->type;
  if (!v->is_location || t->kind != IR_TYPE_RECORD || !stands_alone(n, v)) return;
  struct ir_span place = n->now[n->var_first[v->id]];
  struct ir_seat s = {.var = v, .lo = (int64_t)place.lo};
  while (s.fields < t->field_count && ir_type_scalar(t->fields[s.fields].type)) s.fields++;
  if (s.fields < 2 || ir_span_none(place) || place.hi - place.lo >= PLACES_MAX) return;
  s.places = (uint32_t)(place.hi - place.lo + 1);
  s.reached = mem_zalloc(s.places, sizeof *s.reached);
  s.reached_next = mem_zalloc(s.places, sizeof *s.reached_next);
  s.at = mem_zalloc((size_t)s.places * s.fields, sizeof *s.at);
  s.at_next = mem_zalloc((size_t)s.places * s.fields, sizeof *s.at_next);
  VEC_PUSH(&n->seats, s);
}

static void seat_clear(struct ir_seat *s) {
  mem_free(s->reached);
  mem_free(s->reached_next);
  mem_free(s->at);
  mem_free(s->at_next);
}

// --- what bodies write ---

struct writes {
  const struct ir_narrowing *n;
  bool *vars;      // written, by id
  bool *undefined; // perhaps made undefined
  bool any;        // a call writes: anything
};

static void note_expr(struct writes *w, const struct ir_expr *e) {
  if (!e) return;
  if (e->op == IR_CALL && w->n->impure[e->func->id]) w->any = true;
  for (uint32_t i = 0; i < e->arg_count; i++) note_expr(w, e->args[i]);
  if (!e->domain) return;
  note_expr(w, e->domain->lo);
  note_expr(w, e->domain->hi);
  note_expr(w, e->domain->step);
}

static void note_stmts(struct writes *w, const struct ir_stmt *s) {
  for (; s; s = s->next) {
    const struct ir_expr *root = s->lhs;
    while (root && (root->op == IR_INDEX || root->op == IR_FIELD)) root = root->args[0];
    if (root && root->op == IR_VAR) {
      w->vars[root->var->id] = true;
      if (s->kind == IR_UNDEFINE || s->kind == IR_COPY) w->undefined[root->var->id] = true;
    }
    note_expr(w, s->lhs);
    note_expr(w, s->expr);
    if (s->domain) {
      note_expr(w, s->domain->lo);
      note_expr(w, s->domain->hi);
      note_expr(w, s->domain->step);
    }
    for (uint32_t i = 0; i < s->part_count; i++) note_expr(w, s->parts[i].expr);
    note_stmts(w, s->body);
    note_stmts(w, s->other);
    for (const struct ir_case *c = s->cases; c; c = c->next) {
      for (uint32_t i = 0; i < c->value_count; i++) note_expr(w, c->values[i]);
      note_stmts(w, c->body);
    }
  }
}

static size_t body_count(const struct ir_model *m) { return m->starts.count + m->rules.count; }

static const struct ir_rule *body_of(const struct ir_model *m, size_t i) {
  return i < m->starts.count ? m->starts.data[i] : m->rules.data[i - m->starts.count];
}

static void note_touched(struct ir_narrowing *n, struct writes *w, size_t body) {
  w->any = false;
  for (size_t i = 0; i < n->m->vars.count; i++) w->vars[i] = false;
  note_stmts(w, body_of(n->m, body)->body);
  for (uint32_t i = 0; i < n->seats.count; i++)
    if (w->any || w->vars[n->seats.data[i].var->id] || body < n->m->starts.count)
      VEC_PUSH(&n->touched[body], i);
}

// Locations that may become undefined again are none to go by.
static void drop_undefined(struct ir_narrowing *n, const struct writes *w) {
  size_t kept = 0;
  for (size_t i = 0; i < n->seats.count; i++) {
    struct ir_seat *s = &n->seats.data[i];
    if (w->undefined[s->var->id])
      seat_clear(s);
    else
      n->seats.data[kept++] = *s;
  }
  n->seats.count = kept;
}

static void find_touched(struct ir_narrowing *n) {
  const struct ir_model *m = n->m;
  struct writes w = {.n = n};
  w.vars = mem_zalloc(m->vars.count, sizeof *w.vars);
  w.undefined = mem_zalloc(m->vars.count, sizeof *w.undefined);
  for (size_t i = 0; i < body_count(m); i++) note_stmts(&w, body_of(m, i)->body);
  for (size_t i = 0; i < m->functions.count; i++) note_stmts(&w, m->functions.data[i]->body);
  drop_undefined(n, &w);
  n->touched = mem_zalloc(body_count(m), sizeof *n->touched);
  for (size_t i = 0; i < body_count(m); i++) note_touched(n, &w, i);
  mem_free(w.vars);
  mem_free(w.undefined);
}

// --- entering and leaving a rule ---

static struct ir_span known(struct ir_narrowing *n, const struct ir_facts *f, uint64_t key,
                            uint32_t class) {
  for (size_t i = 0; i < f->list.count; i++)
    if (f->list.data[i].key == key) return f->list.data[i].span;
  return n->now[ir_narrow_root(n, class)];
}

// The locations at which the process may be, as numbers.
static void places_of(struct ir_narrowing *n, const struct ir_facts *f, const struct ir_seat *s,
                      uint32_t *first, uint32_t *end) {
  struct ir_span all = {s->lo, (__int128)s->lo + s->places - 1};
  struct ir_span at = known(n, f, s->var->first_leaf, n->var_first[s->var->id]);
  at = ir_span_meet(at, all);
  *first = ir_span_none(at) ? 0 : (uint32_t)(at.lo - s->lo);
  *end = ir_span_none(at) ? 0 : (uint32_t)(at.hi - s->lo + 1);
}

// `asked`: the guard speaks of its location, so that is defined.
static void enter_seat(struct ir_narrowing *n, struct ir_facts *f, const struct ir_seat *s,
                       bool asked) {
  uint32_t first, end;
  bool reached = false;
  places_of(n, f, s, &first, &end);
  for (uint32_t k = first; k < end; k++) reached = reached || s->reached[k];
  if (asked && !reached) f->dead = true;
  for (uint32_t i = 1; i < s->fields; i++) {
    struct ir_span span = IR_SPAN_NONE;
    for (uint32_t k = first; k < end; k++)
      span = ir_span_join(span, s->at[(size_t)i * s->places + k]);
    uint64_t key = s->var->first_leaf + i;
    uint32_t class = n->var_first[s->var->id] + i;
    // that it holds nothing does not say that the rule is dead: it may be undefined
    if (!ir_span_none(ir_span_meet(span, known(n, f, key, class))))
      ir_narrow_learn(n, f, key, class, span);
  }
}

static bool has_fact(const struct ir_facts *f, size_t count, uint64_t key) {
  for (size_t i = 0; i < count; i++)
    if (f->list.data[i].key == key) return true;
  return false;
}

// Of a process that the rule neither asks where it is nor writes, no more is known than of its
// class.
void ir_narrow_enter(struct ir_narrowing *n, struct ir_facts *f) {
  const struct ir_model *m = n->m;
  n->touch_count = 0;
  if (!n->seated) return;
  size_t body = n->owner - m->functions.count;
  n->touches = n->touched[body].data;
  n->touch_count = n->touched[body].count;
  if (body < m->starts.count) return; // nothing is defined yet
  size_t count = f->list.count;
  for (size_t i = 0; i < count && !f->dead; i++) {
    uint64_t leaf = f->list.data[i].key;
    uint32_t seat = leaf < m->leaves ? n->seat_at[leaf] : 0;
    if (seat) enter_seat(n, f, &n->seats.data[seat - 1], true);
  }
  for (size_t i = 0; i < n->touch_count && !f->dead; i++) {
    const struct ir_seat *s = &n->seats.data[n->touches[i]];
    if (!has_fact(f, count, s->var->first_leaf)) enter_seat(n, f, s, false);
  }
}

static void leave_seat(struct ir_narrowing *n, const struct ir_facts *f, struct ir_seat *s) {
  uint32_t first, end;
  places_of(n, f, s, &first, &end);
  for (uint32_t k = first; k < end; k++) s->reached_next[k] = true;
  for (uint32_t i = 1; i < s->fields; i++) {
    struct ir_span span = known(n, f, s->var->first_leaf + i, n->var_first[s->var->id] + i);
    for (uint32_t k = first; k < end; k++) {
      struct ir_span *at = &s->at_next[(size_t)i * s->places + k];
      *at = ir_span_join(*at, span);
    }
  }
}

void ir_narrow_leave(struct ir_narrowing *n, const struct ir_facts *f) {
  if (!n->leaving || f->dead) return;
  for (size_t i = 0; i < n->touch_count; i++) leave_seat(n, f, &n->seats.data[n->touches[i]]);
}

// --- rounds ---

// Ends that moved go as far as the class does; a gap that moved is filled.
static struct ir_span widened(struct ir_span old, struct ir_span now, struct ir_span all) {
  if (ir_span_none(old) || ir_span_same(old, now)) return now;
  return (struct ir_span){now.lo < old.lo ? all.lo : now.lo, now.hi > old.hi ? all.hi : now.hi};
}

// What is there after a round; true: something changed. Late: growing sets go far, and of shrinking
// ones gaps do not count.
static bool take_over(struct ir_narrowing *n, struct ir_seat *s, bool grows, bool late) {
  bool changed = false;
  for (uint32_t k = 0; k < s->places; k++) {
    bool reached = s->reached_next[k] || (grows && s->reached[k]);
    changed = changed || reached != s->reached[k];
    s->reached[k] = reached;
    s->reached_next[k] = false;
  }
  for (uint32_t i = 1; i < s->fields; i++) {
    struct ir_span all = n->now[n->var_first[s->var->id] + i];
    for (uint32_t k = 0; k < s->places; k++) {
      struct ir_span *old = &s->at[(size_t)i * s->places + k];
      struct ir_span *next = &s->at_next[(size_t)i * s->places + k];
      struct ir_span now = ir_span_meet(grows ? ir_span_join(*old, *next) : *next, all);
      if (late && grows) now = widened(*old, now, all);
      if (ir_span_changed(now, *old, late && !grows)) changed = true;
      *old = now;
      *next = IR_SPAN_NONE;
    }
  }
  return changed;
}

static bool round_of(struct ir_narrowing *n, bool grows, bool late) {
  bool changed = false;
  ir_narrow_run(n);
  for (size_t i = 0; i < n->seats.count; i++)
    changed = take_over(n, &n->seats.data[i], grows, late) || changed;
  return changed;
}

static void begin(struct ir_seat *s) {
  for (size_t i = 0; i < (size_t)s->places * s->fields; i++)
    s->at[i] = s->at_next[i] = IR_SPAN_NONE;
}

void ir_narrow_seats(struct ir_narrowing *n) {
  if (n->m->leaves > LEAVES_MAX) return;
  for (size_t i = 0; i < n->m->vars.count; i++) seat_add(n, n->m->vars.data[i]);
  if (n->seats.count == 0) return;
  find_touched(n);
  n->seat_at = mem_zalloc(n->m->leaves, sizeof *n->seat_at);
  for (size_t i = 0; i < n->seats.count; i++) {
    n->seat_at[n->seats.data[i].var->first_leaf] = (uint32_t)i + 1;
    begin(&n->seats.data[i]);
  }
  n->seated = n->leaving = true;
  for (unsigned round = 0; round_of(n, true, round >= IR_NARROW_GROW);) round++;
  for (unsigned round = 0; round < IR_NARROW_SHRINK && round_of(n, false, round >= IR_NARROW_GAPS);)
    round++;
  n->leaving = false;
}

void ir_narrow_seats_clear(struct ir_narrowing *n) {
  for (size_t i = 0; i < n->seats.count; i++) seat_clear(&n->seats.data[i]);
  VEC_CLEAR(&n->seats);
  mem_free(n->seat_at);
  for (size_t i = 0; n->touched && i < body_count(n->m); i++) VEC_CLEAR(&n->touched[i]);
  mem_free(n->touched);
}
