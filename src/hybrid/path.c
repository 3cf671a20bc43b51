// SPDX-License-Identifier: Apache-2.0
// Path-based reasoning (paper 003, III.A and V.C): the machine unrolled one step at a time, and the
// questions that are asked at each depth: can an error be come to, does any way go on.
#include "hybrid/path_own.h"

#include "ir/ir.h"

#include <string.h>

#define MORE_SECONDS 0.03 // for a completeness check at least, and
#define MORE_SHARE   0.1  // a share of the time so far

// --- life ---

static void find_places(struct path *p) {
  const struct efsm *e = p->e;
  p->places = mem_zalloc(e->states.count, sizeof *p->places);
  for (size_t i = 0; i < e->states.count; i++) {
    struct place *at = &p->places[i];
    at->leaf = mem_zalloc(e->leaves + 1, sizeof *at->leaf);
    at->place = mem_zalloc(e->leaves + 1, sizeof *at->place);
    for (uint64_t k = 0; k < e->leaves; k++) {
      if (!efsm_live(&e->states.data[i], k)) continue;
      at->place[k] = at->count;
      at->leaf[at->count++] = (uint32_t)k;
    }
  }
}

struct path *path_unroll(const struct path_config *c, struct text *why) {
  struct path *p = mem_zalloc(1, sizeof *p);
  p->config = *c;
  p->e = c->efsm;
  p->m = c->efsm->relation->model;
  p->began = clock_seconds();
  p->until = c->seconds > 0 ? p->began + c->seconds : 0;
  p->terms = terms_new();
  p->yes = term_bool(p->terms, true);
  p->no = term_bool(p->terms, false);
  p->with.to = p->terms;
  p->first = arena_new();
  p->old = arena_new();
  p->young = arena_new();
  p->heads = mem_zalloc(p->e->states.count, sizeof *p->heads);
  p->tails = mem_zalloc(p->e->states.count, sizeof *p->tails);
  p->limit_met = mem_zalloc(p->e->states.count, 1);
  find_places(p);
  path_find_keys(p);
  if (!asker_open(&p->asker, p, c->numbers == PATH_BITS, why)) {
    path_free(p);
    return NULL;
  }
  p->refused = !path_begin(p);
  if (p->refused) p->why = "nonlinear";
  return p;
}

void path_free(struct path *p) {
  if (!p) return;
  asker_close(&p->asker);
  for (size_t i = 0; i < p->e->states.count; i++) {
    mem_free(p->places[i].leaf);
    mem_free(p->places[i].place);
    mem_free(p->places[i].key);
  }
  mem_free(p->places);
  rebuild_clear(&p->with);
  terms_free(p->terms);
  arena_free(p->first);
  arena_free(p->old);
  arena_free(p->young);
  VEC_CLEAR(&p->unknowns);
  VEC_CLEAR(&p->clauses);
  VEC_CLEAR(&p->nodes);
  VEC_CLEAR(&p->ways);
  VEC_CLEAR(&p->choices);
  VEC_CLEAR(&p->errors);
  VEC_CLEAR(&p->candidates);
  VEC_CLEAR(&p->targets);
  mem_free(p->heads);
  mem_free(p->tails);
  mem_free(p->limit_met);
  mem_free(p);
}

// --- questions ---

static double left(const struct path *p) {
  double s = p->until - clock_seconds();
  return p->until == 0 ? 0 : s > 0.001 ? s : 0.001;
}

// Can it be true? SMT_UNKNOWN: why tells.
static enum smt_answer ask(struct path *p, const struct term *any) {
  p->queries += !term_is(any, 0);
  enum smt_answer a = asker_ask(&p->asker, any, left(p));
  if (a == SMT_UNKNOWN) p->why = p->asker.why;
  return a;
}

static const struct term *reach_of(const struct path *p, uint32_t node) {
  return p->nodes.data[node].reach;
}

static bool is_wanted(const struct path *p, uint32_t node) {
  uint32_t state = p->nodes.data[node].state;
  const struct efsm_state *s = &p->e->states.data[state];
  return s->error != EFSM_LIMIT && !(p->config.found && p->config.found[state]);
}

// All errors at this depth that are left, in one question. The one that is found is left out then.
static enum smt_answer ask_errors(struct path *p) {
  const struct term *any = p->no;
  for (size_t i = 0; i < p->errors.count; i++)
    if (is_wanted(p, p->errors.data[i]))
      any = term_or(p->terms, any, reach_of(p, p->errors.data[i]));
  enum smt_answer a = ask(p, any);
  for (size_t i = 0; a == SMT_YES && i < p->errors.count; i++) {
    uint32_t node = p->errors.data[i];
    if (!is_wanted(p, node) || !asker_true(&p->asker, reach_of(p, node))) continue;
    p->error = node;
    p->errors.data[i] = VEC_TOP(&p->errors);
    p->errors.count--;
    return a;
  }
  return a;
}

// False: it was stopped.
static bool ask_limits(struct path *p) {
  for (; p->errors.count; p->errors.count--) {
    uint32_t node = VEC_TOP(&p->errors), state = p->nodes.data[node].state;
    if (p->e->states.data[state].error != EFSM_LIMIT || p->limit_met[state]) continue;
    enum smt_answer a = ask(p, reach_of(p, node));
    if (a == SMT_UNKNOWN) return false;
    p->limit_met[state] = a == SMT_YES;
    p->limits += p->limit_met[state];
  }
  return true;
}

// Does any way go on? In most cases one does, and it may be hard to find: little time is spent on
// it, with a solver of its own, since one that was interrupted is of no use any more.
static enum smt_answer ask_frontier(struct path *p) {
  const struct term *any = p->no;
  struct asker a;
  struct text why = {0};
  enum smt_answer answer = SMT_UNKNOWN;
  double little = MORE_SHARE * (clock_seconds() - p->began), all = left(p);
  if (little < MORE_SECONDS) little = MORE_SECONDS;
  for (size_t i = p->frontier; i < p->nodes.count; i++)
    any = term_or(p->terms, any, reach_of(p, (uint32_t)i));
  p->queries++;
  if (asker_open(&a, p, p->asker.formula.bits, &why)) {
    answer = asker_ask(&a, any, all > 0 && all < little ? all : little);
    asker_close(&a);
  }
  text_clear(&why);
  return answer;
}

// --- deepening ---

static bool out_of_budget(struct path *p) {
  if (p->until > 0 && clock_seconds() > p->until) p->why = "time";
  if (p->config.goes_on && !p->config.goes_on(p->config.context)) p->why = "interrupted";
  if (p->config.mem_bytes && mem_resident() > p->config.mem_bytes) p->why = "memory";
  return p->why != NULL;
}

// The completeness check: at depths that are further and further apart.
static bool is_dead(struct path *p) {
  if (p->frontier == p->nodes.count) return true;
  if (p->config.errors_only || p->depth < p->more_depth) return false;
  p->more_depth = p->depth + p->depth / 2 + 1;
  return ask_frontier(p) == SMT_NO;
}

// Each stage may be stopped, and is taken up again by the next call.
enum path_answer path_deepen(struct path *p) {
  if (p->refused) return PATH_STOPPED;
  p->why = NULL;
  if (p->dead) return PATH_DEAD;
  if (out_of_budget(p)) return PATH_STOPPED;
  if (p->stage == STAGE_GROW) {
    path_grow(p);
    p->depth++;
  }
  p->stage = STAGE_ERRORS;
  enum smt_answer a = ask_errors(p);
  p->told = a == SMT_YES;
  if (a != SMT_NO) return a == SMT_YES ? PATH_ERROR : PATH_STOPPED;
  p->told = true;
  if (!ask_limits(p)) return PATH_STOPPED;
  p->stage = STAGE_GROW;
  p->dead = is_dead(p);
  return p->dead ? PATH_DEAD : PATH_BOUNDED;
}

uint64_t path_depth(const struct path *p) { return p->depth - (p->depth > 0 && !p->told); }
uint64_t path_limits(const struct path *p) { return p->limits; }
uint32_t path_error(const struct path *p) { return p->nodes.data[p->error].state; }
const char *path_why(const struct path *p) { return p->why; }
uint64_t path_queries(const struct path *p) { return p->queries; }
