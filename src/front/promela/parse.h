// SPDX-License-Identifier: Apache-2.0
// From the user's file to a tree: the preprocessor (preprocess.c), the scanner (scan.l), the stream
// of tokens with inlines expanded (stream.c) and the parser (parse.y). Spans point into the user's
// own files, through the preprocessor's line markers.
#pragma once

#include "front/promela/ast.h"

struct pml_define { // -D NAME=VALUE
  const char *name, *value;
};

struct pml_parse {
  struct diag *diag;
  struct arena *arena; // nodes, names, texts
  bool raw;            // never run the preprocessor: the text is taken as it is
  // Names of proctypes, for pml_parse_expr: P[1]:x is a remote reference only if P is one.
  const char *const *procs;
  size_t proc_count;
  // the results
  VEC(struct source *)
  sources;                // the user's files as they are read, the first the source itself:
                          // the caller frees them (or gives them to the model or the diag)
  struct ast_unit *units; // in the order written, but ltl blocks at the end
};

// Runs the preprocessor over the source if it has directives (or defines are given), then parses.
// Errors are in p->diag; then the tree may have holes. p->sources.data[0] is the source itself.
void pml_parse(struct pml_parse *p, struct source *s, const struct pml_define *defines,
               size_t define_count);
// Reads one expression (or ltl formula); NULL after errors. There are no macros in it.
struct ast_expr *pml_parse_expr(struct pml_parse *p, struct source *s);
