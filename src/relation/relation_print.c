// SPDX-License-Identifier: Apache-2.0
// A relation as text. What several terms of a rule have in common is told once, by number.
#include "relation/factory.h"
#include "relation/relation.h"

#include "ir/ir.h"

#include <inttypes.h>
#include <string.h>

struct printing {
  struct text *out;
  const struct relation *relation;
  bool *seen, *shared; // by id, of this rule
  VEC(const struct term *) order;
};

// Arguments come before what they are in.
static void visit(struct printing *p, const struct term *a) {
  if (a->args == 0 || (a->op == TERM_NOT && a->arg[0]->args == 0)) return;
  if (p->seen[a->id]) {
    p->shared[a->id] = true;
    return;
  }
  p->seen[a->id] = true;
  for (unsigned i = 0; i < a->args; i++) visit(p, a->arg[i]);
  VEC_PUSH(&p->order, a);
}

static void line(struct printing *p, const char *word, const struct term *a) {
  text_add(p->out, word);
  bool named = p->shared[a->id];
  if (named)
    text_printf(p->out, "#%" PRIu32, a->id);
  else
    term_print_as(p->out, a, p->relation->model, p->shared);
  text_char(p->out, '\n');
}

static void visit_rule(struct printing *p, const struct relation_rule *r) {
  visit(p, r->guard);
  for (size_t i = 0; i < r->assumes.count; i++) visit(p, r->assumes.data[i]);
  for (size_t i = 0; i < r->writes.count; i++) {
    visit(p, r->writes.data[i].value);
    visit(p, r->writes.data[i].defined);
  }
  for (size_t i = 0; i < r->errors.count; i++) visit(p, r->errors.data[i].when);
  for (size_t i = 0; i < r->covers.count; i++) visit(p, r->covers.data[i].when);
}

static void print_shared(struct printing *p) {
  for (size_t i = 0; i < p->order.count; i++) {
    const struct term *a = p->order.data[i];
    if (!p->shared[a->id]) continue;
    text_printf(p->out, "  #%" PRIu32 " = ", a->id);
    term_print_as(p->out, a, p->relation->model, p->shared);
    text_char(p->out, '\n');
  }
}

static void print_write(struct printing *p, const struct relation_write *w) {
  text_add(p->out, "  ");
  ir_leaf_name(p->out, p->relation->model, w->leaf);
  if (term_is(w->defined, 0)) return text_add(p->out, " := undefined\n");
  line(p, " := ", w->value);
  if (!term_is(w->defined, 1)) line(p, "    defined where ", w->defined);
}

static void print_rule(struct printing *p, const struct relation_rule *r) {
  const struct ir_model *m = p->relation->model;
  size_t n = terms_count(p->relation->terms);
  memset(p->seen, 0, n);
  memset(p->shared, 0, n);
  p->order.count = 0;
  text_add(p->out, r->rule->is_start ? "start " : "rule ");
  ir_instance_print(p->out, m, r->rule->is_start, r->instance, 0);
  text_char(p->out, '\n');
  visit_rule(p, r);
  print_shared(p);
  if (!term_is(r->guard, 1)) line(p, "  when ", r->guard);
  for (size_t i = 0; i < r->assumes.count; i++) line(p, "  assume ", r->assumes.data[i]);
  for (size_t i = 0; i < r->writes.count; i++) print_write(p, &r->writes.data[i]);
  for (size_t i = 0; i < r->errors.count; i++) {
    text_add(p->out, "  error \"");
    ir_site_print(p->out, m, r->errors.data[i].site);
    line(p, "\" where ", r->errors.data[i].when);
  }
  for (size_t i = 0; i < r->covers.count; i++) {
    text_printf(p->out, "  cover \"%s\"", m->properties.data[r->covers.data[i].property]->name);
    line(p, " where ", r->covers.data[i].when);
  }
}

void relation_print(struct text *out, const struct relation *r) {
  struct printing p = {.out = out, .relation = r};
  size_t n = terms_count(r->terms) + 1;
  p.seen = mem_zalloc(n, sizeof *p.seen);
  p.shared = mem_zalloc(n, sizeof *p.shared);
  for (size_t i = 0; i < r->starts.count; i++) print_rule(&p, &r->starts.data[i]);
  for (size_t i = 0; i < r->rules.count; i++) print_rule(&p, &r->rules.data[i]);
  mem_free(p.seen);
  mem_free(p.shared);
  VEC_CLEAR(&p.order);
}
