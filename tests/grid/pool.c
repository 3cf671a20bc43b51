// SPDX-License-Identifier: Apache-2.0
// Runs many commands, some of them at the same time, and hands over what each of them said. What
// they print goes to files in memory, so nobody waits for a reader.
#define _GNU_SOURCE // memfd_create
#include "pool.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct child {
  pid_t pid; // 0: free
  size_t index;
  int out, err;
};

// In the child, whose memory is the parent's until it is another program: nothing is written there.
static void become(const struct pool *p, const struct child *c, char *const *args) {
  dup2(c->out, STDOUT_FILENO);
  dup2(c->err, STDERR_FILENO);
  alarm(p->seconds_max); // outlives exec
  execv(args[0], args);
  _exit(127);
}

// Not by fork: to copy the tables of a parent that keeps every result takes longer than many a run.
static bool start(const struct pool *p, struct child *c, size_t i) {
  pool_arguments args = {0};
  c->index = i;
  c->out = memfd_create("out", MFD_CLOEXEC);
  c->err = memfd_create("err", MFD_CLOEXEC);
  if (c->out < 0 || c->err < 0) return false;
  p->arguments(p->context, i, &args);
  VEC_PUSH(&args, NULL);
  c->pid = vfork();
  if (c->pid == 0) become(p, c, args.data);
  VEC_CLEAR(&args);
  return c->pid > 0;
}

static void take(int file, struct text *t) {
  char buffer[65536];
  lseek(file, 0, SEEK_SET);
  for (ssize_t n; (n = read(file, buffer, sizeof buffer)) > 0;) text_add_n(t, buffer, (size_t)n);
  close(file);
}

// Waits for one child and hands over what it said.
static void finish(const struct pool *p, struct child *children) {
  int status;
  pid_t pid = wait(&status);
  for (unsigned k = 0; k < p->jobs; k++) {
    struct child *c = &children[k];
    if (c->pid != pid) continue;
    struct pool_outcome o = {.status =
                                 WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status)};
    take(c->out, &o.out);
    take(c->err, &o.err);
    p->done(p->context, c->index, &o);
    text_clear(&o.out);
    text_clear(&o.err);
    c->pid = 0;
  }
}

bool pool_run(const struct pool *p, size_t count) {
  struct child *children = mem_zalloc(p->jobs, sizeof *children);
  size_t next = 0, running = 0;
  bool ok = true;
  while ((ok && next < count) || running > 0) {
    unsigned k = 0;
    while (k < p->jobs && children[k].pid > 0) k++;
    if (ok && next < count && k < p->jobs) {
      ok = start(p, &children[k], next++);
      if (ok)
        running++;
      else
        children[k].pid = 0;
    } else {
      finish(p, children);
      running--;
    }
  }
  mem_free(children);
  return ok;
}
