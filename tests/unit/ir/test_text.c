// SPDX-License-Identifier: Apache-2.0
// The text form: what is printed parses back to a model that prints the same, and broken texts get
// located errors, several per run.
#include "ir/ir.h"

// cmocka wants these first
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

static const struct span nowhere;

// Every construct of the text form, as it is printed.
static const char full[] =
    "model \"full\" language \"ir\";\n"
    "deadlock stuck;\n"
    "type Proc : scalarset(3) from 1;\n"
    "type State : enum {Idle, Busy, `Sent away`} from 10;\n"
    "type Other : enum {Idle, Done};\n"
    "type Who : union {Proc, State};\n"
    "type #1 : record { owner : Who; count : 0..3; };\n"
    "type byte : u8;\n"
    "type Grid : array [Proc] of array [0..1] of #1;\n"
    "var grid : Grid;\n"
    "var x : -2..7 hidden;\n"
    "var pc : State location agent 2;\n"
    "var `for` : bool;\n"
    "var flags : u8!;\n"
    "var wide : u64;\n"
    "var n : int;\n"
    "\n"
    "function sum(maybe a : int, ref r : Grid, ref k : byte) : int {\n"
    "  local t : int;\n"
    "  t := a;\n"
    "  for i : Proc {\n"
    "    for j : int in 0 to 1 {\n"
    "      t := t + r[i][j].count;\n"
    "      if t > 100 {\n"
    "        return 0;\n"
    "      } else if t = 5 {\n"
    "        k := 3:byte;\n"
    "      } else {\n"
    "        clear r;\n"
    "      }\n"
    "    }\n"
    "  }\n"
    "  return if [int] t = 0 then 1:0..3 else t;\n"
    "}\n"
    "\n"
    "function reset() {\n"
    "  undefine x;\n"
    "  sort grid;\n"
    "  call reset();\n"
    "  return;\n"
    "}\n"
    "\n"
    "start \"init\" {\n"
    "  x := 0;\n"
    "  n := -5;\n"
    "  wide := 18446744073709551615:u64;\n"
    "  flags := 5:u8! + flags;\n"
    "  clear grid;\n"
    "  pc := Idle;\n"
    "  `for` := !true;\n"
    "}\n"
    "\n"
    "rule \"execute inc j and while\" (i : Proc, j : int in 1 to 3 by 2) choose (c : 0..2) agent i"
    " mark \"m\" mark \"n \\\"q\\\"\"\n"
    "  when x < 3 & (`for` | i = 1:Proc) -> forall q : Proc { q = i -> "
    "!isundefined(grid[q][0].owner) }\n"
    "{\n"
    "  local k : byte;\n"
    "  local l : #1;\n"
    "  k := 0:byte;\n"
    "  l := grid[i][1];\n"
    "  grid[i][c % 2] := l;\n"
    "  grid[i][0].owner := `Sent away`:Who;\n"
    "  pc := Idle;\n"
    "  assert Idle:Other = Done;\n"
    "  n := sum(n - (1 - x) * -(2), grid, k);\n"
    "  n := ~x bxor (x bor 3 band 1) << 2 >> n;\n"
    "  switch pc {\n"
    "    case Idle, Busy {\n"
    "      assert x != 0 else \"x is \\\"zero\\\"\\n\";\n"
    "      assert false else error \"boom\";\n"
    "      assert x = 0;\n"
    "    }\n"
    "    otherwise {\n"
    "      assume ismember(grid[i][0].owner, Proc);\n"
    "    }\n"
    "  }\n"
    "  while x < 5 limit 1000 {\n"
    "    x := x + 1;\n"
    "  }\n"
    "  k := cast(x, byte);\n"
    "  cover \"reached\" when x = 5;\n"
    "  cover \"reached\" # 2 when true;\n"
    "  print \"x = \", x, \"\\t\\x07\", grid;\n"
    "  assert countof q : Proc { exists z : int in x to n by -1 { z = x } } = 3 else multiset;\n"
    "  for q : int in type State {\n"
    "    x := q;\n"
    "  }\n"
    "}\n"
    "\n"
    "invariant \"small\" : x <= 7 & (if x = 0 then true else n < 0);\n"
    "assume \"fine\" : n < 100;\n"
    "cover \"reached\";\n"
    "cover \"reached\" : x = 1;\n"
    "liveness \"gets there\" (p : Proc, q : bool) : grid[p][0].count = 1 | q;\n"
    "ltl \"always\" : \"[] p\";\n"
    "ctl \"maybe\" : \"EF p\" EF (x = 1);\n"
    "atom \"p\" : exists p : Proc { grid[p][1].count > 0 };\n"
    "valid_end : x = 7;\n";

static struct ir_model *parse(const char *text) {
  struct diag d = {0};
  struct ir_model *m = ir_parse_model(source_from_text("test.ir", text, strlen(text)), &d);
  if (!m) diag_print(&d, stderr, false);
  assert_non_null(m);
  assert_int_equal(d.errors, 0);
  diag_clear(&d);
  struct text errors = {0};
  if (!ir_check(m, &errors)) fail_msg("%s", errors.data);
  return m;
}

static void assert_prints(const struct ir_model *m, const char *expected) {
  struct text out = {0};
  ir_print_model(&out, m);
  assert_string_equal(text_str(&out), expected);
  text_clear(&out);
}

// What the model prints parses to a model that prints the same.
static void assert_round_trip(const struct ir_model *m) {
  struct text out = {0};
  ir_print_model(&out, m);
  struct ir_model *again = parse(out.data);
  assert_prints(again, out.data);
  ir_model_free(again);
  text_clear(&out);
}

static void test_everything_prints_as_it_is_written(void **state) {
  (void)state;
  struct ir_model *m = parse(full);
  assert_prints(m, full);
  ir_model_free(m);
}

static void test_parsed_model_is_the_one_written(void **state) {
  (void)state;
  struct ir_model *m = parse(full);
  assert_string_equal(m->name, "full");
  assert_int_equal(m->deadlock, IR_DEADLOCK_STUCK);
  assert_int_equal(m->vars.count, 7);
  assert_true(m->vars.data[1]->hidden);
  assert_true(m->vars.data[2]->is_location);
  assert_int_equal(m->vars.data[2]->agent, 2);
  const struct ir_rule *r = m->rules.data[0];
  assert_int_equal(r->param_count, 2);
  assert_int_equal(r->choice_count, 1);
  assert_int_equal(r->instances, 6);
  assert_int_equal(r->choices, 3);
  assert_int_equal(r->agent_param, 0);
  assert_int_equal(r->mark_count, 2);
  assert_string_equal(r->marks[1], "n \"q\"");
  assert_int_equal(r->span.line, 53);
  assert_int_equal(r->span.column, 6);
  const struct ir_expr *wide = m->starts.data[0]->body->next->next->expr;
  assert_int_equal(wide->value, -1);
  assert_int_equal(wide->type->bits, 64);
  assert_false(wide->type->is_signed);
  ir_model_free(m);
}

// --- models built by hand ---

static struct ir_model *two_names(void) {
  struct ir_model *m = ir_model_new("na\"me", "ir");
  const char *const members[] = {"a", "b c", "x"};
  struct ir_type *e = ir_type_enum(m, 0, members, 3), *f = ir_type_enum(m, 5, members, 2);
  f->name = "F";
  struct ir_var *x = ir_var_new(m, "x", e, nowhere), *y = ir_var_new(m, "", f, nowhere);
  struct ir_rule *s = ir_rule_new(m, true, "s\n", nowhere);
  struct ir_chain c = {0};
  ir_chain_add(&c, ir_assign(m, ir_var_ref(m, x, nowhere), ir_const(m, e, 2, nowhere), nowhere));
  ir_chain_add(&c, ir_assign(m, ir_var_ref(m, x, nowhere), ir_const(m, e, 1, nowhere), nowhere));
  ir_chain_add(&c, ir_assign(m, ir_var_ref(m, y, nowhere), ir_const(m, f, 6, nowhere), nowhere));
  s->body = c.first;
  return m;
}

static void test_names_that_collide(void **state) {
  (void)state;
  struct ir_model *m = two_names();
  assert_prints(m, "model \"na\\\"me\" language \"ir\";\n"
                   "deadlock off;\n"
                   "type #1 : enum {a, `b c`, x};\n"
                   "type F : enum {a, `b c`} from 5;\n"
                   "var x : #1;\n"
                   "var `` : F;\n"
                   "\n"
                   "start \"s\\n\" {\n"
                   "  x := x:#1;\n"
                   "  x := `b c`;\n"
                   "  `` := `b c`:F;\n"
                   "}\n");
  assert_round_trip(m);
  ir_model_free(m);
}

static struct ir_expr *compare(struct ir_model *m, struct ir_local *l, int64_t v) {
  return ir_binary(m, IR_EQ, ir_local_ref(m, l, nowhere), ir_int(m, v, nowhere), nowhere);
}

// Binders inside each other need different names; binders side by side may share one.
static void test_binders_that_share_a_name(void **state) {
  (void)state;
  struct ir_model *m = ir_model_new("binders", "ir");
  struct ir_type *t = ir_type_range(m, 0, 3);
  struct ir_property *p = ir_property_new(m, IR_PROP_INVARIANT, "p", nowhere);
  struct ir_local *i = ir_local_new(m, &p->frame, IR_LOCAL_BOUND, "i", t, nowhere);
  struct ir_local *j = ir_local_new(m, &p->frame, IR_LOCAL_BOUND, "i", t, nowhere);
  struct ir_expr *inner =
      ir_quant(m, IR_EXISTS, j, ir_domain_type(m, t),
               ir_binary(m, IR_AND, compare(m, i, 1), compare(m, j, 2), nowhere), nowhere);
  struct ir_expr *outer = ir_quant(m, IR_FORALL, i, ir_domain_type(m, t), inner, nowhere);
  struct ir_expr *beside =
      ir_quant(m, IR_FORALL, j, ir_domain_type(m, t), compare(m, j, 0), nowhere);
  p->expr = ir_binary(m, IR_OR, outer, beside, nowhere);
  assert_prints(m, "model \"binders\" language \"ir\";\n"
                   "deadlock off;\n"
                   "\n"
                   "invariant \"p\" : forall i : 0..3 { exists i'2 : 0..3 { i = 1 & i'2 = 2 } } | "
                   "forall i : 0..3 { i = 0 };\n");
  assert_round_trip(m);
  ir_model_free(m);
}

// Where a tree leans matters: brackets keep it.
static void test_shapes_of_trees(void **state) {
  (void)state;
  static const char *const exprs[] = {
      "a - (b - c) - (a + b)",
      "(d -> b = c) = d",
      "(d -> d) -> d -> !(!d)",
      "-(-a) - -(-5) - -5",
      "(if d then a else b) + (if d then if d then a else b else c)",
      "a * (b + c) / (a % b) << (a << 1)",
      "(d | d) & d | d & (d | d)",
      "(a bor b) band (a bxor b)",
      "a + b * c - ~(~a) >> 1",
  };
  for (size_t i = 0; i < sizeof exprs / sizeof *exprs; i++) {
    struct text in = {0};
    text_add(&in, "model \"m\" language \"ir\";\ndeadlock off;\n"
                  "var a : int;\nvar b : int;\nvar c : int;\nvar d : bool;\n\nstart \"s\" {\n");
    text_printf(&in, "  print %s;\n}\n", exprs[i]);
    struct ir_model *m = parse(in.data);
    assert_prints(m, in.data);
    ir_model_free(m);
    text_clear(&in);
  }
}

// What a rule shows, and states that are passed through.
static const char shown[] =
    "model \"shown\" language \"promela\";\n"
    "source \"a.pml\";\n"
    "deadlock stuck;\n"
    "type mtype : enum {ack, msg} from 1;\n"
    "var q : array [0..1] of u8;\n"
    "var hold : 0..3;\n"
    "\n"
    "start \"s\" {\n"
    "  clear q;\n"
    "  hold := 0;\n"
    "}\n"
    "\n"
    "rule \"a\" (i : 0..1) agent 1 @3:1\n"
    "  line \"q!msg,x\" by \"sender\" agent 1 place 7 send i + 1 of q[i] as mtype, 3 as u8 @3:4\n"
    "  line \"r?x\" by \"receiver\" agent 2 receive if i = 0 then 1 else 2 @3:9\n"
    "  line \"exists\" send 1 of exists k : 0..1 { q[k] = 0 } as bool\n"
    "  line \"skip\"\n"
    "  when hold = 0\n"
    "{\n"
    "  hold := 1;\n"
    "  assert q[i] = 0 else plan \"no room\";\n"
    "}\n"
    "\n"
    "rule \"b\"\n"
    "  line \"b\"\n"
    "{\n"
    "  hold := 0;\n"
    "}\n"
    "\n"
    "transient hold;\n";

static void test_lines_and_transient(void **state) {
  (void)state;
  struct ir_model *m = parse(shown);
  assert_prints(m, shown);
  assert_ptr_equal(m->transient, m->vars.data[1]);
  const struct ir_rule *r = m->rules.data[0];
  assert_int_equal(r->line_count, 4);
  assert_string_equal(r->lines[0].process, "sender");
  assert_int_equal(r->lines[0].place, 7);
  assert_int_equal(r->lines[0].event, IR_EVENT_SEND);
  assert_int_equal(r->lines[0].value_count, 2);
  assert_string_equal(r->lines[0].types[0]->name, "mtype");
  assert_int_equal(r->lines[0].span.column, 4);
  assert_int_equal(r->lines[1].agent, 2);
  assert_int_equal(r->lines[1].event, IR_EVENT_RECEIVE);
  assert_int_equal(r->lines[3].agent, -1);
  assert_null(r->lines[3].process);
  ir_fold(m);
  assert_prints(m, shown);
  ir_model_free(m);
}

static const char automata[] = "model \"automata\" language \"ir\";\n"
                               "deadlock off;\n"
                               "var x : 0..3;\n"
                               "\n"
                               "start \"s\" {\n"
                               "  x := 0;\n"
                               "}\n"
                               "\n"
                               "ltl \"often\" : \"[] <> \\\"x = 0\\\"\" automaton stutters {\n"
                               "  state \"T0\" {\n"
                               "    -> 0;\n"
                               "    !0 & 1 -> 1;\n"
                               "  }\n"
                               "  state accepting {\n"
                               "    !0 -> 1;\n"
                               "  }\n"
                               "}\n"
                               "ltl \"plain\" : \"[] p\";\n"
                               "never \"edges\" automaton on_edges {\n"
                               "  state {\n"
                               "    1 -> 0 accepting;\n"
                               "    -> 1;\n"
                               "  }\n"
                               "  state \"end\" final {\n"
                               "  }\n"
                               "}\n"
                               "never \"too much\" unchecked \"it \\\"assigns\\\"\";\n"
                               "acceptance \"a\" automaton where 1 {\n"
                               "  state accepting final {\n"
                               "    -> 0;\n"
                               "  }\n"
                               "}\n"
                               "progress \"p\" automaton stutters stuck_ends {\n"
                               "  state {\n"
                               "    -> 0;\n"
                               "  }\n"
                               "}\n"
                               "atom \"x = 0\" : x = 0;\n"
                               "atom \"big\" : x > 2;\n";

static void test_automata(void **state) {
  (void)state;
  struct ir_model *m = parse(automata);
  assert_prints(m, automata);
  const struct ir_automaton *a = m->properties.data[0]->automaton;
  assert_int_equal(a->count, 2);
  assert_true(a->stutters && !a->on_edges && !a->stuck_ends && a->accept_atom == -1);
  assert_string_equal(a->states[0].name, "T0");
  assert_null(a->states[1].name);
  assert_true(a->states[1].accepting && !a->states[1].final);
  assert_int_equal(a->states[0].edges[1].yes, 2);
  assert_int_equal(a->states[0].edges[1].no, 1);
  assert_int_equal(a->states[0].edges[1].to, 1);
  assert_int_equal(ir_automaton_atoms(a), 2);
  assert_null(m->properties.data[1]->automaton);
  assert_true(m->properties.data[2]->automaton->states[0].edges[0].accepting);
  assert_true(m->properties.data[2]->automaton->states[1].final);
  assert_string_equal(m->properties.data[3]->unchecked, "it \"assigns\"");
  assert_int_equal(m->properties.data[4]->automaton->accept_atom, 1);
  assert_true(m->properties.data[5]->automaton->stuck_ends);
  ir_model_free(m);
}

// Lines are not part of the meaning, transient states are.
static void test_meaning_of_lines(void **state) {
  (void)state;
  struct ir_model *m = parse(shown);
  struct text with = {0}, without = {0}, stored = {0};
  ir_print_meaning(&with, m);
  for (size_t i = 0; i < m->rules.count; i++) m->rules.data[i]->line_count = 0;
  ir_print_meaning(&without, m);
  m->transient = NULL;
  ir_print_meaning(&stored, m);
  assert_string_equal(with.data, without.data);
  assert_string_not_equal(with.data, stored.data);
  text_clear(&with);
  text_clear(&without);
  text_clear(&stored);
  ir_model_free(m);
}

static void test_people_read_raw_names(void **state) {
  (void)state;
  struct ir_model *m = parse(full);
  struct text out = {0};
  ir_print_expr(&out, m->properties.data[4]->expr);
  assert_string_equal(out.data, "grid[p][0].count = 1 | q");
  text_clear(&out);
  ir_print_expr(&out, m->rules.data[0]->body->expr); // 0:byte
  assert_string_equal(out.data, "0");
  text_clear(&out);
  ir_model_free(m);
}

// --- spans ---

static const char annotated[] = "model \"a\" language \"murphi\";\n"
                                "source \"a.m\";\n"
                                "source \"b.m\";\n"
                                "deadlock stuttering;\n"
                                "var x : 0..3 @2:3;\n"
                                "\n"
                                "function f() : int @4:1 {\n"
                                "  return 1 @5:2;\n"
                                "}\n"
                                "\n"
                                "start \"s\" @6:1 {\n"
                                "  x := 0 @1/7:9;\n"
                                "  if x = 0 @8:1 {\n"
                                "    assert x = 0 else \"m\" @9:1;\n"
                                "  } else if x = 1 @10:1 {\n"
                                "    clear x;\n"
                                "  }\n"
                                "}\n"
                                "\n"
                                "invariant \"i\" : x < 2 @11:12;\n";

static void test_spans_of_another_language(void **state) {
  (void)state;
  struct ir_model *m = parse(annotated);
  assert_prints(m, annotated);
  const struct ir_stmt *s = m->starts.data[0]->body;
  assert_string_equal(s->span.source->path, "b.m");
  assert_int_equal(s->span.line, 7);
  assert_int_equal(s->span.column, 9);
  const struct ir_site *site = &m->sites.data[s->site];
  assert_string_equal(site->span.source->path, "b.m");
  assert_string_equal(site->message, "x := 0");
  assert_null(s->next->other->body->span.source);
  assert_int_equal(m->properties.data[0]->span.line, 11);
  ir_model_free(m);
}

// The example of docs/ir.md is a model, and printed as it stands there.
static void test_example_of_the_docs(void **state) {
  (void)state;
  const char *why;
  struct source *docs = source_read(FATHOM_SOURCE_DIR "/docs/ir.md", &why);
  assert_non_null(docs);
  struct text example = {0};
  const char *line = strstr(docs->text, "    model \"");
  assert_non_null(line);
  while (*line == '\n' || strncmp(line, "    ", 4) == 0) {
    size_t n = strcspn(line, "\n");
    text_add_n(&example, n > 4 ? line + 4 : line, n > 4 ? n - 4 : 0);
    text_char(&example, '\n');
    line += n + 1;
  }
  example.data[--example.count] = '\0'; // the blank line behind it
  struct ir_model *m = parse(example.data);
  assert_prints(m, example.data);
  ir_model_free(m);
  text_clear(&example);
  source_free(docs);
}

// --- broken texts ---

struct broken {
  const char *text; // after the header
  uint32_t line, column;
  const char *message; // how it begins
};

static const struct broken broken[] = {
    {"", 1, 1, NULL},
    {"var x : 0..3", 2, 13, "expected ';', but the text ends here"},
    {"var x : 3..0;", 2, 9, "the range is empty"},
    {"var x : Foo;", 2, 9, "there is no type \"Foo\" above"},
    {"var x : bool; var x : int;", 2, 19, "there is already a variable \"x\""},
    {"type T : bool; type T : int;", 2, 21, "there is already a type \"T\""},
    {"type E : enum {A, B, A};", 2, 22, "\"A\" is in the enum twice"},
    {"type E : enum {A} from 9223372036854775807;", 2, 19, "the values do not fit"},
    {"type S : scalarset(0);", 2, 20, "a scalarset needs at least one value"},
    {"type U : union {bool};", 2, 17, "the parts of a union must be enums"},
    {"type U : union {enum {A}, enum {B}};", 2, 27, "the parts of a union must have different"},
    {"type R : record { a : int; a : int; };", 2, 28, "the record has two fields \"a\""},
    {"var a : array [int] of bool;", 2, 16, "an index type must be scalar, with few values"},
    {"var x : u8 $ ;", 2, 12, "this character has no meaning here"},
    {"var x : \"unended", 2, 9, "a quoted text does not end on its line"},
    {"var `a\\q` : int;", 2, 5, "unknown escape sequence"},
    {"var x : 0..99999999999999999999;", 2, 12, "the number does not fit into 64 bits"},
    {"var x : 0..9223372036854775808;", 2, 12, "the number is too large"},
    {"nonsense;", 2, 1, "expected a declaration, a rule or a property, found nonsense"},
    {"deadlock maybe;", 2, 10, "expected 'off', 'stuck' or 'stuttering', found maybe"},
    {"invariant \"i\" : 1;", 2, 17, "a condition must be Boolean"},
    {"invariant \"i\" : 1 < 2 < 3;", 2, 23, "comparisons do not chain"},
    {"invariant \"i\" : 1 & true;", 2, 19, "the operands of a logical operator must be Boolean"},
    {"invariant \"i\" : y = 1;", 2, 17, "nothing here is called \"y\""},
    {"invariant \"i\" : f(1);", 2, 17, "there is no function \"f\""},
    {"invariant \"i\" : 300:u8 = 0;", 2, 17, "the type has no such value"},
    {"invariant \"i\";", 2, 14, "expected ':' and a condition"},
    {"invariant \"i\" : true", 2, 21, "expected ';'"},
    {"invariant \"i\" : true @1:1;", 2, 22, "there is no such line"},
    {"ltl \"i\" : 1 = 1;", 2, 11, "expected ':' and a formula"},
    {"never \"n\";", 2, 10, "expected 'automaton'"},
    {"never \"n\" automaton { }", 2, 11, "an automaton has a state"},
    {"never \"n\" automaton { edge }", 2, 23, "expected 'state' or '}', found edge"},
    {"never \"n\" automaton { state { -> 1; } }", 2, 11, "an edge leads to a state"},
    {"never \"n\" automaton { state { -> 0 accepting; } }", 2, 11, "only edges of an automaton"},
    {"never \"n\" automaton { state { 64 -> 0; } }", 2, 31, "the number is too large: at most 63"},
    {"never \"n\" automaton { state { 0 & -> 0; } }", 2, 35, "expected a number, found ->"},
    {"never \"n\" automaton { state { !0 -> 0 } }", 2, 39, "expected ';', found }"},
    {"never \"n\" automaton { state { !0 -> 0; } }", 2, 7,
     "the automaton of \"n\" speaks of an atom"},
    {"never \"n\" automaton where 3 { state { } }", 2, 7,
     "the automaton of \"n\" speaks of an atom"},
    {"never \"n\" unchecked 3;", 2, 21, "expected a string, found 3"},
    {"liveness \"l\" (i : 0..3 in 0 to 4) : true;", 2, 15, "a bound lies outside"},
    {"liveness \"l\" (i : 0..3 in 0 to 3 by 0) : true;", 2, 15, "the step must not be zero"},
    {"liveness \"l\" (i : 0..3 in 0 to 3 by -1) : true;", 2, 15, "the step leads away"},
    {"var x : bool; rule \"r\" { x := 1; }", 2, 31, "Booleans and numbers do not mix"},
    {"rule \"r\" (i : 0..1) { i := 1; }", 2, 23, "a bound variable cannot be written"},
    {"rule \"r\" (i : 0..1, i : bool) { }", 2, 21, "two parameters are called \"i\""},
    {"rule \"r\" agent i { }", 2, 16, "the rule has no parameter \"i\""},
    {"rule \"r\" { x; }", 2, 12, "nothing here is called \"x\""},
    {"rule \"r\" { 1 := 2; }", 2, 12, "expected a statement, found 1"},
    {"rule \"r\" { return 1; }", 2, 19, "there is no value to be returned here"},
    {"rule \"r\" { cover \"c\"; }", 2, 18, "there is no property \"c\""},
    {"rule \"r\" { while true { } }", 2, 23, "expected 'limit', found {"},
    {"rule \"r\" { if true { }", 2, 23, "expected '}', but the text ends here"},
    {"rule \"r\" { } }", 2, 14, "expected a declaration"},
    {"function f(a : int) { } rule \"r\" { call f(); }", 2, 43, "\"f\" has 1 parameters, and 0"},
    {"function f(ref a : int) { } rule \"r\" { call f(1); }", 2, 47, "only a variable"},
    {"function f() { } rule \"r\" when f() { }", 2, 32, "a procedure has no value"},
    {"function f() : int { return; }", 2, 22, "the function must return a value"},
    {"function f(a : int) { a := 1; }", 2, 23, "a parameter by value cannot be written"},
    {"valid_end : forall i : bool { i };", 2, 20, "nothing can be bound here"},
    {"valid_end : true; valid_end : true;", 2, 29, "valid_end is given twice"},
    {"transient x;", 2, 11, "there is no such variable"},
    {"var x : scalarset(2); transient x;", 2, 33, "a transient variable is a Boolean"},
    {"var x : 1..2; transient x;", 2, 25, "a transient variable must be able to be 0"},
    {"var x : bool; transient x; transient x;", 2, 38, "transient is given twice"},
    {"rule \"r\" line \"a\" send 1 of 2 { }", 2, 31, "expected 'as' and a type, found {"},
    {"rule \"r\" line \"a\" send { }", 2, 24, "expected an expression, found {"},
    {"var a : array [bool] of bool; rule \"r\" line \"a\" send a { }", 2, 54, "a message is made"},
    {"rule \"r\" line { }", 2, 15, "expected a string, found {"},
};

static void test_broken_texts(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
    const struct broken *b = &broken[i];
    struct diag d = {0};
    struct text in = {0};
    text_printf(&in, "%s%s", b->message ? "model \"m\";\n" : "", b->text);
    struct ir_model *m = ir_parse_model(source_from_text("t.ir", text_str(&in), in.count), &d);
    if (m) fail_msg("parsed: %s", b->text);
    assert_int_equal(d.errors, 1);
    const struct diag_entry *e = &d.entries[0];
    const char *message = b->message ? b->message : "expected 'model', but the text ends here";
    if (e->span.line != b->line || e->span.column != b->column ||
        strncmp(e->message, message, strlen(message)) != 0)
      fail_msg("%s: %u:%u: %s", b->text, e->span.line, e->span.column, e->message);
    text_clear(&in);
    diag_clear(&d);
  }
}

static void test_several_errors_in_one_run(void **state) {
  (void)state;
  static const char text[] = "model \"m\";\n"
                             "var x : Nothing;\n"
                             "var y : 0..3;\n"
                             "rule \"r\" when forall i : bool { i } & z {\n"
                             "  y := 1;\n"
                             "}\n"
                             "rule \"s\" when forall i : bool { i }\n"
                             "{\n"
                             "  y := true;\n"
                             "  if y = 1 { y := ; y := 2 } else { clear q; }\n"
                             "  y := 1;\n"
                             "}\n"
                             "invariant \"i\" : y;\n";
  static const uint32_t lines[] = {2, 4, 9, 10, 10, 10, 13};
  struct diag d = {0};
  assert_null(ir_parse_model(source_from_text("t.ir", text, strlen(text)), &d));
  assert_int_equal(d.errors, sizeof lines / sizeof *lines);
  for (size_t i = 0; i < d.errors; i++) assert_int_equal(d.entries[i].span.line, lines[i]);
  diag_clear(&d);
}

// --- sizes and bytes ---

static size_t errors_of(const char *text, size_t bytes, const char **message) {
  static char first[200];
  struct diag d = {0};
  struct ir_model *m = ir_parse_model(source_from_text("t.ir", text, bytes), &d);
  size_t errors = d.errors;
  assert_true((m == NULL) == (errors > 0));
  first[0] = '\0';
  if (errors) strncat(first, d.entries[0].message, sizeof first - 1);
  if (message) *message = first;
  ir_model_free(m);
  diag_clear(&d);
  return errors;
}

static void repeat(struct text *t, const char *s, int n) {
  for (int i = 0; i < n; i++) text_add(t, s);
}

static void test_deep_nesting_is_an_error(void **state) {
  (void)state;
  static const char *const deep[][3] = {
      {"model \"m\"; invariant \"i\" : ", "(", ""},
      {"model \"m\"; invariant \"i\" : ", "!", "true;"},
      {"model \"m\"; invariant \"i\" : ", "true -> ", "true;"},
      {"model \"m\"; invariant \"i\" : ", "if true then true else ", "true;"},
      {"model \"m\"; invariant \"i\" : ", "forall i : bool { ", ""},
      {"model \"m\"; var x : ", "array [bool] of ", "bool;"},
      {"model \"m\"; rule \"r\" { ", "if true { ", ""},
      {"model \"m\"; rule \"r\" { ", "switch 1 { otherwise { ", ""},
  };
  for (size_t i = 0; i < sizeof deep / sizeof *deep; i++) {
    struct text in = {0};
    const char *message;
    text_add(&in, deep[i][0]);
    repeat(&in, deep[i][1], 100000);
    text_add(&in, deep[i][2]);
    assert_true(errors_of(in.data, in.count, &message) > 0);
    assert_string_equal(message, "nested too deeply: at most 1000 levels");
    text_clear(&in);
  }
}

static void test_long_chains(void **state) {
  (void)state;
  struct text in = {0};
  const char *message;
  text_add(&in, "model \"m\"; invariant \"i\" : true");
  repeat(&in, " & true", 100000);
  text_add(&in, ";");
  assert_int_equal(errors_of(in.data, in.count, &message), 1);
  assert_string_equal(message, "the expression is too large: split it up");
  text_clear(&in);
  text_add(&in, "model \"m\"; rule \"r\" { if true { }"); // as long as memory lasts
  repeat(&in, " else if false { }", 5000);
  text_add(&in, " }");
  assert_int_equal(errors_of(in.data, in.count, NULL), 0);
  text_clear(&in);
}

static void test_any_bytes(void **state) {
  (void)state;
  struct rng rng;
  rng_init(&rng, 1);
  char bytes[300];
  for (int round = 0; round < 2000; round++) {
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (char)rng_next(&rng);
    memcpy(bytes, "model \"\";", round % 2 ? 9 : 0);
    assert_true(errors_of(bytes, sizeof bytes, NULL) > 0);
  }
}

// Every prefix of a text, and the text with any one byte missing or another: an answer, no crash.
static void test_mutilated_texts(void **state) {
  (void)state;
  struct rng rng;
  rng_init(&rng, 2);
  size_t n = sizeof full - 1;
  char *copy = mem_alloc(n + 1);
  for (size_t at = 0; at < n; at++) {
    errors_of(full, at, NULL);
    memcpy(copy, full, n);
    memmove(copy + at, copy + at + 1, n - at - 1);
    errors_of(copy, n - 1, NULL);
    memcpy(copy, full, n);
    copy[at] = (char)rng_next(&rng);
    errors_of(copy, n, NULL);
  }
  mem_free(copy);
}

// A model that is too large is refused by ir_model_finish, with its place.
static void test_too_large_a_state(void **state) {
  (void)state;
  static const char text[] = "model \"m\";\nvar a : array [0..1000000] of array [0..1000] of bool;";
  const char *message;
  assert_int_equal(errors_of(text, strlen(text), &message), 1);
  assert_non_null(strstr(message, "does not fit"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_everything_prints_as_it_is_written),
      cmocka_unit_test(test_parsed_model_is_the_one_written),
      cmocka_unit_test(test_names_that_collide),
      cmocka_unit_test(test_binders_that_share_a_name),
      cmocka_unit_test(test_shapes_of_trees),
      cmocka_unit_test(test_lines_and_transient),
      cmocka_unit_test(test_automata),
      cmocka_unit_test(test_meaning_of_lines),
      cmocka_unit_test(test_people_read_raw_names),
      cmocka_unit_test(test_spans_of_another_language),
      cmocka_unit_test(test_example_of_the_docs),
      cmocka_unit_test(test_broken_texts),
      cmocka_unit_test(test_several_errors_in_one_run),
      cmocka_unit_test(test_deep_nesting_is_an_error),
      cmocka_unit_test(test_long_chains),
      cmocka_unit_test(test_any_bytes),
      cmocka_unit_test(test_mutilated_texts),
      cmocka_unit_test(test_too_large_a_state),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
