// SPDX-License-Identifier: Apache-2.0
// Random C programs, run twice: compiled, and by the interpreter of the IR that the front end makes
// of them, with the same inputs. Both must end in the same way with the same checksum.
//   test_c [--first SEED] [--count N] [--level 1..5] [--show]
#include "base/child.h"
#include "front/c/c.h"
#include "ir/eval.h"
#include "random/c/program.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STEPS_MAX = 200000, CHOICES_MAX = 4096 };

struct options {
  uint64_t first, count;
  int level;
  bool show;
};

// --- compiled ---

static bool write_file(const char *path, const char *text) {
  FILE *f = fopen(path, "w");
  if (!f) return false;
  bool good = fputs(text, f) >= 0;
  return fclose(f) == 0 && good;
}

static int run_child(const char *const *argv, int out) {
  int status;
  pid_t pid = child_start(&(struct child){
      .program = argv[0], .argv = (char *const *)argv, .in = -1, .out = out, .err = out});
  if (pid < 0 || waitpid(pid, &status, 0) != pid) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// gcc, so that it is another compiler than ours; where that fails (it has crashed) clang. With
// sanitizers clang: gcc looks at less.
static bool compile(const char *source, const char *extra, const char *binary, bool unsafe) {
  static const char what[] = "-fsanitize=address,bounds,integer-divide-by-zero,"
                             "signed-integer-overflow,null,shift-exponent";
  const char *argv[] = {"gcc", "-w", "-O1", "-fwrapv", "-o", binary, source, extra, NULL};
  const char *const checked[] = {
      "clang", "-w", "-g", "-fno-sanitize-recover=all", what, "-o", binary, source, extra, NULL};
  if (unsafe) return run_child(checked, -1) == 0;
  if (run_child(argv, -1) == 0) return true;
  argv[0] = "clang";
  return run_child(argv, -1) == 0;
}

// How it ended: "end 17", or the line in which a sanitizer found something: "line 5".
static void sum_up(const char *printed, struct text *out) {
  bool ends = !strncmp(printed, "end ", 4) || !strncmp(printed, "error ", 6);
  const char *at = strstr(printed, "program.c:");
  if (ends)
    text_add_n(out, printed, strcspn(printed, "\n"));
  else if (at)
    text_printf(out, "line %d", atoi(at + 10));
}

static bool run_compiled(const char *folder, const struct text *program, uint64_t seed, bool unsafe,
                         struct text *out) {
  struct text harness = {0};
  char source[256], extra[256], binary[256], result[256], buffer[8192] = "";
  snprintf(source, sizeof source, "%s/program.c", folder);
  snprintf(extra, sizeof extra, "%s/harness.c", folder);
  snprintf(binary, sizeof binary, "%s/program", folder);
  snprintf(result, sizeof result, "%s/result", folder);
  c_run_harness(&harness, seed);
  bool good = write_file(source, text_str(program)) && write_file(extra, text_str(&harness));
  text_clear(&harness);
  const char *const run[] = {"timeout", "10", binary, NULL};
  if (!good || !compile(source, extra, binary, unsafe)) return false;
  int fd = open(result, O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (fd < 0) return false;
  run_child(run, fd);
  ssize_t n = pread(fd, buffer, sizeof buffer - 1, 0);
  close(fd);
  buffer[n > 0 ? n : 0] = 0;
  sum_up(buffer, out);
  return out->count > 0;
}

// --- interpreted ---

static int64_t fit(const struct ir_type *t, uint64_t v) {
  if (t->kind == IR_TYPE_BOOL) return v & 1;
  if (t->bits == 64) return (int64_t)v;
  uint64_t ones = ~UINT64_C(0) >> (64 - t->bits);
  v &= ones;
  return (int64_t)(t->is_signed && v >> (t->bits - 1) ? v | ~ones : v);
}

static uint64_t checksum_of(const struct ir_model *m, const uint64_t *state) {
  for (size_t i = 0; i < m->vars.count; i++)
    if (!strcmp(m->vars.data[i]->name, "checksum"))
      return (uint64_t)ir_leaf_get(&m->layout->leaf[m->vars.data[i]->first_leaf], state);
  return 0;
}

static const struct ir_rule *enabled(struct ir_eval *e, const struct ir_model *m,
                                     const int64_t *values, const uint64_t *state) {
  for (size_t i = 0; i < m->rules.count; i++)
    if (ir_eval_guard(e, m->rules.data[i], NULL, values, state) == IR_OK) return m->rules.data[i];
  return NULL;
}

static void say_failure(struct text *out, const struct ir_model *m, struct ir_eval *e,
                        const uint64_t *state) {
  const struct ir_site *s = &m->sites.data[ir_eval_site(e)];
  if (s->fault == IR_FAULT_ERROR && strstr(s->message, "reach_error"))
    text_printf(out, "error %" PRIu64, checksum_of(m, state));
  else if (s->fault == IR_FAULT_LIMIT)
    ir_site_print(out, m, ir_eval_site(e));
  else
    text_printf(out, "line %u", s->span.line);
}

static void run_interpreted(const struct ir_model *m, uint64_t seed, struct text *out) {
  struct ir_eval *e = ir_eval_new(m);
  uint64_t inputs = 0, *state = mem_zalloc(m->start_layout->words + m->layout->words, 8);
  int64_t *values = mem_zalloc(CHOICES_MAX, sizeof *values);
  enum ir_outcome o = ir_eval_body(e, m->starts.data[0], NULL, NULL, state);
  for (unsigned n = 0; o == IR_OK && n < STEPS_MAX; n++) {
    const struct ir_rule *r = enabled(e, m, values, state);
    if (!r) break;
    for (uint32_t i = 0; i < r->choice_count; i++) {
      const struct ir_local *l = r->frame.locals[i];
      values[i] = l->input ? fit(l->type, c_run_input(seed, inputs++)) : 0;
    }
    o = ir_eval_body(e, r, NULL, values, state);
    if (o == IR_DROPPED) text_printf(out, "dropped in %s", r->name);
  }
  if (o == IR_FAILED) say_failure(out, m, e, state);
  if (o == IR_OK) text_printf(out, "end %" PRIu64, checksum_of(m, state));
  mem_free(values);
  mem_free(state);
  ir_eval_free(e);
}

static bool run_model(const struct text *program, uint64_t seed, bool unsafe, struct text *out) {
  struct diag d = {0};
  struct c_config c = {0};
  if (unsafe) c.checks = C_CHECK_BOUNDS | C_CHECK_DIV | C_CHECK_OVERFLOW | C_CHECK_NULL;
  struct text errors = {0};
  struct source *s = source_from_text("program.c", text_str(program), program->count);
  struct ir_model *m = c_load(s, &c, &d);
  if (!m) diag_print(&d, stderr, false);
  bool good = m && ir_check(m, &errors);
  if (m && !good) text_add(out, text_str(&errors));
  if (good) run_interpreted(m, seed, out);
  text_clear(&errors);
  ir_model_free(m);
  diag_clear(&d);
  return good;
}

// --- both ---

static bool trial(const struct options *o, const char *folder, uint64_t seed, int level) {
  struct text program = {0}, compiled = {0}, interpreted = {0};
  c_run_program(&program, seed, level);
  if (o->show) puts(text_str(&program));
  bool unsafe = level == C_RUN_UNSAFE;
  bool good = run_compiled(folder, &program, seed, unsafe, &compiled) &&
              run_model(&program, seed, unsafe, &interpreted) &&
              !strcmp(text_str(&compiled), text_str(&interpreted));
  if (!good)
    printf("seed %" PRIu64 " level %d: compiled \"%s\", interpreted \"%s\"\n", seed, level,
           text_str(&compiled), text_str(&interpreted));
  text_clear(&program);
  text_clear(&compiled);
  text_clear(&interpreted);
  return good;
}

static void parse(struct options *o, int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    const char *next = i + 1 < argc ? argv[i + 1] : "0";
    if (!strcmp(argv[i], "--first")) o->first = strtoull(next, NULL, 10);
    if (!strcmp(argv[i], "--count")) o->count = strtoull(next, NULL, 10);
    if (!strcmp(argv[i], "--level")) o->level = atoi(next);
    if (!strcmp(argv[i], "--show")) o->show = true;
  }
}

int main(int argc, char **argv) {
  struct options o = {.first = 1, .count = 100};
  parse(&o, argc, argv);
  char folder[] = "/tmp/fathom-c-XXXXXX";
  if (!mkdtemp(folder)) return 77;
  uint64_t failures = 0;
  for (uint64_t k = 0; k < o.count; k++) {
    int level = o.level ? o.level : 1 + (int)((o.first + k) % C_RUN_LEVELS);
    failures += !trial(&o, folder, o.first + k, level);
  }
  printf("%" PRIu64 " programs, %" PRIu64 " differ\n", o.count, failures);
  const char *const clean[] = {"rm", "-rf", folder, NULL};
  run_child(clean, -1);
  return failures != 0;
}
