// SPDX-License-Identifier: Apache-2.0
// The C generated for the samples in tests/golden is what stands beside them. After a change that
// is meant, FATHOM_UPDATE_GOLDEN=1 rewrites them; then read the difference.
#include "agree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *path_of(const char *name, const char *end) {
  struct text t = {0};
  text_printf(&t, "%s/tests/golden/%s%s", FATHOM_SOURCE_DIR, name, end);
  return t.data;
}

static void print_sample(struct text *out, const char *name) {
  struct diag d = {0};
  const char *why = NULL;
  char *path = path_of(name, ".ir");
  struct source *s = source_read(path, &why);
  if (!s) fail_msg("%s: %s", path, why);
  struct ir_model *m = ir_parse_model(s, &d);
  if (!m) {
    diag_print(&d, stderr, false);
    fail_msg("%s does not parse", path);
  }
  if (!m->layout) finish_model(m);
  sys_print_c(out, m);
  ir_model_free(m);
  diag_clear(&d);
  mem_free(path);
}

static void write_file(const char *path, const struct text *t) {
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(text_str(t), f);
  assert_int_equal(fclose(f), 0);
}

static void check_sample(const char *name) {
  struct text now = {0};
  const char *why = NULL;
  char *path = path_of(name, ".c");
  print_sample(&now, name);
  if (getenv("FATHOM_UPDATE_GOLDEN")) write_file(path, &now);
  struct source *golden = source_read(path, &why);
  if (!golden) fail_msg("%s: %s", path, why);
  if (strcmp(golden->text, text_str(&now)) != 0)
    fail_msg("the generated code differs from %s:\n%s", path, text_str(&now));
  source_free(golden);
  text_clear(&now);
  mem_free(path);
}

static void test_mutex(void **state) {
  (void)state;
  check_sample("mutex");
}

static void test_values(void **state) {
  (void)state;
  check_sample("values");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_mutex), cmocka_unit_test(test_values)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
