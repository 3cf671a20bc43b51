// SPDX-License-Identifier: Apache-2.0
// Private to the room: the C compiler of the machine, run without a shell.
#pragma once

#include "base/base.h"

#include <sys/types.h>

struct compiler {
  char *path;           // of its first word
  VEC(char *) words;    // its command line, up to the flags
  struct text identity; // path, size, time and flags: what the result depends on
};

// False with a sentence that lives for ever when there is none.
bool compiler_find(struct compiler *c, const char **why);
void compiler_clear(struct compiler *c);
// Starts it in a process group of its own, its messages going to the file `errors`; -1 on failure.
pid_t compiler_run(const struct compiler *c, const char *source, const char *object,
                   const char *errors);
