// SPDX-License-Identifier: Apache-2.0
// Path-based reasoning in its turn (paper 003, Algorithm 1, procedure PR): from disjuncts of F, in
// the order of their priorities, and on from the starts, so that nothing is missed that bounded
// model checking alone would find soon. With more than one thread it goes on beside ST.
//
// A turn takes no longer than path_seconds, and no longer than ST has had until then and a little:
// one that gets nowhere gives up soon.
#include "hybrid/hmc.h"
#include "hybrid/threads.h"

#include <string.h>

#define LITTLE_SECONDS 2   // that PR may take more than ST has had, in all
#define LEAST_SECONDS  0.2 // of a turn
#define FIRST_SECONDS  0.5 // of a job that is taken up again and again
#define ITEMS          8   // disjuncts of F that a turn is to be enough for

static uint64_t ahead(const struct hmc *h) {
  return h->config->path_depth ? h->config->path_depth : HYBRID_PATH_DEPTH;
}

// --- jobs ---

static struct job *open_job(struct hmc *h, struct disjunct *from) {
  struct job *job = mem_zalloc(1, sizeof *job);
  size_t states = h->efsm->states.count;
  *job = (struct job){.efsm = h->efsm,
                      .from = from ? disjunct_keep(from) : NULL,
                      .mem_bytes = h->config->budget.mem_bytes,
                      .goes_on = hmc_goes_on,
                      .context = h};
  job->found = mem_alloc(states + 1);
  memcpy(job->found, h->found, states);
  VEC_PUSH(&h->all_jobs, job);
  return job;
}

static void close_job(struct hmc *h, struct job *job) {
  for (size_t i = 0; i < h->all_jobs.count; i++)
    if (h->all_jobs.data[i] == job) {
      h->all_jobs.data[i] = VEC_TOP(&h->all_jobs);
      h->all_jobs.count--;
      break;
    }
  if (job->path) path_free(job->path);
  if (job->from) disjunct_drop(h->states, job->from);
  plain_clear(&job->plain);
  path_run_clear(&job->run);
  text_clear(&job->problem);
  mem_free(job->found);
  mem_free(job);
}

void paths_open(struct hmc *h) {
  unsigned threads = h->config->threads;
  bool apart = threads > 1 && h->config->mode == HYBRID_HMC;
  h->jobs = jobs_new(apart ? threads - 1 : 0);
  h->root = open_job(h, NULL);
}

void paths_close(struct hmc *h) {
  jobs_free(h->jobs);
  for (size_t i = 0; i < h->F.count; i++) h->F.data[i].job = NULL;
  while (h->all_jobs.count) close_job(h, h->all_jobs.data[0]);
  VEC_CLEAR(&h->all_jobs);
  h->jobs = NULL;
}

void paths_leave(struct hmc *h, struct front *f) {
  struct job *job = f->job;
  f->job = NULL;
  if (!job) return;
  atomic_store(&job->orphan, true);
  if (!job->busy) close_job(h, job);
}

// --- bounds ---

// How many steps of the machine may follow what has this depth. A failing step, and a look at an
// invariant, is one more than those of states within the bound.
static uint64_t steps_left(const struct hmc *h, const struct job *job) {
  uint64_t limit = h->config->budget.depth_max;
  if (!limit) return UINT64_MAX;
  if (!job->from) return limit + 2;
  return job->from->depth <= limit ? limit + 1 - job->from->depth : 0;
}

static bool at_limit(const struct hmc *h, const struct job *job) {
  return job->answer == PATH_BOUNDED && job->depth >= steps_left(h, job);
}

static void note_depth(struct hmc *h, const struct job *job) {
  struct stats *t = &h->judge.result->stats;
  uint64_t depth = job->from ? job->from->depth + job->depth : job->depth;
  uint64_t limit = h->config->budget.depth_max;
  if (depth > 0) depth--; // of states: the last step is that to an error
  if (limit && depth > limit) depth = limit;
  if (depth > t->depth) t->depth = depth;
}

// The depth to which all was looked at: a start, and then steps, the last one to an error.
static void note_complete(struct hmc *h, const struct job *job) {
  struct result *r = h->judge.result;
  uint64_t done = job->answer == PATH_BOUNDED || job->answer == PATH_DEAD ? job->depth
                  : job->depth > 0                                        ? job->depth - 1
                                                                          : 0;
  r->depth_known = done >= 2 && !h->model->transient;
  if (r->depth_known) r->depth_complete = done - 2;
}

// --- what came out ---

static struct front *front_of(struct hmc *h, const struct job *job) {
  for (size_t i = 0; i < h->F.count; i++)
    if (h->F.data[i].job == job) return &h->F.data[i];
  return NULL;
}

// LIMIT states that the machine has ahead of these control states.
static void tell_limits(struct hmc *h, const struct job *job) {
  uint64_t *set = mem_zalloc(csr_words(h->efsm) + 1, sizeof *set);
  uint64_t *next = mem_zalloc(csr_words(h->efsm) + 1, sizeof *next);
  if (job->from)
    memcpy(set, job->from->control, csr_words(h->efsm) * sizeof *set);
  else
    csr_add(set, EFSM_ENTRY);
  for (uint64_t i = 0; i <= job->depth; i++) {
    for (uint32_t c = 0; c < h->efsm->states.count; c++) {
      const struct efsm_state *s = &h->efsm->states.data[c];
      if (csr_has(set, c) && s->is_error && s->error == EFSM_LIMIT) hmc_limit(h, c);
    }
    csr_step(h->efsm, set, next);
    memcpy(set, next, csr_words(h->efsm) * sizeof *set);
  }
  mem_free(set);
  mem_free(next);
}

static void end_root(struct hmc *h) {
  struct job *job = h->root;
  if (h->paths_only)
    hmc_gap(h, job->answer == PATH_DEAD ? NULL : at_limit(h, job) ? "depth" : job->why);
  h->root = NULL;
  close_job(h, job);
}

// Every way from there was seen to its end.
static void conclude_dead(struct hmc *h, struct job *job, struct front *f) {
  bool alone = h->paths_only;
  if (job->limits && (f ? f->stuck : alone)) tell_limits(h, job);
  if (!f) {
    h->proved = job->limits == 0 || alone;
    return end_root(h);
  }
  if (job->limits && !f->stuck) { // ST can tell whether they are come to
    f->looked = UINT64_MAX;
    return paths_leave(h, f);
  }
  h->dead++;
  traverse_drop(h, (size_t)(f - h->F.data));
}

// Nothing can be said of it by this way.
static void give_up(struct hmc *h, struct job *job, struct front *f) {
  if (!f) return end_root(h);
  if (!f->stuck) {
    f->looked = UINT64_MAX;
    return paths_leave(h, f);
  }
  hmc_gap(h, at_limit(h, job) ? "depth" : job->why);
  traverse_drop(h, (size_t)(f - h->F.data));
}

// There can be no instance: nothing is said about any path.
static void cannot(struct hmc *h, const struct job *job) {
  text_add(&h->why, text_str(&job->problem));
  h->judge.stop = "cannot";
}

static bool is_lost(const struct job *job) {
  return job->answer == PATH_STOPPED && strcmp(job->why, "time") != 0 &&
         strcmp(job->why, "interrupted") != 0;
}

static void conclude_error(struct hmc *h, struct job *job) {
  witness_run(h, job->from, &job->run, job->error);
  path_run_clear(&job->run);
  job->run = (struct path_run){0};
  memcpy(job->found, h->found, h->efsm->states.count);
}

static void conclude(struct hmc *h, struct job *job) {
  struct front *f = front_of(h, job);
  bool wanted = f || job == h->root;
  h->judge.result->stats.path_queries += job->queries - job->told;
  job->told = job->queries;
  if (job->path) note_depth(h, job);
  if (job == h->root && h->paths_only) note_complete(h, job);
  if (!wanted) return close_job(h, job);
  if (!job->path && job->problem.count) return cannot(h, job);
  if (job->answer == PATH_ERROR) return conclude_error(h, job);
  if (job->answer == PATH_DEAD) return conclude_dead(h, job, f);
  if (is_lost(job) || at_limit(h, job)) return give_up(h, job, f);
  if (f && !f->stuck) {
    f->looked = UINT64_MAX;
    paths_leave(h, f);
  }
}

// --- what to do next ---

static double share(const struct hmc *h) {
  const struct hybrid_config *c = h->config;
  double most = c->path_seconds > 0 ? c->path_seconds : HYBRID_PATH_SECONDS;
  double due = LITTLE_SECONDS + h->st_seconds - h->pr_seconds;
  if (due < LEAST_SECONDS) due = LEAST_SECONDS;
  return due < most ? due : most;
}

// A job that is taken up again and again gets as much as it has had, so that no question is too
// long for it.
static void begin(struct hmc *h, struct job *job, double seconds) {
  bool again = !job->from || job->lasts;
  uint64_t left = steps_left(h, job), bound = again ? UINT64_MAX : ahead(h);
  job->bound = bound < left ? bound : left;
  job->seconds = !again ? seconds : job->used > FIRST_SECONDS ? job->used : FIRST_SECONDS;
  job->turn = h->turn;
  hmc_phase(h, "paths", job->from ? job->from->depth : 0);
  jobs_submit(h->jobs, job);
}

// Has PR to look at it, in this turn?
static bool waits(const struct hmc *h, const struct front *f) {
  if (f->stuck) return !f->job || (!f->job->busy && f->job->turn != h->turn);
  return !f->job && !f->looked && f->nearest <= ahead(h);
}

static bool comes_before(const struct hmc *h, const struct front *a, const struct front *b) {
  double x = a->stuck && a->job ? a->job->used : 0, y = b->stuck && b->job ? b->job->used : 0;
  return x != y ? x < y : priority_before(h, a, b);
}

static struct front *best(struct hmc *h) {
  struct front *found = NULL;
  for (size_t i = 0; i < h->F.count; i++) {
    struct front *f = &h->F.data[i];
    if (waits(h, f) && (!found || comes_before(h, f, found))) found = f;
  }
  return found;
}

// Its job is made, where it has none. NULL: it cannot be handed to a solver.
static struct job *job_of(struct hmc *h, struct front *f) {
  if (f->job) return f->job;
  struct job *job = open_job(h, f->set);
  job->lasts = f->stuck;
  if (states_plain(h->states, f->set, &job->plain)) return f->job = job;
  close_job(h, job);
  f->looked = UINT64_MAX;
  if (!f->stuck) return NULL;
  hmc_gap(h, "nonlinear");
  traverse_drop(h, (size_t)(f - h->F.data));
  return NULL;
}

static struct job *next_of_front(struct hmc *h) {
  struct front *f;
  while ((f = best(h))) {
    struct job *job = job_of(h, f);
    if (job) return job;
  }
  return NULL;
}

// From the starts on: once in a turn, and a third of all the time, unless there is nothing else.
static bool root_waits(const struct hmc *h) {
  const struct job *job = h->root;
  if (!job || job->busy || job->turn == h->turn) return false;
  return !traverse_can(h) || job->used <= LITTLE_SECONDS + (h->st_seconds + h->pr_seconds) / 3;
}

static struct job *next(struct hmc *h) {
  struct job *job = !h->root_last && root_waits(h) ? h->root : next_of_front(h);
  if (!job && root_waits(h)) job = h->root;
  h->root_last = job && job == h->root;
  return job;
}

void paths_harvest(struct hmc *h) {
  struct job *job;
  while (!hmc_over(h) && (job = jobs_next(h->jobs))) conclude(h, job);
  while (!hmc_over(h) && !h->paths_only && jobs_idle(h->jobs) > 0) {
    h->turn++; // threads have no turns
    job = next(h);
    if (!job) break;
    begin(h, job, share(h));
  }
}

// Waits for what other threads do.
static void turn_apart(struct hmc *h) {
  paths_harvest(h);
  while (!hmc_over(h) && hmc_goes_on(h) && !h->proved && h->F.count && !traverse_can(h)) {
    jobs_wait(h->jobs, 0.05);
    paths_harvest(h);
  }
}

static void turn_here(struct hmc *h) {
  double began = clock_seconds(), end = began + share(h);
  struct job *job;
  h->turn++;
  h->root_last = false;
  while (!hmc_over(h) && hmc_goes_on(h) && clock_seconds() < end && (job = next(h))) {
    begin(h, job, (end - began) / ITEMS > 1 ? (end - began) / ITEMS : 1);
    paths_harvest(h);
  }
  h->pr_seconds += clock_seconds() - began;
}

void paths_turn(struct hmc *h) {
  if (jobs_apart(h->jobs))
    turn_apart(h);
  else
    turn_here(h);
}

void paths_alone(struct hmc *h) {
  while (h->root && !hmc_over(h) && hmc_goes_on(h)) {
    if (!h->root->busy) begin(h, h->root, 0);
    jobs_wait(h->jobs, 0.05);
    paths_harvest(h);
  }
}
