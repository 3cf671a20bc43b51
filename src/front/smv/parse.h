// SPDX-License-Identifier: Apache-2.0
// What the scanner and the parser share: the source, where its diagnostics go, the tree so far.
#pragma once

#include "front/smv/ast.h"

struct smv_parse {
  const struct source *source;
  struct diag *diag;
  struct arena *tree;
  struct ast_texts *texts;
  bool given;                 // the text is one expression, not a model
  struct ast_module *modules; // the result
  struct smv_expr *expr;      // the result, when given
  // the scanner's
  bool announced;        // given: the parser has been told
  uint32_t line, column; // of the next character; columns count bytes
  struct span open;      // where a comment began
};

// Reads p->source into p->modules or p->expr. Errors are in p->diag; then the tree may have holes.
void smv_parse(struct smv_parse *p);
