// SPDX-License-Identifier: Apache-2.0
// Flat expressions as text: whole names, definitions by theirs. Equal text means the same, so that
// atoms can be told apart by it. Parameters are shared, so that a text may be far longer than what
// it stands for: past a length parts are named by their numbers.
#include "front/smv/lower.h"

#include <inttypes.h>

enum { TEXT_MAX = 4000 };

static bool is_plain(const struct smv_expr *e) {
  return e->arg_count == 0 || e->op == SMV_CALL || e->op == SMV_INDEX || e->op == SMV_BITS ||
         e->op == SMV_SET || e->op == SMV_NEXT || e->op == SMV_CASE || e->op == SMV_EU ||
         e->op == SMV_AU || e->op == SMV_EBU || e->op == SMV_ABU || e->op == SMV_NOT;
}

static void print_operand(struct text *out, const struct smv_expr *e) {
  if (!is_plain(e)) text_char(out, '(');
  smv_print(out, e);
  if (!is_plain(e)) text_char(out, ')');
}

static void print_list(struct text *out, const struct smv_expr *e, const char *open,
                       const char *close) {
  text_add(out, open);
  for (uint32_t i = 0; i < e->arg_count; i++) {
    if (i > 0) text_add(out, ", ");
    smv_print(out, e->args[i]);
  }
  text_add(out, close);
}

static void print_case(struct text *out, const struct smv_expr *e) {
  text_add(out, "case ");
  for (uint32_t i = 0; i + 1 < e->arg_count; i += 2) {
    smv_print(out, e->args[i]);
    text_add(out, " : ");
    smv_print(out, e->args[i + 1]);
    text_add(out, "; ");
  }
  text_add(out, "esac");
}

static void print_word(struct text *out, const struct smv_expr *e) {
  uint64_t ones = ~UINT64_C(0) >> (64 - e->bits);
  text_printf(out, "0%sh%u_%" PRIx64, e->is_signed ? "s" : "u", e->bits, (uint64_t)e->value & ones);
}

static void print_until(struct text *out, const struct smv_expr *e) {
  bool exists = e->op == SMV_EU || e->op == SMV_EBU, bounded = e->op == SMV_EBU || e->op == SMV_ABU;
  text_add(out, exists ? "E [ " : "A [ ");
  print_operand(out, e->args[0]);
  text_add(out, bounded ? " BU " : " U ");
  if (bounded) text_printf(out, "%u..%u ", e->lo, e->hi);
  print_operand(out, e->args[1]);
  text_add(out, " ]");
}

static void print_unary(struct text *out, const struct smv_expr *e) {
  text_add(out, smv_operator(e->op));
  if (e->op >= SMV_EBF && e->op <= SMV_ABG) text_printf(out, " %u..%u", e->lo, e->hi);
  if (e->op != SMV_NOT && e->op != SMV_MINUS) text_char(out, ' ');
  print_operand(out, e->args[0]);
}

static void print_binary(struct text *out, const struct smv_expr *e) {
  print_operand(out, e->args[0]);
  text_printf(out, e->op == SMV_RANGE ? "%s" : " %s ", smv_operator(e->op));
  print_operand(out, e->args[1]);
}

static void print_choice(struct text *out, const struct smv_expr *e) {
  print_operand(out, e->args[0]);
  text_add(out, " ? ");
  print_operand(out, e->args[1]);
  text_add(out, " : ");
  print_operand(out, e->args[2]);
}

void smv_print(struct text *out, const struct smv_expr *e) {
  if (out->count > TEXT_MAX && e->arg_count > 0) {
    text_printf(out, "#%u", e->id);
    return;
  }
  switch (e->op) {
  case SMV_NUMBER: text_printf(out, "%" PRId64, e->value); return;
  case SMV_TRUE: text_add(out, "TRUE"); return;
  case SMV_FALSE: text_add(out, "FALSE"); return;
  case SMV_WORD: print_word(out, e); return;
  case SMV_SYMBOL: text_add(out, e->symbol->name); return;
  case SMV_INDEX:
    smv_print(out, e->args[0]);
    text_char(out, '[');
    smv_print(out, e->args[1]);
    text_char(out, ']');
    return;
  case SMV_BITS:
    print_operand(out, e->args[0]);
    text_char(out, '[');
    smv_print(out, e->args[1]);
    text_char(out, ':');
    smv_print(out, e->args[2]);
    text_char(out, ']');
    return;
  case SMV_SET: print_list(out, e, "{", "}"); return;
  case SMV_NEXT: print_list(out, e, "next(", ")"); return;
  case SMV_CALL:
    text_add(out, e->text);
    print_list(out, e, "(", ")");
    return;
  case SMV_CASE: print_case(out, e); return;
  case SMV_ITE: print_choice(out, e); return;
  case SMV_EU:
  case SMV_AU:
  case SMV_EBU:
  case SMV_ABU: print_until(out, e); return;
  case SMV_NAME:
  case SMV_SELF: text_add(out, e->text ? e->text : "self"); return;
  default: break;
  }
  if (e->arg_count == 1)
    print_unary(out, e);
  else
    print_binary(out, e);
}

const char *smv_text(struct arena *a, const struct smv_expr *e) {
  struct text t = {0};
  smv_print(&t, e);
  const char *s = arena_strdup(a, text_str(&t));
  text_clear(&t);
  return s;
}
