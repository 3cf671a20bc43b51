// SPDX-License-Identifier: Apache-2.0
// A file that appears whole or not at all: written beside its place under a temporary name, then
// renamed. Links are followed first, so that what they point to is replaced and not they. Devices
// and pipes (/dev/stdout, /dev/null) are written directly.
#include "report/report.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINKS_MAX 40 // as many as Linux follows

// The folder of a path and its last name: "a/b" into "a/" and "b", "b" into "" and "b".
static const char *split_folder(struct text *folder, const char *path) {
  const char *slash = strrchr(path, '/');
  if (slash == NULL) return path;
  text_add_n(folder, path, (size_t)(slash + 1 - path));
  return slash + 1;
}

// The path of a file that is not there yet, without links in its folder's part; NULL and errno.
static char *real_place(const char *path) {
  struct text folder = {0}, place = {0};
  const char *name = split_folder(&folder, path);
  char *real = realpath(folder.count > 0 ? folder.data : ".", NULL);
  text_clear(&folder);
  if (real != NULL && *name == '\0') errno = EISDIR;
  if (real != NULL && *name != '\0')
    text_printf(&place, "%s/%s", strcmp(real, "/") == 0 ? "" : real, name);
  free(real);
  return place.data;
}

// The path with every link followed, also where the last one points to nothing yet; NULL and errno.
static char *follow_links(const char *path) {
  char *real = realpath(path, NULL), target[PATH_MAX];
  if (real != NULL) {
    char *copy = mem_strdup(real);
    free(real);
    return copy;
  }
  if (errno != ENOENT || *path == '\0') return NULL;
  struct text at = {0};
  text_add(&at, path);
  for (int i = 0; i < LINKS_MAX; i++) {
    ssize_t length = readlink(at.data, target, sizeof target);
    if (length < 0 || length == sizeof target) break;
    struct text next = {0};
    if (target[0] != '/') split_folder(&next, at.data);
    text_add_n(&next, target, (size_t)length);
    text_clear(&at);
    at = next;
  }
  char *place = real_place(at.data);
  text_clear(&at);
  return place;
}

// Beside f->path; with the mode of the file that it is to replace, if there is one.
static FILE *open_temporary(struct report_file *f, const struct stat *old) {
  if (old != NULL && access(f->path, W_OK) != 0) return NULL;
  struct text name = {0};
  text_printf(&name, "%s.XXXXXX", f->path);
  int fd = mkstemp(name.data);
  if (fd < 0) {
    text_clear(&name);
    return NULL;
  }
  f->temporary = name.data;
  mode_t mask = umask(0);
  umask(mask);
  fchmod(fd, old != NULL ? old->st_mode & 0777 : 0666 & ~mask);
  return fdopen(fd, "w");
}

static FILE *open_path(struct report_file *f, const char *path) {
  struct stat st;
  bool there = stat(path, &st) == 0, special = there && !S_ISREG(st.st_mode);
  if (there && S_ISDIR(st.st_mode)) {
    errno = EISDIR;
    return NULL;
  }
  f->path = special ? mem_strdup(path) : follow_links(path);
  if (f->path == NULL) return NULL;
  return special ? fopen(path, "w") : open_temporary(f, there ? &st : NULL);
}

static void forget(struct report_file *f) {
  mem_free(f->path);
  mem_free(f->temporary);
  *f = (struct report_file){0};
}

bool report_file_open(struct report_file *f, const char *path, const char **why) {
  *f = (struct report_file){0};
  f->out = strcmp(path, "-") == 0 ? stdout : open_path(f, path);
  if (f->out != NULL) return true;
  *why = strerror(errno);
  forget(f);
  return false;
}

static bool same_inode(const struct stat *a, const struct stat *b) {
  return S_ISREG(a->st_mode) && a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool report_file_replaces(const struct report_file *f, const char *path, int standard) {
  struct stat ours, theirs;
  if (f->temporary == NULL || stat(f->path, &ours) != 0) return false;
  int got = strcmp(path, "-") == 0 ? fstat(standard, &theirs) : stat(path, &theirs);
  return got == 0 && same_inode(&ours, &theirs);
}

bool report_file_same(const struct report_file *f, const struct report_file *g) {
  if (f->temporary == NULL || g->temporary == NULL) return false;
  return strcmp(f->path, g->path) == 0 || report_file_replaces(f, g->path, -1);
}

// What an earlier write did not say is no longer known when the stream tells of it.
const char *report_write_problem(int error) {
  return error != 0 ? strerror(error) : "not all of it could be written (is the disk full?)";
}

bool report_file_commit(struct report_file *f, const char **why) {
  errno = 0;
  bool good = fflush(f->out) == 0 && !ferror(f->out);
  if (f->out != stdout && fclose(f->out) != 0) good = false;
  f->out = NULL;
  if (good && f->temporary != NULL) good = rename(f->temporary, f->path) == 0;
  if (!good) {
    *why = report_write_problem(errno);
    if (f->temporary != NULL) unlink(f->temporary);
  }
  forget(f);
  return good;
}

void report_file_discard(struct report_file *f) {
  if (f->out != NULL && f->out != stdout) fclose(f->out);
  if (f->temporary != NULL) unlink(f->temporary);
  forget(f);
}
