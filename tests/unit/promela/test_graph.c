// SPDX-License-Identifier: Apache-2.0
// Control graphs of small programs, as SPIN 6.5.2 prints them (`pan -d`, without -o optimisations),
// and what names, types and jumps are refused for. tests/oracle/graphs.sh compares many more
// models.
#include "front/promela/parse.h"
#include "front/promela/program.h"

// cmocka wants these first
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

struct loaded {
  struct diag diag;
  struct pml_parse parse;
  struct pml_program program;
};

static void load(struct loaded *l, const char *text) {
  *l = (struct loaded){0};
  l->parse = (struct pml_parse){.diag = &l->diag, .arena = arena_new(), .raw = true};
  l->program = (struct pml_program){.arena = l->parse.arena, .syntax = l->parse.arena};
  pml_parse(&l->parse, source_from_text("t.pml", text, strlen(text)), NULL, 0);
  if (l->diag.errors == 0) pml_resolve(&l->program, l->parse.units, &l->diag);
}

static void unload(struct loaded *l) {
  diag_clear(&l->diag);
  for (size_t i = 0; i < l->parse.sources.count; i++) source_free(l->parse.sources.data[i]);
  VEC_CLEAR(&l->parse.sources);
  arena_free(l->parse.arena);
}

// Only what is between the states, the flags and the texts: "1>2 ---- x = 1|..."
static void short_form(struct text *out, const struct pml_graph *g) {
  for (size_t i = 0; i < g->states.count; i++) {
    const struct pml_state *s = &g->states.data[i];
    for (uint32_t k = 0; k < s->edge_count; k++) {
      const struct pml_edge *e = &g->edges.data[s->edges[k]];
      uint32_t to = e->to == UINT32_MAX ? 0 : g->states.data[e->to].number;
      text_printf(out, "%u>%u", s->number, to);
      if (e->atomic) text_char(out, 'A');
      if (s->is_end && !s->is_last) text_char(out, 'e');
      if (s->is_accept) text_char(out, 'a');
      if (s->is_progress) text_char(out, 'p');
      if (e->escape) text_printf(out, "^%u", e->escape);
      text_printf(out, " %s\n", e->text);
    }
  }
}

static void expect_graph(const char *body, const char *wanted) {
  struct loaded l;
  struct text model = {0}, got = {0};
  text_printf(&model, "int x, y;\nactive proctype P() { %s }\n", body);
  load(&l, text_str(&model));
  if (l.diag.errors > 0) diag_print(&l.diag, stderr, false);
  assert_int_equal(l.diag.errors, 0);
  short_form(&got, &l.program.procs.data[0]->graph);
  assert_string_equal(text_str(&got), wanted);
  text_clear(&got);
  text_clear(&model);
  unload(&l);
}

static void sequences(void **state) {
  (void)state;
  expect_graph("x = 1; y = 2", "1>2 x = 1\n2>3 y = 2\n3>0 -end-\n");
  expect_graph("x = 1; goto L; y = 2; L: skip", "1>4 x = 1\n4>5 (1)\n5>0 -end-\n");
  expect_graph("{ x = 1; y = 2 }; x = 3", "3>2 x = 1\n2>4 y = 2\n4>5 x = 3\n5>0 -end-\n");
}

static void selections(void **state) {
  (void)state;
  expect_graph("if :: x == 1 -> y = 1 :: else fi",
               "4>2 ((x==1))\n4>6 else\n2>6 y = 1\n6>0 -end-\n");
  // else last, wherever it stands; an inner if is part of the outer one
  expect_graph("if :: else -> y = 1 :: if :: x == 1 :: x == 2 fi; y = 2 fi",
               "8>7 ((x==1))\n8>7 ((x==2))\n8>2 else\n7>10 y = 2\n2>10 y = 1\n10>0 -end-\n");
  expect_graph("do :: x < 3 -> x++ :: break od",
               "4>2 ((x<3))\n4>7 goto :b0\n2>4 x = (x+1)\n7>0 -end-\n");
  // of skips in a row the first stays
  expect_graph("if :: skip; skip; skip; x = 1 fi", "5>4 (1)\n4>7 x = 1\n7>0 -end-\n");
  expect_graph("if :: false -> x = 1 :: y == 1 fi", "4>6 ((y==1))\n6>0 -end-\n");
}

static void loops(void **state) {
  (void)state;
  expect_graph("for (x : 1 .. 3) { y = x }",
               "1>7 x = 1\n7>3 ((x<=3))\n7>10 else\n3>4 y = x\n10>0 -end-\n4>7 x = (x+1)\n");
  expect_graph("select (x : y .. 3)",
               "1>5 x = y\n5>8 goto :b0\n5>3 ((x<3))\n8>0 -end-\n3>5 x = (x+1)\n");
}

static void atomic(void **state) {
  (void)state;
  expect_graph("atomic { x = 1; y = 2; x = 3 }", "4>2A x = 1\n2>3A y = 2\n3>5 x = 3\n5>0 -end-\n");
  // behind an if that ends the sequence there is a step of its own
  expect_graph("atomic { if :: x = 1 :: y = 2 fi }; x = 3",
               "5>4A x = 1\n5>4A y = 2\n4>6 .(goto)\n6>7 x = 3\n7>0 -end-\n");
  expect_graph("atomic { x = 1; goto L; y = 1 }; L: x = 4",
               "4>2A x = 1\n2>5 goto L\n5>6 x = 4\n6>0 -end-\n");
}

static void labels(void **state) {
  (void)state;
  expect_graph("end: do :: x == 1 -> progress: y = 1 od; accept: x = 2",
               "3>2e ((x==1))\n2>3p y = 1\n");
  expect_graph("x = 1; endx: goto L; L: y = 1", "1>3 x = 1\n3>4e (1)\n4>5 y = 1\n5>0 -end-\n");
}

static void escapes(void **state) {
  (void)state;
  expect_graph("{ x = 1; y = 2 } unless { x == 3; y = 4 }",
               "1>4^1 ((x==3))\n1>2 x = 1\n4>7 y = 4\n2>4^1 ((x==3))\n2>7 y = 2\n7>0 -end-\n");
  // the outer one comes first
  expect_graph("{ { x = 1 } unless { x == 3 } } unless { x == 5 }",
               "1>8^2 ((x==5))\n1>8^1 ((x==3))\n1>8 x = 1\n8>0 -end-\n");
}

static void d_steps(void **state) {
  (void)state;
  struct loaded l;
  load(&l, "int x;\nactive proctype P() { if :: d_step { else; x = 1 } :: x == 2 fi;\n"
           "d_step { if :: x = 1 :: x == 2 -> x = 3 fi } }");
  assert_int_equal(l.diag.errors, 0);
  const struct pml_graph *g = &l.program.procs.data[0]->graph;
  const struct pml_edge *e = &g->edges.data[0];
  assert_int_equal(e->kind, PML_EDGE_D_STEP);
  assert_int_equal(e->inner->guard_count, 1);
  assert_int_equal(e->sibling_count, 0);
  for (size_t i = 1; i < g->edges.count; i++) {
    e = &g->edges.data[i];
    if (e->kind != PML_EDGE_D_STEP) continue;
    // x = 1 is not looked at
    assert_int_equal(e->inner->guard_count, 1);
    assert_string_equal(e->inner->edges.data[e->inner->guards[0]].text, "((x==2))");
    assert_int_equal(e->inner->states.data[e->inner->start].edge_count, 2);
  }
  unload(&l);
}

static void late_declarations(void **state) {
  (void)state;
  expect_graph("byte a = 3; x = 1; byte b; int c = 4; byte d[2]",
               "1>2 x = 1\n2>3 b = 0\n3>4 c = 4\n4>5 d[0] = 0\n5>0 -end-\n");
}

static void names(void **state) {
  (void)state;
  struct loaded l;
  load(&l,
       "mtype = { a, b };\nmtype = { c };\nmtype:set = { d, e };\n"
       "typedef T { byte f[2]; bool g };\nchan q = [2] of { T, mtype };\n"
       "active proctype P() { T t; { int z; z = 1 } { int z; z = 2; q!t,c } L: goto L2; L2: skip "
       "}\nactive proctype Q() { P@L }\n");
  if (l.diag.errors > 0) diag_print(&l.diag, stderr, false);
  assert_int_equal(l.diag.errors, 0);
  static const struct {
    const char *name;
    int value;
  } wanted[] = {{"b", 1}, {"a", 2}, {"c", 3}, {"e", 1}, {"d", 2}};
  for (size_t i = 0; i < COUNT(wanted); i++) {
    assert_string_equal(l.program.mtypes.data[i].name, wanted[i].name);
    assert_int_equal(l.program.mtypes.data[i].value, wanted[i].value);
  }
  const struct pml_proc *p = l.program.procs.data[0];
  assert_int_equal(p->locals.count, 3);
  assert_string_equal(p->locals.data[2]->shown, "z_2");
  assert_int_equal(l.program.globals.data[0]->channel->field_count, 4);
  // a goto that others look at is a state
  const struct ast_stmt *s = l.program.procs.data[1]->graph.edges.data[0].stmt;
  bool found = false;
  for (size_t i = 0; i < p->graph.states.count; i++)
    found = found || (int64_t)p->graph.states.data[i].number == s->expr->value;
  assert_true(found);
  unload(&l);
}

static void merging(void **state) {
  (void)state;
  struct loaded l;
  struct text got = {0};
  load(&l, "int x; active proctype P() { int i, k; x = 1; i = 2; k = i; x = k; end: i = 1; x = i; "
           "L: i = 1; goto M; M: k = 2; goto L }");
  assert_int_equal(l.diag.errors, 0);
  pml_merge(&l.program);
  short_form(&got, &l.program.procs.data[0]->graph);
  // not onto an end state, and a loop of private statements stops once
  assert_string_equal(text_str(&got), "1>2A x = 1\n2>3A i = 2\n3>4 k = i\n4>5 x = k\n"
                                      "5>6e i = 1\n6>7 x = i\n7>9A i = 1\n9>7 k = 2\n");
  text_clear(&got);
  unload(&l);
}

static void dead_variables(void **state) {
  (void)state;
  struct loaded l;
  load(&l, "int x; chan q = [1] of { byte }; active proctype P() { int i, k, a[2];\n"
           "i = 1; k = i; q?i; if :: x == 1 -> k = 2; x = k :: else -> x = i fi; a[0] = 1 }");
  assert_int_equal(l.diag.errors, 0);
  pml_reset_dead(&l.program);
  static const char *const wanted[][2] = {{"i = 1", ""},     {"k = i", "ik"}, {"q?i", ""},
                                          {"((x==1))", "i"}, {"else", ""},    {"k = 2", ""},
                                          {"x = k", "k"},    {"x = i", "i"},  {"a[0] = 1", ""}};
  const struct pml_graph *g = &l.program.procs.data[0]->graph;
  for (size_t i = 0; i < g->edges.count; i++) {
    char names[8] = "";
    for (uint32_t k = 0; k < g->edges.data[i].dead_count; k++)
      strcat(names, g->edges.data[i].dead[k]->name);
    for (size_t k = 0; k < COUNT(wanted); k++)
      if (strcmp(g->edges.data[i].text, wanted[k][0]) == 0)
        assert_string_equal(names, wanted[k][1]);
  }
  unload(&l);
}

static const struct {
  const char *text, *message;
} mistakes[] = {
    {"int count; active proctype P() { cuont = 1 }", "cuont is not declared; did you mean count?"},
    {"int x; active proctype P() { int x; x = 1 }", "x is declared already"},
    {"proctype P(int a) { skip } init { run P() }", "P has 1 parameter, but the run gives 0"},
    {"init { run P() }", "there is no proctype P"},
    {"chan q = [1] of { byte, byte }; init { q!1 }", "messages of q have 2 fields, not 1"},
    {"init { goto L }", "there is no label L"},
    {"init { break }", "break outside of a loop"},
    {"int x; init { L: goto M; M: goto L }", "a cycle of gotos without any statement"},
    {"int x; init { goto L; d_step { x = 1; L: x = 2 } }", "a jump into a d_step"},
    {"int x; init { d_step { x = 1; goto L; x = 2 }; L: skip }", "a jump out of a d_step"},
    {"proctype P() { skip } init { d_step { run P() } }", "run inside a d_step"},
    {"int x; proctype P() { skip } init { x == 0 && run P() }",
     "run in a condition with something else in it"},
    {"int x; init { if :: x == 1 :: else :: else fi }", "a second else in the same selection"},
    {"int x; init { if :: if :: x == 1 :: else fi :: else fi }",
     "a second else is possible at the same point"},
    {"int a[2]; init { a = 1 }", "a is an array: an index is missing"},
    {"typedef T { int f }; T t; init { t = 1 }", "t is a structure: a field is missing"},
    {"typedef T { int f }; T t; init { t.g = 1 }", "T has no field g"},
    {"int x; init { x!1 }", "x is no channel, but int"},
    {"init { skip } init { skip }", "a second init"},
    {"proctype P() { skip } init { P@L }", "P has no label L"},
    {"proctype P() { skip } init { P[0]:x == 1 }", "P has no variable x"},
    {"int x; init { x = 1; chan c = [1] of { byte } }",
     "c has to be declared at the start of the process, since it is initialised as a channel"},
    {"int x; init { atomic { L: x = 1 } }", "the label L belongs before the atomic, not inside"},
    {"proctype P() { skip }", "nothing runs: there is no init and no active proctype"},
};

static void refused(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(mistakes); i++) {
    struct loaded l;
    bool found = false;
    load(&l, mistakes[i].text);
    for (size_t k = 0; k < l.diag.count; k++)
      found = found || (l.diag.entries[k].level == DIAG_ERROR &&
                        strcmp(l.diag.entries[k].message, mistakes[i].message) == 0);
    if (!found) {
      fprintf(stderr, "%s\n  wanted: %s\n", mistakes[i].text, mistakes[i].message);
      diag_print(&l.diag, stderr, false);
    }
    assert_true(found);
    unload(&l);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sequences), cmocka_unit_test(selections),
      cmocka_unit_test(loops),     cmocka_unit_test(atomic),
      cmocka_unit_test(labels),    cmocka_unit_test(escapes),
      cmocka_unit_test(d_steps),   cmocka_unit_test(late_declarations),
      cmocka_unit_test(names),     cmocka_unit_test(refused),
      cmocka_unit_test(merging),   cmocka_unit_test(dead_variables),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
