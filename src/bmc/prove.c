// SPDX-License-Identifier: Apache-2.0
// k-induction and PDR side by side: each step goes to the one that has worked less. A claim of
// either is checked again before it is passed on.
#include "bmc/prove.h"

#include "bmc/pdr.h"
#include "bmc/recheck.h"

struct prove {
  struct prove_config config;
  struct induction *induction; // NULL: not asked for
  struct pdr *pdr;
  uint64_t clean; // depths below this have no bad state, says the caller
  uint64_t depth_max;
  uint64_t slice;    // of work, before it is the other's turn
  bool by_induction; // the last step was
};

enum { SLICE_FIRST = 30 };

static bool wants(const struct prove_config *c, enum bmc_proof method) {
  return c->method == BMC_PROOF_AUTO || c->method == method;
}

struct prove *prove_new(const struct prove_config *c, struct text *why) {
  struct prove *p = mem_zalloc(1, sizeof *p);
  p->config = *c;
  p->slice = SLICE_FIRST;
  bool good = true;
  if (wants(c, BMC_PROOF_INDUCTION)) good = (p->induction = induction_new(c, why)) != NULL;
  if (good && wants(c, BMC_PROOF_PDR)) good = (p->pdr = pdr_new(c, why)) != NULL;
  if (good) return p;
  prove_free(p);
  return NULL;
}

void prove_free(struct prove *p) {
  if (!p) return;
  induction_free(p->induction);
  pdr_free(p->pdr);
  mem_free(p);
}

void prove_tell_clean(struct prove *p, uint64_t depth) {
  if (depth + 1 > p->clean) p->clean = depth + 1;
}

// --- steps ---

static enum prove_answer check_induction(struct prove *p) {
  const struct induction_proof *proof = induction_proof(p->induction);
  switch (recheck_induction(&p->config, proof, p->clean, &p->depth_max)) {
  case RECHECK_GOOD: return PROVE_HOLDS;
  case RECHECK_VIOLATED: return PROVE_VIOLATED;
  case RECHECK_STOPPED: break;
  }
  return PROVE_STOPPED;
}

static enum prove_answer step_pdr(struct prove *p, uint64_t effort) {
  enum prove_answer answer = pdr_step(p->pdr, effort);
  if (answer == PROVE_VIOLATED) p->depth_max = pdr_depth_max(p->pdr);
  if (answer != PROVE_HOLDS) return answer;
  bool good = recheck_invariant(&p->config, pdr_invariant(p->pdr)) == RECHECK_GOOD;
  return good ? PROVE_HOLDS : PROVE_STOPPED;
}

static enum prove_answer step_induction(struct prove *p, uint64_t effort) {
  uint64_t end = induction_work(p->induction) + effort;
  enum prove_answer answer;
  do answer = induction_step(p->induction);
  while (answer == PROVE_OPEN && induction_work(p->induction) < end);
  return answer == PROVE_HOLDS ? check_induction(p) : answer;
}

// A question to the one costs as much more than one to the other as there are more variables.
static uint64_t induction_share(const struct prove *p) {
  uint64_t vars = sat_vars(induction_sat(p->induction)), other = sat_vars(pdr_sat(p->pdr));
  return induction_work(p->induction) * (1 + vars / other);
}

static uint64_t work_done(const struct prove *p) {
  return (p->induction ? induction_work(p->induction) : 0) + (p->pdr ? pdr_work(p->pdr) : 0);
}

// The first turns are short: most of what can be proved is proved soon by one of them.
enum prove_answer prove_step(struct prove *p, uint64_t effort) {
  if (!p->induction && !p->pdr) return PROVE_GAVE_UP;
  uint64_t end = work_done(p) + effort;
  enum prove_answer answer;
  do {
    uint64_t slice = p->slice < effort ? p->slice : effort;
    p->by_induction = p->induction && (!p->pdr || induction_share(p) <= pdr_work(p->pdr));
    answer = p->by_induction ? step_induction(p, slice) : step_pdr(p, slice);
    p->slice += p->slice / 4;
  } while (answer == PROVE_OPEN && work_done(p) < end);
  return answer;
}

// --- what is known ---

uint64_t prove_depth_min(const struct prove *p) { return p->pdr ? pdr_depth_min(p->pdr) : 0; }
uint64_t prove_depth_max(const struct prove *p) { return p->depth_max; }
const char *prove_phase(const struct prove *p) { return p->by_induction ? "induction" : "pdr"; }

uint64_t prove_variables(const struct prove *p) {
  return (p->induction ? sat_vars(induction_sat(p->induction)) : 0) +
         (p->pdr ? sat_vars(pdr_sat(p->pdr)) : 0);
}

uint64_t prove_clauses(const struct prove *p) {
  return (p->induction ? sat_clauses(induction_sat(p->induction)) : 0) +
         (p->pdr ? sat_clauses(pdr_sat(p->pdr)) : 0);
}

static void describe_induction(const struct induction_proof *p, struct text *out) {
  if (p->k == 0)
    text_add(out, "true in every state");
  else
    text_printf(out, "%zu-inductive%s, checked again", p->k,
                p->apart.count ? " on simple paths" : "");
}

static void describe_invariant(const struct cubes *c, struct text *out) {
  size_t count = c->list.count;
  if (count == 0)
    text_add(out, "1-inductive, checked again");
  else
    text_printf(out, "inductive with %zu clause%s more, checked again", count,
                count == 1 ? "" : "s");
}

void prove_describe(const struct prove *p, struct text *out) {
  if (p->by_induction)
    describe_induction(induction_proof(p->induction), out);
  else
    describe_invariant(pdr_invariant(p->pdr), out);
}
