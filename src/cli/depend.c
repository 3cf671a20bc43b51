// SPDX-License-Identifier: Apache-2.0
// fathom show --dependencies: the cone of influence of each property, and how strongly each leaf in
// it is tied to the property (paper 004's D(v)), as a table or as the tree by which they came in.
#include "cli/cli.h"

#include "ir/ir.h"
#include "relation/cone.h"

#include <stdlib.h>
#include <string.h>

// What a table is about: a property of the model, or (past these) its errors.
struct subject {
  const char *kind, *name;
  uint64_t *support; // leaves that it speaks of itself
  unsigned what;     // must be kept beside them (cone.h)
};

struct depend {
  const struct ir_model *model;
  struct relation *relation;
  bool dot;
  struct text *out;
  size_t name_width;
};

// ---------------------------------------------------------------------------------------------
// Printing

static void add_leaf(const struct depend *d, struct text *out, uint64_t leaf) {
  ir_leaf_name(out, d->model, leaf);
}

struct place { // in the table
  uint32_t strength;
  uint64_t leaf;
};

static int by_strength(const void *a, const void *b) {
  const struct place *x = a, *y = b;
  if (x->strength != y->strength) return x->strength < y->strength ? -1 : 1;
  return x->leaf < y->leaf ? -1 : x->leaf > y->leaf;
}

static void print_row(const struct depend *d, const struct cone *c, const struct place *p) {
  struct text name = {0};
  add_leaf(d, &name, p->leaf);
  if (p->strength == CONE_OUTSIDE) {
    text_printf(d->out, "       -  %s\n", text_str(&name));
  } else if (c->from[p->leaf] == CONE_OUTSIDE) {
    text_printf(d->out, "  %6u  %s\n", p->strength, text_str(&name));
  } else {
    text_printf(d->out, "  %6u  %-*s  ", p->strength, (int)d->name_width, text_str(&name));
    add_leaf(d, d->out, c->from[p->leaf]);
    text_char(d->out, '\n');
  }
  text_clear(&name);
}

static void print_table(const struct depend *d, const struct cone *c) {
  uint64_t count = d->model->layout->count;
  struct place *places = mem_zalloc(count + 1, sizeof *places);
  for (uint64_t i = 0; i < count; i++) places[i] = (struct place){c->strength[i], i};
  qsort(places, count, sizeof *places, by_strength);
  if (count > 0) text_printf(d->out, "    D(v)  %-*s  through\n", (int)d->name_width, "leaf");
  for (uint64_t i = 0; i < count; i++) print_row(d, c, &places[i]);
  mem_free(places);
}

// A string of dot's.
static void add_quoted(struct text *out, const char *s) {
  text_char(out, '"');
  for (; *s != '\0'; s++) {
    if (*s == '"' || *s == '\\') text_char(out, '\\');
    text_char(out, *s);
  }
  text_char(out, '"');
}

static void draw_node(const struct depend *d, const struct cone *c, uint64_t leaf) {
  struct text name = {0};
  add_leaf(d, &name, leaf);
  text_printf(&name, " %u", c->strength[leaf]);
  text_printf(d->out, "  l%llu [label=", (unsigned long long)leaf);
  add_quoted(d->out, text_str(&name));
  text_add(d->out, "];\n");
  if (c->from[leaf] == CONE_OUTSIDE)
    text_printf(d->out, "  property -> l%llu;\n", (unsigned long long)leaf);
  else
    text_printf(d->out, "  l%u -> l%llu;\n", c->from[leaf], (unsigned long long)leaf);
  text_clear(&name);
}

static void draw_tree(const struct depend *d, const struct subject *s, const struct cone *c) {
  text_add(d->out,
           "digraph dependencies {\n  node [shape=box];\n  property [shape=ellipse, label=");
  add_quoted(d->out, s->name);
  text_add(d->out, "];\n");
  for (uint64_t i = 0; i < d->model->layout->count; i++)
    if (c->strength[i] != CONE_OUTSIDE) draw_node(d, c, i);
  text_add(d->out, "}\n");
}

static void show_subject(const struct depend *d, const struct subject *s) {
  struct cone c;
  cone_init(&c, d->relation, s->support, s->what);
  if (d->out->count > 0) text_char(d->out, '\n');
  if (d->dot) {
    draw_tree(d, s, &c);
  } else {
    text_printf(d->out, "%s%s\"%s\" depends on %zu of %llu leaves\n", s->kind,
                *s->kind != '\0' ? " " : "", s->name, c.count,
                (unsigned long long)d->model->layout->count);
    print_table(d, &c);
  }
  cone_clear(&c);
}

// ---------------------------------------------------------------------------------------------

static const char errors_name[] = "assertions and errors";

static bool is_asked(const struct option_list *asked, const char *name) {
  for (size_t i = 0; i < asked->count; i++)
    if (strcmp(asked->data[i], name) == 0) return true;
  return asked->count == 0;
}

static void show_property(const struct depend *d, const struct ir_property *p) {
  struct support s;
  support_init(&s, d->relation);
  unsigned what = support_property(&s, p);
  show_subject(d, &(struct subject){ir_property_word(p->kind), p->name, s.leaves, what});
  support_clear(&s);
}

// Those of steps that may really happen.
static void show_errors(const struct depend *d) {
  struct support none;
  support_init(&none, d->relation);
  show_subject(d, &(struct subject){"", errors_name, none.leaves, CONE_ERRORS});
  support_clear(&none);
}

static void measure_names(struct depend *d) {
  struct text name = {0};
  d->name_width = strlen("leaf");
  for (uint64_t i = 0; i < d->model->layout->count; i++) {
    add_leaf(d, &name, i);
    if (name.count > d->name_width) d->name_width = name.count;
    text_clear(&name);
  }
}

bool cli_dependencies(struct text *out, const struct ir_model *m, const struct option_list *asked,
                      bool dot, struct text *why) {
  struct depend d = {.model = m, .dot = dot, .out = out};
  d.relation = relation_new(m, &(struct relation_config){0}, why);
  if (d.relation == NULL) return false;
  measure_names(&d);
  for (size_t i = 0; i < m->properties.count; i++)
    if (is_asked(asked, m->properties.data[i]->name)) show_property(&d, m->properties.data[i]);
  if (is_asked(asked, errors_name)) show_errors(&d);
  relation_free(d.relation);
  return true;
}

bool cli_relation(struct text *out, const struct ir_model *m, struct text *why) {
  struct relation *r = relation_new(m, &(struct relation_config){0}, why);
  if (r == NULL) return false;
  relation_print(out, r);
  relation_free(r);
  return true;
}
