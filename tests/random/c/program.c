// SPDX-License-Identifier: Apache-2.0
// The generator of C programs (program.h). Nothing that it writes is undefined: divisors are not 0
// or -1, counts of shifts are within the width, indices are masked, loops count to a constant;
// signed overflow wraps (-fwrapv on both sides).
#include "random/c/program.h"

#include <inttypes.h>

enum { SCALARS = 5, GLOBALS = 5, LENGTH = 8, FUNCTIONS = 3 };

struct kind {
  const char *name, *input;
  unsigned bits;
};
static const struct kind kinds[] = {
    {"char", "char", 8},    {"unsigned char", "uchar", 8},
    {"short", "short", 16}, {"unsigned short", "ushort", 16},
    {"int", "int", 32},     {"unsigned", "uint", 32},
    {"long", "long", 64},   {"unsigned long", "ulong", 64},
    {"_Bool", "bool", 1},
};
enum { KINDS = sizeof kinds / sizeof *kinds, KIND_INT = 4 };

struct gen {
  struct text *out;
  struct rng rng;
  int level, depth, indent;
  bool unsafe;
  unsigned loops; // counters in use
  const struct kind *globals[GLOBALS], *locals[SCALARS];
  const struct kind *array, *field;
  uint32_t calls;   // functions that may be called here: those before
  bool is_function; // parameters a, b, and p from level 3 on
};

static uint64_t below(struct gen *g, uint64_t n) { return rng_below(&g->rng, n); }
static bool chance(struct gen *g, unsigned percent) { return below(g, 100) < percent; }

#define say(g, ...) text_printf((g)->out, __VA_ARGS__)

static void line(struct gen *g) {
  text_char(g->out, '\n');
  for (int i = 0; i < g->indent; i++) text_add(g->out, "  ");
}

// --- expressions ---

static void expr(struct gen *g);

static void constant(struct gen *g) {
  static const char *const corners[] = {"0",
                                        "1",
                                        "-1",
                                        "2",
                                        "7",
                                        "127",
                                        "128",
                                        "255",
                                        "32767",
                                        "65535",
                                        "2147483647",
                                        "(-2147483647 - 1)",
                                        "4294967295u",
                                        "9223372036854775807l",
                                        "(-9223372036854775807l - 1)"};
  if (chance(g, 50))
    say(g, "%s", corners[below(g, sizeof corners / sizeof *corners)]);
  else
    say(g, "%" PRIu64, below(g, 20));
}

static void index_within(struct gen *g, int length) {
  text_char(g->out, '(');
  expr(g);
  say(g, ") & %d", length - 1);
}

static void index_expr(struct gen *g) {
  index_within(g, g->unsafe && chance(g, 10) ? 2 * LENGTH : LENGTH);
}

// A place that can be written; its name is said.
static void place(struct gen *g) {
  unsigned k = (unsigned)below(g, g->level >= 3 ? 9 : g->level == 2 ? 7 : 4);
  if (k < 2) {
    say(g, "g%u", (unsigned)below(g, GLOBALS));
  } else if (k < 4) {
    if (chance(g, 10))
      text_char(g->out, 'r');
    else
      say(g, "x%u", (unsigned)below(g, SCALARS));
  } else if (k == 4) {
    text_add(g->out, "array[");
    index_expr(g);
    text_char(g->out, ']');
  } else if (k == 5) {
    text_add(g->out, chance(g, 50) ? "pair.left" : "pair.right");
  } else if (k == 6) {
    text_add(g->out, "pairs[");
    index_expr(g);
    text_add(g->out, chance(g, 50) ? "].left" : "].right");
  } else if (k == 7) {
    text_add(g->out, g->level >= 4 && chance(g, 30) ? "q->right"
                     : chance(g, 50)                ? "q->left"
                                                    : "*p");
  } else {
    text_add(g->out, "p[0]");
  }
}

// A statement of its own: C leaves open when a call in an expression happens.
static void call(struct gen *g) {
  say(g, "r = f%u(", (unsigned)below(g, g->calls));
  expr(g);
  text_add(g->out, ", ");
  expr(g);
  if (g->level >= 3) say(g, ", &g%u", KIND_INT % GLOBALS);
  text_add(g->out, ");");
}

static void operand(struct gen *g) {
  if (chance(g, 35)) return constant(g);
  place(g);
}

static void binary(struct gen *g) {
  static const char *const ops[] = {"+",  "-",  "*",  "&",  "|",  "^", "<", "<=", ">",
                                    ">=", "==", "!=", "&&", "||", ",", "+", "-"};
  text_char(g->out, '(');
  expr(g);
  say(g, " %s ", ops[below(g, sizeof ops / sizeof *ops)]);
  expr(g);
  text_char(g->out, ')');
}

static void division(struct gen *g) {
  static const char *const by[] = {"3", "-3", "7u", "10l", "-2", "1000000007", "5ul", "255"};
  text_char(g->out, '(');
  expr(g);
  text_add(g->out, chance(g, 50) ? " / " : " % ");
  if (g->unsafe && chance(g, 20)) {
    expr(g);
    text_char(g->out, ')');
    return;
  }
  if (chance(g, 60)) {
    say(g, "%s)", by[below(g, sizeof by / sizeof *by)]);
  } else {
    text_add(g->out, "((");
    expr(g);
    text_add(g->out, chance(g, 50) ? ") | 1ul))" : " & 255) + 1))");
  }
}

static void shift(struct gen *g) {
  const struct kind *k = &kinds[KIND_INT + below(g, 4)];
  say(g, "((%s)", k->name);
  expr(g);
  text_add(g->out, chance(g, 50) ? " << (" : " >> (");
  expr(g);
  if (g->unsafe && chance(g, 10))
    text_add(g->out, " + g0 & 127))"); // what is constant the compiler looks at
  else
    say(g, " & %u))", k->bits - 1);
}

static void unary(struct gen *g) {
  static const char *const ops[] = {"-",
                                    "~",
                                    "!",
                                    "(char)",
                                    "(unsigned char)",
                                    "(short)",
                                    "(unsigned short)",
                                    "(int)",
                                    "(unsigned)",
                                    "(long)",
                                    "(unsigned long)",
                                    "(_Bool)"};
  say(g, "%s(", ops[below(g, sizeof ops / sizeof *ops)]);
  expr(g);
  text_char(g->out, ')');
}

static void expr(struct gen *g) {
  if (g->depth >= 4 || chance(g, 30)) return operand(g);
  g->depth++;
  switch (below(g, 8)) {
  case 0: division(g); break;
  case 1: shift(g); break;
  case 2: unary(g); break;
  case 3:
    text_char(g->out, '(');
    expr(g);
    text_add(g->out, " ? ");
    expr(g);
    text_add(g->out, " : ");
    expr(g);
    text_char(g->out, ')');
    break;
  default: binary(g);
  }
  g->depth--;
}

// --- statements ---

static void statement(struct gen *g, int nesting);

static void block(struct gen *g, int nesting) {
  text_add(g->out, " {");
  g->indent++;
  for (uint64_t n = 1 + below(g, 3); n > 0; n--) statement(g, nesting + 1);
  g->indent--;
  line(g);
  text_char(g->out, '}');
}

static void assignment(struct gen *g) {
  static const char *const ops[] = {"=", "=", "=", "+=", "-=", "^=", "*=", "|=", "&="};
  if (chance(g, 15)) {
    text_add(g->out, chance(g, 50) ? "++" : "--");
    place(g);
  } else {
    place(g);
    say(g, " %s ", ops[below(g, sizeof ops / sizeof *ops)]);
    expr(g);
  }
  text_char(g->out, ';');
}

static void input(struct gen *g) {
  place(g);
  say(g, " = __VERIFIER_nondet_%s();", kinds[below(g, KINDS)].input);
}

static void loop(struct gen *g, int nesting) {
  unsigned i = g->loops++;
  unsigned n = 1 + (unsigned)below(g, 5);
  if (chance(g, 50)) {
    say(g, "for (int i%u = 0; i%u < %u; i%u++)", i, i, n, i);
    block(g, nesting);
  } else {
    say(g, "for (int i%u = 0; ; ) {", i);
    g->indent++;
    line(g);
    say(g, "if (++i%u > %u) %s;", i, n, "break");
    if (chance(g, 30)) {
      line(g);
      text_add(g->out, "if (");
      expr(g);
      text_add(g->out, ") continue;");
    }
    statement(g, nesting + 1);
    g->indent--;
    line(g);
    text_char(g->out, '}');
  }
}

static void branch(struct gen *g, int nesting) {
  text_add(g->out, "if (");
  expr(g);
  text_char(g->out, ')');
  block(g, nesting);
  if (chance(g, 50)) return;
  text_add(g->out, " else");
  block(g, nesting);
}

static void selection(struct gen *g, int nesting) {
  text_add(g->out, "switch ((int)(");
  expr(g);
  text_add(g->out, ") & 7) {");
  for (int k = 0; k < 8; k++) {
    if (chance(g, 50)) continue;
    line(g);
    say(g, "case %d:", k);
    g->indent++;
    statement(g, nesting + 1);
    line(g);
    if (chance(g, 60)) text_add(g->out, "break;");
    g->indent--;
  }
  line(g);
  text_add(g->out, "default:");
  g->indent++;
  statement(g, nesting + 1);
  g->indent--;
  line(g);
  text_char(g->out, '}');
}

static void error(struct gen *g) {
  text_add(g->out, "if ((");
  expr(g);
  text_add(g->out, ") == (");
  expr(g);
  text_add(g->out, ")) reach_error();");
}

static void sum(struct gen *g) {
  text_add(g->out, "checksum = checksum * 31 + (unsigned long)(");
  expr(g);
  text_add(g->out, ");");
}

static void pointer_move(struct gen *g) {
  switch (below(g, g->level >= 4 ? 7 : 5)) {
  case 0:
    if (g->unsafe && chance(g, 20))
      text_add(g->out, "q = 0;");
    else
      say(g, "p = &g%u;", KIND_INT % GLOBALS);
    break;
  case 1:
    text_add(g->out, "p = &ints[");
    index_within(g, LENGTH);
    text_add(g->out, "];");
    break;
  case 2: say(g, "if (p != &g%u && p < ints + 7) p++;", KIND_INT % GLOBALS); break;
  case 3:
    text_add(g->out, "q = &pairs[");
    index_within(g, LENGTH);
    text_add(g->out, "];");
    break;
  case 4: text_add(g->out, "q = q->next && q->next != q ? q->next : &pair;"); break;
  case 5: text_add(g->out, "pairs[3].next = q; pair = *q;"); break;
  default:
    text_add(g->out, "{ struct pair *n = malloc(sizeof *n); n->left = 1; n->right = 2; n->next = "
                     "q; checksum += n->next->left; free(n); }");
  }
}

static void statement(struct gen *g, int nesting) {
  line(g);
  uint64_t k = below(g, 100);
  if (nesting < 3 && k < 10) return branch(g, nesting);
  if (nesting < 3 && k < 18) return loop(g, nesting);
  if (nesting < 3 && k < 22) return selection(g, nesting);
  if (k < 28) return input(g);
  if (g->calls && k < 32) return call(g);
  if (k < 35) return error(g);
  if (k < 45) return sum(g);
  if (g->level >= 3 && k < 55) return pointer_move(g);
  assignment(g);
}

// --- whole programs ---

static void declare(struct gen *g) {
  static const char *const all[] = {"char", "uchar", "short", "ushort", "int",
                                    "uint", "long",  "ulong", "bool"};
  for (int i = 0; i < KINDS; i++)
    say(g, "extern %s __VERIFIER_nondet_%s(void);\n", kinds[i].name, all[i]);
  say(g, "extern void reach_error(void);\nextern void *malloc(unsigned long);\n");
  say(g, "extern void free(void *);\nunsigned long checksum;\n");
  for (int i = 0; i < GLOBALS; i++) {
    g->globals[i] = i == KIND_INT % GLOBALS ? &kinds[KIND_INT] : &kinds[below(g, KINDS)];
    say(g, "%s g%d = %d;\n", g->globals[i]->name, i, (int)below(g, 3));
  }
  g->array = &kinds[below(g, KINDS)];
  g->field = &kinds[below(g, KINDS)];
  if (g->level >= 2)
    say(g,
        "%s array[%d];\nstruct pair { %s left; int right; struct pair *next; };\n"
        "struct pair pair, pairs[%d];\nint ints[%d] = {1, 2, 3};\n",
        g->array->name, LENGTH, g->field->name, LENGTH, LENGTH);
}

static void locals(struct gen *g) {
  g->indent = 1;
  for (int i = 0; i < SCALARS; i++) {
    line(g);
    say(g, "%s x%d = %d;", kinds[below(g, KINDS)].name, i, (int)below(g, 100));
  }
  line(g);
  text_add(g->out, "long r = 0;");
  if (g->level < 3) return;
  line(g);
  say(g, "%s; struct pair *q = &pair;", g->is_function ? "" : "int *p = ints");
}

static void function(struct gen *g, uint32_t number) {
  g->calls = number;
  g->is_function = true;
  say(g, "static %s f%u(%s a, %s b%s) {", kinds[below(g, KINDS)].name, number,
      kinds[below(g, KINDS)].name, kinds[below(g, KINDS)].name, g->level >= 3 ? ", int *p" : "");
  locals(g);
  line(g);
  text_add(g->out, "x0 += a; x1 ^= b;");
  for (uint64_t n = 1 + below(g, 3); n > 0; n--) statement(g, 1);
  line(g);
  text_add(g->out, "return ");
  expr(g);
  text_add(g->out, ";\n}\n");
}

void c_run_program(struct text *out, uint64_t seed, int level) {
  struct gen g = {.out = out, .level = level, .unsafe = level == C_RUN_UNSAFE};
  if (g.unsafe) g.level = level = 3;
  rng_init(&g.rng, seed);
  declare(&g);
  uint32_t functions = (uint32_t)below(&g, FUNCTIONS);
  for (uint32_t i = 0; i < functions; i++) function(&g, i);
  g.calls = functions;
  g.is_function = false;
  text_add(out, "int main(void) {");
  locals(&g);
  for (uint64_t n = 4 + below(&g, 8); n > 0; n--) statement(&g, 0);
  for (int i = 0; i < GLOBALS; i++)
    say(&g, "\n  checksum = checksum * 31 + (unsigned long)g%d;", i);
  for (int i = 0; i < SCALARS; i++)
    say(&g, "\n  checksum = checksum * 31 + (unsigned long)x%d;", i);
  if (level >= 2)
    say(&g,
        "\n  for (int i = 0; i < %d; i++) checksum = checksum * 31 + (unsigned long)(array[i] + "
        "pairs[i].left + pairs[i].right + ints[i]);",
        LENGTH);
  text_add(out, "\n  return 0;\n}\n");
}

// --- inputs ---

uint64_t c_run_input(uint64_t seed, uint64_t n) {
  uint64_t z = (seed + n + 1) * UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  z ^= z >> 31;
  return n % 3 == 0 ? z : n % 3 == 1 ? z % 16 : UINT64_C(0) - z % 16; // small ones, too
}

void c_run_harness(struct text *out, uint64_t seed) {
  text_printf(out,
              "#include <stdio.h>\n#include <stdlib.h>\nextern unsigned long checksum;\n"
              "static unsigned long n;\nstatic unsigned long next(void) {\n"
              "  unsigned long k = n++, z = (%" PRIu64 "ul + k + 1) * 0x9e3779b97f4a7c15ul;\n"
              "  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ul;\n"
              "  z = (z ^ (z >> 27)) * 0x94d049bb133111ebul;\n  z ^= z >> 31;\n"
              "  return k %% 3 == 0 ? z : k %% 3 == 1 ? z %% 16 : 0 - z %% 16;\n}\n",
              seed);
  for (int i = 0; i < KINDS; i++)
    text_printf(out, "%s __VERIFIER_nondet_%s(void) { return %s; }\n", kinds[i].name,
                kinds[i].input, kinds[i].bits == 1 ? "next() & 1" : "next()");
  text_add(
      out,
      "void reach_error(void) { printf(\"error %lu\\n\", checksum); fflush(stdout); _Exit(1); }\n"
      "static void end(void) { printf(\"end %lu\\n\", checksum); }\n"
      "__attribute__((constructor)) static void begin(void) { atexit(end); }\n");
}
