// SPDX-License-Identifier: Apache-2.0
// Formulas as text that means the same to ltl_parse. Operands that are made of two stand in
// parentheses, atoms that are more than a name stand in quotes.
#include "ir/ir.h"
#include "ltl/formula.h"
#include "ltl/scan.h"

#include <ctype.h>
#include <string.h>

static const char *const spelling[] = {
    [LTL_TRUE] = "true",
    [LTL_FALSE] = "false",
    [LTL_NOT] = "!",
    [LTL_AND] = "&&",
    [LTL_OR] = "||",
    [LTL_IMPLIES] = "->",
    [LTL_EQUIV] = "<->",
    [LTL_NEXT] = "X ",
    [LTL_UNTIL] = "U",
    [LTL_WEAK] = "W",
    [LTL_EVENTUALLY] = "<>",
    [LTL_ALWAYS] = "[]",
    [LTL_RELEASE] = "V",
    [LTL_PREVIOUS] = "previous ",
    [LTL_WEAK_PREVIOUS] = "weakprevious ",
    [LTL_ONCE] = "once ",
    [LTL_HISTORICALLY] = "historically ",
    [LTL_SINCE] = "since",
    [LTL_TRIGGERED] = "triggered",
};

// A word that cannot be taken for an operator.
static bool is_plain_name(const char *s) {
  struct ltl_lexeme ignored;
  bool word = isalpha((unsigned char)*s) || *s == '_';
  for (const char *p = s; *p; p++) word = word && (isalnum((unsigned char)*p) || *p == '_');
  return word && !ltl_scan_word(s, strlen(s), LTL_STYLE_IR, &ignored);
}

static void print_atom(struct text *out, const char *name) {
  const char *quote = is_plain_name(name) ? "" : "\"";
  text_printf(out, "%s%s%s", quote, name, quote);
}

static void print_operand(struct text *out, const struct ltl *f, const char *const *atoms) {
  bool compound = ltl_is_binary(f->op);
  if (compound) text_char(out, '(');
  ltl_print(out, f, atoms);
  if (compound) text_char(out, ')');
}

void ltl_print(struct text *out, const struct ltl *f, const char *const *atoms) {
  if (f->op == LTL_ATOM) {
    print_atom(out, atoms[f->atom]);
  } else if (!ltl_is_binary(f->op)) {
    text_add(out, spelling[f->op]);
    if (f->left) print_operand(out, f->left, atoms);
  } else {
    print_operand(out, f->left, atoms);
    text_printf(out, " %s ", spelling[f->op]);
    print_operand(out, f->right, atoms);
  }
}

const char *ltl_text(const struct ltl *f, const struct ir_model *m) {
  const char **names = mem_zalloc(m->atoms.count + 1, sizeof *names);
  struct text t = {0};
  for (size_t i = 0; i < m->atoms.count; i++) names[i] = m->atoms.data[i]->name;
  ltl_print(&t, f, names);
  const char *s = arena_strdup(m->arena, text_str(&t));
  text_clear(&t);
  mem_free(names);
  return s;
}
