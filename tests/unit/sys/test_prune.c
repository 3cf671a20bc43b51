// SPDX-License-Identifier: Apache-2.0
// Choices that an assumption rules out are jumped over: the same steps in the same order with the
// same numbers come out as when all are tried, errors included, and few bodies are run.
#include "agree.h"

#include "ir/eval.h"

#include <stdlib.h>

// --- what the analysis says ---

static const struct ir_stmt *nth(const struct ir_stmt *s, int n) {
  for (; n > 0; n--) s = s->next;
  return s;
}

// A rule of four choices a, b, c, d over variables x and y; the n-th statement is the assumption.
static uint32_t prunes_of(const char *guard, const char *body, int n) {
  struct text t = {0};
  text_printf(&t,
              "model \"m\"; var x : 0..3; var y : bool; var u : array [0..3] of 0..3;\n"
              "function twice(ref z : 0..3) : bool { z := 0; return true; }\n"
              "function look() : bool { return x = 0; }\n"
              "start \"s\" { x := 0; y := false; clear u; }\n"
              "rule \"r\" choose (a : bool, b : 0..3, c : bool, d : bool) %s {"
              " local l : 0..3; local k : bool; local s : 0..1; %s }\n",
              guard, body);
  struct ir_model *m = parse(text_str(&t));
  const struct ir_stmt *s = nth(m->rules.data[0]->body, n);
  if (s->kind == IR_IF || s->kind == IR_FOR) s = s->body;
  assert_int_equal(s->kind, IR_ASSUME);
  uint32_t prunes = s->prunes;
  text_clear(&t);
  ir_model_free(m);
  return prunes;
}

static void test_levels(void **state) {
  (void)state;
  assert_int_equal(prunes_of("", "assume y;", 0), 0);
  assert_int_equal(prunes_of("", "assume a;", 0), 1);
  assert_int_equal(prunes_of("", "assume b > x;", 0), 2);
  assert_int_equal(prunes_of("", "assume c | a;", 0), 3);
  assert_int_equal(prunes_of("", "assume d; assume a;", 1), 1); // what is dropped is out anyway
  // through what was assigned before
  assert_int_equal(prunes_of("", "l := b; assume l > 1;", 1), 2);
  assert_int_equal(prunes_of("", "k := d; k := a; assume k;", 2), 1);
  assert_int_equal(prunes_of("", "x := b; assume x = 1;", 1), 2);
  assert_int_equal(prunes_of("", "u[b] := 1; assume u[0] = 1;", 1), 2);
  assert_int_equal(prunes_of("", "u[0] := b; u[1] := 0; assume u[0] = 1;", 2), 2);
  assert_int_equal(prunes_of("", "x := b; assume look();", 1), 2);
  assert_int_equal(prunes_of("", "k := d; assume exists q : bool { q = k & q = a };", 1), 4);
  assert_int_equal(prunes_of("", "assume exists q : int in 0 to b { q = x };", 0), 2);
  // conditions around
  assert_int_equal(prunes_of("", "if c { assume a; }", 0), 3);
  assert_int_equal(prunes_of("", "if a { k := true; } else { k := false; } assume k;", 1), 1);
  assert_int_equal(prunes_of("", "if c { l := 1; } assume l = 1;", 1), 3);
  assert_int_equal(
      prunes_of("", "switch b { case 1 { l := 1; } otherwise { l := 2; } } assume l = 1;", 1), 2);
  // where a step may leave before
  assert_int_equal(prunes_of("", "if d { return; } assume a;", 1), 4);
  assert_int_equal(prunes_of("", "if d { y := a; } assume a;", 1), 1);
  assert_int_equal(prunes_of("", "assert d; assume a;", 1), 4);
  assert_int_equal(prunes_of("", "assert x = 0; assume a;", 1), 1);
  assert_int_equal(prunes_of("", "l := b + 1; assume a;", 1), 2);
  assert_int_equal(prunes_of("", "l := b; assume a;", 1), 1);
  assert_int_equal(prunes_of("", "s := b; assume a;", 1), 2);
  assert_int_equal(prunes_of("", "if c { x := 3 / x; } assume a;", 1), 3);
  assert_int_equal(prunes_of("", "k := c & u[x] = 1; assume a;", 1), 3);
  assert_int_equal(prunes_of("when u[b] = 0", "assume a;", 0), 2);
  assert_int_equal(prunes_of("when b = 0", "assume a;", 0), 1);
  // nothing is said inside of loops, and behind functions that write
  assert_int_equal(prunes_of("", "for q : bool { assume a; }", 0), 4);
  assert_int_equal(prunes_of("", "for q : int in 0 to b { l := q; } assume l = 1;", 1), 2);
  assert_int_equal(prunes_of("", "k := twice(x); assume a;", 1), 4);
}

// --- how many are tried ---

static char *chain_of(uint32_t choices, const char *kind) {
  struct text t = {0};
  text_add(&t, "model \"m\"; var x : bool; var n : 0..1;\n");
  if (strcmp(kind, "rule") == 0) text_add(&t, "start \"s\" { x := false; n := 0; }\n");
  text_printf(&t, "%s \"r\" choose (c0 : bool", kind);
  for (uint32_t i = 1; i < choices; i++) text_printf(&t, ", c%u : bool", i);
  text_add(&t, ") {\n");
  for (uint32_t i = 1; i < choices; i++) text_printf(&t, "  assume c%u = !c%u;\n", i, i - 1);
  text_add(&t, "  x := c0; n := 0; }\n");
  return t.data;
}

// Bodies that are run for all choices of the first rule, by the interpreter's own means.
static uint64_t bodies(const struct ir_model *m) {
  const struct ir_rule *r = m->rules.data[0];
  struct ir_eval *e = ir_eval_new(m);
  uint64_t *state = mem_zalloc(m->layout->words, sizeof *state), n = 0;
  int64_t *choices = mem_zalloc(r->choice_count, sizeof *choices);
  uint32_t keep, number = 0;
  ir_choice_first(r, choices);
  do {
    bool dropped = ir_eval_body(e, r, NULL, choices, state) == IR_DROPPED;
    keep = dropped ? ir_eval_prunes(e) : r->choice_count;
    n++;
  } while (ir_choice_next(r, keep, choices, &number));
  mem_free(choices);
  mem_free(state);
  ir_eval_free(e);
  return n;
}

static void test_few_bodies_are_run(void **state) {
  (void)state;
  char *text = chain_of(12, "rule");
  struct ir_model *m = parse(text);
  assert_int_equal(m->rules.data[0]->choices, 4096);
  assert_true(bodies(m) <= 24);
  ir_model_free(m);
  mem_free(text);
}

// 2^31 choices: nobody would wait for all of them.
static void test_long_chains(void **state) {
  (void)state;
  char *text = chain_of(31, "rule");
  struct compare_count n = agree(parse(text), 10);
  assert_int_equal(n.states, 2);
  assert_int_equal(n.steps, 5); // the start is one
  mem_free(text);
  text = chain_of(31, "start");
  struct ir_model *m = parse(text);
  struct sys *s = sys_new(m, &(struct sys_config){.mode = SYS_INTERPRETED});
  struct sys_out out;
  sys_out_init(&out, s->words, 0);
  s->starts(s, &out);
  assert_int_equal(out.count, 2);
  assert_int_equal(out.steps[0].choice, 0x2aaaaaaa);
  assert_int_equal(out.steps[1].choice, 0x55555555);
  sys_out_clear(&out);
  sys_free(s);
  ir_model_free(m);
  mem_free(text);
}

// --- random rules: as computed, and with nothing jumped over ---

static void drop_prunes(struct ir_stmt *s) {
  for (; s; s = s->next) {
    if (s->kind == IR_ASSUME) s->prunes = UINT32_MAX;
    drop_prunes(s->body);
    drop_prunes(s->other);
    for (struct ir_case *c = s->cases; c; c = c->next) drop_prunes(c->body);
  }
}

static const char *pick(struct rng *r, const char *const *of, size_t n) {
  return of[rng_below(r, n)];
}
#define PICK(r, ...)                                                                               \
  pick(r, (const char *const[]){__VA_ARGS__},                                                      \
       sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

static const char *number(struct rng *r) {
  return PICK(r, "a", "b", "c", "d", "x", "y", "l", "k", "u[a]", "u[x]", "u[1]", "1", "2", "6 / y",
              "first(x)", "first(c)", "a + d");
}

static void condition(struct text *t, struct rng *r) {
  if (rng_below(r, 5) == 0) {
    text_printf(t, "(%s > 0 & %s = %s)", number(r), number(r), number(r));
  } else if (rng_below(r, 8) == 0) {
    text_printf(t, "(exists q : 0..2 { q = %s | u[q] = %s })", number(r), number(r));
  } else {
    text_printf(t, "(%s %s %s)", number(r), PICK(r, "=", "!=", "<", "<="), number(r));
  }
}

static void statements(struct text *t, struct rng *r, int depth);

static void statement(struct text *t, struct rng *r, int depth) {
  const char *target = PICK(r, "x", "y", "l", "k", "u[b]", "u[x]", "u[2]");
  switch (rng_below(r, depth > 0 ? 14 : 8)) {
  case 0:
  case 1:
  case 2:
    text_add(t, "assume ");
    condition(t, r);
    text_add(t, ";\n");
    break;
  case 3:
    text_add(t, "assert ");
    condition(t, r);
    text_add(t, ";\n");
    break;
  case 8:
    text_add(t, "for q : int in 0 to 1 {\n");
    statements(t, r, 0);
    text_add(t, "}\n");
    break;
  case 9: text_printf(t, "call put(%s);\n", PICK(r, "l", "x")); break;
  case 10:
  case 11:
    text_add(t, "if ");
    condition(t, r);
    text_add(t, " {\n");
    statements(t, r, depth - 1);
    text_add(t, rng_below(r, 3) ? "}\n" : "return; }\n");
    break;
  case 12:
    text_printf(t, "switch %s { case %s {\n", number(r), number(r));
    statements(t, r, depth - 1);
    text_add(t, "} otherwise {\n");
    statements(t, r, depth - 1);
    text_add(t, "} }\n");
    break;
  default: text_printf(t, "%s := %s;\n", target, number(r)); break;
  }
}

static void statements(struct text *t, struct rng *r, int depth) {
  for (uint64_t n = 1 + rng_below(r, 4); n > 0; n--) statement(t, r, depth);
}

static char *random_model(uint64_t seed) {
  struct rng r;
  struct text t = {0};
  rng_init(&r, seed);
  text_add(&t, "model \"m\"; var x : 0..3; var y : 0..3; var u : array [0..3] of 0..3;\n"
               "function first(i : 0..3) : 0..3 { return u[i]; }\n"
               "function put(ref i : 0..3) { i := y; assume i != 2; }\n");
  for (int i = 0; i < 3; i++) {
    text_printf(&t, i ? "rule \"r%d\" (p : 0..%d)" : "start \"s\" (p : 0..1)", i, i - 1);
    text_add(&t, " choose (a : 0..2, b : int in 3 to 1 by -2, c : 1..3, d : 0..1)\n");
    const char *place = PICK(&r, "u[a]", "u[x]", "x", "c", "6 / y");
    if (i) text_printf(&t, "when %s != %s\n", place, PICK(&r, "a", "d", "y", "3"));
    text_add(&t, "{ local l : 0..3; local k : 0..3; l := 0; k := p;\n");
    if (!i) text_add(&t, "clear u; x := 1; y := 1;\n");
    statements(&t, &r, 2);
    text_add(&t, "}\n");
  }
  return t.data;
}

static struct compare_count compare(const char *text, enum sys_native_mode mode) {
  struct ir_model *m = parse(text), *all = parse(text);
  for (size_t i = 0; i < all->rules.count; i++) drop_prunes(all->rules.data[i]->body);
  for (size_t i = 0; i < all->starts.count; i++) drop_prunes(all->starts.data[i]->body);
  struct sys *a = sys_new(m, &(struct sys_config){.mode = mode, .no_cache = true});
  struct sys *b = sys_new(all, &(struct sys_config){.mode = SYS_INTERPRETED});
  struct compare_count count = {0};
  struct text why = {0};
  assert_int_equal(a->native, mode == SYS_NATIVE);
  if (!compare_systems(a, b, COMPARE_EXACT, 60, &count, &why))
    fail_msg("%s\nin\n%s", text_str(&why), text);
  text_clear(&why);
  sys_free(a);
  sys_free(b);
  ir_model_free(m);
  ir_model_free(all);
  return count;
}

static bool prunes_early(const struct ir_stmt *s) {
  for (; s; s = s->next) {
    if (s->kind == IR_ASSUME && s->prunes < 4) return true;
    if (prunes_early(s->body) || prunes_early(s->other)) return true;
  }
  return false;
}

static void test_random_rules(void **state) {
  (void)state;
  uint64_t steps = 0, faults = 0, early = 0;
  for (uint64_t seed = 0; seed < 400; seed++) {
    char *text = random_model(seed);
    struct compare_count n = compare(text, seed % 40 == 0 ? SYS_NATIVE : SYS_INTERPRETED);
    struct ir_model *m = parse(text);
    early += prunes_early(m->rules.data[0]->body);
    steps += n.steps;
    faults += n.faults;
    ir_model_free(m);
    mem_free(text);
  }
  assert_true(early > 100);
  assert_true(steps > 10000 && faults > 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_levels),
      cmocka_unit_test(test_few_bodies_are_run),
      cmocka_unit_test(test_long_chains),
      cmocka_unit_test(test_random_rules),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
