// SPDX-License-Identifier: Apache-2.0
// C code that came with a model: compiled at once, and loaded. It is not cached: what it includes
// is not known here.
#include "base/base.h"
#include "sys/cache.h"
#include "sys/compiler.h"
#include "sys/sys.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>

enum { SECONDS_MAX = 60 };

struct sys_library {
  void *handle;
};

struct build {
  char *folder;
  struct text source, object, errors; // paths
};

static bool write_source(const struct build *b, const char *code) {
  FILE *f = fopen(text_str(&b->source), "wx");
  if (!f) return false;
  bool ok = fputs(code, f) >= 0;
  return fclose(f) == 0 && ok;
}

static bool build_begin(struct build *b, const char *code) {
  b->folder = cache_build_folder(NULL);
  if (!b->folder) return false;
  text_printf(&b->source, "%s/embedded.c", b->folder);
  text_printf(&b->object, "%s/embedded.so", b->folder);
  text_printf(&b->errors, "%s/errors", b->folder);
  return write_source(b, code);
}

static void build_end(struct build *b) {
  if (b->folder) cache_remove_build_folder(b->folder);
  mem_free(b->folder);
  text_clear(&b->source);
  text_clear(&b->object);
  text_clear(&b->errors);
}

static void read_messages(const struct build *b, struct text *messages) {
  char chunk[4096];
  FILE *f = fopen(text_str(&b->errors), "r");
  if (!f) return;
  for (size_t n; (n = fread(chunk, 1, sizeof chunk, f)) > 0;) text_add_n(messages, chunk, n);
  fclose(f);
}

// Why the compiler did not end well; NULL: it did.
static const char *await(pid_t pid) {
  double began = clock_seconds();
  const struct timespec pause = {.tv_nsec = 2000000};
  int status = 0;
  for (pid_t p; (p = waitpid(pid, &status, WNOHANG)) != pid; nanosleep(&pause, NULL)) {
    if (p < 0 && errno != EINTR) return "the C compiler got lost";
    bool late = clock_seconds() - began > SECONDS_MAX;
    if (!late && !interrupt_pending()) continue;
    kill(-pid, SIGKILL); // the compiler leads a process group of its own
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
    return late ? "the C compiler took longer than a minute" : "the C compiler was interrupted";
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? NULL : "the C compiler failed";
}

static const char *compile(struct build *b, const char *folder) {
  struct compiler c;
  const char *why;
  if (!compiler_find(&c, &why))
    return "it needs a C compiler, and there is none (cc, or what $CC names)";
  VEC_PUSH(&c.words, mem_strdup("-fno-strict-aliasing"));
  VEC_PUSH(&c.words, mem_strdup("-I"));
  VEC_PUSH(&c.words, mem_strdup(folder));
  pid_t pid = compiler_run(&c, text_str(&b->source), text_str(&b->object), text_str(&b->errors));
  compiler_clear(&c);
  return pid > 0 ? await(pid) : "the C compiler could not be started";
}

struct sys_library *sys_library_new(const char *code, const char *folder, struct text *why,
                                    struct text *messages) {
  struct build b = {0};
  void *handle = NULL;
  const char *problem = "there is no room for it among the temporary files";
  if (build_begin(&b, code)) problem = compile(&b, folder);
  if (!problem) {
    handle = dlopen(text_str(&b.object), RTLD_NOW | RTLD_LOCAL);
    if (!handle) problem = dlerror();
  } else {
    read_messages(&b, messages);
  }
  if (problem) text_add(why, problem);
  build_end(&b);
  if (!handle) return NULL;
  struct sys_library *l = mem_zalloc(1, sizeof *l);
  l->handle = handle;
  return l;
}

void *sys_library_symbol(const struct sys_library *l, const char *name) {
  return dlsym(l->handle, name);
}

void sys_library_free(struct sys_library *l) {
  if (!l) return;
  dlclose(l->handle);
  mem_free(l);
}
