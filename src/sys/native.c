// SPDX-License-Identifier: Apache-2.0
// Compiles the generated C in a process of its own, loads the result, and puts its functions in the
// place of the interpreter's. Whatever goes wrong on the way ends in a sentence and the
// interpreter.
#include "sys/native.h"

#include "base/base.h"
#include "fathom_native.h"
#include "ir/ir.h"
#include "sys/cache.h"
#include "sys/compiler.h"
#include "sys/emit.h"
#include "sys/sys.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct native {
  uint32_t words;
  const struct ir_foreign *foreign; // of the model; NULL: none
  char key[CACHE_KEY_BYTES];
  char *folder;   // the cache; NULL: not used
  char *build;    // the folder compiled in; NULL when there is none (any more)
  pid_t compiler; // 0: none is running
  enum native_status status;
  bool cached;
  double began, seconds;
  struct text problem;
  void *handle;
  const struct fathom_native *table;
};

// --- loading ---

static bool fits(const struct native *n, const struct fathom_native *t) {
  return t && t->abi == FATHOM_NATIVE_ABI && t->words == n->words && strcmp(t->key, n->key) == 0;
}

// Loads an object; false leaves a reason in *why, which the next dl call may overwrite.
static bool load(struct native *n, const char *path, const char **why) {
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  *why = handle ? "it belongs to another model or version" : dlerror();
  const struct fathom_native *table = handle ? dlsym(handle, "fathom_native_model") : NULL;
  if (!fits(n, table)) {
    if (handle) dlclose(handle);
    return false;
  }
  if (n->foreign) {
    void (*const **functions)(int64_t *) = dlsym(handle, "fathom_native_foreign");
    assert(functions && "emit_model writes it");
    *functions = n->foreign->functions;
  }
  n->handle = handle;
  n->table = table;
  n->status = NATIVE_READY;
  return true;
}

static bool load_cached(struct native *n) {
  const char *why;
  char *path = n->folder ? cache_lookup(n->folder, n->key) : NULL;
  if (!path) return false;
  n->cached = load(n, path, &why);
  if (!n->cached) cache_drop(n->folder, n->key);
  mem_free(path);
  return n->cached;
}

// --- compiling ---

static void build_path(struct text *out, const struct native *n, const char *name) {
  text_printf(out, "%s/%s", n->build, name);
}

static bool write_file(const struct native *n, const char *name, const char *first,
                       const char *second) {
  struct text path = {0};
  build_path(&path, n, name);
  FILE *f = fopen(text_str(&path), "wx");
  text_clear(&path);
  if (!f) return false;
  bool ok = fputs(first, f) >= 0 && fputs(second, f) >= 0;
  return fclose(f) == 0 && ok;
}

static void remove_build(struct native *n) {
  if (!n->build) return;
  cache_remove_build_folder(n->build);
  mem_free(n->build);
  n->build = NULL;
}

static bool write_sources(struct native *n, const char *code) {
  struct text key = {0};
  text_printf(&key, "#define FATHOM_NATIVE_KEY \"%s\"\n", n->key);
  bool ok = write_file(n, "fathom_native.h", native_header_text, "") &&
            write_file(n, "model.c", text_str(&key), code);
  text_clear(&key);
  return ok;
}

// In the cache if there is one, else (or if its disk is full) among the temporary files.
static bool make_build(struct native *n, const char *code) {
  for (int attempt = 0; attempt < 2; attempt++) {
    n->build = cache_build_folder(n->folder);
    if (n->build && write_sources(n, code)) return true;
    remove_build(n);
    if (!n->folder) return false;
    mem_free(n->folder);
    n->folder = NULL;
  }
  return false;
}

static bool start_compiler(struct native *n, const struct compiler *c) {
  struct text source = {0}, object = {0}, errors = {0};
  build_path(&source, n, "model.c");
  build_path(&object, n, "model.so");
  build_path(&errors, n, "errors");
  n->compiler = compiler_run(c, text_str(&source), text_str(&object), text_str(&errors));
  text_clear(&source);
  text_clear(&object);
  text_clear(&errors);
  return n->compiler > 0;
}

// Everything that the object depends on.
static void make_key(struct native *n, const struct compiler *c, const struct text *code) {
  struct text all = {0};
  text_printf(&all, "%d\n%s\n", FATHOM_NATIVE_ABI, text_str(&c->identity));
  text_add(&all, native_header_text);
  text_add_n(&all, code->data, code->count);
  cache_key(n->key, all.data, all.count);
  text_clear(&all);
}

// Nothing runs yet. Looks in the cache, unless told not to.
static struct native *prepare(const struct compiler *c, const struct ir_model *m,
                              const struct text *code, bool no_cache) {
  struct native *n = mem_zalloc(1, sizeof *n);
  n->words = m->layout->words;
  n->foreign = m->foreign;
  n->began = clock_seconds();
  make_key(n, c, code);
  if (!no_cache) n->folder = cache_folder();
  if (load_cached(n)) n->seconds = clock_seconds() - n->began;
  return n;
}

// Gives up with NULL and a sentence.
static struct native *compile(struct native *n, const struct compiler *c, const struct text *code,
                              const char **why) {
  if (!make_build(n, text_str(code)))
    *why =
        "the generated code cannot be written into the folder for temporary files (TMPDIR: is it "
        "there, is it full?); running interpreted";
  else if (!start_compiler(n, c))
    *why = "the C compiler could not be started; running interpreted";
  else
    return n;
  native_free(n);
  return NULL;
}

static struct native *begin(const struct ir_model *m, bool no_cache, bool may_compile,
                            const char **why) {
  struct compiler c;
  struct text code = {0};
  struct native *n = NULL;
  if (!compiler_find(&c, why)) return NULL;
  *why = emit_model(&code, m);
  if (!*why) n = prepare(&c, m, &code, no_cache);
  if (n && !n->cached && may_compile) {
    n = compile(n, &c, &code, why);
  } else if (n && !n->cached) {
    native_free(n);
    n = NULL;
  }
  compiler_clear(&c);
  text_clear(&code);
  return n;
}

struct native *native_start(const struct ir_model *m, bool no_cache, const char **why) {
  return begin(m, no_cache, true, why);
}

struct native *native_from_cache(const struct ir_model *m) {
  const char *why;
  return begin(m, false, false, &why);
}

// --- when the compiler has ended ---

static void add_first_error(struct native *n) {
  struct text path = {0};
  char line[256] = "";
  build_path(&path, n, "errors");
  FILE *f = fopen(text_str(&path), "r");
  if (f && fgets(line, sizeof line, f)) {
    line[strcspn(line, "\r\n")] = 0;
    if (line[0]) text_printf(&n->problem, ": %s", line);
  }
  if (f) fclose(f);
  text_clear(&path);
}

static void fail(struct native *n, const char *what, const char *detail) {
  n->status = NATIVE_FAILED;
  text_add(&n->problem, what);
  if (detail)
    text_printf(&n->problem, ": %s", detail);
  else
    add_first_error(n);
  text_add(&n->problem, "; running interpreted");
}

static void load_built(struct native *n) {
  const char *why;
  struct text object = {0};
  build_path(&object, n, "model.so");
  bool sealed = n->folder && cache_seal(text_str(&object));
  if (!load(n, text_str(&object), &why))
    fail(n, "the compiled model could not be loaded", why);
  else if (sealed)
    cache_publish(n->folder, n->key, text_str(&object));
  text_clear(&object);
}

static void finish(struct native *n, int status) {
  n->compiler = 0;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    load_built(n);
  else if (WIFSIGNALED(status))
    fail(n, "the C compiler was ended by a signal", strsignal(WTERMSIG(status)));
  else
    fail(n, "the C compiler failed", NULL);
  remove_build(n);
  n->seconds = clock_seconds() - n->began;
}

enum native_status native_poll(struct native *n, double wait_seconds) {
  double began = clock_seconds();
  const struct timespec pause = {.tv_nsec = 2000000};
  while (n->status == NATIVE_RUNNING) {
    int status = 0;
    pid_t p = waitpid(n->compiler, &status, WNOHANG);
    if (p == n->compiler || (p < 0 && errno == ECHILD)) // reaped elsewhere: its object tells
      finish(n, status);
    else if (clock_seconds() - began >= wait_seconds || interrupt_pending())
      break;
    else
      nanosleep(&pause, NULL);
  }
  return n->status;
}

const char *native_problem(const struct native *n) { return text_str(&n->problem); }
double native_seconds(const struct native *n) { return n->seconds; }
bool native_cached(const struct native *n) { return n->cached; }

void native_free(struct native *n) {
  if (!n) return;
  if (n->compiler > 0) {
    kill(-n->compiler, SIGKILL); // the compiler leads a process group of its own
    while (waitpid(n->compiler, NULL, 0) < 0 && errno == EINTR) continue;
  }
  remove_build(n);
  if (n->handle) dlclose(n->handle);
  text_clear(&n->problem);
  mem_free(n->folder);
  mem_free(n);
}

// --- in the interpreter's place ---

_Static_assert(sizeof(struct sys_step) == sizeof(struct fathom_step) &&
                   offsetof(struct sys_step, choice) == offsetof(struct fathom_step, choice) &&
                   offsetof(struct sys_step, site) == offsetof(struct fathom_step, site),
               "a step looks the same on both sides");
_Static_assert(SYS_PROPERTY == 1 && SYS_SITE == 2, "kinds of faults are the same on both sides");

static const struct fathom_native *table_of(const struct sys *s) { return s->native_impl; }

static void borrow(struct fathom_batch *b, const struct sys_out *out) {
  b->words = out->words;
  b->steps = (struct fathom_step *)out->steps;
  b->count = out->count;
  b->capacity = out->capacity;
}

static void grow(struct fathom_batch *b) {
  struct sys_out *out = b->owner;
  out->count = b->count;
  sys_out_reserve(out, 1);
  borrow(b, out);
}

static void expand(struct sys *s, const uint64_t *state, struct sys_out *out) {
  const struct fathom_native *t = table_of(s);
  struct fathom_batch b = {.grow = grow, .owner = out, .covers = out->covers, .moved = out->moved};
  if (t->reserve) sys_out_reserve(out, t->reserve);
  borrow(&b, out);
  t->expand(state, &b);
  out->count = b.count;
  out->fired += b.fired;
  out->moved = b.moved;
}

static struct sys_fault fault_of(struct fathom_fault f) {
  return (struct sys_fault){.kind = (enum sys_fault_kind)f.kind, .id = f.id};
}

static struct sys_fault check(struct sys *s, const uint64_t *state) {
  return fault_of(table_of(s)->check(state));
}

static struct sys_fault covers(struct sys *s, const uint64_t *state, uint64_t *bits) {
  return fault_of(table_of(s)->covers(state, bits));
}

static struct sys_fault atoms(struct sys *s, const uint64_t *state, uint64_t *bits) {
  return fault_of(table_of(s)->atoms(state, bits));
}

static uint64_t ample(struct sys *s, const uint64_t *state) { return table_of(s)->ample(state); }

static bool may_end(struct sys *s, const uint64_t *state) { return table_of(s)->may_end(state); }

void native_attach(struct native *n, struct sys *s) {
  assert(n->status == NATIVE_READY);
  s->native_impl = n->table;
  s->native = true;
  s->expand = expand;
  s->check = check;
  s->covers = covers;
  s->atoms = atoms;
  s->ample = ample;
  s->may_end = may_end;
}
