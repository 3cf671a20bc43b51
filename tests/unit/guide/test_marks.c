// SPDX-License-Identifier: Apache-2.0
// Marks and agents: which instances a list of marks means, what is said about a wrong one, marks in
// comments, conditions in states; who acts in an instance.
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

// The marked instances in the start state, printed in order.
static void marked_instances(struct text *out, const struct guide_marks *g) {
  struct ir_eval *e = ir_eval_new(model);
  uint64_t state[8] = {0};
  assert_int_equal(ir_eval_body(e, model->starts.data[0], NULL, NULL, state), IR_OK);
  for (uint32_t i = 0; i < model->rule_instances; i++) {
    if (!guide_marked(g, e, i, state)) continue;
    if (out->count) text_char(out, ' ');
    ir_instance_print(out, model, false, i, 0);
  }
  ir_eval_free(e);
}

static void expect_marks(const char *list, const char *instances, const char *printed) {
  struct guide_marks *g = guide_marks_new(model);
  struct text why = {0}, got = {0}, print = {0};
  if (!guide_marks_add(g, list, &guided_language, &why)) fail_msg("%s: %s", list, text_str(&why));
  assert_true(guide_marks_any(g));
  marked_instances(&got, g);
  guide_marks_print(&print, g);
  assert_string_equal(text_str(&got), instances);
  assert_string_equal(text_str(&print), printed);
  text_clear(&why);
  text_clear(&got);
  text_clear(&print);
  guide_marks_free(g);
}

static void expect_problem(const char *list, const char *sentence) {
  struct guide_marks *g = guide_marks_new(model);
  struct text why = {0};
  assert_false(guide_marks_add(g, list, &guided_language, &why));
  assert_string_equal(text_str(&why), sentence);
  text_clear(&why);
  guide_marks_free(g);
}

static void test_names(void **state) {
  (void)state;
  expect_marks("Send", "Send(i=Node_1) Send(i=Node_2) Send(i=Node_3)", "Send (3 instances)");
  expect_marks(" Tick ,Send ", "Send(i=Node_1) Send(i=Node_2) Send(i=Node_3) Tick",
               "Tick (1 instance), Send (3)");
  expect_marks("T?ck", "Tick", "Tick (1 instance)");
  expect_marks("*i*k*, Tick", "Tick", "Tick (1 instance)");
  expect_marks("Step", "Step(k=2) Step(k=3) Step(k=4)", "Step (3 instances)");
  expect_marks("\"odd, name\"(Busy)", "odd, name(m=Busy)", "odd, name(Busy) (1 instance)");
  expect_marks("odd*( Idle )", "odd, name(m=Idle)", "odd, name( Idle ) (1 instance)");
  // the model's own marks are names too
  expect_marks("net(Node_2)", "Send(i=Node_2) Recv(i=Node_2)",
               "Send(Node_2) (1 instance), Recv(Node_2) (1)");
}

static void test_parameters(void **state) {
  (void)state;
  expect_marks("Grant(Node_1)", "Grant(i=Node_1, k=2) Grant(i=Node_1, k=3) Grant(i=Node_1, k=4)",
               "Grant(Node_1) (3 instances)");
  expect_marks("Grant(_, 3)", "Grant(i=Node_1, k=3) Grant(i=Node_2, k=3) Grant(i=Node_3, k=3)",
               "Grant(_, 3) (3 instances)");
  expect_marks("Grant(k=4,i=Node_3)", "Grant(i=Node_3, k=4)", "Grant(k=4,i=Node_3) (1 instance)");
  expect_marks("Send(i=Node_1, *)", "Send(i=Node_1)", "Send(i=Node_1, *) (1 instance)");
  expect_marks("Send()", "Send(i=Node_1) Send(i=Node_2) Send(i=Node_3)", "Send() (3 instances)");
  // of the rules that a glob means, those that have such a parameter
  expect_marks("*(k=4, i=Node_1)", "Grant(i=Node_1, k=4)", "Grant(k=4, i=Node_1) (1 instance)");
}

static void test_conditions(void **state) {
  (void)state;
  expect_marks("Tick when free", "Tick", "Tick when free (1 instance)");
  expect_marks("Tick when !free", "", "Tick when !free (1 instance)");
  expect_marks("Send(Node_1) when at[i] = Idle & free, Recv when at[i] = Busy", "Send(i=Node_1)",
               "Send(Node_1) when at[i] = Idle & free (1 instance), Recv when at[i] = Busy (3)");
  expect_marks("Back(Node_1) when (i != j), Tick when false",
               "Back(i=Node_1, j=Node_2) Back(i=Node_1, j=Node_3)",
               "Back(Node_1) when (i != j) (3 instances), Tick when false (1)");
  // of the rules that a glob means, those that have such a parameter
  expect_marks("S* when k = 3", "Step(k=3) Step2(k=3)",
               "Step when k = 3 (3 instances), Step2 when k = 3 (3)");
}

static void test_problems(void **state) {
  (void)state;
  expect_problem("Sent", "no rule is called \"Sent\"; did you mean Send?");
  expect_problem("Stop", "no rule is called \"Stop\"; did you mean Step or Step2?");
  expect_problem("Whatever", "no rule is called \"Whatever\"; there are Send, Recv, Grant, Back, "
                             "\"odd, name\", Tick, Step, Step2");
  expect_problem("", "the name of a rule is missing");
  expect_problem("Send,", "the name of a rule is missing");
  expect_problem("when free", "the name of a rule is missing");
  expect_problem("\"Send", "a quoted name does not end");
  expect_problem("Send(Node_1", "the parameters of \"Send\" do not end with )");
  expect_problem("Send(Node_4)",
                 "\"Node_4\" is no value of parameter \"i\" of rule \"Send\", which "
                 "has Node_1 .. Node_3");
  expect_problem("Grant(k=5)",
                 "\"5\" is no value of parameter \"k\" of rule \"Grant\", which has 2 .. 4");
  expect_problem("Send(Node_1, Node_2)", "rule \"Send\" has 1 parameter, not 2");
  expect_problem("Send(j=Node_2)", "rule \"Send\" has no parameter \"j\"");
  expect_problem("Send(Node_1, i=Node_2)", "parameter \"i\" of rule \"Send\" is given twice");
  expect_problem("Send when", "the condition of \"Send\" is missing after when");
  expect_problem("Send(Node_1) always",
                 "after \"Send\" comes \"always\"; expected \"when\", a comma or the end");
  struct guide_marks *g = guide_marks_new(model);
  struct text why = {0};
  assert_false(guide_marks_add(g, "Tick when nothing", &guided_language, &why));
  assert_ptr_equal(strstr(text_str(&why), "the condition \"nothing\" is wrong at column 1: "),
                   text_str(&why));
  text_clear(&why);
  assert_false(guide_marks_add(g, "Tick when free", NULL, &why));
  assert_string_equal(text_str(&why), "conditions (when) cannot be read in this model's language");
  text_clear(&why);
  assert_false(guide_marks_any(g));
  guide_marks_free(g);
}

// Undefined values in a condition: no mark there, and no end of the search.
static void test_faulty_condition(void **state) {
  (void)state;
  struct guide_marks *g = guide_marks_new(model);
  struct text why = {0}, got = {0};
  assert_true(guide_marks_add(g, "Step when 6 / (k - 3) > 0", &guided_language, &why));
  marked_instances(&got, g);
  assert_string_equal(text_str(&got), "Step(k=4)");
  text_clear(&got);
  guide_marks_free(g);
}

static void expect_comments(const char *language, const char *text, const char *printed) {
  struct guide_marks *g = guide_marks_new(model);
  struct text why = {0}, print = {0};
  bool good = guide_marks_from_text(g, text, language, &guided_language, &why);
  guide_marks_print(&print, g);
  assert_string_equal(good ? text_str(&print) : text_str(&why), printed);
  text_clear(&print);
  text_clear(&why);
  guide_marks_free(g);
}

static void test_comments(void **state) {
  (void)state;
  expect_comments("murphi", "var x; -- fathom: mark Send\nrule \"-- fathom: mark Tick\"",
                  "Send (3 instances)");
  expect_comments("murphi", "/* words\n * fathom: mark Tick, Send(Node_1)\n * fathom:mark Recv */",
                  "Tick (1 instance), Send(Node_1) (1), Recv (3)");
  expect_comments("murphi", "// fathom: mark Tick\n", "");
  expect_comments("c", "char c = '\"'; // fathom: mark Tick when free, Send",
                  "Tick when free (1 instance), Send (3)");
  expect_comments("promela", "\"a\\\" // fathom: mark Tick\"\n/* fathom: mark Send */",
                  "Send (3 instances)");
  expect_comments("smv", "-- fathom: mark Send\r\n", "Send (3 instances)");
  expect_comments("ir", "/* fathom: mark Tick */ // fathom: mark Send", "Send (3 instances)");
  expect_comments("runes", "-- fathom: mark Send", "");
  expect_comments("murphi", "\n\n-- see fathom: mark Tick\n-- fathom: mark Tack\n",
                  "line 4: no rule is called \"Tack\"; did you mean Back or Tick?");
  expect_comments("murphi", "/*\n\nfathom: marks Tick*/",
                  "line 3: after \"fathom:\" only \"mark RULE, ...\" is known");
  expect_comments("murphi", "-- fathom: mark",
                  "line 1: after \"fathom:\" only \"mark RULE, ...\" is known");
  expect_comments("murphi", "/* fathom: mark Tick", "Tick (1 instance)");
}

static uint32_t agent(const struct guide_agents *a, const char *instance) {
  return a->of_instance[guided_instance(model, instance)];
}

static void test_agents(void **state) {
  (void)state;
  struct guide_agents a;
  guide_agents_init(&a, model);
  // none, three nodes, number 7, integers 2 .. 5
  assert_int_equal(a.count, 9);
  assert_int_equal(agent(&a, "odd, name(m=Idle)"), 0);
  assert_null(a.agent[0].type);
  assert_int_equal(agent(&a, "Send(i=Node_2)"), agent(&a, "Grant(i=Node_2, k=4)"));
  assert_int_equal(agent(&a, "Send(i=Node_2)"), agent(&a, "Back(i=Node_1, j=Node_2)"));
  assert_int_not_equal(agent(&a, "Send(i=Node_2)"), agent(&a, "Send(i=Node_1)"));
  assert_int_equal(a.agent[agent(&a, "Send(i=Node_3)")].value, 3);
  assert_string_equal(a.agent[agent(&a, "Send(i=Node_3)")].type->name, "Node");
  assert_int_equal(agent(&a, "Step(k=4)"), agent(&a, "Step2(k=4)"));
  assert_int_not_equal(agent(&a, "Step(k=3)"), agent(&a, "Send(i=Node_3)"));
  assert_null(a.agent[agent(&a, "Tick")].type);
  assert_int_equal(a.agent[agent(&a, "Tick")].value, 7);
  guide_agents_clear(&a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_names, setup, teardown),
      cmocka_unit_test_setup_teardown(test_parameters, setup, teardown),
      cmocka_unit_test_setup_teardown(test_conditions, setup, teardown),
      cmocka_unit_test_setup_teardown(test_problems, setup, teardown),
      cmocka_unit_test_setup_teardown(test_faulty_condition, setup, teardown),
      cmocka_unit_test_setup_teardown(test_comments, setup, teardown),
      cmocka_unit_test_setup_teardown(test_agents, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
