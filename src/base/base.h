// SPDX-License-Identifier: Apache-2.0
// Small things every room uses: interning, hashing, time, random numbers, the log, limits.
#pragma once

#include "base/diag.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/vec.h"
#include "base/words.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// --- time ---
double clock_seconds(void); // monotonic

// --- waiting for another thread ---
// Looks for a moment, some tens of microseconds, whether `done`, then gives up: falling asleep and
// being woken takes as long, so it pays where a thread is mostly waited for briefly.
static inline void pause_briefly(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}
enum { PAUSES = 2000 };
#define AWAIT_BRIEFLY(done)                                                                        \
  for (int pauses_ = 0; pauses_ < PAUSES && !(done); pauses_++) pause_briefly()

// --- random numbers: splitmix/xoshiro, the same sequence for the same seed on every machine ---
struct rng {
  uint64_t s[4];
};
void rng_init(struct rng *r, uint64_t seed);
uint64_t rng_next(struct rng *r);
uint64_t rng_below(struct rng *r, uint64_t n); // uniform in 0..n-1, n > 0

// --- hashing ---
uint64_t hash_bytes(const void *data, size_t bytes, uint64_t seed); // xxHash where available
uint64_t hash_words(const uint64_t *words, size_t count); // for states; inline mixers elsewhere

// --- interrupts: the one mutable global beside the log ---
void interrupt_install(void); // SIGINT, SIGTERM, SIGHUP set the flag; a second one kills
bool interrupt_pending(void);
void interrupt_clear(void);

// --- budget: what a run may use; 0 = no limit ---
struct budget {
  double seconds; // wall time of the whole run
  size_t mem_bytes;
  uint64_t depth_max;
  uint64_t states_max;
};

// --- names ---
// The nearest of `names` to `name` by edit distance, or NULL when none is near: for "did you mean".
const char *name_nearest(const char *name, const char *const *names, size_t count);

// --- log: LOG(store, "grew to %zu slots", n); compiled out unless FATHOM_LOG is defined ---
#ifdef FATHOM_LOG
void log_line(const char *room, const char *format, ...) __attribute__((format(printf, 2, 3)));
#define LOG(room, ...) log_line(#room, __VA_ARGS__)
#else
#define LOG(room, ...) ((void)0)
#endif
