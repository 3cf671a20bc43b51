// SPDX-License-Identifier: Apache-2.0
// Results read back from JSON for `fathom replay`. The file may be anybody's.
#include "report/json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

// The automaton's states stand at the start and at every step.
static void read_claims(struct reader *r, const json_t *start, const json_t *steps,
                        struct trace *t) {
  if (json_object_get(start, "automaton") == NULL) return;
  VEC_PUSH(&t->claims, (uint32_t)read_integer(r, start, "automaton", UINT32_MAX));
  for (size_t i = 0; i < json_array_size(steps); i++) {
    const json_t *s = json_array_get(steps, i);
    VEC_PUSH(&t->claims, (uint32_t)read_integer(r, s, "automaton", UINT32_MAX));
  }
}

// The choice of a step: its number, or where its values are, which are then put there.
static uint32_t read_choice(struct reader *r, const json_t *step, struct trace *t) {
  const json_t *values = json_object_get(step, "values");
  uint32_t number = (uint32_t)read_integer(r, step, "choice", UINT32_MAX);
  if (values == NULL) return number;
  number = (uint32_t)t->values.count;
  for (size_t i = 0; i < json_array_size(values); i++) {
    const json_t *v = json_array_get(values, i);
    if (!json_is_integer(v)) complain(r, "\"values\" holds something else than integers");
    VEC_PUSH(&t->values, (int64_t)json_integer_value(v));
  }
  return number;
}

static struct trace read_trace(struct reader *r, const json_t *o) {
  struct trace t = {0};
  const json_t *start = json_object_get(o, "start_rule"), *end = json_object_get(o, "end");
  const json_t *steps = json_object_get(o, "steps"), *loop = json_object_get(o, "loop_start");
  t.start_instance = (uint32_t)read_integer(r, start, "instance", UINT32_MAX);
  t.start_choice = read_choice(r, start, &t);
  if (!json_is_array(steps)) complain(r, "a trace has no list of steps");
  for (size_t i = 0; i < json_array_size(steps); i++) {
    const json_t *s = json_array_get(steps, i);
    struct trace_step step;
    step.instance = (uint32_t)read_integer(r, s, "instance", UINT32_MAX);
    step.choice = read_choice(r, s, &t);
    VEC_PUSH(&t.steps, step);
  }
  read_claims(r, start, steps, &t);
  t.has_loop = json_is_integer(loop);
  if (t.has_loop) t.loop_start = read_integer(r, o, "loop_start", t.steps.count);
  t.end = (enum trace_end)read_name(r, end, "kind", report_json_ends, REPORT_JSON_ENDS);
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

// A list of strings, which may be missing.
#define READ_STRINGS(r, o, key, out)                                                               \
  do {                                                                                             \
    const json_t *list = json_object_get((o), (key));                                              \
    for (size_t i_ = 0; i_ < json_array_size(list); i_++)                                          \
      VEC_PUSH((out), read_element((r), list, i_, (key)));                                         \
  } while (0)

static char *read_element(struct reader *r, const json_t *list, size_t i, const char *key) {
  const char *s = json_string_value(json_array_get(list, i));
  if (s == NULL) complain(r, "\"%s\" holds something else than strings", key);
  return mem_strdup(s != NULL ? s : "");
}

static void read_result(struct reader *r, const json_t *o, struct report_saved *saved) {
  if (strcmp(read_string(r, o, "schema"), REPORT_JSON_SCHEMA) != 0)
    complain(r, "its schema is not %s", REPORT_JSON_SCHEMA);
  saved->version = mem_strdup(read_string(r, o, "fathom"));
  saved->path = mem_strdup(read_string(r, o, "model"));
  read_traces(r, o, saved);
  saved->language = mem_strdup(read_string(r, o, "language"));
  saved->model_hash = strtoull(read_string(r, o, "model_hash"), NULL, 16);
  saved->while_limit = read_integer(r, o, "while_limit", INT64_MAX);
  const char *plan = json_string_value(json_object_get(o, "plan"));
  saved->plan = plan != NULL ? mem_strdup(plan) : NULL;
  saved->merge = json_is_true(json_object_get(o, "merge"));
  saved->dead = json_is_true(json_object_get(o, "dead_variables"));
  saved->deadlock = (int)read_name(r, o, "deadlock", report_json_deadlocks, REPORT_JSON_DEADLOCKS);
  READ_STRINGS(r, o, "defines", &saved->defines);
  READ_STRINGS(r, o, "ltl", &saved->ltl);
  saved->non_progress = json_is_true(json_object_get(o, "non_progress"));
  const json_t *program = json_object_get(o, "program");
  if (!json_is_object(program)) return;
  saved->checks = mem_strdup(read_string(r, program, "checks"));
  saved->recursion = read_integer(r, program, "recursion", UINT32_MAX);
  saved->heap = read_integer(r, program, "heap", UINT32_MAX);
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
  mem_free(saved->plan);
  mem_free(saved->checks);
  for (size_t i = 0; i < saved->defines.count; i++) mem_free(saved->defines.data[i]);
  for (size_t i = 0; i < saved->ltl.count; i++) mem_free(saved->ltl.data[i]);
  VEC_CLEAR(&saved->ltl);
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
  static const char *const keys[] = {"rule", "agent", "changes", "prints", "automaton"};
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
  json_t *done = report_json_trace(m, &saved->traces.data[trace], replay);
  struct reader r = {0};
  compare_step(&r, "the start", json_object_get(said, "start_rule"),
               json_object_get(done, "start_rule"));
  compare(&r, "the start state", "start", said, done);
  compare_steps(&r, json_object_get(said, "steps"), json_object_get(done, "steps"));
  json_decref(done);
  *why = r.why;
  return r.why == NULL;
}
