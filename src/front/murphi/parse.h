// SPDX-License-Identifier: Apache-2.0
// What the scanner and the parser share: the source, where its diagnostics go, the tree so far.
#pragma once

#include "front/murphi/ast.h"

struct murphi_parse {
  const struct source *source;
  struct diag *diag;
  struct arena *tree;  // nodes
  struct arena *texts; // names and strings: the model's arena
  struct ident_table *idents;
  bool given;             // the text is one expression, not a model
  struct ast_node *nodes; // the result
  struct ast_expr *expr;  // the result, when given
  // the scanner's
  bool announced;        // given: the parser has been told
  uint32_t line, column; // of the next character; columns count bytes
  struct text string;    // the string being read
  struct span open;      // where a string or comment began
};

// Makes every line end a line feed and drops a byte order mark; false, with an error, when there is
// nothing to read or a NUL byte in it.
bool murphi_readable(struct source *s, bool given, struct diag *d);

// Reads p->source into p->nodes or p->expr. Errors are in p->diag; then the tree may have holes.
void murphi_parse(struct murphi_parse *p);
