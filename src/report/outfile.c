// SPDX-License-Identifier: Apache-2.0
// A file that appears whole or not at all: written beside its place under a temporary name, then
// renamed. Devices and pipes (/dev/stdout, /dev/null) are written directly.
#include "report/report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_special(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

static FILE *open_temporary(struct report_file *f, const char *path) {
  struct text name = {0};
  text_printf(&name, "%s.XXXXXX", path);
  f->temporary = name.data;
  int fd = mkstemp(f->temporary);
  if (fd < 0) return NULL;
  mode_t mask = umask(0);
  umask(mask);
  fchmod(fd, 0666 & ~mask);
  return fdopen(fd, "w");
}

bool report_file_open(struct report_file *f, const char *path, const char **why) {
  *f = (struct report_file){0};
  if (strcmp(path, "-") == 0) {
    f->out = stdout;
    return true;
  }
  struct stat st;
  if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
    *why = strerror(EISDIR);
    return false;
  }
  f->out = is_special(path) ? fopen(path, "w") : open_temporary(f, path);
  if (f->out == NULL) {
    *why = strerror(errno);
    mem_free(f->temporary);
    f->temporary = NULL;
    return false;
  }
  f->path = mem_strdup(path);
  return true;
}

static void forget(struct report_file *f) {
  mem_free(f->path);
  mem_free(f->temporary);
  *f = (struct report_file){0};
}

bool report_file_commit(struct report_file *f, const char **why) {
  errno = 0;
  bool good = fflush(f->out) == 0 && !ferror(f->out);
  if (f->out != stdout && fclose(f->out) != 0) good = false;
  f->out = NULL;
  if (good && f->temporary != NULL) good = rename(f->temporary, f->path) == 0;
  if (!good) {
    *why = strerror(errno != 0 ? errno : EIO);
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
