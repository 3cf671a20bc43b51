// SPDX-License-Identifier: Apache-2.0
// Rewriting keeps a formula's meaning: known pairs, and random formulas on random lassos.
#include "ltl/ltl.h"

#include "random_ltl.h"

// cmocka wants these first
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <ctype.h>
#include <string.h>

static bool read_letter(void *context, struct span span, uint32_t *atom) {
  (void)context;
  *atom = (uint32_t)(strchr("pqrst", span.source->text[span.column - 1]) - "pqrst");
  return *atom < 5;
}

static const struct ltl *formula(struct ltl_factory *f, const char *text) {
  // every letter is an atom: connectives are the formula's
  struct text quoted = {0};
  for (const char *c = text; *c; c++) {
    bool letter = strchr("pqrst", *c) && (c == text || !isalpha((unsigned char)c[-1])) &&
                  !isalpha((unsigned char)c[1]);
    text_printf(&quoted, letter ? "\"%c\"" : "%c", *c);
  }
  struct source *s = source_from_text("f", text_str(&quoted), quoted.count);
  struct diag d = {0};
  struct ltl_reader r = {.atom = read_letter, .style = LTL_STYLE_NONE};
  const struct ltl *x = ltl_parse(f, s, &r, &d);
  assert_non_null(x);
  diag_clear(&d);
  source_free(s);
  text_clear(&quoted);
  return x;
}

static void check_rewrite(const char *text, const char *expected) {
  struct ltl_factory *f = ltl_factory_new();
  struct text got = {0};
  ltl_print(&got, ltl_rewrite(f, formula(f, text)), atom_names);
  const struct ltl *wanted = ltl_rewrite(f, formula(f, expected));
  if (ltl_rewrite(f, formula(f, text)) != wanted)
    fail_msg("%s became %s, not %s", text, text_str(&got), expected);
  text_clear(&got);
  ltl_factory_free(f);
}

static void test_known(void **unused) {
  static const char *const pairs[][2] = {
      {"!(p U q)", "!p V !q"},
      {"<><>p", "<>p"},
      {"[]<>[]p", "<>[]p"},
      {"X []<>p", "[]<>p"},
      {"<>(p U q)", "<>q"},
      {"p U (p U q)", "p U q"},
      {"p && !p", "false"},
      {"[]p && <>!p", "false"},
      {"[]p || <>!p", "true"},
      {"[]p && []q", "[](p && q)"},
      {"<>p || <>q", "<>(p || q)"},
      {"<>p && <>(p && q)", "<>(p && q)"},
      {"[](p && <>q)", "[]p && []<>q"},
      {"[]<>(p && <>q)", "[]<>p && []<>q"},
      {"[]<>(p && []q)", "[]<>p && <>[]q"},
      {"<>[](p || <>q)", "<>[]p || []<>q"},
      {"(p U q) && (r U q)", "(p && r) U q"},
      {"(p W q) && <>q", "p U q"},
      {"p U []<>q", "[]<>q"},
      {"(p && []<>q) U r", "(p && []<>q) U r"},
      {"p -> p", "true"},
      {"p <-> p", "true"},
      {"!previous p", "weakprevious !p"},
      {"!once p", "historically !p"},
      {"!(p since q)", "!p triggered !q"},
      {"<>once p || <>once (p && q)", "<>once p"},
  };
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) check_rewrite(pairs[i][0], pairs[i][1]);
  (void)unused;
}

// What NuSMV once got wrong: these must stay apart.
static void test_not_equal(void **unused) {
  static const char *const pairs[][2] = {
      {"[](p || q)", "[]p || []q"},           {"<>(p && q)", "<>p && <>q"},
      {"(p || r) U q", "(p U q) || (r U q)"}, {"[]<>(p && q)", "[]<>p && []<>q"},
      {"<>[](p || q)", "<>[]p || <>[]q"},     {"p W q", "p U q"},
  };
  struct ltl_factory *f = ltl_factory_new();
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    assert_ptr_not_equal(ltl_rewrite(f, formula(f, pairs[i][0])),
                         ltl_rewrite(f, formula(f, pairs[i][1])));
  ltl_factory_free(f);
  (void)unused;
}

static void complain(uint64_t seed, const struct ltl *x, const struct ltl *y) {
  struct text a = {0}, b = {0};
  ltl_print(&a, x, atom_names);
  ltl_print(&b, y, atom_names);
  fail_msg("seed %lu: %s became %s", (unsigned long)seed, text_str(&a), text_str(&b));
}

static void check_random(uint64_t seed, unsigned with) {
  struct rng r;
  rng_init(&r, seed);
  struct ltl_factory *f = ltl_factory_new();
  uint32_t atoms = 1 + (uint32_t)rng_below(&r, 4);
  const struct ltl *x = random_formula(f, &r, 2 + (int)rng_below(&r, 14), atoms, with);
  const struct ltl *y = ltl_rewrite(f, x);
  const struct ltl *z = ltl_rewrite(f, ltl_make(f, LTL_NOT, x, NULL));
  for (int i = 0; i < 40; i++) {
    struct random_lasso l = random_lasso(&r, atoms);
    bool truth = ltl_on_lasso(x, l.states, l.count, l.loop);
    if (ltl_on_lasso(y, l.states, l.count, l.loop) != truth) complain(seed, x, y);
    if (ltl_on_lasso(z, l.states, l.count, l.loop) == truth) complain(seed, x, z);
  }
  ltl_factory_free(f);
}

static void test_random(void **unused) {
  for (int i = 0; i < effort(5000); i++) check_random((uint64_t)i, WITH_NEXT);
  for (int i = 0; i < effort(2000); i++) check_random((uint64_t)i, WITH_NEXT | WITH_PAST);
  (void)unused;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_known), cmocka_unit_test(test_not_equal),
                                     cmocka_unit_test(test_random)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
