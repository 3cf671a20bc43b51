// SPDX-License-Identifier: Apache-2.0
// Memory that never comes back NULL, arenas whose contents die together, and the one boundary to
// which an exhausted or interrupted computation unwinds.
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A boundary catches an unwinding out-of-memory. Boundaries nest; the innermost one of the thread
// is jumped to. Usage:  struct mem_boundary b; if (mem_boundary_enter(&b)) { ... recovered ... }
// and mem_boundary_leave(&b) on the ordinary way out.
struct mem_boundary {
  jmp_buf jump;
  struct mem_boundary *outer;
};
#define mem_boundary_enter(b) (mem_boundary_push(b), setjmp((b)->jump) != 0)
void mem_boundary_push(struct mem_boundary *b);
void mem_boundary_leave(struct mem_boundary *b);
_Noreturn void mem_exhausted(size_t bytes);

void *mem_alloc(size_t bytes);               // uninitialised
void *mem_zalloc(size_t count, size_t size); // zeroed, overflow-checked
void *mem_realloc(void *p, size_t bytes);
void mem_free(void *p);
char *mem_strdup(const char *s);

// An arena hands out memory that is freed all at once.
struct arena;
struct arena *arena_new(void);
void arena_free(struct arena *a);
void *arena_alloc(struct arena *a, size_t bytes); // zeroed, aligned to 16
char *arena_strdup(struct arena *a, const char *s);
char *arena_strndup(struct arena *a, const char *s, size_t n);
char *arena_printf(struct arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
size_t arena_bytes(const struct arena *a);
#define ARENA_NEW(a, type)      ((type *)arena_alloc((a), sizeof(type)))
#define ARENA_ARRAY(a, type, n) ((type *)arena_alloc((a), sizeof(type) * (size_t)(n)))

// Bytes of addresses that this process has taken, used or not; 0 when the system does not tell.
size_t mem_addresses(void);
size_t mem_addresses_max(void); // that it may take (`ulimit -v`); SIZE_MAX: any
// Resident size of this process, in bytes, now and at its peak; 0 when the system does not tell.
size_t mem_resident(void);
size_t mem_resident_peak(void);
// Pages of code and constants, which the system can read again from their files, are given back:
// those that the next hours need come back by themselves, what read the model does not. So is
// memory that was freed.
void mem_release_code(void);
