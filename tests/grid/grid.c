// SPDX-License-Identifier: Apache-2.0
// The grid: every setting (a line of standard input: the arguments of `fathom check`) through all
// stores x threads x search orders x symmetry on and off. The first cell of a setting (exact, one
// thread, breadth-first, no symmetry) is what the others are held to; that it is right, the tests
// of models and the oracles say. docs/testing.md tells what must be the same.
#include "facts.h"
#include "pool.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define AXIS_MAX         8
#define CELL_SECONDS_MAX 120
// Settings of more states than --limit run one cell of so many; coprime to the axes, so that over
// the settings every combination has its turn.
#define STRIDE 7

struct setting {
  pool_arguments words;
  size_t plain, reduced; // its reference cells, without and with symmetry
  bool symmetric;        // can symmetry be had, without a doubt?
};

enum use {
  REFERENCE, // one thread, exact, breadth-first
  DEFAULTS,  // no option of an axis given
  ORDINARY,
  DETERMINISTIC, // with --deterministic: the same result, word for word
};

struct cell {
  enum use use;
  size_t setting;
  const char *store, *search, *threads, *symmetry;
  const char *increment, *bounding, *frontier; // of the bounded search
  size_t twin; // DETERMINISTIC: the cell whose result this one must repeat
  struct facts found;
};

struct axis {
  const char *values[AXIS_MAX];
  size_t count;
};

struct grid {
  char *fathom;
  struct axis stores, threads, searches;
  pool_arguments options; // of every run
  unsigned jobs, rounds;
  int64_t limit;
  VEC(struct setting) settings;
  VEC(struct cell) cells;
  size_t first; // of the cells that are running: those before are done
  size_t left_out, large, failures, asymmetric, lossy_misses;
  size_t several; // cells in which more than one thread took part
};

// ---------------------------------------------------------------------------------------------
// Running

static void cell_arguments(void *context, size_t i, pool_arguments *args) {
  struct grid *g = context;
  const struct cell *c = &g->cells.data[g->first + i];
  const struct setting *s = &g->settings.data[c->setting];
  const char *const fixed[] = {g->fathom, "check", "--quiet", "--json", "-"};
  const char *const axes[] = {"--store",   c->store,   "--search",   c->search,
                              "--threads", c->threads, "--symmetry", c->symmetry};
  for (size_t k = 0; k < sizeof fixed / sizeof *fixed; k++) VEC_PUSH(args, (char *)fixed[k]);
  for (size_t k = 0; k < g->options.count; k++) VEC_PUSH(args, g->options.data[k]);
  const char *const bounded[] = {"--increment", c->increment, "--bounding",
                                 c->bounding,   "--frontier", c->frontier};
  for (size_t k = 0; k < sizeof axes / sizeof *axes && c->use != DEFAULTS; k++)
    VEC_PUSH(args, (char *)axes[k]);
  for (size_t k = 0; k < sizeof bounded / sizeof *bounded && c->increment; k++)
    VEC_PUSH(args, (char *)bounded[k]);
  if (c->use == DETERMINISTIC) VEC_PUSH(args, "--deterministic");
  for (size_t k = 0; k < s->words.count; k++) VEC_PUSH(args, s->words.data[k]);
}

static void __attribute__((format(printf, 3, 4)))
complain(struct grid *g, const struct cell *c, const char *format, ...) {
  va_list list;
  pool_arguments args = {0};
  cell_arguments(g, (size_t)(c - g->cells.data) - g->first, &args);
  printf("FAILED ");
  va_start(list, format);
  vprintf(format, list);
  va_end(list);
  printf("\n  ");
  for (size_t i = 0; i < args.count; i++) printf("%s ", args.data[i]);
  printf("\n");
  VEC_CLEAR(&args);
  g->failures++;
}

static bool is(const char *a, const char *b) { return strcmp(a, b) == 0; }

static int status_of(const char *verdict) {
  return is(verdict, "holds") ? 0 : is(verdict, "violated") ? 10 : 5;
}

// Symmetry was asked for and cannot be had: the model has none, or a trace showed that it has none.
static bool refuses(const struct cell *c, int status) {
  return c->use == REFERENCE && is(c->symmetry, "on") && (status == 1 || status == 2);
}

static void cell_done(void *context, size_t i, const struct pool_outcome *o) {
  struct grid *g = context;
  struct cell *c = &g->cells.data[g->first + i];
  bool read = facts_read(&c->found, &o->out);
  c->found.status = o->status;
  if (refuses(c, o->status) || (read && o->status == status_of(c->found.verdict))) return;
  complain(g, c, "exit status %d%s", o->status, read ? "" : ", and no result");
  printf("%.4000s\n", text_str(&o->err));
}

static void run_cells(struct grid *g) {
  struct pool p = {.jobs = g->jobs,
                   .seconds_max = CELL_SECONDS_MAX,
                   .context = g,
                   .arguments = cell_arguments,
                   .done = cell_done};
  if (!pool_run(&p, g->cells.count - g->first)) {
    fprintf(stderr, "grid: a process could not be started\n");
    exit(1);
  }
}

// ---------------------------------------------------------------------------------------------
// Judging

static bool store_lossy(const char *store) {
  return is(store, "fingerprint") || is(store, "bitstate");
}

// Breadth-first traces are shortest; but of what is found in one level, a deadlock lies in the
// state that is expanded, everything else one step behind it.
static void judge_trace(struct grid *g, const struct cell *c, const struct facts *want) {
  const struct facts *f = &c->found;
  int64_t slack = is(f->end, want->end) ? 0 : 1;
  if (f->steps < 0) {
    complain(g, c, "violated without a trace");
  } else if (is(c->store, "bitstate")) {
    if (f->steps < want->steps - slack)
      complain(g, c, "%" PRId64 " steps, less than the shortest %" PRId64, f->steps, want->steps);
  } else if (f->steps < want->steps - slack || f->steps > want->steps + slack) {
    complain(g, c, "%" PRId64 " steps (%s), not %" PRId64 " (%s)", f->steps, f->end, want->steps,
             want->end);
  }
}

// The bounded search finds the nearest violation in the iteration that comes to it, or another one
// that is within the same bound.
static void judge_bounded_trace(struct grid *g, const struct cell *c, const struct facts *want) {
  const struct facts *f = &c->found;
  int64_t increment = strtoll(c->increment, NULL, 10);
  int64_t level = want->steps + is(want->end, "deadlock"); // that was stored when it was found
  int64_t bound = (level + increment - 1) / increment * increment;
  if (f->steps < want->steps - 1 || f->steps > bound)
    complain(g, c, "%" PRId64 " steps (%s), not from %" PRId64 " (%s) to %" PRId64, f->steps,
             f->end, want->steps, want->end, bound);
}

static void judge_counts(struct grid *g, const struct cell *c, const struct facts *want) {
  const struct facts *f = &c->found;
  if (is(c->store, "bitstate")) {
    if (f->states > want->states)
      complain(g, c, "%" PRId64 " states, more than there are: %" PRId64, f->states, want->states);
    g->lossy_misses += f->states < want->states;
    return;
  }
  if (f->states != want->states || f->rules != want->rules)
    complain(g, c, "states %" PRId64 " rules %" PRId64 ", not %" PRId64 " %" PRId64, f->states,
             f->rules, want->states, want->rules);
  if (!is(c->search, "bfs")) return;
  if (f->depth != want->depth || f->revisits != want->revisits)
    complain(g, c, "depth %" PRId64 " revisits %" PRId64 ", not %" PRId64 " %" PRId64, f->depth,
             f->revisits, want->depth, want->revisits);
}

static void judge_verdict(struct grid *g, const struct cell *c, const struct facts *want) {
  const struct facts *f = &c->found;
  bool lossy = store_lossy(c->store);
  if (lossy && facts_complete(want)) {
    if (!is(f->verdict, "unknown") || strncmp(f->reason, "lossy", 5) != 0)
      complain(g, c, "%s (%s), not unknown (lossy ...)", f->verdict, f->reason);
  } else if (!is(f->verdict, want->verdict) || (!lossy && !is(f->reason, want->reason))) {
    complain(g, c, "%s (%s), not %s (%s)", f->verdict, f->reason, want->verdict, want->reason);
  }
}

static void judge(struct grid *g, const struct cell *c) {
  const struct setting *s = &g->settings.data[c->setting];
  bool on = is(c->symmetry, "on");
  const struct facts *want = &g->cells.data[on ? s->reduced : s->plain].found, *f = &c->found;
  if (f->verdict == NULL || want->verdict == NULL) return; // complained about already
  bool bfs = is(c->search, "bfs"), bounded = is(c->search, "bounded");
  judge_verdict(g, c, want);
  if (facts_complete(want)) judge_counts(g, c, want);
  if (want->steps >= 0 && bfs && is(f->verdict, "violated")) judge_trace(g, c, want);
  if (want->steps >= 0 && bounded && is(f->verdict, "violated")) judge_bounded_trace(g, c, want);
  if (f->symmetry != on) complain(g, c, "symmetry is %s", f->symmetry ? "on" : "off");
  if ((bfs || bounded) && is(want->reason, "depth") && !store_lossy(c->store) &&
      f->states != want->states)
    complain(g, c, "%" PRId64 " states to that depth, not %" PRId64, f->states, want->states);
}

static void judge_twin(struct grid *g, const struct cell *c) {
  const struct facts *f = &c->found, *twin = &g->cells.data[c->twin].found;
  if (f->same == NULL || twin->same == NULL || is(f->same, twin->same)) return;
  complain(g, c,
           "--deterministic, and not the result of %s threads:", g->cells.data[c->twin].threads);
  size_t at = 0;
  while (f->same[at] == twin->same[at]) at++;
  while (at > 0 && f->same[at] != '\n') at--;
  printf("  here: %.300s\n  there: %.300s\n", f->same + at, twin->same + at);
}

// Where `--symmetry on` trusts the model in something, what it finds is real, and nothing is
// proved.
static void judge_doubted(struct grid *g, const struct cell *c, const struct facts *plain) {
  const struct facts *f = &c->found;
  bool found = is(f->verdict, "violated") && is(plain->verdict, "violated");
  if (!found && !is(f->verdict, "unknown"))
    complain(g, c, "%s (%s), though symmetry is not proved", f->verdict, f->reason);
}

// With symmetry: the same answer, as short a trace, not more states.
static void judge_setting(struct grid *g, struct setting *s) {
  const struct cell *c = &g->cells.data[s->reduced];
  const struct facts *plain = &g->cells.data[s->plain].found, *reduced = &c->found;
  s->symmetric = !refuses(c, reduced->status) && !reduced->doubted;
  g->asymmetric += !s->symmetric;
  g->large += plain->states > g->limit;
  if (plain->verdict == NULL || reduced->verdict == NULL) return;
  if (reduced->doubted) {
    judge_doubted(g, c, plain);
    return;
  }
  if (!is(plain->verdict, reduced->verdict) || !is(plain->reason, reduced->reason))
    complain(g, c, "%s (%s), and without symmetry %s (%s)", reduced->verdict, reduced->reason,
             plain->verdict, plain->reason);
  if (plain->steps >= 0 && reduced->steps >= 0) judge_trace(g, c, plain);
  if (facts_complete(plain) && reduced->states > plain->states)
    complain(g, c, "symmetry adds states");
}

// No option of an axis given: the same answer, and symmetry is on where it can be had; where some
// scalarsets cannot take part, the others may.
static void judge_defaults(struct grid *g, const struct cell *c) {
  const struct setting *s = &g->settings.data[c->setting];
  const struct facts *plain = &g->cells.data[s->plain].found, *f = &c->found;
  if (plain->verdict == NULL || f->verdict == NULL) return;
  if (!is(f->verdict, plain->verdict) || !is(f->reason, plain->reason))
    complain(g, c, "%s (%s), not %s (%s)", f->verdict, f->reason, plain->verdict, plain->reason);
  if (f->symmetry != s->symmetric && !f->doubted)
    complain(g, c, "by default symmetry is %s", f->symmetry ? "on" : "off");
}

// ---------------------------------------------------------------------------------------------
// Planning

static size_t add_cell(struct grid *g, struct cell c) {
  VEC_PUSH(&g->cells, c);
  return g->cells.count - 1;
}

static void plan_references(struct grid *g) {
  for (size_t i = 0; i < g->settings.count; i++) {
    struct setting *s = &g->settings.data[i];
    struct cell c = {.use = REFERENCE,
                     .setting = i,
                     .store = "exact",
                     .search = "bfs",
                     .threads = "1",
                     .symmetry = "off"};
    s->plain = add_cell(g, c);
    c.symmetry = "on";
    s->reduced = add_cell(g, c);
  }
}

// Is the k-th unit of a setting run, or left out?
static bool chosen(struct grid *g, size_t setting, size_t k, size_t cells) {
  const struct setting *s = &g->settings.data[setting];
  if (g->cells.data[s->plain].found.states <= g->limit || (k + setting) % STRIDE == 0) return true;
  g->left_out += cells;
  return false;
}

// The settings of the bounded search take turns, so that over the cells every combination has its
// own. False: this store is refused.
static bool plan_bounded(struct cell *c, size_t turn) {
  static const char *const increments[] = {"1", "2", "3", "7", "20"};
  static const char *const boundings[] = {"threshold", "depth"};
  static const char *const frontiers[] = {"tree", "traces", "states"};
  if (is(c->store, "bitstate")) return false;
  c->increment = increments[turn % 5];
  c->bounding = boundings[turn % 2];
  c->frontier = frontiers[turn % 3];
  return true;
}

static void plan_ordinary(struct grid *g, struct cell c, size_t *k) {
  for (size_t i = 0; i < g->stores.count; i++)
    for (size_t j = 0; j < g->threads.count; j++)
      for (size_t l = 0; l < g->searches.count; l++) {
        c.store = g->stores.values[i];
        c.threads = g->threads.values[j];
        c.search = g->searches.values[l];
        c.increment = c.bounding = c.frontier = NULL;
        if (is(c.search, "bounded") && !plan_bounded(&c, g->cells.count)) continue;
        if (!chosen(g, c.setting, (*k)++, g->rounds)) continue;
        for (unsigned round = 0; round < g->rounds; round++) add_cell(g, c);
      }
}

// One thread, then each number of threads, and the last one again: all the same result. A store
// that may lose states keeps the promise with one thread only, and more are refused.
static void plan_deterministic(struct grid *g, struct cell c, size_t *k) {
  c.use = DETERMINISTIC;
  c.search = "bfs";
  for (size_t i = 0; i < g->stores.count; i++) {
    c.store = g->stores.values[i];
    size_t count = store_lossy(c.store) ? 0 : g->threads.count;
    if (!chosen(g, c.setting, (*k)++, g->rounds * count + 2)) continue;
    c.threads = "1";
    c.twin = g->cells.count;
    add_cell(g, c);
    for (size_t j = 0; j < count; j++) {
      c.threads = g->threads.values[j];
      for (unsigned round = 0; round < g->rounds; round++) add_cell(g, c);
    }
    add_cell(g, c);
  }
}

static void plan_cells(struct grid *g) {
  for (size_t i = 0; i < g->settings.count; i++) {
    struct cell c = {.use = DEFAULTS, .setting = i};
    size_t k = 0;
    add_cell(g, c);
    for (int on = 0; on <= (int)g->settings.data[i].symmetric; on++) {
      c.use = ORDINARY;
      c.symmetry = on ? "on" : "off";
      plan_ordinary(g, c, &k);
      plan_deterministic(g, c, &k);
    }
  }
}

static void judge_cells(struct grid *g) {
  for (size_t i = g->first; i < g->cells.count; i++) {
    const struct cell *c = &g->cells.data[i];
    if (c->use == DEFAULTS) {
      judge_defaults(g, c);
      continue;
    }
    judge(g, c);
    g->several += c->found.threads > 1;
    if (c->use == DETERMINISTIC) judge_twin(g, c);
  }
}

// ---------------------------------------------------------------------------------------------

static void split_words(pool_arguments *words, char *line) {
  for (char *w = strtok(line, " \t\n"); w != NULL; w = strtok(NULL, " \t\n"))
    VEC_PUSH(words, mem_strdup(w));
}

static void read_settings(struct grid *g) {
  char *line = NULL;
  size_t capacity = 0;
  while (getline(&line, &capacity, stdin) > 0) {
    struct setting s = {0};
    split_words(&s.words, line);
    if (s.words.count > 0) VEC_PUSH(&g->settings, s);
  }
  free(line);
}

static void read_axis(struct axis *a, char *list) {
  a->count = 0;
  for (char *w = strtok(list, ","); w != NULL && a->count < AXIS_MAX; w = strtok(NULL, ","))
    a->values[a->count++] = w;
}

static int usage(const char *me) {
  fprintf(stderr,
          "usage: %s FATHOM [--stores LIST] [--threads LIST] [--searches LIST] [--rounds N]\n"
          "       [--limit STATES] [--options WORDS] <settings\n"
          "--rounds: every cell so often. --limit: settings of more states run a cross-section.\n",
          me);
  return 1;
}

static bool read_option(struct grid *g, const char *name, char *value) {
  if (is(name, "--stores"))
    read_axis(&g->stores, value);
  else if (is(name, "--threads"))
    read_axis(&g->threads, value);
  else if (is(name, "--searches"))
    read_axis(&g->searches, value);
  else if (is(name, "--rounds"))
    g->rounds = (unsigned)strtoul(value, NULL, 10);
  else if (is(name, "--limit"))
    g->limit = strtoll(value, NULL, 10);
  else if (is(name, "--options"))
    split_words(&g->options, value);
  else
    return false;
  return true;
}

static void clear(struct grid *g) {
  for (size_t i = 0; i < g->settings.count; i++) {
    struct setting *s = &g->settings.data[i];
    for (size_t k = 0; k < s->words.count; k++) mem_free(s->words.data[k]);
    VEC_CLEAR(&s->words);
  }
  for (size_t i = 0; i < g->cells.count; i++) facts_clear(&g->cells.data[i].found);
  for (size_t i = 0; i < g->options.count; i++) mem_free(g->options.data[i]);
  VEC_CLEAR(&g->settings);
  VEC_CLEAR(&g->cells);
  VEC_CLEAR(&g->options);
}

static void summary(const struct grid *g) {
  printf("grid: %zu settings (%zu without symmetry), %zu cells (%zu by several threads), %zu "
         "failures\n",
         g->settings.count, g->asymmetric, g->cells.count, g->several, g->failures);
  if (g->left_out > 0)
    printf("left out: %zu cells of %zu settings over %" PRId64 " states\n", g->left_out, g->large,
           g->limit);
  if (g->lossy_misses > 0) printf("bitstate left states out in %zu cells\n", g->lossy_misses);
}

int main(int argc, char **argv) {
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  struct grid g = {.stores = {{"exact", "tree", "fingerprint", "bitstate"}, 4},
                   .threads = {{"1", "2", "4"}, 3},
                   .searches = {{"bfs", "dfs", "bounded"}, 3},
                   .jobs = cores > 0 ? (unsigned)cores : 1,
                   .rounds = 1,
                   .limit = INT64_MAX};
  if (argc < 2 || argc % 2 != 0) return usage(argv[0]);
  g.fathom = argv[1];
  for (int i = 2; i < argc; i += 2)
    if (!read_option(&g, argv[i], argv[i + 1])) return usage(argv[0]);
  read_settings(&g);
  plan_references(&g);
  run_cells(&g);
  for (size_t i = 0; i < g.settings.count; i++) judge_setting(&g, &g.settings.data[i]);
  g.first = g.cells.count;
  plan_cells(&g);
  run_cells(&g);
  judge_cells(&g);
  summary(&g);
  // Threads that never take part are not tested.
  bool failed = g.failures > 0 || g.settings.count == 0 || (g.threads.count > 1 && g.several == 0);
  clear(&g);
  return failed;
}
