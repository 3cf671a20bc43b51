// SPDX-License-Identifier: Apache-2.0
// Native code against the interpreter on hand-made models: statements, faults by site, references,
// recursion, choices, sorting, unions, undefined values, assumptions, covers.
#include "agree.h"

#include <string.h>

static struct compare_count agree_text(const char *text) { return agree(parse(text), 300); }

// --- control flow ---

static void test_control(void **state) {
  (void)state;
  struct compare_count a = agree_text(
      "model \"control\";\n"
      "type small : 0..6;\n"
      "var x : small; var y : small; var a : array [0..3] of small;\n"
      "start \"s\" { clear x; clear y; clear a; }\n"
      "rule \"if\" when x < 5 { if x = y { x := x + 1; } else if y > 3 { y := 0; } else { y := y + "
      "2; } }\n"
      "rule \"switch\" { switch x { case 0, 1 { a[0] := y; } case y, x - 1 { a[1] := x; }"
      "  otherwise { a[2] := a[0]; } } }\n"
      "rule \"for\" { for i : int in 0 to 3 { a[i] := (a[i] + i) % 7; } }\n"
      "rule \"down\" { for i : int in 3 to 0 { if a[i] = x { a[i] := y; return; } } }\n"
      "rule \"step\" { for i : int in x to y by 2 { a[i] := 1; } }\n"
      "rule \"back\" { for i : int in y to x by 0 - 1 { a[i % 4] := 2; } }\n"
      "rule \"while\" { local k : small; k := 0; while a[k] != x limit 3 { k := k + 1; } y := k; "
      "}\n"
      "rule \"types\" (p : small, q : 1..2) when p != q & x = y { x := p; y := q; }\n"
      "invariant \"sum\" : x + y < 9;\n"
      "invariant \"all\" : forall i : 0..3 { a[i] <= x | exists j : 0..3 { a[j] = a[i] & j != i } "
      "};\n"
      "cover \"c\" : countof i : 0..3 { a[i] = 2 } >= 2;\n"
      "atom \"p\" : x > y;\n"
      "atom \"q\" : (if x = 0 then a[1] else a[x / 2]) = 1;\n");
  assert_true(a.faults > 0 && a.states > 100);
}

// --- faults, each at its own site and in the right order ---

static void test_faults(void **state) {
  (void)state;
  struct compare_count a = agree_text(
      "model \"faults\";\n"
      "var x : 0..9; var u : 0..3; var a : array [0..3] of 0..5; var b : array [0..1] of bool;\n"
      "start \"s\" { x := 0; clear a; }\n"
      "rule \"set\" (v : 0..9) { x := v; }\n"
      "rule \"define\" (v : 0..3) { u := v; b[v % 2] := true; undefine a[v]; }\n"
      "rule \"range\" { a[0] := x; }\n"
      "rule \"index\" { a[x] := 1; }\n"
      "rule \"both\" { a[x - 3] := a[x + 1]; }\n"
      "rule \"read\" { x := u; }\n"
      "rule \"divide\" { x := 6 / x; }\n"
      "rule \"modulo\" { x := 7 % (x - 2); }\n"
      "rule \"guard\" when a[x] = 2 | b[1] { x := 1; }\n"
      "rule \"short\" when x < 4 & a[x] = 1 { x := x + 7; }\n"
      "rule \"implies\" when x > 3 -> a[x] = 1 { x := x + 7; }\n"
      "rule \"assert\" { assert x != 4; assert a[1] = 0 else \"a \\\"message\\\" */ with ?\?/ "
      "signs\"; }\n"
      "rule \"assume\" { assume x > 2; x := x - 3; assume a[x] != 3; }\n"
      "rule \"big\" { x := 9223372036854775807 + x; }\n"
      "rule \"undefined\" { if isundefined(u) { u := 0; } else { undefine u; } }\n"
      "rule \"put\" { print \"x\", a[x], x / (x - 1); }\n"
      "rule \"ite\" { x := if x > 4 then a[x - 4] else a[x + 1]; }\n"
      "rule \"loop\" { for i : int in 0 to 5 by x - 2 { a[0] := 0; } }\n"
      "invariant \"i\" : a[3] < 5 & x < 9;\n"
      "invariant \"fails\" : forall i : 0..3 { a[i] >= 0 };\n"
      "cover \"fails too\" : u = 2;\n"
      "atom \"a\" : u = 1;\n");
  assert_true(a.faults > 1000);
}

// --- references, calls, recursion ---

static void test_calls(void **state) {
  (void)state;
  struct compare_count a = agree_text(
      "model \"calls\";\n"
      "type cell : record { v : 0..5; w : array [0..1] of 0..3; };\n"
      "var x : cell; var c : array [0..2] of cell; var n : 0..5;\n"
      "function add(ref r : 0..5, by_ : 0..5) { r := r + by_; }\n"
      "function twice(ref r : 0..5) : int { call add(r, 1); return r + r; }\n"
      "function sum(k : cell) : int { return k.v + k.w[0] + k.w[1]; }\n"
      "function move(ref from_ : cell, ref to_ : cell) { to_ := from_; from_.v := 0; }\n"
      "function pick(k : 0..5) : cell { local r : cell; clear r; r.v := k; if k < 3 { return c[k]; "
      "} return r; }\n"
      "function count(k : int) : int { if k <= 0 { return 0; } return count(k - 1) + 1; }\n"
      "function forever(k : int) : int { return forever(k + 1); }\n"
      "function odd(k : int) : bool { if k = 0 { return false; } return even(k - 1); }\n"
      "function even(k : int) : bool { if k = 0 { return true; } return odd(k - 1); }\n"
      "function none(k : int) : int { if k > 2 { return 1; } }\n"
      "function maybe_(maybe k : 0..5, maybe j : 0..5) : int { if isundefined(k) { return 3; } "
      "return k + j; }\n"
      "rule \"maybe\" { local l : 0..5; if n > 2 { l := n - 1; } n := maybe_(l, x.v) % 6; n := "
      "maybe_(n, l); }\n"
      "start \"s\" { clear x; clear c; clear n; }\n"
      "rule \"state\" (i : 0..2) { call add(c[i].v, i); }\n"
      "rule \"local\" { local l : 0..5; l := n; call add(l, 2); n := l; }\n"
      "rule \"inside\" { local l : array [0..2] of cell; clear l; call add(l[n % 3].v, 3); call "
      "move(l[n % 3], c[1]); }\n"
      "rule \"undefined\" { local l : cell; call add(l.v, 1); }\n"
      "rule \"move\" (i : 0..2) when c[i].v > 0 { call move(c[i], x); }\n"
      "rule \"value\" { n := sum(x) % 6; }\n"
      "rule \"pick\" { x := pick(n); c[2].w := pick(n).w; }\n"
      "rule \"compare\" when x = c[1] | c[0] != c[2] { x.w[n % 2] := 1; }\n"
      "rule \"choose\" { x := if n > 2 then c[0] else pick(1); }\n"
      "rule \"side\" { n := (twice(x.v) + x.v) % 6; }\n"
      "rule \"count\" { n := count(n); n := (n + 1) % 6; }\n"
      "rule \"deep\" when n = 2 { n := count(1500) - 1495; }\n"
      "rule \"edge\" when n = 3 { n := count(998) % 6; n := count(999) % 6; n := count(1000) % 6; "
      "}\n"
      "rule \"forever\" when n = 4 { n := forever(0); }\n"
      "rule \"even\" when even(n) { x.w[0] := (x.w[0] + 1) % 4; }\n"
      "rule \"none\" { n := none(n); }\n"
      "invariant \"i\" : sum(c[1]) < 9 & odd(n + 1) = even(n);\n");
  assert_true(a.faults > 50 && a.states > 100);
}

// --- arguments that are no values of their parameters ---

static void test_arguments(void **state) {
  (void)state;
  struct compare_count a = agree_text(
      "model \"arguments\";\n"
      "type node : scalarset(3) from 10;\n"
      "type home : enum { Home, Away } from 5;\n"
      "type any : union { node, home };\n"
      "var x : -2..9; var y : 0..9; var u : any; var v : 0..9; var l : u64; var b : i8;\n"
      "function small(k : 0..3) : bool { return k < 9; }\n"
      "function two(j : 0..5, k : 2..7) : int { return j * 10 + k; }\n"
      "function set(ref r : 0..9, k : 0..3) { r := k; }\n"
      "function put(ref r : 0..9) : int { r := (r + 1) % 10; return r; }\n"
      "function at_home(h : home) : bool { return h = Home; }\n"
      "function anywhere(a : any) : bool { return ismember(a, node); }\n"
      "function narrow(maybe k : 0..3) : int { if isundefined(k) { return 7; } return k; }\n"
      "function far(maybe h : home) : bool { return isundefined(h); }\n"
      "function half(maybe a : any) : bool { return isundefined(a) | a != Away; }\n"
      "function byte(k : i8) : int { return k; }\n"
      "function word(k : u64) : bool { return k > cast(9, u64); }\n"
      "function down(k : 0..4) : int { if k = 2 { return 0; } return down(k - 1); }\n"
      "start \"s\" { clear x; clear y; clear u; clear l; clear b; }\n"
      "rule \"x\" (k : -2..9) { x := k; }\n"
      "rule \"y\" (k : 0..9) { y := k; }\n"
      "rule \"v\" (k : 0..9) { v := k; }\n"
      "rule \"undefine\" { undefine v; undefine u; }\n"
      "rule \"u\" (k : any) { u := k; }\n"
      "rule \"words\" { l := l - cast(3, u64); b := b - cast(100, i8); }\n"
      "rule \"guard\" when small(y) { x := 1; }\n"
      "rule \"short\" when y > 3 | small(y) { x := 2; }\n"
      "rule \"late\" when y > 6 | small(y) { x := 2; }\n"
      "rule \"first\" when small(x) & x > 4 { x := 3; }\n"
      "rule \"implied\" when x > 0 -> x < 6 & small(x - 1) { x := 4; }\n"
      "rule \"not\" when !(y = 2 & small(x)) { x := 5; }\n"
      "rule \"order\" { y := two(x, 6 / x) % 10; }\n"
      "rule \"second\" { y := two(y, 2 + x) % 10; }\n"
      "rule \"fits\" { y := two(y % 6, 2 + y % 6) % 10; }\n"
      "rule \"nested\" { y := two(two(0, x), two(0, y)) % 10; }\n"
      "rule \"chosen\" { if (if x > 3 then small(y) else small(x)) { y := 1; } }\n"
      "rule \"procedure\" { call set(y, x); call set(y, y + 1); }\n"
      "rule \"writes\" { y := two(put(y), put(y)) % 10; }\n"
      "rule \"kept\" { y := two(y, put(y)) % 10; }\n"
      "rule \"home\" when at_home(u) { y := 0; }\n"
      "rule \"number\" when at_home(y) { y := 0; }\n"
      "rule \"any\" when anywhere(y + 2) | anywhere(u) { y := 1; }\n"
      "rule \"loop\" { for k : 0..9 { if anywhere(9 - k) { y := k; } } }\n"
      "rule \"maybe\" { y := narrow(v); y := narrow(y); y := narrow(x + 1); }\n"
      "rule \"far\" when far(u) { y := 3; }\n"
      "rule \"half\" when half(u) & half(v) { y := 3; }\n"
      "rule \"byte\" { y := byte(b) % 10; y := byte(y * 100); }\n"
      "rule \"long\" { if word(l) { y := byte(l); } else { y := two(l, 2) % 10; } }\n"
      "rule \"minus\" when word(x) { y := 4; }\n"
      "rule \"recursive\" { y := down(y % 5); }\n"
      "invariant \"i\" : x < 3 | small(y);\n"
      "invariant \"all\" : forall k : 0..4 { k > y | small(k) };\n"
      "cover \"c\" : exists k : 0..9 { small(k) & k = 2 };\n"
      "atom \"a\" : y < 4 & small(y);\n");
  assert_true(a.faults > 1000 && a.states > 100);
}

// --- undefined values, unions, scalarsets ---

static void test_values(void **state) {
  (void)state;
  struct compare_count a = agree_text(
      "model \"values\";\n"
      "type node : scalarset(3) from 10;\n"
      "type home : enum { Home, Away } from 5;\n"
      "type any : union { node, home };\n"
      "type sooner : enum { P, Q } from 20;\n"
      "type three : union { sooner, node, home };\n"
      "var u : any; var t : three; var f : array [any] of 0..2; var g : array [three] of bool;\n"
      "var n : node; var k : -3..4;\n"
      "start \"s\" { clear u; clear f; undefine g; n := 11:node; k := -3; }\n"
      "rule \"node\" (i : node) { u := i; t := i; g[i] := true; n := i; }\n"
      "rule \"home\" (i : home) { u := i; t := i; g[i] := false; }\n"
      "rule \"any\" (i : three) when ismember(i, node) | i = Home { t := i; f[u] := 1; }\n"
      "rule \"index\" { f[t] := 2; }\n"
      "rule \"undefine\" { undefine t; undefine g[u]; }\n"
      "rule \"for\" { for i : any { f[i] := (f[i] + 1) % 3; } }\n"
      "rule \"copy\" { local h : array [three] of bool; h := g; g[u] := true; if h = g { undefine "
      "h; g := h; } }\n"
      "rule \"member\" when ismember(u, node) { n := u; }\n"
      "rule \"down\" when k > -3 { k := k - 2; }\n"
      "rule \"up\" { k := k + 3; }\n"
      "invariant \"i\" : exists i : three { i = t };\n"
      "cover \"c\" : u = t;\n");
  assert_true(a.faults > 10 && a.states > 50);
}

static void test_sort(void **state) {
  (void)state;
  struct compare_count a = agree_text(
      "model \"sort\";\n"
      "type r : record { a : -1..1; b : bool; };\n"
      "var s : array [0..3] of r; var w : array [0..2] of i64; var l : array [0..2] of u64;\n"
      "start \"s\" { clear w; clear l; }\n"
      "rule \"put\" (i : 0..3, v : -1..1, b : bool) { s[i].a := v; s[i].b := b; sort s; }\n"
      "rule \"half\" (i : 0..3) { undefine s[i].b; sort s; }\n"
      "rule \"words\" (i : 0..2) { w[i] := w[i] - cast(5, i64); sort w; }\n"
      "rule \"long\" (i : 0..2) { l[i] := l[i] - cast(1, u64); sort l; }\n"
      "rule \"local\" { local t : array [0..3] of r; t := s; t[2].a := 0; t[0].b := true; sort t; "
      "s := t; }\n");
  assert_true(a.states > 100);
}

// --- choices, assumptions, covers, large batches ---

static void test_choices(void **state) {
  (void)state;
  struct compare_count a = agree_text(
      "model \"choices\";\n"
      "type e : enum { A, B, C };\n"
      "var x : 0..9; var y : e;\n"
      "function watch(k : int) : bool { cover \"seen\" when k = 3; assume k != 5; return k > 1; }\n"
      "start \"s\" { x := 0; y := A; }\n"
      "rule \"free\" (p : 0..1) choose (v : e, w : 0..3 in 0 to 3 by 3) { y := v; x := (x + w + p) "
      "% 10; }\n"
      "rule \"bound\" choose (v : e) when v != y & x != 2 { y := v; }\n"
      "rule \"fault\" choose (v : 0..4) when 6 / v > 1 { x := 6 / (v - 2); }\n"
      "rule \"guard fault\" choose (v : 0..2) when 6 / x > 1 { x := v; }\n"
      "rule \"watch\" when x > 1 { cover \"fired\"; if watch(x + 1) { x := 9 - x; } assume x != "
      "4; }\n"
      "rule \"stay\" { x := x; }\n"
      "assume \"small\" : x != 7;\n"
      "assume \"fails\" : 10 / (x - 8) != 100;\n"
      "cover \"seen\";\n"
      "cover \"fired\";\n"
      "cover \"never\";\n"
      "invariant \"watched\" : x > 1 -> x > 0;\n");
  assert_true(a.faults > 10 && a.states > 10);
}

static void test_many(void **state) {
  (void)state;
  struct compare_count a =
      agree(parse("model \"many\";\n"
                  "var x : 0..99; var y : 0..99; var a : array [0..199] of 0..6;\n"
                  "start \"s\" { clear x; clear y; clear a; }\n"
                  "rule \"set\" (i : 0..99, j : 0..99) when i != x | j != y { x := i; y := j; }\n"
                  "rule \"put\" (i : 0..199) { a[i] := (a[i] + x) % 7; if a[(i * 7 + y) % 200] = 3 "
                  "{ x := 0; } }\n"
                  "rule \"all\" { for i : 0..199 { a[i] := (a[(i + 1) % 200] + i) % 7; } }\n"),
            3);
  assert_true(a.steps > 30000);
}

// --- names ---

static void test_names(void **state) {
  (void)state;
  struct compare_count a =
      agree_text("model \"*/ \\\" \\\\\\n#error \";\n"
                 "var `a \\\\` : bool; var `?\?/` : array [0..2] of bool;\n"
                 "function `f*/`(`\\\\` : bool) : bool { return !`\\\\`; }\n"
                 "start \"s\" { clear `a \\\\`; clear `?\?/`; }\n"
                 "rule \"*/ #error \\n#error ?\?/ \\\\\" (`p \\\\` : 0..2) { `?\?/`[`p \\\\`] := "
                 "`f*/`(`a \\\\`); }\n"
                 "rule \"\" { local `l\\\\` : bool; `l\\\\` := !`a \\\\`; `a \\\\` := `l\\\\`; }\n"
                 "invariant \"\\\\\" : true;\n"
                 "atom \"*/\\\\\" : `a \\\\`;\n");
  assert_int_equal(a.states, 16);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_control),   cmocka_unit_test(test_faults), cmocka_unit_test(test_calls),
      cmocka_unit_test(test_arguments), cmocka_unit_test(test_values), cmocka_unit_test(test_sort),
      cmocka_unit_test(test_choices),   cmocka_unit_test(test_many),   cmocka_unit_test(test_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
