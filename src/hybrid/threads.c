// SPDX-License-Identifier: Apache-2.0
// Threads for path-based reasoning. Only path.h and what is plain is touched in them: diagrams and
// isl stay in the thread of the run.
#include "hybrid/threads.h"

#include <pthread.h>
#include <time.h>

struct jobs {
  unsigned count; // threads
  pthread_t *threads;
  pthread_mutex_t lock;
  pthread_cond_t work, done;
  VEC(struct job *) todo, finished;
  unsigned busy; // jobs that are handed over, and not finished
  atomic_bool stop;
};

// --- one job ---

static bool goes_on(void *context) {
  struct job *job = context;
  if (clock_seconds() >= job->end) return false;
  if (job->apart) return !atomic_load(&job->jobs->stop) && !atomic_load(&job->orphan);
  return job->goes_on(job->context);
}

static bool open_path(struct job *job) {
  struct path_config c = {.efsm = job->efsm,
                          .from = job->from ? &job->plain : NULL,
                          .goes_on = goes_on,
                          .context = job,
                          .mem_bytes = job->mem_bytes,
                          .found = job->found};
  if (!job->path) job->path = path_unroll(&c, &job->problem);
  return job->path != NULL;
}

static void read_off(struct job *job) {
  job->depth = path_depth(job->path);
  job->queries = path_queries(job->path);
  job->limits = path_limits(job->path);
  if (job->answer == PATH_STOPPED) job->why = path_why(job->path);
  if (job->answer != PATH_ERROR) return;
  job->error = path_error(job->path);
  path_run(job->path, &job->run);
}

static void look_ahead(struct job *job) {
  job->answer = PATH_STOPPED;
  job->why = "unsupported";
  if (atomic_load(&job->orphan) || !open_path(job)) return;
  job->answer = PATH_BOUNDED;
  while (job->answer == PATH_BOUNDED && path_depth(job->path) < job->bound && goes_on(job))
    job->answer = path_deepen(job->path);
  read_off(job);
}

static void run(struct job *job) {
  double began = clock_seconds();
  struct mem_boundary boundary;
  job->end = began + job->seconds;
  if (mem_boundary_enter(&boundary)) {
    job->answer = PATH_STOPPED;
    job->why = "memory";
  } else {
    look_ahead(job);
    mem_boundary_leave(&boundary);
  }
  job->used += clock_seconds() - began;
}

// --- threads ---

static void *work(void *context) {
  struct jobs *j = context;
  pthread_mutex_lock(&j->lock);
  while (!atomic_load(&j->stop)) {
    if (j->todo.count == 0) {
      pthread_cond_wait(&j->work, &j->lock);
      continue;
    }
    struct job *job = j->todo.data[0];
    for (size_t i = 1; i < j->todo.count; i++) j->todo.data[i - 1] = j->todo.data[i];
    j->todo.count--;
    pthread_mutex_unlock(&j->lock);
    run(job);
    pthread_mutex_lock(&j->lock);
    VEC_PUSH(&j->finished, job);
    j->busy--;
    pthread_cond_signal(&j->done);
  }
  pthread_mutex_unlock(&j->lock);
  return NULL;
}

struct jobs *jobs_new(unsigned others) {
  struct jobs *j = mem_zalloc(1, sizeof *j);
  pthread_mutex_init(&j->lock, NULL);
  pthread_cond_init(&j->work, NULL);
  pthread_cond_init(&j->done, NULL);
  j->threads = mem_zalloc(others + 1, sizeof *j->threads);
  while (j->count < others && pthread_create(&j->threads[j->count], NULL, work, j) == 0) j->count++;
  return j;
}

void jobs_free(struct jobs *j) {
  if (!j) return;
  pthread_mutex_lock(&j->lock);
  atomic_store(&j->stop, true);
  pthread_cond_broadcast(&j->work);
  pthread_mutex_unlock(&j->lock);
  for (unsigned i = 0; i < j->count; i++) pthread_join(j->threads[i], NULL);
  pthread_cond_destroy(&j->work);
  pthread_cond_destroy(&j->done);
  pthread_mutex_destroy(&j->lock);
  VEC_CLEAR(&j->todo);
  VEC_CLEAR(&j->finished);
  mem_free(j->threads);
  mem_free(j);
}

void jobs_submit(struct jobs *j, struct job *job) {
  job->jobs = j;
  job->busy = true;
  job->apart = j->count > 0;
  if (!job->apart) {
    run(job);
    VEC_PUSH(&j->finished, job);
    return;
  }
  pthread_mutex_lock(&j->lock);
  VEC_PUSH(&j->todo, job);
  j->busy++;
  pthread_cond_signal(&j->work);
  pthread_mutex_unlock(&j->lock);
}

struct job *jobs_next(struct jobs *j) {
  pthread_mutex_lock(&j->lock);
  struct job *job = j->finished.count ? VEC_POP(&j->finished) : NULL;
  pthread_mutex_unlock(&j->lock);
  if (job) job->busy = false;
  return job;
}

void jobs_wait(struct jobs *j, double seconds) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += (long)(seconds * 1e9);
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  pthread_mutex_lock(&j->lock);
  while (j->busy > 0 && j->finished.count == 0)
    if (pthread_cond_timedwait(&j->done, &j->lock, &until) != 0) break;
  pthread_mutex_unlock(&j->lock);
}

bool jobs_apart(const struct jobs *j) { return j->count > 0; }

unsigned jobs_idle(struct jobs *j) {
  pthread_mutex_lock(&j->lock);
  unsigned idle = j->busy < j->count ? j->count - j->busy : 0;
  pthread_mutex_unlock(&j->lock);
  return idle;
}
