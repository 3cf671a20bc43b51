// SPDX-License-Identifier: Apache-2.0
// Random models through everything that must agree: checker, text form, folding, interpreter,
// native code, searches, replay. A failing seed is printed, shrunk, and can be run again:
//   test_random [--first SEED] [--count N] [--no-native] [--show]
#include "ir/ir.h"
#include "random/compare.h"
#include "random/generate.h"
#include "random/naive.h"
#include "reduce/reduce.h"
#include "search/search.h"
#include "store/store.h"
#include "sys/sys.h"
#include "trace/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STATES_MAX      2000
#define SHRINK_ROUNDS   3
#define TRANSIENTS      2 // variables per model that are made transient, each by itself
#define CHAIN_BYTES_MAX ((size_t)24 << 10) // of one expansion
#define CHAIN_STEPS_MAX 20000              // of all

struct options {
  uint64_t first, count;
  bool native, show, shrink;
};

struct tally { // of the tame models, or of the others
  uint64_t models, natives, verdicts[3], traces, complete, failures;
  uint64_t chains, chain_steps; // models with a transient variable, steps of theirs
  uint64_t bits, narrowed_bits; // of states, before and after
  struct compare_count native;
};

// One model under test, and the first thing found wrong with it.
struct trial {
  const struct options *options;
  struct ir_model *m;
  struct tally *tally;
  struct text why;
};

static bool __attribute__((format(printf, 2, 3))) wrong(struct trial *t, const char *format, ...) {
  va_list args;
  va_start(args, format);
  text_vprintf(&t->why, format, args);
  va_end(args);
  return false;
}

// ---------------------------------------------------------------------------------------------
// Passes

static struct sys *interpreted(const struct ir_model *m) {
  return sys_new(m, &(struct sys_config){.mode = SYS_INTERPRETED});
}

// What is searched of a model: *inner is what it is over, itself perhaps.
static struct sys *searched(struct sys *inner) {
  return inner->model->transient != NULL ? reduce_chain_new(inner) : inner;
}

static void free_searched(struct sys *s, struct sys *inner) {
  if (s != inner) sys_free(s);
  sys_free(inner);
}

static void add_diagnostics(struct trial *t, const struct diag *d) {
  for (size_t i = 0; i < d->count; i++)
    text_printf(&t->why, "%s%u:%u: %s", i > 0 ? "; " : ": ", d->entries[i].span.line,
                d->entries[i].span.column, d->entries[i].message);
}

static bool finish(struct trial *t, struct ir_model *m, const char *what) {
  struct diag d = {0};
  bool good = ir_model_finish(m, &d);
  if (!good) {
    wrong(t, "%s does not finish", what);
    add_diagnostics(t, &d);
  }
  diag_clear(&d);
  return good;
}

static bool checks(struct trial *t, const struct ir_model *m, const char *what) {
  struct text errors = {0};
  bool good = ir_check(m, &errors);
  if (!good) wrong(t, "%s fails ir_check: %s", what, text_str(&errors));
  text_clear(&errors);
  return good;
}

static bool compare_interpreted(struct trial *t, const struct ir_model *other, enum compare_how how,
                                const char *what) {
  struct sys *a = interpreted(t->m), *b = interpreted(other);
  struct compare_count count = {0};
  struct text why = {0};
  bool same = compare_systems(a, b, how, STATES_MAX / 4, &count, &why);
  if (!same) wrong(t, "%s behaves differently: %s", what, text_str(&why));
  text_clear(&why);
  sys_free(a);
  sys_free(b);
  return same;
}

static bool try_text(struct trial *t) {
  struct text first = {0}, second = {0};
  struct diag d = {0};
  ir_print_model(&first, t->m);
  struct ir_model *back =
      ir_parse_model(source_from_text("random.ir", text_str(&first), first.count), &d);
  bool good = back != NULL;
  if (!good) {
    wrong(t, "the printed model does not parse");
    add_diagnostics(t, &d);
  } else {
    ir_print_model(&second, back);
    if (strcmp(text_str(&first), text_str(&second)) != 0) {
      size_t at = 0, line = 1;
      for (; first.data[at] == second.data[at]; at++) line += first.data[at] == '\n';
      good = wrong(t, "print, parse, print is not stable (line %zu)", line);
    }
    good = good && checks(t, back, "the parsed model") &&
           compare_interpreted(t, back, COMPARE_KINDS, "the parsed model");
    ir_model_free(back);
  }
  diag_clear(&d);
  text_clear(&first);
  text_clear(&second);
  return good;
}

static bool try_fold(struct trial *t, uint64_t seed, const struct generate_cut *cut) {
  struct ir_model *folded = generate_model(seed, cut, NULL);
  ir_fold(folded);
  bool good = finish(t, folded, "the folded model") && checks(t, folded, "the folded model") &&
              compare_interpreted(t, folded, COMPARE_SITES, "the folded model");
  ir_model_free(folded);
  return good;
}

// Not as written, in fewer bits: the same values, the same failures.
static bool try_narrow(struct trial *t, uint64_t seed, const struct generate_cut *cut) {
  struct ir_model *m = generate_model(seed, cut, NULL);
  ir_narrow(m);
  bool good = finish(t, m, "the narrowed model") && checks(t, m, "the narrowed model") &&
              compare_interpreted(t, m, COMPARE_SITES, "the narrowed model");
  if (good && m->layout->bits > t->m->layout->bits)
    good = wrong(t, "the narrowed model has more bits");
  if (good) t->tally->bits += t->m->layout->bits;
  if (good) t->tally->narrowed_bits += m->layout->bits;
  ir_model_free(m);
  return good;
}

// ---------------------------------------------------------------------------------------------
// Native code and searches

static bool try_native(struct trial *t, struct sys **native) {
  *native = sys_new(t->m, &(struct sys_config){.mode = SYS_NATIVE, .no_cache = true});
  if (!(*native)->native)
    return wrong(t, "no native code: %s",
                 (*native)->note != NULL ? (*native)->note : "no reason given");
  struct sys *a = interpreted(t->m);
  struct text why = {0};
  bool same = compare_systems(a, *native, COMPARE_EXACT, STATES_MAX, &t->tally->native, &why);
  if (!same) wrong(t, "native code differs from the interpreter: %s", text_str(&why));
  text_clear(&why);
  sys_free(a);
  t->tally->natives++;
  return same;
}

// With max_errors 0 the search goes on past violations, so that counts can be compared.
static void search(struct trial *t, struct sys *s, const char *name, uint64_t max_errors,
                   struct result *r) {
  struct search_config c = {.sys = s,
                            .model = t->m,
                            .store = "exact",
                            .budget = {.states_max = 2 * STATES_MAX, .seconds = 20},
                            .started = clock_seconds(),
                            .deadlock = t->m->deadlock,
                            .max_errors = max_errors,
                            .increment = 1 + t->m->rules.count % 4,
                            .bounding = (enum search_bounding)(t->m->rules.count % 2),
                            .frontier = (enum search_frontier)(t->m->vars.count % 3)};
  *r = (struct result){0};
  search_run(search_strategy_find(name), &c, r);
}

static bool replays(struct trial *t, struct sys *s, const struct result *r, const char *name) {
  for (size_t i = 0; i < r->traces.count; i++) {
    struct replay replay = {0};
    if (s->unfold != NULL && !trace_unfold(&r->traces.data[i], s))
      return wrong(t, "a trace of %s does not unfold", name);
    bool good = trace_replay(&r->traces.data[i], t->m, t->m->deadlock, &replay);
    if (!good)
      wrong(t, "a trace of %s does not replay: %s", name,
            replay.problem != NULL ? replay.problem : "?");
    replay_clear(&replay);
    if (!good) return false;
    t->tally->traces++;
  }
  return true;
}

// Runs one search and holds it to what breadth-first search by the interpreter found. That one
// may have been cut by its budget; then only the replays count.
static bool try_search(struct trial *t, struct sys *s, const char *name,
                       const struct result *first) {
  struct result r;
  search(t, s, name, 1, &r);
  bool good = replays(t, s, &r, name);
  bool conclusive = r.verdict != VERDICT_UNKNOWN && first->verdict != VERDICT_UNKNOWN;
  const char *how = s->native ? "native" : "interpreted";
  if (good && conclusive && r.verdict != first->verdict)
    good = wrong(t, "%s %s says %s, interpreted bfs says %s", how, name, verdict_name(r.verdict),
                 verdict_name(first->verdict));
  bool complete = conclusive && (r.verdict == VERDICT_HOLDS || strcmp(name, "bfs") == 0);
  if (good && complete &&
      (r.stats.states != first->stats.states || r.stats.transitions != first->stats.transitions))
    good = wrong(t,
                 "%s %s: %" PRIu64 " states and %" PRIu64 " rules, interpreted bfs: %" PRIu64
                 " and %" PRIu64,
                 how, name, r.stats.states, r.stats.transitions, first->stats.states,
                 first->stats.transitions);
  if (good && conclusive && strcmp(name, "bfs") == 0 && r.traces.count > 0 &&
      first->traces.count > 0 && r.traces.data[0].steps.count != first->traces.data[0].steps.count)
    good = wrong(t, "native and interpreted bfs give traces of different lengths");
  result_clear(&r);
  return good;
}

// Every state there is, violations or not: the same number of states and rules in any order.
static bool try_complete(struct trial *t, struct sys *s, const char *name, struct result *first) {
  struct result r;
  search(t, s, name, 0, &r);
  bool good = true, complete = r.frontier == 0 && first->frontier == 0 && first->stats.states > 0;
  if (complete) t->tally->complete++;
  if (complete && (r.verdict != first->verdict || r.stats.states != first->stats.states ||
                   r.stats.transitions != first->stats.transitions))
    good = wrong(t,
                 "past errors, %s %s: %s, %" PRIu64 " states, %" PRIu64
                 " rules; interpreted bfs: %s, %" PRIu64 ", %" PRIu64,
                 s->native ? "native" : "interpreted", name, verdict_name(r.verdict),
                 r.stats.states, r.stats.transitions, verdict_name(first->verdict),
                 first->stats.states, first->stats.transitions);
  result_clear(&r);
  return good;
}

static bool try_completes(struct trial *t, struct sys *plain, struct sys *native) {
  struct result first;
  search(t, plain, "bfs", 0, &first);
  bool good = try_complete(t, plain, "dfs", &first) && try_complete(t, plain, "bounded", &first);
  if (good && native != NULL)
    good = try_complete(t, native, "bfs", &first) && try_complete(t, native, "dfs", &first) &&
           try_complete(t, native, "bounded", &first);
  result_clear(&first);
  return good;
}

static bool try_searches(struct trial *t, struct sys *native) {
  struct sys *inner = interpreted(t->m), *plain = searched(inner);
  struct result first;
  search(t, plain, "bfs", 1, &first);
  t->tally->verdicts[first.verdict]++;
  bool good = replays(t, plain, &first, "bfs") && try_search(t, plain, "dfs", &first) &&
              try_search(t, plain, "bounded", &first);
  if (good && native != NULL)
    good = try_search(t, native, "bfs", &first) && try_search(t, native, "dfs", &first) &&
           try_search(t, native, "bounded", &first);
  good = good && try_completes(t, plain, native);
  result_clear(&first);
  free_searched(plain, inner);
  return good;
}

// ---------------------------------------------------------------------------------------------
// Chains

static bool can_be_transient(const struct ir_type *t) {
  bool plain = t->kind == IR_TYPE_BOOL || t->kind == IR_TYPE_RANGE || t->kind == IR_TYPE_ENUM ||
               t->kind == IR_TYPE_INT;
  return plain && ir_type_has(t, 0);
}

// The model with its variable number `var` transient, or NULL.
static struct ir_model *with_transient(uint64_t seed, const struct generate_cut *cut, size_t var) {
  struct ir_model *m = generate_model(seed, cut, NULL);
  if (var < m->vars.count && can_be_transient(m->vars.data[var]->type)) {
    m->transient = m->vars.data[var];
    return m;
  }
  ir_model_free(m);
  return NULL;
}

static bool is_short(void *chain) {
  return ((const struct sys *)chain)->chains->bytes < CHAIN_BYTES_MAX;
}

// `state`: room for one, outside of `out`, which moves as it grows.
static void walk_chains(struct sys *chain, struct store *seen, struct sys_out *out,
                        uint64_t *state) {
  for (uint64_t id = 0, next;
       id <= store_count(seen) && id < STATES_MAX && out->fired < CHAIN_STEPS_MAX; id++) {
    out->count = 0;
    if (id == 0) chain->starts(chain, out);
    if (id > 0) {
      store_get(seen, id - 1, state);
      chain->expand(chain, state, out);
    }
    for (size_t i = 0; i < out->count; i++)
      if (out->steps[i].site == 0) store_insert(seen, out->words + i * chain->words, &next);
  }
}

// Does no chain go through very many states, and do they not all together?
static bool chains_are_short(struct sys *chain) {
  struct store_config c = {.kind = "exact", .words = chain->words, .bytes = chain->bytes};
  struct store *seen = store_new(&c);
  struct sys_out out;
  volatile bool ok = false;
  struct mem_boundary boundary;
  sys_out_init(&out, chain->words, chain->model->properties.count);
  uint64_t *state = mem_zalloc(chain->words, sizeof *state);
  chain->asking->goes_on = is_short;
  chain->asking->context = chain;
  if (!mem_boundary_enter(&boundary)) {
    walk_chains(chain, seen, &out, state);
    ok = out.fired < CHAIN_STEPS_MAX;
    mem_boundary_leave(&boundary);
  }
  chain->asking->goes_on = NULL;
  store_free(seen);
  sys_out_clear(&out);
  mem_free(state);
  return ok;
}

static bool try_chain(struct trial *t) {
  struct sys *a = interpreted(t->m), *b = interpreted(t->m);
  struct sys *chain = reduce_chain_new(a), *naive = naive_chain_new(b);
  struct compare_count count = {0};
  struct text why = {0};
  bool small = chains_are_short(chain), same = true;
  if (small) same = compare_systems(chain, naive, COMPARE_EXACT, STATES_MAX / 4, &count, &why);
  if (!same) wrong(t, "chains differ from naive ones: %s", text_str(&why));
  text_clear(&why);
  t->tally->chains += small;
  t->tally->chain_steps += count.steps;
  free_searched(chain, a);
  free_searched(naive, b);
  return same && (!small || try_searches(t, NULL));
}

static bool try_transients(struct trial *t, uint64_t seed, const struct generate_cut *cut) {
  bool good = true;
  for (size_t var = 0, left = TRANSIENTS; var < t->m->vars.count && left > 0 && good; var++) {
    struct ir_model *m = with_transient(seed, cut, var), *plain = t->m;
    if (m == NULL) continue;
    t->m = m;
    good = finish(t, m, "the model") && checks(t, m, "the model") && try_text(t) && try_chain(t);
    if (!good) text_printf(&t->why, " (\"%s\" is transient)", m->transient->name);
    t->m = plain;
    ir_model_free(m);
    left--;
  }
  return good;
}

// ---------------------------------------------------------------------------------------------
// One seed

static bool try_model(struct trial *t, uint64_t seed, const struct generate_cut *cut) {
  struct sys *native = NULL;
  bool good = finish(t, t->m, "the model") && checks(t, t->m, "the model") && try_text(t) &&
              try_fold(t, seed, cut) && try_narrow(t, seed, cut) &&
              (!t->options->native || try_native(t, &native)) && try_searches(t, native) &&
              try_transients(t, seed, cut);
  if (native != NULL) sys_free(native);
  return good;
}

static bool try_seed(const struct options *o, struct tally *tally, uint64_t seed,
                     const struct generate_cut *cut, struct generate_size *size, struct text *why) {
  struct trial t = {.options = o, .tally = tally, .m = generate_model(seed, cut, size)};
  bool good = try_model(&t, seed, cut);
  text_add(why, text_str(&t.why));
  text_clear(&t.why);
  ir_model_free(t.m);
  return good;
}

static void show_model(uint64_t seed, const struct generate_cut *cut) {
  struct ir_model *m = generate_model(seed, cut, NULL);
  struct diag d = {0};
  struct text out = {0};
  if (ir_model_finish(m, &d)) ir_print_model(&out, m);
  printf("%s\n", text_str(&out));
  text_clear(&out);
  diag_clear(&d);
  ir_model_free(m);
}

// Leaves out rules and statements, one at a time, as long as something is still wrong.
static void shrink(const struct options *o, uint64_t seed, struct generate_size size) {
  uint32_t all = size.rules + size.stmts;
  bool *out = mem_zalloc(all + 1, sizeof *out);
  struct generate_cut cut = {out, out + size.rules, size.rules, size.stmts};
  struct tally ignored = {0};
  struct text why = {0};
  for (int round = 0; round < SHRINK_ROUNDS; round++) {
    bool smaller = false;
    for (uint32_t i = 0; i < all; i++) {
      if (out[i]) continue;
      out[i] = true;
      struct text now = {0};
      if (try_seed(o, &ignored, seed, &cut, NULL, &now)) {
        out[i] = false;
      } else {
        smaller = true;
        text_clear(&why);
        text_add(&why, text_str(&now));
      }
      text_clear(&now);
    }
    if (!smaller) break;
  }
  printf("shrunk, seed %" PRIu64 ": %s\n", seed, text_str(&why));
  show_model(seed, &cut);
  text_clear(&why);
  mem_free(out);
}

static bool read_options(int argc, char **argv, struct options *o) {
  *o = (struct options){.first = 1, .count = 60, .native = true, .shrink = true};
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--no-native") == 0)
      o->native = false;
    else if (strcmp(argv[i], "--no-shrink") == 0)
      o->shrink = false;
    else if (strcmp(argv[i], "--show") == 0)
      o->show = true;
    else if (strcmp(argv[i], "--first") == 0 && i + 1 < argc)
      o->first = strtoull(argv[++i], NULL, 10);
    else if (strcmp(argv[i], "--count") == 0 && i + 1 < argc)
      o->count = strtoull(argv[++i], NULL, 10);
    else
      return false;
  }
  return true;
}

static void print_tally(const char *what, const struct tally *t) {
  printf("%s: %" PRIu64 " models, %" PRIu64 " failures; %" PRIu64
         " compared with native code over %" PRIu64 " states, %" PRIu64 " steps, %" PRIu64
         " of them faults; verdicts: %" PRIu64 " hold, %" PRIu64 " violated, %" PRIu64
         " unknown; %" PRIu64 " traces replayed, %" PRIu64 " complete searches compared; %" PRIu64
         " models with chains, %" PRIu64 " steps; %" PRIu64 " bits narrowed to %" PRIu64 "\n",
         what, t->models, t->failures, t->natives, t->native.states, t->native.steps,
         t->native.faults, t->verdicts[VERDICT_HOLDS], t->verdicts[VERDICT_VIOLATED],
         t->verdicts[VERDICT_UNKNOWN], t->traces, t->complete, t->chains, t->chain_steps, t->bits,
         t->narrowed_bits);
}

// Tries one seed and prints what is wrong with it.
static void run_seed(const struct options *o, struct tally *tally, uint64_t seed) {
  struct generate_size size;
  struct text why = {0};
  if (o->show) show_model(seed, NULL);
  tally->models++;
  if (!try_seed(o, tally, seed, NULL, &size, &why)) {
    tally->failures++;
    printf("seed %" PRIu64 ": %s\n", seed, text_str(&why));
    if (o->shrink && tally->failures == 1) shrink(o, seed, size);
  }
  text_clear(&why);
}

int main(int argc, char **argv) {
  struct options o;
  struct tally tally[2] = {0};
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (!read_options(argc, argv, &o)) {
    fprintf(stderr, "usage: %s [--first SEED] [--count N] [--no-native] [--no-shrink] [--show]\n",
            argv[0]);
    return 1;
  }
  uint64_t end = o.first + o.count;
  for (uint64_t seed = o.first; seed < end && tally[0].failures + tally[1].failures < 10; seed++)
    run_seed(&o, &tally[generate_tame(seed)], seed);
  printf("random models, seeds %" PRIu64 " and on\n", o.first);
  print_tally("wild", &tally[false]);
  print_tally("tame", &tally[true]);
  return tally[0].failures + tally[1].failures != 0;
}
