// SPDX-License-Identifier: Apache-2.0
// The Murphi front end: what is refused, where and with what sentence; and what small models come
// to when the interpreter runs them.
#include "front/murphi/murphi.h"
#include "ir/eval.h"
#include "ir/ir.h"

// cmocka wants these first
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define REST     " startstate begin x := 0; end; rule begin x := 0; end;"
#define SETS                                                                                       \
  "var x: 0..1; m: multiset [2] of 0..1; n: multiset [2] of 0..1; "                                \
  "q: array [0..1] of multiset [2] of 0..1;" REST "\n"

// --- errors ---

struct bad {
  const char *text;
  uint32_t line, column;
  const char *says;
};

static const struct bad syntax[] = {
    {"", 1, 1, "the file is empty"},
    {"  \n \t\n", 1, 1, "the file is empty"},
    {"typ t: 0..1;", 1, 1, "expected a rule or declaration"},
    {"var x: 0..1;\n/* never\nclosed", 2, 1, "the comment is not closed"},
    {"var x: 0..1;\nrule \"abc\nbegin end;", 2, 6, "the string is not closed"},
    {"const N: 99999999999999999999;", 1, 10, "does not fit into 64 bits"},
    {"const N: 010;", 1, 10, "leading 0"},
    {"const N: 1.5;", 1, 10, "real numbers are not supported"},
    {"var x: real(3, 4);", 1, 8, "the type real is not supported"},
    {"externfun f(): boolean \"h\";", 1, 1, "external functions are not supported"},
    {"externproc f() \"h\";", 1, 1, "external procedures are not supported"},
    {"var x: 0..1; pctl [ x = 1 ]", 1, 14, "PCTL formulas are not supported"},
    {"var x: 0..1; rule x = # 1 ==> end;", 1, 23, "character '#'"},
    {"var x: 0..1; rule x = \xff ==> end;", 1, 23, "byte 0xff"},
    {"var x: 0..1; rule \"\xff\" begin end;", 1, 20, "not UTF-8"},
    {"var _x: 0..1;", 1, 5, "a name starts with a letter"},
    {"var x: 0..1; rule begin x := (1 + ; end;", 1, 35, "expected an expression, but found ';'"},
    {"var x: 0..1; rule begin x := 1 x := 2 end;", 1, 32, "found a name"},
    {"var x: 0..1; rule x = 0 = 1 ==> end;", 1, 25, "expected '==>'"},
    {"var x: array [0..1] 0..1;", 1, 21, "expected 'of'"},
    {"var x: ;", 1, 8, "expected a type"},
    {"var x: 0..1; rule begin error; end;", 1, 30, "expected a string"},
};

static const struct bad meaning[] = {
    {"var x: 0..1;", 1, 1, "the model has no rule"},
    {"var x: 0..1; rule begin end;", 1, 1, "the model has no startstate"},
    {"var x: 0..limit;" REST, 1, 11, "'limit' is not declared"},
    {"var x: 3..1;" REST, 1, 8, "the range 3..1 is empty"},
    {"var x: 0..1; b: boolean; startstate begin b := 0; end; rule begin end;", 1, 43,
     "expected a boolean on the right"},
    {"var x: 0..1;\n  x: boolean;" REST, 2, 3, "'x' is already declared"},
    {"type t: scalarset(0); var x: 0..1;" REST, 1, 19, "expected 1 to"},
    {"type t: scalarset(1000000000000); var x: 0..1;" REST, 1, 19, "expected 1 to"},
    {"var x: 0..1; a: array [0..99999999] of boolean;" REST, 1, 24, "an array of 100000000"},
    {"type a: array [0..9999] of array [0..9999] of 0..1; var x: 0..1;" REST, 1, 9,
     "more than 16777216 scalars"},
    {"var x: 0..1;" REST " ruleset i: 0..999999999 do rule begin end; end;", 1, 76,
     "runs through 1000000000 values"},
    {"var x: 0..1;" REST " ruleset i: 0..9999; j: 0..9999 do rule begin end; end;", 1, 102,
     "instances"},
    {"const N: 9223372036854775807 + 1; var x: 0..1;" REST, 1, 10, "does not fit into 64 bits"},
    {"const N: 1 / 0; var x: 0..1;" REST, 1, 10, "divides by zero"},
    {"var x: 0..1; const N: x;" REST, 1, 23, "expected a constant"},
    {"var counter: 0..1; startstate begin countre := 0; end; rule begin end;", 1, 37,
     "did you mean 'counter'"},
    {"var x: 0..1;" REST " rule begin x := later(1); end;\n"
     "function later(a: 0..1): 0..1; begin return a; end;",
     1, 84, "declared above"},
    {"var x: 0..1; function f(): 0..1; begin x := 1; return 1; end;" REST
     " rule f() = 1 ==> begin end;",
     1, 122, "expected a guard to change nothing"},
    {"var x: 0..1; function f(): 0..1; begin x := 1; return 1; end;" REST " invariant f() = 1;", 1,
     127, "expected a property to change nothing"},
    {"var x: 0..1; function f(): boolean; begin x := 1; return true; end;" REST
     " rule begin if x = 0 & f() then x := 1; end; end;",
     1, 145, "always called"},
    {"var x: 0..1; procedure p(); begin x := 1; end;" REST " rule begin x := p(); end;", 1, 118,
     "gives no value"},
    {"var x: 0..1; procedure p(); begin x := 1; end;" REST " rule begin p(1); end;", 1, 113,
     "expects 0 arguments"},
    {"var x: 0..1;" REST " ruleset i: 0..1 do rule begin i := 1; end; end;", 1, 98,
     "cannot be changed"},
    {"var x: 0..1; procedure p(a: 0..1); begin a := 1; end;" REST, 1, 42, "declare it var"},
    {"var x: 0..2; procedure p(var a: 0..1); begin a := 1; end;" REST " rule begin p(x); end;", 1,
     126, "for the var parameter 'a'"},
    {"var x: 0..1; r: record alpha: 0..1; end;" REST " rule begin r.alpah := 1; end;", 1, 109,
     "did you mean 'alpha'"},
    {"var x: 0..1;" REST " rule begin x.a := 1; end;", 1, 79, "expected a record"},
    {"var x: 0..1;" REST " rule begin x[0] := 1; end;", 1, 79, "expected an array"},
    {"var x: 0..1;" REST " invariant x;", 1, 78, "expected a boolean as a property"},
    {"var x: 0..1; m: multiset [2] of 0..1;" REST " rule begin m[0] := 1; end;", 1, 106,
     "as the index of a multiset"},
    {"var x: 0..1; m: multiset [2] of 0..1;" REST " rule begin multisetadd(true, m); end;", 1, 116,
     "to add to the multiset"},
    {"var x: 0..1;" REST " rule begin multisetadd(1, x); end;", 1, 94, "expected a multiset"},
    {SETS "choose i: m do rule begin multisetremove(i, n); end; end;", 2, 42, "'i' is a slot of m"},
    {SETS "choose i: q[0] do rule begin multisetremove(i, q[1]); end; end;", 2, 45,
     "'i' is a slot of q[0]"},
    {SETS "invariant multisetcount(i: m, n[i] = 1) = 0;", 2, 33, "'i' is a slot of m"},
    {SETS "choose i: m do rule begin x := i; end; end;", 2, 32, "'i' is a slot of m"},
    {SETS "invariant multisetcount(i: m, i = 0) = 0;", 2, 31, "'i' is a slot of m"},
    {SETS "invariant multisetcount(i: m, multisetcount(j: n, i = j) = 0) = 0;", 2, 55,
     "'j' is a slot of n"},
    {SETS "rule begin multisetremove(0, m); end;", 2, 27, "as the index of a multiset"},
    {"type e: enum {a, b}; f: enum {c, b}; var x: 0..1;" REST, 1, 34, "already declared"},
    {"var x: 0..1; startstate begin for i := 5 to 1 do x := 0; end; end; rule begin end;", 1, 35,
     "does not lead from 5 to 1"},
    {"var x: 0..1; startstate begin for i := 1 to 5 by 0 do x := 0; end; end; rule begin end;", 1,
     50, "a step of 0"},
    {"var x: 0..1;" REST " rule begin return 1; end;", 1, 86, "gives no value"},
    {"function f(): boolean; begin end; var x: 0..1;" REST, 1, 10, "never returns a value"},
    {"var x: 0..1;" REST " rule begin liveness x = 0; end;", 1, 79, "beside the rules"},
    {"type u: union {0..1}; var x: 0..1;" REST, 1, 16, "expected a name"},
    {"type s: scalarset(2); u: union {s, s}; var x: 0..1;" REST, 1, 36, "already in the union"},
    {"type s: scalarset(2); t: scalarset(2); var x: 0..1; a: s; b: t;" REST " invariant a = b;", 1,
     129, "compares values of one type"},
    {"var x: 0..1;" REST " ruleset i := 0 to x do rule begin end; end;", 1, 86, "of a ruleset"},
    {"var x: 0..1;" REST " rule begin switch x case true: x := 1; end; end;", 1, 93, "as a case"},
    {"var x: 0..1; a: array [boolean] of 0..1;" REST " rule begin a[3] := 1; end;", 1, 109,
     "as the index"},
    {"var x: 0..1;" REST " rule begin put isundefined(3); end;", 1, 95, "isundefined expects"},
};

static void check_bad(const struct bad *b) {
  struct diag d = {0};
  struct source *s = source_from_text("t.m", b->text, strlen(b->text));
  struct ir_model *m = murphi_load(s, NULL, 0, 1000, &d);
  if (m) fail_msg("accepted: %s", b->text);
  bool found = false;
  for (size_t i = 0; i < d.count; i++)
    found |= d.entries[i].level == DIAG_ERROR && d.entries[i].span.line == b->line &&
             d.entries[i].span.column == b->column && strstr(d.entries[i].message, b->says);
  if (!found) {
    diag_print(&d, stderr, false);
    fail_msg("not said at %u:%u: %s\nof: %s", b->line, b->column, b->says, b->text);
  }
  diag_clear(&d);
}

static void test_syntax_errors(void **unused) {
  for (size_t i = 0; i < COUNT(syntax); i++) check_bad(&syntax[i]);
  (void)unused;
}

static void test_meaning_errors(void **unused) {
  for (size_t i = 0; i < COUNT(meaning); i++) check_bad(&meaning[i]);
  (void)unused;
}

static void test_nul_bytes(void **unused) {
  struct diag d = {0};
  struct source *s = source_from_text("t.m", "var\n x\0: y", 10);
  assert_null(murphi_load(s, NULL, 0, 1000, &d));
  assert_int_equal(d.errors, 1);
  assert_int_equal(d.entries[0].span.line, 2);
  assert_int_equal(d.entries[0].span.column, 3);
  diag_clear(&d);
  (void)unused;
}

// A byte order mark is not part of the first line; CR, CRLF and LF end lines and comments.
static void test_bad_lines(void **unused) {
  static const struct bad bad[] = {
      {"\xef\xbb\xbfvarr x: 0..1;", 1, 1, "expected a rule or declaration"},
      {"var x: 0..1; -- one\rrule \"a\" begin y := 0; end;", 2, 16, "'y' is not declared"},
      {"var x: 0..1; -- one\r\n\r\nrule \"a\" begin y := 0; end;\r\n", 3, 16,
       "'y' is not declared"},
      {"\r\r\n\n/* \r */ varr", 5, 5, "expected a rule or declaration"},
      {"\xef\xbb\xbf\r\n", 1, 1, "the file is empty"},
      {"var x: 0..1; rule \"a\rbegin end;", 1, 19, "the string is not closed"},
  };
  for (size_t i = 0; i < COUNT(bad); i++) check_bad(&bad[i]);
  (void)unused;
}

static void test_several_errors(void **unused) {
  static const char *text = "var x: 0..1; rule begin x := ; x := 1 1; end;\n"
                            "rule begin if x then end end;\nrule ==> end;\nrule begin x := (; end;";
  struct diag d = {0};
  struct source *s = source_from_text("t.m", text, strlen(text));
  assert_null(murphi_load(s, NULL, 0, 1000, &d));
  assert_true(d.errors >= 4);
  diag_clear(&d);
  (void)unused;
}

// Repeats make texts that are deep, long, or grow when aliases are put in their places.
static size_t errors_of(const char *before, const char *repeat, int times, const char *after) {
  struct text t = {0};
  text_add(&t, before);
  for (int i = 0; i < times; i++) text_add(&t, repeat);
  text_add(&t, after);
  struct diag d = {0};
  struct source *s = source_from_text("t.m", text_str(&t), t.count);
  struct ir_model *m = murphi_load(s, NULL, 0, 1000, &d);
  size_t errors = d.errors;
  assert_int_equal(m == NULL, errors > 0);
  if (m) ir_model_free(m);
  diag_clear(&d);
  text_clear(&t);
  return errors;
}

static void test_depth(void **unused) {
  static const char *start = "var x: 0..1; startstate begin x := 0; end; rule ";
  assert_int_equal(errors_of(start, "(", 100000, "x ==> end;"), 1);
  assert_int_equal(errors_of(start, "!", 100000, "x ==> end;"), 1);
  assert_int_equal(errors_of(start, "0 + ", 100000, "0 = 0 ==> end;"), 1);
  assert_int_equal(errors_of(start, "x = 0 | ", 100000, "x = 1 ==> end;"), 0);
  assert_int_equal(errors_of("var x: ", "array [0..0] of ", 2000, "0..1;"), 3);
  assert_true(errors_of(start, "begin if x = 0 then ", 100000, "") >= 1);
  (void)unused;
}

static void test_alias_growth(void **unused) {
  struct text t = {0};
  text_add(&t, "var x: 0..1; startstate begin x := 0; end; alias a0: x; ");
  for (int i = 0; i < 60; i++) text_printf(&t, "a%d: a%d + a%d; ", i + 1, i, i);
  assert_int_equal(errors_of(text_str(&t), "", 0, "do rule a60 = 0 ==> begin end; end;"), 1);
  assert_int_equal(errors_of(text_str(&t), "", 0, "do rule begin x := a9; end; end;"), 1);
  text_clear(&t);
  (void)unused;
}

// --- running ---

struct run {
  struct ir_model *m;
  struct ir_eval *e;
  uint64_t *state;
  enum ir_outcome outcome;
  enum ir_fault fault;
};

static struct ir_model *load(const char *text, const struct murphi_define *defines, size_t n) {
  struct diag d = {0};
  struct ir_model *m = murphi_load(source_from_text("t.m", text, strlen(text)), defines, n, 50, &d);
  if (!m) {
    diag_print(&d, stderr, false);
    fail_msg("refused: %s", text);
  }
  struct text why = {0};
  if (!ir_check(m, &why)) fail_msg("%s\nof: %s", text_str(&why), text);
  text_clear(&why);
  diag_clear(&d);
  return m;
}

// Runs the first start state, then each rule instance in turn that is enabled, until one fails.
static struct run run(const char *text) {
  struct run r = {.m = load(text, NULL, 0)};
  int64_t params[16];
  r.e = ir_eval_new(r.m);
  r.state = mem_zalloc(r.m->layout->words + 1, sizeof(uint64_t));
  const struct ir_rule *rule = ir_instance(r.m, true, 0, params);
  r.outcome = ir_eval_body(r.e, rule, params, NULL, r.state);
  for (uint32_t i = 0; i < r.m->rule_instances && r.outcome != IR_FAILED; i++) {
    rule = ir_instance(r.m, false, i, params);
    r.outcome = ir_eval_guard(r.e, rule, params, NULL, r.state);
    if (r.outcome == IR_OK) r.outcome = ir_eval_body(r.e, rule, params, NULL, r.state);
  }
  if (r.outcome == IR_FAILED) r.fault = r.m->sites.data[ir_eval_site(r.e)].fault;
  return r;
}

static void run_clear(struct run *r) {
  ir_eval_free(r->e);
  ir_model_free(r->m);
  mem_free(r->state);
}

// The value of the first variable, "r", after everything ran.
static void gives(const char *text, int64_t value) {
  struct run r = run(text);
  if (r.outcome == IR_FAILED) fail_msg("failed with %s: %s", ir_fault_name(r.fault), text);
  int64_t got = ir_leaf_get(&r.m->layout->leaf[0], r.state);
  if (got != value) fail_msg("%lld instead of %lld: %s", (long long)got, (long long)value, text);
  run_clear(&r);
}

static void fails(const char *text, enum ir_fault fault) {
  struct run r = run(text);
  assert_int_equal(r.outcome, IR_FAILED);
  if (r.fault != fault)
    fail_msg("%s instead of %s: %s", ir_fault_name(r.fault), ir_fault_name(fault), text);
  run_clear(&r);
}

#define R     "var r: -1000..1000; "
#define START " startstate begin r := 0; end; "

static void test_expressions(void **unused) {
  gives(R START "rule begin r := 2 + 3 * 4 - 7 / 2 % 5; end;", 11);
  gives(R START "rule begin r := -7 / 2 * 10 + -7 % 2; end;", -31);
  gives(R START "rule begin r := (6 & 3) * 100 + (6 | 3) * 10 + (6 ^ 3); end;", 275);
  gives(R START "rule begin r := (1 << 4) + (256 >> 6) + (4 >> -1) + (~0 & 3); end;", 31);
  gives(R START "rule !r = 1 ==> begin r := 1; end;", 1); // ! binds weaker than =
  gives(R START "rule r = 0 -> false | true ==> begin r := r = 0 ? 5 : 6; end;", 5);
  gives(R START "rule r ≤ 0 ∧ r ≥ 0 ∧ ¬(r ≠ 0) ⇒ begin r ≔ 3; end;", 3);
  gives(R START "rule ∀ i: 0..3 do i < 4 end && ∃ i := 9 to 1 by -4 do i = 5 end ==> r := 2; end;",
        2);
  gives(R START "rule r == 0 ==> begin r := 0x1F; end;", 31);
  gives("const N: 3; M: N * 2 + (N > 2 ? 1 : 0); " R START "rule begin r := M; end;", 7);
  gives(R
        "a, b: array [0..2] of boolean;" START
        "rule begin undefine a; undefine b; a[1] := true; b[1] := true; if a = b then r := 1 end; "
        "end; rule begin b[2] := true; if a != b then r := r + 1 end end;",
        2);
  (void)unused;
}

static void test_statements(void **unused) {
  gives(R START "rule begin for i := 1 to 9 by 2 do r := r + i; end; end;", 25);
  gives(R START "rule var n: 0..9; begin n := 1; for i := 3 to n do r := r * 10 + i; end; end;",
        321);
  gives(R START "rule begin for i: 0..2; j: 0..1 do r := r + 10 * i + j; end; end;", 63);
  gives(R START "rule begin while r < 20 do r := r + 3; endwhile; end;", 21);
  fails(R START "rule begin while true do r := 0; end; end;", IR_FAULT_LOOP);
  gives(R START "rule begin if r = 1 then r := 5; elsif r = 0 then r := 6; else r := 7; end; end;",
        6);
  gives("type e: enum {a, b, c}; " R "v: e; startstate begin v := b; r := 0; end; "
        "rule begin switch v case a: r := 1; case b, c: r := 2; else r := 3; endswitch; end;",
        2);
  gives(R START "rule begin r := 1; return; r := 2; end;", 1);
  fails(R START "rule begin error \"no\"; end;", IR_FAULT_ERROR);
  fails(R START "rule begin assert r = 1 \"no\"; end;", IR_FAULT_ASSERT);
  fails(R START "rule begin r := 1001; end;", IR_FAULT_RANGE);
  fails(R START "rule begin r := 1 / r; end;", IR_FAULT_DIVISION);
  fails(R "a: array [0..2] of 0..1;" START "rule begin a[r + 3] := 1; end;", IR_FAULT_INDEX);
  fails(R "x: 0..1;" START "rule begin r := x; end;", IR_FAULT_UNDEFINED);
  gives(R "x: 0..1;" START "rule isundefined(x) ==> begin x := 1; r := x; x := undefined; end; "
          "rule isundefined(x) ==> begin clear x; r := r + 1 + x; end;",
        2);
  (void)unused;
}

static void test_functions(void **unused) {
  gives(R "function f(n: 0..9): 0..1000; begin if n < 2 then return 1; end; "
          "return n * f(n - 1); end;" START "rule begin r := f(6); end;",
        720);
  gives(R "procedure swap(var a, b: 0..9); var t: 0..9; begin t := a; a := b; b := t; end;" START
          "rule var x, y: 0..9; begin x := 3; y := 4; swap(x, y); r := x * 10 + y; end;",
        43);
  // a call with effects inside an expression runs before it, once
  gives(R "n: 0..9; function next(): 0..9; begin n := n + 1; return n; end; "
          "startstate begin r := 0; n := 0; end; "
          "rule begin r := 10 * next() + 1; if next() = 2 then r := r + 100; end; end;",
        111);
  gives(R "n: 0..9; function next(): 0..9; begin n := n + 1; return n; end; "
          "startstate begin r := 0; n := 0; end; "
          "rule begin while next() < 5 do r := r + n; end; end;",
        10);
  // undefined arguments are handed on
  gives(R "function f(a: 0..1): 0..9; begin return isundefined(a) ? 7 : 8; end;" START
          "rule var x: 0..1; begin r := f(x) * 10 + f(undefined); end;",
        77);
  fails(R "procedure p(a: 0..3); begin r := a; end;" START "rule begin p(r + 4); end;",
        IR_FAULT_RANGE);
  fails(R "function f(a: 0..1): 0..1; begin if a = 1 then return 1; end; end;" START
          "rule begin r := f(0); end;",
        IR_FAULT_RETURN);
  (void)unused;
}

static void test_aliases(void **unused) {
  // the example of CMurphi's manual, section 6
  gives(R "arr: array [1..2] of 0..9; i: 1..2; "
          "startstate begin r := 0; i := 2; arr[1] := 0; arr[2] := 1; end; "
          "rule begin alias foo: arr[i]; bar: arr[i] + 1 do arr[i] := 3; i := 1; foo := 4; "
          "r := arr[2] * 10 + bar; end; end;",
        42);
  gives(R "arr: array [0..1] of 0..9; i: 0..1; "
          "startstate begin r := 0; i := 0; arr[0] := 5; arr[1] := 6; end; "
          "alias it: arr[i] do rule it = 5 ==> begin i := 1; r := it; end; end;",
        5);
  (void)unused;
}

static void test_unions(void **unused) {
  static const char *types = "type s: scalarset(2); e: enum {home}; u: union {s, e}; ";
  struct text t = {0};
  text_printf(&t, "%s%s%s", types, R "v: u; w: s;",
              "startstate begin r := 0; v := home; end; "
              "rule ismember(v, e) & !ismember(v, s) ==> begin r := 1; end; "
              "ruleset i: u do rule i != v & ismember(i, s) ==> begin w := i; v := w; r := r + 1; "
              "end; end;");
  gives(text_str(&t), 3); // one node differs from home; the second from the first
  text_clear(&t);
  text_printf(&t, "%s%s%s", types, R "v: u; w: s;",
              "startstate begin r := 0; v := home; end; rule begin w := v; end;");
  fails(text_str(&t), IR_FAULT_RANGE);
  text_clear(&t);
  (void)unused;
}

#define M "var r: 0..99; m: multiset [3] of 0..9; startstate begin r := 0; end; "

static void test_multisets(void **unused) {
  gives(M "rule begin multisetadd(5, m); multisetadd(3, m); r := multisetcount(i: m, m[i] > 2); "
          "end; choose i: m do rule m[i] = 5 ==> begin multisetremove(i, m); r := r + 10; end; "
          "end; rule begin r := r + multisetcount(i: m, true); end;",
        13);
  gives(M "rule begin multisetadd(5, m); multisetadd(3, m); multisetadd(5, m); "
          "multisetremovepred(i: m, m[i] = 5); r := multisetcount(i: m, true); end;",
        1);
  gives(M "rule begin multisetadd(5, m); undefine m; r := multisetcount(i: m, true); end;", 0);
  fails(M "rule begin for i: 0..3 do multisetadd(1, m); end; end;", IR_FAULT_MULTISET);
  fails(M "rule begin for i: 0..3 do multisetadd(12, m); end; end;", IR_FAULT_RANGE);
  fails(M "rule begin multisetadd(5, m); end; "
          "choose i: m do rule begin multisetremove(i, m); multisetremove(i, m); end; end;",
        IR_FAULT_ASSERT);
  gives(M "rule begin for i: 0..2 do multisetadd(multisetcount(j: m, true), m); end; "
          "r := multisetcount(i: m, m[i] = 2); end;",
        1);
  (void)unused;
}

// Equal multisets are equal states, also when the rule is left by return.
static void test_multisets_sorted(void **unused) {
  struct run a = run(M "rule begin multisetadd(5, m); multisetadd(3, m); end;");
  struct run b = run(M "rule begin multisetadd(3, m); multisetadd(5, m); end;");
  struct run c = run(M "rule begin multisetadd(5, m); multisetadd(3, m); "
                       "if true then return; end; r := 9; end;");
  assert_memory_equal(a.state, b.state, a.m->layout->words * sizeof(uint64_t));
  assert_memory_equal(a.state, c.state, a.m->layout->words * sizeof(uint64_t));
  run_clear(&a);
  run_clear(&b);
  run_clear(&c);
  (void)unused;
}

static void test_priorities(void **unused) {
  gives(R START "rule 20 \"late\" begin r := r + 1; end; "
                "rule 10 \"early\" r < 5 ==> begin r := r + 10; end; rule 20 \"again\" r > 0 ==> "
                "begin r := r + 100; end;",
        110);
  (void)unused;
}

// --- shapes ---

static void test_rules(void **unused) {
  struct ir_model *m = load("type p: scalarset(2); var x: array [p] of 0..2; "
                            "startstate begin undefine x; end; "
                            "ruleset b: boolean; i: p do ruleset k := 0 to 4 by 2 do "
                            "rule \"go\" begin x[i] := k / 2; end; end; "
                            "invariant isundefined(x[i]) | x[i] < 3; cover x[i] = 1; "
                            "liveness \"l\" b -> x[i] = 1; assume true; end; "
                            "rule begin end; Rule Begin EndRule; assert \"top\" true;",
                            NULL, 0);
  assert_int_equal(m->rules.count, 3);
  assert_int_equal(m->rule_instances, 14);
  assert_string_equal(m->rules.data[0]->name, "go");
  assert_string_equal(m->rules.data[1]->name, "rule 2");
  assert_string_equal(m->starts.data[0]->name, "startstate 1");
  assert_int_equal(m->rules.data[0]->param_count, 3);
  assert_int_equal(m->rules.data[0]->agent_param, 1);
  assert_int_equal(m->rules.data[1]->agent_param, -1);
  assert_int_equal(m->properties.count, 5);
  static const enum ir_property_kind kinds[] = {IR_PROP_INVARIANT, IR_PROP_COVER, IR_PROP_LIVENESS,
                                                IR_PROP_ASSUME, IR_PROP_INVARIANT};
  static const char *const names[] = {"invariant 1", "cover 1", "l", "assumption 1", "top"};
  for (size_t i = 0; i < COUNT(kinds); i++) {
    assert_int_equal(m->properties.data[i]->kind, kinds[i]);
    assert_string_equal(m->properties.data[i]->name, names[i]);
  }
  assert_int_equal(m->properties.data[2]->param_count, 2);
  int64_t v[3];
  ir_instance(m, false, 1, v); // the last parameter is the fastest
  assert_int_equal(v[0], 0);
  assert_int_equal(v[2], 2);
  assert_int_equal(m->deadlock, IR_DEADLOCK_STUTTERING);
  assert_string_equal(m->name, "t");
  ir_model_free(m);
  (void)unused;
}

static void test_statement_cover(void **unused) {
  struct run r = run(R START "rule begin cover \"c\" r = 0; end;");
  assert_int_equal(r.m->properties.count, 1);
  assert_null(r.m->properties.data[0]->expr);
  assert_non_null(ir_eval_covers(r.e));
  run_clear(&r);
  (void)unused;
}

static void test_line_ends(void **unused) {
  struct ir_model *m = load("\xef\xbb\xbfvar x: 0..1; -- x\rstartstate begin x := 0; end; -- y\r\n"
                            "rule begin assert x =\r\n0; end;",
                            NULL, 0);
  assert_int_equal(m->vars.data[0]->span.column, 5);
  assert_int_equal(m->rules.data[0]->span.line, 3);
  ir_model_free(m);
  (void)unused;
}

static void test_defines(void **unused) {
  static const char *text = "const N: 3; B: false; var x: 0..N; startstate begin x := 0; end; "
                            "rule B ==> begin x := 1; end;";
  struct murphi_define good[] = {{"N", "2"}, {"B", "true"}, {"N", "6"}};
  struct ir_model *m = load(text, good, 3);
  assert_int_equal(m->vars.data[0]->type->hi, 6);
  ir_model_free(m);
  static const struct {
    struct murphi_define define;
    const char *says;
  } bad[] = {{{"M", "1"}, "no constant 'M'"},
             {{"N", "true"}, "expected an integer"},
             {{"N", "99999999999999999999"}, "expected an integer"},
             {{"B", "1"}, "expected true or false"}};
  for (size_t i = 0; i < COUNT(bad); i++) {
    struct diag d = {0};
    struct source *s = source_from_text("t.m", text, strlen(text));
    assert_null(murphi_load(s, &bad[i].define, 1, 50, &d));
    assert_non_null(strstr(d.entries[0].message, bad[i].says));
    assert_null(d.entries[0].span.source);
    assert_int_equal(d.errors, 1);
    diag_clear(&d);
  }
  (void)unused;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_syntax_errors),   cmocka_unit_test(test_meaning_errors),
      cmocka_unit_test(test_nul_bytes),       cmocka_unit_test(test_bad_lines),
      cmocka_unit_test(test_several_errors),  cmocka_unit_test(test_depth),
      cmocka_unit_test(test_alias_growth),    cmocka_unit_test(test_expressions),
      cmocka_unit_test(test_statements),      cmocka_unit_test(test_functions),
      cmocka_unit_test(test_aliases),         cmocka_unit_test(test_unions),
      cmocka_unit_test(test_multisets),       cmocka_unit_test(test_multisets_sorted),
      cmocka_unit_test(test_priorities),      cmocka_unit_test(test_rules),
      cmocka_unit_test(test_statement_cover), cmocka_unit_test(test_line_ends),
      cmocka_unit_test(test_defines),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
