// SPDX-License-Identifier: Apache-2.0
// Formulas of computation tree logic: what each operator is made of, and a walk over the atoms.
#include "ir/ctl.h"

const struct ir_ctl_shape ir_ctl_shapes[IR_CTL_OPS] = {
    [IR_CTL_ATOM] = {"", 0, false, false},      [IR_CTL_NOT] = {"!", 1, false, false},
    [IR_CTL_AND] = {"&", 2, false, false},      [IR_CTL_OR] = {"|", 2, false, false},
    [IR_CTL_IMPLIES] = {"->", 2, false, false}, [IR_CTL_IFF] = {"<->", 2, false, false},
    [IR_CTL_EX] = {"EX", 1, false, false},      [IR_CTL_AX] = {"AX", 1, false, false},
    [IR_CTL_EF] = {"EF", 1, false, false},      [IR_CTL_AF] = {"AF", 1, false, false},
    [IR_CTL_EG] = {"EG", 1, false, false},      [IR_CTL_AG] = {"AG", 1, false, false},
    [IR_CTL_EU] = {"E", 2, true, false},        [IR_CTL_AU] = {"A", 2, true, false},
    [IR_CTL_EBF] = {"EBF", 1, false, true},     [IR_CTL_ABF] = {"ABF", 1, false, true},
    [IR_CTL_EBG] = {"EBG", 1, false, true},     [IR_CTL_ABG] = {"ABG", 1, false, true},
    [IR_CTL_EBU] = {"E", 2, true, true},        [IR_CTL_ABU] = {"A", 2, true, true},
};

void ir_ctl_atoms(const struct ir_ctl *f, void (*visit)(void *context, struct ir_expr **atom),
                  void *context) {
  if (!f) return;
  // formulas are const to whoever reads them; passes of this room may rewrite what is in them
  if (f->op == IR_CTL_ATOM) return visit(context, &((struct ir_ctl *)f)->expr);
  ir_ctl_atoms(f->left, visit, context);
  ir_ctl_atoms(f->right, visit, context);
}

bool ir_ctl_is_condition(const struct ir_ctl *f) {
  if (f->op > IR_CTL_IFF) return false;
  return (!f->left || ir_ctl_is_condition(f->left)) && (!f->right || ir_ctl_is_condition(f->right));
}
