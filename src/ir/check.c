// SPDX-License-Identifier: Apache-2.0
// Checks a whole model: numbering, leaves, frames, rules, properties. For our own mistakes, not the
// user's: front ends and passes must leave nothing for it to say.
#include "ir/check.h"

#include "ir/ctl.h"
#include "ir/typing.h"

#include <inttypes.h>
#include <stdarg.h>

void ir_checker_complain(struct ir_checker *c, const char *format, ...) {
  va_list args;
  c->count++;
  text_printf(c->errors, "%s", c->kind);
  if (c->name) text_printf(c->errors, " \"%s\"", c->name);
  text_add(c->errors, ": ");
  va_start(args, format);
  text_vprintf(c->errors, format, args);
  va_end(args);
  text_add(c->errors, ".\n");
}

void ir_checker_problem(struct ir_checker *c, const char *what, const char *problem) {
  if (problem) ir_checker_complain(c, "%s: %s", what, problem);
}

bool ir_checker_type(struct ir_checker *c, const struct ir_type *t, const char *what) {
  const struct ir_model *m = c->model;
  if (t && t->id < m->types.count && m->types.data[t->id] == t) return true;
  ir_checker_complain(c, "%s: its type is not one of the model's", what);
  return false;
}

void ir_checker_site(struct ir_checker *c, uint32_t site, enum ir_fault fault, const char *what) {
  if (site == 0 || site >= c->model->sites.count)
    ir_checker_complain(c, "%s can fail (%s) but has no site", what, ir_fault_name(fault));
  else if (c->model->sites.data[site].fault != fault)
    ir_checker_complain(c, "the site of %s says \"%s\" instead of \"%s\"", what,
                        ir_fault_name(c->model->sites.data[site].fault), ir_fault_name(fault));
}

static void look_at(struct ir_checker *c, const char *kind, const char *name) {
  c->kind = kind;
  c->name = name;
  c->frame = NULL;
  c->function = NULL;
}

// --- types and variables ---

static void check_array(struct ir_checker *c, const struct ir_type *t) {
  if (!ir_checker_type(c, t->index, "an array's index") ||
      !ir_checker_type(c, t->elem, "an array's element"))
    return;
  if (!ir_type_scalar(t->index)) return ir_checker_complain(c, "an array's index must be scalar");
  uint64_t leaves;
  bool huge = __builtin_mul_overflow(ir_type_count(t->index), t->elem->leaves, &leaves);
  if (!huge && leaves < UINT64_C(1) << 48 && leaves != t->leaves)
    ir_checker_complain(c, "an array has %" PRIu64 " leaves instead of %" PRIu64, t->leaves,
                        leaves);
}

static void check_record(struct ir_checker *c, const struct ir_type *t) {
  uint64_t leaves = 0;
  for (uint32_t i = 0; i < t->field_count; i++) {
    const struct ir_field *f = &t->fields[i];
    if (!ir_checker_type(c, f->type, f->name)) return;
    if (f->leaf != leaves) ir_checker_complain(c, "the field \"%s\" has the wrong place", f->name);
    leaves += f->type->leaves;
  }
  if (leaves < UINT64_C(1) << 48 && leaves != t->leaves)
    ir_checker_complain(c, "a record has %" PRIu64 " leaves instead of %" PRIu64, t->leaves,
                        leaves);
}

static void check_union(struct ir_checker *c, const struct ir_type *t) {
  for (uint32_t i = 0; i < t->part_count; i++) {
    if (!ir_checker_type(c, t->parts[i], "a union's part")) return;
    if (!ir_type_scalar(t->parts[i])) ir_checker_complain(c, "a union's part must be scalar");
    for (uint32_t k = 0; k < i; k++)
      if (t->parts[i]->lo <= t->parts[k]->hi && t->parts[k]->lo <= t->parts[i]->hi)
        ir_checker_complain(c, "two parts of a union share values");
  }
  if (t->part_count == 0) ir_checker_complain(c, "a union has no parts");
}

static void check_scalar(struct ir_checker *c, const struct ir_type *t) {
  bool wide = t->kind == IR_TYPE_INT && !t->is_signed;
  if (wide ? (uint64_t)t->lo > (uint64_t)t->hi : t->lo > t->hi)
    ir_checker_complain(c, "a scalar type has no values");
  if (t->leaves != 1) ir_checker_complain(c, "a scalar type has %" PRIu64 " leaves", t->leaves);
  if (t->kind != IR_TYPE_INT && t->lo == IR_UNDEF)
    ir_checker_complain(c, "a type holds the value that means undefined");
  if (t->kind == IR_TYPE_ENUM && !t->members) ir_checker_complain(c, "an enum has no members");
  if (t->kind == IR_TYPE_UNION) check_union(c, t);
}

static void check_types(struct ir_checker *c) {
  const struct ir_model *m = c->model;
  for (size_t i = 0; i < m->types.count; i++) {
    const struct ir_type *t = m->types.data[i];
    look_at(c, "type", t->name);
    if (t->id != i) ir_checker_complain(c, "its number is wrong");
    if (t->kind == IR_TYPE_ARRAY)
      check_array(c, t);
    else if (t->kind == IR_TYPE_RECORD)
      check_record(c, t);
    else
      check_scalar(c, t);
  }
}

static void check_vars(struct ir_checker *c) {
  const struct ir_model *m = c->model;
  uint64_t leaves = 0;
  for (size_t i = 0; i < m->vars.count; i++) {
    const struct ir_var *v = m->vars.data[i];
    look_at(c, "variable", v->name);
    if (v->id != i) ir_checker_complain(c, "its number is wrong");
    if (!ir_checker_type(c, v->type, "the variable")) continue;
    if (v->first_leaf != leaves)
      ir_checker_complain(c, "its first leaf is %" PRIu64 " instead of %" PRIu64, v->first_leaf,
                          leaves);
    leaves += v->type->leaves;
  }
  look_at(c, "model", m->name);
  if (m->leaves != leaves)
    ir_checker_complain(c, "it has %" PRIu64 " leaves instead of %" PRIu64, m->leaves, leaves);
  if (m->layout && m->layout->count != leaves)
    ir_checker_complain(c, "its layout has %" PRIu64 " leaves", m->layout->count);
}

// --- frames ---

static void check_locals(struct ir_checker *c, const struct ir_frame *f) {
  uint64_t cells = 0;
  for (uint32_t i = 0; i < f->count; i++) {
    const struct ir_local *l = f->locals[i];
    if (!ir_checker_type(c, l->type, l->name)) continue;
    if (l->id != i || l->cell != cells)
      ir_checker_complain(c, "the local \"%s\" has the wrong number or cell", l->name);
    if (l->kind == IR_LOCAL_BOUND && !ir_type_scalar(l->type))
      ir_checker_complain(c, "the bound local \"%s\" is not scalar", l->name);
    cells += l->kind == IR_LOCAL_REF ? 1 : l->type->leaves;
  }
  if (f->cells != cells) ir_checker_complain(c, "its frame has %u cells", f->cells);
}

// The first locals of a rule or property: bound, over literal domains.
static void check_params(struct ir_checker *c, const struct ir_frame *f, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const struct ir_local *l = f->locals[i];
    if (l->kind != IR_LOCAL_BOUND || !l->domain) {
      ir_checker_complain(c, "the parameter \"%s\" is not bound to a domain", l->name);
      continue;
    }
    if (l->domain->type && !ir_checker_type(c, l->domain->type, l->name)) continue;
    ir_checker_problem(c, l->name, ir_typing_domain(l->type, l->domain, true));
    c->bound[i] = true;
  }
}

// Enters a frame; false when it is too broken to look at what uses it. Pair with leave_frame.
static bool enter_frame(struct ir_checker *c, const struct ir_frame *f, uint32_t params) {
  check_locals(c, f);
  c->frame = f;
  c->bound = mem_zalloc(f->count + 1, sizeof *c->bound);
  if (params <= f->count) return true;
  ir_checker_complain(c, "it has more parameters than locals");
  return false;
}

static void leave_frame(struct ir_checker *c) {
  mem_free(c->bound);
  c->bound = NULL;
  c->frame = NULL;
}

// --- functions, rules, properties ---

static void check_function(struct ir_checker *c, const struct ir_function *f, size_t id) {
  look_at(c, "function", f->name);
  if (f->id != id) ir_checker_complain(c, "its number is wrong");
  if (f->result) {
    ir_checker_type(c, f->result, "the result");
    ir_checker_site(c, f->site, IR_FAULT_RETURN, "the function");
  }
  if (enter_frame(c, &f->frame, f->param_count)) {
    for (uint32_t i = 0; i < f->frame.count; i++) {
      enum ir_local_kind kind = f->frame.locals[i]->kind;
      if ((kind == IR_LOCAL_VALUE || kind == IR_LOCAL_REF) != (i < f->param_count))
        ir_checker_complain(c, "the local \"%s\" is of the wrong kind", f->frame.locals[i]->name);
    }
    c->function = f;
    ir_checker_stmts(c, f->body);
  }
  leave_frame(c);
}

// What is shown is over the rule's parameters and choices, with nothing of the body done.
static void check_shown(struct ir_checker *c, const struct ir_expr *e) {
  if (!e) return ir_checker_complain(c, "a message has no channel, or no value");
  ir_checker_expr(c, e);
  if (e->type && !ir_type_scalar(e->type)) ir_checker_complain(c, "a message is no scalar");
}

static void check_line(struct ir_checker *c, const struct ir_line *l) {
  if (!l->text) ir_checker_complain(c, "a line has no text");
  if (l->event == IR_EVENT_NONE) {
    if (l->channel || l->value_count) ir_checker_complain(c, "a line is no message but has one");
    return;
  }
  check_shown(c, l->channel);
  for (uint32_t i = 0; i < l->value_count; i++) {
    check_shown(c, l->values[i]);
    if (ir_checker_type(c, l->types[i], "a message") && !ir_type_scalar(l->types[i]))
      ir_checker_complain(c, "a message is shown as no scalar");
  }
}

static void check_rule(struct ir_checker *c, const struct ir_rule *r, bool is_start, size_t id) {
  look_at(c, is_start ? "start" : "rule", r->name ? r->name : "?");
  uint32_t params = r->param_count + r->choice_count;
  if (r->id != id || r->is_start != is_start || !r->name)
    ir_checker_complain(c, "its number, kind or name is wrong");
  if (r->agent_param >= 0 && (uint32_t)r->agent_param >= r->param_count)
    ir_checker_complain(c, "its agent is not one of its parameters");
  for (uint32_t i = 0; i < r->mark_count; i++)
    if (!r->marks[i]) ir_checker_complain(c, "a mark has no name");
  if (enter_frame(c, &r->frame, params)) {
    check_params(c, &r->frame, params);
    for (uint32_t i = 0; i < r->frame.count; i++) {
      enum ir_local_kind kind = r->frame.locals[i]->kind;
      if (kind == IR_LOCAL_VALUE || kind == IR_LOCAL_REF)
        ir_checker_complain(c, "the local \"%s\" is of the wrong kind", r->frame.locals[i]->name);
    }
    for (uint32_t i = 0; i < r->line_count; i++) check_line(c, &r->lines[i]);
    if (r->guard) ir_checker_condition(c, r->guard, "the guard");
    ir_checker_stmts(c, r->body);
  }
  leave_frame(c);
}

static void check_rules(struct ir_checker *c, struct ir_rule *const *rules, size_t count,
                        bool is_start, uint32_t total) {
  uint64_t instances = 0;
  for (size_t i = 0; i < count; i++) {
    check_rule(c, rules[i], is_start, i);
    if (c->model->layout && rules[i]->first_instance != instances)
      ir_checker_complain(c, "its instances are numbered wrongly");
    instances += rules[i]->instances;
  }
  look_at(c, "model", c->model->name);
  if (c->model->layout && instances != total)
    ir_checker_complain(c, "its rule instances are counted wrongly");
}

static void check_automaton(struct ir_checker *c, const struct ir_automaton *a) {
  if (a->count == 0) ir_checker_complain(c, "its automaton has no state");
  if (a->accept_atom < -1 || a->accept_atom >= IR_ATOMS_MAX)
    return ir_checker_complain(c, "its automaton accepts where an atom holds that cannot be");
  if (ir_automaton_atoms(a) > c->model->atoms.count)
    ir_checker_complain(c, "its automaton speaks of an atom that there is not");
  for (uint32_t i = 0; i < a->count; i++) {
    for (uint32_t k = 0; k < a->states[i].edge_count; k++) {
      const struct ir_automaton_edge *e = &a->states[i].edges[k];
      if (e->to >= a->count) ir_checker_complain(c, "an edge of its automaton leads nowhere");
      if (e->accepting && !a->on_edges)
        ir_checker_complain(c, "an edge of its automaton accepts, and states do");
    }
  }
}

// Of the property whose frame is entered.
static void check_ctl(struct ir_checker *c, const struct ir_ctl *f) {
  const struct ir_ctl_shape *shape = &ir_ctl_shapes[f->op];
  if ((f->left != NULL) + (f->right != NULL) != shape->operands || (f->right && !f->left))
    return ir_checker_complain(c, "a formula has too many operands, or too few");
  if (shape->bounded ? f->lo > f->hi : f->lo || f->hi)
    ir_checker_complain(c, "the bounds of a formula are wrong");
  if ((f->op == IR_CTL_ATOM) != (f->expr != NULL))
    return ir_checker_complain(c, "an atom has no condition, or a formula has one");
  if (f->expr) ir_checker_condition(c, f->expr, "the formula");
  if (f->left) check_ctl(c, f->left);
  if (f->right) check_ctl(c, f->right);
}

static void check_contents(struct ir_checker *c, const struct ir_property *p) {
  bool formula = p->kind == IR_PROP_LTL || p->kind == IR_PROP_CTL;
  bool cyclic = ir_prop_cyclic(p->kind);
  if (formula && !p->text && !p->ctl) ir_checker_complain(c, "it has no formula");
  if (p->ctl && p->kind != IR_PROP_CTL) ir_checker_complain(c, "it has a formula of another kind");
  if (!formula && !cyclic && !p->expr && p->kind != IR_PROP_COVER)
    ir_checker_complain(c, "it has no condition");
  if (cyclic && !formula && !p->automaton && !p->unchecked)
    ir_checker_complain(c, "it has no automaton");
  if (p->automaton && !cyclic) ir_checker_complain(c, "it has an automaton, and none is asked for");
  if (p->automaton) check_automaton(c, p->automaton);
}

static void check_property(struct ir_checker *c, const struct ir_property *p, size_t id) {
  look_at(c, "property", p->name ? p->name : "?");
  if (p->id != id || !p->name) ir_checker_complain(c, "its number or name is wrong");
  check_contents(c, p);
  if (enter_frame(c, &p->frame, p->param_count)) {
    check_params(c, &p->frame, p->param_count);
    if (p->expr) ir_checker_condition(c, p->expr, "the property");
    if (p->ctl) check_ctl(c, p->ctl);
  }
  leave_frame(c);
}

static void check_atom(struct ir_checker *c, const struct ir_atom *a) {
  look_at(c, "atom", a->name);
  if (enter_frame(c, &a->frame, 0)) ir_checker_condition(c, a->expr, "the atom");
  leave_frame(c);
}

static void check_fairness(struct ir_checker *c, const struct ir_fairness *f) {
  look_at(c, "fairness", NULL);
  if (f->agent < -1 || (f->agent < 0 && !f->expr))
    ir_checker_complain(c, "it has neither a condition nor an agent");
  if (f->compassion != (f->given != NULL))
    ir_checker_complain(c, "compassion has two conditions, justice has one");
  if (enter_frame(c, &f->frame, 0)) {
    if (f->expr) ir_checker_condition(c, f->expr, "the condition");
    if (f->given) ir_checker_condition(c, f->given, "what is given");
  }
  leave_frame(c);
}

static void check_transient(struct ir_checker *c, const struct ir_var *v) {
  look_at(c, "transient", v->name);
  if (v->id >= c->model->vars.count || c->model->vars.data[v->id] != v)
    return ir_checker_complain(c, "it is not one of the model's variables");
  ir_checker_problem(c, "it", ir_typing_transient(v->type));
}

bool ir_check(const struct ir_model *m, struct text *errors) {
  struct ir_checker c = {.model = m, .errors = errors};
  look_at(&c, "model", m->name);
  if (m->sites.count == 0 || m->sites.data[0].fault != IR_FAULT_NONE)
    ir_checker_complain(&c, "site 0 is not the one of no fault");
  check_types(&c);
  if (c.count) return false; // everything else relies on the types
  check_vars(&c);
  for (size_t i = 0; i < m->functions.count; i++) check_function(&c, m->functions.data[i], i);
  check_rules(&c, m->starts.data, m->starts.count, true, m->start_instances);
  check_rules(&c, m->rules.data, m->rules.count, false, m->rule_instances);
  for (size_t i = 0; i < m->properties.count; i++) check_property(&c, m->properties.data[i], i);
  for (size_t i = 0; i < m->atoms.count; i++) check_atom(&c, m->atoms.data[i]);
  for (size_t i = 0; i < m->fairness.count; i++) check_fairness(&c, m->fairness.data[i]);
  look_at(&c, "valid_end", NULL);
  if (m->valid_end) ir_checker_condition(&c, m->valid_end, "valid_end");
  if (m->transient) check_transient(&c, m->transient);
  return c.count == 0;
}
