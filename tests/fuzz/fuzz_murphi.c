// SPDX-License-Identifier: Apache-2.0
// Whatever the bytes, the Murphi front end gives a model or diagnostics, never a crash; and a
// model that it gives passes the checker.
#include "front/murphi/murphi.h"
#include "ir/ir.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct diag d = {0};
  struct text errors = {0};
  struct ir_model *m =
      murphi_load(source_from_text("fuzz.m", (const char *)data, size), NULL, 0, 1000, &d);
  if (m == NULL && d.errors == 0) abort(); // refused without a word
  if (m != NULL) {
    if (!ir_check(m, &errors)) abort();
    ir_model_free(m);
  }
  text_clear(&errors);
  diag_clear(&d);
  return 0;
}
