// SPDX-License-Identifier: Apache-2.0
// Which leaves can ever be undefined. A class is a variable and a field path, whatever the indices;
// a class that is defined in every start state, and into which no statement can write "undefined",
// needs no code for it. Everything that one reference parameter can be bound to is one class, so
// that code which goes through the parameter knows the encoding.
//
// Start states are found by running the start rules. Where there are very many of them their text
// tells: what every start rule assigns is defined. Where it does not, everything keeps the code.
#include "ir/defined.h"

#include "ir/ctl.h"
#include "ir/eval.h"

enum { STARTS_MAX = 4096 };

struct copy { // a COPY statement: what the class `from` holds can get into `to`
  uint32_t from, to;
};

struct classes {
  const struct ir_model *m;
  uint32_t *var_first;    // first class of each variable
  uint32_t **local_first; // [owner][local]: first class of each local; owners: functions, rules,
                          // properties, atoms, fairness
  uint32_t *parent;       // union-find
  bool *undef;            // of a root: may be undefined
  uint32_t count;
  VEC(struct copy) copies;
};

static uint32_t type_classes(const struct ir_type *t) {
  if (t->kind == IR_TYPE_ARRAY) return type_classes(t->elem);
  if (t->kind != IR_TYPE_RECORD) return 1;
  uint32_t n = 0;
  for (uint32_t i = 0; i < t->field_count; i++) n += type_classes(t->fields[i].type);
  return n;
}

static uint32_t find(struct classes *c, uint32_t x) {
  while (c->parent[x] != x) x = c->parent[x] = c->parent[c->parent[x]];
  return x;
}

static void unite(struct classes *c, uint32_t a, uint32_t b) {
  a = find(c, a);
  b = find(c, b);
  if (a == b) return;
  c->parent[a] = b;
  c->undef[b] |= c->undef[a];
}

static const uint32_t NOWHERE = UINT32_MAX;

// The first class of an lvalue; NOWHERE for anything else.
static uint32_t class_of(struct classes *c, uint32_t owner, const struct ir_expr *e) {
  if (e->op == IR_VAR) return c->var_first[e->var->id];
  if (e->op == IR_LOCAL) return c->local_first[owner][e->local->id];
  if (e->op != IR_INDEX && e->op != IR_FIELD) return NOWHERE;
  uint32_t at = class_of(c, owner, e->args[0]);
  if (at == NOWHERE || e->op == IR_INDEX) return at;
  const struct ir_type *t = e->args[0]->type;
  for (uint32_t i = 0; i < e->field; i++) at += type_classes(t->fields[i].type);
  return at;
}

static void mark_undef(struct classes *c, uint32_t first, const struct ir_type *t) {
  if (first == NOWHERE) return;
  for (uint32_t i = 0; i < type_classes(t); i++) c->undef[find(c, first + i)] = true;
}

static void walk_expr(struct classes *c, uint32_t owner, const struct ir_expr *e) {
  if (!e) return;
  for (uint32_t i = 0; i < e->arg_count; i++) walk_expr(c, owner, e->args[i]);
  if (e->domain) {
    walk_expr(c, owner, e->domain->lo);
    walk_expr(c, owner, e->domain->hi);
    walk_expr(c, owner, e->domain->step);
  }
  if (e->op != IR_CALL) return;
  for (uint32_t i = 0; i < e->arg_count; i++) {
    const struct ir_local *p = e->func->frame.locals[i];
    if (p->kind != IR_LOCAL_REF) continue;
    uint32_t from = class_of(c, owner, e->args[i]), to = c->local_first[e->func->id][i];
    for (uint32_t k = 0; from != NOWHERE && k < type_classes(p->type); k++)
      unite(c, from + k, to + k);
  }
}

static void walk_copy(struct classes *c, uint32_t owner, const struct ir_stmt *s) {
  uint32_t from = class_of(c, owner, s->expr), to = class_of(c, owner, s->lhs);
  if (from == NOWHERE) return mark_undef(c, to, s->lhs->type);
  for (uint32_t k = 0; k < type_classes(s->lhs->type); k++)
    VEC_PUSH(&c->copies, ((struct copy){from + k, to + k}));
}

static void walk_stmts(struct classes *c, uint32_t owner, const struct ir_stmt *s) {
  for (; s; s = s->next) {
    walk_expr(c, owner, s->lhs);
    walk_expr(c, owner, s->expr);
    if (s->domain) {
      walk_expr(c, owner, s->domain->lo);
      walk_expr(c, owner, s->domain->hi);
      walk_expr(c, owner, s->domain->step);
    }
    if (s->kind == IR_COPY) walk_copy(c, owner, s);
    if (s->kind == IR_UNDEFINE) mark_undef(c, class_of(c, owner, s->lhs), s->lhs->type);
    for (uint32_t i = 0; i < s->part_count; i++) walk_expr(c, owner, s->parts[i].expr);
    walk_stmts(c, owner, s->body);
    walk_stmts(c, owner, s->other);
    for (const struct ir_case *k = s->cases; k; k = k->next) {
      for (uint32_t i = 0; i < k->value_count; i++) walk_expr(c, owner, k->values[i]);
      walk_stmts(c, owner, k->body);
    }
  }
}

struct owned { // atoms of a formula
  struct classes *c;
  uint32_t owner;
};

static void walk_ctl(void *context, struct ir_expr **atom) {
  struct owned *o = context;
  walk_expr(o->c, o->owner, *atom);
}

static void walk_property(struct classes *c, uint32_t owner, const struct ir_property *p) {
  walk_expr(c, owner, p->expr);
  ir_ctl_atoms(p->ctl, walk_ctl, &(struct owned){c, owner});
}

static void add_frame(struct classes *c, uint32_t owner, const struct ir_frame *f) {
  c->local_first[owner] = mem_zalloc(f->count, sizeof(uint32_t));
  for (uint32_t i = 0; i < f->count; i++) {
    c->local_first[owner][i] = c->count;
    c->count += type_classes(f->locals[i]->type);
  }
}

// Locals other than references start undefined, or are copies of what may be.
static void mark_locals(struct classes *c, uint32_t owner, const struct ir_frame *f) {
  for (uint32_t i = 0; i < f->count; i++)
    if (f->locals[i]->kind != IR_LOCAL_REF)
      mark_undef(c, c->local_first[owner][i], f->locals[i]->type);
}

static size_t owner_count(const struct ir_model *m) {
  return m->functions.count + m->rules.count + m->properties.count + m->atoms.count +
         m->fairness.count;
}

static void classes_init(struct classes *c, const struct ir_model *m) {
  size_t owners = owner_count(m);
  *c = (struct classes){.m = m};
  c->var_first = mem_zalloc(m->vars.count, sizeof *c->var_first);
  c->local_first = mem_zalloc(owners, sizeof *c->local_first);
  for (size_t i = 0; i < m->vars.count; i++) {
    c->var_first[i] = c->count;
    c->count += type_classes(m->vars.data[i]->type);
  }
  uint32_t owner = 0;
  for (size_t i = 0; i < m->functions.count; i++)
    add_frame(c, owner++, &m->functions.data[i]->frame);
  for (size_t i = 0; i < m->rules.count; i++) add_frame(c, owner++, &m->rules.data[i]->frame);
  for (size_t i = 0; i < m->properties.count; i++)
    add_frame(c, owner++, &m->properties.data[i]->frame);
  for (size_t i = 0; i < m->atoms.count; i++) add_frame(c, owner++, &m->atoms.data[i]->frame);
  for (size_t i = 0; i < m->fairness.count; i++) add_frame(c, owner++, &m->fairness.data[i]->frame);
  c->parent = mem_zalloc(c->count, sizeof *c->parent);
  c->undef = mem_zalloc(c->count, sizeof *c->undef);
  for (uint32_t i = 0; i < c->count; i++) c->parent[i] = i;
}

static void classes_clear(struct classes *c) {
  for (size_t i = 0; i < owner_count(c->m); i++) mem_free(c->local_first[i]);
  mem_free(c->local_first);
  mem_free(c->var_first);
  mem_free(c->parent);
  mem_free(c->undef);
  VEC_CLEAR(&c->copies);
}

// Everything that can happen after the start. Start rules themselves are run, not analysed; but a
// reference parameter of a function that they call must still be one class with its arguments, so
// functions are walked whoever calls them.
static void walk_model(struct classes *c) {
  const struct ir_model *m = c->m;
  uint32_t owner = 0;
  for (size_t i = 0; i < m->functions.count; i++, owner++) {
    mark_locals(c, owner, &m->functions.data[i]->frame);
    walk_stmts(c, owner, m->functions.data[i]->body);
  }
  for (size_t i = 0; i < m->rules.count; i++, owner++) {
    mark_locals(c, owner, &m->rules.data[i]->frame);
    walk_expr(c, owner, m->rules.data[i]->guard);
    walk_stmts(c, owner, m->rules.data[i]->body);
  }
  for (size_t i = 0; i < m->properties.count; i++) walk_property(c, owner++, m->properties.data[i]);
  for (size_t i = 0; i < m->atoms.count; i++) walk_expr(c, owner++, m->atoms.data[i]->expr);
  for (size_t i = 0; i < m->fairness.count; i++, owner++) {
    walk_expr(c, owner, m->fairness.data[i]->expr);
    walk_expr(c, owner, m->fairness.data[i]->given);
  }
}

// What may be undefined can be copied on.
static void close_copies(struct classes *c) {
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < c->copies.count; i++) {
      uint32_t from = find(c, c->copies.data[i].from), to = find(c, c->copies.data[i].to);
      if (!c->undef[from] || c->undef[to]) continue;
      c->undef[to] = changed = true;
    }
  }
}

// Classes of the leaves of a type, in leaf order.
static void spread(const struct ir_type *t, uint32_t first, uint32_t *leaf_class) {
  if (t->kind == IR_TYPE_ARRAY) {
    for (uint64_t i = 0; i < t->leaves; i += t->elem->leaves)
      spread(t->elem, first, leaf_class + i);
  } else if (t->kind == IR_TYPE_RECORD) {
    for (uint32_t i = 0; i < t->field_count; i++) {
      spread(t->fields[i].type, first, leaf_class + t->fields[i].leaf);
      first += type_classes(t->fields[i].type);
    }
  } else {
    *leaf_class = first;
  }
}

static void mark_start(struct classes *c, const uint32_t *leaf_class, const uint64_t *state) {
  const struct ir_layout *l = c->m->start_layout;
  for (uint64_t i = 0; i < l->count; i++)
    if (l->leaf[i].undef && ir_leaf_code(&l->leaf[i], state) == 0)
      c->undef[find(c, leaf_class[i])] = true;
}

// May a variable become undefined in here, or (of a rule) the rest be left out? A function that
// returns leaves out nothing of the rule.
static bool unclear(const struct ir_stmt *s, bool rule) {
  for (; s; s = s->next) {
    if ((s->kind == IR_RETURN && rule) || s->kind == IR_COPY || s->kind == IR_UNDEFINE) return true;
    if (unclear(s->body, rule) || unclear(s->other, rule)) return true;
    for (const struct ir_case *k = s->cases; k; k = k->next)
      if (unclear(k->body, rule)) return true;
  }
  return false;
}

// What the start rules do not assign, all of it, come what may, can be undefined. False: they, or
// functions that they may call, do more than assign.
static bool read_starts(struct classes *c) {
  const struct ir_model *m = c->m;
  for (size_t i = 0; i < m->functions.count; i++)
    if (unclear(m->functions.data[i]->body, false)) return false;
  for (size_t i = 0; i < m->starts.count; i++) {
    const struct ir_stmt *body = m->starts.data[i]->body;
    if (unclear(body, true)) return false;
    bool *assigned = mem_zalloc(m->vars.count, sizeof *assigned);
    for (const struct ir_stmt *s = body; s; s = s->next)
      if ((s->kind == IR_ASSIGN || s->kind == IR_CLEAR) && s->lhs->op == IR_VAR)
        assigned[s->lhs->var->id] = true;
    for (size_t k = 0; k < m->vars.count; k++)
      if (!assigned[k]) mark_undef(c, c->var_first[k], m->vars.data[k]->type);
    mem_free(assigned);
  }
  return true;
}

// The start states that there may be; UINT64_MAX: too many to be numbered.
static uint64_t count_starts(const struct ir_model *m) {
  uint64_t total = 0;
  for (size_t i = 0; i < m->starts.count; i++) {
    if (m->starts.data[i]->choices == 0) return UINT64_MAX;
    total += (uint64_t)m->starts.data[i]->instances * m->starts.data[i]->choices;
  }
  return total;
}

// Runs every start rule in the wide layout, or reads them when there are too many to run.
static bool run_starts(struct classes *c, const uint32_t *leaf_class) {
  const struct ir_model *m = c->m;
  uint64_t total = count_starts(m);
  if (total > STARTS_MAX || total * m->start_layout->words > (1 << 22)) return read_starts(c);
  struct ir_eval *e = ir_eval_new(m);
  uint64_t *state = mem_zalloc(m->start_layout->words, sizeof *state);
  for (uint32_t k = 0; k < m->start_instances; k++) {
    const struct ir_rule *r = ir_instance(m, true, k, NULL);
    int64_t *values = mem_zalloc(r->param_count + r->choice_count, sizeof *values);
    ir_instance(m, true, k, values);
    for (uint32_t choice = 0; choice < r->choices; choice++) {
      ir_choice(r, choice, values + r->param_count);
      if (ir_eval_body(e, r, values, values + r->param_count, state) == IR_OK)
        mark_start(c, leaf_class, state);
    }
    mem_free(values);
  }
  mem_free(state);
  ir_eval_free(e);
  return true;
}

bool *ir_undefined_leaves(const struct ir_model *m) {
  bool *undef = mem_zalloc(m->leaves, sizeof *undef);
  uint32_t *leaf_class = mem_zalloc(m->leaves, sizeof *leaf_class);
  struct classes c;
  classes_init(&c, m);
  for (size_t i = 0; i < m->vars.count; i++)
    spread(m->vars.data[i]->type, c.var_first[i], leaf_class + m->vars.data[i]->first_leaf);
  walk_model(&c);
  bool known = run_starts(&c, leaf_class);
  close_copies(&c);
  for (uint64_t i = 0; i < m->leaves; i++) undef[i] = !known || c.undef[find(&c, leaf_class[i])];
  classes_clear(&c);
  mem_free(leaf_class);
  return undef;
}
