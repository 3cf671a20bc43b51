// SPDX-License-Identifier: Apache-2.0
// The text of formulas: what is an atom and what an operator, in each style; errors and where they
// are; what is printed reads back; any bytes at all.
#include "ltl/ltl.h"

#include "random_ltl.h"

// cmocka wants these first
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

// A reader that takes any text as an atom, but none that begins with "bad".
struct atoms {
  struct diag *diag;
  char *names[64];
  uint32_t count;
};

static const char *at(const struct source *s, uint32_t line, uint32_t column) {
  const char *p = s->text;
  while (--line) p = strchr(p, '\n') + 1;
  return p + column - 1;
}

static bool read_atom(void *context, struct span span, uint32_t *atom) {
  struct atoms *a = context;
  const char *start = at(span.source, span.line, span.column);
  size_t bytes = (size_t)(at(span.source, span.end_line, span.end_column) - start);
  assert_true(bytes > 0 && start + bytes <= span.source->text + span.source->bytes);
  if (bytes >= 3 && memcmp(start, "bad", 3) == 0) {
    diag_error(a->diag, span, "a bad atom");
    return false;
  }
  for (*atom = 0; *atom < a->count; ++*atom)
    if (strlen(a->names[*atom]) == bytes && memcmp(a->names[*atom], start, bytes) == 0) return true;
  if (a->count == 64) return *atom = 64, true;
  a->names[a->count] = mem_zalloc(bytes + 1, 1);
  memcpy(a->names[a->count++], start, bytes);
  return true;
}

// Parses; prints into `out` if there is a formula.
static bool parse(const char *text, size_t bytes, enum ltl_style style, struct diag *d,
                  struct source **source, struct text *out) {
  struct ltl_factory *f = ltl_factory_new();
  struct atoms atoms = {.diag = d};
  struct ltl_reader r = {.atom = read_atom, .context = &atoms, .style = style};
  *source = source_from_text("formula", text, bytes);
  const struct ltl *x = ltl_parse(f, *source, &r, d);
  assert_int_equal(x == NULL, d->errors > 0);
  const char *names[64];
  for (uint32_t i = 0; i < atoms.count; i++) names[i] = atoms.names[i];
  if (x && out) ltl_print(out, x, names);
  for (uint32_t i = 0; i < atoms.count; i++) mem_free(atoms.names[i]);
  ltl_factory_free(f);
  return x;
}

struct row {
  const char *text, *expected;
};

static void check_rows(enum ltl_style style, const struct row *rows, size_t count) {
  for (size_t i = 0; i < count; i++) {
    struct diag d = {0};
    struct source *s;
    struct text out = {0};
    if (!parse(rows[i].text, strlen(rows[i].text), style, &d, &s, &out))
      fail_msg("%s: %s", rows[i].text, d.entries[0].message);
    if (strcmp(text_str(&out), rows[i].expected) != 0)
      fail_msg("%s was read as %s, not %s", rows[i].text, text_str(&out), rows[i].expected);
    text_clear(&out);
    diag_clear(&d);
    source_free(s);
  }
}
#define CHECK_ROWS(style, rows) check_rows(style, rows, sizeof rows / sizeof *rows)

static void test_operators(void **unused) {
  static const struct row rows[] = {
      {"p", "p"},
      {"true", "true"},
      {"!(true) && x", "!true && x"},
      {"TRUE && x == true", "\"TRUE && x == true\""},
      {"[] p", "[]p"},
      {"[]<>p", "[]<>p"},
      {"G F p", "[]<>p"},
      {"always eventually p", "[]<>p"},
      {"X p", "X p"},
      {"next p", "X p"},
      {"p U q", "p U q"},
      {"p until q", "p U q"},
      {"p stronguntil q", "p U q"},
      {"p W q", "p W q"},
      {"p weakuntil q", "p W q"},
      {"p V q", "p V q"},
      {"p R q", "p V q"},
      {"p release q", "p V q"},
      {"[] p -> <> q", "[]p -> <>q"},
      {"[] p implies <> q", "[]p -> <>q"},
      {"[] p <-> <> q", "[]p <-> <>q"},
      {"[] p equivalent <> q", "[]p <-> <>q"},
      {"[] p and <> q", "[]p && <>q"},
      {"[] p /\\ <> q", "[]p && <>q"},
      {"[] p or <> q", "[]p || <>q"},
      {"[] p \\/ <> q", "[]p || <>q"},
      {"not [] p", "![]p"},
      {"![]p", "![]p"},
      // SPIN's precedence, and all lean to the left
      {"[]p && <>q || []r -> <>s", "(([]p && <>q) || []r) -> <>s"},
      {"[]p -> []q -> []r", "([]p -> []q) -> []r"},
      {"p U q U r", "(p U q) U r"},
      {"p U q && r U s", "(p U q) && (r U s)"},
      {"!p U q", "!p U q"},
      {"[]p U q", "[]p U q"},
      {"[](p U q)", "[](p U q)"},
      {"((([]p)))", "[]p"},
      {"[] /* a comment */ p // another", "[]p"},
  };
  CHECK_ROWS(LTL_STYLE_C, rows);
  (void)unused;
}

static void test_atoms_c(void **unused) {
  static const struct row rows[] = {
      {"[] x == 1", "[]\"x == 1\""},
      {"P@cs && len(q) > 0", "\"P@cs && len(q) > 0\""},
      {"[] (P@cs && len(q) > 0)", "[]\"P@cs && len(q) > 0\""},
      {"! x == 1 U ((p))", "\"! x == 1\" U p"},
      {"!a[X].b U !empty(q)", "!\"a[X].b\" U !\"empty(q)\""},
      {"!(a == 1) U !(a) == 1", "!\"a == 1\" U \"!(a) == 1\""},
      {"!P[0]@cs U !x.y + 1", "!\"P[0]@cs\" U \"!x.y + 1\""},
      {"P@cs && len(q) > 0 -> <> r", "\"P@cs && len(q) > 0\" -> <>r"},
      {"a && b && []c && d", "(\"a && b\" && []c) && d"},
      {"[] !(a && !b) && c", "[]!\"a && !b\" && c"},
      {"p -> q", "p -> q"},
      {"(p -> q) U r", "(p -> q) U r"},
      {"[] ((a -> b : c) == 1)", "[]\"(a -> b : c) == 1\""},
      {"[] (a -> b : c)", "[]\"(a -> b : c)\""},
      {"[] (a -> P:x)", "[](a -> \"P:x\")"},
      {"<> x & 1 == y | z", "<>\"x & 1 == y | z\""},
      {"<> (x + (y)) * 2 > z U w", "<>\"(x + (y)) * 2 > z\" U w"},
      {"[] q?[m]", "[]\"q?[m]\""},
      {"[] c_expr { x == \"}\" && U }", "[]\"c_expr { x == \"}\" && U }\""},
      {"[] a[X U 1] == 2", "[]\"a[X U 1] == 2\""},
      {"[] - x < 3 U y", "[]\"- x < 3\" U y"},
      // words are operators where one can stand
      {"X", "\"X\""},
      {"X == 3", "\"X == 3\""},
      {"[] X > 0 U U", "[]\"X > 0\" U \"U\""},
      {"U U V", "\"U\" U \"V\""},
      {"x.U U y.X", "\"x.U\" U \"y.X\""},
      {"P@U U q", "\"P@U\" U q"},
      {"x == F", "\"x == F\""},
      {"F [1]", "\"F [1]\""},
      {"G X", "[]\"X\""},
      {"F F F", "<><>\"F\""},
      // quotes take what is inside as it is
      {"[] \"X\" U \"a U b\"", "[]\"X\" U \"a U b\""},
      {"\"a\" && b", "a && b"},
      {"! \"G\"", "!\"G\""},
      {"[]\n  x ==\n 1", "[]\"x ==\n 1\""},
  };
  CHECK_ROWS(LTL_STYLE_C, rows);
  (void)unused;
}

static void test_atoms_murphi(void **unused) {
  static const struct row rows[] = {
      {"Cache[1].State = Shared & forall i : Node do x[i] end",
       "\"Cache[1].State = Shared & forall i : Node do x[i] end\""},
      {"[] forall i : Node do x[i] -> y[i] & z end -> <> q",
       "[]\"forall i : Node do x[i] -> y[i] & z end\" -> <>q"},
      {"exists i : N do forall j : N do a[i][j] | b endforall end U q",
       "\"exists i : N do forall j : N do a[i][j] | b endforall end\" U q"},
      {"[] (!isundefined(x) -> x = 3)", "[]\"!isundefined(x) -> x = 3\""},
      {"a & b -> c -> <> d", "\"a & b -> c\" -> <>d"},
      {"a & b U c", "a && (b U c)"},
      {"<>a & b | c && d", "((<>a && b) || c) && d"},
      {"<>a & !b | c", "(<>a && !b) || c"},
      {"a \xe2\x88\xa7 b \xe2\x86\x92 <>c", "\"a \xe2\x88\xa7 b\" -> <>c"},
      {"\xc2\xac []a", "![]a"},
      {"TRUE", "true"},
      {"False U b", "false U b"},
      {"[] a -- to the end of the line\n -> <> b", "[]a -> <>b"},
  };
  CHECK_ROWS(LTL_STYLE_MURPHI, rows);
  static const struct row ir[] = {
      {"[] forall i : T { a[i] & b } U c", "[]\"forall i : T { a[i] & b }\" U c"},
      {"`X` U `a U b` & d", "(\"`X`\" U \"`a U b`\") && d"},
      {"a & b && c", "\"a & b\" && c"},
      {"O p & (q S r)", "once p && (q since r)"},
      {"p T q -> Y Z H p", "(p triggered q) -> previous weakprevious historically p"},
      {"S + 1 = T & <>O", "\"S + 1 = T\" && <>\"O\""},
  };
  CHECK_ROWS(LTL_STYLE_IR, ir);
  static const struct row none[] = {
      {"a & b && !c", "(a && b) && !c"},
      {"f(!x) = !y -> z", "\"f(!x) = !y\" -> z"},
      {"[] a | b", "[]a || b"},
      {"once (a since b)", "once (a since b)"},
      {"T -1 < x && [](O)", "\"T -1 < x\" && []\"O\""},
  };
  CHECK_ROWS(LTL_STYLE_NONE, none);
  (void)unused;
}

static void test_errors(void **unused) {
  static const struct {
    const char *text;
    uint32_t line, column;
    const char *message;
  } rows[] = {
      {"", 1, 1, "the formula is empty; expected an LTL formula"},
      {"[]", 1, 3, "expected a formula, but the formula ends"},
      {"p U", 1, 4, "expected a formula, but the formula ends"},
      {"p && && q", 1, 6, "expected a formula, not '&&'"},
      {"(p", 1, 1, "the parenthesis has no partner"},
      {"p)", 1, 2, "the parenthesis has no partner"},
      {"a[1", 1, 2, "the bracket has no partner"},
      {"a]", 1, 2, "the bracket has no partner"},
      {"a[(1]", 1, 2, "the bracket has no partner"},
      {"[] \"p", 1, 4, "the quoted text does not end"},
      {"[] \"\"", 1, 5, "there is nothing between the quotes"},
      {"p [] q", 1, 3, "expected an operator, not '[]'"},
      {"([]p) == 1", 1, 2, "a temporal operator stands inside a condition"},
      {"len([]p) > 1", 1, 5, "a temporal operator stands inside a condition"},
      {"\"p\" q", 1, 5, "expected an operator, not 'q'"},
      {"[]p\n && bad", 2, 5, "a bad atom"},
      {"()", 1, 2, "expected a formula, not ')'"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct diag d = {0};
    struct source *s;
    assert_false(parse(rows[i].text, strlen(rows[i].text), LTL_STYLE_C, &d, &s, NULL));
    assert_int_equal(d.errors, 1);
    if (strcmp(d.entries[0].message, rows[i].message) != 0 ||
        d.entries[0].span.line != rows[i].line || d.entries[0].span.column != rows[i].column)
      fail_msg("%s: %u:%u: %s", rows[i].text, d.entries[0].span.line, d.entries[0].span.column,
               d.entries[0].message);
    diag_clear(&d);
    source_free(s);
  }
  (void)unused;
}

static void check_many(const char *unit, int count, const char *end, bool fine) {
  struct text t = {0};
  for (int i = 0; i < count; i++) text_add(&t, unit);
  text_add(&t, end);
  struct diag d = {0};
  struct source *s;
  assert_int_equal(parse(t.data, t.count, LTL_STYLE_C, &d, &s, NULL), fine);
  diag_clear(&d);
  source_free(s);
  text_clear(&t);
}

// Nesting is limited, so that no recursion gets too deep.
static void test_limits(void **unused) {
  check_many("[]", 900, "p", true);
  check_many("[]", 100000, "p", false);
  check_many("(", 100000, "p", false);
  check_many("p U ", 100000, "p", false);
  check_many("p && ", 500, "<>p", true);
  check_many("p + ", 100000, "p", true);
  struct text t = {0};
  for (int i = 0; i < 65; i++) text_printf(&t, "<>p%d && ", i);
  text_add(&t, "<>p0");
  struct diag d = {0};
  struct source *s;
  assert_false(parse(t.data, t.count, LTL_STYLE_C, &d, &s, NULL));
  assert_string_equal(d.entries[0].message, "the formulas have more than 64 different conditions");
  diag_clear(&d);
  source_free(s);
  text_clear(&t);
  (void)unused;
}

static bool read_letter(void *context, struct span span, uint32_t *atom) {
  (void)context;
  *atom = (uint32_t)(*at(span.source, span.line, span.column) - 'a');
  return *atom < 5;
}

static void test_round_trip(void **unused) {
  static const char *const names[] = {"a ", "b ", "c ", "d ", "e "}; // so that they are quoted
  struct rng r;
  rng_init(&r, 1);
  for (int i = 0; i < effort(2000); i++) {
    struct ltl_factory *f = ltl_factory_new();
    enum ltl_style style = (enum ltl_style)rng_below(&r, 4);
    bool past = style == LTL_STYLE_IR || style == LTL_STYLE_NONE;
    const struct ltl *x =
        random_formula(f, &r, 1 + (int)rng_below(&r, 20), 5, WITH_NEXT | (past ? WITH_PAST : 0));
    struct text t = {0};
    ltl_print(&t, x, names);
    struct source *s = source_from_text("formula", t.data, t.count);
    struct diag d = {0};
    struct ltl_reader reader = {.atom = read_letter, .style = style};
    if (ltl_parse(f, s, &reader, &d) != x) fail_msg("%s does not read back", t.data);
    diag_clear(&d);
    source_free(s);
    text_clear(&t);
    ltl_factory_free(f);
  }
  (void)unused;
}

static void check_bytes(const struct text *t, struct rng *r) {
  struct diag d = {0};
  struct source *s;
  parse(text_str(t), t->count, (enum ltl_style)rng_below(r, 4), &d, &s, NULL);
  diag_clear(&d);
  source_free(s);
}

// Bytes, and pieces of formulas in any order.
static void test_any_bytes(void **unused) {
  static const char *const pieces[] = {"[]", "<>", "(",  ")",  "[",      "]",   "{",  "}",
                                       "\"", " ",  "p",  "X",  "U",      "W",   "->", "<->",
                                       "&&", "||", "&",  "|",  "!",      "=",   ":",  "a",
                                       "1",  "\n", "/*", "--", "forall", "end", "`",  "not"};
  struct rng r;
  rng_init(&r, 7);
  for (int i = 0; i < effort(20000); i++) {
    struct text t = {0};
    for (uint64_t n = rng_below(&r, 24); n; n--)
      if (i % 2)
        text_char(&t, (char)rng_below(&r, 256));
      else
        text_add(&t, pieces[rng_below(&r, sizeof pieces / sizeof *pieces)]);
    check_bytes(&t, &r);
    text_clear(&t);
  }
  (void)unused;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_operators),    cmocka_unit_test(test_atoms_c),
      cmocka_unit_test(test_atoms_murphi), cmocka_unit_test(test_errors),
      cmocka_unit_test(test_limits),       cmocka_unit_test(test_round_trip),
      cmocka_unit_test(test_any_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
