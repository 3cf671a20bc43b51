// SPDX-License-Identifier: Apache-2.0
// Traces of C programs as text. A step of the model is a block of statements: what is shown of it
// are the lines of the program that changed something, and its last one, which decides where the
// program goes on. A variable that a block sets twice is shown with what it then holds.
#include "report/program.h"

#include "report/format.h"
#include "report/place.h"

#include "ir/ir.h"

#include <string.h>

#define CODE_WIDTH  44
#define VALUE_WIDTH 40

bool program_is(const struct ir_model *m) { return strcmp(m->language, "c") == 0; }

// ---------------------------------------------------------------------------------------------
// Inputs

static void add_value(struct text *out, const struct report_input *in) {
  if (in->variable != NULL) text_printf(out, "%s = ", in->variable);
  ir_type_print_value(out, in->type, in->value);
}

// How wide the values are, but for those that are too wide for a column.
static int measure_values(const struct report_inputs *in) {
  struct text value = {0};
  size_t width = 0;
  for (size_t i = 0; i < in->list.count; i++) {
    add_value(&value, &in->list.data[i]);
    if (value.count > width && value.count <= VALUE_WIDTH) width = value.count;
    text_clear(&value);
  }
  return (int)width;
}

static void print_inputs(const struct report_text *t, const struct report_inputs *in) {
  int width = measure_values(in);
  for (size_t i = 0; i < in->list.count; i++) {
    const struct report_input *input = &in->list.data[i];
    struct text value = {0}, place = {0};
    add_value(&value, input);
    text_printf(&place, "%s()  ", input->function);
    if (input->span.source != NULL)
      text_printf(&place, "%s:%u", format_basename(input->span.source->path), input->span.line);
    fprintf(t->out, "  %5zu %-*s  ", i + 1, width, text_str(&value));
    format_paint(t, FORMAT_DIM, text_str(&place));
    fputc('\n', t->out);
    text_clear(&value);
    text_clear(&place);
  }
}

// ---------------------------------------------------------------------------------------------
// The lines of a step

struct line {
  struct span span;
  struct text changes;
};

struct lines {
  const struct ir_model *model;
  VEC(struct line) list;
  size_t *owner;    // per variable: the line that set it last; SIZE_MAX: none
  bool *unset;      // per variable: it was not given a value there, and holds any
  int width;        // of the widest place so far
  struct span last; // that was shown
};

// Is it a choice that the program did not call for?
static bool is_any(const struct ir_expr *e) {
  return e != NULL && e->op == IR_LOCAL && e->local->kind == IR_LOCAL_BOUND &&
         e->local->input == NULL;
}

static void own(struct lines *l, const struct ir_stmt *s) {
  const struct ir_expr *e = s->lhs;
  while (e != NULL && (e->op == IR_INDEX || e->op == IR_FIELD)) e = e->args[0];
  if (e != NULL && e->op == IR_VAR) {
    l->owner[e->var->id] = l->list.count - 1;
    l->unset[e->var->id] = is_any(s->expr);
  }
  for (const struct ir_stmt *b = s->body; b != NULL; b = b->next) own(l, b);
  for (const struct ir_stmt *b = s->other; b != NULL; b = b->next) own(l, b);
  for (const struct ir_case *c = s->cases; c != NULL; c = c->next)
    for (const struct ir_stmt *b = c->body; b != NULL; b = b->next) own(l, b);
}

static bool same_line(struct span a, struct span b) {
  return a.source == b.source && a.line == b.line;
}

static void add_line(struct lines *l, struct span span) {
  bool fresh = l->list.count == 0 || !same_line(l->list.data[l->list.count - 1].span, span);
  struct line line = {.span = span};
  if (span.source != NULL && span.line > 0 && fresh) VEC_PUSH(&l->list, line);
}

// The lines of the rule's statements, in order, up to the one that fails at `site` (0: none does).
static void list_lines(struct lines *l, const struct ir_rule *r, uint32_t site) {
  for (size_t v = 0; v < l->model->vars.count; v++) l->owner[v] = SIZE_MAX;
  add_line(l, r->span);
  for (const struct ir_stmt *s = r->body; s != NULL; s = s->next) {
    add_line(l, s->span);
    if (l->list.count > 0) own(l, s);
    if (site != 0 && program_fails_at(s, site)) return;
  }
}

// "malloc@9 is", of which the value says what: "allocated".
static bool says_is(const char *name) {
  size_t length = strlen(name);
  return length > 3 && strcmp(name + length - 3, " is") == 0;
}

static void add_changes(struct lines *l, const uint64_t *before, const uint64_t *after) {
  const struct ir_model *m = l->model;
  for (size_t v = 0; v < m->vars.count && l->list.count > 0; v++) {
    const struct ir_var *var = m->vars.data[v];
    size_t owner = l->owner[v] < l->list.count ? l->owner[v] : l->list.count - 1;
    struct text *out = &l->list.data[owner].changes;
    for (uint64_t k = 0; k < var->type->leaves && !var->hidden && !var->is_location; k++) {
      const struct ir_leaf *leaf = &m->layout->leaf[var->first_leaf + k];
      int64_t now = ir_leaf_get(leaf, after);
      if (ir_leaf_get(leaf, before) == now) continue;
      if (out->count > 0) text_add(out, ", ");
      ir_leaf_name(out, m, var->first_leaf + k);
      text_add(out, says_is(var->name) ? " " : " = ");
      ir_type_print_value(out, leaf->type, now);
      if (l->unset[v]) text_add(out, " (not set)");
    }
  }
}

// What the step was given, where it changes nothing.
static void add_inputs(struct lines *l, const struct report_inputs *in, size_t step) {
  for (size_t i = 0; i < in->list.count; i++) {
    const struct report_input *input = &in->list.data[i];
    for (size_t k = 0; k < l->list.count && input->step == step; k++) {
      struct line *line = &l->list.data[k];
      if (same_line(line->span, input->span) && line->changes.count == 0)
        add_value(&line->changes, input);
    }
  }
}

static void print_line(const struct report_text *t, struct lines *l, const struct line *line,
                       const char *number) {
  struct text place = {0}, code = {0};
  text_printf(&place, "%s:%u", format_basename(line->span.source->path), line->span.line);
  place_line(&code, line->span);
  if ((int)place.count > l->width) l->width = (int)place.count;
  while ((int)place.count < l->width) text_char(&place, ' ');
  fprintf(t->out, "  %5s ", number);
  format_paint(t, FORMAT_DIM, text_str(&place));
  bool cut = code.count > CODE_WIDTH, more = line->changes.count > 0;
  if (cut) memcpy(code.data + CODE_WIDTH - 4, " ...", 5);
  fprintf(t->out, "  %-*s", more ? CODE_WIDTH : 0, text_str(&code));
  if (more) fputs("  ", t->out);
  format_paint(t, FORMAT_BOLD, text_str(&line->changes));
  fputc('\n', t->out);
  text_clear(&place);
  text_clear(&code);
}

// A line in several blocks, such as a condition with &&, is shown once, unless it fails.
static void print_lines(const struct report_text *t, struct lines *l, size_t step, bool fails) {
  char number[FORMAT_BYTES];
  snprintf(number, sizeof number, "%zu", step);
  for (size_t i = 0; i < l->list.count; i++) {
    struct line *line = &l->list.data[i];
    bool ends = i + 1 == l->list.count && (fails || !same_line(line->span, l->last));
    if (line->changes.count > 0 || ends) {
      print_line(t, l, line, number);
      number[0] = '\0';
      l->last = line->span;
    }
    text_clear(&line->changes);
  }
  l->list.count = 0;
}

void program_path(const struct report_text *t, const struct ir_model *m, const struct trace *trace,
                  const struct replay *replay) {
  struct report_inputs in;
  report_inputs_init(&in, m, trace);
  if (in.list.count > 0) fputs("\n  inputs\n", t->out);
  print_inputs(t, &in);
  struct lines l = {.model = m,
                    .owner = mem_zalloc(m->vars.count + 1, sizeof *l.owner),
                    .unset = mem_zalloc(m->vars.count + 1, sizeof *l.unset)};
  if (trace->steps.count > 0) fputs("\n  path\n", t->out);
  for (size_t i = 0; i < trace->steps.count; i++) {
    bool fails = trace->end == TRACE_SITE && !trace->in_property && i + 1 == trace->steps.count;
    list_lines(&l, format_rule(m, false, trace->steps.data[i].instance), fails ? trace->id : 0);
    if (i + 1 < replay->count)
      add_changes(&l, replay->states[i].words, replay->states[i + 1].words);
    add_inputs(&l, &in, i);
    print_lines(t, &l, i + 1, fails);
  }
  report_inputs_clear(&in);
  mem_free(l.unset);
  VEC_CLEAR(&l.list);
  mem_free(l.owner);
}
