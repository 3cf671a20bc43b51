// SPDX-License-Identifier: Apache-2.0
// Terms as text, for people who look at what became of a model.
#include "relation/factory.h"

#include "ir/ir.h"

#include <inttypes.h>

struct printer {
  struct text *out;
  const struct ir_model *m;
  const bool *named;
  const struct term *whole;
};

static const char *const signs[TERM_OPS] = {
    [TERM_AND] = "&",       [TERM_OR] = "|",   [TERM_EQ] = "=",        [TERM_LT] = "<",
    [TERM_ULT] = "<u",      [TERM_ADD] = "+",  [TERM_SUB] = "-",       [TERM_MUL] = "*",
    [TERM_DIV] = "/",       [TERM_MOD] = "%",  [TERM_BITAND] = "band", [TERM_BITOR] = "bor",
    [TERM_BITXOR] = "bxor", [TERM_SHL] = "<<", [TERM_SHR] = ">>",
};

static void print(const struct printer *p, const struct term *a);

static void print_leaf(const struct printer *p, uint64_t leaf) {
  if (p->m)
    ir_leaf_name(p->out, p->m, leaf);
  else
    text_printf(p->out, "leaf%" PRIu64, leaf);
}

static void print_binary(const struct printer *p, const struct term *a) {
  text_char(p->out, '(');
  print(p, a->arg[0]);
  text_printf(p->out, " %s ", signs[a->op]);
  print(p, a->arg[1]);
  text_char(p->out, ')');
}

static void print_ite(const struct printer *p, const struct term *a) {
  text_add(p->out, "(if ");
  print(p, a->arg[0]);
  text_add(p->out, " then ");
  print(p, a->arg[1]);
  text_add(p->out, " else ");
  print(p, a->arg[2]);
  text_char(p->out, ')');
}

static void print(const struct printer *p, const struct term *a) {
  if (p->named && p->named[a->id] && a != p->whole) {
    text_printf(p->out, "#%" PRIu32, a->id);
    return;
  }
  switch (a->op) {
  case TERM_CONST: text_printf(p->out, "%" PRId64, a->value); break;
  case TERM_LEAF: print_leaf(p, a->leaf); break;
  case TERM_CHOICE: text_printf(p->out, "choice%" PRIu32, a->choice); break;
  case TERM_DEFINED:
    text_add(p->out, "defined(");
    print_leaf(p, a->leaf);
    text_char(p->out, ')');
    break;
  case TERM_NOT:
    text_char(p->out, '!');
    print(p, a->arg[0]);
    break;
  case TERM_WRAP:
    text_printf(p->out, "wrap%c%u(", a->is_signed ? 'i' : 'u', a->bits);
    print(p, a->arg[0]);
    text_char(p->out, ')');
    break;
  case TERM_ITE: print_ite(p, a); break;
  default: print_binary(p, a); break;
  }
}

void term_print_as(struct text *out, const struct term *a, const struct ir_model *m,
                   const bool *named) {
  struct printer p = {.out = out, .m = m, .named = named, .whole = a};
  print(&p, a);
}

void term_print(struct text *out, const struct term *a) { term_print_as(out, a, NULL, NULL); }
