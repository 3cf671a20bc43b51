// SPDX-License-Identifier: Apache-2.0
// What C programs have beside other models: which errors are looked for, by --check or by a
// property file, and the bounds on recursion and heap.
#include "cli/cli.h"

#include "front/c/c.h"

#include <ctype.h>
#include <string.h>

// Options of C programs only; the first that was given.
static const char *given(const struct cli_model_request *r) {
  if (r->check.count > 0) return "check";
  if (r->property_file != NULL) return "property-file";
  if (r->recursion > 0) return "recursion";
  if (r->blocks) return "blocks";
  return r->heap > 0 ? "heap" : NULL;
}

#ifdef FATHOM_C

static const struct {
  unsigned check;
  const char *name;
} names[] = {
    {C_CHECK_BOUNDS, "bounds"}, {C_CHECK_DIV, "div"},       {C_CHECK_OVERFLOW, "overflow"},
    {C_CHECK_NULL, "null"},     {C_CHECK_UNINIT, "uninit"}, {C_CHECK_LEAK, "leak"},
};

// In one line.
static void add_specification(struct text *out, const char *text) {
  bool blank = false;
  for (; *text != '\0'; text++) {
    bool space = isspace((unsigned char)*text) != 0;
    if (!space && blank && out->count > 0) text_char(out, ' ');
    if (!space) text_char(out, *text);
    blank = space;
  }
}

static bool read_property_file(struct cli_program *p, const char *path) {
  const char *problem;
  struct source *s = source_read(path, &problem);
  struct text why = {0};
  bool good = s != NULL && c_property_file(s->text, &p->checks, &why);
  if (s == NULL)
    cli_refuse("--property-file %s: %s", path, problem);
  else if (!good)
    cli_refuse("--property-file %s: %s", path, text_str(&why));
  else
    add_specification(&p->specification, s->text);
  if (s != NULL) source_free(s);
  text_clear(&why);
  return good;
}

static bool read_lists(struct cli_program *p, const struct option_list *lists) {
  struct text why = {0};
  bool good = true;
  for (size_t i = 0; i < lists->count && good; i++) {
    unsigned checks = 0;
    good = c_check_list(lists->data[i], &checks, &why);
    if (!good) cli_refuse("--check: %s", text_str(&why));
    p->checks |= checks;
  }
  text_clear(&why);
  return good;
}

static bool init(struct cli_program *p, const struct cli_model_request *r) {
  if (r->ltl.count > 0) {
    cli_refuse("--ltl: there are no formulas over C programs; state what must hold as assertions");
    return false;
  }
  if (r->property_file != NULL && !read_property_file(p, r->property_file)) return false;
  if (!read_lists(p, &r->check)) return false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (p->checks & names[i].check)
      text_printf(&p->checks_text, "%s%s", p->checks_text.count > 0 ? "," : "", names[i].name);
  p->shows = r->blocks;
  p->report = (struct report_program){
      .checks = text_str(&p->checks_text),
      .recursion = r->recursion > 0 ? r->recursion : C_RECURSION,
      .heap = r->heap > 0 ? r->heap : C_HEAP,
      .specification = p->specification.data,
  };
  return true;
}

// Errors are told when the program is loaded.
static void show_blocks(struct cli_program *p, const struct source *s, const struct c_config *c) {
  struct diag d = {0};
  c_print_blocks(&p->blocks, source_from_text(s->path, s->text, s->bytes), c, &d);
  diag_clear(&d);
}

struct ir_model *cli_program_load(struct cli_program *p, const struct cli_define *defines,
                                  size_t count, struct source *s, struct diag *d) {
  struct c_define *list = mem_zalloc(count + 1, sizeof *list);
  for (size_t i = 0; i < count; i++) list[i] = (struct c_define){defines[i].name, defines[i].value};
  struct c_config config = {
      .defines = list,
      .define_count = count,
      .checks = p->checks,
      .recursion = (uint32_t)p->report.recursion,
      .heap = (uint32_t)p->report.heap,
  };
  if (p->shows) show_blocks(p, s, &config);
  struct ir_model *m = c_load(s, &config, d);
  mem_free(list);
  return m;
}

#else

static bool init(struct cli_program *p, const struct cli_model_request *r) {
  (void)p, (void)r;
  assert(!"a language that is not in this build");
  return false;
}

struct ir_model *cli_program_load(struct cli_program *p, const struct cli_define *defines,
                                  size_t count, struct source *s, struct diag *d) {
  (void)p, (void)defines, (void)count, (void)s, (void)d;
  assert(!"a language that is not in this build");
  return NULL;
}

#endif

bool cli_program_init(struct cli_program *p, const char *language,
                      const struct cli_model_request *r) {
  if (strcmp(language, "c") == 0) return init(p, r);
  if (given(r) == NULL) return true;
  cli_refuse("--%s is for programs in C, and this model is in %s", given(r), language);
  return false;
}

void cli_program_clear(struct cli_program *p) {
  text_clear(&p->checks_text);
  text_clear(&p->specification);
  text_clear(&p->blocks);
}
