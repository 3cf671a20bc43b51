// SPDX-License-Identifier: Apache-2.0
// Writing and reading the file of a saved search, by the block; the checksum of each block begins
// with that of the one before.
#include "search/saved_io.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK_BYTES = 1 << 16, SUM_BYTES = 8, MARK_BYTES = 8 };
static const char mark[MARK_BYTES + 1] = "FATHOM\r\n"; // whoever changes line ends spoils it

// --- writing ---

static void write_all(struct saved_out *o, const unsigned char *bytes, size_t count) {
  while (count > 0 && !o->error) {
    ssize_t n = write(o->fd, bytes, count);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      o->error = errno;
      return;
    }
    bytes += n;
    count -= (size_t)n;
  }
}

static void write_block(struct saved_out *o) {
  o->hash = hash_bytes(o->block, o->count, o->hash);
  write_all(o, o->block, o->count);
  o->count = 0;
}

void saved_put(struct saved_out *o, const void *bytes, size_t count) {
  const unsigned char *from = bytes;
  o->at += count;
  while (count > 0) {
    size_t n = count < BLOCK_BYTES - o->count ? count : BLOCK_BYTES - o->count;
    memcpy(o->block + o->count, from, n);
    from += n;
    count -= n;
    o->count += n;
    if (o->count == BLOCK_BYTES) write_block(o);
  }
}

void saved_put32(struct saved_out *o, uint32_t value) {
  value = htole32(value);
  saved_put(o, &value, sizeof value);
}

void saved_put64(struct saved_out *o, uint64_t value) {
  value = htole64(value);
  saved_put(o, &value, sizeof value);
}

void saved_put32s(struct saved_out *o, const uint32_t *values, size_t count) {
  for (size_t i = 0; i < count; i++) saved_put32(o, values[i]);
}

void saved_put64s(struct saved_out *o, const uint64_t *values, size_t count) {
  for (size_t i = 0; i < count; i++) saved_put64(o, values[i]);
}

// --- taking the old file's place ---

static bool refuse(struct text *why, const char *what, int error) {
  text_printf(why, "%s: %s", what, strerror(error));
  return false;
}

// Where the file really is: what a link points to is replaced, not the link. False: it is there
// already, and is none.
static bool find_path(struct saved_out *o, const char *path, struct text *why) {
  struct stat s;
  char *real = realpath(path, NULL);
  o->path = mem_strdup(real ? real : path);
  free(real);
  if (stat(o->path, &s) != 0 || S_ISREG(s.st_mode)) return true;
  text_add(why, "there is something of that name that is not a file");
  return false;
}

bool saved_out_open(struct saved_out *o, const char *path, struct text *why) {
  *o = (struct saved_out){.fd = -1};
  if (!find_path(o, path, why)) return false;
  struct text name = {0};
  text_printf(&name, "%s.%ld.tmp", o->path, (long)getpid());
  o->temporary = name.data;
  o->block = mem_alloc(BLOCK_BYTES);
  unlink(o->temporary); // of a process that had the same number, and did not come to its end
  o->fd = open(o->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (o->fd < 0) return refuse(why, "no file can be made there", errno);
  saved_put(o, mark, MARK_BYTES);
  return true;
}

// So that the new name, too, outlives a crash of the machine. As far as that can be had: the file
// is in its place.
static void sync_folder(const char *path) {
  char *folder = mem_strdup(path), *slash = strrchr(folder, '/');
  if (slash) slash[slash == folder] = '\0';
  int fd = open(slash ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd >= 0) {
    (void)fsync(fd);
    close(fd);
  }
  mem_free(folder);
}

bool saved_out_commit(struct saved_out *o, struct text *why) {
  if (o->count > 0) write_block(o);
  uint64_t sum = htole64(o->hash);
  write_all(o, (const unsigned char *)&sum, sizeof sum);
  if (!o->error && fsync(o->fd) != 0) o->error = errno;
  if (close(o->fd) != 0 && !o->error) o->error = errno;
  o->fd = -1;
  if (o->error) return refuse(why, "it could not be written", o->error);
  if (rename(o->temporary, o->path) != 0) return refuse(why, "it could not take its place", errno);
  mem_free(o->temporary);
  o->temporary = NULL;
  sync_folder(o->path);
  return true;
}

void saved_out_close(struct saved_out *o) {
  if (o->block && o->fd >= 0) close(o->fd);
  if (o->block && o->temporary) unlink(o->temporary);
  mem_free(o->block);
  mem_free(o->temporary);
  mem_free(o->path);
  *o = (struct saved_out){.fd = -1};
}

// --- reading ---

// As many bytes as there are, up to `count`.
static size_t read_at(int fd, unsigned char *bytes, size_t count, uint64_t at) {
  size_t done = 0;
  while (done < count) {
    ssize_t n = pread(fd, bytes + done, count - done, (off_t)(at + done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += (size_t)n;
  }
  return done;
}

static bool fill(struct saved_in *in) {
  uint64_t left = in->end - in->at;
  in->first = in->at;
  in->count = read_at(in->fd, in->block, left < BLOCK_BYTES ? left : BLOCK_BYTES, in->at);
  return in->count > 0;
}

void saved_get(struct saved_in *in, void *bytes, size_t count) {
  unsigned char *to = bytes;
  if (count > in->end - in->at) in->failed = true;
  while (count > 0 && !in->failed) {
    bool held = in->at >= in->first && in->at - in->first < in->count;
    if (!held && !fill(in)) {
      in->failed = true; // it was there when the checksum was
      break;
    }
    size_t from = (size_t)(in->at - in->first), n = in->count - from;
    if (n > count) n = count;
    memcpy(to, in->block + from, n);
    to += n;
    count -= n;
    in->at += n;
  }
  if (count > 0) memset(to, 0, count);
}

uint32_t saved_get32(struct saved_in *in) {
  uint32_t value;
  saved_get(in, &value, sizeof value);
  return le32toh(value);
}

uint64_t saved_get64(struct saved_in *in) {
  uint64_t value;
  saved_get(in, &value, sizeof value);
  return le64toh(value);
}

void saved_get32s(struct saved_in *in, uint32_t *values, size_t count) {
  for (size_t i = 0; i < count; i++) values[i] = saved_get32(in);
}

void saved_get64s(struct saved_in *in, uint64_t *values, size_t count) {
  for (size_t i = 0; i < count; i++) values[i] = saved_get64(in);
}

size_t saved_get_count(struct saved_in *in, size_t bytes) {
  uint64_t count = saved_get64(in);
  if (!in->failed && count <= (in->end - in->at) / bytes) return (size_t)count;
  in->failed = true;
  return 0;
}

// --- is it what was written? ---

static bool sum_is_right(struct saved_in *in) {
  uint64_t hash = 0, sum;
  for (in->at = 0; in->at < in->end; in->at += in->count) {
    if (!fill(in)) return false;
    hash = hash_bytes(in->block, in->count, hash);
  }
  return read_at(in->fd, (unsigned char *)&sum, sizeof sum, in->end) == sizeof sum &&
         le64toh(sum) == hash;
}

// Does it begin as such a file does, as far as it goes?
static bool mark_is_right(const struct saved_in *in, uint64_t size) {
  unsigned char begin[MARK_BYTES];
  size_t count = read_at(in->fd, begin, sizeof begin, 0);
  return size > 0 && count > 0 && memcmp(begin, mark, count) == 0;
}

static bool open_file(struct saved_in *in, const char *path, uint64_t *size, struct text *why) {
  struct stat s;
  in->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a pipe must not keep us waiting
  if (in->fd < 0 && errno == ENOENT) {
    text_add(why, "there is no such file");
    return false;
  }
  if (in->fd < 0 || fstat(in->fd, &s) != 0) return refuse(why, "it cannot be read", errno);
  *size = S_ISREG(s.st_mode) ? (uint64_t)s.st_size : 0;
  if (S_ISREG(s.st_mode)) return true;
  text_add(why, "that is not a file");
  return false;
}

static bool check_file(struct saved_in *in, uint64_t size, struct text *why) {
  if (!mark_is_right(in, size)) {
    text_add(why, "that is not a saved search; --save-frontier writes one");
    return false;
  }
  if (size >= MARK_BYTES + SUM_BYTES) {
    in->end = size - SUM_BYTES;
    in->block = mem_alloc(BLOCK_BYTES);
    if (sum_is_right(in)) {
      in->at = MARK_BYTES;
      return true;
    }
  }
  text_add(why, "the file is damaged or cut short; start again without --resume");
  return false;
}

bool saved_in_open(struct saved_in *in, const char *path, struct text *why) {
  uint64_t size = 0;
  *in = (struct saved_in){.fd = -1};
  return open_file(in, path, &size, why) && check_file(in, size, why);
}

void saved_in_close(struct saved_in *in) {
  if (in->fd >= 0) close(in->fd);
  mem_free(in->block);
  *in = (struct saved_in){.fd = -1};
}
