// SPDX-License-Identifier: Apache-2.0
// Results as JSON, schema fathom-result/1 (docs/json.md), and back for `fathom replay`.
#include "report/json.h"

#include "report/format.h"

#include "ir/ir.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA "fathom-result/1"

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
  if (type->kind == IR_TYPE_BOOL && value != IR_UNDEF) return json_boolean(value != 0);
  bool fits = type->kind == IR_TYPE_RANGE ||
              (type->kind == IR_TYPE_INT && (type->is_signed || type->bits < 64 || value >= 0));
  if (value == IR_UNDEF && type->kind != IR_TYPE_INT) return json_null();
  if (fits) return json_integer(value);
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

static json_t *make_step(const struct ir_model *m, bool start, uint32_t instance, uint32_t choice) {
  const struct ir_rule *r = format_rule(m, start, instance);
  struct text rule = {0};
  ir_instance_print(&rule, m, start, instance, choice);
  json_t *o = json_object();
  json_object_set_new(o, "rule", take_text(&rule));
  json_object_set_new(o, "agent", make_agent(m, r, start, instance));
  json_object_set_new(o, "span", make_span(r->span));
  json_object_set_new(o, "instance", json_integer(instance));
  json_object_set_new(o, "choice", json_integer(choice));
  return o;
}

static void add_prints(json_t *step, const char *prints) {
  if (prints != NULL && *prints != '\0')
    json_object_set_new(step, "prints", report_json_string(prints));
}

static json_t *make_steps(const struct ir_model *m, const struct trace *t, const struct replay *r) {
  json_t *steps = json_array();
  for (size_t i = 0; i < t->steps.count; i++) {
    json_t *step = make_step(m, false, t->steps.data[i].instance, t->steps.data[i].choice);
    bool reached = i + 1 < r->count;
    json_object_set_new(step, "changes",
                        reached ? make_leaves(m, r->states[i].words, r->states[i + 1].words)
                                : json_object());
    if (reached) add_prints(step, r->states[i + 1].prints);
    json_array_append_new(steps, step);
  }
  return steps;
}

static const char *const end_names[] = {
    [TRACE_PROPERTY] = "property",
    [TRACE_SITE] = "error",
    [TRACE_DEADLOCK] = "deadlock",
    [TRACE_WITNESS] = "witness",
};
#define END_COUNT (sizeof end_names / sizeof *end_names)

static json_t *make_end(const struct ir_model *m, const struct trace *t, const struct replay *r) {
  struct text what = {0};
  format_violation(&what, m, t);
  json_t *o = json_object();
  json_object_set_new(o, "kind", json_string(end_names[t->end]));
  json_object_set_new(o, "id", json_integer(t->id));
  if (t->in_property) json_object_set_new(o, "in_property", json_integer(t->property));
  json_object_set_new(o, "what", take_text(&what));
  json_object_set_new(o, "span", make_span(format_violation_span(m, t)));
  json_object_set_new(o, "why", report_json_string(r->explanation));
  return o;
}

static json_t *make_trace(const struct ir_model *m, const struct trace *t, const struct replay *r) {
  json_t *o = json_object();
  json_t *start = make_step(m, true, t->start_instance, t->start_choice);
  if (r->count > 0) add_prints(start, r->states[0].prints);
  json_object_set_new(o, "start_rule", start);
  json_object_set_new(o, "start",
                      r->count > 0 ? make_leaves(m, NULL, r->states[0].words) : json_object());
  json_object_set_new(o, "steps", make_steps(m, t, r));
  size_t found = t->found_steps > 0 ? t->found_steps : t->steps.count;
  json_object_set_new(o, "found_steps", json_integer((json_int_t)found));
  json_object_set_new(o, "loop_start", t->has_loop ? json_integer(t->loop_start) : json_null());
  json_object_set_new(o, "end", make_end(m, t, r));
  return o;
}

// ---------------------------------------------------------------------------------------------
// The result

static const char *const deadlock_names[] = {
    [IR_DEADLOCK_OFF] = "off",
    [IR_DEADLOCK_STUCK] = "stuck",
    [IR_DEADLOCK_STUTTERING] = "stuttering",
};
#define DEADLOCK_COUNT (sizeof deadlock_names / sizeof *deadlock_names)

const char *report_deadlock(int deadlock) { return deadlock_names[deadlock]; }

static json_t *make_properties(const struct result *r) {
  json_t *list = json_array();
  for (size_t i = 0; i < r->properties.count; i++) {
    const struct property_result *p = &r->properties.data[i];
    json_t *o = json_object();
    json_object_set_new(o, "name", report_json_string(p->name));
    json_object_set_new(o, "kind", report_json_string(p->kind));
    json_object_set_new(o, "verdict", json_string(verdict_name(p->verdict)));
    json_object_set_new(o, "reason", report_json_string(p->reason));
    json_object_set_new(o, "span", make_span(p->span));
    json_array_append_new(list, o);
  }
  return list;
}

static json_t *make_stats(const struct result *r) {
  json_t *o = json_object();
#define COUNTER(name, unit, help)                                                                  \
  json_object_set_new(o, #name, json_integer((json_int_t)r->stats.name));
#define COUNTER_REAL(name, unit, help) json_object_set_new(o, #name, json_real(r->stats.name));
#include "trace/counters.def"
#undef COUNTER
#undef COUNTER_REAL
  json_object_set_new(o, "depth_complete",
                      r->depth_known ? json_integer((json_int_t)r->depth_complete) : json_null());
  json_object_set_new(o, "frontier", json_integer((json_int_t)r->frontier));
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

static json_t *make_head(const struct report_run *run) {
  json_t *o = json_object();
  json_object_set_new(o, "schema", json_string(SCHEMA));
  json_object_set_new(o, "fathom", report_json_string(run->version));
  json_object_set_new(o, "command", report_json_string(run->command));
  json_object_set_new(o, "model", report_json_string(run->path));
  return o;
}

static void add_run(json_t *o, const struct report_run *run) {
  char hash[17];
  snprintf(hash, sizeof hash, "%016" PRIx64, run->model_hash);
  json_t *defines = json_array();
  for (size_t i = 0; i < run->define_count; i++)
    json_array_append_new(defines, report_json_string(run->defines[i]));
  json_object_set_new(o, "model_hash", json_string(hash));
  json_object_set_new(o, "defines", defines);
  json_object_set_new(o, "deadlock", json_string(deadlock_names[run->deadlock]));
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
  json_object_set_new(o, "verdict", json_string(verdict_name(r->verdict)));
  json_object_set_new(o, "reason", report_json_string(r->reason));
  json_object_set_new(o, "note", report_json_string(r->note));
  json_object_set_new(o, "store_note", report_json_string(r->store_note));
  add_run(o, run);
  json_object_set_new(o, "properties", make_properties(r));
  json_object_set_new(o, "stats", make_stats(r));
  json_object_set_new(o, "bounded", make_bounded(run->bounded, r));
  report_json_hints(o, run->hints);
  json_object_set_new(o, "survey", run->stats ? make_survey(m, &r->survey) : json_null());
  json_object_set_new(o, "trace",
                      r->traces.count > 0 ? make_trace(m, r->traces.data, replays) : json_null());
  json_t *more = json_array();
  for (size_t i = 1; i < r->traces.count; i++)
    json_array_append_new(more, make_trace(m, &r->traces.data[i], &replays[i]));
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

// ---------------------------------------------------------------------------------------------
// Reading back

// Walks a file that anybody may have written: the first thing amiss is kept as a sentence.
struct reader {
  char *why;
};

static void __attribute__((format(printf, 2, 3)))
complain(struct reader *r, const char *format, ...) {
  if (r->why != NULL) return;
  struct text t = {0};
  va_list args;
  va_start(args, format);
  text_vprintf(&t, format, args);
  va_end(args);
  r->why = t.data;
}

static const char *read_string(struct reader *r, const json_t *o, const char *key) {
  const char *s = json_string_value(json_object_get(o, key));
  if (s == NULL) complain(r, "\"%s\" is missing or not a string", key);
  return s != NULL ? s : "";
}

static uint64_t read_integer(struct reader *r, const json_t *o, const char *key, uint64_t max) {
  const json_t *v = json_object_get(o, key);
  json_int_t n = json_integer_value(v);
  if (json_is_integer(v) && n >= 0 && (uint64_t)n <= max) return (uint64_t)n;
  complain(r, "\"%s\" is missing or not a number from 0 to %" PRIu64, key, max);
  return 0;
}

static size_t read_name(struct reader *r, const json_t *o, const char *key,
                        const char *const *names, size_t count) {
  const char *s = read_string(r, o, key);
  for (size_t i = 0; i < count; i++)
    if (strcmp(names[i], s) == 0) return i;
  complain(r, "\"%s\" has the unknown value \"%s\"", key, s);
  return 0;
}

static struct trace read_trace(struct reader *r, const json_t *o) {
  struct trace t = {0};
  const json_t *start = json_object_get(o, "start_rule"), *end = json_object_get(o, "end");
  const json_t *steps = json_object_get(o, "steps"), *loop = json_object_get(o, "loop_start");
  t.start_instance = (uint32_t)read_integer(r, start, "instance", UINT32_MAX);
  t.start_choice = (uint32_t)read_integer(r, start, "choice", UINT32_MAX);
  if (!json_is_array(steps)) complain(r, "a trace has no list of steps");
  for (size_t i = 0; i < json_array_size(steps); i++) {
    const json_t *s = json_array_get(steps, i);
    struct trace_step step;
    step.instance = (uint32_t)read_integer(r, s, "instance", UINT32_MAX);
    step.choice = (uint32_t)read_integer(r, s, "choice", UINT32_MAX);
    VEC_PUSH(&t.steps, step);
  }
  t.has_loop = json_is_integer(loop);
  if (t.has_loop) t.loop_start = read_integer(r, o, "loop_start", t.steps.count);
  t.end = (enum trace_end)read_name(r, end, "kind", end_names, END_COUNT);
  t.id = (uint32_t)read_integer(r, end, "id", UINT32_MAX);
  t.in_property = json_object_get(end, "in_property") != NULL;
  if (t.in_property) t.property = (uint32_t)read_integer(r, end, "in_property", UINT32_MAX);
  return t;
}

static void read_traces(struct reader *r, const json_t *o, struct report_saved *saved) {
  const json_t *first = json_object_get(o, "trace"), *more = json_object_get(o, "more_traces");
  if (!json_is_object(first)) complain(r, "it holds no trace");
  VEC_PUSH(&saved->traces, read_trace(r, first));
  for (size_t i = 0; i < json_array_size(more); i++)
    VEC_PUSH(&saved->traces, read_trace(r, json_array_get(more, i)));
}

static void read_result(struct reader *r, const json_t *o, struct report_saved *saved) {
  if (strcmp(read_string(r, o, "schema"), SCHEMA) != 0) complain(r, "its schema is not %s", SCHEMA);
  saved->version = mem_strdup(read_string(r, o, "fathom"));
  saved->path = mem_strdup(read_string(r, o, "model"));
  read_traces(r, o, saved);
  saved->language = mem_strdup(read_string(r, o, "language"));
  saved->model_hash = strtoull(read_string(r, o, "model_hash"), NULL, 16);
  saved->while_limit = read_integer(r, o, "while_limit", INT64_MAX);
  saved->deadlock = (int)read_name(r, o, "deadlock", deadlock_names, DEADLOCK_COUNT);
  const json_t *defines = json_object_get(o, "defines");
  for (size_t i = 0; i < json_array_size(defines); i++) {
    const char *s = json_string_value(json_array_get(defines, i));
    if (s == NULL) complain(r, "\"defines\" holds something else than strings");
    VEC_PUSH(&saved->defines, mem_strdup(s != NULL ? s : ""));
  }
}

bool report_json_read(const struct source *s, struct report_saved *saved, char **why) {
  struct reader r = {0};
  json_error_t error;
  *saved = (struct report_saved){0};
  json_t *o = json_loadb(s->text, s->bytes, 0, &error);
  if (o == NULL)
    complain(&r, "it is not JSON (line %d: %s)", error.line, error.text);
  else
    read_result(&r, o, saved);
  saved->document = o;
  *why = r.why;
  return r.why == NULL;
}

void report_saved_clear(struct report_saved *saved) {
  mem_free(saved->version);
  mem_free(saved->path);
  mem_free(saved->language);
  for (size_t i = 0; i < saved->defines.count; i++) mem_free(saved->defines.data[i]);
  for (size_t i = 0; i < saved->traces.count; i++) trace_clear(&saved->traces.data[i]);
  VEC_CLEAR(&saved->defines);
  VEC_CLEAR(&saved->traces);
  json_decref(saved->document);
  saved->document = NULL;
}

// ---------------------------------------------------------------------------------------------
// Does a file say what the replay did?

#define SAID_MAX 200

// A value as JSON on one line, cut when long.
static void add_value(struct text *out, const json_t *value) {
  char *s = value != NULL ? json_dumps(value, JSON_ENCODE_ANY) : NULL;
  if (s == NULL)
    text_add(out, "nothing");
  else if (strlen(s) <= SAID_MAX)
    text_add(out, s);
  else
    text_printf(out, "%.*s ...", SAID_MAX, s);
  free(s);
}

static void compare(struct reader *r, const char *where, const char *key, const json_t *said,
                    const json_t *done) {
  const json_t *a = json_object_get(said, key), *b = json_object_get(done, key);
  if (r->why != NULL || a == b || json_equal(a, b)) return;
  struct text values = {0};
  add_value(&values, a);
  text_add(&values, ", but the model gives ");
  add_value(&values, b);
  complain(r, "%s: its \"%s\" is %s", where, key, text_str(&values));
  text_clear(&values);
}

static void compare_step(struct reader *r, const char *where, const json_t *said,
                         const json_t *done) {
  static const char *const keys[] = {"rule", "agent", "changes", "prints"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) compare(r, where, keys[i], said, done);
}

static void compare_steps(struct reader *r, const json_t *said, const json_t *done) {
  for (size_t i = 0; i < json_array_size(done) && r->why == NULL; i++) {
    char where[32];
    snprintf(where, sizeof where, "step %zu", i + 1);
    compare_step(r, where, json_array_get(said, i), json_array_get(done, i));
  }
}

bool report_json_agrees(const struct report_saved *saved, size_t trace, const struct ir_model *m,
                        const struct replay *replay, char **why) {
  const json_t *said =
      trace == 0 ? json_object_get(saved->document, "trace")
                 : json_array_get(json_object_get(saved->document, "more_traces"), trace - 1);
  json_t *done = make_trace(m, &saved->traces.data[trace], replay);
  struct reader r = {0};
  compare_step(&r, "the start", json_object_get(said, "start_rule"),
               json_object_get(done, "start_rule"));
  compare(&r, "the start state", "start", said, done);
  compare_steps(&r, json_object_get(said, "steps"), json_object_get(done, "steps"));
  json_decref(done);
  *why = r.why;
  return r.why == NULL;
}
