// SPDX-License-Identifier: Apache-2.0
// Searches for cycles: with one thread and several, with and without chains, reduction, fairness.
// All must say what the references say.
#include "random/compare.h"
#include "random/ltl/lasso.h"
#include "random/ltl/reference.h"
#include "random/ltl/trial.h"
#include "reduce/reduce.h"
#include "search/search.h"
#include "sys/sys.h"
#include "trace/trace.h"

// How one search is run.
struct way {
  const char *name;
  const char *search; // NULL: ndfs
  const char *store;
  unsigned threads;
  bool fair, chains, numbers, native;
  const struct ample *ample;
};

// A model's systems, from the inside to the outside; NULL: that one is not there.
struct layers {
  struct sys *inner, *product, *fair, *chain, *top;
};

static void layers_init(struct layers *l, struct trial *t, const struct way *w) {
  enum sys_native_mode mode = w->native ? SYS_NATIVE : SYS_INTERPRETED;
  *l = (struct layers){0};
  l->inner = sys_new(t->m, &(struct sys_config){.mode = mode, .no_cache = true});
  l->top = l->product = sys_product_new(l->inner, t->automaton, t->property);
  if (w->fair) l->top = l->fair = sys_fair_new(l->top);
  if (w->chains) l->top = l->chain = reduce_chain_new(l->top);
}

static void layers_clear(struct layers *l) {
  if (l->chain) sys_free(l->chain);
  if (l->fair) sys_free(l->fair);
  sys_free(l->product);
  sys_free(l->inner);
}

static void search(struct trial *t, struct sys *s, const struct way *w, struct result *r) {
  uint8_t *on = mem_zalloc(t->m->properties.count, sizeof *on);
  on[t->property] = 1;
  struct search_config c = {.sys = s,
                            .model = t->m,
                            .store = w->store,
                            .started = clock_seconds(),
                            .deadlock = IR_DEADLOCK_OFF,
                            .max_errors = 1,
                            .property_on = on,
                            .threads = w->threads,
                            .cycle_property = t->property,
                            .ample = w->ample,
                            .selection_numbers = w->numbers};
  *r = (struct result){0};
  search_run(search_strategy_find(w->search ? w->search : "ndfs"), &c, r);
  t->tally->runs++;
  mem_free(on);
}

static bool traces_good(struct trial *t, struct sys *s, struct result *r, bool fair) {
  if (r->traces.count == 0) return trial_wrong(t, "violated without a trace");
  for (size_t i = 0; i < r->traces.count; i++) {
    if (s->unfold && !trace_unfold(&r->traces.data[i], s))
      return trial_wrong(t, "a trace does not unfold");
    if (!lasso_good(t, &r->traces.data[i], fair)) return false;
  }
  return true;
}

// Runs one search; *states are those it stored.
static bool try_way(struct trial *t, const struct way *w, bool violated, uint64_t *states) {
  struct layers l;
  struct result r;
  layers_init(&l, t, w);
  search(t, l.top, w, &r);
  enum verdict wanted = violated ? VERDICT_VIOLATED : VERDICT_HOLDS;
  bool good = r.verdict == wanted;
  if (!good)
    trial_wrong(t, "it says %s (%s), the reference %s", verdict_name(r.verdict),
                r.reason ? r.reason : "-", verdict_name(wanted));
  if (good && violated) good = traces_good(t, l.top, &r, w->fair);
  if (!good)
    trial_wrong(t, " [%s, %s, %u threads%s%s%s]", w->name, w->store, w->threads,
                w->fair ? ", fair" : "", w->chains ? ", chains" : "", w->native ? ", native" : "");
  *states = r.stats.states;
  t->tally->nested += w->ample && r.stats.nested_states > 0;
  result_clear(&r);
  layers_clear(&l);
  return good;
}

static bool try_threads(struct trial *t, struct way w, bool violated) {
  static const unsigned threads[] = {1, 2, 4};
  uint64_t states;
  for (size_t i = 0; i < (t->threads ? sizeof threads / sizeof *threads : 1); i++) {
    w.threads = threads[i];
    w.store = (t->seed + t->number + i) % 5 == 0 ? "tree" : "exact";
    if (!try_way(t, &w, violated, &states)) return false;
  }
  w.threads = 1;
  w.chains = false;
  w.name = "without chains";
  return !t->m->transient || try_way(t, &w, violated, &states);
}

// ---------------------------------------------------------------------------------------------
// Reduction

static bool try_reduced(struct trial *t, struct way w, bool violated) {
  uint64_t full, kept;
  for (int numbers = 0; numbers < 2; numbers++) {
    struct way whole = w;
    whole.ample = NULL;
    w.numbers = numbers;
    w.name = numbers ? "reduced, numbers" : "reduced";
    if (!try_way(t, &whole, violated, &full) || !try_way(t, &w, violated, &kept)) return false;
    if (violated) continue;
    t->tally->reduced++;
    t->tally->smaller += kept < full;
    t->tally->full[0] += full;
    t->tally->kept[0] += kept;
  }
  return true;
}

// ---------------------------------------------------------------------------------------------
// Cycles without progress

// Directly (Fig. 5), by an automaton of one state; the reference, and ndfs, by that of Fig. 6.
// Progress is that some atom does not hold.
static bool try_progress(struct trial *t, struct way w) {
  int atom = (int)((t->seed + t->number) % t->m->atoms.count);
  struct ir_automaton_edge none = {.yes = UINT64_C(1) << atom, .to = 1}, any = {.to = 0};
  struct ir_automaton_edge edges[] = {none, any};
  struct ir_automaton_state states[] = {{.edges = edges, .edge_count = 2},
                                        {.accepting = true, .edges = edges, .edge_count = 1}};
  struct ir_automaton_state state = {.accepting = true, .edges = &any, .edge_count = 1};
  struct ir_automaton two = {.states = states, .count = 2, .accept_atom = -1, .stuck_ends = true};
  struct ir_automaton one = {.states = &state, .count = 1, .accept_atom = atom, .stuck_ends = true};
  struct trial u = *t;
  struct ir_property *p = t->m->properties.data[t->property]; // replay goes by its automaton
  uint64_t by_two, by_one;
  bool violated = reference_accepted(t->graph, &two, false);
  u.formula = NULL;
  p->automaton = u.automaton = &two;
  w.name = "Fig. 6";
  bool good = try_way(&u, &w, violated, &by_two);
  p->automaton = u.automaton = &one;
  w.name = "Fig. 5";
  w.search = "progress";
  good = good && try_way(&u, &w, violated, &by_one);
  if (good && !violated && by_one > by_two) good = trial_wrong(&u, "more states than by two");
  p->automaton = t->automaton;
  t->why = u.why;
  return good;
}

// ---------------------------------------------------------------------------------------------
// Compiled models

// Atoms and conditions of the reduction are compiled with the model: state by state they must be
// what the interpreter says, and so must the verdict.
static bool try_native(struct trial *t, struct way w, bool violated) {
  struct sys *a = sys_new(t->m, &(struct sys_config){.mode = SYS_INTERPRETED});
  struct sys *b = sys_new(t->m, &(struct sys_config){.mode = SYS_NATIVE, .no_cache = true});
  struct compare_count count = {0};
  struct text why = {0};
  uint64_t states;
  bool good = b->native || trial_wrong(t, "no native code: %s", b->note ? b->note : "?");
  good = good && (compare_systems(a, b, COMPARE_EXACT, UINT64_MAX, &count, &why) ||
                  trial_wrong(t, "native code differs: %s", text_str(&why)));
  text_clear(&why);
  sys_free(b);
  sys_free(a);
  w.native = true;
  t->tally->natives++;
  return good && try_way(t, &w, violated, &states);
}

// ---------------------------------------------------------------------------------------------
// All of it

static bool expect(struct trial *t, bool fair, bool *violated) {
  *violated = reference_accepted(t->graph, t->automaton, fair);
  if (!t->formula || reference_violated(t->graph, t->formula, fair) == *violated) return true;
  return trial_wrong(t, "the automaton%s says %s, the formula does not", fair ? " (fair)" : "",
                     verdict_name(*violated ? VERDICT_VIOLATED : VERDICT_HOLDS));
}

static void count(struct trial *t, bool violated, bool fair) {
  struct tally *y = t->tally;
  y->pairs++;
  y->violated += violated;
  y->fair += fair;
  y->next += t->formula && ltl_uses_next(t->formula);
  y->claims += !t->formula;
  y->chains += t->m->transient != NULL;
}

bool trial_cycles(struct trial *t) {
  bool violated, fair;
  if (t->graph->endless) return true; // who is inside for ever is seen by nobody
  if (!expect(t, false, &violated) || !expect(t, true, &fair)) return false;
  count(t, violated, fair);
  uint8_t *on = mem_zalloc(t->m->properties.count, sizeof *on);
  on[t->property] = 1;
  struct ample *ample = t->automaton->stutters ? ample_new(t->m, on, NULL) : NULL;
  mem_free(on);
  struct way plain = {.name = "ndfs", .store = "exact", .threads = 1, .chains = t->m->transient},
             just = plain;
  just.fair = true;
  bool good = try_threads(t, plain, violated) && try_threads(t, just, fair);
  plain.ample = ample;
  if (good && ample) good = try_reduced(t, plain, violated);
  plain.ample = NULL;
  if (good) good = try_progress(t, plain);
  plain.ample = ample;
  if (good && t->native) good = try_native(t, plain, violated);
  ample_free(ample);
  return good;
}
