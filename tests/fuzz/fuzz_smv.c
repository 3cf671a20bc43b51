// SPDX-License-Identifier: Apache-2.0
// Whatever the bytes, the SMV front end gives a model or located diagnostics, never a crash; a
// model passes the checker. The bytes are also read as an expression over a small model.
#include "front/smv/flat.h"
#include "front/smv/smv.h"
#include "ir/ir.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char world[] =
    "MODULE main VAR a : boolean; x : 0..9; s : {r, g}; w : word[8]; q : array 0..2 of 0..9; c : "
    "cell(x, q); p : process cell(q[1], q); IVAR i : boolean; DEFINE d := x + 1; k := [1, x];\n"
    "MODULE cell(v, other) VAR y : 0..9; ASSIGN next(v) := other[y];\n";

static void check_said(const struct diag *d, bool refused) {
  if (refused != (d->errors > 0)) abort(); // refused without a word, or read with one
  for (size_t i = 0; i < d->count; i++)
    if (!d->entries[i].span.source) abort();
}

// Is the model small enough to be lowered many times a second?
static bool flatten(const uint8_t *data, size_t size) {
  enum { SYMBOLS_FEW = 500, EXPRS_FEW = 5000 };
  struct diag d = {0};
  struct source *s = source_from_text("fuzz.smv", (const char *)data, size);
  struct smv_flat *f = smv_flatten(s, NULL, 0, &d);
  check_said(&d, f == NULL);
  bool few = !f || (f->symbols.count <= SYMBOLS_FEW && f->exprs <= EXPRS_FEW);
  smv_flat_free(f);
  diag_clear(&d);
  source_free(s);
  return few;
}

static void load(const uint8_t *data, size_t size) {
  struct diag d = {0};
  struct text errors = {0};
  struct ir_model *m =
      smv_load(source_from_text("fuzz.smv", (const char *)data, size), NULL, 0, &d);
  check_said(&d, m == NULL);
  if (m) {
    if (!ir_check(m, &errors)) abort();
    ir_model_free(m);
  }
  text_clear(&errors);
  diag_clear(&d);
}

static void read_expression(const uint8_t *data, size_t size) {
  struct diag d = {0};
  struct source *s = source_from_text("world.smv", world, sizeof world - 1);
  struct source *given = source_from_text("given", (const char *)data, size);
  struct smv_flat *f = smv_flatten(s, NULL, 0, &d);
  if (!f) abort();
  check_said(&d, smv_flatten_expr(f, given, &d) == NULL);
  smv_flat_free(f);
  diag_clear(&d);
  source_free(given);
  source_free(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (flatten(data, size)) load(data, size);
  read_expression(data, size);
  return 0;
}
