// SPDX-License-Identifier: Apache-2.0
// Runs one model through the grid (search order x interpreter or native code, and decision
// diagrams) and compares with what its leading comments say must come out (docs/testing.md lists
// the keys). Counts are those of all states, one thread; a model with scalarsets runs once more as
// Fathom runs it by itself, with symmetry: the same verdict and length of trace from no more
// states. A key that is not known is an error; so is one that stands below the leading block.
#define _GNU_SOURCE // strcasestr
#include "base/base.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// States past which the interpreter is left out: it would take more than a few seconds.
#define INTERPRETED_MAX 30000
#define UNSTATED        (-1)

// What one run must give.
struct expectation {
  VEC(char *) defines;
  char *verdict; // "holds", "violated", "unknown"
  char *name;    // of the violated property, or why it is unknown; NULL: any
  char *says;    // some text in the result; NULL: any
  int64_t states, rules, trace;
};

struct bad_spot { // an error the model must be refused for
  long line, column;
  char *fragment;
};

struct test {
  const char *fathom, *model;
  VEC(char *) options;
  VEC(struct expectation) runs;
  VEC(struct bad_spot) errors;
  bool scalarsets;    // its text speaks of them
  bool explicit, bdd; // engines that check it
  bool few;           // only some cells
  int failures, cells, skipped;
};

static void __attribute__((format(printf, 2, 3))) fail(struct test *t, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fprintf(stderr, "%s: ", t->model);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
  t->failures++;
}

// ---------------------------------------------------------------------------------------------
// The leading comments

static char *skip_space(char *s) { return s + strspn(s, " \t"); }

// The next word, cut off; *rest moves behind it. A word in double quotes may hold spaces.
static char *take_word(char **rest) {
  char *s = skip_space(*rest);
  if (*s == '\0') return NULL;
  bool quoted = *s == '"';
  if (quoted) s++;
  char *end = s + strcspn(s, quoted ? "\"" : " \t");
  *rest = *end != '\0' ? end + 1 : end;
  *end = '\0';
  return s;
}

static int64_t take_number(struct test *t, const char *key, char **rest) {
  char *word = take_word(rest), *end = NULL;
  int64_t n = word != NULL ? strtoll(word, &end, 10) : 0;
  if (word == NULL || *end != '\0' || n < 0) fail(t, "key %s wants a number", key);
  return n;
}

static void take_expect(struct test *t, struct expectation *e, char **rest) {
  char *word = take_word(rest);
  if (word == NULL ||
      (strcmp(word, "holds") != 0 && strcmp(word, "violated") != 0 && strcmp(word, "unknown") != 0))
    fail(t, "expect: %s is none of holds, violated, unknown", word != NULL ? word : "(nothing)");
  e->verdict = mem_strdup(word != NULL ? word : "");
  *rest = skip_space(*rest);
  if (**rest == '"') e->name = mem_strdup(take_word(rest));
}

// One key with its value; what follows it stays in *rest. False when the key is unknown.
static bool take_key(struct test *t, struct expectation *e, const char *key, char **rest) {
  if (strcmp(key, "expect") == 0)
    take_expect(t, e, rest);
  else if (strcmp(key, "states") == 0)
    e->states = take_number(t, key, rest);
  else if (strcmp(key, "rules") == 0)
    e->rules = take_number(t, key, rest);
  else if (strcmp(key, "trace") == 0)
    e->trace = take_number(t, key, rest);
  else
    return false;
  return true;
}

static const struct expectation nothing = {
    .states = UNSTATED, .rules = UNSTATED, .trace = UNSTATED};

// with: NAME=VALUE... key: value...
static void read_with(struct test *t, char *rest) {
  struct expectation e = nothing;
  for (char *word; (word = take_word(&rest)) != NULL;) {
    size_t n = strlen(word);
    if (strchr(word, '=') != NULL) {
      VEC_PUSH(&e.defines, mem_strdup(word));
    } else if (word[n - 1] == ':') {
      word[n - 1] = '\0';
      if (!take_key(t, &e, word, &rest)) fail(t, "unknown key %s behind with:", word);
    } else {
      fail(t, "with: does not understand %s", word);
    }
  }
  if (e.verdict == NULL) fail(t, "with: lacks expect:");
  if (e.defines.count == 0) fail(t, "with: lacks NAME=VALUE");
  VEC_PUSH(&t->runs, e);
}

static void read_error(struct test *t, char *rest) {
  struct bad_spot spot = {0};
  char *end;
  spot.line = strtol(rest, &end, 10);
  if (*end == ':') spot.column = strtol(end + 1, &end, 10);
  if (spot.line <= 0 || spot.column <= 0) fail(t, "error: wants LINE:COLUMN");
  spot.fragment = mem_strdup(skip_space(end));
  VEC_PUSH(&t->errors, spot);
}

static void read_engines(struct test *t, char *rest) {
  t->explicit = t->bdd = false;
  for (char *word; (word = take_word(&rest)) != NULL;) {
    bool all = strcmp(word, "all") == 0;
    if (all || strcmp(word, "explicit") == 0) t->explicit = true;
    if (all || strcmp(word, "bdd") == 0) t->bdd = true;
  }
  if (!t->explicit && !t->bdd) fail(t, "engines: names neither explicit nor bdd nor all");
}

static void read_key(struct test *t, char *key, char *rest) {
  struct expectation *plain = &t->runs.data[0];
  if (take_key(t, plain, key, &rest)) return;
  if (strcmp(key, "says") == 0)
    plain->says = mem_strdup(skip_space(rest));
  else if (strcmp(key, "with") == 0)
    read_with(t, rest);
  else if (strcmp(key, "error") == 0)
    read_error(t, skip_space(rest));
  else if (strcmp(key, "options") == 0)
    for (char *word; (word = take_word(&rest)) != NULL;) VEC_PUSH(&t->options, mem_strdup(word));
  else if (strcmp(key, "engines") == 0)
    read_engines(t, rest);
  else if (strcmp(key, "rumur") != 0 && strcmp(key, "spin") != 0) // for tests/oracle
    fail(t, "unknown key %s", key);
}

// A comment of Murphi and SMV, or of Promela and the IR's text form.
static bool is_comment(const char *line) {
  return strncmp(line, "-- ", 3) == 0 || strncmp(line, "// ", 3) == 0;
}

// Is this "-- key: value"? Cuts it into the two.
static bool split_key(char *line, char **key, char **value) {
  if (!is_comment(line)) return false;
  size_t n = strspn(line + 3, "abcdefghijklmnopqrstuvwxyz");
  if (n == 0 || line[3 + n] != ':') return false;
  line[3 + n] = '\0';
  *key = line + 3;
  *value = line + 3 + n + 1;
  return true;
}

static bool stray_key(const char *line) {
  static const char *const keys[] = {"expect", "states", "rules",   "trace", "with",   "error",
                                     "says",   "spin",   "options", "rumur", "engines"};
  if (!is_comment(line)) return false;
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    size_t n = strlen(keys[i]);
    if (strncmp(line + 3, keys[i], n) == 0 && line[3 + n] == ':') return true;
  }
  return false;
}

static void read_expectations(struct test *t, const struct source *s) {
  char *text = mem_strdup(s->text), *key, *value, *line = text;
  bool leading = true;
  VEC_PUSH(&t->runs, nothing);
  while (line != NULL) {
    char *next = strchr(line, '\n');
    if (next != NULL) *next++ = '\0';
    if (leading && split_key(line, &key, &value))
      read_key(t, key, value);
    else if (leading = false, stray_key(line))
      fail(t, "an expectation below the leading block: %s", line);
    line = next;
  }
  mem_free(text);
  if (t->runs.data[0].verdict == NULL && t->errors.count == 0) fail(t, "it expects nothing");
}

// ---------------------------------------------------------------------------------------------
// Running fathom

struct cell {
  const char *search, *native;
  bool picks; // symmetry and threads, or what is left out of the model, are left to fathom
  bool bdd;   // by the engine over decision diagrams
};

typedef VEC(char *) arguments;

static void print_command(const arguments *args) {
  for (size_t i = 0; i + 1 < args->count; i++) fprintf(stderr, "%s ", args->data[i]);
  fputc('\n', stderr);
}

// Runs the command, gives its exit status and what it wrote to standard output.
static int run_command(arguments *args, struct text *out) {
  int pipe_ends[2];
  VEC_PUSH(args, NULL);
  if (pipe(pipe_ends) != 0) return -1;
  pid_t child = fork();
  if (child == 0) {
    dup2(pipe_ends[1], STDOUT_FILENO);
    close(pipe_ends[0]);
    execv(args->data[0], args->data);
    fprintf(stderr, "%s: %s\n", args->data[0], strerror(errno));
    _exit(127);
  }
  close(pipe_ends[1]);
  char buffer[65536];
  for (ssize_t n; (n = read(pipe_ends[0], buffer, sizeof buffer)) > 0;)
    text_add_n(out, buffer, (size_t)n);
  close(pipe_ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static json_t *run_fathom(struct test *t, const struct expectation *e, const struct cell *c,
                          int *status) {
  arguments args = {0};
  struct text out = {0};
  const char *const fixed[] = {t->fathom, "check",   t->model,   "--json",
                               "-",       "--quiet", "--search", c->search};
  const char *const engine[] = {"--engine", c->bdd ? "bdd" : "explicit"};
  const char *const native[] = {"--native", c->native};
  const char *const plain[] = {"--symmetry", "off", "--threads", "1"};
  const char *const whole[] = {"--cone", "off"};
  const char *const steps[] = {"--increment", "3"};
  bool bounded = strcmp(c->search, "bounded") == 0;
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) VEC_PUSH(&args, (char *)fixed[i]);
  for (size_t i = 0; i < 2; i++) VEC_PUSH(&args, (char *)engine[i]);
  for (size_t i = 0; !c->bdd && i < 2; i++) VEC_PUSH(&args, (char *)native[i]);
  for (size_t i = 0; bounded && i < sizeof steps / sizeof *steps; i++)
    VEC_PUSH(&args, (char *)steps[i]);
  for (size_t i = 0; !c->picks && i < sizeof plain / sizeof *plain; i++)
    VEC_PUSH(&args, (char *)plain[i]);
  for (size_t i = 0; c->bdd && !c->picks && i < 2; i++) VEC_PUSH(&args, (char *)whole[i]);
  for (size_t i = 0; i < t->options.count; i++) VEC_PUSH(&args, t->options.data[i]);
  for (size_t i = 0; i < e->defines.count; i++) {
    VEC_PUSH(&args, "-D");
    VEC_PUSH(&args, e->defines.data[i]);
  }
  *status = run_command(&args, &out);
  json_error_t error;
  json_t *result = json_loadb(text_str(&out), out.count, 0, &error);
  if (result == NULL) {
    fail(t, "exit status %d, and no JSON (%s) from:", *status, error.text);
    print_command(&args);
  }
  text_clear(&out);
  VEC_CLEAR(&args);
  return result;
}

// ---------------------------------------------------------------------------------------------
// Comparing

static void label_cell(struct text *out, const struct expectation *e, const struct cell *c) {
  if (c->bdd)
    text_printf(out, "[bdd%s", c->picks ? ", cones" : "");
  else
    text_printf(out, "[%s, native %s%s", c->search, c->native, c->picks ? ", symmetry" : "");
  for (size_t i = 0; i < e->defines.count; i++) text_printf(out, ", %s", e->defines.data[i]);
  text_add(out, "]");
}

static const char *string_at(const json_t *o, const char *key) {
  const char *s = json_string_value(json_object_get(o, key));
  return s != NULL ? s : "(none)";
}

static bool property_violated(const json_t *result, const char *name) {
  size_t i;
  json_t *p;
  json_array_foreach(json_object_get(result, "properties"), i, p) {
    if (strcmp(string_at(p, "name"), name) == 0 && strcmp(string_at(p, "verdict"), "violated") == 0)
      return true;
  }
  return false;
}

static void compare_number(struct test *t, const char *label, const char *what, int64_t expected,
                           int64_t found) {
  if (expected != UNSTATED && expected != found)
    fail(t, "%s: %s %" PRId64 ", expected %" PRId64, label, what, found, expected);
}

static int64_t stat_at(const json_t *result, const char *key) {
  return json_integer_value(json_object_get(json_object_get(result, "stats"), key));
}

static void compare_counts(struct test *t, const char *label, const struct expectation *e,
                           const struct cell *c, const json_t *result) {
  int64_t states = stat_at(result, "states"), rules = stat_at(result, "transitions");
  if (!c->picks) {
    compare_number(t, label, "states", e->states, states);
    if (!c->bdd) compare_number(t, label, "rules fired", e->rules, rules);
  } else if (e->states != UNSTATED && e->trace == UNSTATED && states > e->states) {
    fail(t, "%s: %" PRId64 " states, more than the %" PRId64 " there are", label, states,
         e->states);
  }
}

static void compare_says(struct test *t, const char *label, const char *says,
                         const json_t *result) {
  char *text = json_dumps(result, JSON_COMPACT);
  if (strstr(text, says) == NULL) fail(t, "%s: nowhere says \"%s\"", label, says);
  free(text);
}

static int exit_status(const char *verdict) {
  return strcmp(verdict, "holds") == 0 ? 0 : strcmp(verdict, "violated") == 0 ? 10 : 5;
}

static void compare(struct test *t, const char *label, const struct expectation *e,
                    const struct cell *c, const json_t *result, int status) {
  const char *verdict = string_at(result, "verdict");
  const json_t *trace = json_object_get(result, "trace");
  if (strcmp(verdict, e->verdict) != 0)
    fail(t, "%s: %s (%s), expected %s", label, verdict, string_at(result, "reason"), e->verdict);
  if (status != exit_status(verdict)) fail(t, "%s: exit status %d for %s", label, status, verdict);
  bool violated = strcmp(e->verdict, "violated") == 0, bfs = strcmp(c->search, "bfs") == 0;
  // Which of several violations comes first depends on the order; breadth-first has the nearest.
  if (violated && bfs && !c->picks && e->name != NULL && !property_violated(result, e->name))
    fail(t, "%s: property \"%s\" is not violated", label, e->name);
  if (!violated && e->name != NULL && strcmp(string_at(result, "reason"), e->name) != 0)
    fail(t, "%s: reason %s, expected %s", label, string_at(result, "reason"), e->name);
  if (violated && e->trace != UNSTATED && !json_is_object(trace)) fail(t, "%s: no trace", label);
  // How far an unfinished search came, and how long its trace is, depends on its order.
  if (bfs || e->trace == UNSTATED) compare_counts(t, label, e, c, result);
  if (bfs)
    compare_number(t, label, "steps in the trace", e->trace,
                   (int64_t)json_integer_value(json_object_get(trace, "length")));
  if (e->says != NULL) compare_says(t, label, e->says, result);
}

// Returns how many states were stored.
static int64_t run_cell(struct test *t, const struct expectation *e, const struct cell *c) {
  int status;
  int64_t states = INT64_MAX;
  struct text label = {0};
  label_cell(&label, e, c);
  json_t *result = run_fathom(t, e, c, &status);
  if (result != NULL) {
    compare(t, text_str(&label), e, c, result, status);
    states = stat_at(result, "states");
    if (!c->bdd && strcmp(c->native, "on") == 0 && !json_is_true(json_object_get(result, "native")))
      fail(t, "%s: native code was asked for and not used", text_str(&label));
  }
  t->cells++;
  json_decref(result);
  text_clear(&label);
  return states;
}

// Partial order reduction is not for the bounded search.
static bool is_possible(const struct test *t, const char *search) {
  if (strcmp(search, "bounded") != 0) return true;
  for (size_t i = 0; i + 1 < t->options.count; i++)
    if (strcmp(t->options.data[i], "--por") == 0 && strcmp(t->options.data[i + 1], "on") == 0)
      return false;
  return true;
}

// Is the engine in this build?
static bool has_bdd(const struct test *t) {
  arguments args = {0};
  struct text out = {0};
  VEC_PUSH(&args, (char *)t->fathom);
  VEC_PUSH(&args, "help");
  run_command(&args, &out);
  bool there = strstr(text_str(&out), "explicit, bdd") != NULL;
  text_clear(&out);
  VEC_CLEAR(&args);
  return there;
}

// Of a build with sanitizers: what is not in native code, which has none.
static void run_few(struct test *t, const struct expectation *e) {
  static const char *const searches[] = {"bfs", "dfs"};
  if (e->states > INTERPRETED_MAX) {
    t->skipped++;
    return;
  }
  for (size_t i = 0; i < sizeof searches / sizeof *searches; i++)
    if (is_possible(t, searches[i])) run_cell(t, e, &(struct cell){searches[i], "off", false});
  if (t->scalarsets) run_cell(t, e, &(struct cell){"bfs", "off", true});
}

static void run_grid(struct test *t, const struct expectation *e) {
  static const char *const searches[] = {"bfs", "dfs", "bounded"};
  if (t->bdd && has_bdd(t)) {
    run_cell(t, e, &(struct cell){.search = "bfs", .native = "", .bdd = true});
    run_cell(t, e, &(struct cell){.search = "bfs", .native = "", .picks = true, .bdd = true});
  }
  if (!t->explicit) return;
  if (t->few) {
    run_few(t, e);
    return;
  }
  for (size_t i = 0; i < sizeof searches / sizeof *searches; i++) {
    if (!is_possible(t, searches[i])) continue;
    struct cell c = {searches[i], "on", false};
    int64_t states = run_cell(t, e, &c);
    c.native = "off";
    if (states <= INTERPRETED_MAX)
      run_cell(t, e, &c);
    else
      t->skipped++;
    c = (struct cell){searches[i], "auto", true};
    if (t->scalarsets) run_cell(t, e, &c);
  }
}

// ---------------------------------------------------------------------------------------------
// Models that must be refused

static bool error_found(const json_t *errors, const struct bad_spot *spot) {
  size_t i;
  json_t *e;
  json_array_foreach(errors, i, e) {
    if (json_integer_value(json_object_get(e, "line")) == spot->line &&
        json_integer_value(json_object_get(e, "column")) == spot->column &&
        strstr(string_at(e, "message"), spot->fragment) != NULL)
      return true;
  }
  return false;
}

static void run_bad(struct test *t) {
  int status;
  const struct cell c = {"bfs", "off", false};
  json_t *result = run_fathom(t, &nothing, &c, &status);
  const json_t *errors = json_object_get(result, "errors");
  t->cells++;
  if (status != 2) fail(t, "exit status %d, expected 2", status);
  bool all = true;
  for (size_t i = 0; i < t->errors.count; i++) {
    const struct bad_spot *spot = &t->errors.data[i];
    if (error_found(errors, spot)) continue;
    fail(t, "no error at %ld:%ld with \"%s\"", spot->line, spot->column, spot->fragment);
    all = false;
  }
  if (!all && result != NULL) {
    json_dumpf(result, stderr, JSON_INDENT(1));
    fputc('\n', stderr);
  }
  json_decref(result);
}

static void test_clear(struct test *t) {
  for (size_t i = 0; i < t->runs.count; i++) {
    struct expectation *e = &t->runs.data[i];
    for (size_t k = 0; k < e->defines.count; k++) mem_free(e->defines.data[k]);
    VEC_CLEAR(&e->defines);
    mem_free(e->verdict);
    mem_free(e->name);
    mem_free(e->says);
  }
  for (size_t i = 0; i < t->errors.count; i++) mem_free(t->errors.data[i].fragment);
  for (size_t i = 0; i < t->options.count; i++) mem_free(t->options.data[i]);
  VEC_CLEAR(&t->runs);
  VEC_CLEAR(&t->errors);
  VEC_CLEAR(&t->options);
}

int main(int argc, char **argv) {
  if (argc != 3 && (argc != 4 || strcmp(argv[3], "few") != 0)) {
    fprintf(stderr, "usage: %s FATHOM MODEL [few]\n", argv[0]);
    return 1;
  }
  struct test t = {.fathom = argv[1], .model = argv[2], .few = argc == 4};
  const char *why;
  struct source *s = source_read(t.model, &why);
  if (s == NULL) {
    fprintf(stderr, "%s: %s\n", t.model, why);
    return 1;
  }
  t.explicit = true;
  t.bdd = strlen(t.model) > 4 && strcmp(t.model + strlen(t.model) - 4, ".smv") == 0;
  read_expectations(&t, s);
  t.scalarsets = strcasestr(s->text, "scalarset") != NULL;
  if (t.failures == 0 && t.errors.count > 0) run_bad(&t);
  if (t.failures == 0 && t.errors.count == 0)
    for (size_t i = 0; i < t.runs.count; i++) run_grid(&t, &t.runs.data[i]);
  printf("%s: %d runs, %d failures", t.model, t.cells, t.failures);
  if (t.skipped > 0)
    printf(", %d interpreted runs skipped (over %d states)", t.skipped, INTERPRETED_MAX);
  printf("\n");
  source_free(s);
  int failed = t.failures != 0;
  test_clear(&t);
  return failed;
}
