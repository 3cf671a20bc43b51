// SPDX-License-Identifier: Apache-2.0
// The steps of a replayed trace as text: each rule with its parameters and place, then the leaves
// that it changed (diff) or all of them (full). A diff is folded: of a start state, arrays whose
// elements are all equal (Cache[*].State = Invalid); of a step, what became wholly undefined. Where
// rules say which statements they are, those stand for the rule, as in SPIN's traces.
#include "report/chart.h"
#include "report/cycles.h"
#include "report/format.h"
#include "report/lines.h"
#include "report/program.h"
#include "report/report.h"

#include "ir/ir.h"

#include <string.h>

#define STEP_INDENT "        "

static void print_rule(const struct report_text *t, const struct ir_model *m,
                       const struct trace *trace, size_t step, const struct ir_rule *r) {
  struct text rule = {0}, place = {0};
  format_step(&rule, m, trace, step, true);
  format_paint(t, FORMAT_BOLD, text_str(&rule));
  if (r->span.source != NULL) {
    text_printf(&place, "  %s:%u", format_basename(r->span.source->path), r->span.line);
    format_paint(t, FORMAT_DIM, text_str(&place));
  }
  fputc('\n', t->out);
  text_clear(&rule);
  text_clear(&place);
}

static void print_line(const struct report_text *t, const struct ir_line *l) {
  struct text process = {0}, place = {0}, statement = {0};
  lines_process(&process, l);
  lines_place(&place, l);
  text_printf(&statement, "[%s]", l->text);
  if (process.count > 0) fprintf(t->out, "%s ", text_str(&process));
  if (place.count > 0) text_char(&place, ' ');
  format_paint(t, FORMAT_DIM, text_str(&place));
  format_paint(t, FORMAT_BOLD, text_str(&statement));
  fputc('\n', t->out);
  text_clear(&process);
  text_clear(&place);
  text_clear(&statement);
}

static void print_step(const struct report_text *t, const struct ir_model *m,
                       const struct trace *trace, size_t i) {
  if (cycles_stutters(trace, i)) {
    fputs(CYCLES_STUTTER "\n", t->out);
    return;
  }
  const struct ir_rule *r = format_rule(m, false, trace->steps.data[i].instance);
  uint32_t lines = lines_count(r);
  if (lines == 0) print_rule(t, m, trace, i, r);
  for (uint32_t k = 0; k < lines; k++) {
    if (k > 0) fputs(STEP_INDENT, t->out);
    print_line(t, &r->lines[k]);
  }
}

// ---------------------------------------------------------------------------------------------
// States, walked variable by variable down to their leaves

struct tree {
  const struct report_text *t;
  const struct ir_model *m;
  const uint64_t *before; // NULL: a start state
  const uint64_t *after;
  struct text undefined; // of a start: names of what is wholly undefined
};

static int64_t old_value(const struct tree *p, uint64_t leaf) {
  return ir_leaf_get(&p->m->layout->leaf[leaf], p->before);
}

static int64_t new_value(const struct tree *p, uint64_t leaf) {
  return ir_leaf_get(&p->m->layout->leaf[leaf], p->after);
}

static bool differs(const struct tree *p, uint64_t leaf, uint64_t count) {
  for (uint64_t k = leaf; k < leaf + count; k++)
    if (old_value(p, k) != new_value(p, k)) return true;
  return false;
}

static bool all_undefined(const struct tree *p, uint64_t leaf, uint64_t count) {
  for (uint64_t k = leaf; k < leaf + count; k++)
    if (new_value(p, k) != IR_UNDEF) return false;
  return count > 0;
}

static bool all_equal(const struct tree *p, uint64_t leaf, uint64_t size, uint64_t count) {
  for (uint64_t k = size; k < size * count; k++)
    if (new_value(p, leaf + k) != new_value(p, leaf + k % size)) return false;
  return count > 1;
}

static void print_leaf(const struct tree *p, const struct ir_type *type, uint64_t leaf,
                       const char *name) {
  struct text line = {0};
  text_add(&line, name);
  if (p->before != NULL && differs(p, leaf, 1)) {
    text_add(&line, ": ");
    ir_type_print_value(&line, type, old_value(p, leaf));
    text_add(&line, " -> ");
  } else {
    text_add(&line, " = ");
  }
  ir_type_print_value(&line, type, new_value(p, leaf));
  fprintf(p->t->out, STEP_INDENT "%s\n", text_str(&line));
  text_clear(&line);
}

static void print_tree(struct tree *p, const struct ir_type *type, uint64_t leaf,
                       struct text *name);

// Prints what lies below `name` with one more index or field on it.
static void print_below(struct tree *p, const struct ir_type *type, uint64_t leaf,
                        struct text *name, const char *suffix) {
  size_t length = name->count;
  text_add(name, suffix);
  print_tree(p, type, leaf, name);
  name->count = length;
  name->data[length] = '\0';
}

static void print_array(struct tree *p, const struct ir_type *type, uint64_t leaf,
                        struct text *name) {
  uint64_t size = type->elem->leaves, count = ir_type_count(type->index);
  bool folds = p->t->trace == REPORT_TRACE_DIFF && p->before == NULL;
  if (folds && all_equal(p, leaf, size, count)) {
    print_below(p, type->elem, leaf, name, "[*]");
    return;
  }
  for (uint64_t k = 0; k < count; k++) {
    struct text index = {0};
    text_char(&index, '[');
    ir_type_print_value(&index, type->index, ir_type_value(type->index, k));
    text_char(&index, ']');
    print_below(p, type->elem, leaf + k * size, name, text_str(&index));
    text_clear(&index);
  }
}

static void print_record(struct tree *p, const struct ir_type *type, uint64_t leaf,
                         struct text *name) {
  for (uint32_t f = 0; f < type->field_count; f++) {
    struct text field = {0};
    text_printf(&field, ".%s", type->fields[f].name);
    print_below(p, type->fields[f].type, leaf + type->fields[f].leaf, name, text_str(&field));
    text_clear(&field);
  }
}

// A channel of Promela: how many messages, then the messages. A structure of the user's has a name.
static bool is_channel(const struct ir_type *t) {
  if (t->kind != IR_TYPE_RECORD || t->field_count != 2) return false;
  return (t->name == NULL || strcmp(t->name, "chan") == 0) &&
         strcmp(t->fields[0].name, "len") == 0 && strcmp(t->fields[1].name, "m") == 0 &&
         t->fields[1].type->kind == IR_TYPE_ARRAY;
}

// "[data,1][data,2]"
static void add_messages(struct text *out, const struct tree *p, const struct ir_type *type,
                         uint64_t leaf, const uint64_t *state) {
  const struct ir_leaf *leaves = p->m->layout->leaf + leaf;
  uint64_t size = type->fields[1].type->elem->leaves, slots = type->fields[1].type->leaves / size;
  int64_t count = ir_leaf_get(&leaves[0], state);
  const struct ir_leaf *l = leaves + type->fields[1].leaf;
  for (uint64_t k = 0; k < slots && (int64_t)k < count; k++) {
    for (uint64_t f = 0; f < size; f++, l++) {
      text_char(out, f == 0 ? '[' : ',');
      ir_type_print_value(out, l->type, ir_leaf_get(l, state));
    }
    text_char(out, ']');
  }
  if (count <= 0) text_add(out, "[]");
}

static void print_channel(const struct tree *p, const struct ir_type *type, uint64_t leaf,
                          const char *name) {
  struct text line = {0};
  if (p->before != NULL && differs(p, leaf, type->leaves)) {
    text_add(&line, ": ");
    add_messages(&line, p, type, leaf, p->before);
    text_add(&line, " -> ");
  } else {
    text_add(&line, " = ");
  }
  add_messages(&line, p, type, leaf, p->after);
  fprintf(p->t->out, STEP_INDENT "%s%s\n", name, text_str(&line));
  text_clear(&line);
}

// In a diff: nothing of what did not change, and one line for what is now wholly undefined.
static bool print_folded(struct tree *p, const struct ir_type *type, uint64_t leaf,
                         const char *name) {
  if (p->t->trace != REPORT_TRACE_DIFF) return false;
  if (p->before != NULL && !differs(p, leaf, type->leaves)) return true;
  if (!all_undefined(p, leaf, type->leaves)) return false;
  if (p->before == NULL)
    text_printf(&p->undefined, "%s%s", p->undefined.count > 0 ? ", " : "", name);
  else if (!ir_type_scalar(type))
    fprintf(p->t->out, STEP_INDENT "%s -> undefined\n", name);
  else
    return false;
  return true;
}

static void print_tree(struct tree *p, const struct ir_type *type, uint64_t leaf,
                       struct text *name) {
  if (print_folded(p, type, leaf, text_str(name))) return;
  if (is_channel(type))
    print_channel(p, type, leaf, text_str(name));
  else if (type->kind == IR_TYPE_ARRAY)
    print_array(p, type, leaf, name);
  else if (type->kind == IR_TYPE_RECORD)
    print_record(p, type, leaf, name);
  else
    print_leaf(p, type, leaf, text_str(name));
}

// A variable whose first leaf says where its process is: the statements of a step tell that. What
// is left of a process that is not there (0) is of no interest.
static void print_process(struct tree *p, const struct ir_var *v, struct text *name) {
  const struct ir_type *type = v->type;
  if (new_value(p, v->first_leaf) == 0) return;
  for (uint32_t f = 1; type->kind == IR_TYPE_RECORD && f < type->field_count; f++) {
    struct text field = {0};
    text_printf(&field, ".%s", type->fields[f].name);
    print_below(p, type->fields[f].type, v->first_leaf + type->fields[f].leaf, name,
                text_str(&field));
    text_clear(&field);
  }
}

static void print_state(const struct report_text *t, const struct ir_model *m,
                        const uint64_t *before, const uint64_t *after) {
  struct tree p = {.t = t, .m = m, .before = before, .after = after};
  bool lines = report_has_lines(m), placeless = lines && t->trace == REPORT_TRACE_DIFF;
  bool changed = before == NULL || lines; // a statement says what it does
  for (uint32_t v = 0; v < m->vars.count; v++) {
    const struct ir_var *var = m->vars.data[v];
    if (var->hidden) continue;
    struct text name = {0};
    text_add(&name, var->name);
    changed = changed || differs(&p, var->first_leaf, var->type->leaves);
    if (placeless && var->is_location)
      print_process(&p, var, &name);
    else if (!placeless || var != m->transient)
      print_tree(&p, var->type, var->first_leaf, &name);
    text_clear(&name);
  }
  if (!changed) fputs(STEP_INDENT "(nothing changes)\n", t->out);
  if (p.undefined.count > 0) fprintf(t->out, STEP_INDENT "undefined: %s\n", p.undefined.data);
  text_clear(&p.undefined);
}

// ---------------------------------------------------------------------------------------------

// What rules print; steps of SMV models print their inputs.
static void print_prints(const struct report_text *t, const struct ir_model *m,
                         const char *prints) {
  const char *before = strcmp(m->language, "smv") == 0 ? "with" : "prints";
  while (prints != NULL && *prints != '\0') {
    size_t length = strcspn(prints, "\n");
    fprintf(t->out, STEP_INDENT "%s %.*s\n", before, (int)length, prints);
    prints += length + (prints[length] == '\n');
  }
}

static void print_start(const struct report_text *t, const struct ir_model *m,
                        const struct trace *trace) {
  bool named = strcmp(format_rule(m, true, trace->start_instance)->name, "start") != 0;
  fputc(named ? ' ' : '\n', t->out);
  if (named) print_rule(t, m, trace, FORMAT_START, format_rule(m, true, trace->start_instance));
}

// The chart, or else the changes of each step.
static void print_chart(const struct report_text *t, const struct report_run *run,
                        const struct trace *trace, const struct replay *replay) {
  struct text why = {0};
  if (!chart_print(t, run->model, trace, replay, &why)) {
    struct report_text diff = *t;
    diff.trace = REPORT_TRACE_DIFF;
    fprintf(t->out, "\n  %s: the steps in words\n", text_str(&why));
    report_text_steps(&diff, run, trace, replay);
  }
  text_clear(&why);
}

// Where the automaton of a property of infinite runs has come to, if that is elsewhere than before.
static void print_claim(const struct report_text *t, const struct ir_model *m,
                        const struct trace *trace, size_t state) {
  struct text name = {0};
  if (state > 0 && state < trace->claims.count &&
      trace->claims.data[state] == trace->claims.data[state - 1])
    return;
  cycles_claim(&name, m, trace, state);
  if (name.count > 0) {
    struct text line = {0};
    text_printf(&line, STEP_INDENT "(automaton: %s)\n", text_str(&name));
    format_paint(t, FORMAT_DIM, text_str(&line));
    text_clear(&line);
  }
  text_clear(&name);
}

void report_text_steps(const struct report_text *t, const struct report_run *run,
                       const struct trace *trace, const struct replay *replay) {
  if (t->trace == REPORT_TRACE_OFF || replay->count == 0) return;
  if (t->trace == REPORT_TRACE_MSC) {
    print_chart(t, run, trace, replay);
    return;
  }
  const struct ir_model *m = run->model;
  if (program_is(m) && t->trace == REPORT_TRACE_DIFF) {
    program_path(t, m, trace, replay);
    return;
  }
  fputs("\n  start", t->out);
  print_start(t, m, trace);
  print_state(t, m, NULL, replay->states[0].words);
  print_prints(t, m, replay->states[0].prints);
  print_claim(t, m, trace, 0);
  size_t number = 0;
  for (size_t i = 0; i < trace->steps.count; i++) {
    const char *heading = cycles_heading(trace, i);
    if (heading != NULL) fprintf(t->out, "  %s\n", heading);
    if (trace_inner(replay, m, i))
      fputs("        ", t->out);
    else
      fprintf(t->out, "  %5zu ", ++number);
    print_step(t, m, trace, i);
    if (i + 1 >= replay->count) continue; // the guard of the last step failed
    if (!cycles_stutters(trace, i))
      print_state(t, m, replay->states[i].words, replay->states[i + 1].words);
    print_prints(t, m, replay->states[i + 1].prints);
    print_claim(t, m, trace, i + 1);
  }
}
