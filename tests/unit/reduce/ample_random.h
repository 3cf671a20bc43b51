// SPDX-License-Identifier: Apache-2.0
// Random programs for partial order reduction: processes in Promela, which do much alone and now
// and then something that others see; and agents of rules, as Murphi has them, in the text form of
// the IR.
#pragma once

#include "base/base.h"

struct program {
  struct rng rng;
  struct text *out;
  uint32_t processes, self;
  uint32_t sender, receiver; // of channel q; `processes`: anybody
  bool pairs, runs, timeouts, priorities, remote, inside;
};

static inline uint32_t below(struct program *g, uint32_t n) {
  return (uint32_t)rng_below(&g->rng, n);
}
static inline bool one_in(struct program *g, uint32_t n) { return below(g, n) == 0; }
#define PUT(...) text_printf(g->out, __VA_ARGS__)

// --- Promela ---

static inline const char *some_local(struct program *g) { return one_in(g, 2) ? "l" : "m"; }
static inline const char *some_global(struct program *g) {
  static const char *const names[] = {"x", "y", "own[_pid]", "own[0]"};
  return names[below(g, 4)];
}

static inline void put_test(struct program *g) {
  switch (below(g, 10)) {
  case 0: PUT("%s == %u", some_global(g), below(g, 3)); break;
  case 1: PUT("%s != %s", some_global(g), some_local(g)); break;
  case 2: PUT("%s", one_in(g, 2) ? "len(q) == 1" : "nempty(q)"); break;
  case 3: PUT("%s", g->remote ? "p0@there" : "x < 2"); break;
  case 4: PUT("%s", g->runs ? "_nr_pr < 4" : "l == m"); break;
  default: PUT("%s != %u", some_local(g), below(g, 3)); break;
  }
}

static inline void put_assignment(struct program *g) {
  const char *to = one_in(g, 4) ? some_global(g) : some_local(g);
  switch (below(g, 4)) {
  case 0: PUT("%s = %u", to, below(g, 3)); break;
  case 1: PUT("%s = %s", to, one_in(g, 3) ? some_global(g) : some_local(g)); break;
  default: PUT("%s = (%s + 1) %% 3", to, to); break;
  }
}

static inline void put_message(struct program *g) {
  bool sends = g->sender == g->processes || g->sender == g->self;
  bool receives = g->receiver == g->processes || g->receiver == g->self;
  if (g->pairs && one_in(g, 2)) {
    PUT("%s", one_in(g, 2) ? "r!l" : one_in(g, 2) ? "r?m" : "r?1");
  } else if (sends && one_in(g, 2)) {
    PUT("q%s%u", one_in(g, 8) ? "!!" : "!", below(g, 3));
  } else if (receives) {
    static const char *const forms[] = {"q?l",
                                        "q?m",
                                        "q?0",
                                        "q?1",
                                        "q?2",
                                        "q?eval(l)",
                                        "q?"
                                        "?1",
                                        "q?<l>"};
    PUT("%s", forms[below(g, 8)]);
  } else {
    PUT("l = 2 - l");
  }
}

static inline void put_simple(struct program *g) {
  switch (below(g, 12)) {
  case 0:
    PUT("assert(%s != %u)", one_in(g, 2) ? some_local(g) : some_global(g), below(g, 3));
    break;
  case 1:
  case 2:
  case 3: put_message(g); break;
  case 4: put_test(g); break;
  case 5: PUT("printf(\"%%d\", l)"); break;
  case 6:
    if (g->runs && g->self == 0 && !g->inside) {
      PUT("run child(%u)", below(g, 2));
      break;
    } // fallthrough
  default: put_assignment(g); break;
  }
}

static inline void put_sequence(struct program *g, int depth, uint32_t most);

static inline void put_options(struct program *g, int depth, bool loop) {
  uint32_t n = 1 + below(g, 3);
  PUT("%s ", loop ? "do" : "if");
  for (uint32_t i = 0; i < n; i++) {
    PUT(":: ");
    if (one_in(g, 2))
      put_test(g);
    else
      put_simple(g);
    PUT(" -> ");
    put_sequence(g, depth - 1, 2);
    if (loop && one_in(g, 2)) PUT("; break");
    PUT(" ");
  }
  if (one_in(g, 2)) PUT(":: else -> %s ", loop ? "break" : "l = 1");
  if (g->timeouts && !g->inside && one_in(g, 2)) PUT(":: timeout -> %s ", loop ? "break" : "m = 1");
  PUT("%s", loop ? "od" : "fi");
}

static inline void put_statement(struct program *g, int depth) {
  uint32_t what = depth > 0 ? below(g, 14) : 14;
  bool outer = g->inside;
  switch (what) {
  case 0:
  case 1: put_options(g, depth, false); break;
  case 2: put_options(g, depth, true); break;
  case 3:
  case 4:
    PUT("atomic { ");
    put_sequence(g, depth - 1, 3);
    PUT(" }");
    break;
  case 5:
    g->inside = true;
    PUT("d_step { ");
    put_assignment(g);
    PUT("; ");
    put_assignment(g);
    PUT(" }");
    g->inside = outer;
    break;
  case 6:
    PUT("{ ");
    put_sequence(g, depth - 1, 2);
    PUT(" } unless { ");
    put_test(g);
    PUT(" }");
    break;
  default: put_simple(g); break;
  }
}

static inline void put_sequence(struct program *g, int depth, uint32_t most) {
  uint32_t n = 1 + below(g, most);
  for (uint32_t i = 0; i < n; i++) {
    if (i) PUT("; ");
    put_statement(g, depth);
  }
}

static inline void put_process(struct program *g, uint32_t i) {
  g->self = i;
  PUT("active proctype p%u() %s%s{ byte l, m; ", i,
      g->priorities ? (one_in(g, 2) ? "priority 2 " : "priority 1 ") : "",
      one_in(g, 20) ? "provided (x != 2) " : "");
  put_sequence(g, 2, 3);
  PUT("; there: ");
  put_sequence(g, 2, 2);
  PUT(" }\n");
}

static inline void promela_program(struct text *out, uint64_t seed) {
  struct program gen = {.out = out}, *g = &gen;
  rng_init(&gen.rng, seed);
  g->processes = 2 + below(g, 2);
  g->sender = one_in(g, 4) ? g->processes : below(g, g->processes);
  g->receiver = one_in(g, 4) ? g->processes : below(g, g->processes);
  g->pairs = one_in(g, 3);
  g->runs = one_in(g, 4);
  g->timeouts = one_in(g, 4);
  g->priorities = one_in(g, 25);
  g->remote = one_in(g, 8);
  PUT("byte x, y, own[%u]; chan q = [%u] of { byte }; chan r = [0] of { byte };\n",
      g->processes + 3, 1 + below(g, 2));
  for (uint32_t i = 0; i < g->processes; i++) put_process(g, i);
  g->self = g->processes;
  if (!g->runs) return;
  PUT("proctype child(byte l) { byte m; ");
  put_sequence(g, 1, 3);
  PUT(" }\n");
}

// --- agents ---

// Most of what agents do is their own; in some programs others look at it.
static inline const char *some_place(struct program *g) {
  if (g->remote && one_in(g, 6)) return one_in(g, 2) ? "mine[0]" : "mine[1]";
  if (one_in(g, 4)) return one_in(g, 2) ? "x" : "y";
  return g->pairs && one_in(g, 6) ? "near[x]" : "mine[i]";
}

static inline void put_value(struct program *g) {
  if (one_in(g, 2))
    PUT("%u", below(g, 3));
  else
    PUT("%s", one_in(g, 6) ? "loc[i]" : some_place(g));
}

static inline void put_guard(struct program *g) {
  switch (below(g, 12)) {
  case 0: PUT("(%s = 0 | mine[i] = 1)", some_place(g)); break;
  case 1: PUT("%s", g->pairs ? "near[mine[i]] = 1" : "mine[i] != 1"); break; // may be outside
  case 2:
    PUT(g->remote ? "forall j : 0..2 { mine[j] != %u }" : "mine[i] != %u", below(g, 3));
    break;
  case 3: PUT("%s", g->runs ? "(if isundefined(u) then x = 0 else u = 1)" : "mine[i] = 0"); break;
  case 4: PUT("%s != %u", g->runs ? "u" : "mine[i]", below(g, 3)); break; // may be undefined
  default: PUT("%s %s ", some_place(g), one_in(g, 3) ? "=" : "!="); put_value(g);
  }
}

static inline void put_effect(struct program *g) {
  switch (below(g, 10)) {
  case 0: PUT("assert %s != %u; ", some_place(g), below(g, 3)); break;
  case 1: PUT("%s", g->runs ? "undefine u; " : "mine[i] := 0; "); break;
  case 2: PUT("%s := %u; ", g->runs ? "u" : "mine[i]", below(g, 3)); break;
  case 3: PUT("if mine[i] = 0 { %s := 1; } ", some_place(g)); break;
  case 4:
  case 5: PUT("mine[i] := (mine[i] + 1) %% 3; "); break;
  case 6: PUT("cover \"c\" when %s = %u; ", some_place(g), below(g, 3)); break;
  default:
    PUT("%s := ", some_place(g));
    put_value(g);
    PUT("; ");
  }
}

static inline void put_rule(struct program *g, uint32_t n, bool agents) {
  bool choice = one_in(g, 8);
  PUT("rule \"r%u\" (i : 0..2) ", n);
  if (choice) PUT("choose (k : 0..1) ");
  if (agents && !one_in(g, 10)) PUT("agent i ");
  PUT("when ");
  if (!one_in(g, 12)) PUT("loc[i] = %u & ", n % 3);
  if (choice && one_in(g, 2)) PUT("k != mine[i] & ");
  put_guard(g);
  if (one_in(g, 3)) {
    PUT(" & ");
    put_guard(g);
  }
  PUT(" { ");
  for (uint32_t i = 1 + below(g, 2); i > 0; i--) put_effect(g);
  if (choice) PUT("mine[i] := k; ");
  uint32_t to = one_in(g, 2) ? (n + 1) % 3 : below(g, 3);
  if (!one_in(g, 6))
    PUT(one_in(g, 6) ? "if mine[i] != 1 { loc[i] := %u; } " : "loc[i] := %u; ", to);
  PUT("}\n");
}

static inline void agents_program(struct text *out, uint64_t seed) {
  struct program gen = {.out = out}, *g = &gen;
  rng_init(&gen.rng, seed);
  g->pairs = one_in(g, 4);
  g->runs = one_in(g, 4);
  g->remote = one_in(g, 4);
  PUT("model \"m\"; deadlock %s;\n", one_in(g, 2) ? "stuck" : "stuttering");
  PUT("var loc : array [0..2] of 0..2; var mine : array [0..2] of 0..2; var x : 0..2; "
      "var y : 0..2; var near : array [0..1] of 0..2; var u : 0..2;\n"
      "start \"s\" { clear loc; clear mine; clear x; clear y; clear near; undefine u; }\n");
  uint32_t rules = 3 + below(g, 4);
  bool agents = !one_in(g, 8);
  for (uint32_t n = 0; n < rules; n++) put_rule(g, n, agents);
  if (one_in(g, 2)) PUT("invariant \"i\" : x != %u | y != %u;\n", below(g, 3), below(g, 3));
  if (one_in(g, 4)) PUT("invariant \"j\" : mine[0] != %u | loc[1] != 1;\n", below(g, 3));
  if (one_in(g, 6)) PUT("assume \"a\" : x + mine[%u] != 3;\n", below(g, 3));
  if (one_in(g, 6)) PUT("cover \"d\" : y = %u;\n", below(g, 3));
  PUT("cover \"c\";\n");
}
