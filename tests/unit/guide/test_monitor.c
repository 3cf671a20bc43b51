// SPDX-License-Identifier: Apache-2.0
// Coverage of flows: what steps make of their progress, alone, in partial orders, under renaming;
// what is reported, and what happens past the limit.
#include "front/murphi/murphi.h"
#include "guided.h"
#include "sys/sys.h"

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

static struct guide_flows *flows(const char *text) {
  struct diag d = {0};
  struct guide_flows *f =
      guide_flows_read(source_from_text("t.flows", text, strlen(text)), model, &d);
  if (!f) diag_print(&d, stderr, false);
  assert_non_null(f);
  diag_clear(&d);
  return f;
}

static void print_report(struct text *out, const struct guide_monitor *o) {
  struct guide_flow_report *r;
  size_t n = guide_monitor_report(o, &r);
  for (size_t i = 0; i < n; i++) {
    text_printf(out, "%s%s: %d begun, %d done, %u at once", i ? "; " : "", r[i].name,
                (int)r[i].started, (int)r[i].completed, r[i].at_once);
    for (size_t k = 0; k < r[i].never.count; k++) text_printf(out, ", no %s", r[i].never.data[k]);
  }
  guide_flow_reports_free(r, n);
}

// Steps in a row, separated by blanks: "Send(i=Node_1)" and so on, with + for ", " inside, ~ for "
// ".
static uint32_t walk(struct guide_monitor *o, uint32_t progress, const char *steps) {
  char *copy = mem_strdup(steps), *rest = copy;
  for (char *step; (step = strsep(&rest, " "));) {
    struct text name = {0};
    for (; *step; step++)
      if (*step == '+')
        text_add(&name, ", ");
      else
        text_char(&name, *step == '~' ? ' ' : *step);
    progress = guide_monitor_step(o, progress, guided_instance(model, text_str(&name)), NULL, 0);
    text_clear(&name);
  }
  mem_free(copy);
  return progress;
}

static uint32_t expect_walk(const char *text, const char *steps, const char *report) {
  struct guide_flows *f = flows(text);
  struct guide_monitor *o = guide_monitor_new(f, model, 0);
  struct text got = {0};
  uint32_t progress = walk(o, 0, steps);
  print_report(&got, o);
  assert_string_equal(text_str(&got), report);
  assert_int_equal(guide_monitor_lost(o), 0);
  text_clear(&got);
  guide_monitor_free(o);
  guide_flows_free(f);
  return progress;
}

static void test_chain(void **state) {
  (void)state;
  const char *f = "flow F(i) { Send(i) -> Grant(i) -> Recv(i) }";
  assert_int_equal(
      expect_walk(f, "Tick", "F: 0 begun, 0 done, 0 at once, no Send(i), no Grant(i), no Recv(i)"),
      0);
  // out of order: nothing
  assert_int_equal(
      expect_walk(f, "Recv(i=Node_1) Grant(i=Node_1+k=2)",
                  "F: 0 begun, 0 done, 0 at once, no Send(i), no Grant(i), no Recv(i)"),
      0);
  expect_walk(f, "Send(i=Node_1) Recv(i=Node_1) Grant(i=Node_2+k=3)",
              "F: 1 begun, 0 done, 1 at once, no Grant(i), no Recv(i)");
  // from beginning to end, with what does not belong to it between; then free again
  assert_int_equal(
      expect_walk(f,
                  "Send(i=Node_1) Send(i=Node_1) Tick Grant(i=Node_1+k=3) Grant(i=Node_1+k=2) "
                  "Recv(i=Node_1) Recv(i=Node_1)",
                  "F: 1 begun, 1 done, 1 at once"),
      0);
  expect_walk(f,
              "Send(i=Node_1) Send(i=Node_3) Send(i=Node_2) Grant(i=Node_3+k=2) Recv(i=Node_3) "
              "Send(i=Node_3)",
              "F: 4 begun, 1 done, 3 at once");
}

static void test_partial_order(void **state) {
  (void)state;
  const char *f =
      "flow F(i) { Send(i) -> Grant(i) -> Back(_, i); Send(i) -> Recv(i) -> Back(_, i) }";
  expect_walk(f, "Send(i=Node_1) Recv(i=Node_1) Back(i=Node_2+j=Node_1)",
              "F: 1 begun, 0 done, 1 at once, no Grant(i), no Back(_, i)");
  expect_walk(f, "Send(i=Node_1) Recv(i=Node_1) Grant(i=Node_1+k=4) Back(i=Node_2+j=Node_1)",
              "F: 1 begun, 1 done, 1 at once");
  expect_walk(f,
              "Send(i=Node_1) Grant(i=Node_1+k=4) Recv(i=Node_1) Back(i=Node_1+j=Node_2) "
              "Back(i=Node_1+j=Node_1)",
              "F: 1 begun, 1 done, 1 at once");
  // several first events, several last ones
  expect_walk("flow F(i) { Tick; Send(i) }", "Send(i=Node_2) Tick Send(i=Node_1)",
              "F: 3 begun, 2 done, 3 at once");
}

static void test_same_rule_twice(void **state) {
  (void)state;
  const char *f = "flow F(i) { Send(i) -> Send(i) as again -> Send(i) as third }";
  expect_walk(f, "Send(i=Node_1) Send(i=Node_1)",
              "F: 1 begun, 0 done, 1 at once, no Send(i) as third");
  expect_walk(f, "Send(i=Node_1) Send(i=Node_1) Send(i=Node_1) Send(i=Node_1)",
              "F: 2 begun, 1 done, 1 at once");
  // side by side: one step, one event
  expect_walk("flow F { Tick -> Send as a -> Recv; Tick -> Send as b -> Recv }",
              "Tick Send(i=Node_1) Recv(i=Node_1)",
              "F: 1 begun, 0 done, 1 at once, no Recv, no Send as b");
}

static void test_arguments(void **state) {
  (void)state;
  expect_walk("flow F { Send(Node_2) -> Grant(_, 3) }",
              "Send(i=Node_1) Grant(i=Node_1+k=3) Send(i=Node_2) Grant(i=Node_1+k=2) "
              "Grant(i=Node_1+k=3)",
              "F: 1 begun, 1 done, 1 at once");
  expect_walk("flow F(i) { Back(i, i) }", "Back(i=Node_1+j=Node_2) Back(i=Node_3+j=Node_3)",
              "F: 1 begun, 1 done, 1 at once");
  // a first event that leaves a parameter open begins all of them
  expect_walk("flow F(i, j) { Send(i) -> Back(i, j) }",
              "Send(i=Node_1) Back(i=Node_1+j=Node_2) Back(i=Node_2+j=Node_2)",
              "F: 3 begun, 1 done, 3 at once");
  expect_walk("flow F(m) { \"odd, name\"(m) -> Tick } flow G(k) { Step(k) -> Grant(_, k) }",
              "odd,~name(m=Idle)",
              "F: 1 begun, 0 done, 1 at once, no Tick; G: 0 begun, 0 done, 0 "
              "at once, no Step(k), no Grant(_, k)");
}

// Equal progress, equal numbers: whichever way it was reached.
static void test_numbers(void **state) {
  (void)state;
  struct guide_flows *f = flows("flow F(i) { Send(i) -> Recv(i) } flow G { Tick -> Step(2) }");
  struct guide_monitor *o = guide_monitor_new(f, model, 0);
  uint32_t a = walk(o, 0, "Send(i=Node_1) Tick"), b = walk(o, 0, "Tick Step(k=3) Send(i=Node_1)");
  assert_int_equal(a, b);
  assert_int_not_equal(a, 0);
  assert_int_equal(walk(o, a, "Recv(i=Node_1) Step(k=2)"), 0);
  guide_monitor_free(o);
  guide_flows_free(f);
}

// --- symmetry ---

static void shuffle(uint32_t to[3], struct rng *r) {
  for (uint32_t i = 0; i < 3; i++) to[i] = i;
  for (uint32_t i = 2; i > 0; i--) {
    uint32_t k = (uint32_t)rng_below(r, i + 1), t = to[i];
    to[i] = to[k];
    to[k] = t;
  }
}

// The instance that this one is when nodes are called by other names.
static uint32_t renamed_instance(const struct ir_type *node, const uint32_t to[3], uint32_t i) {
  int64_t values[2], other[2];
  const struct ir_rule *r = ir_instance(model, false, i, values);
  for (uint32_t k = 0; k < r->param_count; k++)
    if (r->frame.locals[k]->type == node) values[k] = 1 + to[values[k] - 1];
  for (uint32_t j = r->first_instance; j < r->first_instance + r->instances; j++) {
    ir_instance(model, false, j, other);
    if (memcmp(values, other, r->param_count * sizeof *values) == 0) return j;
  }
  fail();
  return 0;
}

// The same walk, once as it is, once with the nodes renamed at each step: the same report.
static void test_renaming(void **state) {
  (void)state;
  struct guide_flows *f = flows(
      "flow F(i) { Send(i) -> Grant(i, 3) -> Recv(i) } flow G(i, j) { Back(i, j) -> Send(j) -> "
      "Back(j, i) } flow H(k, i) { Step(k) -> Grant(i, k); Step(k) -> Recv(i) }");
  const struct ir_type *node = model->rules.data[0]->frame.locals[0]->type;
  struct rng r;
  rng_init(&r, 7);
  for (int round = 0; round < 20; round++) {
    struct guide_monitor *plain = guide_monitor_new(f, model, 0),
                         *moved = guide_monitor_new(f, model, 0);
    uint32_t a = 0, b = 0, names[3] = {0, 1, 2}, to[3];
    for (int step = 0; step < 200; step++) {
      uint32_t i = (uint32_t)rng_below(&r, model->rule_instances);
      struct guide_renaming renaming = {.type = node, .to = to};
      shuffle(to, &r);
      a = guide_monitor_step(plain, a, i, NULL, 0);
      b = guide_monitor_step(moved, b, renamed_instance(node, names, i), &renaming, 1);
      for (int k = 0; k < 3; k++) names[k] = to[names[k]];
    }
    struct text first = {0}, second = {0};
    print_report(&first, plain);
    print_report(&second, moved);
    assert_string_equal(text_str(&first), text_str(&second));
    assert_null(strstr(text_str(&first), ", no "));
    text_clear(&first);
    text_clear(&second);
    guide_monitor_free(plain);
    guide_monitor_free(moved);
  }
  guide_flows_free(f);
}

// More kinds of progress than are kept: they are not followed, and that is said.
static void test_limit(void **state) {
  (void)state;
  struct text t = {0};
  text_add(&t, "flow Long(a, b, c, d, e, f) { Back(a, b) as x -> Back(c, d) as y -> Back(e, f)");
  for (int i = 0; i < 61; i++) text_printf(&t, " -> Tick as t%d", i);
  text_add(&t,
           " } flow All(i, j) { Back(i, j) -> Send(i) -> Tick } flow K(k) { Step(k) -> Tick } flow "
           "L(k) { Step2(k) -> Tick } flow M(i, k) { Grant(i, k) -> Tick -> Send(i) }");
  struct guide_flows *f = flows(text_str(&t));
  struct guide_monitor *o = guide_monitor_new(f, model, 0);
  uint32_t progress = 0, lost = 0;
  struct rng r;
  rng_init(&r, 11);
  for (int i = 0; i < 60000 && lost < 10; i++) {
    uint32_t instance = (uint32_t)rng_below(&r, model->rule_instances);
    progress = guide_monitor_step(o, progress, instance, NULL, 0);
    lost += progress == GUIDE_PROGRESS_LOST;
    if (i % 50 == 49 && progress != GUIDE_PROGRESS_LOST) progress = 0;
  }
  assert_int_equal(lost, 10);
  assert_int_equal(guide_monitor_lost(o), 10);
  guide_monitor_free(o);
  guide_flows_free(f);
  text_clear(&t);
}

// --- the examples ---

static void random_walk(struct guide_monitor *o, struct sys *s, uint64_t steps) {
  struct sys_out out;
  struct rng r;
  uint64_t *now = mem_zalloc(s->words, sizeof *now);
  uint32_t progress = 0;
  rng_init(&r, 3);
  sys_out_init(&out, s->words, s->model->properties.count);
  s->starts(s, &out);
  for (size_t pick = 0; steps > 0; steps--) {
    memcpy(now, out.words + pick * s->words, s->words * sizeof *now);
    sys_out_reset(&out);
    s->expand(s, now, &out);
    assert_true(out.count > 0);
    pick = rng_below(&r, out.count);
    progress = guide_monitor_step(o, progress, out.steps[pick].instance, NULL, 0);
  }
  sys_out_clear(&out);
  mem_free(now);
}

// A long walk completes every flow of an example.
static void expect_all_completed(const char *name, uint64_t steps) {
  struct diag d = {0};
  const char *why;
  struct text path = {0};
  text_printf(&path, FATHOM_SOURCE_DIR "/examples/murphi/%s.m", name);
  struct ir_model *m = murphi_load(source_read(text_str(&path), &why), NULL, 0, 1000, &d);
  assert_non_null(m);
  text_clear(&path);
  text_printf(&path, FATHOM_SOURCE_DIR "/examples/murphi/%s.flows", name);
  struct guide_flows *f = guide_flows_read(source_read(text_str(&path), &why), m, &d);
  assert_non_null(f);
  struct guide_monitor *o = guide_monitor_new(f, m, 0);
  struct sys_config how = {.mode = SYS_INTERPRETED};
  struct sys *s = sys_new(m, &how);
  random_walk(o, s, steps);
  struct guide_flow_report *r;
  size_t n = guide_monitor_report(o, &r);
  for (size_t i = 0; i < n; i++) {
    if (r[i].completed < 10) fail_msg("%s: %s is not completed", name, r[i].name);
    assert_true(r[i].started >= r[i].completed && r[i].at_once >= 1);
    assert_int_equal(r[i].never.count, 0);
  }
  assert_int_equal(guide_monitor_lost(o), 0);
  guide_flow_reports_free(r, n);
  guide_monitor_free(o);
  guide_flows_free(f);
  sys_free(s);
  ir_model_free(m);
  text_clear(&path);
}

static void test_examples(void **state) {
  (void)state;
  expect_all_completed("german", 5000);
  expect_all_completed("flash", 10000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_chain, setup, teardown),
      cmocka_unit_test_setup_teardown(test_partial_order, setup, teardown),
      cmocka_unit_test_setup_teardown(test_same_rule_twice, setup, teardown),
      cmocka_unit_test_setup_teardown(test_arguments, setup, teardown),
      cmocka_unit_test_setup_teardown(test_numbers, setup, teardown),
      cmocka_unit_test_setup_teardown(test_renaming, setup, teardown),
      cmocka_unit_test_setup_teardown(test_limit, setup, teardown),
      cmocka_unit_test(test_examples),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
