// SPDX-License-Identifier: Apache-2.0
// Prints what scripts want to know of a result in JSON (file or standard input), on one line:
//   VERDICT STATES RULES STEPS SEARCH_SECONDS COMPILE_SECONDS PROPERTY
// STEPS is "-" without a trace; PROPERTY is the first violated one, or "-". With the name of a
// property behind the file VERDICT is that of this property ("none" if there is none of that name).
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

static const char *string_at(const json_t *o, const char *key) {
  const char *s = json_string_value(json_object_get(o, key));
  return s != NULL ? s : "-";
}

static const char *first_violated(const json_t *result) {
  size_t i;
  json_t *p;
  json_array_foreach(json_object_get(result, "properties"), i, p) {
    if (strcmp(string_at(p, "verdict"), "violated") == 0) return string_at(p, "name");
  }
  return "-";
}

static const char *verdict_of(const json_t *result, const char *name) {
  size_t i;
  json_t *p;
  json_array_foreach(json_object_get(result, "properties"), i, p) {
    if (strcmp(string_at(p, "name"), name) == 0) return string_at(p, "verdict");
  }
  return "none";
}

int main(int argc, char **argv) {
  json_error_t error;
  json_t *r = argc > 1 ? json_load_file(argv[1], 0, &error) : json_loadf(stdin, 0, &error);
  if (r == NULL) {
    fprintf(stderr, "no result: %s\n", error.text);
    return 1;
  }
  const json_t *stats = json_object_get(r, "stats"), *trace = json_object_get(r, "trace");
  printf("%s %" PRId64 " %" PRId64 " ", argc > 2 ? verdict_of(r, argv[2]) : string_at(r, "verdict"),
         (int64_t)json_integer_value(json_object_get(stats, "states")),
         (int64_t)json_integer_value(json_object_get(stats, "transitions")));
  if (json_is_object(trace))
    printf("%" PRId64 " ", (int64_t)json_integer_value(json_object_get(trace, "length")));
  else
    printf("- ");
  printf("%.3f %.3f %s\n", json_number_value(json_object_get(stats, "seconds")),
         json_number_value(json_object_get(stats, "compile_seconds")), first_violated(r));
  json_decref(r);
  return 0;
}
