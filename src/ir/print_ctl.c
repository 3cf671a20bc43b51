// SPDX-License-Identifier: Apache-2.0
// Formulas of computation tree logic in the text form (docs/ir.md): conditions in parentheses,
// formulas inside of others in brackets where they need it.
#include "ir/ctl.h"
#include "ir/print.h"

static void print_bounds(struct ir_printer *p, const struct ir_ctl *f) {
  if (ir_ctl_shapes[f->op].bounded) text_printf(p->out, " %u..%u", f->lo, f->hi);
}

// An operand: what is an infix formula itself goes into brackets.
static void print_operand(struct ir_printer *p, const struct ir_ctl *f) {
  const struct ir_ctl_shape *shape = &ir_ctl_shapes[f->op];
  bool infix = shape->operands == 2 && !shape->until;
  if (infix) text_add(p->out, "[");
  ir_printer_ctl(p, f);
  if (infix) text_add(p->out, "]");
}

static void print_until(struct ir_printer *p, const struct ir_ctl *f) {
  const struct ir_ctl_shape *shape = &ir_ctl_shapes[f->op];
  text_printf(p->out, "%s [", shape->word);
  print_operand(p, f->left);
  text_add(p->out, shape->bounded ? " BU" : " U");
  print_bounds(p, f);
  text_add(p->out, " ");
  print_operand(p, f->right);
  text_add(p->out, "]");
}

void ir_printer_ctl(struct ir_printer *p, const struct ir_ctl *f) {
  const struct ir_ctl_shape *shape = &ir_ctl_shapes[f->op];
  if (f->op == IR_CTL_ATOM) {
    text_add(p->out, "(");
    ir_printer_expr(p, f->expr);
    text_add(p->out, ")");
  } else if (shape->until) {
    print_until(p, f);
  } else if (shape->operands == 1) {
    text_add(p->out, shape->word);
    print_bounds(p, f);
    if (f->op != IR_CTL_NOT) text_add(p->out, " ");
    print_operand(p, f->left);
  } else {
    print_operand(p, f->left);
    text_printf(p->out, " %s ", shape->word);
    print_operand(p, f->right);
  }
}
