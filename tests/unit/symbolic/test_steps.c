// SPDX-License-Identifier: Apache-2.0
// Steps as diagrams against the interpreter: on random models, and on small ones in files, the
// image of every reachable state is just the set of its successors. And steps by what they change,
// where that pays, against the whole ones.
#include "front/murphi/murphi.h"
#include "front/smv/smv.h"
#include "ir/eval.h"
#include "random/generate.h"
#include "symbolic/split.h"
#include "symbolic/steps.h"
#include "sys/sys.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
// cmocka wants those above
#include <cmocka.h>

#define STATES_MAX 25

struct walk {
  const struct ir_model *m;
  const char *name;
  struct sys *sys;
  struct sys_out out;
  struct relation *relation;
  struct space *space;
  struct steps *steps;
  dd failing, enabled;
  dd seen;             // states of the queue
  VEC(uint64_t) queue; // states, one after the other
};

static void differ(const struct walk *w, const char *what) { fail_msg("%s: %s", w->name, what); }

// The states among successors, as a diagram; *fails: one step fails.
static dd states_of(struct walk *w, bool *fails) {
  dd set = dd_false();
  *fails = false;
  for (size_t i = 0; i < w->out.count; i++) {
    if (w->out.steps[i].site)
      *fails = true;
    else
      dd_or_to(&set, space_state(w->space, w->out.words + i * w->out.words_per_state));
  }
  return set;
}

static void enqueue(struct walk *w) {
  size_t words = w->m->layout->words;
  for (size_t i = 0; i < w->out.count; i++) {
    const uint64_t *state = w->out.words + i * w->out.words_per_state;
    if (w->out.steps[i].site || w->queue.count / words >= STATES_MAX) continue;
    dd one = space_state(w->space, state);
    if (!dd_implies(one, w->seen)) {
      for (size_t k = 0; k < words; k++) VEC_PUSH(&w->queue, state[k]);
      dd_or_to(&w->seen, dd_copy(one));
    }
    dd_drop(one);
  }
}

// A step that is found is one: the interpreter takes it, to the state told.
static void check_found(struct walk *w, const struct steps_found *f, const uint64_t *from,
                        dd reached) {
  int64_t params[64];
  const struct ir_rule *r = ir_instance(w->m, !from, f->instance, params);
  struct ir_eval *eval = ir_eval_new(w->m);
  uint64_t *state = mem_zalloc(w->m->layout->words, sizeof(*state));
  if (from) {
    memcpy(state, from, w->m->layout->words * sizeof(*state));
    if (ir_eval_guard(eval, r, params, f->choices, state) != IR_OK) differ(w, "guard of a find");
  }
  if (ir_eval_body(eval, r, params, f->choices, state) != IR_OK) differ(w, "body of a find");
  dd there = space_state(w->space, state);
  if (there != reached) differ(w, "state of a find");
  dd_drop(there);
  mem_free(state);
  ir_eval_free(eval);
}

static void check_finds(struct walk *w, const uint64_t *state, dd from, dd successors) {
  int64_t choices[256];
  struct steps_found f = {.choices = choices};
  dd reached = dd_false();
  bool found = steps_find(w->steps, from, successors, STEPS_ANY, &f, &reached);
  if (found != !dd_is_false(successors)) differ(w, "a find");
  if (found) {
    if (!dd_implies(reached, successors)) differ(w, "find outside");
    check_found(w, &f, state, reached);
  }
  dd_drop(reached);
}

static void check_covers(struct walk *w, dd from) {
  uint64_t bits[4] = {0};
  if (w->m->properties.count >= 256) return;
  steps_covers(w->steps, from, bits);
  for (size_t i = 0; i <= w->m->properties.count / 64; i++)
    if (bits[i] != w->out.covers[i]) differ(w, "covers");
}

static void check_state(struct walk *w, const uint64_t *state) {
  sys_out_reset(&w->out);
  memset(w->out.covers, 0, (w->m->properties.count / 64 + 1) * sizeof(*w->out.covers));
  w->sys->expand(w->sys, state, &w->out);
  bool fails;
  dd from = space_state(w->space, state), want = states_of(w, &fails);
  dd image = steps_image(w->steps, from);
  if (image != want) differ(w, dd_implies(image, want) ? "successors are missing" : "too many");
  if (dd_implies(from, w->failing) != fails) differ(w, fails ? "does not fail" : "fails");
  if (dd_implies(from, w->enabled) != !dd_is_false(want)) differ(w, "enabled");
  dd preimage = steps_preimage(w->steps, want);
  if (!dd_is_false(want) && !dd_implies(from, preimage)) differ(w, "not in the preimage");
  check_finds(w, state, from, want);
  check_covers(w, from);
  if (fails) {
    int64_t choices[256];
    struct steps_found f = {.choices = choices};
    if (!steps_find_failing(w->steps, from, &f)) differ(w, "no failing step");
  }
  enqueue(w);
  dd_drop(from);
  dd_drop(want);
  dd_drop(image);
  dd_drop(preimage);
}

// For sets, not single states: both ways, state by state.
static void check_sets(struct walk *w) {
  size_t words = w->m->layout->words;
  dd back = steps_preimage(w->steps, w->seen), want = dd_false(), forth = dd_false();
  for (size_t i = 0; i < w->queue.count / words; i++) {
    dd one = space_state(w->space, w->queue.data + i * words);
    dd image = steps_image(w->steps, one);
    if (dd_meets(image, w->seen)) dd_or_to(&want, dd_copy(one));
    dd_or_to(&forth, image);
    dd_drop(one);
  }
  dd_set(&back, dd_and(back, w->seen));
  if (back != want) differ(w, "preimage of a set");
  dd image = steps_image(w->steps, w->seen);
  if (image != forth) differ(w, "image of a set");
  dd_drop(back);
  dd_drop(want);
  dd_drop(forth);
  dd_drop(image);
}

static void check_starts(struct walk *w) {
  sys_out_reset(&w->out);
  w->sys->starts(w->sys, &w->out);
  bool fails;
  dd want = states_of(w, &fails), starts = steps_starts(w->steps);
  if (starts != want) differ(w, "starts");
  int64_t choices[256];
  uint32_t instance;
  if (steps_start_fails(w->steps, &instance, choices) != fails) differ(w, "start that fails");
  struct steps_found f = {.choices = choices};
  dd reached = dd_false();
  if (steps_find_start(w->steps, want, &f, &reached) == dd_is_false(want)) differ(w, "find start");
  if (!dd_is_false(want)) check_found(w, &f, NULL, reached);
  dd_drop(reached);
  dd_drop(want);
  dd_drop(starts);
  enqueue(w);
}

static void walk_all(struct walk *w) {
  w->steps = steps_new(w->space);
  w->failing = steps_failing(w->steps);
  w->enabled = steps_enabled(w->steps);
  w->seen = dd_false();
  check_starts(w);
  size_t words = w->m->layout->words;
  uint64_t *state = mem_alloc(words * sizeof(*state));
  for (size_t i = 0; i < w->queue.count / words; i++) {
    memcpy(state, w->queue.data + i * words, words * sizeof(*state));
    check_state(w, state);
  }
  mem_free(state);
  check_sets(w);
  dd_drop(w->seen);
  dd_drop(w->failing);
  dd_drop(w->enabled);
  steps_free(w->steps);
}

// False: it cannot be said in terms.
static bool check_model(const struct ir_model *m, const char *name, unsigned reorder_every) {
  struct text why = {0};
  struct walk w = {.m = m, .name = name};
  w.relation = relation_new(m, &(struct relation_config){.terms_max = 200000}, &why);
  if (!w.relation) {
    text_clear(&why);
    return false;
  }
  w.sys = sys_new(m, &(struct sys_config){.mode = SYS_INTERPRETED});
  sys_out_init(&w.out, w.sys->words, m->properties.count);
  dd_open(&(struct dd_config){.reorder_every = reorder_every});
  w.space = space_new(&(struct space_config){.relation = w.relation}, &why);
  assert_non_null(w.space);
  walk_all(&w);
  space_free(w.space);
  dd_close();
  sys_out_clear(&w.out);
  sys_free(w.sys);
  VEC_CLEAR(&w.queue);
  relation_free(w.relation);
  return true;
}

static void test_random(void **unused) {
  (void)unused;
  const char *effort = getenv("FATHOM_TEST_EFFORT");
  uint64_t count = effort ? 40 * strtoull(effort, NULL, 10) : 40;
  for (uint64_t seed = 1; seed <= count; seed++) {
    struct ir_model *m = generate_model(seed, NULL, &(struct generate_size){0});
    struct diag d = {0};
    assert_true(ir_model_finish(m, &d));
    diag_clear(&d);
    char name[40];
    snprintf(name, sizeof(name), "seed %llu", (unsigned long long)seed);
    check_model(m, name, seed % 8 == 0 ? 2000 : 0);
    ir_model_free(m);
  }
}

static struct ir_model *load(const char *path) {
  struct diag d = {0};
  const char *why;
  struct source *s = source_read(path, &why);
  size_t n = strlen(path);
  if (!s) return NULL;
  struct ir_model *m =
      path[n - 1] == 'm' ? murphi_load(s, NULL, 0, 1000, &d) : ir_parse_model(s, &d);
  diag_clear(&d);
  return m;
}

// Sums of wide numbers have no small diagrams.
static bool wide(const struct ir_model *m) {
  bool out = m->layout->bits >= 300;
  for (uint64_t i = 0; i < m->layout->count; i++) out |= m->layout->leaf[i].width > 10;
  return out;
}

static void test_files(void **unused) {
  (void)unused;
  DIR *dir = opendir(FATHOM_SOURCE_DIR "/tests/models");
  assert_non_null(dir);
  unsigned checked = 0;
  for (struct dirent *e; (e = readdir(dir));) {
    size_t n = strlen(e->d_name);
    bool wanted =
        (n > 2 && !strcmp(e->d_name + n - 2, ".m")) || (n > 3 && !strcmp(e->d_name + n - 3, ".ir"));
    if (!wanted) continue;
    struct text path = {0};
    text_printf(&path, "%s/tests/models/%s", FATHOM_SOURCE_DIR, e->d_name);
    struct ir_model *m = load(text_str(&path));
    if (m && !wide(m)) checked += check_model(m, e->d_name, 0);
    if (m) ir_model_free(m);
    text_clear(&path);
  }
  closedir(dir);
  assert_true(checked > 50);
}

// --- steps by what they change ---

enum { ROWS = 2, COLUMNS = 4, CELLS = ROWS * COLUMNS };

// The cell to the right (0), below (1), to the left (2), above (3); -1: there is none.
static int neighbour(int cell, int way) {
  int row = cell / COLUMNS + (way == 1) - (way == 3);
  int column = cell % COLUMNS + (way == 0) - (way == 2);
  bool inside = row >= 0 && row < ROWS && column >= 0 && column < COLUMNS;
  return inside ? row * COLUMNS + column : -1;
}

// Sliding tiles: 0 is the gap, which goes one of four ways, or stays where there is none.
static struct ir_model *tiles(void) {
  struct text t = {0};
  text_printf(&t, "MODULE main\nIVAR way : 0..3;\nVAR\n");
  for (int i = 0; i < CELLS; i++) text_printf(&t, "  p%d : 0..%d;\n", i, CELLS - 1);
  text_printf(&t, "ASSIGN\n");
  for (int i = 0; i < CELLS; i++) {
    text_printf(&t, "  init(p%d) := %d;\n  next(p%d) := case\n", i, i, i);
    for (int way = 0; way < 4; way++) {
      int to = neighbour(i, way), from = neighbour(i, (way + 2) % 4);
      if (to >= 0) text_printf(&t, "    p%d = 0 & way = %d : p%d;\n", i, way, to);
      if (from >= 0) text_printf(&t, "    p%d = 0 & way = %d : 0;\n", from, way);
    }
    text_printf(&t, "    TRUE : p%d;\n  esac;\n", i);
  }
  struct diag d = {0};
  struct ir_model *m =
      smv_load(source_from_text("tiles.smv", text_str(&t), strlen(text_str(&t))), NULL, 0, &d);
  if (!m) diag_print(&d, stderr, false);
  assert_non_null(m);
  diag_clear(&d);
  text_clear(&t);
  return m;
}

// States of a set that lead to one state are what they are among all its predecessors.
static void check_before(struct steps *t, dd image, dd from) {
  const struct space *s = t->space;
  uint8_t *values = mem_zalloc(s->bits + 1, sizeof *values);
  dd_pick(image, s->now, s->bits, values);
  dd one = dd_point(s->now, values, s->bits), before = steps_before(t, one, from);
  dd all = steps_preimage(t, one), expected = dd_and(all, from);
  assert_false(dd_is_false(before));
  assert_true(before == expected);
  dd_drop(one);
  dd_drop(before);
  dd_drop(all);
  dd_drop(expected);
  mem_free(values);
}

// Level by level the split steps lead where the whole ones do: to half of the orders of the tiles.
static void test_split(void **unused) {
  (void)unused;
  struct ir_model *m = tiles();
  struct text why = {0};
  struct relation *r = relation_new(m, &(struct relation_config){0}, &why);
  assert_non_null(r);
  dd_open(&(struct dd_config){0});
  struct space *s = space_new(&(struct space_config){.relation = r}, &why);
  struct steps *t = steps_new(s);
  assert_non_null(t->split);
  dd fresh = steps_starts(t), reached = dd_copy(fresh);
  while (!dd_is_false(fresh)) {
    dd image = steps_image(t, fresh), whole = steps_move_image(&t->moves.data[0], fresh);
    assert_true(image == whole);
    check_before(t, image, fresh);
    dd_drop(whole);
    dd_set(&fresh, dd_minus(image, reached));
    dd_or_to(&reached, image);
  }
  assert_int_equal(split_kinds(t->split), 11); // 10 pairs of neighbours, and that nothing changes
  char *count = dd_count(reached, s->now, s->bits);
  assert_string_equal(count, "20160");
  mem_free(count);
  dd_drop(fresh);
  dd_drop(reached);
  steps_free(t);
  space_free(s);
  dd_close();
  relation_free(r);
  ir_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),
      cmocka_unit_test(test_files),
      cmocka_unit_test(test_split),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
