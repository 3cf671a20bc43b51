// SPDX-License-Identifier: Apache-2.0
// Files of flows: what they mean (by the marks they give), what is said about wrong ones and where;
// the flows of the examples fit their models.
#include "front/murphi/murphi.h"
#include "guided.h"

static struct ir_model *model;

static int setup(void **state) {
  (void)state;
  model = guided_model();
  return 0;
}

static int teardown(void **state) {
  (void)state;
  ir_model_free(model);
  return 0;
}

static struct guide_flows *read_flows(const char *text, struct diag *d) {
  return guide_flows_read(source_from_text("t.flows", text, strlen(text)), model, d);
}

static void expect_marks(const char *text, const char *flow, const char *printed) {
  struct diag d = {0};
  struct text why = {0}, print = {0};
  struct guide_flows *f = read_flows(text, &d);
  if (!f) diag_print(&d, stderr, false);
  assert_non_null(f);
  struct guide_marks *g = guide_marks_new(model);
  bool good = guide_flows_mark(f, flow, g, &why);
  guide_marks_print(&print, g);
  assert_string_equal(good ? text_str(&print) : text_str(&why), printed);
  guide_marks_free(g);
  guide_flows_free(f);
  text_clear(&why);
  text_clear(&print);
  diag_clear(&d);
}

// The first complaint, and where it points.
static void expect_error(const char *text, unsigned line, unsigned column, const char *message) {
  struct diag d = {0};
  assert_null(read_flows(text, &d));
  assert_true(d.errors > 0 && d.count > 0);
  assert_string_equal(d.entries[0].message, message);
  assert_int_equal(d.entries[0].span.line, line);
  assert_int_equal(d.entries[0].span.column, column);
  assert_string_equal(d.entries[0].span.source->path, "t.flows");
  diag_clear(&d);
}

static void test_marks(void **state) {
  (void)state;
  expect_marks("flow F(i) { Send(i) -> Recv(i) }", "F", "Recv (3 instances)");
  expect_marks("-- c\nflow F(i) { /* -> */ Send(i) -> Recv(i); } // end", "F",
               "Recv (3 instances)");
  expect_marks("flow F(i) { Send(i) -> Recv(i) } flow G { Tick -> \"odd, name\"(Busy) }", "G",
               "\"odd, name\"(Busy) (1 instance)");
  expect_marks("flow F(i) { Send(i) -> Recv(i) } flow G() { Tick -> Recv -> Step(3) }", NULL,
               "Recv (3 instances), Step(3) (1)");
  // two chains of one order: nothing comes before Send, nor before Tick
  expect_marks("flow F(i) { Send(i) -> Recv(i) -> Grant(i, _); Tick -> Grant(i) }", "F",
               "Recv (3 instances), Grant (9)");
  // the same parameter twice: equal values only
  expect_marks("flow F(i) { Send(i) -> Back(i, i) }", "F", "Back (3 instances)");
  // labels, also before they are given
  expect_marks("flow F(i) { again -> Recv(i); Send(i) -> Send(i) as again }", "F",
               "Recv (3 instances), Send (3)");
}

static void test_no_such_flow(void **state) {
  (void)state;
  const char *two = "flow ReqExcl(i) { Send(i) -> Recv(i) } flow Only(i) { Send(i); Recv(i) }";
  expect_marks(two, "ReqExc", "no flow is called \"ReqExc\"; did you mean ReqExcl?");
  expect_marks(two, "something", "no flow is called \"something\"; there are ReqExcl, Only");
  expect_marks(two, "Only", "flow \"Only\" has nothing but first events, which are not marked");
}

static void test_syntax(void **state) {
  (void)state;
  expect_error("", 1, 1, "the file has no flow");
  expect_error("\n  flew F {}", 2, 3, "expected flow");
  expect_error("flow {", 1, 6, "expected the name of the flow");
  expect_error("flow F(i", 1, 9, "the file ends here; expected a comma or ) after the parameter");
  expect_error("flow F(1)", 1, 8, "expected a parameter of the flow");
  expect_error("flow F(i) Send", 1, 11, "expected { and the flow's events");
  expect_error("flow F(i) { }", 1, 13, "expected an event: the name of a rule");
  expect_error("flow F(i) { Send(i) -> }", 1, 24, "expected an event: the name of a rule");
  expect_error("flow F(i) { Send(i) Recv(i) }", 1, 21,
               "expected -> and the next event, ; and another chain, or }");
  expect_error("flow F(i) { Send(->) }", 1, 18,
               "expected an argument: a parameter of the flow, a value, or _ for any");
  expect_error("flow F(i) { Send(i i) }", 1, 20, "expected a comma or ) after the argument");
  expect_error("flow F(i) { Send(i) as -> Recv(i) }", 1, 24,
               "expected a label for the event after as");
  expect_error("flow F(i) { \"Send\n(i) }", 1, 13, "the quoted name does not end on its line");
  expect_error("flow F(i) { Send(3x) }", 1, 18, "a number runs into a name");
  expect_error("flow F(i) { Send(i) = Recv(i) }", 1, 21, "this character has no meaning here");
  expect_error("flow F(i) { Send(i) /* Recv(i) }", 1, 21, "the comment does not end with */");
}

static void test_meaning(void **state) {
  (void)state;
  expect_error("flow F(i) { Sned(i) -> Recv(i) }", 1, 13,
               "no rule is called \"Sned\"; did you mean Send or Step?");
  expect_error("flow F(i) { Send(i) -> Recv(j) }", 1, 29,
               "\"j\" is neither a parameter of the flow nor a value of parameter \"i\" of rule "
               "\"Recv\" (such as Node_1); did you mean i?");
  expect_error("flow F(i) { Send(i) -> Recv(i, i) }", 1, 32,
               "rule \"Recv\" has 1 parameter, not 2");
  expect_error("flow F(i) { Send(i) -> Grant(_, i) }", 1, 33,
               "\"i\" has other values elsewhere in this flow than parameter \"k\" of rule "
               "\"Grant\"");
  expect_error("flow F(k) { Step(k) -> Step2(k) }", 1, 30,
               "\"k\" has other values elsewhere in this flow than parameter \"k\" of rule "
               "\"Step2\"");
  expect_error("flow F(i, j) { Send(i) -> Recv(i) }", 1, 11, "no event has the parameter \"j\"");
  expect_error("flow F(i, i) { Send(i) }", 1, 11, "the flow has two parameters \"i\"");
  expect_error("flow F(_) { Send(_) }", 1, 8, "_ stands for any value; expected a name");
  expect_error("flow F { Tick }\nflow F { Tick }", 2, 6,
               "there is a flow \"F\" already, in line 1");
  expect_error("flow F { Tick as a -> Send as a }", 1, 31,
               "the label \"a\" is given to Tick already");
  expect_error("flow F { Tick as Send }", 1, 18,
               "\"Send\" is the name of a rule; expected another label");
}

static void test_circles(void **state) {
  (void)state;
  expect_error("flow F { Tick -> Send -> Tick }", 1, 26,
               "Tick comes twice in this chain; give one of them a label: Tick as again");
  // _ at the end says nothing: the same event
  expect_error("flow F { Send -> Send(_) }", 1, 18,
               "Send comes twice in this chain; give one of them a label: Send as again");
  expect_error("flow F(i) { Send(i) -> Recv(i) -> Tick; Tick -> Send(i) }", 1, 13,
               "the order goes round in a circle: Send(i) comes after Tick comes after Recv(i) "
               "comes after Send(i)");
}

// Mistakes in several flows are all reported.
static void test_recovery(void **state) {
  (void)state;
  struct diag d = {0};
  assert_null(read_flows("flow A { -> } flow B(i) { Sent(i) } flow C { Tick } flow D { Tock", &d));
  assert_int_equal(d.errors, 3);
  diag_clear(&d);
}

static void test_limits(void **state) {
  (void)state;
  struct text t = {0};
  text_add(&t, "flow F { Tick");
  for (int i = 0; i < 64; i++) text_printf(&t, " -> Tick as t%d", i);
  text_add(&t, " }");
  struct diag d = {0};
  assert_null(read_flows(text_str(&t), &d));
  assert_string_equal(d.entries[0].message, "a flow has at most 64 events");
  diag_clear(&d);
  text_clear(&t);
  text_add(
      &t,
      "flow F(a, b, c, d, e, f, g, h) { Back(a, b) -> Back(c, d) -> Back(e, f) -> Back(g, h) }");
  assert_null(read_flows(text_str(&t), &d));
  assert_string_equal(d.entries[0].message,
                      "the flow has more than 4096 instances; leave out parameters");
  diag_clear(&d);
  text_clear(&t);
  // a hundred thousand mistakes take no time, and no memory
  for (int i = 0; i < 100000; i++) text_add(&t, "flow F { Nothing -> (");
  assert_null(read_flows(text_str(&t), &d));
  assert_true(d.errors <= 20);
  diag_clear(&d);
  text_clear(&t);
}

// Any bytes: a complaint or flows, and no crash.
static void test_any_bytes(void **state) {
  (void)state;
  static const char *const parts[] = {
      "flow", " ",  "F", "(", ")",  "{",  "}", "->", ";",  ",",    "Send", "i",    "_",
      "as",   "\"", "#", "-", "/*", "*/", "7", "--", "\n", "Tick", "'",    "\x80", "Node_2"};
  struct rng r;
  rng_init(&r, 5);
  for (int round = 0; round < 3000; round++) {
    struct text t = {0};
    struct diag d = {0};
    if (rng_below(&r, 2)) text_add(&t, "flow F(i) { Send(i) -> ");
    for (uint64_t n = rng_below(&r, 30); n > 0; n--)
      if (rng_below(&r, 20))
        text_add(&t, parts[rng_below(&r, sizeof parts / sizeof *parts)]);
      else
        text_char(&t, (char)rng_below(&r, 256));
    struct guide_flows *f =
        guide_flows_read(source_from_text("t.flows", text_str(&t), t.count), model, &d);
    assert_true((f == NULL) == (d.errors > 0));
    guide_flows_free(f);
    diag_clear(&d);
    text_clear(&t);
  }
}

static void expect_example(const char *name, const char *flow, const char *printed) {
  struct diag d = {0};
  const char *why;
  struct text path = {0}, print = {0}, problem = {0};
  text_printf(&path, FATHOM_SOURCE_DIR "/examples/murphi/%s.m", name);
  struct ir_model *m = murphi_load(source_read(text_str(&path), &why), NULL, 0, 1000, &d);
  assert_non_null(m);
  text_clear(&path);
  text_printf(&path, FATHOM_SOURCE_DIR "/examples/murphi/%s.flows", name);
  struct guide_flows *f = guide_flows_read(source_read(text_str(&path), &why), m, &d);
  if (!f) diag_print(&d, stderr, false);
  assert_non_null(f);
  struct guide_marks *g = guide_marks_new(m);
  assert_true(guide_flows_mark(f, flow, g, &problem));
  guide_marks_print(&print, g);
  assert_string_equal(text_str(&print), printed);
  guide_marks_free(g);
  guide_flows_free(f);
  ir_model_free(m);
  diag_clear(&d);
  text_clear(&path);
  text_clear(&print);
}

static void test_examples(void **state) {
  (void)state;
  expect_example("german", "ReqExcl", "RecvReqE (4 instances), SndGntE (4), RecvGntE (4)");
  expect_example("german", "ReqShar", "RecvReqS (4 instances), SndGntS (4), RecvGntS (4)");
  expect_example("german", "Invalidate", "SndInv (4 instances), RecvInv (4), RecvInvAck (4)");
  expect_example("flash", "RemoteGetX", "NI_Local_GetX_PutX (3 instances), NI_Remote_PutX (3)");
  expect_example("flash", "RemoteGet", "NI_Local_Get_Put (3 instances), NI_Remote_Put (3)");
  expect_example("flash", "RemoteGetXFwd",
                 "NI_Local_GetX_GetX (3 instances), NI_Remote_GetX_PutX (9), NI_Remote_PutX (3)");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_marks, setup, teardown),
      cmocka_unit_test_setup_teardown(test_no_such_flow, setup, teardown),
      cmocka_unit_test_setup_teardown(test_syntax, setup, teardown),
      cmocka_unit_test_setup_teardown(test_meaning, setup, teardown),
      cmocka_unit_test_setup_teardown(test_circles, setup, teardown),
      cmocka_unit_test_setup_teardown(test_recovery, setup, teardown),
      cmocka_unit_test_setup_teardown(test_limits, setup, teardown),
      cmocka_unit_test_setup_teardown(test_any_bytes, setup, teardown),
      cmocka_unit_test(test_examples),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
