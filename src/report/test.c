// SPDX-License-Identifier: Apache-2.0
// A C file that gives a program the inputs of a violation, so that it fails for real: the functions
// that it calls for inputs, each handing out its values in order. It includes nothing, so that it
// may define any of them, and stands first on the command line: with -z muldefs what it defines is
// taken, also where the program has a body of its own (which the check did not look at, either).
#include "report/format.h"
#include "report/place.h"
#include "report/report.h"

#include "ir/ir.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

static const char nondet[] = "__VERIFIER_nondet_";

// What the functions of SV-COMP give, by the end of their names.
static const struct {
  const char *suffix, *type;
} known[] = {
    {"bool", "_Bool"},
    {"char", "char"},
    {"uchar", "unsigned char"},
    {"schar", "signed char"},
    {"short", "short"},
    {"ushort", "unsigned short"},
    {"int", "int"},
    {"uint", "unsigned"},
    {"unsigned", "unsigned"},
    {"unsigned_int", "unsigned"},
    {"unsigned_char", "unsigned char"},
    {"long", "long"},
    {"ulong", "unsigned long"},
    {"longlong", "long long"},
    {"ulonglong", "unsigned long long"},
    {"size_t", "unsigned long"},
    {"loff_t", "long"},
    {"sector_t", "unsigned long"},
    {"u8", "unsigned char"},
    {"u16", "unsigned short"},
    {"u32", "unsigned"},
    {"u64", "unsigned long"},
    {"int8", "signed char"},
    {"int16", "short"},
    {"int32", "int"},
    {"int64", "long"},
    {"uint8", "unsigned char"},
    {"uint16", "unsigned short"},
    {"uint32", "unsigned"},
    {"uint64", "unsigned long"},
    {"int8_t", "signed char"},
    {"int16_t", "short"},
    {"int32_t", "int"},
    {"int64_t", "long"},
    {"uint8_t", "unsigned char"},
    {"uint16_t", "unsigned short"},
    {"uint32_t", "unsigned"},
    {"uint64_t", "unsigned long"},
    {"float", "float"},
    {"double", "double"},
    {"pointer", "void *"},
    {"pchar", "char *"},
};

struct function {
  char *name;
  const struct ir_type *type; // NULL: not known
};

struct writer {
  FILE *out;
  const struct report_run *run;
  struct report_inputs inputs;
  VEC(struct function) functions; // that the program calls for inputs
};

static const char *machine_type(const struct ir_type *t) {
  static const char *const types[2][4] = {
      {"unsigned char", "unsigned short", "unsigned", "unsigned long"},
      {"signed char", "short", "int", "long"}};
  if (t == NULL || t->kind == IR_TYPE_BOOL) return t == NULL ? "int" : "_Bool";
  if (t->kind != IR_TYPE_INT) return t->lo >= INT32_MIN && t->hi <= INT32_MAX ? "int" : "long";
  return types[t->is_signed][t->bits <= 8 ? 0 : t->bits <= 16 ? 1 : t->bits <= 32 ? 2 : 3];
}

static const char *type_of(const struct function *f) {
  bool is_known = strncmp(f->name, nondet, strlen(nondet)) == 0;
  for (size_t i = 0; is_known && i < sizeof known / sizeof *known; i++)
    if (strcmp(f->name + strlen(nondet), known[i].suffix) == 0) return known[i].type;
  return machine_type(f->type);
}

// ---------------------------------------------------------------------------------------------
// Which functions there are

static void add_function(struct writer *w, const char *name, size_t length,
                         const struct ir_type *type) {
  for (size_t i = 0; i < w->functions.count; i++) {
    const char *other = w->functions.data[i].name;
    if (strlen(other) == length && memcmp(other, name, length) == 0) return;
  }
  struct text copy = {0};
  text_add_n(&copy, name, length);
  struct function f = {copy.data, type};
  VEC_PUSH(&w->functions, f);
}

// Those of the model, and those that only its text has: nobody comes to them, but they are linked.
static void find_functions(struct writer *w) {
  const struct ir_model *m = w->run->model;
  for (size_t i = 0; i < m->rules.count; i++) {
    const struct ir_rule *r = m->rules.data[i];
    for (uint32_t k = r->param_count; k < r->param_count + r->choice_count; k++) {
      const struct ir_local *l = r->frame.locals[k];
      if (l->input != NULL) add_function(w, l->input, strlen(l->input), l->type);
    }
  }
  for (size_t i = 0; i < m->sources.count; i++) {
    const char *at = m->sources.data[i]->text;
    while ((at = strstr(at, nondet)) != NULL) {
      size_t length = strlen(nondet);
      while (isalnum((unsigned char)at[length]) || at[length] == '_') length++;
      if (length > strlen(nondet)) add_function(w, at, length, NULL);
      at += length;
    }
  }
}

// ---------------------------------------------------------------------------------------------
// Writing

static bool checks(const struct report_run *run, const char *what) {
  return run->program != NULL && strstr(run->program->checks, what) != NULL;
}

// What makes the error one at run time.
static const char *sanitizers(const struct report_run *run, enum ir_fault fault) {
  bool called = fault == IR_FAULT_ASSERT || fault == IR_FAULT_ERROR;
  (void)run;
  if (called) return "";
  if (fault == IR_FAULT_UNDEFINED) return " -fsanitize=memory -fno-sanitize-recover=all";
  return " -fsanitize=address,undefined -fno-sanitize=shift -fno-sanitize-recover=all";
}

// The model's file as the shell is to see it.
static void add_word(struct text *out, const char *word) {
  bool plain = *word != '\0' && word[strspn(word, "abcdefghijklmnopqrstuvwxyz"
                                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                                  "0123456789_-+=./,:@%")] == '\0';
  if (plain) {
    text_add(out, word);
    return;
  }
  text_char(out, '\'');
  for (; *word != '\0'; word++) {
    if (*word == '\'') text_add(out, "'\\''");
    if (*word != '\'') text_char(out, *word);
  }
  text_char(out, '\'');
}

static void write_head(struct writer *w, const struct trace *t, const char *path) {
  const struct report_run *run = w->run;
  struct text what = {0}, place = {0}, words = {0};
  enum ir_fault fault =
      t->end == TRACE_SITE ? run->model->sites.data[t->id].fault : IR_FAULT_ASSERT;
  format_violation(&what, run->model, t);
  format_place(&place, format_violation_span(run->model, t));
  for (char *c = what.data; c != NULL && *c != '\0'; c++)
    if (*c == '\n' || *c == '\\') *c = ' ';
  const char *with = sanitizers(run, fault);
  text_printf(&words, "%s -g -O0%s%s", *with != '\0' ? "clang" : "cc",
              checks(run, "overflow") ? "" : " -fwrapv", with);
  for (size_t i = 0; i < run->define_count; i++) {
    text_add(&words, " -D ");
    add_word(&words, run->defines[i]);
  }
  text_add(&words, " -Wl,-z,muldefs -o failing ");
  add_word(&words, path);
  text_char(&words, ' ');
  add_word(&words, run->path);
  fprintf(
      w->out,
      "// Written by Fathom %s. The inputs with which this program fails:\n"
      "//   %s\n//   %s%s%s\n// To see it:\n//   %s && ./failing\n"
      "// It has failed if it says so: reach_error, a failed assertion, a report of a sanitizer.\n",
      run->version, run->path, text_str(&what), place.count > 0 ? " at " : "", text_str(&place),
      text_str(&words));
  text_clear(&what);
  text_clear(&place);
  text_clear(&words);
}

static void write_helpers(FILE *out) {
  fputs("void abort(void);\n"
        "void _exit(int);\n"
        "long write(int, const void *, unsigned long);\n\n"
        "static void fathom_say(const char *s) {\n"
        "  unsigned long n = 0;\n"
        "  while (s[n]) n++;\n"
        "  if (write(2, s, n) < 0) _exit(0);\n"
        "}\n\n"
        "static void fathom_end(const char *why) {\n"
        "  fathom_say(why);\n"
        "  fathom_say(\"\\n\");\n"
        "  _exit(0);\n"
        "}\n\n"
        "static void fathom_more(void) {\n"
        "  static unsigned calls;\n"
        "  if (calls++ == 1000) fathom_end(\"no error, and no inputs any more\");\n"
        "}\n\n"
        "void reach_error(void) {\n"
        "  fathom_say(\"reach_error\\n\");\n"
        "  abort();\n"
        "}\n\n"
        "void __VERIFIER_error(void) { reach_error(); }\n\n"
        "void __VERIFIER_assume(int holds) {\n"
        "  if (!holds) fathom_end(\"an assumption does not hold\");\n"
        "}\n",
        out);
}

// The address of what was lost may still lie where the stack was, and would count as known: so the
// program is run far down the stack, which is then wiped.
static void write_scrub(FILE *out) {
  fputs("\nint main(int, char **);\n"
        "void exit(int);\n"
        "static int fathom_status;\n\n"
        "static void fathom_run(void) {\n"
        "  volatile char space[1 << 16];\n"
        "  space[0] = 0;\n"
        "  fathom_status = main(1, (char *[]){\"failing\", 0});\n"
        "}\n\n"
        "static void fathom_wipe(void) {\n"
        "  volatile char space[1 << 18];\n"
        "  for (unsigned i = 0; i < sizeof space; i++) space[i] = 0;\n"
        "}\n\n"
        "__attribute__((constructor)) static void fathom_begin(void) {\n"
        "  fathom_run();\n"
        "  fathom_wipe();\n"
        "  exit(fathom_status);\n"
        "}\n",
        out);
}

static void write_value(FILE *out, const struct report_input *in) {
  bool wide = in->type->kind == IR_TYPE_INT && in->type->bits == 64;
  if (wide && in->type->is_signed && in->value == INT64_MIN)
    fputs("-9223372036854775807 - 1", out);
  else if (wide && !in->type->is_signed)
    fprintf(out, "%" PRIu64 "u", (uint64_t)in->value);
  else
    fprintf(out, "%" PRId64, in->value);
}

static size_t write_values(struct writer *w, const struct function *f) {
  size_t count = 0;
  for (size_t i = 0; i < w->inputs.list.count; i++) {
    const struct report_input *in = &w->inputs.list.data[i];
    if (strcmp(in->function, f->name) != 0) continue;
    if (count == 0) fprintf(w->out, "  static const %s values[] = {", type_of(f));
    fputs(count == 0 ? "" : count % 16 == 0 ? ",\n      " : ", ", w->out);
    write_value(w->out, in);
    count++;
  }
  if (count > 0) fputs("};\n", w->out);
  return count;
}

static void write_function(struct writer *w, const struct function *f) {
  const char *type = type_of(f);
  bool pointer = type[strlen(type) - 1] == '*';
  fprintf(w->out, "\n%s%s%s(void) {\n", type, pointer ? "" : " ", f->name);
  size_t count = write_values(w, f);
  if (count > 0)
    fprintf(w->out,
            "  static unsigned next;\n"
            "  if (next < %zu) return values[next++];\n",
            count);
  fputs("  fathom_more();\n  return 0;\n}\n", w->out);
}

bool report_test(FILE *out, const struct report_run *run, const struct trace *t, const char *path) {
  struct writer w = {.out = out, .run = run};
  report_inputs_init(&w.inputs, run->model, t);
  find_functions(&w);
  write_head(&w, t, path);
  write_helpers(out);
  if (checks(run, "leak")) write_scrub(out);
  for (size_t i = 0; i < w.functions.count; i++) write_function(&w, &w.functions.data[i]);
  for (size_t i = 0; i < w.functions.count; i++) mem_free(w.functions.data[i].name);
  VEC_CLEAR(&w.functions);
  report_inputs_clear(&w.inputs);
  return !ferror(out);
}
