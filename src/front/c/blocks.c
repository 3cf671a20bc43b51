// SPDX-License-Identifier: Apache-2.0
// The blocks of a program as they are lowered, as text.
#include "front/c/c.h"
#include "front/c/program.h"

bool c_show_blocks(struct text *out, struct source *s, const struct c_config *c, struct diag *d) {
  struct c_program p = {0};
  uint32_t recursion = c->recursion ? c->recursion : C_RECURSION;
  bool good = source_readable(s, "file", "a C program", d) && c_program_read(&p, s, c, d) &&
              c_program_inline(&p, recursion, d);
  if (good) {
    c_program_tidy(&p);
    c_program_print(out, &p);
  }
  for (size_t i = 0; i < p.sources.count; i++) diag_keep_source(d, p.sources.data[i]);
  p.sources.count = 0;
  c_program_free(&p);
  diag_keep_source(d, s);
  return good;
}
