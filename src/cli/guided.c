// SPDX-License-Identifier: Apache-2.0
// Settings of searches by an abstraction, among them the user's own distances of variables from the
// property: a file of lines "NAME NUMBER". A name is that of a variable, or of one leaf of it.
#include "cli/check.h"

#include "symbolic/symbolic.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// --strength

struct reading {
  const struct ir_model *model;
  const char **names; // of all leaves, then of all variables
  struct source *source;
  struct diag diag;
  struct check_guided *guided;
};

static struct span span_of(const struct reading *r, uint32_t line, const char *from,
                           const char *text, size_t length) {
  uint32_t column = (uint32_t)(from - text) + 1;
  return (struct span){r->source, line, column, line, column + (uint32_t)length};
}

static void list_names(struct reading *r) {
  const struct ir_model *m = r->model;
  struct text name = {0};
  r->names = mem_zalloc(m->layout->count + m->vars.count + 1, sizeof *r->names);
  for (uint64_t i = 0; i < m->layout->count; i++) {
    ir_leaf_name(&name, m, i);
    r->names[i] = arena_strdup(m->arena, text_str(&name));
    text_clear(&name);
  }
  for (size_t i = 0; i < m->vars.count; i++) r->names[m->layout->count + i] = m->vars.data[i]->name;
}

// Sets the leaves of that name; false: there are none.
static bool set_leaves(struct reading *r, const char *name, int64_t value) {
  const struct ir_model *m = r->model;
  size_t leaves = m->layout->count, count = leaves + m->vars.count, i = 0, first, last;
  while (i < count && strcmp(r->names[i], name) != 0) i++;
  if (i == count) return false;
  first = i < leaves ? i : m->vars.data[i - leaves]->first_leaf;
  last = i < leaves ? i : first + m->vars.data[i - leaves]->type->leaves - 1;
  for (size_t k = first; k <= last; k++) {
    r->guided->report.strengths += r->guided->strength[k] < 0;
    r->guided->strength[k] = value;
  }
  return true;
}

static void refuse_name(struct reading *r, struct span span, const char *name) {
  size_t count = r->model->layout->count + r->model->vars.count;
  const char *near = name_nearest(name, r->names, count);
  if (near != NULL)
    diag_error(&r->diag, span, "the model has no variable \"%s\"; did you mean \"%s\"?", name,
               near);
  else
    diag_error(&r->diag, span, "the model has no variable \"%s\"", name);
}

// The number at the end of a line; false: there is none.
static bool read_number(const char *word, size_t length, int64_t *value) {
  if (length == 0 || length > 9 || strspn(word, "0123456789") < length) return false;
  *value = strtoll(word, NULL, 10);
  return true;
}

// One line without its comment and the blanks around it. Names may hold blanks.
static void read_line(struct reading *r, uint32_t line, const char *text, const char *from,
                      size_t length) {
  size_t word = length;
  while (word > 0 && !isspace((unsigned char)from[word - 1])) word--;
  size_t name = word;
  while (name > 0 && isspace((unsigned char)from[name - 1])) name--;
  int64_t value;
  if (name == 0 || !read_number(from + word, length - word, &value)) {
    diag_error(&r->diag, span_of(r, line, from, text, length),
               "expected a name and a whole number below 1,000,000,000: NAME NUMBER");
    return;
  }
  struct text copy = {0};
  text_add_n(&copy, from, name);
  if (!set_leaves(r, text_str(&copy), value))
    refuse_name(r, span_of(r, line, from, text, name), text_str(&copy));
  text_clear(&copy);
}

static void read_lines(struct reading *r) {
  const char *at = r->source->text;
  for (uint32_t line = 1; *at != '\0'; line++) {
    size_t whole = strcspn(at, "\n"), length = whole, from = 0;
    for (size_t i = 0; i + 1 < length; i++)
      if (at[i] == '-' && at[i + 1] == '-') length = i;
    while (length > 0 && isspace((unsigned char)at[length - 1])) length--;
    while (from < length && isspace((unsigned char)at[from])) from++;
    if (from < length) read_line(r, line, at, at + from, length - from);
    at += whole + (at[whole] == '\n');
  }
}

static bool read_strength(struct check_guided *g, const char *path, const struct ir_model *m) {
  struct reading r = {.model = m, .guided = g};
  const char *why;
  r.source = source_read(path, &why);
  if (r.source == NULL) {
    cli_refuse("--strength %s: %s", path, why);
    return false;
  }
  g->strength = mem_alloc((m->layout->count + 1) * sizeof *g->strength);
  for (uint64_t i = 0; i < m->layout->count; i++) g->strength[i] = -1;
  if (source_readable(r.source, "file", "names and numbers", &r.diag)) {
    list_names(&r);
    read_lines(&r);
  }
  diag_print(&r.diag, stderr, report_colour(stderr));
  bool good = r.diag.errors == 0;
  diag_clear(&r.diag);
  source_free(r.source);
  mem_free(r.names);
  return good;
}

// ---------------------------------------------------------------------------------------------

bool check_guided_init(struct check_guided *g, const struct options *o, const struct ir_model *m) {
  *g = (struct check_guided){0};
  g->report = (struct report_guided){
      .abstract_depth = options_given(o, "abstract-depth") ? (int64_t)o->abstract_depth : -1,
      .strength = o->strength,
      .pattern = o->pattern != NULL ? o->pattern : capability_value(CAPABILITY_PATTERN, 0),
      .pattern_nodes = o->pattern_nodes,
      .weight_h = 1,
      .weight_g = 1,
      .weighted = o->search != NULL && strcmp(o->search, "wastar") == 0,
  };
  if (g->report.weighted)
    capability_weights(o->weights != NULL ? o->weights : CAPABILITY_WEIGHTS, &g->report.weight_h,
                       &g->report.weight_g);
  return o->strength == NULL || read_strength(g, o->strength, m);
}

void check_guided_fill(const struct check_guided *g, struct symbolic_config *config) {
  config->weight_g = g->report.weight_g;
  config->weight_h = g->report.weight_h;
  config->abstract_depth = g->report.abstract_depth;
  config->strength = g->strength;
  config->forward_pattern = strcmp(g->report.pattern, "forward") == 0;
  config->pattern_nodes = g->report.pattern_nodes;
}

void check_guided_clear(struct check_guided *g) {
  mem_free(g->strength);
  *g = (struct check_guided){0};
}
