// SPDX-License-Identifier: Apache-2.0
// The whole way from a source to a tree: preprocess if need be, scan, parse.
#include "front/promela/parse.h"

#include "front/promela/scan.h"

#include <ctype.h>
#include <string.h>

static bool is_name(const char *s) {
  if (!isalpha((unsigned char)*s) && *s != '_') return false;
  for (; *s; s++)
    if (!isalnum((unsigned char)*s) && *s != '_') return false;
  return true;
}

static bool check_defines(struct pml_parse *p, const struct pml_define *defines, size_t n) {
  static const struct span nowhere;
  size_t errors = p->diag->errors;
  for (size_t i = 0; i < n; i++)
    if (!is_name(defines[i].name))
      diag_error(p->diag, nowhere, "-D %s: expected the name of a macro", defines[i].name);
  return p->diag->errors == errors;
}

// A name given with -D must be one that the model asks for.
static void unused_defines(struct pml_parse *p, const struct pml_files *f,
                           const struct pml_define *defines, size_t n) {
  static const struct span nowhere;
  for (size_t i = 0; i < n; i++) {
    const char *name = defines[i].name;
    if (pml_files_word(f, name)) continue;
    const char *best = name_nearest(name, f->macros.data, f->macros.count);
    if (best)
      diag_error(p->diag, nowhere, "-D %s: the model has no macro '%s'; did you mean '%s'?", name,
                 name, best);
    else
      diag_error(p->diag, nowhere, "-D %s: the model has no macro '%s'; expected one of its own",
                 name, name);
  }
}

static void parse_tokens(struct pml_parse *p, struct pml_build *b,
                         const struct pml_tokens *tokens) {
  struct pml_stream stream;
  size_t errors = p->diag->errors;
  pml_stream_init(&stream, p->diag, p->arena, tokens);
  for (size_t i = 0; i < p->proc_count; i++)
    pml_stream_word(&stream, p->procs[i], PML_WORD_PROCTYPE);
  b->parse = p;
  b->stream = &stream;
  if (pml_yyparse(b) != 0 && p->diag->errors == errors)
    diag_error(p->diag, tokens->all.data[0].span, "the text could not be read");
  pml_stream_clear(&stream);
}

static void scan_and_parse(struct pml_parse *p, struct pml_build *b, struct pml_files *f,
                           const struct text *cpp) {
  struct pml_tokens tokens = {0};
  const struct source *main = f->files.data[0].source;
  struct pml_scan scan = {.diag = p->diag,
                          .arena = p->arena,
                          .place = {.files = f, .expanded = cpp != NULL},
                          .tokens = &tokens};
  if (b->given) scan.ltl = PML_LTL_BODY;
  b->files = f;
  pml_scan_text(&scan, cpp ? text_str(cpp) : main->text, cpp ? cpp->count : main->bytes);
  parse_tokens(p, b, &tokens);
  VEC_CLEAR(&tokens.all);
}

void pml_parse(struct pml_parse *p, struct source *s, const struct pml_define *defines,
               size_t define_count) {
  struct pml_files files;
  struct pml_build b = {0};
  struct text text = {0};
  bool good = source_readable(s, "file", "a Promela model", p->diag) &&
              check_defines(p, defines, define_count);
  pml_files_init(&files, p->arena, s);
  bool expand = !p->raw && (define_count > 0 || pml_has_directives(s));
  if (good && expand)
    good = pml_preprocess(&files, p->arena, defines, define_count, &text, p->diag);
  if (good) {
    scan_and_parse(p, &b, &files, expand ? &text : NULL);
    unused_defines(p, &files, defines, define_count);
  }
  for (size_t i = 0; i < files.files.count; i++) VEC_PUSH(&p->sources, files.files.data[i].source);
  text_clear(&text);
  pml_files_clear(&files);
}

struct ast_expr *pml_parse_expr(struct pml_parse *p, struct source *s) {
  struct pml_files files;
  struct pml_build b = {.given = true};
  size_t errors = p->diag->errors;
  bool good = source_readable(s, "text", "a Promela expression", p->diag);
  pml_files_init(&files, p->arena, s);
  if (good) scan_and_parse(p, &b, &files, NULL);
  pml_files_clear(&files);
  return p->diag->errors == errors ? b.expr : NULL;
}
