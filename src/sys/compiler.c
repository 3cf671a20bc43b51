// SPDX-License-Identifier: Apache-2.0
// Finds and starts the C compiler: $CC, which may hold options, or cc.
#include "sys/compiler.h"

#include "base/child.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const FLAGS[] = {
    "-O1", "-std=gnu11", "-shared", "-fPIC", "-fvisibility=hidden", "-w", "-pipe",
};

static bool is_program(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

// The file that a command name means, as execvp would find it; NULL when there is none.
static char *find_program(const char *name) {
  if (strchr(name, '/')) return is_program(name) ? mem_strdup(name) : NULL;
  const char *path = getenv("PATH");
  for (const char *p = path ? path : "/usr/bin:/bin"; *p;) {
    size_t n = strcspn(p, ":");
    struct text t = {0};
    text_add_n(&t, p, n);
    text_printf(&t, "%s%s", n ? "/" : "./", name);
    char *found = is_program(text_str(&t)) ? mem_strdup(text_str(&t)) : NULL;
    text_clear(&t);
    if (found) return found;
    p += n + (p[n] == ':');
  }
  return NULL;
}

static void identify(struct compiler *c) {
  struct stat st = {0};
  stat(c->path, &st);
  text_printf(&c->identity, "%s %" PRIu64 " %" PRIu64 ".%09ld", c->path, (uint64_t)st.st_size,
              (uint64_t)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
  for (size_t i = 1; i < c->words.count; i++) text_printf(&c->identity, " %s", c->words.data[i]);
}

static void add_flags(struct compiler *c) {
  for (size_t i = 0; i < sizeof FLAGS / sizeof *FLAGS; i++)
    VEC_PUSH(&c->words, mem_strdup(FLAGS[i]));
}

bool compiler_find(struct compiler *c, const char **why) {
  const char *cc = getenv("CC");
  *c = (struct compiler){0};
  bool given = cc && cc[strspn(cc, " \t")];
  char *command = mem_strdup(given ? cc : "cc"), *rest = command;
  for (char *word; (word = strtok_r(rest, " \t\n", &rest));) {
    VEC_PUSH(&c->words, mem_strdup(word));
    if (c->words.count == 1) add_flags(c); // the user's own come later, and win
  }
  mem_free(command);
  c->path = c->words.count ? find_program(c->words.data[0]) : NULL;
  if (!c->path) {
    *why = given ? "the C compiler that $CC names was not found; running interpreted"
                 : "no C compiler found (cc); running interpreted";
    compiler_clear(c);
    return false;
  }
  identify(c);
  return true;
}

void compiler_clear(struct compiler *c) {
  for (size_t i = 0; i < c->words.count; i++) mem_free(c->words.data[i]);
  VEC_CLEAR(&c->words);
  mem_free(c->path);
  text_clear(&c->identity);
}

// Its temporary files go where the object goes, which is removed with all that is in it: a compiler
// that is killed leaves them behind.
static char *temporary_folder(const char *object) {
  struct text t = {0};
  const char *slash = strrchr(object, '/');
  text_printf(&t, "TMPDIR=%.*s", slash ? (int)(slash - object) : 1, slash ? object : ".");
  return t.data;
}

pid_t compiler_run(const struct compiler *c, const char *source, const char *object,
                   const char *errors) {
  int messages = open(errors, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (messages < 0) return -1;
  VEC(char *) argv = {0};
  for (size_t i = 0; i < c->words.count; i++) VEC_PUSH(&argv, c->words.data[i]);
  VEC_PUSH(&argv, (char *)"-o");
  VEC_PUSH(&argv, (char *)object);
  VEC_PUSH(&argv, (char *)source);
  VEC_PUSH(&argv, NULL);
  char *setting = temporary_folder(object), **environment = child_environment(setting);
  struct child child = {.program = c->path,
                        .argv = argv.data,
                        .environment = environment,
                        .in = -1,
                        .out = messages,
                        .err = messages};
  pid_t pid = child_start(&child);
  mem_free(environment);
  mem_free(setting);
  close(messages);
  VEC_CLEAR(&argv);
  return pid;
}
