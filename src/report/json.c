// SPDX-License-Identifier: Apache-2.0
// Results as JSON, schema fathom-result/1 (docs/json.md).
#include "report/json.h"

#include "report/format.h"
#include "report/lines.h"
#include "report/program.h"

#include "ir/ir.h"
#include "sys/sys.h"

#include <inttypes.h>
#include <string.h>

// Names from a model may hold any bytes; JSON wants UTF-8.
json_t *report_json_string(const char *s) {
  if (s == NULL) return json_null();
  json_t *valid = json_string(s);
  if (valid != NULL) return valid;
  struct text clean = {0};
  for (; *s != '\0'; s++) text_char(&clean, (unsigned char)*s < 0x80 ? *s : '?');
  valid = json_string(text_str(&clean));
  text_clear(&clean);
  return valid;
}

static json_t *take_text(struct text *t) {
  json_t *s = report_json_string(text_str(t));
  text_clear(t);
  return s;
}

static json_t *make_span(struct span span) {
  if (span.source == NULL) return json_null();
  json_t *o = json_object();
  json_object_set_new(o, "file", report_json_string(span.source->path));
  json_object_set_new(o, "line", json_integer(span.line));
  json_object_set_new(o, "column", json_integer(span.column));
  json_object_set_new(o, "end_line", json_integer(span.end_line));
  json_object_set_new(o, "end_column", json_integer(span.end_column));
  return o;
}

// Booleans and integers as themselves, undefined as null, named values as strings.
static json_t *make_value(const struct ir_type *type, int64_t value) {
  for (uint32_t i = 0; type->kind == IR_TYPE_UNION && i < type->part_count; i++)
    if (ir_type_has(type->parts[i], value)) return make_value(type->parts[i], value);
  if (type->kind == IR_TYPE_BOOL && value != IR_UNDEF) return json_boolean(value != 0);
  bool fits = type->kind == IR_TYPE_RANGE ||
              (type->kind == IR_TYPE_INT && (type->is_signed || type->bits < 64 || value >= 0));
  if (value == IR_UNDEF && type->kind != IR_TYPE_INT) return json_null();
  bool named =
      type->members != NULL && ir_type_has(type, value) && type->members[value - type->lo] != NULL;
  if (fits && !named) return json_integer(value);
  struct text t = {0};
  ir_type_print_value(&t, type, value);
  return take_text(&t);
}

// {leaf: value} of the leaves that differ from `before`, or of all when that is NULL.
static json_t *make_leaves(const struct ir_model *m, const uint64_t *before,
                           const uint64_t *after) {
  json_t *o = json_object();
  for (size_t v = 0; v < m->vars.count; v++) {
    const struct ir_var *var = m->vars.data[v];
    for (uint64_t k = 0; k < var->type->leaves && !var->hidden; k++) {
      const struct ir_leaf *l = &m->layout->leaf[var->first_leaf + k];
      int64_t now = ir_leaf_get(l, after);
      if (before != NULL && ir_leaf_get(l, before) == now) continue;
      struct text name = {0};
      ir_leaf_name(&name, m, var->first_leaf + k);
      json_object_set_new(o, text_str(&name), make_value(l->type, now));
      text_clear(&name);
    }
  }
  return o;
}

// ---------------------------------------------------------------------------------------------
// Traces

static json_t *make_agent(const struct ir_model *m, const struct ir_rule *r, bool start,
                          uint32_t instance) {
  if (r->agent_param < 0) return r->agent < 0 ? json_null() : json_integer(r->agent);
  int64_t *params = mem_zalloc(r->param_count, sizeof *params);
  ir_instance(m, start, instance, params);
  struct text t = {0};
  ir_type_print_value(&t, r->frame.locals[r->agent_param]->type, params[r->agent_param]);
  mem_free(params);
  return take_text(&t);
}

// The statements that the rule stands for, each with its process.
static json_t *make_lines(const struct ir_rule *r) {
  json_t *list = json_array();
  for (uint32_t i = 0; i < r->line_count; i++) {
    const struct ir_line *l = &r->lines[i];
    json_t *o = json_object();
    json_object_set_new(o, "agent", json_integer(l->agent));
    json_object_set_new(o, "process", report_json_string(l->process));
    json_object_set_new(o, "state", l->place > 0 ? json_integer(l->place) : json_null());
    json_object_set_new(o, "text", report_json_string(l->text));
    json_object_set_new(o, "span", make_span(l->span));
    json_array_append_new(list, o);
  }
  return list;
}

// Nothing moved: the model was stuck.
static json_t *make_stutter(uint32_t choice) {
  json_t *o = json_object();
  json_object_set_new(o, "rule", json_null());
  json_object_set_new(o, "agent", json_null());
  json_object_set_new(o, "span", json_null());
  json_object_set_new(o, "stutter", json_true());
  json_object_set_new(o, "instance", json_integer(SYS_STUTTER));
  json_object_set_new(o, "choice", json_integer(choice));
  return o;
}

// The values of choices that have no number.
static json_t *make_values(const struct ir_rule *r, const struct trace *t, uint32_t first) {
  json_t *list = json_array();
  for (uint32_t i = 0; i < r->choice_count && first + (size_t)i < t->values.count; i++)
    json_array_append_new(list, json_integer(t->values.data[first + i]));
  return list;
}

static json_t *make_step(const struct ir_model *m, const struct trace *t, size_t step) {
  bool start = step == FORMAT_START;
  uint32_t instance = start ? t->start_instance : t->steps.data[step].instance;
  uint32_t choice = start ? t->start_choice : t->steps.data[step].choice;
  if (!start && instance == SYS_STUTTER) return make_stutter(choice);
  const struct ir_rule *r = format_rule(m, start, instance);
  struct text rule = {0};
  format_step(&rule, m, t, step, false);
  json_t *o = json_object();
  json_object_set_new(o, "rule", take_text(&rule));
  json_object_set_new(o, "agent", make_agent(m, r, start, instance));
  json_object_set_new(o, "span", make_span(r->span));
  json_object_set_new(o, "instance", json_integer(instance));
  json_object_set_new(o, "choice", json_integer(r->choices > 0 ? choice : 0));
  if (r->choices == 0) json_object_set_new(o, "values", make_values(r, t, choice));
  if (lines_count(r) == 0) return o;
  json_object_set_new(o, "process", report_json_string(r->lines[0].process));
  json_object_set_new(o, "lines", make_lines(r));
  return o;
}

// The number of the automaton's state, in state i of the trace.
static void add_claim(json_t *step, const struct trace *t, size_t i) {
  if (i < t->claims.count) json_object_set_new(step, "automaton", json_integer(t->claims.data[i]));
}

static void add_prints(json_t *step, const char *prints) {
  if (prints != NULL && *prints != '\0')
    json_object_set_new(step, "prints", report_json_string(prints));
}

static json_t *make_steps(const struct ir_model *m, const struct trace *t, const struct replay *r) {
  json_t *steps = json_array();
  for (size_t i = 0; i < t->steps.count; i++) {
    json_t *step = make_step(m, t, i);
    bool reached = i + 1 < r->count;
    if (trace_inner(r, m, i)) json_object_set_new(step, "inner", json_true());
    add_claim(step, t, i + 1);
    json_object_set_new(step, "changes",
                        reached ? make_leaves(m, r->states[i].words, r->states[i + 1].words)
                                : json_object());
    if (reached) add_prints(step, r->states[i + 1].prints);
    json_array_append_new(steps, step);
  }
  return steps;
}

const char *const report_json_ends[REPORT_JSON_ENDS] = {
    [TRACE_PROPERTY] = "property",
    [TRACE_SITE] = "error",
    [TRACE_DEADLOCK] = "deadlock",
    [TRACE_WITNESS] = "witness",
};

static json_t *make_end(const struct ir_model *m, const struct trace *t, const struct replay *r) {
  struct text what = {0};
  format_violation(&what, m, t);
  json_t *o = json_object();
  json_object_set_new(o, "kind", json_string(report_json_ends[t->end]));
  json_object_set_new(o, "id", json_integer(t->id));
  if (t->in_property) json_object_set_new(o, "in_property", json_integer(t->property));
  json_object_set_new(o, "what", take_text(&what));
  json_object_set_new(o, "span", make_span(format_violation_span(m, t)));
  json_object_set_new(o, "why", report_json_string(r->explanation));
  return o;
}

// What a C program was given, in the order of the calls.
static json_t *make_inputs(const struct ir_model *m, const struct trace *t) {
  struct report_inputs in;
  json_t *list = json_array();
  report_inputs_init(&in, m, t);
  for (size_t i = 0; i < in.list.count; i++) {
    const struct report_input *input = &in.list.data[i];
    json_t *o = json_object();
    bool start = input->step == REPORT_INPUT_START;
    json_object_set_new(o, "function", report_json_string(input->function));
    json_object_set_new(o, "variable", report_json_string(input->variable));
    json_object_set_new(o, "value", make_value(input->type, input->value));
    json_object_set_new(o, "step", start ? json_null() : json_integer((json_int_t)input->step + 1));
    json_object_set_new(o, "span", make_span(input->span));
    json_array_append_new(list, o);
  }
  report_inputs_clear(&in);
  return list;
}

json_t *report_json_trace(const struct ir_model *m, const struct trace *t, const struct replay *r) {
  json_t *o = json_object();
  json_t *start = make_step(m, t, FORMAT_START);
  if (r->count > 0) add_prints(start, r->states[0].prints);
  add_claim(start, t, 0);
  json_object_set_new(o, "start_rule", start);
  json_object_set_new(o, "start",
                      r->count > 0 ? make_leaves(m, NULL, r->states[0].words) : json_object());
  json_object_set_new(o, "steps", make_steps(m, t, r));
  if (program_is(m)) json_object_set_new(o, "inputs", make_inputs(m, t));
  size_t length = trace_length(t, r, m), found = t->found_steps > 0 ? t->found_steps : length;
  json_object_set_new(o, "length", json_integer((json_int_t)length));
  json_object_set_new(o, "found_steps", json_integer((json_int_t)found));
  json_object_set_new(o, "loop_start", t->has_loop ? json_integer(t->loop_start) : json_null());
  json_object_set_new(o, "end", make_end(m, t, r));
  return o;
}

// ---------------------------------------------------------------------------------------------
// The result

const char *const report_json_deadlocks[REPORT_JSON_DEADLOCKS] = {
    [IR_DEADLOCK_OFF] = "off",
    [IR_DEADLOCK_STUCK] = "stuck",
    [IR_DEADLOCK_STUTTERING] = "stuttering",
};

const char *report_deadlock(int deadlock) { return report_json_deadlocks[deadlock]; }

// What a property's own search took.
static void add_search(json_t *o, const struct property_result *p) {
  json_object_set_new(o, "states", json_integer((json_int_t)p->states));
  json_object_set_new(o, "transitions", json_integer((json_int_t)p->transitions));
  json_object_set_new(o, "seconds", json_real(p->seconds));
  if (p->automaton_states > 0)
    json_object_set_new(o, "automaton_states", json_integer((json_int_t)p->automaton_states));
}

// The model's properties come first, in its order.
static void add_formula(json_t *o, const struct ir_model *m, size_t i) {
  if (i < m->properties.count && m->properties.data[i]->text != NULL)
    json_object_set_new(o, "formula", report_json_string(m->properties.data[i]->text));
}

static json_t *make_properties(const struct ir_model *m, const struct result *r) {
  json_t *list = json_array();
  for (size_t i = 0; i < r->properties.count; i++) {
    const struct property_result *p = &r->properties.data[i];
    json_t *o = json_object();
    json_object_set_new(o, "name", report_json_string(p->name));
    json_object_set_new(o, "kind", report_json_string(p->kind));
    json_object_set_new(o, "verdict", json_string(verdict_name(p->verdict)));
    json_object_set_new(o, "reason", report_json_string(p->reason));
    json_object_set_new(o, "span", make_span(p->span));
    if (p->detail != NULL) json_object_set_new(o, "detail", report_json_string(p->detail));
    add_formula(o, m, i);
    if (p->searched) add_search(o, p);
    json_array_append_new(list, o);
  }
  return list;
}

// JSON's integers end at 2^63 - 1 here.
static json_t *make_count(uint64_t n) {
  return json_integer(n < INT64_MAX ? (json_int_t)n : (json_int_t)INT64_MAX);
}

static json_t *make_stats(const struct result *r) {
  json_t *o = json_object();
#define COUNTER(name, unit, help)      json_object_set_new(o, #name, make_count(r->stats.name));
#define COUNTER_REAL(name, unit, help) json_object_set_new(o, #name, json_real(r->stats.name));
#include "trace/counters.def"
#undef COUNTER
#undef COUNTER_REAL
  json_object_set_new(o, "depth_complete",
                      r->depth_known ? json_integer((json_int_t)r->depth_complete) : json_null());
  json_object_set_new(o, "frontier", json_integer((json_int_t)r->frontier));
  json_object_set_new(o, "states_exact", report_json_string(r->states_exact));
  return o;
}

static json_t *make_rule_survey(const struct ir_model *m, const struct survey *s) {
  json_t *list = json_array();
  for (size_t i = 0; i < m->rules.count; i++) {
    json_t *o = json_object();
    json_object_set_new(o, "rule", report_json_string(m->rules.data[i]->name));
    json_object_set_new(o, "span", make_span(m->rules.data[i]->span));
    if (s->fired != NULL) json_object_set_new(o, "fired", json_integer((json_int_t)s->fired[i]));
    if (s->fresh != NULL) json_object_set_new(o, "fresh", json_integer((json_int_t)s->fresh[i]));
    if (s->share != NULL) json_object_set_new(o, "time_share", json_real(s->share[i]));
    json_array_append_new(list, o);
  }
  return list;
}

// {leaf: how many values}
static json_t *make_leaf_survey(const struct ir_model *m, const uint64_t *distinct) {
  json_t *o = json_object();
  for (uint64_t i = 0; distinct != NULL && i < m->layout->count; i++) {
    struct text name = {0};
    ir_leaf_name(&name, m, i);
    json_object_set_new(o, text_str(&name), json_integer((json_int_t)distinct[i]));
    text_clear(&name);
  }
  return o;
}

static json_t *make_survey(const struct ir_model *m, const struct survey *s) {
  json_t *o = json_object(), *levels = json_array();
  for (size_t i = 0; i < s->levels.count; i++)
    json_array_append_new(levels, json_integer((json_int_t)s->levels.data[i]));
  json_object_set_new(o, "levels", levels);
  json_object_set_new(o, "rules", make_rule_survey(m, s));
  json_object_set_new(o, "states_timed", json_integer((json_int_t)s->timed));
  json_object_set_new(o, "leaf_values", make_leaf_survey(m, s->distinct));
  json_object_set_new(o, "states_sampled", json_integer((json_int_t)s->sampled));
  return o;
}

static json_t *make_bounded(const struct report_bounded *b, const struct result *r) {
  if (b == NULL) return json_null();
  json_t *o = json_object();
  json_object_set_new(o, "increment",
                      b->increment > 0 ? json_integer((json_int_t)b->increment) : json_null());
  json_object_set_new(o, "bounding", report_json_string(b->bounding));
  json_object_set_new(o, "frontier", report_json_string(b->frontier));
  json_object_set_new(o, "resumed", report_json_string(b->resume));
  json_object_set_new(o, "resumed_depth",
                      b->resume != NULL ? json_integer((json_int_t)b->resume_depth) : json_null());
  json_object_set_new(o, "saved", report_json_string(r->saved ? b->save_path : NULL));
  json_object_set_new(o, "save_problem", report_json_string(r->save_problem));
  return o;
}

static json_t *make_cycles(const struct report_cycles *c) {
  if (c == NULL) return json_null();
  json_t *o = json_object();
  json_object_set_new(o, "search", report_json_string(c->search));
  json_object_set_new(o, "store", report_json_string(c->store));
  json_object_set_new(o, "threads", json_integer((json_int_t)c->threads));
  json_object_set_new(o, "properties", json_integer((json_int_t)(c->cyclic + c->liveness)));
  json_object_set_new(o, "fairness", json_string(c->fair ? "weak" : "none"));
  json_object_set_new(o, "alone", json_boolean(c->alone));
  return o;
}

static json_t *make_head(const struct report_run *run) {
  json_t *o = json_object();
  json_object_set_new(o, "schema", json_string(REPORT_JSON_SCHEMA));
  json_object_set_new(o, "fathom", report_json_string(run->version));
  json_object_set_new(o, "command", report_json_string(run->command));
  json_object_set_new(o, "model", report_json_string(run->path));
  return o;
}

static json_t *make_strings(const char *const *strings, size_t count) {
  json_t *list = json_array();
  for (size_t i = 0; i < count; i++) json_array_append_new(list, report_json_string(strings[i]));
  return list;
}

static json_t *make_program(const struct report_program *p) {
  if (p == NULL) return json_null();
  json_t *o = json_object();
  json_object_set_new(o, "checks", report_json_string(p->checks));
  json_object_set_new(o, "recursion", json_integer((json_int_t)p->recursion));
  json_object_set_new(o, "heap", json_integer((json_int_t)p->heap));
  json_object_set_new(o, "specification", report_json_string(p->specification));
  return o;
}

static void add_run(json_t *o, const struct report_run *run) {
  char hash[17];
  snprintf(hash, sizeof hash, "%016" PRIx64, run->model_hash);
  json_object_set_new(o, "model_hash", json_string(hash));
  json_object_set_new(o, "defines", make_strings(run->defines, run->define_count));
  json_object_set_new(o, "ltl", make_strings(run->ltl, run->ltl_count));
  json_object_set_new(o, "non_progress", json_boolean(run->non_progress));
  json_object_set_new(o, "program", make_program(run->program));
  json_object_set_new(o, "plan", report_json_string(run->plan));
  json_object_set_new(o, "merge", json_boolean(run->merge));
  json_object_set_new(o, "dead_variables", json_boolean(run->dead));
  json_object_set_new(o, "deadlock", json_string(report_deadlock(run->deadlock)));
  json_object_set_new(o, "while_limit", json_integer((json_int_t)run->while_limit));
  json_object_set_new(o, "seed", json_integer((json_int_t)run->seed));
  json_object_set_new(o, "native", json_boolean(run->native));
  json_object_set_new(o, "deterministic", json_boolean(run->deterministic));
}

static bool dump(FILE *out, json_t *o) {
  bool good = json_dumpf(o, out, JSON_INDENT(2)) == 0 && fputc('\n', out) != EOF;
  json_decref(o);
  return good;
}

bool report_json_result(FILE *out, const struct report_run *run, const struct result *r,
                        const struct replay *replays) {
  const struct ir_model *m = run->model;
  json_t *o = make_head(run);
  json_object_set_new(o, "language", report_json_string(run->language));
  json_object_set_new(o, "engine", report_json_string(r->engine));
  json_object_set_new(o, "search", report_json_string(r->search));
  json_object_set_new(o, "store", report_json_string(r->store));
  json_object_set_new(o, "symmetry", json_string(run->symmetry ? "on" : "off"));
  json_object_set_new(o, "symmetry_aside", report_json_string(run->symmetry_aside));
  json_object_set_new(o, "por", json_string(run->por ? "on" : "off"));
  json_object_set_new(o, "por_aside", report_json_string(run->por_aside));
  json_object_set_new(o, "cycles", make_cycles(run->cycles));
  json_object_set_new(o, "verdict", json_string(verdict_name(r->verdict)));
  json_object_set_new(o, "reason", report_json_string(r->reason));
  json_object_set_new(o, "note", report_json_string(r->note));
  json_object_set_new(o, "store_note", report_json_string(r->store_note));
  add_run(o, run);
  json_object_set_new(o, "properties", make_properties(m, r));
  json_object_set_new(o, "leaves", make_count(m->layout->count));
  json_object_set_new(o, "stats", make_stats(r));
  json_object_set_new(o, "bounded", make_bounded(run->bounded, r));
  report_json_reasoning(o, run);
  report_json_hints(o, run->hints);
  json_object_set_new(o, "survey", run->stats ? make_survey(m, &r->survey) : json_null());
  json_object_set_new(o, "trace",
                      r->traces.count > 0 ? report_json_trace(m, r->traces.data, replays)
                                          : json_null());
  json_t *more = json_array();
  for (size_t i = 1; i < r->traces.count; i++)
    json_array_append_new(more, report_json_trace(m, &r->traces.data[i], &replays[i]));
  json_object_set_new(o, "more_traces", more);
  return dump(out, o);
}

bool report_json_errors(FILE *out, const struct report_run *run, const struct diag *d) {
  json_t *o = make_head(run), *errors = json_array();
  for (size_t i = 0; i < d->count; i++) {
    const struct diag_entry *e = &d->entries[i];
    if (e->level != DIAG_ERROR) continue;
    json_t *error = json_object();
    const struct source *s = e->span.source;
    json_object_set_new(error, "file", report_json_string(s != NULL ? s->path : run->path));
    json_object_set_new(error, "line", json_integer(e->span.line));
    json_object_set_new(error, "column", json_integer(e->span.column));
    json_object_set_new(error, "message", report_json_string(e->message));
    json_array_append_new(errors, error);
  }
  json_object_set_new(o, "verdict", json_string("error"));
  json_object_set_new(o, "errors", errors);
  return dump(out, o);
}
