// SPDX-License-Identifier: Apache-2.0
// Questions about an unrolled machine. The solver is told what defines an unknown once a question
// depends on it. Integers are linear to begin with; the first term that is not, or a question that
// Z3 gives up, turns all into bit vectors.
#include "hybrid/path_own.h"

#include "ir/ir.h"

#include <string.h>

enum { LOOK = 64, DIGEST = 512 }; // unknowns told between two looks at the clock, two digestions

static smt_term *var_of(struct asker *a, uint64_t unknown) {
  if (unknown >= a->capacity) {
    size_t n = a->path->unknowns.count + a->path->unknowns.count / 2 + 64;
    a->vars = mem_realloc(a->vars, n * sizeof *a->vars);
    memset(a->vars + a->capacity, 0, (n - a->capacity) * sizeof *a->vars);
    a->capacity = n;
  }
  return &a->vars[unknown];
}

static smt_term number(struct asker *a, const struct unknown *u, const char *name) {
  unsigned width = formula_width(u->lo, u->hi);
  uint64_t top = (uint64_t)u->hi;
  bool all = a->formula.bits && u->lo == -u->hi - 1 && (top & (top + 1)) == 0;
  smt_term v = a->formula.bits ? smt_bits(a->smt, name, width) : smt_int(a->smt, name);
  if (!all) smt_assert_fact(a->smt, formula_within(&a->formula, v, u->lo, u->hi));
  return v;
}

static smt_term unknown(void *context, const struct term *leaf) {
  struct asker *a = context;
  const struct unknown *u = &a->path->unknowns.data[leaf->leaf];
  smt_term *var = var_of(a, leaf->leaf);
  char name[24];
  if (*var) return *var;
  snprintf(name, sizeof name, "u%u", (unsigned)leaf->leaf);
  *var = u->type->kind == IR_TYPE_BOOL ? smt_truth(a->smt, name) : number(a, u, name);
  VEC_PUSH(&a->unseen, (uint32_t)leaf->leaf);
  return *var;
}

bool asker_open(struct asker *a, struct path *p, bool bits, struct text *why) {
  struct smt_config c = {p->config.goes_on, p->config.context, p->config.mem_bytes};
  *a = (struct asker){.path = p, .smt = smt_new(&c, why)};
  a->formula = (struct formula){.smt = a->smt, .bits = bits, .unknown = unknown, .context = a};
  return a->smt != NULL;
}

void asker_close(struct asker *a) {
  formula_clear(&a->formula);
  smt_free(a->smt);
  mem_free(a->vars);
  VEC_CLEAR(&a->unseen);
  a->smt = NULL;
  a->vars = NULL;
  a->capacity = 0;
}

static const char *trouble(const struct path *p, double until) {
  if (p->config.goes_on && !p->config.goes_on(p->config.context)) return "interrupted";
  if (p->config.mem_bytes && mem_resident() > p->config.mem_bytes) return "memory";
  return until > 0 && clock_seconds() > until ? "time" : NULL;
}

// What defines an unknown is told once it was seen, and so on with what that speaks of. False: it
// takes too long.
static bool tell(struct asker *a, double until) {
  const struct path *p = a->path;
  while (a->unseen.count && !a->formula.nonlinear) {
    if (a->told % LOOK == 0 && (a->why = trouble(p, until))) return false;
    if (++a->told % DIGEST == 0) smt_digest(a->smt);
    struct unknown u = p->unknowns.data[VEC_POP(&a->unseen)];
    for (size_t i = u.clause; i < u.clause + u.clauses; i++) {
      const struct clause *c = &p->clauses.data[i];
      smt_term then = formula_truth(&a->formula, c->then);
      smt_term when = formula_truth(&a->formula, c->when);
      smt_assert(a->smt, smt_implies(a->smt, when, then));
    }
  }
  return true;
}

static enum smt_answer ask(struct asker *a, const struct term *any, double seconds) {
  char name[24];
  snprintf(name, sizeof name, "q%u", a->questions++);
  smt_term q = smt_truth(a->smt, name), truth = formula_truth(&a->formula, any);
  double until = seconds > 0 ? clock_seconds() + seconds : 0;
  if (!tell(a, until)) return SMT_UNKNOWN;
  a->why = "nonlinear";
  if (a->formula.nonlinear) return SMT_UNKNOWN;
  smt_assert(a->smt, smt_implies(a->smt, q, truth));
  seconds = until > 0 ? until - clock_seconds() : 0;
  enum smt_answer answer = smt_check(a->smt, &q, 1, until > 0 && seconds < 0.001 ? 0.001 : seconds);
  if (answer == SMT_NO) smt_assert_fact(a->smt, smt_not(a->smt, q));
  if (answer == SMT_UNKNOWN) a->why = smt_why(a->smt);
  return answer;
}

static bool is_limit(const char *why) {
  return strcmp(why, "time") == 0 || strcmp(why, "memory") == 0 || strcmp(why, "interrupted") == 0;
}

static bool reopen(struct asker *a, bool bits) {
  struct path *p = a->path;
  struct text why = {0};
  asker_close(a);
  bool there = asker_open(a, p, bits, &why);
  text_clear(&why);
  return there;
}

enum smt_answer asker_ask(struct asker *a, const struct term *any, double seconds) {
  if (term_is(any, 0)) return SMT_NO;
  if ((!a->smt || smt_broken(a->smt)) && !reopen(a, a->formula.bits)) {
    a->why = "memory";
    return SMT_UNKNOWN;
  }
  enum smt_answer answer = ask(a, any, seconds);
  bool bits = answer == SMT_UNKNOWN && !a->formula.bits && !is_limit(a->why) &&
              a->path->config.numbers == PATH_AUTO;
  if (bits && reopen(a, true)) answer = ask(a, any, seconds);
  if (answer == SMT_UNKNOWN && !is_limit(a->why)) a->why = "nonlinear";
  return answer;
}

int64_t asker_value(struct asker *a, const struct term *x) {
  if (x->op == TERM_CONST) return x->value;
  bool seen = x->op == TERM_LEAF && x->leaf < a->capacity && a->vars[x->leaf];
  return seen ? smt_value(a->smt, a->vars[x->leaf], true) : x->lo;
}

bool asker_true(struct asker *a, const struct term *x) {
  if (x->op == TERM_CONST || x->op == TERM_LEAF) return asker_value(a, x);
  return smt_value(a->smt, formula_truth(&a->formula, x), false);
}
