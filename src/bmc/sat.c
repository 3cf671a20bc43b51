// SPDX-License-Identifier: Apache-2.0
// CaDiCaL behind sat.h. Its only way of running out of memory is operator new, whose handler is
// ours: it unwinds to the boundary of the thread as mem_alloc does, over C++ frames, before any
// exception is thrown. `inside` remembers that a solver was left that way: it is not touched again.
#include "bmc/sat.h"

#include <ccadical.h>

// std::set_new_handler, by the name that the C++ ABI gives it.
typedef void (*new_handler)(void);
new_handler cxx_set_new_handler(new_handler handler) __asm__("_ZSt15set_new_handlerPFvvE");

struct sat {
  struct sat_config config;
  CCaDiCaL *solver;
  lit vars, truth;
  uint64_t clauses, literals, work;
  uint32_t limit;         // of the next call; 0: none
  enum sat_answer answer; // of the last call
  bool answered;          // and nothing was added since
  bool ended;             // goes_on said no during this call
  bool inside;            // the solver has control
};

static void out_of_memory(void) { mem_exhausted(0); }

// --- new and free ---

static int asked_to_end(void *context) {
  struct sat *s = context;
  s->work++;
  if (!s->ended && s->config.goes_on && !s->config.goes_on(s->config.context)) s->ended = true;
  return s->ended;
}

// What pays for one hard question costs too much for each of thousands of easy ones.
static void prepare_nothing(CCaDiCaL *solver) {
  static const char *const off[] = {"lucky", "elim", "probe", "walk", "inprocessing", "chrono"};
  for (size_t i = 0; i < sizeof off / sizeof *off; i++) ccadical_set_option(solver, off[i], 0);
}

struct sat *sat_new(const struct sat_config *c) {
  struct sat *s = mem_zalloc(1, sizeof *s);
  if (c) s->config = *c;
  cxx_set_new_handler(out_of_memory);
  s->inside = true;
  s->solver = ccadical_init();
  ccadical_set_option(s->solver, "quiet", 1);
  ccadical_set_option(s->solver, "profile", 0);
  if (s->config.many) prepare_nothing(s->solver);
  ccadical_set_terminate(s->solver, s, asked_to_end);
  s->inside = false;
  s->truth = sat_var(s);
  sat_clause1(s, s->truth);
  return s;
}

void sat_free(struct sat *s) {
  if (!s) return;
  if (!s->inside) ccadical_release(s->solver);
  mem_free(s);
}

bool sat_goes_on(struct sat *s) {
  return !s->config.goes_on || s->config.goes_on(s->config.context);
}

// --- what is known ---

lit sat_var(struct sat *s) {
  if (s->vars == INT32_MAX - 1) mem_exhausted(0);
  return ++s->vars;
}

lit sat_true(struct sat *s) { return s->truth; }

__attribute__((unused)) static bool is_literal(const struct sat *s, lit a) {
  return a != 0 && a <= s->vars && -a <= s->vars;
}

void sat_clause(struct sat *s, const lit *lits, size_t count) {
  assert(!s->inside);
  s->inside = true;
  for (size_t i = 0; i < count; i++) {
    assert(is_literal(s, lits[i]));
    ccadical_add(s->solver, lits[i]);
  }
  ccadical_add(s->solver, 0);
  s->inside = false;
  s->answered = false;
  s->clauses++;
  s->literals += count;
}

void sat_clause1(struct sat *s, lit a) { sat_clause(s, &a, 1); }
void sat_clause2(struct sat *s, lit a, lit b) { sat_clause(s, (lit[]){a, b}, 2); }
void sat_clause3(struct sat *s, lit a, lit b, lit c) { sat_clause(s, (lit[]){a, b, c}, 3); }

// --- questions ---

void sat_clause_once(struct sat *s, const lit *lits, size_t count) {
  assert(!s->inside);
  s->inside = true;
  for (size_t i = 0; i < count; i++) {
    assert(is_literal(s, lits[i]));
    ccadical_constrain(s->solver, lits[i]);
  }
  ccadical_constrain(s->solver, 0);
  s->inside = false;
  s->answered = false;
}

void sat_limit(struct sat *s, uint32_t conflicts) { s->limit = conflicts; }

static void set_limit(struct sat *s) {
  if (s->limit) ccadical_limit(s->solver, "conflicts", s->limit < INT32_MAX ? (int)s->limit : -1);
  s->limit = 0;
}

static enum sat_answer answer_of(const struct sat *s, int code) {
  if (code == 10) return SAT_YES;
  if (code == 20) return SAT_NO;
  return s->ended ? SAT_STOPPED : SAT_LIMIT;
}

enum sat_answer sat_solve(struct sat *s, const lit *assumed, size_t count) {
  assert(!s->inside);
  s->inside = true;
  s->ended = false;
  s->work++;
  for (size_t i = 0; i < count; i++) {
    assert(is_literal(s, assumed[i]));
    ccadical_assume(s->solver, assumed[i]);
  }
  set_limit(s);
  s->answer = answer_of(s, ccadical_solve(s->solver));
  s->inside = false;
  s->answered = true;
  return s->answer;
}

bool sat_value(const struct sat *s, lit a) {
  assert(s->answered && s->answer == SAT_YES && is_literal(s, a));
  lit variable = a < 0 ? -a : a;
  bool value = ccadical_val(s->solver, variable) > 0;
  return a < 0 ? !value : value;
}

bool sat_failed(const struct sat *s, lit a) {
  assert(s->answered && s->answer == SAT_NO && is_literal(s, a));
  return ccadical_failed(s->solver, a);
}

// --- figures ---

uint64_t sat_vars(const struct sat *s) { return (uint64_t)s->vars; }
uint64_t sat_clauses(const struct sat *s) { return s->clauses; }
uint64_t sat_work(const struct sat *s) { return s->work; }

// Clauses with their watches, and what is kept by variable, measured on unrolled circuits; what
// was learnt is about as much again.
size_t sat_bytes(const struct sat *s) {
  return 2 * (size_t)(s->clauses * 56 + s->literals * 8) + (size_t)s->vars * 200;
}
