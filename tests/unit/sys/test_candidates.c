// SPDX-License-Identifier: Apache-2.0
// Native code against the interpreter where loops go through candidates: families of rules,
// quantifiers, undefined fields; and functions that can or cannot fail.
#include "agree.h"

static struct compare_count agree_text(const char *text) { return agree(parse(text), 2000); }

// How often `what` stands in the C of a model.
static size_t times_in_c(const char *model, const char *what) {
  struct ir_model *m = parse(model);
  struct text code = {0};
  size_t n = 0;
  sys_print_c(&code, m);
  for (const char *p = text_str(&code); (p = strstr(p, what)); p++) n++;
  text_clear(&code);
  ir_model_free(m);
  return n;
}

static const char FAMILIES[] =
    "model \"families\";\n"
    "type mode : enum { Off, Low, High };\n"
    "type cell : record { m : mode; busy : bool; peer : 1..5; };\n"
    "var at : array [1..5] of cell; var grid : array [0..2] of array [-1..1] of mode;\n"
    "var turn : 1..5; var far : array [0..3] of 0..1000000;\n"
    "start \"s\" { clear at; clear grid; clear turn; clear far; }\n"
    "rule \"up\" (i : 1..5) when at[i].m = Off & !at[i].busy & turn = i { at[i].m := Low; }\n"
    "rule \"part\" (i : 1..5 in 2 to 4) when at[i].m != Off { at[i].m := Off; }\n"
    "rule \"top\" (i : 1..5) when at[i].m = Low & turn != i {\n"
    "  at[i].m := High; at[i].busy := true; }\n"
    "rule \"peer\" (i : 1..5, j : 1..5) when at[i].peer = j & i != j & at[j].m = Off {\n"
    "  at[i].peer := i; }\n"
    "rule \"same\" (i : 1..5, j : 1..5) when at[j].peer = i & at[i].busy { at[j].busy := false; }\n"
    "rule \"grid\" (i : 0..2, j : -1..1) when grid[i][j] = Off & at[1].m = High {\n"
    "  grid[i][j] := Low; turn := i + 1; }\n"
    "rule \"back\" (i : 0..2, j : -1..1) when !(grid[i][j] = Off) & turn = 1 {\n"
    "  grid[i][j] := Off; at[i + 1].peer := j + 2; }\n"
    "rule \"far\" (k : 0..3) when far[k] = 0 & turn = 2 { far[k] := 1000000; }\n"
    "rule \"pass\" (i : 1..5) when turn = i { turn := i % 5 + 1; }\n"
    "invariant \"busy\" : forall i : 1..5 { at[i].m = High -> at[i].busy | turn != 3 };\n"
    "invariant \"pairs\" : forall i : 1..5 { forall j : 1..5 { at[i].m = High & at[j].m = High &\n"
    "  i != j -> at[i].peer = i | at[j].busy | turn > 2 } };\n"
    "cover \"low\" : exists i : 0..2 { exists j : -1..1 { grid[i][j] = Low & turn = i + 1 } };\n"
    "atom \"three\" : countof i : 1..5 { at[i].m = Low & at[i].peer = i } >= 3;\n";

static void test_families(void **state) {
  (void)state;
  struct compare_count n = agree_text(FAMILIES);
  assert_true(n.states >= 2000 && n.faults == 0);
  assert_true(times_in_c(FAMILIES, "fathom_fields(") >= 10);
  assert_true(times_in_c(FAMILIES, "fathom_only(") >= 2);
}

static void test_undefined_fields(void **state) {
  (void)state;
  struct compare_count n = agree_text(
      "model \"undefined\";\n"
      "var a : array [0..6] of 0..2; var b : array [0..6] of bool; var who : 0..6; var n : 0..3;\n"
      "start \"s\" { for i : 0..6 in 0 to 4 { a[i] := 0; } clear n; b[2] := true; }\n"
      "rule \"count\" when n < 3 { n := n + 1; }\n"
      "rule \"eq\" (i : 0..6) when n = 2 & a[i] = 1 { a[i] := 2; }\n"
      "rule \"ne\" (i : 0..6) when n = 1 & a[i] != 0 { who := i; }\n"
      "rule \"set\" (i : 0..6) when n = 3 & !isundefined(a[i]) & a[i] = 0 { a[i] := 1; n := 0; }\n"
      "rule \"bool\" (i : 0..6) when b[i] & n = 0 { b[i] := false; undefine a[i]; }\n"
      "rule \"not\" (i : 0..6 in 1 to 5) when !b[i] { b[i] := true; }\n"
      "rule \"name\" (i : 0..6) when who = i & n = 3 { undefine who; }\n"
      "rule \"last\" (i : 0..6, j : 0..6) when n = 3 & a[j] = 2 & a[i] = 2 & i != j { n := 0; }\n"
      "invariant \"may fail\" : forall i : 0..6 { b[i] -> a[i] < 3 };\n"
      "cover \"may fail too\" : exists i : 0..6 { a[i] = 2 & who = i };\n");
  assert_true(n.faults > 1000);
}

static const char CALLS[] =
    "model \"calls\";\n"
    "var a : array [0..3] of 0..5; var u : 0..3; var n : 0..3;\n"
    "function safe (i : 0..3) : bool { if a[i] = n { return true; } else { return a[i] > 2; } }\n"
    "function total (i : 0..3) : int { return a[i] + n; }\n"
    "function partly (i : 0..3) : bool { if a[i] = 1 { return false; } }\n"
    "function through (i : 0..3) : bool { return safe(i) & !safe((i + 1) % 4); }\n"
    "function put (ref x : 0..5, v : 0..5) { if x = v { return; } x := v; }\n"
    "function risky (ref x : 0..5, v : int) { x := v; }\n"
    "start \"s\" { clear a; clear n; }\n"
    "rule \"safe\" (i : 0..3) when safe(i) & a[i] != 5 { call put(a[i], a[i] + 1); }\n"
    "rule \"through\" (i : 0..3) when through(i) { n := i; call put(a[n], 3); }\n"
    "rule \"total\" (i : 0..3) when total(i) = 4 { call risky(a[i], total(i) - 4); }\n"
    "rule \"partly\" (i : 0..3) when n = 3 & partly(i) { u := i; }\n"
    "rule \"risky\" (i : 0..3) when a[i] = 5 { call risky(a[i], total(i)); }\n"
    "rule \"drop\" (i : 0..3) when a[i] = 3 { undefine u; call put(a[i], 0); }\n"
    "rule \"read\" (i : 0..3) when safe(i) & a[u] = 2 { call put(a[i], 0); }\n"
    "invariant \"all\" : forall i : 0..3 { safe(i) | total(i) < 8 };\n";

static void test_calls(void **state) {
  (void)state;
  struct compare_count n = agree_text(CALLS);
  assert_true(n.faults > 100 && n.states > 500);
  assert_int_equal(times_in_c(CALLS, "static int64_t f0_0(uint64_t *s, int64_t l0) {"), 1);
  assert_int_equal(times_in_c(CALLS, "static void f4_0(uint64_t *s"), 2); // and its prototype
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_families),
      cmocka_unit_test(test_undefined_fields),
      cmocka_unit_test(test_calls),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
