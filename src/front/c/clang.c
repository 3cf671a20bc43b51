// SPDX-License-Identifier: Apache-2.0
// Runs clang: the program on its standard input, bitcode from its standard output, messages from
// its standard error, each by a nameless temporary file, so that nothing is left behind however we
// end. No pass of LLVM's runs: -O1 only makes clang give inline functions their bodies.
#define _GNU_SOURCE // prlimit
#include "front/c/clang.h"

#include "base/child.h"
#include "front/c/c.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#ifndef FATHOM_CLANG
#define FATHOM_CLANG "clang"
#endif

enum { SECONDS_MAX = 60, BYTES_MAX = 256 * 1024 * 1024 };
#define MEMORY_MAX ((rlim_t)4 << 30)

static const char *const FLAGS[] = {
    "-x",
    "c",
    "-c",
    "-emit-llvm",
    "-o",
    "-",
    "-g",
    "-w",
    "-O1",
    "-Xclang",
    "-disable-llvm-passes",
    "-Xclang",
    "-disable-lifetime-markers",
    "-U__OPTIMIZE__",
    "-fno-strict-aliasing",
    "-fno-discard-value-names",
    "-fno-pie",
    "-fno-pic",
    "-fno-stack-protector",
    "-fno-vectorize",
    "-fno-color-diagnostics",
    "-fno-caret-diagnostics",
    "-fno-diagnostics-show-option",
    "-fno-crash-diagnostics",
    "-ferror-limit=20",
};

// --- the command ---

struct command {
  VEC(char *) words;
};

static void add_word(struct command *c, const char *word) { VEC_PUSH(&c->words, mem_strdup(word)); }

static void make_command(struct command *c, const struct c_config *config) {
  add_word(c, FATHOM_CLANG);
  for (size_t i = 0; i < sizeof FLAGS / sizeof *FLAGS; i++) add_word(c, FLAGS[i]);
  if (config->checks & C_CHECK_OVERFLOW) {
    add_word(c, "-fsanitize=signed-integer-overflow");
    add_word(c, "-fsanitize-trap=signed-integer-overflow");
  } else {
    add_word(c, "-fwrapv");
  }
  for (size_t i = 0; i < config->define_count; i++) {
    struct text t = {0};
    const struct c_define *def = &config->defines[i];
    text_printf(&t, "-D%s", def->name);
    if (def->value) text_printf(&t, "=%s", def->value);
    VEC_PUSH(&c->words, t.data);
  }
  add_word(c, "-");
  VEC_PUSH(&c->words, NULL);
}

static void clear_command(struct command *c) {
  for (size_t i = 0; i < c->words.count; i++) mem_free(c->words.data[i]);
  VEC_CLEAR(&c->words);
}

// --- where files are ---

struct span clang_beginning(const struct source *s) {
  return (struct span){.source = s, .line = 1, .column = 1, .end_line = 1, .end_column = 2};
}

char *clang_folder(const char *path) {
  const char *slash = strrchr(path, '/');
  if (!slash) return NULL;
  struct text t = {0};
  text_add_n(&t, path, slash == path ? 1 : (size_t)(slash - path));
  return t.data;
}

char *clang_path(const struct source *s, const char *file) {
  char *folder = file[0] == '/' ? NULL : clang_folder(s->path);
  struct text t = {0};
  while (strncmp(file, "./", 2) == 0) file += 2;
  if (folder) text_printf(&t, "%s/", strcmp(folder, "/") == 0 ? "" : folder);
  text_add(&t, file);
  mem_free(folder);
  return t.data ? t.data : mem_strdup("");
}

// --- the program as clang is given it ---

// Says which line of which other file the next one is?
static bool is_marker(const char *line) {
  line += strspn(line, " \t");
  if (*line++ != '#') return false;
  line += strspn(line, " \t");
  return isdigit((unsigned char)*line) ||
         (strncmp(line, "line", 4) == 0 && (line[4] == ' ' || line[4] == '\t'));
}

// Under its own name, and with the lines that it has: those of a file that was preprocessed before
// would name others, which may not be there.
static void write_program(const struct source *s, FILE *f) {
  fputs("# 1 \"", f);
  for (const char *p = s->path; *p; p++) {
    if (*p == '"' || *p == '\\') putc('\\', f);
    putc(*p == '\n' ? '?' : *p, f);
  }
  fputs("\"\n", f);
  const char *end = s->text + s->bytes;
  for (const char *p = s->text; p < end;) {
    const char *stop = memchr(p, '\n', (size_t)(end - p));
    size_t n = (size_t)((stop ? stop + 1 : end) - p);
    if (is_marker(p))
      putc('\n', f);
    else
      fwrite(p, 1, n, f);
    p += n;
  }
}

// --- the child ---

struct run {
  FILE *in, *out, *err;
  pid_t pid;
};

static bool open_files(struct run *r, const struct source *s) {
  r->in = tmpfile();
  r->out = tmpfile();
  r->err = tmpfile();
  if (!r->in || !r->out || !r->err) return false;
  write_program(s, r->in);
  bool written = fflush(r->in) == 0 && !ferror(r->in);
  rewind(r->in);
  return written;
}

static void close_files(struct run *r) {
  if (r->in) fclose(r->in);
  if (r->out) fclose(r->out);
  if (r->err) fclose(r->err);
}

static bool start(struct run *r, const struct command *command, const char *folder) {
  struct child c = {.program = command->words.data[0],
                    .argv = command->words.data,
                    .in = fileno(r->in),
                    .out = fileno(r->out),
                    .err = fileno(r->err),
                    .folder = folder};
  r->pid = child_start(&c);
  if (r->pid < 0 && errno == ENOENT && strcmp(c.program, "clang") != 0) {
    c.program = "clang";
    r->pid = child_start(&c);
  }
  return r->pid > 0;
}

static bool too_large(const struct run *r) {
  struct stat out, err;
  return fstat(fileno(r->out), &out) != 0 || fstat(fileno(r->err), &err) != 0 ||
         out.st_size > BYTES_MAX || err.st_size > BYTES_MAX;
}

// Waits until the child is done; a sentence if it had to be stopped.
static const char *await(struct run *r, int *status) {
  struct rlimit memory = {MEMORY_MAX, MEMORY_MAX};
  double began = clock_seconds();
  const char *why = NULL;
  prlimit(r->pid, RLIMIT_AS, &memory, NULL);
  for (pid_t done; (done = waitpid(r->pid, status, WNOHANG)) != r->pid;) {
    if (done < 0 && errno != EINTR) return "clang got lost";
    if (clock_seconds() - began > SECONDS_MAX)
      why = "clang took longer than a minute";
    else if (too_large(r))
      why = "clang wrote more than 256 MiB";
    else if (interrupt_pending())
      why = "clang was interrupted";
    if (why) {
      kill(-r->pid, SIGKILL);
      while (waitpid(r->pid, status, 0) < 0 && errno == EINTR) continue;
      return why;
    }
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
  }
  return too_large(r) ? "clang wrote more than 256 MiB" : NULL;
}

static void read_back(FILE *f, struct text *out) {
  char chunk[65536];
  size_t n;
  rewind(f);
  while ((n = fread(chunk, 1, sizeof chunk, f)) > 0) text_add_n(out, chunk, n);
}

// --- what it says ---

struct messages {
  const struct source *program;
  struct diag *d;
  VEC(struct source *) others; // d keeps them
};

// The file that a message names; NULL: it is not one.
static const struct source *find_file(struct messages *m, const char *file) {
  if (strcmp(file, m->program->path) == 0) return m->program;
  char *path = clang_path(m->program, file);
  struct source *found = NULL;
  const char *why;
  for (size_t i = 0; i < m->others.count && !found; i++)
    if (strcmp(m->others.data[i]->path, path) == 0) found = m->others.data[i];
  if (!found && (found = source_read(path, &why))) {
    VEC_PUSH(&m->others, found);
    diag_keep_source(m->d, found);
  }
  mem_free(path);
  return found;
}

// Reads ":digits"; the end of it, or NULL.
static char *read_number(char *p, uint32_t *value) {
  char *end;
  if (*p != ':' || !isdigit((unsigned char)p[1])) return NULL;
  *value = (uint32_t)strtoul(p + 1, &end, 10);
  return end;
}

// "file:line:column:" at the beginning of a line: what comes after, or NULL.
static char *read_place(struct messages *m, char *line, struct span *at) {
  for (char *p = strchr(line, ':'); p; p = strchr(p + 1, ':')) {
    char *end = read_number(p, &at->line), *after = end ? read_number(end, &at->column) : NULL;
    if (!after || *after != ':') continue;
    *p = '\0';
    at->source = find_file(m, line);
    *p = ':';
    at->end_line = at->line;
    at->end_column = at->column + 1;
    return after + 1;
  }
  return NULL;
}

static void hand_on(struct messages *m, char *line) {
  static const struct {
    const char *word;
    enum diag_level level;
  } kinds[] = {{"error: ", DIAG_ERROR}, {"fatal error: ", DIAG_ERROR}, {"note: ", DIAG_NOTE}};
  struct span at = {0};
  char *rest = read_place(m, line, &at);
  if (!rest) rest = strncmp(line, "clang: ", 7) == 0 ? line + 7 : line;
  rest += strspn(rest, " ");
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strncmp(rest, kinds[i].word, strlen(kinds[i].word)) == 0) {
      if (!at.source) at = (struct span){0};
      diag_add(m->d, kinds[i].level, at, "%s", rest + strlen(kinds[i].word));
    }
}

static void hand_on_all(const struct source *s, FILE *err, struct diag *d) {
  struct messages m = {.program = s, .d = d};
  struct text all = {0};
  read_back(err, &all);
  char *rest = all.data;
  for (char *line; rest && (line = strsep(&rest, "\n"));) hand_on(&m, line);
  text_clear(&all);
  VEC_CLEAR(&m.others);
}

// --- ---

static void fail(const struct source *s, const char *why, struct diag *d) {
  diag_error(d, clang_beginning(s), "%s", why);
}

static void compile(struct run *r, const struct source *s, const struct command *command,
                    struct diag *d) {
  char *folder = clang_folder(s->path);
  size_t errors = d->errors;
  int status = 0;
  if (!open_files(r, s)) {
    fail(s, "there is no room for it among the temporary files", d);
  } else if (!start(r, command, folder)) {
    fail(s, "C programs need clang (" FATHOM_CLANG "), which cannot be started", d);
  } else {
    const char *why = await(r, &status);
    if (!why && !(WIFEXITED(status) && WEXITSTATUS(status) == 0)) hand_on_all(s, r->err, d);
    if (!why && d->errors == errors && status != 0) why = "clang failed, and did not say why";
    if (why) fail(s, why, d);
  }
  mem_free(folder);
}

bool clang_compile(const struct source *s, const struct c_config *config, struct text *bitcode,
                   struct diag *d) {
  struct command command = {0};
  struct run run = {.pid = -1};
  size_t errors = d->errors;
  make_command(&command, config);
  compile(&run, s, &command, d);
  bool ok = d->errors == errors;
  if (ok) read_back(run.out, bitcode);
  close_files(&run);
  clear_command(&command);
  return ok;
}
