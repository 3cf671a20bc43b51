// SPDX-License-Identifier: Apache-2.0
// The cache of compiled models: one file per key, moved into place whole by rename(2). A trailer
// after the object holds a hash of it, so that a file cut short by a full disk is never loaded.
#include "sys/cache.h"

#include "base/base.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

enum {
  OBJECTS_MAX = 200,      // kept in the folder
  STALE_SECONDS = 86400,  // a build folder this old belongs to a process that died
  ROOM_BYTES = 16 << 20,  // free space without which nothing is cached
  OBJECT_MAX = 256 << 20, // a larger file is not one of ours
};

struct trailer {
  char magic[8];
  uint64_t hash;
};
static const char MAGIC[8] = "FATHOMso";

static char *join(const char *folder, const char *name) {
  size_t n = strlen(folder) + strlen(name) + 2;
  char *path = mem_alloc(n);
  snprintf(path, n, "%s/%s", folder, name);
  return path;
}

static bool is_private(const struct stat *st) {
  return st->st_uid == geteuid() && (st->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

// --- the folder ---

// $XDG_CACHE_HOME, which must be absolute, or ~/.cache.
static char *base_folder(void) {
  const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  if (xdg && xdg[0] == '/') return mem_strdup(xdg);
  return home && home[0] == '/' ? join(home, ".cache") : NULL;
}

static bool folder_usable(const char *path) {
  struct stat st;
  struct statvfs fs;
  if (mkdir(path, 0700) != 0 && errno != EEXIST) return false;
  if (lstat(path, &st) != 0 || !S_ISDIR(st.st_mode) || !is_private(&st)) return false;
  if (access(path, R_OK | W_OK | X_OK) != 0) return false;
  return statvfs(path, &fs) == 0 && (uint64_t)fs.f_bavail * fs.f_frsize >= ROOM_BYTES;
}

char *cache_folder(void) {
  char *base = base_folder();
  if (!base) return NULL;
  mkdir(base, 0700); // its failure shows at the next one
  char *path = join(base, "fathom");
  mem_free(base);
  if (folder_usable(path)) return path;
  mem_free(path);
  return NULL;
}

void cache_key(char key[CACHE_KEY_BYTES], const void *data, size_t bytes) {
  snprintf(key, CACHE_KEY_BYTES, "%016" PRIx64 "%016" PRIx64, hash_bytes(data, bytes, 1),
           hash_bytes(data, bytes, 2));
}

static char *object_path(const char *folder, const char *key) {
  char name[CACHE_KEY_BYTES + 3];
  snprintf(name, sizeof name, "%s.so", key);
  return join(folder, name);
}

// --- objects ---

// A regular file's contents, or NULL; the caller frees them.
static char *read_object(int fd, size_t *bytes) {
  struct stat st;
  if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || !is_private(&st)) return NULL;
  if (st.st_size <= 0 || st.st_size > OBJECT_MAX) return NULL;
  char *data = mem_alloc((size_t)st.st_size);
  size_t have = 0;
  while (have < (size_t)st.st_size) {
    ssize_t n = read(fd, data + have, (size_t)st.st_size - have);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    have += (size_t)n;
  }
  *bytes = have;
  return data;
}

static bool is_whole(int fd) {
  size_t bytes = 0;
  struct trailer t;
  char *data = read_object(fd, &bytes);
  bool whole = data && bytes > sizeof t;
  if (whole) {
    bytes -= sizeof t;
    memcpy(&t, data + bytes, sizeof t);
    whole = memcmp(t.magic, MAGIC, sizeof t.magic) == 0 && t.hash == hash_bytes(data, bytes, 0);
  }
  mem_free(data);
  return whole;
}

char *cache_lookup(const char *folder, const char *key) {
  char *path = object_path(folder, key);
  int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  bool whole = fd >= 0 && is_whole(fd);
  if (whole) futimens(fd, NULL); // used now: the last to be removed
  if (fd >= 0) close(fd);
  if (whole) return path;
  mem_free(path);
  return NULL;
}

bool cache_seal(const char *object) {
  size_t bytes = 0;
  struct trailer t;
  memcpy(t.magic, MAGIC, sizeof t.magic);
  int fd = open(object, O_RDWR | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return false;
  fchmod(fd, 0700); // whatever the umask left
  char *data = read_object(fd, &bytes);
  if (data) t.hash = hash_bytes(data, bytes, 0);
  bool ok = data && write(fd, &t, sizeof t) == sizeof t;
  mem_free(data);
  return close(fd) == 0 && ok;
}

void cache_drop(const char *folder, const char *key) {
  char *path = object_path(folder, key);
  unlink(path);
  mem_free(path);
}

// --- keeping it small ---

struct entry {
  char *name;
  time_t used;
};
struct entries {
  VEC(struct entry) list;
};

static int by_age(const void *a, const void *b) {
  const struct entry *x = a, *y = b;
  return (x->used > y->used) - (x->used < y->used);
}

static bool ends_with(const char *s, const char *end) {
  size_t n = strlen(s), k = strlen(end);
  return n >= k && strcmp(s + n - k, end) == 0;
}

static void prune(const char *folder) {
  DIR *d = opendir(folder);
  if (!d) return;
  struct entries all = {0};
  for (struct dirent *f; (f = readdir(d));) {
    struct stat st;
    if (fstatat(dirfd(d), f->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (S_ISREG(st.st_mode) && ends_with(f->d_name, ".so")) {
      VEC_PUSH(&all.list, ((struct entry){mem_strdup(f->d_name), st.st_mtime}));
    } else if (S_ISDIR(st.st_mode) && strncmp(f->d_name, "build-", 6) == 0 &&
               time(NULL) - st.st_mtime > STALE_SECONDS) {
      char *path = join(folder, f->d_name);
      cache_remove_build_folder(path);
      mem_free(path);
    }
  }
  if (all.list.count) qsort(all.list.data, all.list.count, sizeof *all.list.data, by_age);
  for (size_t i = 0; i < all.list.count; i++) {
    if (i + OBJECTS_MAX < all.list.count) unlinkat(dirfd(d), all.list.data[i].name, 0);
    mem_free(all.list.data[i].name);
  }
  VEC_CLEAR(&all.list);
  closedir(d);
}

bool cache_publish(const char *folder, const char *key, const char *object) {
  char *path = object_path(folder, key);
  bool ok = rename(object, path) == 0;
  mem_free(path);
  if (ok) prune(folder);
  return ok;
}

// --- build folders ---

char *cache_build_folder(const char *folder) {
  const char *tmp = getenv("TMPDIR");
  if (!folder) folder = tmp && tmp[0] == '/' ? tmp : "/tmp";
  char *path = join(folder, "build-XXXXXX");
  if (mkdtemp(path)) return path;
  mem_free(path);
  return NULL;
}

void cache_remove_build_folder(const char *path) {
  DIR *d = opendir(path);
  if (d) {
    for (struct dirent *f; (f = readdir(d));)
      if (strcmp(f->d_name, ".") != 0 && strcmp(f->d_name, "..") != 0)
        unlinkat(dirfd(d), f->d_name, 0);
    closedir(d);
  }
  rmdir(path);
}
