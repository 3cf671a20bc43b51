// SPDX-License-Identifier: Apache-2.0
// Time, random numbers, hashing, interrupts, near names, the log.
#include "base/base.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

double clock_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static uint64_t splitmix(uint64_t *x) {
  uint64_t z = (*x += UINT64_C(0x9E3779B97F4A7C15));
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

void rng_init(struct rng *r, uint64_t seed) {
  for (int i = 0; i < 4; i++) r->s[i] = splitmix(&seed);
}

static uint64_t rotl(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

// xoshiro256**
uint64_t rng_next(struct rng *r) {
  uint64_t *s = r->s, result = rotl(s[1] * 5, 7) * 9, t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = rotl(s[3], 45);
  return result;
}

uint64_t rng_below(struct rng *r, uint64_t n) {
  assert(n > 0);
  uint64_t limit = UINT64_MAX - UINT64_MAX % n, x;
  do x = rng_next(r);
  while (x >= limit);
  return x % n;
}

uint64_t hash_bytes(const void *data, size_t bytes, uint64_t seed) {
  return XXH3_64bits_withSeed(data, bytes, seed);
}

uint64_t hash_words(const uint64_t *words, size_t count) {
  return XXH3_64bits(words, count * sizeof *words);
}

static _Atomic sig_atomic_t interrupted; // every thread of a search looks at it

static void on_interrupt(int signal_number) {
  if (interrupted) _exit(128 + signal_number); // asked twice: no ceremony
  interrupted = 1;
}

void interrupt_install(void) {
  struct sigaction a = {.sa_handler = on_interrupt};
  sigemptyset(&a.sa_mask);
  sigaction(SIGINT, &a, NULL);
  sigaction(SIGTERM, &a, NULL);
  struct sigaction hangup; // a terminal that is closed; nohup has it ignored
  if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN)
    sigaction(SIGHUP, &a, NULL);
  signal(SIGXFSZ, SIG_IGN); // a file that may not grow any more is an error of the write
}

bool interrupt_pending(void) { return interrupted != 0; }
void interrupt_clear(void) { interrupted = 0; }

// Levenshtein distance, letters compared without case; gives up (returns limit + 1) when the
// lengths alone differ by more than limit.
static size_t edit_distance(const char *a, const char *b, size_t limit) {
  size_t n = strlen(a), m = strlen(b);
  if ((n > m ? n - m : m - n) > limit || m > 63) return limit + 1;
  size_t row[64];
  for (size_t j = 0; j <= m; j++) row[j] = j;
  for (size_t i = 1; i <= n; i++) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= m; j++) {
      size_t above = row[j];
      size_t best = diagonal + (strncasecmp(&a[i - 1], &b[j - 1], 1) != 0);
      if (above + 1 < best) best = above + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      row[j] = best;
      diagonal = above;
    }
  }
  return row[m];
}

const char *name_nearest(const char *name, const char *const *names, size_t count) {
  size_t limit = strlen(name) / 3 + 1;
  const char *best = NULL;
  for (size_t i = 0; i < count; i++) {
    size_t distance = edit_distance(name, names[i], limit);
    if (distance > limit) continue;
    if (best && distance == limit) continue;
    best = names[i];
    limit = distance;
  }
  return best;
}

#ifdef FATHOM_LOG
void log_line(const char *room, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fprintf(stderr, "[%s] ", room);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
}
#endif
