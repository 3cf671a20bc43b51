// SPDX-License-Identifier: Apache-2.0
// Whatever the bytes, an expression over a finished model is read or refused with located
// diagnostics, in both languages; one that is read passes the checker. Failures leave nothing
// behind.
#include "front/murphi/murphi.h"
#include "ir/ir.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char text[] =
    "const N: 2; type proc: scalarset(N); kind: enum {A, B}; index: 0..1; node: union {proc, "
    "kind};\n"
    "var x: 0..9; b: boolean; a: array [proc] of record k: kind; n: index; end; w: node;\n"
    "  net: array [index] of multiset [2] of kind;\n"
    "function f(y: 0..9): 0..9; begin return y; end;\n"
    "function g(): boolean; begin x := 0; return b; end;\n"
    "startstate begin x := 0; end;\n"
    "ruleset i: index; c: enum {C, D} do choose m: net[i] do rule \"r\" true ==> begin end; end; "
    "end;\n";

typedef struct ir_expr *reader(struct ir_model *, struct source *, enum ir_want,
                               const struct ir_rule *, struct ir_frame *, struct diag *);

static void check(struct ir_model *m, struct ir_expr *e, const struct ir_frame *f,
                  uint32_t params) {
  struct text errors = {0};
  struct ir_property *p = ir_property_new(m, IR_PROP_LIVENESS, "given", e->span);
  p->frame = *f;
  p->param_count = params;
  p->expr = e;
  if (!ir_check(m, &errors)) abort();
  text_clear(&errors);
}

static void read_one(reader *r, enum ir_want want, bool scope, const uint8_t *data, size_t size) {
  struct diag d = {0};
  struct ir_frame f;
  struct ir_model *m = murphi_load(source_from_text("fuzz.m", text, strlen(text)), NULL, 0, 9, &d);
  const struct ir_rule *rule = scope ? m->rules.data[0] : NULL;
  size_t sites = m->sites.count, types = m->types.count;
  struct ir_expr *e = r(m, source_from_text("given", (const char *)data, size), want, rule, &f, &d);
  if ((e == NULL) != (d.errors > 0)) abort(); // refused without a word, or read with one
  if (e == NULL &&
      (d.entries[0].span.source == NULL || m->sites.count != sites || m->types.count != types))
    abort();
  if (e != NULL && want == IR_WANT_BOOL) check(m, e, &f, scope ? rule->param_count : 0);
  ir_model_free(m);
  diag_clear(&d);
}

// The first byte says how it is read.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  enum ir_want want = data[0] & 1 ? IR_WANT_INT : IR_WANT_BOOL;
  read_one(data[0] & 2 ? ir_parse_expr : murphi_expr, want, data[0] & 4, data + 1, size - 1);
  return 0;
}
