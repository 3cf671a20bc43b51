// SPDX-License-Identifier: Apache-2.0
// Formulas over atoms that are single words, one a line on standard input, to what the scripts
// beside this need. ltl_automaton FORM prints one line (or one text) each:
//   sizes    states, edges, and the same with acceptance on edges, milliseconds
//   spin     the formula for spin -f, which knows no weak until
//   lbt      the formula in lbt's prefix notation
//   never, dot
// ltl_automaton random SEED COUNT SIZE prints formulas.
#include "ir/ir.h"
#include "ltl/ltl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct names {
  char name[64][32];
  uint32_t count;
};

static bool read_atom(void *context, struct span span, uint32_t *atom) {
  struct names *n = context;
  const char *line = span.source->text; // one line
  int bytes = (int)(span.end_column - span.column);
  char name[32];
  snprintf(name, sizeof name, "%.*s", bytes, line + span.column - 1);
  for (*atom = 0; *atom < n->count; ++*atom)
    if (strcmp(n->name[*atom], name) == 0) return true;
  if (n->count == 64) return false;
  strcpy(n->name[n->count++], name);
  return true;
}

static const char *const names_of[] = {
    [LTL_TRUE] = "t",        [LTL_FALSE] = "f",    [LTL_NOT] = "! ",   [LTL_AND] = "& ",
    [LTL_OR] = "| ",         [LTL_IMPLIES] = "i ", [LTL_EQUIV] = "e ", [LTL_NEXT] = "X ",
    [LTL_EVENTUALLY] = "F ", [LTL_ALWAYS] = "G ",  [LTL_UNTIL] = "U ", [LTL_RELEASE] = "V ",
};

static void print_lbt(const struct ltl *x) {
  if (x->op == LTL_ATOM) {
    printf("p%u ", x->atom);
  } else if (x->op == LTL_WEAK) {
    printf("V ");
    print_lbt(x->right);
    printf("| ");
    print_lbt(x->left);
    print_lbt(x->right);
  } else {
    printf("%s ", names_of[x->op]);
    if (x->left) print_lbt(x->left);
    if (x->right) print_lbt(x->right);
  }
}

static const struct ltl *without_weak(struct ltl_factory *f, const struct ltl *x) {
  if (!x || x->op <= LTL_ATOM) return x;
  const struct ltl *a = without_weak(f, x->left), *b = without_weak(f, x->right);
  if (x->op != LTL_WEAK) return ltl_make(f, x->op, a, b);
  return ltl_make(f, LTL_RELEASE, b, ltl_make(f, LTL_OR, a, b));
}

static size_t edges_of(const struct ir_automaton *a) {
  size_t sum = 0;
  for (uint32_t i = 0; i < a->count; i++) sum += a->states[i].edge_count;
  return sum;
}

static void print_sizes(struct ltl_factory *f, const struct ltl *x, struct arena *arena) {
  double start = clock_seconds();
  struct ir_automaton *a = ltl_automaton(f, x, false, arena);
  double ms = (clock_seconds() - start) * 1000;
  struct ir_automaton *b = ltl_automaton(f, x, true, arena);
  if (a && b)
    printf("%u %zu %u %zu %.0f\n", a->count, edges_of(a), b->count, edges_of(b), ms);
  else
    printf("- - - - %.0f\n", ms);
}

static void print_form(const char *form, struct ltl_factory *f, const struct ltl *x,
                       const char *const *atoms) {
  struct arena *arena = arena_new();
  struct text t = {0};
  if (strcmp(form, "sizes") == 0) {
    print_sizes(f, x, arena);
  } else if (strcmp(form, "spin") == 0) {
    ltl_print(&t, without_weak(f, x), atoms);
    text_char(&t, '\n');
  } else if (strcmp(form, "lbt") == 0) {
    print_lbt(x);
    printf("\n");
  } else {
    struct ir_automaton *a = ltl_automaton(f, x, false, arena);
    if (a) (strcmp(form, "dot") == 0 ? ltl_print_dot : ltl_print_never)(&t, a, atoms);
  }
  fputs(text_str(&t), stdout);
  text_clear(&t);
  arena_free(arena);
}

// Every word is an atom of its own: connectives are the formula's.
static void quote_words(struct text *out, const char *line) {
  for (const char *c = line; *c;) {
    size_t n = strspn(c, "abcdefghijklmnopqrstuvwxyz0123456789_");
    bool constant = (n == 4 && memcmp(c, "true", 4) == 0) || (n == 5 && memcmp(c, "false", 5) == 0);
    if (n && !constant)
      text_printf(out, "\"%.*s\"", (int)n, c);
    else
      text_add_n(out, c, n ? n : 1);
    c += n ? n : 1;
  }
}

static bool work_on(const char *form, const char *line) {
  struct ltl_factory *f = ltl_factory_new();
  struct names names = {0};
  struct text quoted = {0};
  quote_words(&quoted, line);
  struct source *s = source_from_text("formula", text_str(&quoted), quoted.count);
  struct diag d = {0};
  struct ltl_reader r = {.atom = read_atom, .context = &names};
  const struct ltl *x = ltl_parse(f, s, &r, &d);
  const char *atoms[64];
  for (uint32_t i = 0; i < names.count; i++) atoms[i] = names.name[i];
  if (x) print_form(form, f, x, atoms);
  diag_print(&d, stderr, false);
  diag_clear(&d);
  source_free(s);
  text_clear(&quoted);
  ltl_factory_free(f);
  return x;
}

static const struct ltl *random_formula(struct ltl_factory *f, struct rng *r, int size) {
  static const enum ltl_op unary[] = {LTL_NOT, LTL_EVENTUALLY, LTL_ALWAYS};
  static const enum ltl_op binary[] = {LTL_AND, LTL_OR, LTL_UNTIL, LTL_RELEASE, LTL_IMPLIES};
  if (size <= 1) return ltl_atom(f, (uint32_t)rng_below(r, 3));
  if (size == 2 || rng_below(r, 5) < 2)
    return ltl_make(f, unary[rng_below(r, 3)], random_formula(f, r, size - 1), NULL);
  int left = 1 + (int)rng_below(r, (uint64_t)(size - 2));
  const struct ltl *a = random_formula(f, r, left);
  return ltl_make(f, binary[rng_below(r, 5)], a, random_formula(f, r, size - 1 - left));
}

static int print_random(uint64_t seed, int count, int size) {
  static const char *const atoms[] = {"p", "q", "r"};
  struct rng r;
  rng_init(&r, seed);
  for (int i = 0; i < count; i++) {
    struct ltl_factory *f = ltl_factory_new();
    struct text t = {0};
    ltl_print(&t, random_formula(f, &r, size), atoms);
    puts(text_str(&t));
    text_clear(&t);
    ltl_factory_free(f);
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 5 && strcmp(argv[1], "random") == 0)
    return print_random(strtoull(argv[2], NULL, 10), atoi(argv[3]), atoi(argv[4]));
  if (argc != 2) return fputs("usage: ltl_automaton FORM < FORMULAS\n", stderr), 1;
  char line[4096];
  int status = 0;
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = '\0';
    if (!work_on(argv[1], line)) status = 1;
    fflush(stdout);
  }
  return status;
}
