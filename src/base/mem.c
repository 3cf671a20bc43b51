// SPDX-License-Identifier: Apache-2.0
// Allocation that unwinds instead of returning NULL, and arenas made of growing blocks.
#define _GNU_SOURCE // dl_iterate_phdr
#include "base/mem.h"

#include "base/vec.h"

#include <assert.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static _Thread_local struct mem_boundary *innermost;

void mem_boundary_push(struct mem_boundary *b) {
  b->outer = innermost;
  innermost = b;
}

void mem_boundary_leave(struct mem_boundary *b) {
  assert(innermost == b);
  innermost = b->outer;
}

_Noreturn void mem_exhausted(size_t bytes) {
  struct mem_boundary *b = innermost;
  if (b) {
    innermost = b->outer;
    longjmp(b->jump, 1);
  }
  fprintf(stderr, "fathom: out of memory (%zu bytes wanted)\n", bytes);
  abort();
}

void *mem_alloc(size_t bytes) {
  void *p = malloc(bytes ? bytes : 1);
  if (!p) mem_exhausted(bytes);
  return p;
}

void *mem_zalloc(size_t count, size_t size) {
  void *p = calloc(count ? count : 1, size ? size : 1);
  if (!p) mem_exhausted(count * size);
  return p;
}

void *mem_realloc(void *p, size_t bytes) {
  void *q = realloc(p, bytes ? bytes : 1);
  if (!q) mem_exhausted(bytes);
  return q;
}

void mem_free(void *p) { free(p); }

char *mem_strdup(const char *s) {
  size_t n = strlen(s) + 1;
  return memcpy(mem_alloc(n), s, n);
}

void *vec_grow(void *data, size_t *capacity, size_t item_bytes) {
#ifdef FATHOM_SMALL
  size_t n = *capacity + *capacity / 2 + 1;
#else
  size_t n = *capacity ? *capacity * 2 : 8;
#endif
  if (n > SIZE_MAX / item_bytes) mem_exhausted(SIZE_MAX);
  *capacity = n;
  return mem_realloc(data, n * item_bytes);
}

// --- arenas ---

struct block {
  struct block *next;
  size_t used, size;
  _Alignas(16) unsigned char data[];
};

struct arena {
  struct block *blocks; // the newest first
  size_t bytes;
};

enum { BLOCK_FIRST = 4 * 1024, BLOCK_BYTES = 64 * 1024 };

struct arena *arena_new(void) {
  return mem_zalloc(1, sizeof(struct arena));
}

void arena_free(struct arena *a) {
  if (!a) return;
  for (struct block *b = a->blocks, *next; b; b = next) {
    next = b->next;
    mem_free(b);
  }
  mem_free(a);
}

// As large as all before it, within bounds: of a small arena little is resident and not used.
static size_t block_bytes(const struct arena *a, size_t least) {
  size_t size = a->bytes < BLOCK_FIRST   ? BLOCK_FIRST
                : a->bytes > BLOCK_BYTES ? BLOCK_BYTES
                                         : a->bytes;
  return least > size ? least : size;
}

void *arena_alloc(struct arena *a, size_t bytes) {
  if (bytes > SIZE_MAX / 2) mem_exhausted(bytes);
  bytes = (bytes + 15) & ~(size_t)15;
  struct block *b = a->blocks;
  if (!b || b->size - b->used < bytes) {
    size_t size = block_bytes(a, bytes);
    b = mem_zalloc(1, sizeof(struct block) + size);
    b->size = size;
    b->next = a->blocks;
    a->blocks = b;
    a->bytes += size;
  }
  void *p = b->data + b->used;
  b->used += bytes;
  return p;
}

char *arena_strndup(struct arena *a, const char *s, size_t n) {
  char *p = arena_alloc(a, n + 1);
  memcpy(p, s, n);
  return p;
}

char *arena_strdup(struct arena *a, const char *s) { return arena_strndup(a, s, strlen(s)); }

char *arena_printf(struct arena *a, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsnprintf(NULL, 0, format, args);
  va_end(args);
  assert(n >= 0);
  char *p = arena_alloc(a, (size_t)n + 1);
  va_start(args, format);
  vsnprintf(p, (size_t)n + 1, format, args);
  va_end(args);
  return p;
}

size_t arena_bytes(const struct arena *a) { return a->bytes; }

// --- resident size ---

static size_t page_bytes(void) {
  static size_t bytes;
  if (!bytes) bytes = (size_t)sysconf(_SC_PAGESIZE);
  return bytes;
}

// The file says: pages in all, pages resident, ... Asked again and again while a search runs: with
// little of the library, whose pages would become resident.
static void look_at_pages(size_t *all, size_t *resident) {
  char line[128] = "";
  size_t *number[] = {all, resident};
  *all = *resident = 0;
  int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  ssize_t length = read(file, line, sizeof line - 1);
  close(file);
  const char *c = line;
  for (int i = 0; length > 0 && i < 2; i++, c += *c == ' ')
    for (; *c >= '0' && *c <= '9'; c++) *number[i] = *number[i] * 10 + (size_t)(*c - '0');
}

size_t mem_addresses(void) {
  size_t all, resident;
  look_at_pages(&all, &resident);
  return all * page_bytes();
}

size_t mem_addresses_max(void) {
  struct rlimit r;
  return getrlimit(RLIMIT_AS, &r) == 0 && r.rlim_cur < SIZE_MAX ? (size_t)r.rlim_cur : SIZE_MAX;
}

// An arena for each thread would take 64 MB of addresses each.
__attribute__((constructor)) static void spare_addresses(void) {
  if (mem_addresses_max() < SIZE_MAX) mallopt(M_ARENA_MAX, 1);
}

size_t mem_resident(void) {
  size_t all, resident;
  look_at_pages(&all, &resident);
  return resident * page_bytes();
}

size_t mem_resident_peak(void) {
  struct rusage u;
  return getrusage(RUSAGE_SELF, &u) == 0 ? (size_t)u.ru_maxrss * 1024 : 0;
}

// --- code ---

// Pages that nobody writes, of the program and of the libraries that it begins with: those that it
// loads later may go again, and others have their addresses then.
struct code {
  void *from;
  size_t bytes;
};
enum { CODES_MAX = 64 };
static struct code codes[CODES_MAX];
static size_t code_count;

static int note_code(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size, (void)unused;
  uintptr_t page = page_bytes();
  for (int i = 0; i < info->dlpi_phnum && code_count < CODES_MAX; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    if (p->p_type != PT_LOAD || p->p_flags & PF_W || info->dlpi_addr + p->p_vaddr < page) continue;
    uintptr_t from = (info->dlpi_addr + p->p_vaddr) & ~(page - 1);
    uintptr_t to = (info->dlpi_addr + p->p_vaddr + p->p_memsz + page - 1) & ~(page - 1);
    struct code *last = code_count ? &codes[code_count - 1] : NULL;
    if (last && (uintptr_t)last->from + last->bytes == from)
      last->bytes += to - from; // one call for both: each interrupts the other threads
    else
      codes[code_count++] = (struct code){(void *)from, to - from};
  }
  return 0;
}

__attribute__((constructor)) static void note_codes(void) { dl_iterate_phdr(note_code, NULL); }

void mem_release_code(void) {
  malloc_trim(0); // what read the model; later, what the search itself has outgrown
  for (size_t i = 0; i < code_count; i++) madvise(codes[i].from, codes[i].bytes, MADV_DONTNEED);
}
