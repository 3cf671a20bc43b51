// SPDX-License-Identifier: Apache-2.0
// The workers of a search and their threads. A thread rests until a new round is called, works, and
// says that it is done. Both sides look for a moment before they fall asleep, since the next round
// often comes at once.
#include "search/workers.h"

#include "ir/eval.h"
#include "search/common.h"
#include "search/thread.h"
#include "store/store.h"
#include "sys/sys.h"

#include <errno.h>

enum { LOOK_AGAIN_MS = 10 };

struct search_team {
  pthread_mutex_t reports; // of workers_lock
  pthread_mutex_t lock;    // of what follows
  pthread_cond_t called, done;
  _Atomic uint64_t round; // the number of the last one that was called
  _Atomic unsigned busy;  // threads that are not done with it
  bool over;
  void (*work)(struct search_worker *w);
  unsigned thread_count; // of them, [1] upwards run
  pthread_t *threads;
  bool crowded;               // there is no core but for them
  bool parted;                // it was tried
  struct search_cores *cores; // NULL: the system says where they run
};

void workers_lock(struct search *s) { pthread_mutex_lock(&s->team->reports); }
void workers_unlock(struct search *s) { pthread_mutex_unlock(&s->team->reports); }

// --- a worker ---

static struct search_worker *worker_add(struct search *s) {
  const struct search_config *c = s->config;
  struct search_worker *w = mem_zalloc(1, sizeof *w);
  w->search = s;
  w->number = s->worker_count;
  w->id_shift = STORE_ABSENT; // there is no run yet
  s->workers[s->worker_count++] = w;
  w->sys = w->number ? sys_clone(c->sys) : c->sys;
  if (w->sys->asking) *w->sys->asking = (struct sys_asking){search_expansion_goes_on, w};
  if (w->sys->chains) w->sys->chains->lists = s->rule_of != NULL;
  w->writer = store_writer_new(s->store);
  w->eval = ir_eval_new(c->model);
  w->covers_open = mem_zalloc(s->cover_words, sizeof(uint64_t));
  w->covers_found = mem_zalloc(s->cover_words, sizeof(uint64_t));
  for (size_t i = 0; s->has_covers && i < c->model->properties.count; i++)
    if (c->model->properties.data[i]->kind == IR_PROP_COVER && search_property_on(s, i))
      w->covers_open[i / 64] |= UINT64_C(1) << (i % 64);
  w->has_open_covers = s->has_covers;
  if (!s->rule_of) return w;
  w->fired = mem_zalloc(c->model->rules.count, sizeof *w->fired);
  w->fresh = mem_zalloc(c->model->rules.count, sizeof *w->fresh);
  return w;
}

static void worker_free(struct search_worker *w) {
  if (w->sys && w->sys->asking) w->sys->asking->goes_on = NULL; // the first one's goes on to live
  if (w->number) sys_free(w->sys);
  store_writer_free(w->writer);
  if (w->eval) ir_eval_free(w->eval);
  mem_free(w->covers_open);
  mem_free(w->covers_found);
  mem_free(w->fired);
  mem_free(w->fresh);
  VEC_CLEAR(&w->runs);
  mem_free(w);
}

// --- in a thread ---

static void work_bounded(struct search_worker *w, void (*work)(struct search_worker *w)) {
  struct mem_boundary boundary;
  if (mem_boundary_enter(&boundary)) {
    search_stop(w->search, "memory");
    return;
  }
  work(w);
  mem_boundary_leave(&boundary);
}

// False: there are no more.
static bool await_round(struct search_team *t, uint64_t last) {
  AWAIT_BRIEFLY(t->round != last);
  if (t->round != last) return true;
  pthread_mutex_lock(&t->lock);
  while (t->round == last && !t->over) pthread_cond_wait(&t->called, &t->lock);
  bool more = t->round != last;
  pthread_mutex_unlock(&t->lock);
  return more;
}

static void *thread_main(void *argument) {
  struct search_worker *w = argument;
  struct search_team *t = w->search->team;
  for (uint64_t round = 0; await_round(t, round);) {
    round++;
    work_bounded(w, t->work);
    if (atomic_fetch_sub(&t->busy, 1) > 1) continue;
    pthread_mutex_lock(&t->lock);
    pthread_cond_signal(&t->done);
    pthread_mutex_unlock(&t->lock);
  }
  return NULL;
}

// --- starting and ending threads ---

// False: there is no memory for it.
static bool worker_try(struct search *s) {
  struct mem_boundary boundary;
  unsigned before = s->worker_count;
  if (mem_boundary_enter(&boundary)) {
    if (s->worker_count > before) worker_free(s->workers[--s->worker_count]);
    return false;
  }
  worker_add(s);
  mem_boundary_leave(&boundary);
  return true;
}

// Workers without memory or without a thread are none: the search goes on with fewer.
void workers_start(struct search *s) {
  struct search_team *t = s->team;
  if (s->worker_count == s->threads) return;
  while (s->worker_count < s->threads && worker_try(s)) continue;
  while (
      t->thread_count < s->worker_count &&
      search_thread_start(&t->threads[t->thread_count], thread_main, s->workers[t->thread_count]))
    t->thread_count++;
  while (s->worker_count > t->thread_count) worker_free(s->workers[--s->worker_count]);
  s->threads = t->thread_count;
  t->crowded = t->thread_count > 1 && t->thread_count >= search_thread_cores();
}

bool worker_in_the_way(const struct search_worker *w) {
  const struct search_team *t = w->search->team;
  return t->crowded && w->sys->compiling && w->number == t->thread_count - 1;
}

// Not before the model is compiled: the compiler is this thread's child, and would stay on its
// core.
static void part_threads(struct search *s) {
  struct search_team *t = s->team;
  if (t->parted || t->thread_count == 1 || !s->workers[0]->sys->native) return;
  t->parted = true;
  t->cores = search_threads_part(t->threads + 1, t->thread_count - 1);
}

void workers_init(struct search *s) {
  struct search_team *t = mem_zalloc(1, sizeof *t);
  s->team = t;
  pthread_mutex_init(&t->reports, NULL);
  pthread_mutex_init(&t->lock, NULL);
  pthread_cond_init(&t->called, NULL);
  search_thread_cond_init(&t->done);
  t->thread_count = 1;
  t->threads = mem_zalloc(s->threads, sizeof *t->threads);
  s->workers = mem_zalloc(s->threads, sizeof *s->workers);
  worker_add(s);
}

void workers_join(struct search *s) {
  struct search_team *t = s->team;
  if (!t || t->thread_count == 1) return;
  pthread_mutex_lock(&t->lock);
  t->over = true;
  pthread_cond_broadcast(&t->called);
  pthread_mutex_unlock(&t->lock);
  while (t->thread_count > 1) pthread_join(t->threads[--t->thread_count], NULL);
  search_threads_join(t->cores);
  t->cores = NULL;
}

void workers_clear(struct search *s) {
  struct search_team *t = s->team;
  while (s->worker_count > 0) worker_free(s->workers[--s->worker_count]);
  mem_free(s->workers);
  if (!t) return;
  assert(t->thread_count <= 1);
  pthread_mutex_destroy(&t->reports);
  pthread_mutex_destroy(&t->lock);
  pthread_cond_destroy(&t->called);
  pthread_cond_destroy(&t->done);
  mem_free(t->threads);
  mem_free(t);
}

// --- a round ---

static void call_round(struct search_team *t) {
  t->busy = t->thread_count - 1;
  pthread_mutex_lock(&t->lock);
  t->round++;
  pthread_cond_broadcast(&t->called);
  pthread_mutex_unlock(&t->lock);
}

// Waits until all are done, or for a moment.
static bool all_done(struct search_team *t) {
  AWAIT_BRIEFLY(!t->busy);
  if (!t->busy) return true;
  struct timespec until = search_thread_soon(LOOK_AGAIN_MS);
  pthread_mutex_lock(&t->lock);
  while (t->busy && pthread_cond_timedwait(&t->done, &t->lock, &until) != ETIMEDOUT) continue;
  pthread_mutex_unlock(&t->lock);
  return !t->busy;
}

// The look at the budget may unwind as well, and must not leave the others working.
static void await_all(struct search_worker *w) {
  while (!all_done(w->search->team)) {
    struct mem_boundary boundary;
    if (mem_boundary_enter(&boundary)) {
      search_stop(w->search, "memory");
    } else {
      search_goes_on(w);
      mem_boundary_leave(&boundary);
    }
  }
}

void workers_together(struct search *s, void (*work)(struct search_worker *w)) {
  workers_start(s);
  part_threads(s);
  struct search_team *t = s->team;
  t->work = work;
  if (t->thread_count > 1) call_round(t);
  work_bounded(s->workers[0], work);
  if (t->thread_count > 1) await_all(s->workers[0]);
}

void workers_alone(struct search *s, void (*work)(struct search_worker *w)) {
  work_bounded(s->workers[0], work);
}
