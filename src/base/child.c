// SPDX-License-Identifier: Apache-2.0
// Starts child processes: posix_spawn with the signals as they usually are.
#define _GNU_SOURCE // posix_spawn_file_actions_addchdir_np
#include "base/child.h"

#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

static void set_file(posix_spawn_file_actions_t *files, int to, int from) {
  if (from >= 0)
    posix_spawn_file_actions_adddup2(files, from, to);
  else
    posix_spawn_file_actions_addopen(files, to, "/dev/null", O_RDWR, 0);
}

static void set_signals(posix_spawnattr_t *how) {
  sigset_t none, usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  sigaddset(&usual, SIGINT);
  sigaddset(&usual, SIGTERM);
  sigaddset(&usual, SIGHUP);
  sigaddset(&usual, SIGPIPE);
  posix_spawnattr_setflags(how,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setpgroup(how, 0);
  posix_spawnattr_setsigmask(how, &none);
  posix_spawnattr_setsigdefault(how, &usual);
}

char **child_environment(const char *setting) {
  size_t name = strcspn(setting, "=") + 1;
  VEC(char *) all = {0};
  for (char **e = environ; *e; e++)
    if (strncmp(*e, setting, name) != 0) VEC_PUSH(&all, *e);
  VEC_PUSH(&all, (char *)setting);
  VEC_PUSH(&all, NULL);
  return all.data;
}

pid_t child_start(const struct child *c) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t how;
  pid_t pid = -1;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&how);
  set_file(&files, STDIN_FILENO, c->in);
  set_file(&files, STDOUT_FILENO, c->out);
  set_file(&files, STDERR_FILENO, c->err);
  if (c->folder) posix_spawn_file_actions_addchdir_np(&files, c->folder);
  set_signals(&how);
  int error = posix_spawnp(&pid, c->program, &files, &how, c->argv,
                           c->environment ? c->environment : environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&how);
  errno = error;
  return error == 0 ? pid : -1;
}
