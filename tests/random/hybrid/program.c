// SPDX-License-Identifier: Apache-2.0
// Random small programs. Every value that is written is brought into its type, mostly; what goes
// wrong otherwise is found by everybody.
#include "random/hybrid/program.h"

struct maker {
  struct rng rng;
  struct text *out;
  unsigned blocks;
  bool wide;      // inputs of 8 bits, not only of a few values
  bool nonlinear; // products and bits of variables
  bool undefined; // some variables are so in the beginning
};

static unsigned pick(struct maker *m, unsigned n) { return (unsigned)rng_below(&m->rng, n); }
static bool chance(struct maker *m, unsigned percent) { return pick(m, 100) < percent; }

// --- expressions, of int ---

static const char *const numbers[] = {"a", "b", "n", "k", "v[0]", "v[1]", "v[2]", "x"};

static void number(struct maker *m, int depth);
static void condition(struct maker *m, int depth);

static void leaf(struct maker *m) {
  if (chance(m, 35))
    text_printf(m->out, "%d", (int)pick(m, 12) - 4);
  else if (chance(m, 10))
    text_add(m->out, "v[k]");
  else
    text_add(m->out, numbers[pick(m, sizeof numbers / sizeof *numbers)]);
}

static void binary(struct maker *m, const char *op, int depth) {
  text_char(m->out, '(');
  number(m, depth - 1);
  text_printf(m->out, " %s ", op);
  number(m, depth - 1);
  text_char(m->out, ')');
}

static void by_constant(struct maker *m, int depth) {
  static const char *const ops[] = {"*", "/", "%", "band", "<<", ">>"};
  static const int right[] = {3, 3, 5, 7, 1, 1};
  unsigned i = pick(m, 6);
  text_char(m->out, '(');
  number(m, depth - 1);
  text_printf(m->out, " %s %d)", ops[i], right[i]);
}

static void number(struct maker *m, int depth) {
  if (depth <= 0 || chance(m, 30)) return leaf(m);
  unsigned what = pick(m, 10);
  if (what == 0 && m->nonlinear) return binary(m, chance(m, 50) ? "*" : "bxor", depth);
  if (what < 6) return binary(m, what < 3 ? "+" : "-", depth);
  if (what < 8) return by_constant(m, depth);
  text_add(m->out, "(if ");
  condition(m, depth - 1);
  text_add(m->out, " then ");
  number(m, depth - 1);
  text_add(m->out, " else ");
  number(m, depth - 1);
  text_char(m->out, ')');
}

static void condition(struct maker *m, int depth) {
  static const char *const ops[] = {"=", "!=", "<", "<=", ">", ">="};
  if (depth > 0 && chance(m, 20)) {
    text_add(m->out, chance(m, 50) ? "(!" : "(true & ");
    condition(m, depth - 1);
    text_add(m->out, chance(m, 50) ? " & " : " | ");
    condition(m, depth - 1);
    text_char(m->out, ')');
  } else if (chance(m, 20)) {
    text_add(m->out, chance(m, 50) ? "f" : "y");
  } else {
    binary(m, ops[pick(m, 6)], depth);
  }
}

// --- statements ---

// A value brought into lo..hi.
static void within(struct maker *m, int lo, int hi, int depth) {
  text_printf(m->out, "((((");
  number(m, depth);
  text_printf(m->out, ") %% %d) + %d) %% %d) + %d", hi - lo + 1, hi - lo + 1, hi - lo + 1, lo);
}

static void step(struct maker *m, const char *name, const char *type, unsigned most) {
  text_printf(m->out, "%s := %s %c %u:%s;", name, name, chance(m, 50) ? '+' : '-', pick(m, most),
              type);
}

static void brought(struct maker *m, const char *name, const char *type) {
  text_printf(m->out, "%s := cast(", name);
  number(m, 1);
  text_printf(m->out, ", %s);", type);
}

static void bounded(struct maker *m, const char *name, int lo, int hi) {
  text_printf(m->out, "%s := ", name);
  if (chance(m, 4))
    number(m, 1);
  else
    within(m, lo, hi, 1);
  text_char(m->out, ';');
}

static void assign(struct maker *m) {
  switch (pick(m, 8)) {
  case 0: return step(m, "a", "u8", 90);
  case 1: return step(m, "b", "i8", 60);
  case 2: return brought(m, "a", "u8");
  case 3: return brought(m, "b", "i8");
  case 4:
    text_add(m->out, "f := ");
    condition(m, 1);
    text_char(m->out, ';');
    return;
  case 5: return bounded(m, "k", 0, 2);
  case 6: return bounded(m, "n", -5, 12);
  default: return bounded(m, chance(m, 60) ? "v[k]" : chance(m, 50) ? "v[0]" : "v[2]", 0, 6);
  }
}

// Something that is rarely so.
static void rare(struct maker *m) {
  static const char *const plain[] = {"a", "b", "n", "k"};
  text_printf(m->out, "%s = %d & %s %c %d", plain[pick(m, 4)], (int)pick(m, 14) - 3,
              plain[pick(m, 4)], chance(m, 50) ? '<' : '>', (int)pick(m, 40) - 20);
}

static void check(struct maker *m) {
  if (chance(m, 60)) {
    text_add(m->out, "assert !(");
    rare(m);
    text_add(m->out, ") else \"rare\";");
  } else {
    text_add(m->out, "assume ");
    condition(m, 1);
    text_add(m->out, " | ");
    condition(m, 1);
    text_char(m->out, ';');
  }
}

static void statements(struct maker *m) {
  for (unsigned i = pick(m, 3); i > 0; i--) {
    text_add(m->out, "  ");
    if (chance(m, 15))
      check(m);
    else
      assign(m);
    text_char(m->out, '\n');
  }
}

// Where a block leads: on, back, or to the end (which has no rule).
static void jump(struct maker *m, unsigned from) {
  if (chance(m, 25)) {
    text_printf(m->out, "  pc := %u;\n", chance(m, 70) ? from + 1 : pick(m, m->blocks + 1));
    return;
  }
  text_add(m->out, "  if ");
  condition(m, 1);
  text_printf(m->out, " { pc := %u; } else { pc := %u; }\n", from + 1, pick(m, m->blocks + 1));
}

static void block(struct maker *m, unsigned b) {
  bool wide = m->wide && chance(m, 30);
  text_printf(m->out, "rule \"%u\" choose (x : %s, y : bool) when pc = %u {\n", b,
              wide ? "i8" : "-2..3", b);
  statements(m);
  jump(m, b);
  text_add(m->out, "}\n");
}

// --- the whole ---

static void variables(struct maker *m) {
  text_printf(m->out, "var pc : 0..%u%s;\n", m->blocks, chance(m, 90) ? " location" : "");
  text_add(m->out, "var a : u8;\nvar b : i8;\nvar n : -5..12;\nvar k : 0..2;\nvar f : bool;\n"
                   "var v : array [0..2] of 0..6;\n");
}

static void start(struct maker *m, unsigned number) {
  text_printf(m->out, "start \"%u\" choose (x : 0..2, y : bool) {\n  pc := %u; a := %u:u8;\n",
              number, number, pick(m, 256));
  text_add(m->out, chance(m, 50) ? "  b := cast(x, i8);" : "  b := 0:i8;");
  text_printf(m->out, " n := %d; f := %s;", (int)pick(m, 18) - 5, chance(m, 50) ? "y" : "false");
  text_add(m->out, chance(m, 50) ? " k := x;" : " k := 0;");
  if (!m->undefined) text_printf(m->out, " for i : 0..2 { v[i] := %u; }", pick(m, 7));
  text_add(m->out, "\n}\n");
}

static void invariant(struct maker *m) {
  text_printf(m->out, "invariant \"i\" : !(pc = %u & ", pick(m, m->blocks + 1));
  rare(m);
  text_add(m->out, ");\n");
}

void program_write(struct text *out, uint64_t seed) {
  struct maker m = {.out = out};
  rng_init(&m.rng, seed);
  m.blocks = 2 + pick(&m, 7);
  m.wide = chance(&m, 30);
  m.nonlinear = chance(&m, 20);
  m.undefined = chance(&m, 10);
  text_add(out, "model \"random\" language \"ir\";\ndeadlock off;\n");
  variables(&m);
  for (unsigned i = 0; i < (chance(&m, 20) ? 2u : 1u); i++) start(&m, i);
  for (unsigned b = 0; b < m.blocks; b++) block(&m, b);
  invariant(&m);
}
