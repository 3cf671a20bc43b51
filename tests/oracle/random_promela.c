// SPDX-License-Identifier: Apache-2.0
// Prints a random Promela program with few states, for comparing it with SPIN:
// random_promela SEED [cycles]. Choices, loops, atomic, d_step, unless, jumps, buffered and
// rendezvous channels, channels in messages, processes that come and go. With `cycles` the program
// also says something about infinite runs: a formula "p", or accept or progress labels.
#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>

struct gen {
  struct rng rng;
  bool rendezvous, dynamic;
  bool in_d_step;
  bool counted;      // _nr_pr may be asked: with a claim SPIN counts that, too
  const char *label; // in front of some statement of each process; NULL: none
};

static uint32_t below(struct gen *g, uint32_t n) { return (uint32_t)rng_below(&g->rng, n); }
static bool one_in(struct gen *g, uint32_t n) { return below(g, n) == 0; }

static const char *pick(struct gen *g, const char *const *words, uint32_t count) {
  return words[below(g, count)];
}
#define PICK(g, ...)                                                                               \
  pick((g), (const char *const[]){__VA_ARGS__},                                                    \
       sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

static const char *variable(struct gen *g) { return PICK(g, "x", "y", "l", "b", "u"); }

static void put_value(struct gen *g) {
  switch (below(g, 6)) {
  case 0:
  case 1: printf("%u", below(g, 3)); break;
  case 2: printf("(%s + 1) %% 3", variable(g)); break;
  case 3:
    printf("%s", g->dynamic ? PICK(g, "_pid", g->counted ? "_nr_pr" : "2", "p") : "_pid");
    break;
  default: printf("%s", variable(g)); break;
  }
}

static void put_assign(struct gen *g) {
  if (one_in(g, 6)) {
    printf("a[%s %% 2] = %u", variable(g), below(g, 2));
    return;
  }
  printf("%s = ", variable(g));
  put_value(g);
}

static void put_condition(struct gen *g) {
  switch (below(g, 8)) {
  case 0: printf("len(q) == %u", below(g, 2)); break;
  case 1: printf("%s", PICK(g, "nempty(q)", "nfull(q)", "a[0] == a[1]")); break;
  case 2: printf("%s", g->dynamic && g->counted ? "_nr_pr < 4" : "x != y"); break;
  default:
    printf("%s %s ", variable(g), PICK(g, "==", "!=", "<", ">="));
    put_value(g);
    break;
  }
}

static void put_message(struct gen *g) {
  if (g->dynamic && one_in(g, 3)) {
    printf("%s", PICK(g, "w!c", "w!k", "w?d", "k!x", "k?l", "(d != 0) -> w!d"));
    return;
  }
  const char *channel = g->rendezvous && one_in(g, 2) ? "r" : "q";
  switch (below(g, 5)) {
  case 0:
  case 1:
    printf("%s!", channel);
    put_value(g);
    break;
  case 2: printf("%s?%s", channel, PICK(g, "x", "y", "l")); break; // pan fails where b truncates
  case 3: printf("%s?%s", channel, PICK(g, "0", "1", "eval(x)")); break;
  default:
    printf("%s", PICK(g, "q??1", "q!!x", "q?<y>",
                      "q?"
                      "?<2>"));
    break;
  }
}

static void put_simple(struct gen *g) {
  uint32_t k = below(g, 10);
  if (k < 5 || g->in_d_step)
    put_assign(g);
  else if (k == 5)
    printf("skip");
  else if (k == 6)
    put_condition(g);
  else if (k == 7 && g->dynamic && g->counted)
    printf("(_nr_pr < 4) -> run P0(%u, %s)", below(g, 2), PICK(g, "c", "k", "q"));
  else
    put_message(g);
}

static void put_sequence(struct gen *g, uint32_t depth, bool in_loop);

static void put_option(struct gen *g, uint32_t depth, bool in_loop) {
  printf(" :: ");
  if (g->in_d_step || one_in(g, 2))
    put_condition(g);
  else
    put_simple(g);
  printf(" -> ");
  put_sequence(g, depth, in_loop);
}

// In a d_step some option must be possible.
static void put_selection(struct gen *g, uint32_t depth, bool is_loop, bool in_loop) {
  printf(is_loop ? "do" : "if");
  for (uint32_t i = 1 + below(g, 2); i-- > 0;) put_option(g, depth, in_loop || is_loop);
  if (g->in_d_step || one_in(g, 2)) {
    printf(" :: else -> ");
    put_sequence(g, depth, in_loop || is_loop);
  }
  printf(is_loop ? " od" : " fi");
}

static void put_block(struct gen *g, const char *word, uint32_t depth, bool in_loop) {
  printf("%s { ", word);
  put_sequence(g, depth, in_loop);
  printf(" }");
}

static void put_d_step(struct gen *g, uint32_t depth) {
  printf("d_step { ");
  g->in_d_step = true;
  put_assign(g);
  printf("; ");
  put_sequence(g, depth, false);
  g->in_d_step = false;
  printf(" }");
}

static void put_unless(struct gen *g, uint32_t depth, bool in_loop) {
  put_block(g, "", depth, in_loop);
  printf(" unless ");
  put_block(g, "", depth, in_loop);
}

static void put_statement(struct gen *g, uint32_t depth, bool in_loop) {
  uint32_t k = depth == 0 || one_in(g, 3) ? 9 : below(g, 9);
  if (k == 9 && in_loop && !g->in_d_step && one_in(g, 6))
    printf("break");
  else if (k <= 1)
    put_selection(g, depth - 1, false, in_loop);
  else if (k <= 3 && !g->in_d_step)
    put_selection(g, depth - 1, true, in_loop);
  else if (k == 4)
    put_block(g, "", depth - 1, in_loop);
  else if (k == 5)
    put_block(g, "atomic", depth - 1, in_loop);
  else if (k == 6 && !g->in_d_step)
    put_d_step(g, depth - 1);
  else if (k == 7 && !g->in_d_step)
    put_unless(g, depth - 1, in_loop);
  else if (k == 8 && !g->in_d_step)
    printf("%s", PICK(g, "select (i : 0..2)", "for (i : 0 .. 1) { x = i }", "goto L"));
  else
    put_simple(g);
}

static void put_sequence(struct gen *g, uint32_t depth, bool in_loop) {
  for (uint32_t i = 1 + below(g, 3); i-- > 0;) {
    put_statement(g, depth, in_loop);
    if (i > 0) printf("; ");
  }
}

static void put_body(struct gen *g, const char *first) {
  printf("byte i, l; chan k = [1] of { byte }; chan d; %s", first);
  put_sequence(g, 1 + below(g, 3), false);
  printf("; %sL: ", one_in(g, 3) ? "end: " : "");
  put_assign(g);
  if (g->label && one_in(g, 2)) printf("; %s: skip", g->label);
  printf("; ");
  put_sequence(g, below(g, 3), false);
  printf(" }\n");
}

static void put_static(struct gen *g) {
  for (uint32_t i = 0, n = 1 + below(g, 3); i < n; i++) {
    printf("active [%u] proctype P%u() { ", n < 3 ? 1 + below(g, 2) : 1, i);
    put_body(g, "");
  }
  if (one_in(g, 3)) printf("active proctype T() { do :: timeout -> x = (x + 1) %% 3 od }\n");
}

static void put_dynamic(struct gen *g) {
  printf("chan w = [1] of { chan };\nproctype P0(byte p; chan c) { ");
  put_body(g, "");
  printf("init { byte p = 1; chan c = [1] of { byte }; ");
  put_body(g, "atomic { run P0(0, c); run P0(1, q) }; ");
}

// ---------------------------------------------------------------------------------------------
// Infinite runs

static void put_atom(struct gen *g) {
  printf("%s", PICK(g, "(x == 1)", "(x == 0)", "(y < 2)", "(y == 1)", "(b)", "(u != 0)",
                    "(a[0] == 1)", "(len(q) == 1)", "(x == y)", "(x != 2)"));
}

static void put_formula(struct gen *g, uint32_t depth) {
  if (depth == 0 || one_in(g, 5)) {
    put_atom(g);
    return;
  }
  if (one_in(g, 2)) {
    printf("%s(", PICK(g, "[] ", "<> ", "! ", "[] <> ", "<> [] "));
  } else {
    printf("((");
    put_formula(g, depth - 1);
    printf(") %s (", PICK(g, "U", "&&", "||", "->", "U", "V", "W"));
    put_formula(g, depth - 1);
    printf("))");
    return;
  }
  put_formula(g, depth - 1);
  printf(")");
}

int main(int argc, char **argv) {
  struct gen g = {0};
  rng_init(&g.rng, argc > 1 ? strtoull(argv[1], NULL, 10) : 1);
  bool cycles = argc > 2, formula = cycles && below(&g, 3) > 0;
  if (cycles && !formula) g.label = PICK(&g, "accept", "progress");
  g.counted = !cycles;
  g.rendezvous = one_in(&g, 2);
  g.dynamic = one_in(&g, 2);
  printf("byte x, y, a[2]; bool b; unsigned u : 2; chan q = [%u] of { byte };\n", 1 + below(&g, 2));
  if (g.rendezvous) printf("chan r = [0] of { byte };\n");
  if (g.dynamic)
    put_dynamic(&g);
  else
    put_static(&g);
  if (!formula) return 0;
  printf("ltl p { ");
  put_formula(&g, 1 + below(&g, 3));
  printf(" }\n");
  return 0;
}
