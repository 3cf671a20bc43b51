// SPDX-License-Identifier: Apache-2.0
// Whatever the bytes, the reader of the IR's text form gives a model or diagnostics, never a crash;
// a model that it gives passes the checker and prints to what parses again.
#include "ir/ir.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct ir_model *parse(const char *text, size_t bytes) {
  struct diag d = {0};
  struct ir_model *m = ir_parse_model(source_from_text("fuzz.ir", text, bytes), &d);
  if (m == NULL && d.errors == 0) abort(); // refused without a word
  diag_clear(&d);
  return m;
}

static void print_again(const struct ir_model *m) {
  struct text first = {0}, second = {0}, errors = {0};
  if (!ir_check(m, &errors)) abort();
  ir_print_model(&first, m);
  struct ir_model *back = parse(text_str(&first), first.count);
  if (back == NULL) abort();
  ir_print_model(&second, back);
  if (strcmp(text_str(&first), text_str(&second)) != 0) abort();
  ir_model_free(back);
  text_clear(&first);
  text_clear(&second);
  text_clear(&errors);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct ir_model *m = parse((const char *)data, size);
  if (m == NULL) return 0;
  print_again(m);
  ir_model_free(m);
  return 0;
}
