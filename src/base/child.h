// SPDX-License-Identifier: Apache-2.0
// Child processes, started without a shell and in a process group of their own, so that whoever
// interrupts us does not interrupt them behind our back.
#pragma once

#include <sys/types.h>

struct child {
  const char *program;      // a path, or a name to look for in $PATH
  char *const *argv;        // ends with NULL
  char *const *environment; // NULL: ours
  int in, out, err;         // descriptors; -1: /dev/null
  const char *folder;       // to run in; NULL: ours
};

// Ours, but for one setting (NAME=VALUE, which must outlive it); mem_free it.
char **child_environment(const char *setting);

// Its pid, also its group's; -1 with the reason in errno.
pid_t child_start(const struct child *c);
