// SPDX-License-Identifier: Apache-2.0
// What the grid compares of a result of `fathom check --json`.
#include "facts.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static char *string_at(const json_t *o, const char *key) {
  const char *s = json_string_value(json_object_get(o, key));
  return mem_strdup(s != NULL ? s : "");
}

static int64_t number_at(const json_t *o, const char *key) {
  return (int64_t)json_integer_value(json_object_get(o, key));
}

// Times, sizes and what follows from them: how many threads took part, and whether the compiler was
// done in time.
static bool varies(const char *key) {
  static const char *const parts[] = {"seconds", "bytes",  "load",      "threads",
                                      "share",   "native", "store_note"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (strstr(key, parts[i]) != NULL) return true;
  return false;
}

static void drop_varying(json_t *o) {
  const char *key;
  void *next;
  json_t *value;
  json_object_foreach_safe(o, next, key, value) {
    if (varies(key)) json_object_del(o, key);
  }
}

// Properties with a search of their own have times, too.
static void drop_varying_of(json_t *r) {
  size_t i;
  json_t *p;
  drop_varying(r);
  drop_varying(json_object_get(r, "stats"));
  drop_varying(json_object_get(r, "cycles"));
  json_array_foreach(json_object_get(r, "properties"), i, p) drop_varying(p);
}

// What was found out about infinite runs.
static char *cyclic_verdicts(const json_t *properties) {
  static const char *const kinds[] = {"ltl", "never", "acceptance", "progress"};
  struct text t = {0};
  size_t i;
  json_t *p;
  json_array_foreach(properties, i, p) {
    char *kind = string_at(p, "kind"), *name = string_at(p, "name"),
         *said = string_at(p, "verdict");
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
      if (strcmp(kind, kinds[k]) == 0 && strcmp(said, "unknown") != 0)
        text_printf(&t, "%s%s %s", t.count > 0 ? ", " : "", name, said);
    mem_free(kind);
    mem_free(name);
    mem_free(said);
  }
  char *verdicts = mem_strdup(text_str(&t));
  text_clear(&t);
  return verdicts;
}

bool facts_read(struct facts *f, const struct text *json) {
  json_t *r = json_loadb(text_str(json), json->count, 0, NULL);
  if (r == NULL) return false;
  json_t *stats = json_object_get(r, "stats"), *trace = json_object_get(r, "trace");
  char *symmetry = string_at(r, "symmetry");
  f->verdict = string_at(r, "verdict");
  f->reason = string_at(r, "reason");
  f->states = number_at(stats, "states");
  f->rules = number_at(stats, "transitions");
  f->revisits = number_at(stats, "revisits");
  f->depth = number_at(stats, "depth");
  f->threads = number_at(stats, "threads");
  f->steps =
      json_is_object(trace) ? (int64_t)json_integer_value(json_object_get(trace, "length")) : -1;
  f->cycle = json_is_integer(json_object_get(trace, "loop_start"));
  f->end = string_at(json_object_get(trace, "end"), "kind");
  f->end_id = number_at(json_object_get(trace, "end"), "id");
  f->shortest = json_is_true(
      json_object_get(json_object_get(json_object_get(r, "hints"), "pattern"), "shortest"));
  f->symmetry = strcmp(symmetry, "on") == 0;
  f->reduced = number_at(stats, "reduced") > 0;
  f->cyclic = cyclic_verdicts(json_object_get(r, "properties"));
  f->doubted = json_is_string(json_object_get(r, "symmetry_aside"));
  mem_free(symmetry);
  drop_varying_of(r);
  char *text = json_dumps(r, JSON_INDENT(1) | JSON_SORT_KEYS);
  f->same = mem_strdup(text);
  free(text);
  json_decref(r);
  return true;
}

void facts_clear(struct facts *f) {
  mem_free(f->verdict);
  mem_free(f->reason);
  mem_free(f->end);
  mem_free(f->cyclic);
  mem_free(f->same);
  *f = (struct facts){0};
}

bool facts_complete(const struct facts *f) {
  return strcmp(f->verdict, "holds") == 0 || (strcmp(f->verdict, "violated") == 0 && f->steps < 0);
}
