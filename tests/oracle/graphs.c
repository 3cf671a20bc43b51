// SPDX-License-Identifier: Apache-2.0
// Prints the values of the mtypes of a Promela model, and its control graphs in the form of SPIN's
// `pan -d`: graphs MODEL
#include "front/promela/parse.h"
#include "front/promela/program.h"

#include <stdlib.h>

int main(int argc, char **argv) {
  const char *why;
  struct diag diag = {0};
  struct source *source = argc == 2 ? source_read(argv[1], &why) : NULL;
  if (!source) return 2;
  struct pml_parse parse = {.diag = &diag, .arena = arena_new()};
  struct pml_program program = {.arena = parse.arena, .syntax = parse.arena};
  pml_parse(&parse, source, NULL, 0);
  if (diag.errors == 0) pml_resolve(&program, parse.units, &diag);
  diag_print(&diag, stderr, false);
  if (diag.errors == 0) {
    struct text out = {0};
    for (size_t i = 0; i < program.mtypes.count; i++)
      text_printf(&out, "mtype %s %d\n", program.mtypes.data[i].name,
                  (int)program.mtypes.data[i].value);
    pml_print_graph(&out, &program);
    fputs(text_str(&out), stdout);
    text_clear(&out);
  }
  int status = diag.errors > 0;
  diag_clear(&diag);
  for (size_t i = 0; i < parse.sources.count; i++) source_free(parse.sources.data[i]);
  VEC_CLEAR(&parse.sources);
  arena_free(parse.arena);
  return status;
}
