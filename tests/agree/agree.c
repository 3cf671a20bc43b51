// SPDX-License-Identifier: Apache-2.0
// Loads one model and walks its states breadth-first, comparing interpreter and native code in
// each:
//   agree [--states N | --all] [-D NAME=VALUE]... MODEL
#include "front/murphi/murphi.h"
#include "front/promela/promela.h"
#include "front/smv/smv.h"
#include "ir/ir.h"
#include "random/compare.h"
#include "sys/sys.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STATES_DEFAULT 3000
#define STATES_ALL     100000 // even --all ends here
#define WHILE_LIMIT    1000   // rounds; both must say that a loop is endless

struct options {
  const char *model;
  uint64_t states_max;
  VEC(struct murphi_define) defines;
};

static bool add_define(struct options *o, char *text) {
  char *equals = strchr(text, '=');
  if (equals == NULL) return false;
  *equals = '\0';
  struct murphi_define d = {text, equals + 1};
  VEC_PUSH(&o->defines, d);
  return true;
}

static bool read_options(int argc, char **argv, struct options *o) {
  *o = (struct options){.states_max = STATES_DEFAULT};
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--all") == 0)
      o->states_max = STATES_ALL;
    else if (strcmp(argv[i], "--states") == 0 && i + 1 < argc)
      o->states_max = strtoull(argv[++i], NULL, 10);
    else if (strcmp(argv[i], "-D") == 0 && i + 1 < argc) {
      if (!add_define(o, argv[++i])) return false;
    } else if (argv[i][0] != '-' && o->model == NULL)
      o->model = argv[i];
    else
      return false;
  }
  return o->model != NULL && o->states_max > 0;
}

static struct ir_model *load_promela(const struct options *o, struct source *s, struct diag *d) {
  VEC(struct pml_define) defines = {0};
  for (size_t i = 0; i < o->defines.count; i++) {
    struct pml_define one = {o->defines.data[i].name, o->defines.data[i].value};
    VEC_PUSH(&defines, one);
  }
  const struct promela_config c = {.defines = defines.data, .define_count = defines.count};
  struct ir_model *m = promela_load(s, &c, NULL, d);
  VEC_CLEAR(&defines);
  return m;
}

static struct ir_model *load_smv(const struct options *o, struct source *s, struct diag *d) {
  VEC(struct smv_define) defines = {0};
  for (size_t i = 0; i < o->defines.count; i++) {
    struct smv_define one = {o->defines.data[i].name, o->defines.data[i].value};
    VEC_PUSH(&defines, one);
  }
  struct ir_model *m = smv_load(s, defines.data, defines.count, d);
  VEC_CLEAR(&defines);
  return m;
}

static struct ir_model *load(const struct options *o) {
  const char *why = NULL, *dot = strrchr(o->model, '.');
  struct diag d = {0};
  struct ir_model *m = NULL;
  struct source *s = source_read(o->model, &why);
  if (s == NULL)
    fprintf(stderr, "%s: %s\n", o->model, why);
  else if (dot != NULL && strcmp(dot, ".ir") == 0)
    m = ir_parse_model(s, &d);
  else if (dot != NULL && strcmp(dot, ".pml") == 0)
    m = load_promela(o, s, &d);
  else if (dot != NULL && strcmp(dot, ".smv") == 0)
    m = load_smv(o, s, &d);
  else
    m = murphi_load(s, o->defines.data, o->defines.count, WHILE_LIMIT, &d);
  if (m == NULL) diag_print(&d, stderr, false);
  diag_clear(&d);
  return m;
}

static bool compare(const struct options *o, const struct ir_model *m) {
  struct sys *plain = sys_new(m, &(struct sys_config){.mode = SYS_INTERPRETED});
  struct sys *native = sys_new(m, &(struct sys_config){.mode = SYS_NATIVE});
  struct compare_count n = {0};
  struct text why = {0};
  bool same = native->native;
  if (same)
    same = compare_systems(plain, native, COMPARE_EXACT, o->states_max, &n, &why);
  else
    text_printf(&why, "no native code: %s",
                native->note != NULL ? native->note : "no reason given");
  if (!same) printf("DIFFERENT: %s\n", text_str(&why));
  printf("%s: %" PRIu64 " states (%s), %" PRIu64 " steps, %" PRIu64 " of them faults\n", o->model,
         n.states, n.cut ? "there are more" : "all there are", n.steps, n.faults);
  if (n.steps == 0) printf("nothing to compare: the model has no start\n");
  text_clear(&why);
  sys_free(plain);
  sys_free(native);
  return same && n.steps > 0;
}

// Is there anything to compare? SMV models may have no start, or steps that have no numbers.
static bool has_steps(const struct ir_model *m) {
  if (ir_model_unnumbered(m) != NULL) return false;
  struct sys *plain = sys_new(m, &(struct sys_config){.mode = SYS_INTERPRETED});
  struct sys_out out;
  sys_out_init(&out, plain->words, m->properties.count);
  plain->starts(plain, &out);
  bool some = out.count > 0;
  sys_out_clear(&out);
  sys_free(plain);
  return some;
}

int main(int argc, char **argv) {
  struct options o;
  if (!read_options(argc, argv, &o)) {
    fprintf(stderr, "usage: %s [--states N | --all] [-D NAME=VALUE]... MODEL\n", argv[0]);
    return 1;
  }
  struct ir_model *m = load(&o);
  bool skipped = m != NULL && strcmp(m->language, "smv") == 0 && !has_steps(m);
  if (skipped) printf("SKIPPED: %s: no start, or steps without numbers\n", o.model);
  bool good = m != NULL && (skipped || compare(&o, m));
  if (m != NULL) ir_model_free(m);
  VEC_CLEAR(&o.defines);
  return skipped ? 77 : good ? 0 : 1;
}
