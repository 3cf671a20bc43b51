// SPDX-License-Identifier: Apache-2.0
// The grid: every setting (a line of standard input: the arguments of `fathom check`) through all
// stores x threads x search orders x symmetry on and off, and engines that reason. The first cell
// of a setting (exact, one thread, breadth-first, no symmetry) is what the others are held to; that
// it is right, the tests of models and the oracles say. docs/testing.md tells what must be the
// same.
#include "grid.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CELL_SECONDS_MAX 120

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
  bool axed = c->use != DEFAULTS && c->use != SYMBOLIC && c->use != REASONED;
  for (size_t k = 0; k < sizeof axes / sizeof *axes && axed; k++) VEC_PUSH(args, (char *)axes[k]);
  const char *const symbolic[] = {"--engine", "bdd", "--cone", "off", "--time", g->symbolic};
  for (size_t k = 0; k < sizeof symbolic / sizeof *symbolic && c->use == SYMBOLIC; k++)
    VEC_PUSH(args, (char *)symbolic[k]);
  for (size_t k = 0; c->use == REASONED && c->words[k]; k++) VEC_PUSH(args, (char *)c->words[k]);
  if (c->use == REASONED) VEC_PUSH(args, "--time");
  if (c->use == REASONED) VEC_PUSH(args, (char *)g->symbolic);
  if (c->reorder) VEC_PUSH(args, "--reorder-every");
  if (c->reorder) VEC_PUSH(args, (char *)c->reorder);
  for (size_t k = 0; k < sizeof bounded / sizeof *bounded && c->increment; k++)
    VEC_PUSH(args, (char *)bounded[k]);
  if (c->use == DETERMINISTIC) VEC_PUSH(args, "--deterministic");
  if (c->por) VEC_PUSH(args, "--por");
  if (c->por) VEC_PUSH(args, (char *)c->por);
  for (size_t k = 0; k < s->words.count; k++) VEC_PUSH(args, s->words.data[k]);
}

void grid_complain(struct grid *g, const struct cell *c, const char *format, ...) {
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

static int status_of(const char *verdict) {
  return is(verdict, "holds") ? 0 : is(verdict, "violated") ? 10 : 5;
}

static void cell_done(void *context, size_t i, const struct pool_outcome *o) {
  struct grid *g = context;
  struct cell *c = &g->cells.data[g->first + i];
  bool read = facts_read(&c->found, &o->out);
  c->found.status = o->status;
  if (refuses(c, o->status) || (read && o->status == status_of(c->found.verdict))) return;
  grid_complain(g, c, "exit status %d%s", o->status, read ? "" : ", and no result");
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
  fprintf(
      stderr,
      "usage: %s FATHOM [--stores LIST] [--threads LIST] [--searches LIST] [--rounds N]\n"
      "       [--limit STATES] [--symbolic SECONDS [--reorder N] [--reasoned all|one]]\n"
      "       [--options WORDS] <settings\n"
      "--rounds: every cell so often. --limit: settings of more states run a cross-section.\n"
      "--symbolic: a cell of --engine bdd, too, for at most so long; --reorder: another one that\n"
      "reorders after every N operations; --reasoned: all cells of guided searches and of\n"
      "--engine bmc, or one of them, in turn (one).\n",
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
  else if (is(name, "--symbolic"))
    g->symbolic = value;
  else if (is(name, "--reorder"))
    g->reorder = value;
  else if (is(name, "--reasoned"))
    g->reasoned = is(value, "all");
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
  printf(
      "grid: %zu settings (%zu without symmetry), %zu cells (%zu by several threads, %zu reduced, "
      "%zu of cycles), %zu failures\n",
      g->settings.count, g->asymmetric, g->cells.count, g->several, g->reduced, g->cycles,
      g->failures);
  if (g->symbolic != NULL)
    printf("engines that reason: %zu cells, %zu more left out: not for them, or not in %s s\n",
           g->symbolic_cells, g->symbolic_left, g->symbolic);
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
  bool failed = g.failures > 0 || g.settings.count == 0 ||
                (g.threads.count > 1 && g.several == 0) ||
                (g.symbolic != NULL && g.symbolic_cells == 0);
  clear(&g);
  return failed;
}
