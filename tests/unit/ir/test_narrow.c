// SPDX-License-Identifier: Apache-2.0
// Narrower types: what comes out for texts, and random models of processes, which must do the same
// with and without.
#include "ir/ir.h"
#include "random/compare.h"
#include "sys/sys.h"

// cmocka wants these first
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
#define MODELS 150
#else
#define MODELS 600
#endif
#define STATES_MAX 1500

static struct ir_model *parse(const char *text) {
  struct diag d = {0};
  struct ir_model *m = ir_parse_model(source_from_text("t.ir", text, strlen(text)), &d);
  if (!m) diag_print(&d, stderr, false);
  if (!m) fail_msg("%s", text);
  diag_clear(&d);
  return m;
}

static struct ir_model *narrowed(const char *text) {
  struct ir_model *m = parse(text);
  struct diag d = {0};
  struct text errors = {0};
  ir_narrow(m);
  assert_true(ir_model_finish(m, &d));
  if (!ir_check(m, &errors)) fail_msg("%s\n%s", errors.data, text);
  diag_clear(&d);
  return m;
}

// --- one by one ---

// The type of the variable x, which is the first one, as text; of a union or an array of them the
// parts.
static void print_type(struct text *out, const struct ir_model *m) {
  const struct ir_type *t = m->vars.data[0]->type;
  while (t->kind == IR_TYPE_ARRAY && t->elem->kind == IR_TYPE_UNION) t = t->elem;
  if (t->kind != IR_TYPE_UNION) {
    struct text all = {0};
    ir_print_model(&all, m);
    const char *line = strstr(text_str(&all), "var x : ") + strlen("var x : ");
    text_printf(out, "%.*s", (int)strcspn(line, ";\n"), line);
    text_clear(&all);
  }
  for (uint32_t i = 0; t->kind == IR_TYPE_UNION && i < t->part_count; i++)
    text_printf(out, "%s%d..%d", i ? ", " : "", (int)t->parts[i]->lo, (int)t->parts[i]->hi);
}

static void expect(const char *text, const char *type) {
  struct text out = {0};
  struct ir_model *m = narrowed(text);
  assert_string_equal(m->vars.data[0]->name, "x");
  print_type(&out, m);
  if (strcmp(text_str(&out), type) != 0) fail_msg("%s instead of %s: %s", out.data, type, text);
  text_clear(&out);
  ir_model_free(m);
}

#define M(vars, start, rules) "model \"m\"; " vars " start \"s\" { " start " }\n" rules

static void test_intervals(void **state) {
  (void)state;
  expect(M("var x : u8;", "x := 0:u8;", "rule \"r\" when x < 4 { x := x + 1:u8; }"), "0..4");
  expect(M("var x : u8;", "x := 0:u8;", "rule \"r\" when 200 > x { x := x + 1:u8; }"), "0..200");
  expect(M("var x : u8;", "x := 0:u8;", "rule \"r\" { x := x + 1:u8; }"), "u8");
  expect(M("var x : i32;", "x := 7:i32;", "rule \"r\" { x := x; }"), "7..7");
  expect(M("var x : i32;", "x := 7:i32;", "rule \"r\" when x > -3 { x := x - 2:i32; }"), "-3..7");
  expect(M("var x : i32;", "clear x;", "rule \"r\" when x > -3 { x := x - 2:i32; }"),
         "-2147483648..-2147483648");
  expect(M("var x : 0..100;", "x := 3;", "rule \"r\" { x := (x + 7) % 10; }"), "0..9");
  expect(M("var x : u16;", "x := 0:u16;",
           "rule \"r\" { x := cast(cast(x, i32) * 5:i32 - 1:i32 band 12:i32, u16); }"),
         "0..12");
  expect(M("var x : u8; var y : u8;", "x := 0:u8; y := 3:u8;", "rule \"r\" { x := y + y; }"),
         "0..0, 6..6");
  expect(M("var x : u64;", "x := 0:u64;", "rule \"r\" { x := 1:u64; }"), "u64");
  expect(M("var x : u8;", "", "rule \"r\" { x := 5:u8; undefine x; }"), "5..5");
}

static void test_facts(void **state) {
  (void)state;
  // what is written is known until it is written again
  expect(M("var x : u8;", "x := 0:u8;", "rule \"r\" when x < 4 { x := 9:u8; x := x + 1:u8; }"),
         "0..0, 9..10");
  // a guard speaks of the state before
  expect(M("var x : u8;", "x := 0:u8;", "rule \"r\" when x < 4 { x := x + 1:u8; x := x + 1:u8; }"),
         "0..5");
  // paths meet
  expect(M("var x : u8; var b : bool;", "x := 0:u8; b := true;",
           "rule \"b\" { b := !b; }"
           "rule \"r\" { if b { x := 3:u8; } else { x := 5:u8; } x := x + 1:u8; }"),
         "0..6");
  expect(M("var x : u8;", "x := 0:u8;", "rule \"r\" { if x < 4 { x := x + 1:u8; } }"), "0..4");
  expect(M("var x : u8;", "x := 0:u8;", "rule \"r\" { if x >= 4 { return; } x := x + 1:u8; }"),
         "0..4");
  expect(M("var x : u8;", "x := 0:u8;",
           "rule \"r\" { switch x { case 0, 1 { x := x + 2:u8; } otherwise { x := 1:u8; } } }"),
         "0..3");
  expect(M("var x : u8;", "x := 0:u8;", "rule \"r\" { while x < 9 limit 20 { x := x + 2:u8; } }"),
         "0..10");
  // a call may write
  expect(M("var x : u8; function f() : bool { x := 7:u8; return true; }", "x := 0:u8;",
           "rule \"r\" { if x < 2 & f() { x := x + 1:u8; } }"),
         "u8");
  // one element of an array says nothing of the others
  expect(M("var x : array [0..1] of u8; var i : 0..1;", "clear x; i := 0;",
           "rule \"r\" when x[0] < 4 { x[1] := x[i] + 1:u8; }"),
         "array [0..1] of u8");
  // an index lies within its array
  expect(M("var x : u8; var a : array [0..3] of u8;", "x := 0:u8; clear a;",
           "rule \"r\" when x = 0 | a[cast(x, i32) - 1:i32] = 0 { x := x + 1:u8; }"),
         "0..5");
  expect(M("var x : u8; var a : array [0..3] of u8;", "x := 0:u8; clear a;",
           "rule \"r\" { a[5 - x] := 1:u8; x := x + 1:u8; }"),
         "0..0");
  expect(M("var x : u8; var a : array [0..3] of u8;", "x := 3:u8; clear a;",
           "rule \"r\" { a[5 - x] := 1:u8; x := x + 1:u8; }"),
         "3..6");
  // what is read may be zero or one
  expect(M("var x : i32;", "x := 0:i32;",
           "rule \"r\" when (if x < 4 then 1:i32 else 0:i32) != 0:i32 { x := x + 1:i32; }"),
         "0..4");
}

// Values far apart: what lies between them takes no bits.
static void test_gaps(void **state) {
  (void)state;
  expect(M("var x : u8;", "x := 255:u8;", "rule \"r\" { x := 0:u8; }"), "0..0, 255..255");
  expect(M("var x : u8;", "x := 0:u8;",
           "rule \"r\" when x < 3 { x := x + 1:u8; } rule \"q\" { x := cast(-1, u8); }"),
         "0..3, 255..255");
  // wrapping round
  expect(M("var x : u8;", "x := 2:u8;", "rule \"r\" when x < 3 { x := x - 1:u8; }"),
         "0..2, 255..255");
  expect(M("var x : i8;", "x := 126:i8;", "rule \"r\" when x > 100 { x := x + 1:i8; }"),
         "-128..-128, 126..127");
  // of three parts the two that are nearer to each other become one
  expect(M("var x : u8;", "x := 200:u8;", "rule \"r\" { x := 7:u8; x := 0:u8; x := 9:u8; }"),
         "0..9, 200..200");
  // one is left out by a condition, both are known apart in one expression
  expect(M("var x : u8; var y : u8;", "x := 0:u8; y := 255:u8;",
           "rule \"r\" { y := 1:u8; } rule \"q\" when y != 255 { x := y; }"),
         "0..1");
  expect(M("var x : array [0..1] of u8;", "x[0] := 255:u8; x[1] := 3:u8;",
           "rule \"r\" when x[0] != 0 & x[1] != 0 {\n"
           "x[0] := cast(cast(x[0], i32) - 1:i32 bor"
           " (if x[0] = 255 then 1:i32 else 0:i32) * 255:i32, u8);\n"
           "x[1] := cast(cast(x[1], i32) - 1:i32 bor"
           " (if x[1] = 255 then 1:i32 else 0:i32) * 255:i32, u8); }"),
         "0..3, 255..255");
  // no bits would be saved; what lies between two bounds is not left out
  expect(M("var x : u8;", "x := 0:u8;", "rule \"r\" { x := 3:u8; }"), "0..3");
  expect(M("var x : u8;", "x := 0:u8;", "rule \"r\" { for i : 0..200 { x := cast(i, u8); } }"),
         "0..200");
  expect(M("var x : u8; var y : u8;", "x := 0:u8; y := 200:u8;",
           "rule \"r\" { y := 0:u8; } rule \"q\" when y > 0 { x := y / 7; }"),
         "0..200");
}

// Where a process is says what its variables hold.
static void test_locations(void **state) {
  (void)state;
  static const char loop[] = "model \"m\"; var x : record { p : u8; j : u8; } location agent 0;\n"
                             "start \"s\" { x.p := 1:u8; x.j := 0:u8; }\n"
                             "rule \"test\" when x.p = 1 & x.j < 4 { x.p := 2:u8; }\n"
                             "rule \"count\" when x.p = 2 { x.j := x.j + 1:u8; x.p := 1:u8; }\n"
                             "rule \"leave\" when x.p = 1 & x.j = 4 { x.p := 3:u8; }\n"
                             "rule \"again\" when x.p = 3 { clear x; x.p := 1:u8; }\n"
                             "rule \"never\" when x.p = 5 { x.j := 99:u8; }\n";
  struct ir_model *m = narrowed(loop);
  const struct ir_type *t = m->vars.data[0]->type;
  assert_int_equal(t->fields[0].type->lo, 0);
  assert_int_equal(t->fields[0].type->hi, 3);
  assert_int_equal(t->fields[1].type->hi, 4);
  ir_model_free(m);
}

// What is compared or copied as a whole keeps one type; names of values go along.
static void test_types(void **state) {
  (void)state;
  struct ir_model *m = narrowed(
      "model \"m\"; type R : record { a : u8; b : u8; }; var x : R; var y : R; var z : R;\n"
      "start \"s\" { clear x; clear y; clear z; x.a := 3:u8; }\n"
      "rule \"r\" when x != y { y := x; z.b := 1:u8; }\n");
  assert_true(ir_type_same(m->vars.data[0]->type, m->vars.data[1]->type));
  assert_int_equal(m->vars.data[1]->type->fields[0].type->hi, 3);
  assert_int_equal(m->vars.data[1]->type->fields[1].type->hi, 0);
  assert_int_equal(m->vars.data[2]->type->fields[0].type->hi, 0);
  assert_int_equal(m->vars.data[2]->type->fields[1].type->hi, 1);
  ir_model_free(m);

  m = parse(M("var x : u8;", "x := 2:u8;", "rule \"r\" when x < 4 { x := x + 1:u8; }"));
  const char *names[256] = {[3] = "three"};
  struct ir_type *t = (struct ir_type *)m->vars.data[0]->type;
  t->members = names;
  ir_narrow(m);
  struct text out = {0};
  ir_type_print_value(&out, m->vars.data[0]->type, 3);
  assert_string_equal(text_str(&out), "three");
  text_clear(&out);
  ir_type_print_value(&out, m->vars.data[0]->type, 4);
  assert_string_equal(text_str(&out), "4");
  text_clear(&out);
  ir_model_free(m);
}

// --- random processes ---

enum { PROCESSES = 2, PLACES = 4 };

struct maker {
  struct rng rng;
  struct text out;
  int process; // whose rule is made
  bool local;  // there is a local t
};

static unsigned pick(struct maker *k, unsigned n) { return (unsigned)rng_below(&k->rng, n); }
#define ADD(...) text_printf(&k->out, __VA_ARGS__)

static void add_place(struct maker *k, bool writable) {
  int s = pick(k, 5) ? k->process : (int)pick(k, PROCESSES);
  static const char *const fields[] = {"a", "b", "c"};
  switch (pick(k, k->local && !writable ? 9 : 8)) {
  case 0: ADD("g"); break;
  case 1: ADD("h"); break;
  case 2: ADD("q[%u]", pick(k, 3)); break;
  case 3:
    if (pick(k, 2))
      ADD("q[cast(s%d.a band 1:u8, int)]", s);
    else
      ADD(pick(k, 2) ? "q[cast(s%d.a, i32) - 1:i32]" : "q[3 - s%d.a]", s);
    break;
  case 8: ADD("t"); break;
  default: ADD("s%d.%s", s, fields[pick(k, 3)]); break;
  }
}

// Some are far away from the others: that leaves gaps.
static void add_number(struct maker *k) {
  static const char *const types[] = {"", ":u8", ":i32", ":i8"};
  if (pick(k, 7))
    ADD("%u%s", pick(k, 9), types[pick(k, 4)]);
  else
    ADD("%u%s", pick(k, 2) ? 255 : 100 + pick(k, 10), types[pick(k, 3)]);
}

static void add_expr(struct maker *k, int depth);

static void add_condition(struct maker *k, int depth) {
  static const char *const signs[] = {"<", "<=", "=", "!=", ">", ">="};
  if (depth > 0 && pick(k, 4) == 0) {
    ADD("(");
    add_condition(k, depth - 1);
    ADD(pick(k, 2) ? " & " : " | ");
    add_condition(k, depth - 1);
    ADD(")");
    return;
  }
  if (pick(k, 6) == 0) ADD("!");
  ADD("(");
  if (pick(k, 3))
    add_place(k, false);
  else
    add_expr(k, depth - 1);
  ADD(" %s ", signs[pick(k, 6)]);
  if (pick(k, 3))
    add_number(k);
  else
    add_expr(k, depth - 1);
  ADD(")");
}

static void add_expr(struct maker *k, int depth) {
  static const char *const signs[] = {"+",    "+",   "-",    "*",  "/", "%",
                                      "band", "bor", "bxor", "<<", ">>"};
  static const char *const types[] = {"u8", "i32", "i8", "u16"};
  if (depth <= 0 || pick(k, 4) == 0) {
    if (pick(k, 2))
      add_number(k);
    else
      add_place(k, false);
    return;
  }
  switch (pick(k, 8)) {
  case 0:
    ADD("(if ");
    add_condition(k, depth - 1);
    ADD(" then ");
    add_expr(k, depth - 1);
    ADD(" else ");
    add_expr(k, depth - 1);
    ADD(")");
    break;
  case 1:
  case 2:
    ADD("cast(");
    add_expr(k, depth - 1);
    ADD(", %s)", types[pick(k, 4)]);
    break;
  case 3:
    ADD(pick(k, 2) ? "-(" : "~(");
    add_expr(k, depth - 1);
    ADD(")");
    break;
  case 4:
    ADD("twice(");
    add_expr(k, depth - 1);
    ADD(")");
    break;
  default:
    ADD("(");
    add_expr(k, depth - 1);
    ADD(" %s ", signs[pick(k, 11)]);
    add_expr(k, depth - 1);
    ADD(")");
    break;
  }
}

static void add_stmts(struct maker *k, int count, int depth);

static void add_stmt(struct maker *k, int depth) {
  static const char *const wraps[] = {"u8", "i8", "u8"};
  switch (pick(k, depth > 0 ? 16 : 11)) {
  default:
    add_place(k, true);
    ADD(" := cast(");
    add_expr(k, 2);
    ADD(", %s);\n", wraps[pick(k, 3)]);
    break;
  case 1:
  case 2:
    add_place(k, true);
    ADD(" := ");
    add_expr(k, 1);
    ADD(";\n");
    break;
  case 3:
  case 4: ADD("s%d.p := %u;\n", k->process, pick(k, PLACES)); break;
  case 5:
    if (pick(k, 3) == 0)
      ADD("clear s%d;\n", k->process);
    else
      ADD("s%u.p := %u;\n", pick(k, PROCESSES), pick(k, PLACES));
    break;
  case 6:
    if (k->local) {
      ADD("t := ");
      add_expr(k, 1);
      ADD(";\n");
    }
    break;
  case 7:
    if (pick(k, 6) == 0) ADD("call spoil(s%d.a);\n", k->process);
    if (pick(k, 8) == 0) ADD("undefine s%d.b;\n", k->process);
    if (pick(k, 8) == 0) ADD("return;\n");
    break;
  case 11:
  case 12:
    ADD("if ");
    add_condition(k, 1);
    ADD(" {\n");
    add_stmts(k, 2, depth - 1);
    ADD("} else {\n");
    add_stmts(k, 1, depth - 1);
    ADD("}\n");
    break;
  case 13:
    ADD("switch ");
    add_place(k, false);
    ADD(" { case 0, 2 {\n");
    add_stmts(k, 1, depth - 1);
    ADD("} case 3 {\n");
    add_stmts(k, 1, depth - 1);
    ADD("} otherwise {\n");
    add_stmts(k, 1, depth - 1);
    ADD("} }\n");
    break;
  case 14:
    ADD("while ");
    add_condition(k, 1);
    ADD(" limit 5 {\n");
    add_stmts(k, 2, depth - 1);
    ADD("}\n");
    break;
  case 15:
    ADD("for n%d : 0..2 {\n", depth);
    add_stmts(k, 1, depth - 1);
    ADD("g := cast(g + n%d, u8);\n}\n", depth);
    break;
  }
}

static void add_stmts(struct maker *k, int count, int depth) {
  for (int i = 0; i < count; i++) add_stmt(k, depth);
}

static void add_rule(struct maker *k, unsigned number) {
  k->process = (int)pick(k, PROCESSES);
  k->local = pick(k, 3) == 0;
  ADD("rule \"%u\" when ", number);
  if (pick(k, 10)) ADD("s%d.p = %u & ", k->process, pick(k, PLACES));
  if (pick(k, 8) == 0) ADD("s%u.p = %u & ", pick(k, PROCESSES), pick(k, PLACES));
  bool local = k->local;
  k->local = false;
  if (pick(k, 2))
    add_condition(k, 1);
  else
    ADD("true");
  k->local = local;
  ADD(" {\n%s", k->local ? "local t : i32;\n" : "");
  add_stmts(k, 1 + (int)pick(k, 3), 2);
  if (pick(k, 4)) ADD("s%d.p := %u;\n", k->process, pick(k, PLACES));
  ADD("}\n");
}

static void add_model(struct maker *k) {
  static const char *const places[] = {"u8", "0..20", "i32"};
  ADD("model \"m\"; deadlock off;\nvar g : u8;\nvar h : i16;\nvar q : array [0..2] of u8;\n");
  const char *place = places[pick(k, 3)];
  for (int i = 0; i < PROCESSES; i++)
    ADD("var s%d : record { p : %s; a : u8; b : i8; c : 0..40; } location agent %d;\n", i, place,
        i);
  ADD("function twice(n : i32) : int { if n > 3 { return n; } return n * 2; }\n");
  ADD("function spoil(ref r : u8) { r := r + 1:u8; g := 3:u8; }\n");
  ADD("start \"s\" {\ng := 0:u8; h := 0; clear q;\n");
  for (int i = 0; i < PROCESSES; i++) {
    if (pick(k, 20)) ADD("s%d.p := %u;\n", i, pick(k, PLACES));
    if (pick(k, 10)) ADD("s%d.a := %u;\n", i, pick(k, 4));
    if (pick(k, 10)) ADD("s%d.b := 0;\n", i);
    if (pick(k, 10)) ADD("s%d.c := %u;\n", i, pick(k, 10));
  }
  ADD("}\n");
  unsigned rules = 3 + pick(k, 8);
  for (unsigned i = 0; i < rules; i++) add_rule(k, i);
  ADD("invariant \"i\" : g + s0.a != 77 & s1.c < 39;\nvalid_end : s0.b + 1 > q[1];\n");
}

static uint64_t try_seed(uint64_t seed, uint64_t *saved) {
  struct maker k = {0};
  rng_init(&k.rng, seed);
  add_model(&k);
  struct ir_model *a = parse(k.out.data), *b = narrowed(k.out.data);
  struct sys_config c = {.mode = SYS_INTERPRETED};
  struct sys *x = sys_new(a, &c), *y = sys_new(b, &c);
  struct compare_count count = {0};
  struct text why = {0};
  if (!compare_systems(x, y, COMPARE_SITES, STATES_MAX, &count, &why)) {
    fputs(text_str(&k.out), stderr);
    fail_msg("seed %llu: %s", (unsigned long long)seed, text_str(&why));
  }
  assert_true(b->layout->bits <= a->layout->bits);
  *saved += a->layout->bits - b->layout->bits;
  text_clear(&why);
  sys_free(x);
  sys_free(y);
  ir_model_free(a);
  ir_model_free(b);
  text_clear(&k.out);
  return count.states;
}

static void test_random_processes(void **state) {
  (void)state;
  uint64_t states = 0, saved = 0;
  const char *effort = getenv("FATHOM_TEST_EFFORT");
  uint64_t models = MODELS * (effort ? strtoull(effort, NULL, 10) : 1);
  for (uint64_t seed = 1; seed <= models; seed++) states += try_seed(seed, &saved);
  print_message("%llu states, %llu bits saved\n", (unsigned long long)states,
                (unsigned long long)saved);
  assert_true(states > 20 * models && saved > 10 * models);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_intervals), cmocka_unit_test(test_facts),
      cmocka_unit_test(test_gaps),      cmocka_unit_test(test_locations),
      cmocka_unit_test(test_types),     cmocka_unit_test(test_random_processes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
