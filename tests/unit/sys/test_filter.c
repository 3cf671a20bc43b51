// SPDX-License-Identifier: Apache-2.0
// The filter of the interpreter against the evaluator: what it disables, the evaluator calls
// disabled, in every state and for every instance; and it disables what it was made for.
#include "agree.h"

#include "ir/eval.h"
#include "store/store.h"
#include "sys/filter.h"

struct counts {
  uint64_t disabled, filtered, faults, enabled;
};

static void look_at(const struct ir_model *m, const struct filter *f, struct ir_eval *eval,
                    const uint64_t *state, struct counts *n) {
  int64_t params[4] = {0};
  for (uint32_t i = 0; i < m->rule_instances; i++) {
    const struct ir_rule *r = ir_instance(m, false, i, params);
    enum ir_outcome o = ir_eval_guard(eval, r, params, NULL, state);
    bool filtered = filter_disables(f, i, state);
    if (filtered && o != IR_DISABLED) fail_msg("instance %u is filtered but not disabled", i);
    n->disabled += o == IR_DISABLED;
    n->filtered += filtered;
    n->faults += o == IR_FAILED;
    n->enabled += o == IR_OK;
  }
}

static struct counts look_at_all(const char *text) {
  struct ir_model *m = parse(text);
  struct counts n = {0};
  struct sys *s = sys_new(m, &(struct sys_config){.mode = SYS_INTERPRETED});
  struct store *seen =
      store_new(&(struct store_config){.kind = "exact", .words = s->words, .bytes = s->bytes});
  struct filter *f = filter_new(m);
  struct ir_eval *eval = ir_eval_new(m);
  uint64_t *state = mem_zalloc(s->words, sizeof *state), id;
  struct sys_out out;
  sys_out_init(&out, s->words, m->properties.count);
  s->starts(s, &out);
  for (uint64_t next = 0;; next++) {
    for (size_t i = 0; i < out.count; i++)
      if (!out.steps[i].site) store_insert(seen, out.words + i * s->words, &id);
    if (next == store_count(seen)) break;
    store_get(seen, next, state);
    look_at(m, f, eval, state, &n);
    sys_out_reset(&out);
    s->expand(s, state, &out);
  }
  sys_out_clear(&out);
  mem_free(state);
  ir_eval_free(eval);
  filter_free(f);
  store_free(seen);
  sys_free(s);
  ir_model_free(m);
  return n;
}

static void test_simple_guards(void **unused) {
  (void)unused;
  struct counts n =
      look_at_all("model \"simple\";\n"
                  "type place : enum { Idle, Waiting, Critical };\n"
                  "var at : array [1..3] of place; var free : bool; var turn : 1..3;\n"
                  "start \"s\" { clear at; free := true; clear turn; }\n"
                  "rule \"ask\" (p : 1..3) when at[p] = Idle & turn = p { at[p] := Waiting; }\n"
                  "rule \"enter\" (p : 1..3) when free & Waiting = at[p] { at[p] := Critical; free "
                  ":= false; }\n"
                  "rule \"leave\" (p : 1..3) when !free & !(at[p] != Critical) { at[p] := Idle; "
                  "free := true; }\n"
                  "rule \"pass\" (p : 1..3, q : 1..3) when p != q & turn = p & at[p] != Waiting { "
                  "turn := q; }\n"
                  "rule \"never\" when free & !free { turn := 1; }\n");
  assert_true(n.enabled > 0 && n.faults == 0);
  assert_int_equal(n.filtered, n.disabled); // there is nothing in these guards that it cannot see
}

static void test_faults_stay(void **unused) {
  (void)unused;
  struct counts n =
      look_at_all("model \"undefined\";\n"
                  "var a : array [0..2] of 0..2; var who : 0..2; var n : 0..3;\n"
                  "start \"s\" { a[0] := 0; a[1] := 1; n := 0; }\n"
                  "rule \"count\" when n < 3 { n := n + 1; }\n"
                  "rule \"read\" (i : 0..2) when n != 2 & a[i] = 1 { a[i] := 2; }\n"
                  "rule \"name\" (i : 0..2) when n = 3 & who = i { n := 0; }\n"
                  "rule \"index\" (i : 0..5) when a[i] = 2 & n = 1 { who := 1; }\n"
                  "rule \"wide\" (i : 0..2) when a[i] != 7 & a[i] + 1 = 2 { undefine a[i]; }\n");
  assert_true(n.enabled > 0 && n.faults > 0 && n.filtered > 0 && n.filtered < n.disabled);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_simple_guards),
      cmocka_unit_test(test_faults_stay),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
