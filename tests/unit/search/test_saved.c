// SPDX-License-Identifier: Apache-2.0
// A bounded search that is stopped, saved, taken up again, and stopped again, as often as it takes:
// it ends as if it had never been stopped. And whatever happens to the file in between, there is a
// sentence for it.
#include "graph.h"

#include "search/saved_file.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#ifdef FATHOM_SMALL
enum { ROUNDS = 40, FLIPS = 2000, SIDE = 7 };
#else
enum { ROUNDS = 120, FLIPS = 20000, SIDE = 11 };
#endif
enum { STATES = SIDE * SIDE * SIDE, PARTS_MAX = 12, PATH_BYTES = 4096 };

// --- models ---

// Three numbers that go up, with ways back and short ways, and what is computed from them to make
// the state longer. Says in `bad` which sum must not be reached.
static const char model_text[] =
    "model \"sums\" language \"ir\";\n"
    "deadlock off;\n"
    "var a : 0..%d;\nvar b : 0..%d;\nvar c : 0..%d;\n"
    "var p : 0..1000000000;\nvar q : 0..1000000000;\nvar r : 0..1000000000;\n"
    "start \"zero\" {\n  a := 0;\n  b := 0;\n  c := 0;\n  p := 0;\n  q := 0;\n  r := 0;\n}\n"
    "rule \"a\"\n  when a < %d\n{\n  a := a + 1;\n  p := a * 1000003;\n}\n"
    "rule \"b\"\n  when b < %d\n{\n  b := b + 1;\n  q := b * 70001;\n}\n"
    "rule \"c\"\n  when c < %d\n{\n  c := c + 1;\n  r := c * 3001;\n}\n"
    "rule \"back\"\n  when a = %d\n{\n  a := 0;\n  p := 0;\n}\n"
    "rule \"short\"\n  when a = 2 & b = 3\n{\n  c := %d;\n  r := %d * 3001;\n}\n"
    "invariant \"sum\" : a + b + c != %d;\n"
    "cover \"corner\" : a + b + c = %d;\n";

// There is one way only to each of so many states: who forgets one of them misses all behind it.
static const char tree_text[] = "model \"tree\" language \"ir\";\n"
                                "deadlock off;\n"
                                "var x : 1..%d;\n"
                                "start \"root\" {\n  x := 1;\n}\n"
                                "rule \"left\"\n  when 2 * x <= %d\n{\n  x := 2 * x;\n}\n"
                                "rule \"right\"\n  when 2 * x + 1 <= %d\n{\n  x := 2 * x + 1;\n}\n"
                                "cover \"last\" : x = %d;\n";

static struct ir_model *parse(struct text *t) {
  struct diag d = {0};
  struct ir_model *m = ir_parse_model(source_from_text("model", t->data, t->count), &d);
  if (!m) diag_print(&d, stderr, false);
  assert_non_null(m);
  diag_clear(&d);
  text_clear(t);
  return m;
}

static struct ir_model *model_new(int side, int bad) {
  struct text t = {0};
  int n = side - 1;
  text_printf(&t, model_text, n, n, n, n, n, n, n, n, n, bad, 3 * n);
  return parse(&t);
}

static struct ir_model *tree_new(int nodes) {
  struct text t = {0};
  text_printf(&t, tree_text, nodes, nodes, nodes, nodes);
  return parse(&t);
}

static int good(int side) { return 3 * side; } // a sum that cannot be reached

// --- a place for files ---

static char folder[64];

// In memory if possible: on some disks it takes long until a file is safe.
static int set_up(void **context) {
  (void)context;
  strcpy(folder, "/dev/shm/fathom-saved-XXXXXX");
  if (mkdtemp(folder)) return 0;
  strcpy(folder, "/tmp/fathom-saved-XXXXXX");
  return mkdtemp(folder) ? 0 : -1;
}

static const char *path_of(const char *name) {
  static char path[PATH_BYTES];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

// How many files there are.
static int files(void) {
  int count = 0;
  DIR *d = opendir(folder);
  for (struct dirent *e; (e = readdir(d)) != NULL;) count += e->d_name[0] != '.';
  closedir(d);
  return count;
}

static int tear_down(void **context) {
  (void)context;
  char path[PATH_BYTES];
  DIR *d = opendir(folder);
  for (struct dirent *e; (e = readdir(d)) != NULL;) {
    snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    unlink(path);
  }
  closedir(d);
  return rmdir(folder);
}

struct bytes {
  unsigned char *data;
  size_t count;
};

static struct bytes read_file(const char *path) {
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  fseek(f, 0, SEEK_END);
  struct bytes b = {.count = (size_t)ftell(f)};
  b.data = mem_alloc(b.count + 1);
  rewind(f);
  assert_int_equal(fread(b.data, 1, b.count, f), b.count);
  fclose(f);
  return b;
}

static void write_file(const char *path, const void *data, size_t count) {
  FILE *f = fopen(path, "wb");
  assert_non_null(f);
  assert_int_equal(fwrite(data, 1, count, f), count);
  fclose(f);
}

// --- searching ---

static void run(struct ir_model *m, struct search_config c, struct result *r) {
  struct graph g = {.model = m};
  c.started = clock_seconds();
  graph_search(&g, "bounded", c, r);
}

static struct search_config config_of(const char *store, enum search_frontier frontier,
                                      unsigned threads) {
  struct search_config c = graph_config();
  c.store = store;
  c.frontier = frontier;
  c.threads = threads;
  c.increment = 4;
  c.meaning = "whole";
  return c;
}

static struct saved *open_for(struct ir_model *m, const char *path, struct search_config c) {
  struct text why = {0};
  c.model = m;
  struct saved *f = saved_open(path, &c, &why);
  if (!f) print_error("%s\n", text_str(&why));
  assert_non_null(f);
  assert_int_equal(why.count, 0);
  return f;
}

// The same as if it had never been stopped; but for depths, which depend on the increments.
static void expect_same(const struct result *r, const struct result *whole) {
  assert_int_equal(r->verdict, whole->verdict);
  assert_int_equal(r->stats.states, whole->stats.states);
  assert_int_equal(r->stats.transitions, whole->stats.transitions);
  assert_int_equal(r->frontier, whole->frontier);
  assert_int_equal(r->properties.count, whole->properties.count);
  for (size_t i = 0; i < r->properties.count; i++)
    assert_int_equal(r->properties.data[i].verdict, whole->properties.data[i].verdict);
}

// Limits that a search is stopped by and that are then raised.
typedef void limit_function(struct search_config *c, struct rng *r);

static void limit_states(struct search_config *c, struct rng *r) {
  c->budget.states_max += 1 + rng_below(r, STATES / 4);
}

static void limit_depth(struct search_config *c, struct rng *r) {
  c->budget.depth_max += 1 + rng_below(r, 9);
}

static timer_t timer; // interrupts, as Ctrl-C does
static bool timer_set;
static double whole_seconds; // that the search takes if it is not stopped

static void limit_moment(struct search_config *c, struct rng *r) {
  (void)c;
  uint64_t most = whole_seconds < 1 ? 1 + (uint64_t)(whole_seconds * 0.7e9) : 700000000;
  struct itimerspec t = {.it_value.tv_nsec = 1 + (long)rng_below(r, most)};
  timer_settime(timer, 0, &t, NULL);
}

static void end_moment(void) {
  struct itimerspec never = {0};
  if (timer_set) timer_settime(timer, 0, &never, NULL);
  interrupt_clear();
}

// Searches until it is not stopped any more; whatever may change from one time to the next does.
static unsigned run_in_parts(struct ir_model *m, struct search_config c, limit_function *limit,
                             struct rng *rng, struct result *r) {
  unsigned threads = c.threads;
  for (unsigned parts = 1;; parts++) {
    const char *path = path_of("parts");
    c.save_path = path;
    c.threads = 1 + (unsigned)rng_below(rng, threads);
    c.increment = 1 + rng_below(rng, 3 * SIDE);
    if (parts < PARTS_MAX)
      limit(&c, rng);
    else
      c.budget = (struct budget){0};
    run(m, c, r);
    end_moment();
    if (c.resume) saved_close((struct saved *)c.resume);
    if (r->verdict == VERDICT_VIOLATED) return parts;
    if (r->save_problem) fail_msg("%s", r->save_problem);
    if (!r->saved) return parts;
    assert_int_equal(r->verdict, VERDICT_UNKNOWN);
    assert_true(files() == 1);
    c.resume = open_for(m, path, c);
    assert_int_equal(saved_depth(c.resume), r->depth_complete);
    result_clear(r);
  }
}

static const char *const stores[] = {"exact", "tree", "fingerprint"};

static void random_config(struct search_config *c, struct rng *r) {
  *c = config_of(stores[rng_below(r, 3)], (enum search_frontier)rng_below(r, 3), 1);
  c->bounding = (enum search_bounding)rng_below(r, 2);
  if (rng_below(r, 2)) c->threads = 4;
  if (rng_below(r, 3) == 0) c->hash_bits = 96;
}

static void check_parts(struct ir_model *m, uint64_t states, limit_function *limit, uint64_t seed) {
  struct rng r;
  rng_init(&r, seed);
  unsigned stops = 0;
  for (int round = 0; round < ROUNDS; round++) {
    struct search_config c;
    struct result whole, parts;
    random_config(&c, &r);
    run(m, c, &whole);
    whole_seconds = whole.stats.seconds;
    assert_int_equal(whole.stats.states, states);
    stops += run_in_parts(m, c, limit, &r, &parts) - 1;
    expect_same(&parts, &whole);
    result_clear(&whole);
    result_clear(&parts);
    unlink(path_of("parts"));
  }
  assert_true(stops > 0);
  ir_model_free(m);
}

static void check_both(limit_function *limit) {
  check_parts(model_new(SIDE, good(SIDE)), STATES, limit, 1);
  check_parts(tree_new(STATES), STATES, limit, 2);
}

static void test_full(void **context) {
  (void)context;
  check_both(limit_states);
}

static void test_deeper(void **context) {
  (void)context;
  check_both(limit_depth);
}

static void test_interrupted(void **context) {
  (void)context;
  interrupt_install();
  struct sigevent interrupt = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGINT};
  timer_set = timer_create(CLOCK_MONOTONIC, &interrupt, &timer) == 0;
  if (!timer_set) skip();
  check_both(limit_moment);
  timer_delete(timer);
  timer_set = false;
}

// What is wrong is found behind the place where it was stopped, by a trace from the start.
static void test_violation_behind(void **context) {
  (void)context;
  struct rng r;
  rng_init(&r, 4);
  for (int round = 0; round < ROUNDS / 2; round++) {
    int bad = 3 + (int)rng_below(&r, 2 * SIDE);
    struct ir_model *m = model_new(SIDE, bad);
    struct search_config c;
    struct result parts;
    random_config(&c, &r);
    run_in_parts(m, c, round % 2 ? limit_states : limit_depth, &r, &parts);
    assert_int_equal(parts.verdict, VERDICT_VIOLATED);
    assert_int_equal(parts.traces.count, 1);
    assert_true(parts.traces.data[0].steps.count > 0);
    result_clear(&parts);
    unlink(path_of("parts"));
    ir_model_free(m);
  }
}

// --- what is refused ---

// A search that was stopped, in a file.
static void save(struct ir_model *m, const char *path, struct search_config c, uint64_t states) {
  struct result r;
  c.save_path = path;
  c.budget.states_max = states;
  run(m, c, &r);
  if (r.save_problem) fail_msg("%s", r.save_problem);
  assert_true(r.saved);
  result_clear(&r);
}

// The sentence, which is that of the next call no more.
static const char *refusal(struct ir_model *m, const char *path, struct search_config c) {
  static char sentence[1000];
  struct text why = {0};
  c.model = m;
  assert_null(saved_open(path, &c, &why));
  assert_true(why.count > 10);
  snprintf(sentence, sizeof sentence, "%s", text_str(&why));
  text_clear(&why);
  return sentence;
}

static void expect_refusal(struct ir_model *m, const char *path, struct search_config c,
                           const char *part) {
  const char *sentence = refusal(m, path, c);
  if (!strstr(sentence, part)) fail_msg("\"%s\" does not say \"%s\"", sentence, part);
}

static void test_other_settings(void **context) {
  (void)context;
  struct ir_model *m = model_new(5, good(5)), *other = model_new(5, 3);
  char path[PATH_BYTES];
  strcpy(path, path_of("settings"));
  struct search_config c = config_of("exact", FRONTIER_TREE, 1), d = c;
  save(m, path, c, 60);
  saved_close(open_for(m, path, c));
  expect_refusal(other, path, c, "the model has changed since");
  d.store = "tree";
  expect_refusal(m, path, d, "--store exact, and now it is --store tree");
  d = c;
  d.bounding = BOUNDING_DEPTH;
  expect_refusal(m, path, d, "--bounding threshold, and now it is --bounding depth");
  d = c;
  d.frontier = FRONTIER_STATES;
  expect_refusal(m, path, d, "--frontier tree, and now it is --frontier states");
  d = c;
  d.meaning = NULL;
  expect_refusal(m, path, d, "saved with whole");
  c.store = d.store = "fingerprint";
  d.meaning = c.meaning;
  save(m, path, c, 60);
  d.hash_bits = 64; // as it is when nothing is said
  saved_close(open_for(m, path, d));
  d.hash_bits = 100;
  expect_refusal(m, path, d, "--hash-bits 64, and now it is --hash-bits 100");
  ir_model_free(m);
  ir_model_free(other);
}

static void test_not_such_a_file(void **context) {
  (void)context;
  struct ir_model *m = model_new(3, good(3));
  struct search_config c = config_of("exact", FRONTIER_TREE, 1);
  expect_refusal(m, path_of("none"), c, "no such file");
  expect_refusal(m, path_of("none/none"), c, "no such file");
  expect_refusal(m, folder, c, "not a file");
  expect_refusal(m, "/dev/zero", c, "not a file");
  write_file(path_of("empty"), "", 0);
  expect_refusal(m, path_of("empty"), c, "not a saved search");
  write_file(path_of("model"), model_text, sizeof model_text);
  expect_refusal(m, path_of("model"), c, "not a saved search");
  ir_model_free(m);
}

// The checksum of files that are not long.
static void set_sum(struct bytes *b) {
  assert_true(b->count < 65536 + 8);
  uint64_t sum = hash_bytes(b->data, b->count - 8, 0);
  for (size_t i = 0; i < 8; i++) b->data[b->count - 8 + i] = (unsigned char)(sum >> 8 * i);
}

static void test_other_version(void **context) {
  (void)context;
  struct ir_model *m = model_new(4, good(4));
  struct search_config c = config_of("exact", FRONTIER_TREE, 1);
  char path[PATH_BYTES];
  strcpy(path, path_of("version"));
  save(m, path, c, 30);
  struct bytes b = read_file(path);
  b.data[8]++;
  set_sum(&b);
  write_file(path, b.data, b.count);
  expect_refusal(m, path, c, "another version");
  mem_free(b.data);
  ir_model_free(m);
}

static void test_cut_short(void **context) {
  (void)context;
  struct ir_model *m = model_new(4, good(4));
  char path[PATH_BYTES];
  strcpy(path, path_of("cut"));
  for (int kind = 0; kind < 3; kind++) {
    struct search_config c = config_of(stores[kind], (enum search_frontier)kind, 1);
    save(m, path, c, 30);
    struct bytes b = read_file(path);
    for (size_t count = 1; count < b.count; count++) {
      write_file(path, b.data, count);
      expect_refusal(m, path, c, "damaged");
    }
    // Cut short and made to look whole.
    for (size_t count = 16; count < b.count; count++) {
      struct bytes part = {b.data, count};
      unsigned char last[8];
      memcpy(last, b.data + count - 8, 8);
      set_sum(&part);
      write_file(path, b.data, count);
      expect_refusal(m, path, c, "damaged");
      memcpy(b.data + count - 8, last, 8);
    }
    mem_free(b.data);
  }
  ir_model_free(m);
}

static void test_flipped_bits(void **context) {
  (void)context;
  struct rng r;
  rng_init(&r, 6);
  struct ir_model *m = model_new(5, good(5));
  struct search_config c = config_of("tree", FRONTIER_STATES, 1);
  char path[PATH_BYTES];
  strcpy(path, path_of("flipped"));
  save(m, path, c, 80);
  struct bytes b = read_file(path);
  for (int i = 0; i < FLIPS; i++) {
    size_t bit = (size_t)rng_below(&r, b.count * 8);
    b.data[bit / 8] ^= (unsigned char)(1u << bit % 8);
    write_file(path, b.data, b.count);
    refusal(m, path, c);
    b.data[bit / 8] ^= (unsigned char)(1u << bit % 8);
  }
  mem_free(b.data);
  ir_model_free(m);
}

// Bytes that are not as they were under a checksum that is right: a sentence, or a file whose parts
// fit each other. Numbers are made huge now and then.
static void test_wrong_bytes(void **context) {
  (void)context;
  struct rng r;
  rng_init(&r, 7);
  struct ir_model *m = model_new(5, good(5));
  char path[PATH_BYTES];
  strcpy(path, path_of("wrong"));
  for (int kind = 0; kind < 3; kind++) {
    struct search_config c = config_of(stores[kind], (enum search_frontier)kind, 1);
    save(m, path, c, 80);
    struct bytes b = read_file(path);
    unsigned char *copy = mem_alloc(b.count);
    memcpy(copy, b.data, b.count);
    for (int i = 0; i < FLIPS / 4; i++) {
      size_t at = 8 + (size_t)rng_below(&r, b.count - 16), count = 1 + (size_t)rng_below(&r, 8);
      for (size_t k = at; k < at + count && k < b.count; k++)
        b.data[k] = i % 3 ? (unsigned char)rng_next(&r) : 0xff;
      set_sum(&b);
      write_file(path, b.data, b.count);
      struct text why = {0};
      c.model = m;
      struct saved *f = saved_open(path, &c, &why);
      assert_true(f ? why.count == 0 : why.count > 10);
      if (f) saved_close(f);
      text_clear(&why);
      memcpy(b.data, copy, b.count);
    }
    mem_free(copy);
    mem_free(b.data);
  }
  ir_model_free(m);
}

// --- writing ---

static char *problem(struct ir_model *m, const char *path) {
  struct search_config c = config_of("exact", FRONTIER_TREE, 1);
  struct result r;
  c.save_path = path;
  c.budget.states_max = 30;
  run(m, c, &r);
  assert_false(r.saved);
  assert_non_null(r.save_problem);
  char *sentence = mem_strdup(r.save_problem);
  result_clear(&r);
  return sentence;
}

static void expect_problem(struct ir_model *m, const char *path, const char *part) {
  char *sentence = problem(m, path);
  if (!strstr(sentence, part)) fail_msg("\"%s\" does not say \"%s\"", sentence, part);
  mem_free(sentence);
}

static void test_cannot_be_written(void **context) {
  (void)context;
  struct ir_model *m = model_new(4, good(4));
  int before = files();
  expect_problem(m, path_of("none/saved"), "No such file");
  expect_problem(m, folder, "not a file");
  expect_problem(m, "/dev/null", "not a file");
  expect_problem(m, "/proc/saved", "no file can be made there");
  assert_int_equal(files(), before);
  ir_model_free(m);
}

// What was there before is there still, and nothing else.
static void expect_old(const char *path, int count) {
  struct bytes b = read_file(path);
  assert_int_equal(b.count, 3);
  assert_memory_equal(b.data, "old", 3);
  mem_free(b.data);
  assert_int_equal(files(), count);
}

static void test_cannot_be_finished(void **context) {
  (void)context;
  struct ir_model *m = model_new(4, good(4));
  char path[PATH_BYTES], temporary[PATH_BYTES + 40];
  strcpy(path, path_of("full"));
  write_file(path, "old", 3);
  // No room on the disk.
  struct rlimit all, few;
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &all), 0);
  few = all;
  few.rlim_cur = 700;
  signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &few);
  expect_problem(m, path, "it could not be written");
  setrlimit(RLIMIT_FSIZE, &all);
  expect_old(path, 1);
  // A folder in the way of the file that is to be made.
  snprintf(temporary, sizeof temporary, "%s.%ld.tmp", path, (long)getpid());
  assert_int_equal(mkdir(temporary, 0700), 0);
  expect_problem(m, path, "no file can be made there");
  expect_old(path, 2);
  assert_int_equal(rmdir(temporary), 0);
  ir_model_free(m);
}

static void test_replaces(void **context) {
  (void)context;
  struct ir_model *m = model_new(4, good(4));
  struct search_config c = config_of("exact", FRONTIER_TREE, 1);
  char path[PATH_BYTES], link[PATH_BYTES];
  strcpy(path, path_of("replaced"));
  strcpy(link, path_of("link"));
  write_file(path, "old", 3);
  assert_int_equal(symlink("replaced", link), 0);
  int before = files();
  save(m, path, c, 20);
  struct saved *first = open_for(m, path, c);
  save(m, link, c, 40); // while somebody still has the first one open
  assert_int_equal(files(), before);
  struct stat s;
  assert_int_equal(lstat(link, &s), 0);
  assert_true(S_ISLNK(s.st_mode));
  struct saved *second = open_for(m, path, c);
  for (int i = 0; i < 2; i++) { // both can be gone on from
    struct result r;
    c.resume = i ? second : first;
    run(m, c, &r);
    assert_int_equal(r.stats.states, 64);
    assert_int_equal(r.verdict, VERDICT_HOLDS);
    result_clear(&r);
  }
  saved_close(first);
  saved_close(second);
  ir_model_free(m);
}

// --- going on ---

static void test_no_room(void **context) {
  (void)context;
  struct ir_model *m = model_new(5, good(5));
  struct search_config c = config_of("exact", FRONTIER_TREE, 1);
  char path[PATH_BYTES];
  strcpy(path, path_of("room"));
  save(m, path, c, 80);
  struct saved *f = open_for(m, path, c);
  struct result r;
  c.resume = f;
  c.save_path = path;
  c.budget.states_max = 50;
  run(m, c, &r);
  assert_int_equal(r.verdict, VERDICT_UNKNOWN);
  assert_string_equal(r.reason, "states");
  assert_int_equal(r.stats.states, 50);
  assert_int_equal(r.frontier, 50);
  // It is not lost for that.
  assert_false(r.saved);
  assert_non_null(r.save_problem);
  saved_close(open_for(m, path, c));
  result_clear(&r);
  saved_close(f);
  ir_model_free(m);
}

// The file is spoilt between opening it and going on from it.
static void test_spoilt_meanwhile(void **context) {
  (void)context;
  struct ir_model *m = model_new(5, good(5));
  struct search_config c = config_of("exact", FRONTIER_TREE, 1);
  char path[PATH_BYTES];
  strcpy(path, path_of("spoilt"));
  save(m, path, c, 80);
  struct saved *f = open_for(m, path, c);
  assert_int_equal(truncate(path, 300), 0);
  struct result r;
  c.resume = f;
  run(m, c, &r);
  assert_int_equal(r.verdict, VERDICT_UNKNOWN);
  assert_string_equal(r.reason, "the saved search cannot be read any more");
  result_clear(&r);
  saved_close(f);
  ir_model_free(m);
}

// Longer than a block of the file.
static void test_long_file(void **context) {
  (void)context;
  enum { MANY = 24 };
  struct ir_model *m = model_new(MANY, good(MANY));
  char path[PATH_BYTES];
  strcpy(path, path_of("long"));
  for (int kind = 0; kind < 3; kind++) {
    struct search_config c = config_of(stores[kind], (enum search_frontier)kind, 2);
    save(m, path, c, MANY * MANY * MANY - 1000);
    struct stat s;
    assert_int_equal(stat(path, &s), 0);
    assert_true(s.st_size > 2 * 65536);
    struct saved *f = open_for(m, path, c);
    struct result r;
    c.resume = f;
    run(m, c, &r);
    assert_int_equal(r.stats.states, MANY * MANY * MANY);
    result_clear(&r);
    saved_close(f);
  }
  ir_model_free(m);
}

// Changes a few words, or all, or none.
static void change(uint64_t *key, size_t words, struct rng *r) {
  uint64_t count = rng_below(r, 4) ? rng_below(r, 4) : 2 * words;
  while (count-- > 0) key[rng_below(r, words)] ^= rng_next(r) << rng_below(r, 64);
}

static void check_keys(size_t words, struct rng *r) {
  enum { KEYS = 100 };
  char path[PATH_BYTES];
  struct text why = {0};
  struct saved_out out;
  struct saved_in in;
  uint64_t *keys = mem_zalloc((KEYS + 1) * words, sizeof *keys), *last;
  strcpy(path, path_of("keys"));
  last = mem_zalloc(words, sizeof *last);
  assert_true(saved_out_open(&out, path, &why));
  for (size_t i = 0; i < KEYS; i++) {
    if (i > 0) memcpy(keys + i * words, keys + (i - 1) * words, words * sizeof *keys);
    change(keys + i * words, words, r);
    saved_put_key(&out, keys + i * words, last, words);
  }
  assert_true(saved_out_commit(&out, &why));
  saved_out_close(&out);
  assert_true(saved_in_open(&in, path, &why));
  memset(last, 0, words * sizeof *last);
  for (size_t i = 0; i < KEYS; i++) {
    saved_get_key(&in, last, words);
    assert_memory_equal(last, keys + i * words, words * sizeof *last);
  }
  assert_true(!in.failed && in.at == in.end);
  saved_get_key(&in, last, words); // there is none
  assert_true(in.failed);
  saved_in_close(&in);
  mem_free(keys);
  mem_free(last);
}

static void test_keys(void **context) {
  (void)context;
  static const size_t words[] = {1, 2, 3, 17, 254, 255, 256, 257, 509, 510, 511, 700};
  struct rng r;
  rng_init(&r, 8);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) check_keys(words[i], &r);
}

// --stats goes on counting.
static void test_survey(void **context) {
  (void)context;
  struct ir_model *m = model_new(5, good(5));
  struct search_config c = config_of("exact", FRONTIER_TREE, 1);
  struct result whole, r;
  char path[PATH_BYTES];
  strcpy(path, path_of("survey"));
  c.survey = true;
  run(m, c, &whole);
  save(m, path, c, 80);
  struct saved *f = open_for(m, path, c);
  c.resume = f;
  run(m, c, &r);
  uint64_t rules = m->rules.count;
  assert_memory_equal(r.survey.fired, whole.survey.fired, rules * sizeof *r.survey.fired);
  for (uint64_t i = 0, fresh = 0; i < rules; i++) {
    fresh += r.survey.fresh[i];
    if (i + 1 == rules) assert_int_equal(fresh, 5 * 5 * 5 - 1);
  }
  assert_int_equal(r.survey.sampled, whole.survey.sampled);
  result_clear(&whole);
  result_clear(&r);
  saved_close(f);
  ir_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_full, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_deeper, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_interrupted, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_violation_behind, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_other_settings, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_not_such_a_file, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_other_version, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_cut_short, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_flipped_bits, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_wrong_bytes, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_cannot_be_written, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_cannot_be_finished, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_replaces, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_no_room, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_spoilt_meanwhile, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_long_file, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_keys, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_survey, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
