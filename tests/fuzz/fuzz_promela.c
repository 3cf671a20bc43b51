// SPDX-License-Identifier: Apache-2.0
// Whatever the bytes, the front end of Promela gives a model or located diagnostics, never a crash;
// a tree can be printed, and a model passes the checker. The preprocessor is left out: it is
// another program, and would read any file.
#include "front/promela/promela.h"
#include "ir/ir.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void print_all(struct text *out, const struct ast_stmt *s) {
  for (; s; s = s->next) {
    ast_print_stmt(out, s);
    print_all(out, s->body);
    print_all(out, s->other);
    for (const struct ast_option *o = s->options; o; o = o->next) print_all(out, o->body);
  }
}

static void parse_model(const uint8_t *data, size_t size) {
  struct diag d = {0};
  struct text shown = {0};
  struct pml_parse p = {.diag = &d, .arena = arena_new(), .raw = true};
  pml_parse(&p, source_from_text("fuzz.pml", (const char *)data, size), NULL, 0);
  for (size_t i = 0; i < d.count; i++)
    if (!d.entries[i].span.source) abort();
  for (const struct ast_unit *u = p.units; u && d.errors == 0; u = u->next)
    print_all(&shown, u->body);
  for (size_t i = 0; i < p.sources.count; i++) source_free(p.sources.data[i]);
  VEC_CLEAR(&p.sources);
  arena_free(p.arena);
  text_clear(&shown);
  diag_clear(&d);
}

static void load_model(const uint8_t *data, size_t size) {
  struct diag d = {0};
  struct text errors = {0};
  struct promela_config c = {.no_c = true}; // nobody knows what it would do
  struct ir_model *m =
      promela_load(source_from_text("fuzz.pml", (const char *)data, size), &c, NULL, &d);
  if (m == NULL && d.errors == 0) abort(); // refused without a word
  if (m != NULL) {
    if (!ir_check(m, &errors)) abort();
    ir_model_free(m);
  }
  text_clear(&errors);
  diag_clear(&d);
}

static void parse_expression(const uint8_t *data, size_t size) {
  struct diag d = {0};
  struct text shown = {0};
  struct pml_parse p = {.diag = &d, .arena = arena_new()};
  struct source *s = source_from_text("given", (const char *)data, size);
  struct ast_expr *e = pml_parse_expr(&p, s);
  if ((e == NULL) != (d.errors > 0)) abort(); // refused without a word, or read with one
  if (e) ast_print_expr(&shown, e);
  text_clear(&shown);
  source_free(s);
  arena_free(p.arena);
  diag_clear(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  enum { LOADED_MAX = 1000 }; // loading looks at some thousand states, which takes its time
  parse_model(data, size);
  if (size == 0 || (size <= LOADED_MAX && !memchr(data, '#', size))) load_model(data, size);
  parse_expression(data, size);
  return 0;
}
