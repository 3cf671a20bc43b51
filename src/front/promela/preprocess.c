// SPDX-License-Identifier: Apache-2.0
// The C compiler's preprocessor over a model, as SPIN does: a child process without a shell, in the
// model's folder, which reads the text from a file of its own and writes into others. It is stopped
// when it takes too long or writes too much (files that include themselves, macros that explode).
#define _GNU_SOURCE // prlimit
#include "front/promela/scan.h"

#include "base/child.h"

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
#include <unistd.h>

enum { SECONDS_MAX = 10, MESSAGES_MAX = 20 };
static const off_t BYTES_MAX = 64 << 20;
static const rlim_t MEMORY_MAX = 2ul << 30;

struct job {
  struct pml_files *files;
  struct arena *arena;
  const struct pml_define *defines;
  size_t define_count;
  struct diag *diag;
};

// --- what it is given ---

static size_t blanks(const char *p) { return strspn(p, " \t"); }

bool pml_has_directives(const struct source *s) {
  for (const char *p = s->text; p; p = strchr(p, '\n')) {
    p += *p == '\n';
    if (p[blanks(p)] == '#') return true;
  }
  return false;
}

// Is this "#define NAME ..." (not of a macro with parameters) or "#undef NAME"?
static bool defines_name(const char *p, const char *name) {
  size_t n = strlen(name);
  p += blanks(p);
  if (*p++ != '#') return false;
  p += blanks(p);
  bool define = strncmp(p, "define", 6) == 0;
  if (!define && strncmp(p, "undef", 5) != 0) return false;
  p += define ? 6 : 5;
  if (blanks(p) == 0) return false;
  p += blanks(p);
  return strncmp(p, name, n) == 0 && !isalnum((unsigned char)p[n]) && p[n] != '_' && p[n] != '(';
}

// Blanks out the directive at p with the lines it goes on in.
static void blank_directive(char *p) {
  for (; *p && *p != '\n'; p++) {
    if (*p == '\\' && p[1] == '\n')
      *p++ = ' '; // keeps the line end
    else
      *p = ' ';
  }
}

// The text as the preprocessor gets it: what -D defines is not defined again.
static char *text_without(const struct source *s, const struct pml_define *defines, size_t n) {
  char *text = mem_strdup(s->text);
  for (char *p = text; p; p = strchr(p, '\n')) {
    p += *p == '\n';
    for (size_t i = 0; i < n; i++)
      if (defines_name(p, defines[i].name)) blank_directive(p);
  }
  return text;
}

struct command {
  VEC(char *) words;
  char **environment;
  char *compiler;
};

static void build_command(struct command *c, const struct pml_define *defines, size_t n) {
  static char *const flags[] = {"-E", "-x", "c", "-std=gnu99", "-undef", "-nostdinc"};
  const char *cc = getenv("CC");
  c->compiler = mem_strdup(cc && cc[strspn(cc, " \t")] ? cc : "cc");
  char *rest = c->compiler;
  for (char *word; (word = strtok_r(rest, " \t\n", &rest));) VEC_PUSH(&c->words, mem_strdup(word));
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
    VEC_PUSH(&c->words, mem_strdup(flags[i]));
  for (size_t i = 0; i < n; i++) {
    struct text t = {0};
    text_printf(&t, "-D%s=%s", defines[i].name, defines[i].value);
    VEC_PUSH(&c->words, t.data);
  }
  VEC_PUSH(&c->words, mem_strdup("-"));
  VEC_PUSH(&c->words, NULL);
  c->environment = child_environment("LC_ALL=C");
}

static void clear_command(struct command *c) {
  for (size_t i = 0; i < c->words.count; i++) mem_free(c->words.data[i]);
  VEC_CLEAR(&c->words);
  mem_free(c->environment);
  mem_free(c->compiler);
}

// --- the child ---

struct run {
  FILE *in, *out, *err;
  pid_t pid;
};

static bool start(struct run *r, const struct command *command, const char *folder) {
  struct child c = {.program = command->words.data[0],
                    .argv = command->words.data,
                    .environment = command->environment,
                    .in = fileno(r->in),
                    .out = fileno(r->out),
                    .err = fileno(r->err),
                    .folder = folder};
  r->pid = child_start(&c);
  return r->pid > 0;
}

static bool too_large(const struct run *c) {
  struct stat out, err;
  return fstat(fileno(c->out), &out) != 0 || fstat(fileno(c->err), &err) != 0 ||
         out.st_size > BYTES_MAX || err.st_size > BYTES_MAX;
}

// Waits until the child is done; a sentence if it had to be stopped.
static const char *await(struct run *c, int *status) {
  struct rlimit memory = {MEMORY_MAX, MEMORY_MAX};
  double began = clock_seconds();
  const char *why = NULL;
  long pause_ns = 200000;
  prlimit(c->pid, RLIMIT_AS, &memory, NULL);
  for (pid_t done; (done = waitpid(c->pid, status, WNOHANG)) != c->pid;) {
    if (done < 0 && errno != EINTR) return "it got lost";
    if (clock_seconds() - began > SECONDS_MAX)
      why = "it took longer than 10 seconds";
    else if (too_large(c))
      why = "it wrote more than 64 MiB";
    else if (interrupt_pending())
      why = "it was interrupted";
    if (why) {
      kill(-c->pid, SIGKILL);
      waitpid(c->pid, status, 0);
      return why;
    }
    nanosleep(&(struct timespec){.tv_nsec = pause_ns}, NULL);
    if (pause_ns < 10000000) pause_ns += pause_ns / 2;
  }
  return too_large(c) ? "it wrote more than 64 MiB" : NULL;
}

static void read_back(FILE *f, struct text *out) {
  char chunk[65536];
  size_t n;
  rewind(f);
  while ((n = fread(chunk, 1, sizeof chunk, f)) > 0) text_add_n(out, chunk, n);
}

static bool open_files(struct run *c, const char *text) {
  c->in = tmpfile();
  c->out = tmpfile();
  c->err = tmpfile();
  if (!c->in || !c->out || !c->err) return false;
  bool written = fputs(text, c->in) >= 0 && fflush(c->in) == 0;
  rewind(c->in);
  return written;
}

static void close_files(struct run *c) {
  if (c->in) fclose(c->in);
  if (c->out) fclose(c->out);
  if (c->err) fclose(c->err);
}

// --- what it says ---

struct message { // "file:line:column: error: text"
  struct text file;
  uint32_t line, column;
  bool is_error;
  const char *text;
};

// Reads digits and a colon; NULL if there are none.
static const char *read_number(const char *p, uint32_t *value) {
  char *end;
  if (!isdigit((unsigned char)*p)) return NULL;
  *value = (uint32_t)strtoul(p, &end, 10);
  return *end == ':' ? end + 1 : NULL;
}

// False: the line is something else, like "In file included from".
static bool read_message(const char *line, struct message *m) {
  static const char *const kinds[] = {" warning: ", " error: ", " fatal error: "};
  const char *p = strchr(line, ':'), *rest;
  if (!p) return false;
  text_clear(&m->file);
  text_add_n(&m->file, line, (size_t)(p - line));
  if (!(rest = read_number(p + 1, &m->line))) return false;
  m->column = 1;
  p = read_number(rest, &m->column);
  if (p) rest = p;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (strncmp(rest, kinds[i], strlen(kinds[i])) != 0) continue;
    m->text = rest + strlen(kinds[i]);
    m->is_error = i > 0;
    return true;
  }
  return false;
}

// The name given with -D that a warning says is defined again, in an included file; or NULL.
static const char *redefined(const struct message *m, const struct pml_define *defines, size_t n) {
  if (m->is_error || !strstr(m->text, "redefined")) return NULL;
  for (size_t i = 0; i < n; i++) {
    const char *p = strstr(m->text, defines[i].name);
    if (p && p > m->text && strchr("\"'", p[-1]) && strchr("\"'", p[strlen(defines[i].name)]))
      return defines[i].name;
  }
  return NULL;
}

static void report_messages(struct job *j, char *text) {
  struct message m = {0};
  int count = 0;
  for (char *rest = text, *line; count < MESSAGES_MAX && (line = strtok_r(rest, "\n", &rest));) {
    if (!read_message(line, &m)) continue;
    const char *name = redefined(&m, j->defines, j->define_count);
    if (!m.is_error && !name) continue;
    int32_t file = pml_files_find(j->files, j->arena, text_str(&m.file));
    struct span at = {
        .line = m.line, .column = m.column, .end_line = m.line, .end_column = m.column + 1};
    at.source = j->files->files.data[file < 0 ? 0 : file].source;
    if (name)
      diag_error(j->diag, at,
                 "-D %s: an included file defines it, too; expected #ifndef %s around this", name,
                 name);
    else
      diag_error(j->diag, at, "preprocessor: %s", m.text);
    count++;
  }
  text_clear(&m.file);
}

static struct span start_of(const struct pml_files *f) {
  return (struct span){
      .source = f->files.data[0].source, .line = 1, .column = 1, .end_line = 1, .end_column = 2};
}

// After the child: its output if all went well.
static bool take_results(struct job *j, struct run *c, int status, struct text *out) {
  size_t before = j->diag->errors;
  struct text messages = {0};
  read_back(c->err, &messages);
  if (messages.data) report_messages(j, messages.data);
  bool good = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  const char *first = text_str(&messages); // its first line
  first += strspn(first, "\n");
  if (!good && j->diag->errors == before)
    diag_error(j->diag, start_of(j->files), "the preprocessor failed%s%s", *first ? ": " : "",
               first);
  text_clear(&messages);
  if (j->diag->errors > before) return false;
  read_back(c->out, out);
  if (memchr(text_str(out), '\0', out->count)) {
    diag_error(j->diag, start_of(j->files), "an included file holds a NUL byte; expected text");
    return false;
  }
  return true;
}

static bool preprocess(struct job *j, const struct command *command, const char *text,
                       struct text *out) {
  struct run c = {0};
  int status = 0;
  const char *why = NULL;
  struct span at = start_of(j->files);
  bool good = false;
  if (!open_files(&c, text))
    diag_error(j->diag, at, "the preprocessor cannot be run: no temporary file: %s",
               strerror(errno));
  else if (!start(&c, command, j->files->folder))
    diag_error(j->diag, at,
               "the model needs the preprocessor, but the C compiler '%s' cannot be run: %s",
               command->words.data[0], strerror(errno));
  else if ((why = await(&c, &status)))
    diag_error(j->diag, at, "the preprocessor was stopped: %s", why);
  else
    good = take_results(j, &c, status, out);
  close_files(&c);
  return good;
}

bool pml_preprocess(struct pml_files *f, struct arena *a, const struct pml_define *defines,
                    size_t define_count, struct text *out, struct diag *d) {
  struct job j = {
      .files = f, .arena = a, .defines = defines, .define_count = define_count, .diag = d};
  struct command command = {0};
  build_command(&command, defines, define_count);
  char *text = text_without(f->files.data[0].source, defines, define_count);
  bool good = preprocess(&j, &command, text, out);
  mem_free(text);
  clear_command(&command);
  return good;
}
