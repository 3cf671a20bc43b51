// SPDX-License-Identifier: Apache-2.0
// Proofs on models: counters, rings, mutual exclusion of which the answers are known, in the time
// that they may take; and invariants of random models against the search of all states.
#include "bmc/prove.h"

#include "front/smv/smv.h"
#include "ir/ir.h"
#include "random/generate.h"
#include "reduce/reduce.h"
#include "search/search.h"
#include "sys/sys.h"
#include "trace/trace.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// cmocka wants those above
#include <cmocka.h>

// --- a property as a goal ---

static lit bad(struct machine *m, size_t time, void *context) {
  const struct ir_property *p = context;
  struct relation_condition c;
  struct text why = {0};
  assert_true(relation_condition(m->relation, &p->frame, p->expr, &c, &why));
  lit holds = machine_condition(m, time, &c);
  relation_condition_clear(&c);
  return machine_and(m, -holds, -machine_passed(m, time));
}

struct outcome {
  enum prove_answer answer;
  uint64_t min, max;
};

// In pieces of work; OPEN: still after so many.
static struct outcome prove(struct relation *r, struct ir_property *p, enum bmc_proof method,
                            uint64_t effort, unsigned pieces) {
  struct prove_config config = {.relation = r, .goal = {bad, p}, .method = method};
  struct text why = {0};
  struct prove *x = prove_new(&config, &why);
  struct outcome o = {.answer = x ? PROVE_OPEN : PROVE_GAVE_UP};
  if (!x) return text_clear(&why), o;
  for (unsigned i = 0; o.answer == PROVE_OPEN && i < pieces; i++) o.answer = prove_step(x, effort);
  o.min = prove_depth_min(x);
  o.max = prove_depth_max(x);
  prove_free(x);
  text_clear(&why);
  return o;
}

// --- models of which the answer is known ---

static struct ir_model *parse(const char *text) {
  struct diag d = {0};
  struct ir_model *m = smv_load(source_from_text("test.smv", text, strlen(text)), NULL, 0, &d);
  if (!m) diag_print(&d, stderr, false);
  assert_non_null(m);
  diag_clear(&d);
  return m;
}

// depth: of the nearest bad state; -1: there is none.
static void check(const char *text, enum bmc_proof method, int depth) {
  struct ir_model *m = parse(text);
  struct text why = {0};
  struct relation *r = relation_new(m, &(struct relation_config){0}, &why);
  assert_non_null(r);
  struct outcome o = prove(r, m->properties.data[0], method, 200, 500);
  assert_int_equal(o.answer, depth < 0 ? PROVE_HOLDS : PROVE_VIOLATED);
  if (depth >= 0) assert_true(o.min <= (uint64_t)depth && (uint64_t)depth <= o.max);
  relation_free(r);
  ir_model_free(m);
  text_clear(&why);
}

static const char EVEN[] = "MODULE main VAR x : unsigned word[32];\n"
                           "ASSIGN init(x) := 0ud32_0; next(x) := x + 0ud32_2;\n"
                           "INVARSPEC x[0:0] = 0ud1_0";
static const char LOCKSTEP[] =
    "MODULE main VAR a : unsigned word[32]; b : unsigned word[32]; go : boolean;\n"
    "ASSIGN init(a) := 0ud32_0; init(b) := 0ud32_0;\n"
    "next(a) := go ? a + 0ud32_1 : a; next(b) := go ? b + 0ud32_1 : b;\n"
    "INVARSPEC a = b";
static const char WRAPS[] =
    "MODULE main VAR c : 0..50000; d : boolean; e : boolean;\n"
    "ASSIGN init(c) := 0; next(c) := c = 9 ? 0 : c = 50000 ? c : c + 1;\n"
    "init(d) := FALSE; next(d) := c > 9; init(e) := FALSE; next(e) := d | e;\n"
    "INVARSPEC !e";
static const char COUNTS[] = "MODULE main VAR c : 0..1000; go : boolean;\n"
                             "ASSIGN init(c) := 0; next(c) := go & c < 1000 ? c + 1 : c;\n"
                             "INVARSPEC c != 23";
static const char SHIFTS[] =
    "MODULE main VAR b : array 0..7 of boolean; fed : boolean;\n"
    "INIT !b[0] & !b[1] & !b[2] & !b[3] & !b[4] & !b[5] & !b[6] & !b[7];\n"
    "ASSIGN next(b[0]) := fed; next(b[1]) := b[0]; next(b[2]) := b[1]; next(b[3]) := b[2];\n"
    "next(b[4]) := b[3]; next(b[5]) := b[4]; next(b[6]) := b[5]; next(b[7]) := b[6];\n"
    "INVARSPEC !(b[0] & b[3] & b[7])";
static const char RING[] =
    "MODULE main VAR b : array 0..7 of boolean;\n"
    "INIT b[0] & !b[1] & !b[2] & !b[3] & !b[4] & !b[5] & !b[6] & !b[7];\n"
    "ASSIGN next(b[0]) := b[7]; next(b[1]) := b[0]; next(b[2]) := b[1]; next(b[3]) := b[2];\n"
    "next(b[4]) := b[3]; next(b[5]) := b[4]; next(b[6]) := b[5]; next(b[7]) := b[6];\n"
    "INVARSPEC !(b[2] & b[5])";
// Not every state has a successor; the bad one has none.
static const char STUCK[] = "MODULE main VAR c : 0..7;\n"
                            "INIT c = 0; TRANS next(c) = c + 1 & c < 5;\n"
                            "INVARSPEC c != 5";
static const char NO_START[] = "MODULE main VAR c : 0..7; INIT c > 7; INVARSPEC c != 3";
// Peterson's, with a variable that remembers whose turn it is not.
static const char PETERSON[] =
    "MODULE main VAR w0 : boolean; w1 : boolean; t : boolean; who : boolean;\n"
    " p : {idle, turn, wait, cs}; q : {idle, turn, wait, cs};\n"
    "ASSIGN init(w0) := FALSE; init(w1) := FALSE; init(p) := idle; init(q) := idle;\n"
    "next(p) := case who : p; p = idle : {idle, turn}; p = turn : wait;\n"
    "  p = wait & (!w1 | !t) : cs; p = cs : {cs, idle}; TRUE : p; esac;\n"
    "next(q) := case !who : q; q = idle : {idle, turn}; q = turn : wait;\n"
    "  q = wait & (!w0 | t) : cs; q = cs : {cs, idle}; TRUE : q; esac;\n"
    "next(w0) := next(p) != idle; next(w1) := next(q) != idle;\n"
    "next(t) := !who & p = turn ? TRUE : who & q = turn ? FALSE : t;\n"
    "INVARSPEC !(p = cs & q = cs)";

static void test_known(void **unused) {
  (void)unused;
  static const struct {
    const char *text;
    int depth;
    bool by_induction; // too
  } cases[] = {{EVEN, -1, true},    {LOCKSTEP, -1, true}, {WRAPS, -1, false},
               {COUNTS, 23, false}, {SHIFTS, 8, false},   {RING, -1, true},
               {STUCK, 5, true},    {NO_START, -1, true}, {PETERSON, -1, true}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    check(cases[i].text, BMC_PROOF_PDR, cases[i].depth);
    check(cases[i].text, BMC_PROOF_AUTO, cases[i].depth);
    if (cases[i].by_induction) check(cases[i].text, BMC_PROOF_INDUCTION, cases[i].depth);
  }
}

// A run that is over after so many questions: each is one of those at which it is asked.
static bool some_times(void *context) {
  int *left = context;
  return *left > 0 && (*left)-- > 0;
}

static void stop_after(struct relation *r, struct ir_property *p, enum bmc_proof method,
                       int questions, unsigned *seen) {
  struct prove_config config = {.relation = r,
                                .goal = {bad, p},
                                .method = method,
                                .goes_on = some_times,
                                .context = &questions};
  struct text why = {0};
  struct prove *x = prove_new(&config, &why);
  enum prove_answer answer = x ? PROVE_OPEN : PROVE_STOPPED;
  while (answer == PROVE_OPEN) answer = prove_step(x, 10);
  assert_true(answer == PROVE_STOPPED || answer == PROVE_HOLDS);
  seen[answer == PROVE_HOLDS]++;
  prove_free(x);
  text_clear(&why);
}

// Wherever it ends: nothing breaks, and nothing wrong is said.
static void test_stopped(void **unused) {
  (void)unused;
  struct ir_model *m = parse(PETERSON);
  struct text why = {0};
  unsigned seen[2] = {0};
  struct relation *r = relation_new(m, &(struct relation_config){0}, &why);
  for (int i = 0; i < 3000; i += 1 + i / 50) {
    stop_after(r, m->properties.data[0], BMC_PROOF_PDR, i, seen);
    stop_after(r, m->properties.data[0], BMC_PROOF_INDUCTION, i, seen);
  }
  assert_true(seen[0] > 10 && seen[1] > 10);
  struct outcome o = prove(r, m->properties.data[0], BMC_PROOF_NONE, 10, 1);
  assert_int_equal(o.answer, PROVE_GAVE_UP);
  relation_free(r);
  ir_model_free(m);
  text_clear(&why);
}

// --- random models ---

struct tally {
  unsigned models, held, violated, open;
};

static bool search(const struct ir_model *m, struct result *r) {
  struct sys *inner = sys_new(m, &(struct sys_config){.mode = SYS_INTERPRETED});
  struct sys *s = m->transient ? reduce_chain_new(inner) : inner;
  struct search_config c = {.sys = s,
                            .model = m,
                            .store = "exact",
                            .started = clock_seconds(),
                            .budget = {.states_max = 5000},
                            .deadlock = IR_DEADLOCK_OFF,
                            .threads = 1};
  *r = (struct result){0};
  search_run(search_strategy_find("bfs"), &c, r);
  if (s != inner) sys_free(s);
  sys_free(inner);
  return !r->reason;
}

// Conditions that may fail are left out: what is false there is the caller's to say.
static bool is_plain(struct relation *r, const struct ir_property *p) {
  struct relation_condition c;
  struct text why = {0};
  if (p->kind != IR_PROP_INVARIANT || !relation_condition(r, &p->frame, p->expr, &c, &why)) {
    text_clear(&why);
    return false;
  }
  bool plain = true;
  for (size_t i = 0; i < c.errors.count; i++) plain &= term_is(c.errors.data[i].when, 0);
  relation_condition_clear(&c);
  return plain;
}

static void compare(uint64_t seed, struct relation *r, struct ir_property *p, enum verdict verdict,
                    struct tally *t) {
  enum bmc_proof method = seed % 3 == 0 ? BMC_PROOF_AUTO : BMC_PROOF_PDR;
  struct outcome o = prove(r, p, method, 100, 20);
  t->held += o.answer == PROVE_HOLDS;
  t->violated += o.answer == PROVE_VIOLATED;
  t->open += o.answer == PROVE_OPEN;
  if (o.answer == PROVE_OPEN || o.answer == PROVE_GAVE_UP) return;
  if ((o.answer == PROVE_HOLDS) != (verdict == VERDICT_HOLDS))
    fail_msg("seed %" PRIu64 ", %s: the search says %s", seed, p->name, verdict_name(verdict));
}

static void try_seed(uint64_t seed, struct tally *t) {
  struct ir_model *m = generate_model(seed, NULL, NULL);
  struct diag d = {0};
  struct text why = {0};
  struct result result = {0};
  assert_true(ir_model_finish(m, &d));
  struct relation *r = relation_new(m, &(struct relation_config){.terms_max = 20000}, &why);
  if (r && search(m, &result)) {
    t->models++;
    for (size_t i = 0; i < m->properties.count; i++)
      if (is_plain(r, m->properties.data[i]) &&
          result.properties.data[i].verdict != VERDICT_UNKNOWN)
        compare(seed, r, m->properties.data[i], result.properties.data[i].verdict, t);
  }
  result_clear(&result);
  if (r) relation_free(r);
  ir_model_free(m);
  diag_clear(&d);
  text_clear(&why);
}

static void test_random(void **unused) {
  (void)unused;
  struct tally t = {0};
  const char *effort = getenv("FATHOM_TEST_EFFORT"), *first = getenv("FATHOM_TEST_FIRST");
  uint64_t from = first ? strtoull(first, NULL, 10) : 0;
  uint64_t count = effort ? 60 * strtoull(effort, NULL, 10) : 60;
  for (uint64_t seed = from; seed < from + count; seed++) try_seed(seed, &t);
  print_message("%u models: %u invariants hold, %u are violated, %u open\n", t.models, t.held,
                t.violated, t.open);
  if (!first) assert_true(t.models > 20 && t.held > 5 && t.violated > 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_known),
      cmocka_unit_test(test_stopped),
      cmocka_unit_test(test_random),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
