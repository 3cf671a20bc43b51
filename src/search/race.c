// SPDX-License-Identifier: Apache-2.0
// Several searches at once. The caller's thread searches nothing: it looks after the compiler,
// tells progress, and waits for the first answer.
//
// Each has a store of its own. What is in a store means something else to every order of search: to
// breadth first, that the state was met in this level or an earlier one; to depth first, that it is
// on the stack or done; to others by what they keep beside it. A state that one search took in and
// has not expanded would be done with for the others, and `holds` of any of them would wait for
// all.
#include "search/race.h"

#include "search/common.h"
#include "search/thread.h"
#include "sys/sys.h"

enum { LOOK_MS = 10 };
#define PROGRESS_SECONDS 0.1

struct racer {
  struct race *race;
  const struct search_strategy *strategy;
  struct search_config config;
  struct result result;
  bool failed;                     // out of memory where a search cannot be: there is no result
  struct search_progress progress; // under the lock
  pthread_t thread;
};

struct race {
  const struct search_config *config;
  struct racer *racers;
  size_t count;         // of them
  size_t running;       // of them, still
  size_t process_bytes; // before they began
  struct racer *first;
  _Atomic bool cancel;  // for all but the first
  pthread_mutex_t lock; // of running, first, progress
  pthread_cond_t finished;
  double progress_next;
};

// --- in a racer's thread ---

static bool begins(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

// Has it said all that any of them can say?
static bool is_answer(const struct racer *x) {
  if (x->failed) return false;
  const struct result *r = &x->result;
  return r->verdict != VERDICT_UNKNOWN || begins(r->reason, "not checked") ||
         strcmp(r->reason, "no start state") == 0;
}

static void finish(struct racer *x) {
  struct race *a = x->race;
  pthread_mutex_lock(&a->lock);
  if (!a->first && is_answer(x)) {
    a->first = x;
    a->cancel = true;
  }
  a->running--;
  pthread_cond_signal(&a->finished);
  pthread_mutex_unlock(&a->lock);
}

// Memory that a search asks for outside its own boundary must not end the others.
static void *run_racer(void *argument) {
  struct racer *x = argument;
  struct mem_boundary boundary;
  if (mem_boundary_enter(&boundary)) {
    x->failed = true;
  } else {
    search_run(x->strategy, &x->config, &x->result);
    mem_boundary_leave(&boundary);
  }
  finish(x);
  return NULL;
}

static void note_progress(void *context, const struct search_progress *p) {
  struct racer *x = context;
  pthread_mutex_lock(&x->race->lock);
  x->progress = *p;
  pthread_mutex_unlock(&x->race->lock);
}

// --- before ---

// The process as it is belongs to all; what is left is shared out. Searches take what the process
// holds off their limit, so it is added to each share.
static void share_memory(struct search_config *c, size_t count, size_t process) {
  size_t limit = c->budget.mem_bytes;
  if (!limit) return;
  size_t left = limit > process ? limit - process : 0, share = left / count;
  c->budget.mem_bytes = share > 0 ? process + share : limit / count;
  c->mem_others = left - share;
}

static void racer_init(struct racer *x, struct race *a, const struct search_strategy *strategy) {
  x->race = a;
  x->strategy = strategy;
  x->config = *a->config;
  x->config.sys = sys_clone(a->config->sys);
  share_memory(&x->config, a->count, a->process_bytes);
  x->config.threads = 1;
  x->config.cancel = &a->cancel;
  x->config.save_path = NULL;
  x->config.resume = NULL;
  x->config.monitor = NULL; // it is one thread's
  x->config.progress = a->config->progress ? note_progress : NULL;
  x->config.progress_context = x;
}

static void race_init(struct race *a, const struct search_strategy *const *strategies) {
  pthread_mutex_init(&a->lock, NULL);
  search_thread_cond_init(&a->finished);
  a->process_bytes = mem_resident();
  a->racers = mem_zalloc(a->count, sizeof *a->racers);
  for (size_t i = 0; i < a->count; i++) racer_init(&a->racers[i], a, strategies[i]);
}

// Those without a thread do not take part.
static void start_all(struct race *a) {
  size_t started = 0, count = a->count;
  a->running = count;
  while (started < count &&
         search_thread_start(&a->racers[started].thread, run_racer, &a->racers[started]))
    started++;
  pthread_mutex_lock(&a->lock);
  a->running -= count - started;
  pthread_mutex_unlock(&a->lock);
  for (size_t i = started; i < count; i++) sys_free(a->racers[i].config.sys);
  a->count = started;
}

// --- while they run ---

static void tell_progress(struct race *a) {
  const struct search_config *c = a->config;
  double now = clock_seconds();
  if (!c->progress || now < a->progress_next) return;
  a->progress_next = now + PROGRESS_SECONDS;
  struct search_progress all = {.seconds = now - c->started};
  pthread_mutex_lock(&a->lock);
  for (size_t i = 0; i < a->count; i++) {
    const struct search_progress *p = &a->racers[i].progress;
    all.states += p->states;
    all.transitions += p->transitions;
    all.queue += p->queue;
    all.mem_bytes += p->mem_bytes;
    if (p->depth > all.depth) all.depth = p->depth;
  }
  pthread_mutex_unlock(&a->lock);
  c->progress(c->progress_context, &all);
}

// Looking after the compiler may unwind, and must not leave the others working.
static void look(struct race *a) {
  struct mem_boundary boundary;
  if (!mem_boundary_enter(&boundary)) {
    sys_poll(a->config->sys);
    mem_boundary_leave(&boundary);
  }
  tell_progress(a);
}

static void await_all(struct race *a) {
  pthread_mutex_lock(&a->lock);
  while (a->running > 0) {
    struct timespec until = search_thread_soon(LOOK_MS);
    pthread_cond_timedwait(&a->finished, &a->lock, &until);
    pthread_mutex_unlock(&a->lock);
    look(a);
    pthread_mutex_lock(&a->lock);
  }
  pthread_mutex_unlock(&a->lock);
  for (size_t i = 0; i < a->count; i++) pthread_join(a->racers[i].thread, NULL);
}

// --- after ---

// Nobody has an answer: the one that came farthest; NULL: all have failed.
static struct racer *farthest(struct race *a) {
  struct racer *best = NULL;
  for (size_t i = 0; i < a->count; i++) {
    struct racer *x = &a->racers[i];
    if (x->failed) continue;
    if (!best || x->result.stats.states > best->result.stats.states) best = x;
  }
  return best;
}

// What a search of a clone cannot know.
static void complete(const struct race *a, struct result *r) {
  const struct sys *sys = a->config->sys;
  r->stats.threads = a->count;
  r->stats.compile_seconds = sys->compile_seconds;
  if (sys->note && !r->note) r->note = mem_strdup(sys->note);
}

static void draw_result(struct race *a, struct result *r) {
  struct racer *best = a->first ? a->first : farthest(a);
  if (best) {
    *r = best->result;
    best->result = (struct result){0};
  } else {
    r->engine = "explicit";
    r->search = a->racers[0].strategy->name;
    r->store = a->config->store;
    r->verdict = VERDICT_UNKNOWN;
    r->reason = mem_strdup("memory");
  }
  complete(a, r);
}

static void race_clear(struct race *a) {
  for (size_t i = 0; i < a->count; i++) {
    result_clear(&a->racers[i].result);
    sys_free(a->racers[i].config.sys);
  }
  mem_free(a->racers);
  pthread_mutex_destroy(&a->lock);
  pthread_cond_destroy(&a->finished);
}

void search_race(const struct search_strategy *const *strategies, size_t count,
                 const struct search_config *c, struct result *r, const char **winner) {
  assert(count > 0);
  struct race a = {.config = c, .count = count};
  *winner = NULL;
  race_init(&a, strategies);
  start_all(&a);
  if (a.count > 0) {
    await_all(&a);
    draw_result(&a, r);
    if (a.first) *winner = a.first->strategy->name;
  } else { // there are no threads to be had
    search_run(strategies[0], c, r);
    if (r->verdict != VERDICT_UNKNOWN) *winner = strategies[0]->name;
  }
  race_clear(&a);
}
