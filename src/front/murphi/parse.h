// SPDX-License-Identifier: Apache-2.0
// What the scanner and the parser share: the source, where its diagnostics go, the tree so far.
#pragma once

#include "front/murphi/ast.h"

struct murphi_parse {
  const struct source *source;
  struct diag *diag;
  struct arena *tree;  // nodes
  struct arena *texts; // names and strings: the model's arena
  struct ident_table idents;
  struct ast_node *nodes; // the result
  // the scanner's
  uint32_t line, column; // of the next character; columns count bytes
  struct text string;    // the string being read
  struct span open;      // where a string or comment began
};

// Reads p->source into p->nodes. Errors are in p->diag; then the tree may have holes.
void murphi_parse(struct murphi_parse *p);
