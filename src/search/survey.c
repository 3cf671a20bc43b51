// SPDX-License-Identifier: Apache-2.0
// The survey of the states that were found: how many values each leaf takes, and which rules the
// time goes to. Both look at states spread evenly over the store, as many as a fraction of a second
// allows.
#include "search/survey.h"

#include "ir/eval.h"
#include "search/common.h"
#include "store/store.h"

#include <time.h>

#ifdef FATHOM_SMALL
enum { SAMPLE_MAX = 1000, LEAF_VISITS_MAX = 20000, PASS_BYTES = 1 << 10 };
#else
enum {
  SAMPLE_MAX = 1000000,        // states that values are counted in
  LEAF_VISITS_MAX = 100000000, // leaves looked at on the way
  PASS_BYTES = 1 << 26,        // of bitmaps and sets; more leaves take more passes over the sample
};
#endif
enum {
  BITMAP_BITS = 16, // leaves up to this width have a bit per value
  SET_SLOTS = 2 * SURVEY_DISTINCT_MAX,
  TIMED_MAX = 4096, // states that rules are timed in
  ROUND_MAX = 64,   // of them at a time
};
#define TIMED_SECONDS 0.3

// The codes seen of one leaf: a bitmap, or a set of slots in which 0 stands for none.
struct values {
  uint64_t *bits;
  uint64_t *slots;
  bool zero; // code 0 was seen (slots)
  uint64_t count;
};

// States in the store with consecutive ids.
struct stretch {
  uint64_t before; // states in the stretches before it
  uint64_t id;     // of its first one
};

// Everything that is freed at the end, also when memory did not suffice.
struct work {
  const struct ir_model *model;
  const struct store *store;
  VEC(struct stretch) stretches;
  uint64_t total;
  uint64_t *state; // the one looked at
  // values
  uint64_t *distinct; // per leaf
  struct values *values;
  size_t value_count;
  // time
  struct ir_eval *eval;
  int64_t *params, *choices;
  uint64_t *round; // states
  size_t round_count;
  double *seconds; // per rule
};

static void values_clear(struct work *w) {
  for (size_t i = 0; i < w->value_count; i++) {
    mem_free(w->values[i].bits);
    mem_free(w->values[i].slots);
  }
  mem_free(w->values);
  w->values = NULL;
  w->value_count = 0;
}

static void work_free(struct work *w) {
  values_clear(w);
  VEC_CLEAR(&w->stretches);
  mem_free(w->state);
  mem_free(w->distinct);
  if (w->eval != NULL) ir_eval_free(w->eval);
  mem_free(w->params);
  mem_free(w->choices);
  mem_free(w->round);
  mem_free(w->seconds);
  mem_free(w);
}

// --- states spread over the store ---

static void find_states(struct work *w, const struct search *s) {
  for (unsigned i = 0; i < s->worker_count; i++) {
    const struct search_worker *by = s->workers[i];
    for (size_t k = 0; k < by->runs.count; k++) {
      const struct search_run *run = &by->runs.data[k];
      VEC_PUSH(&w->stretches, ((struct stretch){w->total + run->number, run->id}));
    }
    w->total += by->id_count;
  }
  w->state = mem_zalloc(w->model->layout->words + 1, sizeof *w->state);
}

// State number k of n.
static void get_state(const struct work *w, uint64_t k, uint64_t n, uint64_t *state) {
  uint64_t index = (uint64_t)((unsigned __int128)k * w->total / n);
  size_t low = 0, high = w->stretches.count - 1; // the last that begins at or before index
  while (low < high) {
    size_t middle = low + (high - low + 1) / 2;
    if (w->stretches.data[middle].before <= index)
      low = middle;
    else
      high = middle - 1;
  }
  const struct stretch *found = &w->stretches.data[low];
  store_get(w->store, found->id + (index - found->before), state);
}

// --- the values of leaves ---

static size_t values_bytes(const struct ir_leaf *l) {
  if (l->width > BITMAP_BITS) return SET_SLOTS * sizeof(uint64_t);
  return (((size_t)1 << l->width) / 64 + 1) * sizeof(uint64_t);
}

static void values_init(struct work *w, uint64_t first, uint64_t end) {
  w->values = mem_zalloc(end - first, sizeof *w->values);
  for (uint64_t i = first; i < end; i++) {
    const struct ir_leaf *l = &w->model->layout->leaf[i];
    struct values *v = &w->values[w->value_count++];
    uint64_t **words = l->width > BITMAP_BITS ? &v->slots : &v->bits;
    *words = mem_zalloc(1, values_bytes(l));
  }
}

static void add_to_set(struct values *v, uint64_t code) {
  if (code == 0) {
    v->count += !v->zero;
    v->zero = true;
    return;
  }
  uint64_t at = (code * UINT64_C(0x9e3779b97f4a7c15)) >> 32;
  while (v->slots[at % SET_SLOTS] != 0 && v->slots[at % SET_SLOTS] != code) at++;
  v->count += v->slots[at % SET_SLOTS] == 0;
  v->slots[at % SET_SLOTS] = code;
}

static void values_add(struct values *v, uint64_t code) {
  if (v->bits != NULL) {
    uint64_t *word = &v->bits[code / 64], bit = UINT64_C(1) << (code % 64);
    v->count += (*word & bit) == 0;
    *word |= bit;
  } else if (v->count < SURVEY_DISTINCT_MAX) {
    add_to_set(v, code);
  }
}

// One pass over n states for the leaves first .. end - 1.
static void count_leaves(struct work *w, uint64_t n, uint64_t first, uint64_t end) {
  const struct ir_leaf *leaves = w->model->layout->leaf;
  values_init(w, first, end);
  for (uint64_t k = 0; k < n; k++) {
    get_state(w, k, n, w->state);
    for (uint64_t i = first; i < end; i++)
      values_add(&w->values[i - first], ir_leaf_code(&leaves[i], w->state));
  }
  for (uint64_t i = first; i < end; i++) w->distinct[i] = w->values[i - first].count;
  values_clear(w);
}

static uint64_t pass_end(const struct ir_layout *l, uint64_t first) {
  size_t bytes = values_bytes(&l->leaf[first]);
  uint64_t end = first + 1;
  while (end < l->count && (bytes += values_bytes(&l->leaf[end])) <= PASS_BYTES) end++;
  return end;
}

static void count_values(struct work *w, struct survey *v) {
  const struct ir_layout *l = w->model->layout;
  uint64_t n = w->total < SAMPLE_MAX ? w->total : SAMPLE_MAX;
  if (l->count > 0 && n > LEAF_VISITS_MAX / l->count) n = LEAF_VISITS_MAX / l->count + 1;
  w->distinct = mem_zalloc(l->count + 1, sizeof *w->distinct);
  for (uint64_t first = 0, end; first < l->count; first = end) {
    end = pass_end(l, first);
    count_leaves(w, n, first, end);
  }
  v->distinct = w->distinct;
  v->sampled = n;
  w->distinct = NULL;
}

// --- the time of rules ---

static void prepare_rules(struct work *w) {
  const struct ir_model *m = w->model;
  size_t params = 1, choices = 1;
  for (size_t i = 0; i < m->rules.count; i++) {
    const struct ir_rule *r = m->rules.data[i];
    if (r->param_count > params) params = r->param_count;
    if (r->choice_count > choices) choices = r->choice_count;
  }
  w->eval = ir_eval_new(m);
  w->params = mem_zalloc(params, sizeof *w->params);
  w->choices = mem_zalloc(choices, sizeof *w->choices);
  w->round = mem_zalloc(ROUND_MAX * m->layout->words + 1, sizeof *w->round);
  w->seconds = mem_zalloc(m->rules.count + 1, sizeof *w->seconds);
}

// One instance with all its choices in a state.
static void run_instance(struct work *w, const struct ir_rule *r, const uint64_t *state) {
  uint32_t keep;
  ir_choice_first(r, w->choices);
  do {
    keep = r->choice_count;
    enum ir_outcome o = ir_eval_guard(w->eval, r, w->params, w->choices, state);
    if (o != IR_OK && !r->guard_chooses) return;
    if (o != IR_OK) continue;
    memcpy(w->state, state, w->model->layout->words * sizeof *state);
    o = ir_eval_body(w->eval, r, w->params, w->choices, w->state);
    if (o == IR_DROPPED) keep = ir_eval_prunes(w->eval);
  } while (ir_choice_next(r, keep, w->choices, NULL));
}

static void run_rule(struct work *w, const struct ir_rule *r) {
  for (uint32_t i = 0; i < r->instances; i++) {
    ir_instance(w->model, false, r->first_instance + i, w->params);
    for (size_t k = 0; k < w->round_count; k++)
      run_instance(w, r, w->round + k * w->model->layout->words);
  }
}

// Of this thread alone: what others do meanwhile does not count.
static double processor_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// One round: the same states for every rule. Returns what it took.
static double time_round(struct work *w) {
  double begun = processor_seconds(), last = begun;
  for (size_t i = 0; i < w->model->rules.count; i++) {
    run_rule(w, w->model->rules.data[i]);
    double now = processor_seconds();
    w->seconds[i] += now - last;
    last = now;
  }
  return last - begun;
}

static uint64_t common_divisor(uint64_t a, uint64_t b) {
  while (b != 0) {
    uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

// A stride by which 0 .. n - 1 are all visited, early and late ones in turn: the time may be up
// before they all are.
static uint64_t stride_of(uint64_t n) {
  uint64_t stride = n * 5 / 8 | 1;
  while (common_divisor(n, stride) != 1) stride += 2;
  return stride;
}

static void time_rules(struct work *w, struct survey *v) {
  size_t words = w->model->layout->words, rules = w->model->rules.count, most = 1;
  uint64_t n = w->total < TIMED_MAX ? w->total : TIMED_MAX, stride = stride_of(n), at = 0,
           timed = 0;
  double spent = 0;
  prepare_rules(w);
  while (timed < n && spent < TIMED_SECONDS) {
    for (w->round_count = 0; w->round_count < most && timed < n; w->round_count++, timed++) {
      get_state(w, at, n, w->round + w->round_count * words);
      at = (at + stride) % n;
    }
    spent += time_round(w);
    if (most < ROUND_MAX) most *= 2;
  }
  for (size_t i = 0; i < rules && spent > 0; i++) w->seconds[i] /= spent;
  v->share = w->seconds;
  v->timed = timed;
  w->seconds = NULL;
}

void survey_fill(struct search *s) {
  if (!s->store || !store_keeps_states(s->store)) return;
  struct work *w = mem_zalloc(1, sizeof *w); // on the heap: its fields survive the jump
  w->model = s->config->model;
  w->store = s->store;
  struct mem_boundary boundary;
  if (!mem_boundary_enter(&boundary)) {
    find_states(w, s);
    if (w->total > 0) count_values(w, &s->result->survey);
    if (w->total > 0) time_rules(w, &s->result->survey);
    mem_boundary_leave(&boundary);
  }
  work_free(w);
}
