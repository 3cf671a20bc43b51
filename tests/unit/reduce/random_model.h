// SPDX-License-Identifier: Apache-2.0
// Random Murphi models with loops over scalarsets, for asking whether renaming elements changes
// what they do. Loops are mostly such that it does not, and now and then such that it does.
#pragma once

#include "base/base.h"

struct maker {
  struct rng rng;
  struct text *out;
  const char *p[8]; // names in scope of type p; the last is the innermost loop's
  uint32_t p_count;
  const char *q[4];
  uint32_t q_count;
  uint32_t names;
  bool local;    // locals lk, lb, lp are in scope
  bool function; // inside a function that returns a Boolean
  bool body;     // where something may be changed
  bool slot;     // inside choose s : net
  int loops;     // over scalarsets around
  uint32_t loops_made;
};

static inline uint32_t pick(struct maker *g, uint32_t n) { return (uint32_t)rng_below(&g->rng, n); }
static inline bool chance(struct maker *g, uint32_t percent) { return pick(g, 100) < percent; }
#define PUT(...) text_printf(g->out, __VA_ARGS__)

static inline void make_bool(struct maker *g, int depth);
static inline void make_stmts(struct maker *g, int depth);

static inline const char *new_name(struct maker *g, char kind) {
  static const char names[2][12][4] = {
      {"p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9", "pa", "pb"},
      {"q0", "q1", "q2", "q3", "q4", "q5", "q6", "q7", "q8", "q9", "qa", "qb"}};
  return names[kind == 'q'][g->names++ % 12];
}

// An element of p. Usually the one that the innermost loop is at.
static inline void make_p(struct maker *g, int depth) {
  uint32_t what = pick(g, 100);
  if (g->p_count > 0 && what < 70)
    PUT("%s", g->p[chance(g, 75) ? g->p_count - 1 : pick(g, g->p_count)]);
  else if (what < 78 && depth > 0) {
    PUT("y[");
    make_p(g, depth - 1);
    PUT("]");
  } else if (what < 84 && g->local)
    PUT("lp");
  else if (what < 90 && g->slot)
    PUT("net[s]");
  else if (g->p_count > 0 && what < 95)
    PUT("%s", g->p[0]);
  else
    PUT("l");
}

static inline void make_q(struct maker *g) {
  if (g->q_count > 0)
    PUT("%s", g->q[pick(g, g->q_count)]);
  else
    PUT("j");
}

static inline void make_number(struct maker *g, int depth) {
  switch (pick(g, depth > 0 ? 8 : 5)) {
  case 0: PUT("%u", pick(g, 3)); break;
  case 1: PUT("k"); break;
  case 2: PUT(g->local ? "lk" : "1"); break;
  case 3: PUT("r.f"); break;
  case 4:
  case 5:
    PUT("x[");
    make_p(g, depth - 1);
    PUT("]");
    break;
  case 6:
    PUT("((");
    make_number(g, depth - 1);
    PUT(" + ");
    make_number(g, depth - 1);
    PUT(") %% 3)");
    break;
  default:
    PUT("multisetcount(v : net, net[v] %s ", chance(g, 80) ? "=" : "!=");
    make_p(g, 0);
    PUT(")");
  }
}

static inline void make_quantifier(struct maker *g, int depth) {
  const char *kind = chance(g, 50) ? "exists" : "forall";
  if (chance(g, 80)) {
    const char *name = new_name(g, 'p');
    PUT("(%s %s : p do ", kind, name);
    g->p[g->p_count++] = name;
    make_bool(g, depth - 1);
    g->p_count--;
  } else {
    const char *name = new_name(g, 'q');
    PUT("(%s %s : q do ", kind, name);
    g->q[g->q_count++] = name;
    make_bool(g, depth - 1);
    g->q_count--;
  }
  PUT(" end)");
}

static inline void make_bool(struct maker *g, int depth) {
  switch (pick(g, depth > 0 ? 14 : 7)) {
  case 0: PUT(g->local ? "lb" : "f"); break;
  case 1:
    PUT("isundefined(y[");
    make_p(g, 0);
    PUT("])");
    break;
  case 2: PUT("!isundefined(l)"); break;
  case 3:
    PUT("m[");
    make_p(g, 0);
    PUT("][");
    make_q(g);
    PUT("]");
    break;
  case 4:
  case 5:
  case 6:
    PUT("b[");
    make_p(g, depth > 0);
    PUT("]");
    break;
  case 7:
    make_number(g, depth - 1);
    PUT(chance(g, 50) ? " = " : " < ");
    make_number(g, 0);
    break;
  case 8:
    make_p(g, depth - 1);
    PUT(chance(g, 50) ? " = " : " != ");
    make_p(g, 0);
    break;
  case 9:
  case 10:
    PUT("(");
    make_bool(g, depth - 1);
    PUT("%s", (const char *[]){" & ", " | ", " -> "}[pick(g, 3)]);
    make_bool(g, depth - 1);
    PUT(")");
    break;
  case 11:
    PUT("(!isundefined(l) & ");
    make_bool(g, depth - 1);
    PUT(")");
    break;
  case 12:
    if (g->p_count < 6 && g->q_count < 3) return make_quantifier(g, depth);
    PUT("f");
    break;
  default:
    if (g->function) {
      PUT("f");
      break;
    }
    PUT(g->body && chance(g, 30) ? "Sure(" : "Some(");
    make_p(g, 0);
    PUT(")");
  }
}

// --- statements ---

// Adds something up, or sets something to what it is set to elsewhere: harmless in a loop.
static inline void make_tally(struct maker *g) {
  switch (pick(g, 13)) {
  case 0: PUT("f := true; "); break;
  case 1: PUT(chance(g, 70) ? "k := k + 1; " : "k := k - 1; "); break;
  case 2:
    PUT("k := k + x[");
    make_p(g, 0);
    PUT("]; ");
    break;
  case 3:
    PUT("f := ");
    make_bool(g, 1);
    PUT(" | f; ");
    break;
  case 4:
    PUT("f := f & ");
    make_bool(g, 1);
    PUT("; ");
    break;
  case 5: PUT("undefine l; "); break;
  case 6:
    PUT("multisetadd(");
    make_p(g, 0);
    PUT(", net); ");
    break;
  case 7:
    PUT("x[y[");
    make_p(g, 0);
    PUT("]] := 1; ");
    break;
  case 8: PUT(g->local ? "lk := lk + 1; " : "k := k + 1; "); break;
  case 9:
    PUT("%s := ", g->local ? "lb" : "h");
    make_bool(g, 1);
    PUT(" & %s; ", g->local ? "lb" : "h");
    break;
  case 10:
    PUT("h := h | ");
    make_bool(g, 1);
    PUT("; ");
    break;
  case 11:
    PUT("multisetadd(");
    make_p(g, 0);
    PUT(", box[");
    make_p(g, 0);
    PUT("]); ");
    break;
  default:
    PUT("if ");
    make_bool(g, 1);
    PUT(" then %s; end; ", g->local && chance(g, 50) ? "lb := true" : "f := true");
  }
}

// Writes what belongs to an element.
static inline void make_own(struct maker *g) {
  switch (pick(g, g->function ? 6 : 7)) {
  case 0:
    PUT("x[");
    make_p(g, 0);
    PUT("] := ");
    make_number(g, 1);
    break;
  case 1:
    PUT("b[");
    make_p(g, 0);
    PUT("] := ");
    make_bool(g, 2);
    break;
  case 2:
    PUT("y[");
    make_p(g, 0);
    PUT("] := ");
    make_p(g, 1);
    break;
  case 3:
    PUT("undefine y[");
    make_p(g, 0);
    PUT("]");
    break;
  case 4:
    PUT("m[");
    make_p(g, 0);
    PUT("][");
    make_q(g);
    PUT("] := ");
    make_bool(g, 1);
    break;
  case 6:
    PUT(g->local ? "lb := Change(" : "f := Change(");
    make_p(g, 0);
    PUT(")");
    break;
  default:
    PUT(chance(g, 70) ? "Bump(x[" : "Mark(x[");
    make_p(g, 0);
    PUT("]");
    PUT(")");
  }
  PUT("; ");
}

// Writes what there is only one of.
static inline void make_shared(struct maker *g) {
  switch (pick(g, 6)) {
  case 0:
    PUT("l := ");
    make_p(g, 1);
    break;
  case 1:
    PUT("k := ");
    make_number(g, 1);
    break;
  case 2: PUT("if k > 0 then k := k - 1; end"); break;
  case 3:
    PUT("r.f := ");
    make_number(g, 1);
    break;
  case 4:
    PUT("f := ");
    make_bool(g, 1);
    break;
  default:
    PUT("multisetremovepred(v : net, ");
    PUT("net[v] = ");
    make_p(g, 0);
    if (chance(g, 30)) PUT(" & multisetcount(w : net, true) > 1");
    PUT(")");
  }
  PUT("; ");
}

static inline void make_local(struct maker *g) {
  switch (pick(g, 9)) {
  case 0:
    PUT("lk := ");
    make_number(g, 1);
    break;
  case 3:
    PUT("x[");
    make_p(g, 0);
    PUT("] := lk %% 3");
    break;
  case 4:
    PUT("b[");
    make_p(g, 0);
    PUT("] := lb");
    break;
  case 1:
    PUT("lp := ");
    make_p(g, 1);
    break;
  case 2: PUT("lk := 0; lk := lk + 1"); break;
  case 5: PUT("%s", chance(g, 50) ? "undefine lb" : "lb := true"); break;
  case 6: PUT("%s", chance(g, 50) ? "lk := 0" : "lk := lk - 1"); break;
  case 7:
    if (chance(g, 50)) PUT("undefine set; ");
    PUT("multisetadd(");
    make_p(g, 0);
    PUT(", set)");
    break;
  default: PUT("lb := "); make_bool(g, 1);
  }
  PUT("; ");
}

static inline void make_loop(struct maker *g, int depth) {
  bool over_q = chance(g, 20);
  const char *name = new_name(g, over_q ? 'q' : 'p');
  if (g->p_count > 6 || g->q_count > 2) return make_own(g);
  PUT("for %s : %s do ", name, over_q ? "q" : "p");
  g->loops++;
  g->loops_made++;
  if (over_q)
    g->q[g->q_count++] = name;
  else
    g->p[g->p_count++] = name;
  make_stmts(g, depth - 1);
  if (over_q)
    g->q_count--;
  else
    g->p_count--;
  g->loops--;
  PUT("end; ");
}

static inline void make_if(struct maker *g, int depth) {
  PUT("if ");
  make_bool(g, 2);
  PUT(" then ");
  make_stmts(g, depth - 1);
  if (chance(g, 30)) {
    PUT("else ");
    make_stmts(g, depth - 1);
  }
  PUT("end; ");
}

static inline void make_stmt(struct maker *g, int depth) {
  uint32_t what = pick(g, 100);
  if (g->local && chance(g, 15)) return make_local(g);
  if (g->function && (!g->body || what < 50)) {
    PUT("if ");
    make_bool(g, 1);
    PUT(" then return %s; end; ", chance(g, 80) ? "true" : "false");
  } else if (depth > 0 && what < 22) {
    make_loop(g, depth);
  } else if (depth > 0 && what < 36) {
    make_if(g, depth);
  } else if (what < 60) {
    make_own(g);
  } else if (what < 80) {
    make_tally(g);
  } else if (g->local && what < 90) {
    make_local(g);
  } else if (what < 93) {
    PUT("assert ");
    make_bool(g, 2);
    PUT("; ");
  } else if (what < 95) {
    PUT("%s ", chance(g, 50) ? "assume" : "cover \"c\"");
    make_bool(g, 1);
    PUT("; ");
  } else if (g->loops == 0 || what < 97) {
    make_shared(g);
  } else {
    make_own(g);
  }
}

static inline void make_stmts(struct maker *g, int depth) {
  for (uint32_t i = 1 + pick(g, g->loops > 1 ? 1 : 2); i > 0; i--) make_stmt(g, depth);
}

// --- the model ---

static inline void make_head(struct maker *g, uint32_t elements) {
  PUT("type p : scalarset(%u); q : scalarset(2); bag : multiset [2] of p;\n"
      "var x : array [p] of 0..3; y : array [p] of p; b : array [p] of boolean;\n"
      "  m : array [p] of array [q] of boolean; k : 0..3; f : boolean; l : p; j : q;\n"
      "  r : record f : 0..3; end; net : bag; box : array [p] of multiset [1] of p; h : boolean;\n"
      "procedure Bump(var v : 0..3); begin if v < 3 then v := v + 1; end; end;\n"
      "procedure Mark(var v : 0..3); begin v := 1; %s end;\n",
      elements,
      chance(g, 30)   ? "f := true;"
      : chance(g, 20) ? "k := v;"
                      : "");
}

static inline void make_function(struct maker *g, const char *name, bool changes) {
  PUT("function %s(c : p) : boolean; begin ", name);
  g->function = true;
  g->body = changes;
  g->p[g->p_count++] = "c";
  if (chance(g, 60)) {
    PUT("for o : p do ");
    g->p[g->p_count++] = "o";
    g->loops++;
    make_stmts(g, 0);
    g->loops--;
    g->p_count--;
    PUT("end; ");
  }
  if (changes) make_stmts(g, 0);
  g->p_count--;
  g->function = g->body = false;
  PUT("return %s; end;\n", chance(g, 80) ? "false" : "f");
}

// Start states are closed under renaming. In some models a few things are not there yet.
static inline void make_start(struct maker *g) {
  bool holes = chance(g, 30);
  PUT("ruleset o : q; z : p do startstate begin undefine net; undefine box; k := 0; f := false; j "
      ":= o; r.f := "
      "0;\n"
      "  %s for i : p do x[i] := 0; b[i] := false; y[i] := i; for c : q do m[i][c] := false; end;"
      " end; %s end; end;\n",
      holes ? "undefine l;" : "l := z; h := false;", holes ? "undefine y;" : "");
  PUT("ruleset i : p; o : p do rule \"p\" %s ==> begin l := i; y[i] := o; %s end; end;\n",
      holes ? "isundefined(l)" : "y[i] = i", chance(g, 50) ? "b[o] := true;" : "x[o] := 1;");
  if (chance(g, 50))
    PUT("ruleset i : p do rule \"x\" x[i] < 2 ==> begin x[i] := x[i] + 1; end; end;\n");
  if (chance(g, 50))
    PUT("ruleset i : p do rule \"n\" multisetcount(v : net, true) < 2 ==>\n"
        "  begin multisetadd(i, net); end; end;\n");
}

static inline void make_rule(struct maker *g, uint32_t number) {
  bool set = chance(g, 60), choose = chance(g, 15), boxes = set && chance(g, 30);
  if (set) PUT("ruleset i : p do ");
  if (choose) PUT("choose s : %s do ", boxes ? "box[i]" : "net");
  g->p_count = 0;
  if (set) g->p[g->p_count++] = "i";
  g->slot = choose && !boxes;
  PUT("rule \"r%u\" ", number);
  if (chance(g, 70)) {
    make_bool(g, 2);
    PUT(" ==>\n ");
  }
  g->local = chance(g, 50);
  if (g->local) PUT("var lk : 0..%u; lb : boolean; lp : p; set : bag; ", chance(g, 50) ? 9 : 1);
  PUT("begin ");
  g->body = true;
  if (g->local && chance(g, 80)) PUT("lk := 0; lb := false; lp := l; ");
  if (chance(g, 80)) make_loop(g, 2);
  make_stmts(g, 2);
  if (choose && chance(g, 50)) PUT("multisetremove(s, %s); ", boxes ? "box[i]" : "net");
  if (chance(g, 20)) make_stmts(g, 2);
  if (g->local && chance(g, 30)) PUT("k := lk; ");
  PUT("end;%s%s\n", choose ? " end;" : "", set ? " end;" : "");
  g->local = g->slot = g->body = false;
}

static inline void make_model(struct text *out, uint64_t seed, uint32_t *loops) {
  struct maker make = {.out = out}, *g = &make;
  rng_init(&g->rng, seed);
  make_head(g, 2 + pick(g, 2));
  make_function(g, "Some", false);
  PUT("function Sure(c : p) : boolean; begin %s b[c]; return x[c] = 1; end;\n",
      chance(g, 50) ? "assume" : "cover \"s\"");
  make_function(g, "Change", true);
  make_start(g);
  for (uint32_t i = 1 + pick(g, 2); i > 0; i--) make_rule(g, i);
  g->p_count = 0;
  PUT("invariant \"i\" ");
  make_bool(g, 2);
  PUT(" | k < 3;\n");
  *loops = g->loops_made;
}
