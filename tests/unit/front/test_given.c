// SPDX-License-Identifier: Apache-2.0
// Expressions that users give over a finished model: what they mean, where they are refused, and
// that the model itself, its text and its compiled form stay as they were.
#include "front/murphi/murphi.h"
#include "ir/eval.h"
#include "ir/ir.h"
#include "sys/emit.h"

// cmocka wants these first
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const char model[] =
    "const N: 3; BIG: N > 2;\n"
    "type proc: scalarset(N); home: enum {Home}; node: union {proc, home};\n"
    "  state: enum {Idle, Busy, Done}; index: 0..N - 1;\n"
    "  cell: record s: state; n: 0..7; end;\n"
    "var r: 0..100; gap: 0..9; a: array [proc] of cell; b: array [index] of 0..9; who: node;\n"
    "  net: array [index] of multiset [3] of record kind: state; dest: proc; end; i: boolean;\n"
    "function twice(x: 0..50): 0..100; begin return x * 2; end;\n"
    "function busy(p: proc): boolean; begin return a[p].s = Busy; end;\n"
    "function tick(): 0..100; begin r := r + 1; return r; end;\n"
    "function holds(b: boolean): boolean; begin assume b; return b; end;\n"
    "function deep(x: 0..9): 0..9; begin return x = 9 ? 9 : deep(x + 1); end;\n"
    "procedure reset(); begin r := 0; end;\n"
    "startstate \"init\" begin\n"
    "  r := 5; i := true; who := Home;\n"
    "  for p: proc do a[p].s := Idle; a[p].n := 2; end;\n"
    "  for k: index do b[k] := 3 * k; end;\n"
    "end;\n"
    "ruleset p: proc do rule \"go\" a[p].s = Idle ==> begin\n"
    "  a[p].s := Busy; alias e: net[0] do end; end; end;\n"
    "ruleset p: proc do ruleset p: index; c: enum {Red, Green} do\n"
    "  rule \"twisted\" b[p] = 3 & c = Green ==> begin end;\n"
    "end; end;\n"
    "ruleset k: index do choose m: net[k] do\n"
    "  rule \"take\" true ==> begin multisetremove(m, net[k]); end;\n"
    "end; end;\n"
    "rule \"send\" true ==> var x: record kind: state; dest: proc; end; begin\n"
    "  for p: proc do x.dest := p; end; x.kind := Done; multisetadd(x, net[1]); end;\n"
    "rule \"forget\" begin undefine gap; undefine who; end;\n";

static struct {
  struct ir_model *m;
  struct ir_eval *e;
  uint64_t *state;
} t;

static struct ir_model *load(void) {
  struct diag d = {0};
  struct ir_model *m = murphi_load(source_from_text("t.m", model, strlen(model)), NULL, 0, 50, &d);
  if (!m) diag_print(&d, stderr, false);
  assert_non_null(m);
  diag_clear(&d);
  return m;
}

static int setup(void **unused) {
  (void)unused;
  t.m = load();
  t.e = ir_eval_new(t.m);
  t.state = mem_zalloc(t.m->layout->words + 1, sizeof *t.state);
  if (ir_eval_body(t.e, t.m->starts.data[0], NULL, NULL, t.state) != IR_OK) return -1;
  return 0;
}

static int teardown(void **unused) {
  (void)unused;
  ir_eval_free(t.e);
  ir_model_free(t.m);
  mem_free(t.state);
  return 0;
}

static const struct ir_rule *rule(const char *name) {
  for (size_t i = 0; i < t.m->rules.count; i++)
    if (strcmp(t.m->rules.data[i]->name, name) == 0) return t.m->rules.data[i];
  fail_msg("no rule %s", name);
  return NULL;
}

// Fires the first instance of the rule that is enabled.
static void fire(const char *name) {
  int64_t params[16];
  for (uint32_t i = 0; i < t.m->rule_instances; i++) {
    const struct ir_rule *r = ir_instance(t.m, false, i, params);
    if (strcmp(r->name, name) != 0) continue;
    if (ir_eval_guard(t.e, r, params, NULL, t.state) != IR_OK) continue;
    assert_int_equal(ir_eval_body(t.e, r, params, NULL, t.state), IR_OK);
    return;
  }
  fail_msg("%s is not enabled", name);
}

static struct ir_expr *give(const char *text, enum ir_want want, const struct ir_rule *scope,
                            struct ir_frame *f, struct diag *d) {
  return murphi_expr(t.m, source_from_text("--given", text, strlen(text)), want, scope, f, d);
}

static struct ir_expr *read_expr(const char *text, enum ir_want want, const struct ir_rule *scope,
                                 struct ir_frame *f) {
  struct diag d = {0};
  struct ir_expr *x = give(text, want, scope, f, &d);
  if (!x) {
    diag_print(&d, stderr, false);
    fail_msg("refused: %s", text);
  }
  diag_clear(&d);
  return x;
}

static void is(const char *text, int64_t value) {
  struct ir_frame f;
  int64_t got = -1;
  const struct ir_expr *x = read_expr(text, IR_WANT_INT, NULL, &f);
  if (ir_eval_int(t.e, &f, x, t.state, &got) != IR_OK) fail_msg("failed: %s", text);
  if (got != value) fail_msg("%lld instead of %lld: %s", (long long)got, (long long)value, text);
}

static void holds(const char *text, bool value) {
  struct ir_frame f;
  bool got = !value;
  const struct ir_expr *x = read_expr(text, IR_WANT_BOOL, NULL, &f);
  if (ir_eval_bool(t.e, &f, x, t.state, &got) != IR_OK) fail_msg("failed: %s", text);
  if (got != value) fail_msg("not %d: %s", value, text);
}

static void fault_of(const char *text, enum ir_fault fault) {
  struct ir_frame f;
  int64_t got;
  const struct ir_expr *x = read_expr(text, IR_WANT_INT, NULL, &f);
  assert_int_equal(ir_eval_int(t.e, &f, x, t.state, &got), IR_FAILED);
  const struct ir_site *s = &t.m->sites.data[ir_eval_site(t.e)];
  assert_int_equal(s->fault, fault);
  assert_string_equal(s->span.source->path, "--given");
}

// For how many instances of a rule the condition on its parameters holds.
static uint32_t instances(const char *name, const char *text) {
  struct ir_rule mark = {.param_count = rule(name)->param_count};
  int64_t params[16];
  uint32_t n = 0;
  mark.guard = read_expr(text, IR_WANT_BOOL, rule(name), &mark.frame);
  for (uint32_t i = 0; i < t.m->rule_instances; i++) {
    if (ir_instance(t.m, false, i, params) != rule(name)) continue;
    n += ir_eval_guard(t.e, &mark, params, NULL, t.state) == IR_OK;
  }
  return n;
}

// --- what they mean ---

static void test_values(void **unused) {
  is("r", 5);
  is("r + N * 2 - -1", 12);
  is("twice(r) + b[N - 1]", 16);
  is("r > 4 ? b[1] : 0", 3);
  is("BIG ? 1 : 0", 1);
  is("  -- a comment\n\t/* and another */ 0x10 >> 1\r\n", 8);
  is("multisetcount(x: net[1], true)", 0);
  is("deep(3)", 9);
  (void)unused;
}

static void test_conditions(void **unused) {
  holds("forall p: proc do a[p].s = Idle & a[p].n = 2 end", true);
  holds("exists p: proc; q: proc do p != q & busy(p) end", false);
  holds("exists k := 0 to 9 by 3 do k = r + 1 end", true);
  holds("forall k: 0..2 do b[k] = 3 * k end", true);
  holds("who = Home", true);
  holds("ismember(who, proc)", false);
  holds("ismember(r, 6..9)", false);
  holds("isundefined(gap)", true);
  holds("i -> TRUE", true);
  holds("forall i: proc do ismember(i, proc) end & i", true); // hides the variable for a while
  holds("∀ p: proc do ¬(a[p].s ≠ Idle) end", true);
  fire("go");
  holds("exists p: proc do busy(p) end", true);
  (void)unused;
}

static void test_faults(void **unused) {
  fault_of("gap", IR_FAULT_UNDEFINED);
  fault_of("gap + 1", IR_FAULT_UNDEFINED);
  fault_of("r / (r - 5)", IR_FAULT_DIVISION);
  fault_of("b[r]", IR_FAULT_INDEX);
  fault_of("0x7FFFFFFFFFFFFFFF + r", IR_FAULT_OVERFLOW);
  fault_of("twice(51 * r)", IR_FAULT_RANGE);
  is("isundefined(gap) ? 9 : gap", 9);
  (void)unused;
}

static void test_parameters(void **unused) {
  assert_int_equal(instances("go", "true"), 3);
  assert_int_equal(instances("go", "a[p].s = Idle & !i"), 0);
  fire("go");
  assert_int_equal(instances("go", "busy(p)"), 1);
  assert_int_equal(instances("go", "exists q: proc do q != p & a[q].s = Busy end"), 2);
  assert_int_equal(instances("twisted", "p = 1"), 3 * 2); // the inner p
  assert_int_equal(instances("twisted", "c = Red & p < 2"), 3 * 2);
  assert_int_equal(instances("send", "r = 5"), 1);
  (void)unused;
}

static void test_slots(void **unused) {
  fire("send");
  fire("send");
  is("multisetcount(x: net[1], net[1][x].kind = Done)", 2);
  assert_int_equal(instances("take", "net[k][m].kind = Done"), 2);
  assert_int_equal(instances("take", "k = 1 & net[1][m].kind != Done"), 0);
  (void)unused;
}

// A rule's frame and the given one have the parameters in common, and nothing else.
static void test_frames(void **unused) {
  struct ir_frame f;
  uint32_t before = rule("twisted")->frame.count;
  read_expr("forall q: proc do busy(q) end", IR_WANT_BOOL, rule("twisted"), &f);
  assert_int_equal(f.count, 4);
  for (uint32_t k = 0; k < 3; k++) {
    assert_ptr_equal(f.locals[k], rule("twisted")->frame.locals[k]);
    assert_int_equal(f.locals[k]->id, k);
  }
  assert_int_equal(rule("twisted")->frame.count, before);
  (void)unused;
}

// --- what is refused ---

struct bad {
  const char *text;
  enum ir_want want;
  const char *scope;
  uint32_t line, column;
  const char *says;
};

static const struct bad bad[] = {
    {"", IR_WANT_INT, NULL, 1, 1, "the text is empty"},
    {" \n ", IR_WANT_BOOL, NULL, 1, 1, "the text is empty"},
    {"r +", IR_WANT_INT, NULL, 1, 4, "expected an expression, but found the end of the expression"},
    {"r r", IR_WANT_INT, NULL, 1, 3, "expected the end of the expression"},
    {"r;", IR_WANT_INT, NULL, 1, 2, "but found ';'"},
    {"r := 1", IR_WANT_INT, NULL, 1, 3, "but found ':='"},
    {"rule begin end", IR_WANT_BOOL, NULL, 1, 1, "expected an expression, but found 'rule'"},
    {"(r = 5", IR_WANT_BOOL, NULL, 1, 7, "but found the end of the expression"},
    {"r = \"5", IR_WANT_BOOL, NULL, 1, 5, "the string is not closed"},
    {"r /* 5", IR_WANT_INT, NULL, 1, 3, "the comment is not closed"},
    {"r\n = $5", IR_WANT_BOOL, NULL, 2, 4, "character '$'"},
    {"rr = 5", IR_WANT_BOOL, NULL, 1, 1, "'rr' is not declared"},
    {"1 + Bussy", IR_WANT_INT, NULL, 1, 5, "did you mean 'Busy'?"},
    {"r", IR_WANT_BOOL, NULL, 1, 1, "expected a boolean as the condition"},
    {"i & i", IR_WANT_INT, NULL, 1, 1, "expected an integer as the value"},
    {"Idle", IR_WANT_INT, NULL, 1, 1, "expected an integer as the value"},
    {"a", IR_WANT_INT, NULL, 1, 1, "but this is an array"},
    {"tick()", IR_WANT_INT, NULL, 1, 1, "expected the expression to change nothing"},
    {"holds(i)", IR_WANT_BOOL, NULL, 1, 1, "holds an assume"},
    {"reset()", IR_WANT_BOOL, NULL, 1, 1, "is a procedure and gives no value"},
    {"p = p", IR_WANT_BOOL, NULL, 1, 1, "'p' is not declared"},
    {"Red = Red", IR_WANT_BOOL, "go", 1, 1, "'Red' is not declared"},
    {"e = e", IR_WANT_BOOL, "go", 1, 1, "'e' is not declared"},
    {"x.kind = Done", IR_WANT_BOOL, "send", 1, 1, "'x' is not declared"},
    {"m = 0", IR_WANT_BOOL, "take", 1, 1, "'m' is a slot of net[k]"},
    {"net[0][m].kind = net[1][k].kind", IR_WANT_BOOL, "take", 1, 25, "as the index of a multiset"},
    {"exists x: scalarset(2) do true end", IR_WANT_BOOL, NULL, 1, 11, "types are declared"},
    {"exists x: enum {A, B} do true end", IR_WANT_BOOL, NULL, 1, 11, "types are declared"},
    {"exists x: union {proc, home} do true end", IR_WANT_BOOL, NULL, 1, 11, "types are declared"},
    {"exists k: 3..1 do true end", IR_WANT_BOOL, NULL, 1, 11, "is empty"},
};

static void check_bad(const struct bad *b) {
  struct diag d = {0};
  struct ir_frame f;
  size_t sites = t.m->sites.count, types = t.m->types.count, given = t.m->given.count;
  if (give(b->text, b->want, b->scope ? rule(b->scope) : NULL, &f, &d))
    fail_msg("accepted: %s", b->text);
  bool found = false;
  for (size_t i = 0; i < d.count; i++)
    found |= d.entries[i].level == DIAG_ERROR && d.entries[i].span.line == b->line &&
             d.entries[i].span.column == b->column && strstr(d.entries[i].message, b->says);
  if (!found) {
    diag_print(&d, stderr, false);
    fail_msg("not said at %u:%u: %s\nof: %s", b->line, b->column, b->says, b->text);
  }
  assert_string_equal(d.entries[0].span.source->path, "--given");
  assert_true(t.m->sites.count == sites && t.m->types.count == types);
  assert_true(t.m->given.count == given);
  diag_clear(&d);
}

static void test_refused(void **unused) {
  for (size_t i = 0; i < COUNT(bad); i++) check_bad(&bad[i]);
  is("r", 5); // all names are as they were
  holds("exists p: proc do p = p end", true);
  (void)unused;
}

// The same mistake in two texts is told twice.
static void test_refused_twice(void **unused) {
  struct diag d = {0};
  struct ir_frame f;
  assert_null(give("nothing = 1", IR_WANT_BOOL, NULL, &f, &d));
  assert_null(give("nothing = 1", IR_WANT_BOOL, NULL, &f, &d));
  assert_int_equal(d.errors, 2);
  diag_clear(&d);
  (void)unused;
}

static void test_nul_byte(void **unused) {
  struct diag d = {0};
  struct ir_frame f;
  struct source *s = source_from_text("--given", "r\0 1", 4);
  assert_null(murphi_expr(t.m, s, IR_WANT_INT, NULL, &f, &d));
  assert_int_equal(d.entries[0].span.column, 2);
  diag_clear(&d);
  (void)unused;
}

// --- the model stays as it was ---

// As properties, so that the checker sees them.
static void add_property(struct ir_model *m, const char *text, const struct ir_rule *scope) {
  struct ir_property *p = ir_property_new(m, IR_PROP_LIVENESS, text, (struct span){0});
  p->expr = read_expr(text, IR_WANT_BOOL, scope, &p->frame);
  p->param_count = scope ? scope->param_count : 0;
}

static void test_checked(void **unused) {
  struct text why = {0};
  add_property(t.m, "forall k: 0..2; q: proc do b[k] < 9 -> (busy(q) ? r : deep(k)) > 0 end", NULL);
  add_property(t.m, "multisetcount(x: net[k], net[k][x].dest = net[k][m].dest) > 1", rule("take"));
  add_property(t.m, "exists q: index do q = p & c = Red end", rule("twisted"));
  if (!ir_check(t.m, &why)) fail_msg("%s", text_str(&why));
  text_clear(&why);
  (void)unused;
}

static void test_unchanged(void **unused) {
  struct text before[2] = {0}, after[2] = {0};
  struct ir_frame f;
  ir_print_model(&before[0], t.m);
  assert_null(emit_model(&before[1], t.m));
  read_expr("forall k: 0..17; q: node do k < r & q = who end", IR_WANT_BOOL, rule("take"), &f);
  ir_print_model(&after[0], t.m);
  assert_null(emit_model(&after[1], t.m));
  for (int i = 0; i < 2; i++) {
    assert_string_equal(text_str(&before[i]), text_str(&after[i]));
    text_clear(&before[i]);
    text_clear(&after[i]);
  }
  (void)unused;
}

// --- whatever the bytes ---

static const char *const seeds[] = {
    "forall p: proc do a[p].s = Idle & a[p].n = 2 end",
    "multisetcount(x: net[k], net[k][x].kind = net[k][m].kind) > N",
    "exists k := 0 to 9 by 3 do k = twice(r) + deep(b[0]) end",
    "ismember(who, proc) -> isundefined(gap) | who = Home ? 0x10 << 2 : ~r",
};

static void mangle(struct rng *g, char *text, size_t n) {
  static const char likely[] = "()[].:;=<>+-*/%&|!?\"'_0aZ\n\t\r\\\x80\xe2\xff{}";
  for (uint64_t k = 1 + rng_below(g, 4); k > 0; k--) {
    size_t at = rng_below(g, n), from = rng_below(g, n), some = rng_below(g, 8);
    switch (rng_below(g, 3)) {
    case 0: text[at] = (char)rng_next(g); break;
    case 1: text[at] = likely[rng_below(g, sizeof likely - 1)]; break;
    default:
      if (at + some < n && from + some < n) memmove(text + at, text + from, some);
    }
  }
}

static void test_any_bytes(void **unused) {
  struct rng g;
  rng_init(&g, 1);
  for (int i = 0; i < 4000; i++) {
    const char *seed = seeds[rng_below(&g, COUNT(seeds))];
    size_t n = strlen(seed);
    char text[128];
    memcpy(text, seed, n);
    mangle(&g, text, n);
    n -= rng_below(&g, 4) == 0 ? rng_below(&g, n) : 0;
    struct diag d = {0};
    struct ir_frame f;
    int64_t v;
    struct ir_expr *x = murphi_expr(t.m, source_from_text("--given", text, n),
                                    i % 2 ? IR_WANT_BOOL : IR_WANT_INT, NULL, &f, &d);
    assert_int_equal(x == NULL, d.errors > 0);
    if (!x) assert_true(d.entries[0].span.line > 0 && d.entries[0].span.source != NULL);
    if (x) (void)ir_eval_int(t.e, &f, x, t.state, &v);
    diag_clear(&d);
  }
  (void)unused;
}

static void test_depth(void **unused) {
  static const char *const repeats[] = {"(", "!", "-", "1 + ", "exists z: proc do ", "a["};
  for (size_t i = 0; i < COUNT(repeats); i++) {
    struct text text = {0};
    struct diag d = {0};
    struct ir_frame f;
    for (int k = 0; k < 30000; k++) text_add(&text, repeats[i]);
    text_add(&text, "1");
    assert_null(give(text_str(&text), IR_WANT_INT, NULL, &f, &d));
    assert_true(d.errors > 0);
    diag_clear(&d);
    text_clear(&text);
  }
  (void)unused;
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_values),   TEST(test_conditions), TEST(test_faults),    TEST(test_parameters),
      TEST(test_slots),    TEST(test_frames),     TEST(test_refused),   TEST(test_refused_twice),
      TEST(test_nul_byte), TEST(test_checked),    TEST(test_unchanged), TEST(test_any_bytes),
      TEST(test_depth),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
