// SPDX-License-Identifier: Apache-2.0
// Expressions of the text form over a finished model: what they mean, and where they are refused.
#include "ir/eval.h"
#include "ir/ir.h"

// cmocka wants these first
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const char model[] = "model \"given\" language \"ir\";\n"
                            "type Proc : scalarset(3) from 1;\n"
                            "type State : enum {Idle, Busy, `Sent away`} from 10;\n"
                            "type Cell : record { s : State; n : 0..7; };\n"
                            "var grid : array [Proc] of Cell;\n"
                            "var x : 0..9;\n"
                            "var gap : 0..9;\n"
                            "var flags : u8;\n"
                            "var wide : u64;\n"
                            "var ok : bool;\n"
                            "function twice(a : int) : int { return a * 2; }\n"
                            "function tick() : int { x := x + 1; return x; }\n"
                            "function reset() { x := 0; }\n"
                            "start \"init\" { x := 5; flags := 200:u8; ok := true;\n"
                            "  for p : Proc { grid[p].s := Idle; grid[p].n := 2; } }\n"
                            "rule \"go\" (p : Proc, k : 0..1) when grid[p].s = Idle {\n"
                            "  grid[p].s := Busy; wide := cast(-1, u64); undefine gap; }\n";

static struct {
  struct ir_model *m;
  struct ir_eval *e;
  uint64_t *state;
} t;

static int setup(void **unused) {
  struct diag d = {0};
  t.m = ir_parse_model(source_from_text("t.ir", model, strlen(model)), &d);
  diag_print(&d, stderr, false);
  diag_clear(&d);
  if (!t.m) return -1;
  t.e = ir_eval_new(t.m);
  t.state = mem_zalloc(t.m->layout->words + 1, sizeof *t.state);
  (void)unused;
  return ir_eval_body(t.e, t.m->starts.data[0], NULL, NULL, t.state) == IR_OK ? 0 : -1;
}

static int teardown(void **unused) {
  ir_eval_free(t.e);
  ir_model_free(t.m);
  mem_free(t.state);
  (void)unused;
  return 0;
}

static struct ir_expr *give(const char *text, size_t n, enum ir_want want,
                            const struct ir_rule *scope, struct ir_frame *f, struct diag *d) {
  return ir_parse_expr(t.m, source_from_text("--given", text, n), want, scope, f, d);
}

static struct ir_expr *read_expr(const char *text, enum ir_want want, const struct ir_rule *scope,
                                 struct ir_frame *f) {
  struct diag d = {0};
  struct ir_expr *e = give(text, strlen(text), want, scope, f, &d);
  if (!e) {
    diag_print(&d, stderr, false);
    fail_msg("refused: %s", text);
  }
  diag_clear(&d);
  return e;
}

static void is(const char *text, int64_t value) {
  struct ir_frame f;
  int64_t got = -1;
  const struct ir_expr *e = read_expr(text, IR_WANT_INT, NULL, &f);
  if (ir_eval_int(t.e, &f, e, t.state, &got) != IR_OK) fail_msg("failed: %s", text);
  if (got != value) fail_msg("%lld instead of %lld: %s", (long long)got, (long long)value, text);
}

static void holds(const char *text, bool value) {
  struct ir_frame f;
  bool got = !value;
  const struct ir_expr *e = read_expr(text, IR_WANT_BOOL, NULL, &f);
  assert_int_equal(ir_eval_bool(t.e, &f, e, t.state, &got), IR_OK);
  if (got != value) fail_msg("not %d: %s", value, text);
}

static void fault_of(const char *text, enum ir_fault fault) {
  struct ir_frame f;
  int64_t got;
  const struct ir_expr *e = read_expr(text, IR_WANT_INT, NULL, &f);
  assert_int_equal(ir_eval_int(t.e, &f, e, t.state, &got), IR_FAILED);
  const struct ir_site *s = &t.m->sites.data[ir_eval_site(t.e)];
  assert_int_equal(s->fault, fault);
  assert_string_equal(s->span.source->path, "--given");
}

static uint32_t instances(const char *text) {
  const struct ir_rule *r = t.m->rules.data[0];
  struct ir_rule mark = {.param_count = r->param_count};
  int64_t params[2];
  uint32_t n = 0;
  mark.guard = read_expr(text, IR_WANT_BOOL, r, &mark.frame);
  for (uint32_t i = 0; i < t.m->rule_instances; i++) {
    ir_instance(t.m, false, i, params);
    n += ir_eval_guard(t.e, &mark, params, NULL, t.state) == IR_OK;
  }
  return n;
}

static void test_meaning(void **unused) {
  int64_t first[] = {1, 0};
  is("x + twice(3) * 2", 17);
  is("if ok then x else gap", 5);
  is("flags + 100:u8", 44);
  is("countof p : Proc { grid[p].s = Idle }", 3);
  holds("forall p : Proc { grid[p].n = 2 & !(grid[p].s = `Sent away`) }", true);
  holds("exists k : int in 0 to 9 by 3 { k = x + 1 }", true);
  holds("isundefined(gap)", true);
  fault_of("gap", IR_FAULT_UNDEFINED);
  fault_of("1 / (x - 5)", IR_FAULT_DIVISION);
  assert_int_equal(instances("k = 1 & grid[p].s = Idle"), 3);
  assert_int_equal(ir_eval_body(t.e, t.m->rules.data[0], first, NULL, t.state), IR_OK);
  assert_int_equal(instances("exists q : Proc { q != p & grid[q].s = Busy }"), 4);
  fault_of("wide", IR_FAULT_OVERFLOW); // is none of the integers
  (void)unused;
}

static const struct bad {
  const char *text;
  enum ir_want want;
  uint32_t column;
  const char *says;
} bad[] = {
    {"", IR_WANT_INT, 1, "expected an expression, but the text ends here"},
    {"x +", IR_WANT_INT, 4, "expected an expression"},
    {"x x", IR_WANT_INT, 3, "expected the end of the expression, found x"},
    {"x := 1", IR_WANT_INT, 3, "expected the end of the expression"},
    {"x; ", IR_WANT_INT, 2, "expected the end of the expression"},
    {"x @1:1", IR_WANT_INT, 3, "expected the end of the expression"},
    {"y", IR_WANT_INT, 1, "nothing here is called"},
    {"p", IR_WANT_INT, 1, "nothing here is called"},
    {"x", IR_WANT_BOOL, 1, "a condition must be Boolean"},
    {"ok", IR_WANT_INT, 1, "must be an integer"},
    {"Idle", IR_WANT_INT, 1, "must be an integer"},
    {"tick()", IR_WANT_INT, 1, "changes variables"},
    {"reset()", IR_WANT_BOOL, 1, "a procedure has no value"},
    {"exists k : scalarset(2) { true }", IR_WANT_BOOL, 12, "types are declared in the model"},
    {"ismember(x, enum {A})", IR_WANT_BOOL, 13, "types are declared in the model"},
    {"x = \x01", IR_WANT_BOOL, 5, ""},
};

static void test_refused(void **unused) {
  size_t sites = t.m->sites.count, types = t.m->types.count;
  for (size_t i = 0; i < COUNT(bad); i++) {
    struct diag d = {0};
    struct ir_frame f;
    if (give(bad[i].text, strlen(bad[i].text), bad[i].want, NULL, &f, &d))
      fail_msg("accepted: %s", bad[i].text);
    assert_int_equal(d.errors, 1);
    if (d.entries[0].span.column != bad[i].column || !strstr(d.entries[0].message, bad[i].says)) {
      diag_print(&d, stderr, false);
      fail_msg("not said at %u: %s\nof: %s", bad[i].column, bad[i].says, bad[i].text);
    }
    diag_clear(&d);
  }
  assert_true(t.m->sites.count == sites && t.m->types.count == types);
  (void)unused;
}

// The text of the model is the same after expressions have come.
static void test_unchanged(void **unused) {
  struct text before = {0}, after = {0}, why = {0};
  struct ir_frame f;
  ir_print_model(&before, t.m);
  read_expr("exists k : 0..17 { k = x } -> flags = 3:u8", IR_WANT_BOOL, t.m->rules.data[0], &f);
  ir_print_model(&after, t.m);
  assert_string_equal(text_str(&before), text_str(&after));
  struct ir_property *p = ir_property_new(t.m, IR_PROP_LIVENESS, "given", (struct span){0});
  p->param_count = 2;
  p->expr = read_expr("forall q : Proc { q = p | twice(x) > k }", IR_WANT_BOOL, t.m->rules.data[0],
                      &p->frame);
  if (!ir_check(t.m, &why)) fail_msg("%s", text_str(&why));
  text_clear(&before);
  text_clear(&after);
  text_clear(&why);
  (void)unused;
}

static void test_any_bytes(void **unused) {
  static const char *const seeds[] = {
      "forall p : Proc { grid[p].s = Idle & grid[p].n = 2 -> isundefined(gap) }",
      "(if [int] ok then x else twice(flags + 3:u8)) + countof k : int in 0 to x by 2 { ok }",
  };
  struct rng g;
  rng_init(&g, 1);
  for (int i = 0; i < 4000; i++) {
    const char *seed = seeds[rng_below(&g, COUNT(seeds))];
    size_t n = strlen(seed);
    char text[128];
    memcpy(text, seed, n);
    for (uint64_t k = 1 + rng_below(&g, 3); k > 0; k--)
      text[rng_below(&g, n)] = rng_below(&g, 2) ? (char)rng_next(&g) : seed[rng_below(&g, n)];
    n -= rng_below(&g, 4) == 0 ? rng_below(&g, n) : 0;
    struct diag d = {0};
    struct ir_frame f;
    int64_t v;
    struct ir_expr *e = give(text, n, i % 2 ? IR_WANT_BOOL : IR_WANT_INT, NULL, &f, &d);
    assert_int_equal(e == NULL, d.errors > 0);
    if (!e) assert_true(d.entries[0].span.line > 0);
    if (e) (void)ir_eval_int(t.e, &f, e, t.state, &v);
    diag_clear(&d);
  }
  (void)unused;
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void) {
  const struct CMUnitTest tests[] = {TEST(test_meaning), TEST(test_refused), TEST(test_unchanged),
                                     TEST(test_any_bytes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
