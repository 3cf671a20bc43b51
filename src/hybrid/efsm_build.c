// SPDX-License-Identifier: Apache-2.0
// States and edges out of a relation. Each rule is looked at in each control state in which it can
// fire, the control variable being a constant there: what it writes to it then is a tree of
// conditions over constants, and each constant in it is where an edge leads.
#include "hybrid/efsm_own.h"

#include "ir/ir.h"

#include <inttypes.h>
#include <string.h>

enum { CONTROLS_MAX = 1 << 16, TARGETS_MAX = 1 << 10 };

// --- states ---

static uint32_t add_state(struct build *b, const char *name, struct span span) {
  struct efsm_state s = {.name = name, .span = span};
  VEC_PUSH(&b->e->states, s);
  return (uint32_t)b->e->states.count - 1;
}

uint32_t efsm_error(struct build *b, enum efsm_error_kind kind, uint32_t id) {
  const struct ir_model *m = b->m;
  const struct ir_property *p = kind == EFSM_INVARIANT ? m->properties.data[id] : NULL;
  struct text name = {0};
  if (p)
    text_printf(&name, "invariant \"%s\"", p->name);
  else
    ir_site_print(&name, m, id);
  uint32_t s = add_state(b, arena_strdup(b->e->arena, text_str(&name)),
                         p ? p->span : m->sites.data[id].span);
  text_clear(&name);
  b->e->states.data[s].is_error = true;
  b->e->states.data[s].error = kind;
  b->e->states.data[s].id = id;
  return s;
}

uint32_t efsm_site(struct build *b, uint32_t site) {
  bool limit = b->m->sites.data[site].fault == IR_FAULT_LIMIT;
  if (!b->site_state[site])
    b->site_state[site] = efsm_error(b, limit ? EFSM_LIMIT : EFSM_SITE, site);
  return b->site_state[site];
}

static const struct ir_var *control_of(const struct build *b) {
  const struct ir_var *found = NULL;
  for (size_t i = 0; i < b->m->vars.count; i++) {
    const struct ir_var *v = b->m->vars.data[i];
    if (!v->is_location) continue;
    if (found) return NULL;
    found = v;
  }
  if (!found || !ir_type_scalar(found->type) || found->type->kind == IR_TYPE_UNION) return NULL;
  uint64_t leaf = found->first_leaf;
  bool fits = relation_has(b->relation, leaf) && !b->m->layout->leaf[leaf].undef &&
              ir_type_count(found->type) <= CONTROLS_MAX;
  return fits ? found : NULL;
}

static void add_controls(struct build *b) {
  struct efsm *e = b->e;
  const struct ir_var *v = control_of(b);
  struct span nowhere = {0};
  add_state(b, "entry", nowhere);
  if (!v) {
    e->controls = 1;
    add_state(b, "state", nowhere);
    return;
  }
  e->control = v->first_leaf;
  e->control_lo = v->type->lo;
  e->controls = (uint32_t)ir_type_count(v->type);
  for (uint32_t i = 0; i < e->controls; i++) {
    struct text name = {0};
    ir_type_print_value(&name, v->type, e->control_lo + i);
    add_state(b, arena_strdup(e->arena, text_str(&name)), v->span);
    text_clear(&name);
  }
}

// --- edges ---

void efsm_add(struct build *b, struct efsm_edge d) {
  if (term_is(d.guard, 0)) {
    VEC_CLEAR(&d.writes);
    return;
  }
  VEC_PUSH(&b->e->edges, d);
}

static const struct term *with_control(void *context, const struct term *a) {
  const struct build *b = context;
  if (a->op == TERM_LEAF && a->leaf == b->e->control) return term_const(b->terms, b->control);
  return a;
}

// From now on the control variable is that of this state.
static void stand(struct build *b, uint32_t state) {
  b->control = efsm_control_value(b->e, state);
  rebuild_begin(&b->with, with_control, b);
}

struct target {
  const struct term *when;
  int64_t value;
};
struct targets {
  VEC(struct target) all;
  struct node { // of the tree: inner nodes, largest id first
    const struct term *term, *when;
  } * open;
  size_t count, capacity;
};

static void add_target(struct build *b, struct targets *t, int64_t value, const struct term *when) {
  for (size_t i = 0; i < t->all.count; i++)
    if (t->all.data[i].value == value) {
      t->all.data[i].when = term_or(b->terms, t->all.data[i].when, when);
      return;
    }
  VEC_PUSH(&t->all, ((struct target){when, value}));
}

static void add_node(struct build *b, struct targets *t, const struct term *a,
                     const struct term *when) {
  size_t at = 0;
  while (at < t->count && t->open[at].term->id < a->id) at++;
  if (at < t->count && t->open[at].term == a) {
    t->open[at].when = term_or(b->terms, t->open[at].when, when);
    return;
  }
  if (t->count == t->capacity) t->open = vec_grow(t->open, &t->capacity, sizeof *t->open);
  memmove(t->open + at + 1, t->open + at, (t->count++ - at) * sizeof *t->open);
  t->open[at] = (struct node){a, when};
}

// What is no condition: any value inside its bounds. False: there are too many.
static bool add_values(struct build *b, struct targets *t, struct node n) {
  if ((uint64_t)n.term->hi - (uint64_t)n.term->lo >= TARGETS_MAX) return false;
  for (int64_t v = n.term->lo; v <= n.term->hi; v++) {
    const struct term *is = term_binary(b->terms, TERM_EQ, n.term, term_const(b->terms, v));
    add_target(b, t, v, term_and(b->terms, n.when, is));
  }
  return true;
}

// Larger ids first: when a node's turn comes every way to it is known.
static bool find_targets(struct build *b, struct targets *t, const struct term *to) {
  add_node(b, t, to, term_bool(b->terms, true));
  while (t->count) {
    struct node n = t->open[--t->count];
    if (n.term->op == TERM_CONST) {
      add_target(b, t, n.term->value, n.when);
    } else if (n.term->op == TERM_ITE) {
      const struct term *c = n.term->arg[0];
      add_node(b, t, n.term->arg[1], term_and(b->terms, n.when, c));
      add_node(b, t, n.term->arg[2], term_and(b->terms, n.when, term_not(b->terms, c)));
    } else if (!add_values(b, t, n)) {
      return false;
    }
  }
  return true;
}

// --- what is assumed of the state that an edge leads to ---

struct behind {
  struct build *b;
  const struct efsm_edge *edge;
};

static const struct term *with_writes(void *context, const struct term *a) {
  const struct behind *w = context;
  const struct efsm *e = w->b->e;
  if (a->op == TERM_CHOICE) return a;
  if (a->leaf == e->control && a->op == TERM_LEAF)
    return term_const(w->b->terms, efsm_control_value(e, w->edge->to));
  const struct relation_write *p = efsm_write(w->edge, a->leaf);
  return !p ? a : a->op == TERM_LEAF ? p->value : p->defined;
}

static const struct term *allowed_behind(struct build *b, const struct efsm_edge *d) {
  const struct term *all = term_bool(b->terms, true);
  if (!b->assumed.count) return all;
  struct behind w = {b, d};
  struct rebuild r = {.to = b->terms};
  rebuild_begin(&r, with_writes, &w);
  for (size_t i = 0; i < b->assumed.count; i++)
    all = term_and(b->terms, all, rebuild(&r, b->assumed.data[i]));
  rebuild_clear(&r);
  return all;
}

// --- choices ---

// A choice lies between its term's bounds: where not all of these are in its domain, which of them.
static const struct term *choice_inside(struct build *b, const struct ir_local *l, uint32_t k) {
  const struct ir_domain *d = l->domain;
  uint64_t n = ir_domain_count(d);
  int64_t first = ir_domain_value(d, 0), last = ir_domain_value(d, n ? n - 1 : 0);
  int64_t lo = first < last ? first : last, hi = first < last ? last : first;
  bool gaps = d->type ? d->type->kind == IR_TYPE_UNION : (uint64_t)hi - (uint64_t)lo + 1 != n;
  const struct term *one = term_bool(b->terms, !gaps);
  if (!gaps) return one;
  const struct term *a = d->type ? term_choice(b->terms, k, d->type)
                                 : term_choice_within(b->terms, k, l->type, lo, hi);
  for (uint64_t i = 0; i < n; i++) {
    const struct term *v = term_const(b->terms, ir_domain_value(d, i));
    one = term_or(b->terms, one, term_binary(b->terms, TERM_EQ, a, v));
  }
  return one;
}

static const struct term *choices_inside(struct build *b, const struct ir_rule *r) {
  const struct term *all = term_bool(b->terms, true);
  for (uint32_t k = 0; k < r->choice_count; k++)
    all = term_and(b->terms, all, choice_inside(b, r->frame.locals[r->param_count + k], k));
  return all;
}

// --- rules ---

static void add_errors(struct build *b, const struct relation_rule *r, uint32_t from,
                       const struct term *inside) {
  for (size_t i = 0; i < r->errors.count; i++) {
    const struct term *when = rebuild(&b->with, r->errors.data[i].when);
    when = term_and(b->terms, when, inside);
    if (term_is(when, 0)) continue;
    uint32_t to = efsm_site(b, r->errors.data[i].site);
    efsm_add(b, (struct efsm_edge){.from = from, .to = to, .rule = r, .guard = when});
  }
}

// There is such a step.
static const struct term *step_guard(struct build *b, const struct relation_rule *r) {
  const struct term *all = rebuild(&b->with, r->guard);
  for (size_t i = 0; i < r->assumes.count && !term_is(all, 0); i++)
    all = term_and(b->terms, all, rebuild(&b->with, r->assumes.data[i]));
  for (size_t i = 0; i < r->errors.count && !term_is(all, 0); i++)
    all = term_and(b->terms, all, term_not(b->terms, rebuild(&b->with, r->errors.data[i].alone)));
  return all;
}

static void add_edge(struct build *b, const struct relation_rule *r, uint32_t from, uint32_t to,
                     const struct term *guard) {
  struct efsm_edge d = {.from = from, .to = to, .rule = r, .guard = guard};
  for (size_t i = 0; i < r->writes.count; i++) {
    struct relation_write w = r->writes.data[i];
    if (w.leaf == b->e->control) continue;
    w.value = rebuild(&b->with, w.value);
    w.defined = rebuild(&b->with, w.defined);
    VEC_PUSH(&d.writes, w);
  }
  d.guard = term_and(b->terms, guard, allowed_behind(b, &d));
  efsm_add(b, d);
}

static const struct term *control_after(struct build *b, const struct relation_rule *r) {
  for (size_t i = 0; i < r->writes.count; i++)
    if (r->writes.data[i].leaf == b->e->control) return rebuild(&b->with, r->writes.data[i].value);
  return term_const(b->terms, b->control);
}

static bool add_steps(struct build *b, const struct relation_rule *r, uint32_t from,
                      const struct term *guard) {
  struct targets t = {0};
  const struct term *after =
      b->e->control == EFSM_NO_CONTROL ? term_const(b->terms, b->control) : control_after(b, r);
  bool told = find_targets(b, &t, after);
  if (!told) text_printf(b->why, "where rule \"%s\" leads has too many answers", r->rule->name);
  for (size_t i = 0; told && i < t.all.count; i++) {
    uint32_t to = (uint32_t)(t.all.data[i].value - b->e->control_lo) + 1;
    if (to - 1 < b->e->controls)
      add_edge(b, r, from, to, term_and(b->terms, guard, t.all.data[i].when));
  }
  VEC_CLEAR(&t.all);
  mem_free(t.open);
  return told;
}

static bool add_rule(struct build *b, const struct relation_rule *r, uint32_t from) {
  stand(b, from == EFSM_ENTRY ? 1 : from);
  const struct term *inside = choices_inside(b, r->rule);
  add_errors(b, r, from, inside);
  const struct term *guard = term_and(b->terms, step_guard(b, r), inside);
  struct efsm_state *s = &b->e->states.data[from];
  if (s->out.count++ == 0) s->span = r->rule->span;
  return term_is(guard, 0) || add_steps(b, r, from, guard);
}

// The control state that a guard asks for in so many words; 0: none.
static uint32_t asked_for(const struct build *b, const struct term *g) {
  if (g->op == TERM_AND) {
    uint32_t s = asked_for(b, g->arg[0]);
    return s ? s : asked_for(b, g->arg[1]);
  }
  const struct term *l = g->arg[0], *k = g->arg[1];
  if (g->op != TERM_EQ || l->op != TERM_LEAF || l->leaf != b->e->control || k->op != TERM_CONST)
    return 0;
  return (uint32_t)(k->value - b->e->control_lo) + 1;
}

// The only control state in which it can fire or fail; 0: who knows.
static uint32_t home_of(const struct build *b, const struct relation_rule *r) {
  if (b->e->control == EFSM_NO_CONTROL) return 1;
  uint32_t home = asked_for(b, r->guard);
  for (size_t i = 0; home && i < r->errors.count; i++)
    if (asked_for(b, r->errors.data[i].when) != home) home = 0;
  return home;
}

static bool add_rules(struct build *b) {
  const struct relation *r = b->relation;
  for (size_t i = 0; i < r->starts.count; i++)
    if (!add_rule(b, &r->starts.data[i], EFSM_ENTRY)) return false;
  for (size_t i = 0; i < r->rules.count; i++) {
    const struct relation_rule *rule = &r->rules.data[i];
    if (term_is(rule->guard, 0) && !rule->errors.count) continue;
    uint32_t home = home_of(b, rule);
    for (uint32_t s = home ? home : 1; s <= (home ? home : b->e->controls); s++)
      if (!add_rule(b, rule, s)) return false;
  }
  return true;
}

// --- properties ---

static bool assume(struct build *b, const struct ir_property *p) {
  struct relation_condition c;
  if (!relation_condition(b->relation, &p->frame, p->expr, &c, b->why)) return false;
  bool fails = false;
  for (size_t i = 0; i < c.errors.count; i++) fails |= !term_is(c.errors.data[i].when, 0);
  VEC_PUSH(&b->assumed, c.value);
  relation_condition_clear(&c);
  if (fails) text_printf(b->why, "evaluating the assumption \"%s\" can fail", p->name);
  return !fails;
}

static void check_in(struct build *b, const struct relation_condition *c, uint32_t from,
                     uint32_t bad) {
  const struct term *fails = term_not(b->terms, c->value);
  const struct term *none = term_bool(b->terms, true);
  stand(b, from);
  for (size_t i = 0; i < c->errors.count; i++) {
    const struct term *when = term_and(b->terms, b->kept, c->errors.data[i].when);
    none = term_and(b->terms, none, term_not(b->terms, c->errors.data[i].when));
    when = rebuild(&b->with, when);
    if (term_is(when, 0)) continue;
    uint32_t to = efsm_site(b, c->errors.data[i].site);
    efsm_add(b, (struct efsm_edge){.from = from, .to = to, .guard = when});
  }
  fails = rebuild(&b->with, term_and(b->terms, b->kept, term_and(b->terms, none, fails)));
  efsm_add(b, (struct efsm_edge){.from = from, .to = bad, .guard = fails});
}

static bool add_invariant(struct build *b, const struct ir_property *p) {
  struct relation_condition c;
  if (!relation_condition(b->relation, &p->frame, p->expr, &c, b->why)) return false;
  uint32_t bad = efsm_error(b, EFSM_INVARIANT, p->id);
  for (uint32_t s = 1; s <= b->e->controls; s++) check_in(b, &c, s, bad);
  relation_condition_clear(&c);
  return true;
}

static void find_kept(struct build *b) {
  const struct ir_var *v = b->m->transient;
  b->kept = term_bool(b->terms, true);
  if (!v || !relation_has(b->relation, v->first_leaf)) return;
  b->kept = term_binary(b->terms, TERM_EQ, term_leaf(b->terms, v->first_leaf, v->type),
                        term_const(b->terms, 0));
}

bool efsm_build(struct build *b, const uint8_t *property_on) {
  const struct ir_model *m = b->m;
  b->site_state = mem_zalloc(m->sites.count + 1, sizeof *b->site_state);
  add_controls(b);
  find_kept(b);
  for (size_t i = 0; i < m->properties.count; i++)
    if (m->properties.data[i]->kind == IR_PROP_ASSUME && !assume(b, m->properties.data[i]))
      return false;
  if (!add_rules(b)) return false;
  for (size_t i = 0; i < m->properties.count; i++) {
    const struct ir_property *p = m->properties.data[i];
    bool on = !property_on || property_on[i];
    if (p->kind == IR_PROP_INVARIANT && on && !add_invariant(b, p)) return false;
  }
  return true;
}
