// SPDX-License-Identifier: Apache-2.0
// Random SMV models: a synchronous one, or processes that share variables. Each variable depends on
// a few others; some of the models have errors of steps, constraints, or states without successors.
#include "random/guided/smv_model.h"

#include "front/smv/smv.h"

#include <stdio.h>

#define VARS_MAX 12

struct var {
  char name[8];
  unsigned size; // values 0..size-1; 2: a Boolean
};

struct writer {
  struct text *out;
  struct rng rng;
  const bool *cut;
  uint32_t line;
  struct var vars[VARS_MAX]; // what the module sees; inputs come last
  uint32_t count, inputs;    // of variables; of inputs behind them
  uint32_t near[3];          // what the present variable depends on
};

static uint64_t below(struct writer *w, uint64_t n) { return rng_below(&w->rng, n); }
static bool one_in(struct writer *w, uint64_t n) { return below(w, n) == 0; }

// Of a line that may be left out: it was written all the same, so that the others stay as they are.
static void end_line(struct writer *w, size_t begun) {
  if (w->cut && w->cut[w->line]) w->out->data[w->out->count = begun] = '\0';
  w->line++;
}

// --- expressions ---

static const struct var *some_var(struct writer *w) {
  if (w->inputs > 0 && one_in(w, 6)) return &w->vars[w->count + below(w, w->inputs)];
  return &w->vars[w->near[below(w, 3)]];
}

static void pick_near(struct writer *w, uint32_t self) {
  for (size_t i = 0; i < 3; i++)
    w->near[i] = one_in(w, 3) ? self : (uint32_t)below(w, one_in(w, 2) ? w->count : self + 1);
}

static void put_constant(struct writer *w, unsigned size) {
  uint64_t value = below(w, size);
  if (size == 2)
    text_printf(w->out, "%s", value ? "TRUE" : "FALSE");
  else
    text_printf(w->out, "%u", (unsigned)value);
}

static void put_name(struct writer *w, const struct var *v, bool next) {
  text_printf(w->out, next ? "next(%s)" : "%s", v->name);
}

static void put_atom(struct writer *w, const struct var *v, bool next) {
  static const char *const relations[] = {" = ", " != ", " = ", " >= "};
  if (v->size == 2) {
    if (one_in(w, 2)) text_printf(w->out, "!");
    put_name(w, v, next);
    return;
  }
  text_printf(w->out, "(");
  put_name(w, v, next);
  text_printf(w->out, "%s", relations[below(w, 4)]);
  put_constant(w, v->size);
  text_printf(w->out, ")");
}

// `to`: a variable whose next value may stand in it, or NULL.
static void put_condition(struct writer *w, unsigned depth, const struct var *to) {
  static const char *const operators[] = {" & ", " | ", " xor ", " -> "};
  if (depth == 0 || one_in(w, 3)) {
    bool next = to && one_in(w, 2);
    put_atom(w, next ? to : some_var(w), next);
    return;
  }
  text_printf(w->out, "(");
  put_condition(w, depth - 1, to);
  text_printf(w->out, "%s", operators[below(w, 4)]);
  put_condition(w, depth - 1, to);
  text_printf(w->out, ")");
}

static void put_number(struct writer *w, unsigned size) {
  const struct var *v = some_var(w);
  bool same = v->size == size;
  if (!same || one_in(w, 4)) {
    put_constant(w, size);
    return;
  }
  switch (below(w, 6)) {
  case 0: text_printf(w->out, "%s", v->name); break;
  case 1: text_printf(w->out, "%u - %s", size - 1, v->name); break;
  case 2:
    text_printf(w->out, one_in(w, 16) ? "%s + 1" : "min(%s + 1, %u)", v->name, size - 1);
    break;
  default: text_printf(w->out, "(%s + %u) mod %u", v->name, (unsigned)below(w, size), size); break;
  }
}

static void put_value(struct writer *w, unsigned size, unsigned depth) {
  if (depth > 0 && one_in(w, 2)) {
    text_printf(w->out, "case ");
    for (uint64_t n = 1 + below(w, 3); n-- > 0;) {
      put_condition(w, 2, NULL);
      text_printf(w->out, " : ");
      put_value(w, size, depth - 1);
      text_printf(w->out, "; ");
    }
    text_printf(w->out, "TRUE : ");
    put_value(w, size, 0);
    text_printf(w->out, "; esac");
  } else if (one_in(w, 5)) {
    text_printf(w->out, "{");
    put_constant(w, size);
    text_printf(w->out, ", ");
    put_constant(w, size);
    text_printf(w->out, "}");
  } else if (size == 2) {
    put_condition(w, 2, NULL);
  } else {
    put_number(w, size);
  }
}

// Goes on by one under some condition, else stays: so that some states are far away.
static void put_slow(struct writer *w, const struct var *v) {
  text_printf(w->out, "case ");
  put_condition(w, (unsigned)below(w, 3), NULL);
  if (v->size == 2)
    text_printf(w->out, " : !%s; ", v->name);
  else
    text_printf(w->out, " : (%s + 1) mod %u; ", v->name, v->size);
  if (one_in(w, 3)) {
    put_condition(w, 1, NULL);
    text_printf(w->out, " : ");
    put_value(w, v->size, 1);
    text_printf(w->out, "; ");
  }
  text_printf(w->out, "TRUE : %s; esac", v->name);
}

// --- declarations ---

static void declare(struct writer *w, const struct var *v) {
  if (v->size == 2)
    text_printf(w->out, "  %s : boolean;\n", v->name);
  else
    text_printf(w->out, "  %s : 0..%u;\n", v->name, v->size - 1);
}

static void add_var(struct writer *w, const char *prefix) {
  struct var *v = &w->vars[w->count + w->inputs];
  snprintf(v->name, sizeof v->name, "%s%u", prefix, w->count + w->inputs);
  v->size = one_in(w, 3) ? 2 : one_in(w, 3) ? 8 : 3 + (unsigned)below(w, 3);
}

static void assign(struct writer *w, const char *what, uint32_t i, unsigned depth) {
  size_t begun = w->out->count;
  pick_near(w, i);
  text_printf(w->out, "  %s(%s) := ", what, w->vars[i].name);
  if (depth == 0)
    put_constant(w, w->vars[i].size);
  else if (!one_in(w, 4))
    put_slow(w, &w->vars[i]);
  else
    put_value(w, w->vars[i].size, depth);
  text_printf(w->out, ";\n");
  end_line(w, begun);
}

static void constrain(struct writer *w, const char *what, bool next) {
  size_t begun = w->out->count;
  uint32_t i = (uint32_t)below(w, w->count), inputs = w->inputs;
  pick_near(w, i);
  if (!next) w->inputs = 0; // inputs belong to steps
  text_printf(w->out, "%s ", what);
  put_condition(w, 1, NULL);
  text_printf(w->out, " -> ");
  put_condition(w, next, next ? &w->vars[i] : NULL);
  text_printf(w->out, "\n");
  w->inputs = inputs;
  end_line(w, begun);
}

// A few variables in which everything moves at once.
static void put_synchronous(struct writer *w) {
  text_printf(w->out, "MODULE main\nVAR\n");
  for (uint64_t n = 4 + below(w, 5); n-- > 0; w->count++) {
    add_var(w, "v");
    declare(w, &w->vars[w->count]);
  }
  for (uint64_t n = below(w, 3); n-- > 0; w->inputs++) {
    add_var(w, "i");
    text_printf(w->out, "IVAR\n");
    declare(w, &w->vars[w->count + w->inputs]);
  }
  text_printf(w->out, "ASSIGN\n");
  for (uint32_t i = 0; i < w->count; i++) {
    if (!one_in(w, 16)) assign(w, "init", i, 0);
    if (!one_in(w, 20)) assign(w, "next", i, 2);
  }
  if (one_in(w, 4)) constrain(w, "INIT", false);
  if (one_in(w, 6)) constrain(w, "INVAR", false);
  for (uint64_t n = below(w, 6); n-- > 3;) constrain(w, "TRANS", true);
}

// Processes of one module: two variables of its own, two that are shared.
static void put_processes(struct writer *w) {
  uint64_t workers = 2 + below(w, 2);
  text_printf(w->out, "MODULE main\nVAR\n");
  for (w->count = 0; w->count < 3; w->count++) {
    add_var(w, "v");
    w->vars[w->count].size = w->vars[0].size;
    declare(w, &w->vars[w->count]);
  }
  for (uint64_t i = 0; i < workers; i++) {
    size_t begun = w->out->count;
    text_printf(w->out, "  p%u : process worker(v%u, v%u);\n", (unsigned)i, (unsigned)i,
                (unsigned)(i + 1) % 3);
    end_line(w, begun);
  }
  text_printf(w->out, "ASSIGN\n");
  for (uint32_t i = 0; i < w->count; i++) assign(w, "init", i, 0);
  text_printf(w->out, "MODULE worker(v0, v1)\nVAR\n");
  for (w->count = 2; w->count < 4; w->count++) {
    add_var(w, "l");
    declare(w, &w->vars[w->count]);
  }
  text_printf(w->out, "ASSIGN\n");
  for (uint32_t i = 2; i < 4; i++) assign(w, "init", i, 0);
  for (uint32_t i = 0; i < 4; i++)
    if (!one_in(w, 5)) assign(w, "next", i, 2);
}

void smv_model_text(struct text *out, uint64_t seed, const bool *cut, uint32_t *lines) {
  struct writer w = {.out = out, .cut = cut};
  rng_init(&w.rng, seed * 48271 + 11);
  if (one_in(&w, 3))
    put_processes(&w);
  else
    put_synchronous(&w);
  *lines = w.line;
}

struct ir_model *smv_model(uint64_t seed, const bool *cut, uint32_t *lines) {
  struct text text = {0};
  struct diag d = {0};
  smv_model_text(&text, seed, cut, lines);
  struct ir_model *m =
      smv_load(source_from_text("random.smv", text_str(&text), text.count), NULL, 0, &d);
  diag_clear(&d);
  text_clear(&text);
  return m;
}
