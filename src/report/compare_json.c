// SPDX-License-Identifier: Apache-2.0
// Results of checks read back for `fathom compare`, and its own as JSON (docs/compare.md).
#include "report/compare.h"
#include "report/json.h"

#include <inttypes.h>
#include <string.h>

static char *string_at(const json_t *o, const char *key) {
  const char *s = json_string_value(json_object_get(o, key));
  return s != NULL ? mem_strdup(s) : NULL;
}

static enum verdict verdict_of(const json_t *o) {
  const char *said = json_string_value(json_object_get(o, "verdict"));
  for (int v = VERDICT_HOLDS; said != NULL && v < VERDICT_UNKNOWN; v++)
    if (strcmp(said, verdict_name((enum verdict)v)) == 0) return (enum verdict)v;
  return VERDICT_UNKNOWN;
}

static bool is(const char *s, const char *word) { return s != NULL && strcmp(s, word) == 0; }

static void read_properties(struct report_compared *c, const json_t *list) {
  size_t i;
  json_t *o;
  json_array_foreach(list, i, o) {
    struct report_compared_property p = {
        .name = string_at(o, "name"),
        .kind = string_at(o, "kind"),
        .reason = string_at(o, "reason"),
        .verdict = verdict_of(o),
    };
    if (p.name == NULL) p.name = mem_strdup("?");
    if (p.kind == NULL) p.kind = mem_strdup("?");
    VEC_PUSH(&c->properties, p);
  }
}

static bool is_about_states(const struct report_compared_property *p) {
  return is(p->kind, "invariant") || is(p->kind, "error") || is(p->kind, "deadlock") ||
         is(p->kind, "cover");
}

// All states were seen if the search for states came to its end and found nothing that ends ways.
static bool is_complete(const struct report_compared *c) {
  bool searched = false;
  for (size_t i = 0; i < c->properties.count; i++) {
    const struct report_compared_property *p = &c->properties.data[i];
    if (!is_about_states(p) || is(p->reason, "not selected")) continue;
    bool unreached = is(p->kind, "cover") && p->verdict == VERDICT_VIOLATED;
    if (p->verdict != VERDICT_HOLDS && !unreached) return false;
    searched = searched || is(p->kind, "error");
  }
  return searched;
}

// Does it lead to a bad state, by the shortest way that the search has? Others end in cycles, or
// show what is no state's own.
static bool is_to_state(const struct report_compared *c, const json_t *trace) {
  const json_t *end = json_object_get(trace, "end");
  const char *kind = json_string_value(json_object_get(end, "kind"));
  if (json_is_integer(json_object_get(trace, "loop_start"))) return false;
  if (is(kind, "error") || is(kind, "deadlock")) return true;
  size_t id = (size_t)json_integer_value(json_object_get(end, "id"));
  return is(kind, "property") && id < c->properties.count &&
         is_about_states(&c->properties.data[id]);
}

static void read_length(struct report_compared *c, const json_t *trace) {
  if (!json_is_object(trace) || !is_to_state(c, trace)) return;
  int64_t length = (int64_t)json_integer_value(json_object_get(trace, "length"));
  if (c->length < 0 || length < c->length) c->length = length;
}

// Did the engine leave variables out that nothing depends on?
static bool is_sliced(const json_t *result) {
  const json_t *stats = json_object_get(result, "stats");
  json_int_t kept = json_integer_value(json_object_get(stats, "cone_leaves"));
  return kept > 0 && kept < json_integer_value(json_object_get(result, "leaves"));
}

// Engines and searches that look for what is wrong, and do not go through all states.
static bool is_uncounted(const json_t *result) {
  const json_t *bdd = json_object_get(result, "bdd");
  const json_t *pattern = json_object_get(json_object_get(result, "hints"), "pattern");
  return json_is_object(json_object_get(result, "bmc")) ||
         json_is_object(json_object_get(result, "hybrid")) ||
         json_is_object(json_object_get(bdd, "guided")) ||
         json_is_true(json_object_get(pattern, "proves"));
}

// The explicit engine's astar has shortest traces where its heuristic is one of which that is
// known.
static bool is_shortest(const json_t *result) {
  const json_t *pattern = json_object_get(json_object_get(result, "hints"), "pattern");
  return json_is_true(json_object_get(pattern, "shortest"));
}

static void read_figures(struct report_compared *c, const json_t *stats) {
  c->states = string_at(stats, "states_exact");
  if (c->states == NULL) {
    char digits[32];
    snprintf(digits, sizeof digits, "%" PRId64,
             (int64_t)json_integer_value(json_object_get(stats, "states")));
    c->states = mem_strdup(digits);
  }
  c->depth = (uint64_t)json_integer_value(json_object_get(stats, "depth"));
  c->bytes = (uint64_t)json_integer_value(json_object_get(stats, "peak_bytes"));
  c->seconds = json_number_value(json_object_get(stats, "total_seconds"));
}

bool report_compared_read(struct report_compared *c, const char *json, size_t bytes) {
  json_t *o = json_loadb(json, bytes, 0, NULL);
  bool good = is(json_string_value(json_object_get(o, "schema")), REPORT_JSON_SCHEMA) &&
              json_is_object(json_object_get(o, "stats"));
  if (good) {
    size_t i;
    json_t *trace;
    c->verdict = verdict_of(o);
    c->reason = string_at(o, "reason");
    c->reduced = is(json_string_value(json_object_get(o, "symmetry")), "on") ||
                 is(json_string_value(json_object_get(o, "por")), "on") || is_sliced(o);
    c->shortest = c->shortest || is_shortest(o);
    read_properties(c, json_object_get(o, "properties"));
    read_figures(c, json_object_get(o, "stats"));
    c->complete = is_complete(c);
    if (is_uncounted(o)) {
      mem_free(c->states);
      c->states = NULL;
    }
    c->length = -1;
    read_length(c, json_object_get(o, "trace"));
    json_array_foreach(json_object_get(o, "more_traces"), i, trace) read_length(c, trace);
  }
  json_decref(o);
  return good;
}

// ---------------------------------------------------------------------------------------------

static json_t *make_properties(const struct report_compared *c) {
  json_t *list = json_array();
  for (size_t i = 0; i < c->properties.count; i++) {
    const struct report_compared_property *p = &c->properties.data[i];
    json_t *o = json_object();
    json_object_set_new(o, "name", report_json_string(p->name));
    json_object_set_new(o, "kind", report_json_string(p->kind));
    json_object_set_new(o, "verdict", json_string(verdict_name(p->verdict)));
    json_object_set_new(o, "reason", report_json_string(p->reason));
    json_array_append_new(list, o);
  }
  return list;
}

static json_t *make_run(const struct report_compared *c) {
  json_t *o = json_object();
  json_object_set_new(o, "engine", report_json_string(c->engine));
  json_object_set_new(o, "search", report_json_string(c->search));
  json_object_set_new(o, "store", report_json_string(c->store));
  json_object_set_new(o, "reduction", report_json_string(c->reduction));
  json_object_set_new(o, "problem", report_json_string(c->problem));
  if (c->problem != NULL) {
    json_object_set_new(o, "wrong", json_boolean(c->wrong));
    return o;
  }
  json_object_set_new(o, "verdict", json_string(verdict_name(c->verdict)));
  json_object_set_new(o, "reason", report_json_string(c->reason));
  json_object_set_new(o, "complete", json_boolean(c->complete));
  json_object_set_new(o, "states", report_json_string(c->states));
  json_object_set_new(o, "depth", json_integer((json_int_t)c->depth));
  json_object_set_new(o, "trace_length", c->length >= 0 ? json_integer(c->length) : json_null());
  json_object_set_new(o, "seconds", json_real(c->seconds));
  json_object_set_new(o, "peak_bytes", json_integer((json_int_t)c->bytes));
  json_object_set_new(o, "properties", make_properties(c));
  return o;
}

// One string for each line.
static json_t *make_lines(const char *lines) {
  json_t *list = json_array();
  while (*lines != '\0') {
    size_t length = strcspn(lines, "\n");
    struct text line = {0};
    text_add_n(&line, lines, length);
    json_array_append_new(list, report_json_string(text_str(&line)));
    text_clear(&line);
    lines += length + (lines[length] == '\n');
  }
  return list;
}

bool report_compare_json(FILE *out, const struct report_run *run, const struct report_comparison *c,
                         const char *disagreements) {
  json_t *o = json_object(), *runs = json_array();
  json_object_set_new(o, "schema", json_string("fathom-comparison/1"));
  json_object_set_new(o, "fathom", report_json_string(run->version));
  json_object_set_new(o, "model", report_json_string(run->path));
  json_object_set_new(o, "language", report_json_string(run->language));
  json_object_set_new(o, "verdict", json_string(verdict_name(report_compare_verdict(c))));
  for (size_t k = 0; k < c->count; k++) json_array_append_new(runs, make_run(&c->runs[k]));
  json_object_set_new(o, "runs", runs);
  json_object_set_new(o, "disagreements", make_lines(disagreements));
  bool good = json_dumpf(o, out, JSON_INDENT(2)) == 0 && fputc('\n', out) != EOF;
  json_decref(o);
  return good;
}
