// SPDX-License-Identifier: Apache-2.0
// The paper's example (003, Fig 2): its machine, what control state reachability says to depth 8,
// and the verdicts of both assertions. Blocks have the paper's numbers; 12 and 14 are the errors of
// P1 and P2.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hybrid/efsm.h"
#include "run.h"

#define END 16

#define FIG2(P1, P2)                                                                               \
  "model \"fig2\" language \"ir\"; deadlock off;\n"                                                \
  "var pc : 1..16 location; var i : i32; var x : i32; var y : i32;\n"                              \
  "start \"foo\" { pc := 1; i := 7:i32; x := 7:i32; y := 0:i32; }\n"                               \
  "rule \"1\" when pc = 1 { i := 0:i32; x := 0:i32; pc := 2; }\n"                                  \
  "rule \"2\" when pc = 2 { if i = x { pc := 3; } else { pc := 4; } }\n"                           \
  "rule \"3\" when pc = 3 { x := i + 3:i32; if i = 0 { pc := 5; } else { pc := 6; } }\n"           \
  "rule \"4\" when pc = 4 { if i = 0 { pc := 7; } else { pc := 8; } }\n"                           \
  "rule \"5\" choose (nd : i32) when pc = 5 { y := nd; assume y <= 0; pc := 9; }\n"                \
  "rule \"6\" when pc = 6 { y := y + 1:i32; pc := 9; }\n"                                          \
  "rule \"7\" choose (nd : i32) when pc = 7 { y := nd; assume y < 0; pc := 10; }\n"                \
  "rule \"8\" when pc = 8 { y := y - 1:i32; pc := 10; }\n"                                         \
  "rule \"9\" when pc = 9 { pc := 11; }\n"                                                         \
  "rule \"10\" when pc = 10 { pc := 11; }\n"                                                       \
  "rule \"11\" when pc = 11 { if x = 15 & i > 35 { pc := 16; }\n"                                  \
  "  else { assert " P1 " else \"P1\"; pc := 13; } }\n"                                            \
  "rule \"13\" when pc = 13 { assert " P2 " else \"P2\"; pc := 15; }\n"                            \
  "rule \"15\" when pc = 15 { i := i + 1:i32; pc := 2; }\n"

// As printed: y is at most 0 when it is first looked at, so P1 fails at once and P2 is never come
// to. The other way round: y never gets above 5, and below -5 soon.
#define PRINTED FIG2("y > 5", "y < -5")
#define TURNED  FIG2("!(y > 5)", "!(y < -5)")

// --- the machine ---

// The number of a block; of errors those of the paper.
static unsigned block_of(const struct efsm *e, uint32_t state) {
  const struct efsm_state *s = &e->states.data[state];
  if (!s->is_error) return (unsigned)efsm_control_value(e, state);
  return strcmp(e->relation->model->sites.data[s->id].message, "P1") == 0 ? 12 : 14;
}

static void expect_blocks(const struct efsm *e, const uint64_t *set, unsigned expected) {
  unsigned blocks = 0;
  for (uint32_t c = 1; c < e->states.count; c++)
    if (csr_has(set, c)) blocks |= 1u << block_of(e, c);
  assert_int_equal(blocks, expected);
}

#define B(n) (1u << (n))

static void test_csr(void **unused) {
  (void)unused;
  static const unsigned expected[9] = {B(1),
                                       B(2),
                                       B(3) | B(4),
                                       B(5) | B(6) | B(7) | B(8),
                                       B(9) | B(10),
                                       B(11),
                                       B(12) | B(13) | B(END),
                                       B(14) | B(15),
                                       B(2)};
  struct ir_model *m = run_parse(TURNED);
  struct text why = {0};
  struct relation *r = relation_new(m, &(struct relation_config){0}, &why);
  struct efsm *e = efsm_new(r, NULL, &why);
  assert_non_null(e);
  uint64_t *table = csr_table(e, 8);
  for (size_t k = 0; k <= 8; k++) expect_blocks(e, table + k * csr_words(e), expected[k]);
  mem_free(table);
  efsm_free(e);
  relation_free(r);
  text_clear(&why);
  ir_model_free(m);
}

// From block 1 to 12 in six steps there are four control paths, from block 11 one.
static unsigned count_ways(const struct efsm *e, uint32_t from, unsigned steps, unsigned to) {
  if (steps == 0) return block_of(e, from) == to;
  unsigned ways = 0;
  const struct efsm_state *s = &e->states.data[from];
  for (size_t i = 0; i < s->out.count; i++)
    ways += count_ways(e, e->edges.data[s->out.data[i]].to, steps - 1, to);
  return ways;
}

static void test_machine(void **unused) {
  (void)unused;
  struct ir_model *m = run_parse(TURNED);
  struct text why = {0};
  struct relation *r = relation_new(m, &(struct relation_config){0}, &why);
  struct efsm *e = efsm_new(r, NULL, &why);
  assert_non_null(e);
  assert_int_equal(count_ways(e, 1, 6, 12), 4);
  assert_int_equal(count_ways(e, 11, 1, 12), 1);
  assert_true(e->states.data[END].sink);
  efsm_free(e);
  relation_free(r);
  text_clear(&why);
  ir_model_free(m);
}

// --- verdicts ---

// All errors are looked for: one is found, and nothing is left then.
static void expect(const char *text, const char *message, size_t shortest) {
  struct ir_model *m = run_parse(text);
  for (size_t i = 0; i < RUN_MODES; i++) {
    struct result r;
    run_hybrid(m, run_modes[i].config, &r);
    if (r.traces.count != 1) fail_msg("%s: %zu errors", run_modes[i].name, r.traces.count);
    assert_int_equal(r.verdict, VERDICT_VIOLATED);
    assert_int_equal(r.traces.data[0].end, TRACE_SITE);
    assert_string_equal(m->sites.data[r.traces.data[0].id].message, message);
    assert_true(r.traces.data[0].steps.count >= shortest);
    if (run_modes[i].config.mode != HYBRID_HMC)
      assert_int_equal(r.traces.data[0].steps.count, shortest);
    if (!r.note || !strstr(r.note, "proved")) fail_msg("%s: more is left", run_modes[i].name);
    result_clear(&r);
  }
  ir_model_free(m);
}

static void test_printed(void **unused) {
  (void)unused;
  expect(PRINTED, "P1", 6);
}

static void test_turned(void **unused) {
  (void)unused;
  expect(TURNED, "P2", 7);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_csr),
      cmocka_unit_test(test_machine),
      cmocka_unit_test(test_printed),
      cmocka_unit_test(test_turned),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
