// SPDX-License-Identifier: Apache-2.0
// Runs a program of tests/programs/c by itself, without Fathom: on a list of inputs (native input
// VALUE...), or on random ones (native random SEED INPUTS), over and over until so many were used.
// Random runs learn from comparisons: a value that an input was compared with is tried in its
// place, and runs that use more inputs are gone on from. The program is compiled with
// -fsanitize-coverage=trace-cmp for that, and with -Dmain=program -Dexit=native_exit
// -Dabort=native_abort -Dmalloc=native_malloc -Dfree=native_free. It says "ok", or on standard
// error what failed, and ends with 1. Between runs its globals are put back, but not under clang's
// sanitizers, whose own state lies beside them: programs for those have no globals that change.
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int program(void);
void reach_error(void);

enum { INPUTS_OF_A_RUN = 600, BLOCKS = 4096, HINTS = 8 };

// The inputs of a run, and for each what it was compared with.
struct tape {
  uint64_t count;
  uint64_t value[INPUTS_OF_A_RUN];
  uint64_t hints[INPUTS_OF_A_RUN][HINTS];
  int hint_count[INPUTS_OF_A_RUN];
};

// What outlives a run: not in .data or .bss, which are put back.
static _Thread_local struct {
  jmp_buf out;
  const char **given;
  uint64_t given_count, used, blocks;
  bool random;
  uint64_t seed;
  int manner;
  uint64_t last;
  void *live[BLOCKS];
  int live_count;
  uint64_t script_count; // so many inputs are those of `script`
  uint64_t script[INPUTS_OF_A_RUN];
  struct tape now, best;
} n;

enum { ENDED = 1, STOPPED };

static uint64_t roll(void) { // splitmix64
  uint64_t z = (n.seed += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

// Small ones, letters, values at the ends of types, anything, and the last one once more.
static uint64_t random_value(void) {
  static const uint64_t ends[] = {0,     1,     127,   128,     255,        256,
                                  32767, 32768, 65535, 65536,   0x7fffffff, 0x80000000,
                                  -1u,   -2ull, -1ull, -128ull, 0x7ffffffe, 0xfffffffe};
  switch (n.manner == 6 ? (int)(roll() % 6) : n.manner) {
  case 0: return roll() % 4;
  case 1: return roll() % 12;
  case 2: return roll() % 130;
  case 3: return ends[roll() % (sizeof ends / sizeof *ends)];
  case 4: return roll();
  default: return roll() % 3 != 0 ? n.last : n.last + roll() % 5 - 2;
  }
}

static uint64_t next(void) {
  uint64_t at = n.now.count, value;
  if (at >= INPUTS_OF_A_RUN) longjmp(n.out, STOPPED);
  if (n.random) {
    value = at < n.script_count ? n.script[at] : random_value();
  } else {
    if (at >= n.given_count) longjmp(n.out, STOPPED);
    value = (uint64_t)strtoll(n.given[at], NULL, 0);
  }
  n.last = value;
  n.now.value[at] = value;
  n.now.hint_count[at] = 0;
  n.now.count++;
  n.used++;
  return value;
}

// Two values of so many bits are compared: is one of them the last input?
static void compared(uint64_t a, uint64_t b, int bits) {
  uint64_t mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
  if (n.now.count == 0) return;
  uint64_t at = n.now.count - 1, value = n.now.value[at];
  int *count = &n.now.hint_count[at];
  if (*count == HINTS) return;
  if (((a ^ value) & mask) == 0 || ((a ^ value) & 0xff) == 0)
    n.now.hints[at][(*count)++] = b;
  else if (((b ^ value) & mask) == 0)
    n.now.hints[at][(*count)++] = a;
}

void __sanitizer_cov_trace_cmp1(uint8_t a, uint8_t b) { compared(a, b, 8); }
void __sanitizer_cov_trace_cmp2(uint16_t a, uint16_t b) { compared(a, b, 16); }
void __sanitizer_cov_trace_cmp4(uint32_t a, uint32_t b) { compared(a, b, 32); }
void __sanitizer_cov_trace_cmp8(uint64_t a, uint64_t b) { compared(a, b, 64); }
void __sanitizer_cov_trace_const_cmp1(uint8_t a, uint8_t b) { compared(b, a, 8); }
void __sanitizer_cov_trace_const_cmp2(uint16_t a, uint16_t b) { compared(b, a, 16); }
void __sanitizer_cov_trace_const_cmp4(uint32_t a, uint32_t b) { compared(b, a, 32); }
void __sanitizer_cov_trace_const_cmp8(uint64_t a, uint64_t b) { compared(b, a, 64); }
void __sanitizer_cov_trace_switch(uint64_t value, void *table) {
  const uint64_t *cases = table; // their number, bits, and they themselves
  for (uint64_t i = 0; i < cases[0]; i++) compared(value, cases[i + 2], (int)cases[1]);
}

_Bool __VERIFIER_nondet_bool(void) { return next() & 1; }
char __VERIFIER_nondet_char(void) { return (char)next(); }
signed char __VERIFIER_nondet_schar(void) { return (signed char)next(); }
unsigned char __VERIFIER_nondet_uchar(void) { return (unsigned char)next(); }
short __VERIFIER_nondet_short(void) { return (short)next(); }
unsigned short __VERIFIER_nondet_ushort(void) { return (unsigned short)next(); }
int __VERIFIER_nondet_int(void) { return (int)next(); }
unsigned __VERIFIER_nondet_uint(void) { return (unsigned)next(); }
long __VERIFIER_nondet_long(void) { return (long)next(); }
unsigned long __VERIFIER_nondet_ulong(void) { return next(); }
void __VERIFIER_assume(int condition) {
  if (!condition) longjmp(n.out, STOPPED);
}

void __sanitizer_cov_trace_pc(void) { n.blocks++; }

static void tell(void) {
  fprintf(stderr, "after %llu blocks, inputs:", (unsigned long long)n.blocks);
  for (uint64_t i = 0; i < n.now.count; i++) fprintf(stderr, " %lld", (long long)n.now.value[i]);
  fprintf(stderr, "\n");
}

static void failed(void) {
  tell();
  _Exit(1);
}

// The sanitizers call these when they have found something.
void __asan_on_error(void) { tell(); }
void __ubsan_on_report(void) { tell(); }

// Where it was called from is printed as an address, for addr2line.
void reach_error(void) {
  fprintf(stderr, "reach_error called from %p\n", (char *)__builtin_return_address(0) - 1);
  failed();
}

_Noreturn void __assert_fail(const char *what, const char *file, unsigned line, const char *in) {
  fprintf(stderr, "%s:%u: %s: assertion %s fails\n", file, line, in, what);
  failed();
  abort();
}

_Noreturn void native_exit(int status) {
  (void)status;
  longjmp(n.out, STOPPED);
}
_Noreturn void native_abort(void) { longjmp(n.out, STOPPED); }

void *native_malloc(size_t size) {
  void *block = malloc(size);
  if (n.live_count == BLOCKS) longjmp(n.out, STOPPED);
  n.live[n.live_count++] = block;
  return block;
}

void native_free(void *block) {
  for (int i = 0; i < n.live_count; i++) {
    if (n.live[i] != block) continue;
    n.live[i] = n.live[--n.live_count];
    free(block);
    return;
  }
  if (block == NULL) return;
  fprintf(stderr, "free of what is no block\n");
  failed();
}

// Once through the program; leaks count where -DLEAK says so.
static void run(void) {
  n.now.count = n.blocks = 0;
  n.manner = (int)(roll() % 7);
  n.last = roll() % 300;
  n.live_count = 0;
  int how = setjmp(n.out);
  if (how == 0) {
    program();
    how = ENDED;
  }
#ifdef LEAK
  if (how == ENDED && n.live_count > 0) {
    fprintf(stderr, "%d blocks leaked\n", n.live_count);
    failed();
  }
#endif
  while (n.live_count > 0) free(n.live[--n.live_count]);
}

extern char __data_start[], _edata[], __bss_start[], _end[];

__attribute__((no_sanitize("address"))) static void copy(char *to, const char *from, size_t count) {
  for (size_t i = 0; i < count; i++) ((volatile char *)to)[i] = from[i];
}

// What the next run begins with: most of the best one, with a hint in the place of one late input.
static void plan(void) {
  uint64_t count = n.best.count, at;
  n.script_count = 0;
  if (count == 0 || roll() % 4 == 0) return;
  at = roll() % 4 == 0 ? roll() % count : count - 1 - roll() % (count < 3 ? count : 3);
  memcpy(n.script, n.best.value, at * sizeof *n.script);
  int hints = n.best.hint_count[at];
  n.script[at] = hints > 0 && roll() % 4 != 0
                     ? n.best.hints[at][roll() % (uint64_t)hints] + roll() % 8 / 6
                     : random_value();
  n.script_count = at + 1;
}

static void copy_tape(struct tape *to, const struct tape *from) {
  to->count = from->count;
  memcpy(to->value, from->value, from->count * sizeof *to->value);
  memcpy(to->hints, from->hints, from->count * sizeof *to->hints);
  memcpy(to->hint_count, from->hint_count, from->count * sizeof *to->hint_count);
}

// Is the run that was made better than the best one, or nearly as good?
static void judge(void) {
  bool better = n.now.count > n.best.count;
  bool near = n.now.count + 2 >= n.best.count && roll() % 3 == 0;
  if (better || near) copy_tape(&n.best, &n.now);
  if (roll() % 20000 == 0) n.best.count = 0;
}

#ifdef __clang__
static const bool restores = false;
#else
static const bool restores = true;
#endif

static void run_random(uint64_t inputs) {
  size_t data = restores ? (size_t)(_edata - __data_start) : 0;
  size_t bss = restores ? (size_t)(_end - __bss_start) : 0;
  char *kept = malloc(data + bss);
  uint64_t runs = 0;
  copy(kept, __data_start, data);
  copy(kept + data, __bss_start, bss);
  for (; n.used < inputs && runs < inputs; runs++) {
    plan();
    run();
    judge();
    copy(__data_start, kept, data);
    copy(__bss_start, kept + data, bss);
  }
  printf("ok: %llu runs, %llu inputs\n", (unsigned long long)runs, (unsigned long long)n.used);
}

int main(int argc, char **argv) {
  if (argc == 4 && strcmp(argv[1], "random") == 0) {
    n.random = true;
    n.seed = strtoull(argv[2], NULL, 0);
    run_random(strtoull(argv[3], NULL, 0));
    return 0;
  }
  n.given = (const char **)argv + 2;
  n.given_count = argc > 2 ? (uint64_t)argc - 2 : 0;
  run();
  printf("ok: %llu inputs used\n", (unsigned long long)n.used);
  return 0;
}
