// SPDX-License-Identifier: Apache-2.0
// Private to the parser of Promela: the user's files, the text of the preprocessor with the places
// it stands for, the tokens, and the stream of tokens that the grammar reads.
#pragma once

#include "front/promela/parse.h"

// ---------------------------------------------------------------------------------------------
// Files (files.c)

struct pml_file {
  struct source *source;
  const char *name;  // as the preprocessor writes it in its line markers
  uint32_t *line_at; // where each line starts
  uint32_t line_count;
};

struct pml_files {
  VEC(struct pml_file) files; // the model's own first
  const char *folder;         // of the model: names in markers are relative to it
  VEC(const char *) macros;   // that any of them defines or asks for, each once
  uint32_t *slots;            // positions in macros plus 1, by their hashes; 0: free
  size_t slot_count;          // a power of two
};

#define PML_MAIN_MARKER "<stdin>" // the model's own file in line markers

void pml_files_init(struct pml_files *f, struct arena *a, struct source *main);
void pml_files_clear(struct pml_files *f); // not the sources
// The position of a file by its name in a marker, read if it is new; -1: it cannot be read.
int32_t pml_files_find(struct pml_files *f, struct arena *a, const char *name);
bool pml_files_macro(const struct pml_files *f, const char *name, size_t n);
// Does any file hold this word?
bool pml_files_word(const struct pml_files *f, const char *word);
// The file of a source, which is one of theirs.
const struct pml_file *pml_file_of(const struct pml_files *f, const struct source *s);
// A line without its end; "" past the last one.
const char *pml_file_line(const struct pml_file *f, uint32_t line, size_t *n);

// ---------------------------------------------------------------------------------------------
// The preprocessor (preprocess.c)

// True if the text has directives.
bool pml_has_directives(const struct source *s);
// Runs the C preprocessor over the model; its output, with line markers, is added to out. False:
// errors are in d.
bool pml_preprocess(struct pml_files *f, struct arena *a, const struct pml_define *defines,
                    size_t define_count, struct text *out, struct diag *d);

// ---------------------------------------------------------------------------------------------
// Tokens (scan.l)

struct pml_token {
  int kind;     // of parser.h
  bool newline; // a line ends between the token before and this one
  struct span span;
  const char *text;  // NAME, STRING, C text
  const char *label; // C_CODE: the condition in brackets, or NULL
  int64_t value;     // NUMBER; TYPE: its ast_base; SELECT: it stands in an inline
};

struct pml_tokens {
  VEC(struct pml_token) all;
};

// Where a token of the scanned text stands in the user's files. Without the preprocessor that is
// the place in the text itself; with it, the line comes from the markers and the column is found by
// following the tokens along the user's line (places.c).
struct pml_place {
  struct pml_files *files;
  bool expanded;         // the text is the preprocessor's
  int32_t file;          // position in files; -1: nowhere
  uint32_t line, column; // of the next character of the scanned text, by markers
  size_t cursor;         // expanded: how far the user's line has been followed
};
void pml_place_line(struct pml_place *p, uint32_t line); // the next line of the text is this one
struct span pml_place_token(struct pml_place *p, const char *text, size_t n);

struct pml_scan {
  struct diag *diag;
  struct arena *arena;
  struct pml_place place;
  struct pml_tokens *tokens;
  // the scanner's own
  struct pml_token token; // being read
  bool newline;
  struct text string;
  struct span open;  // where a string, comment or C text began
  uint32_t c_braces; // open in C text
  enum { PML_LTL_NO, PML_LTL_WORD, PML_LTL_BODY } ltl;
  uint32_t ltl_braces;
};

// Reads a text into tokens, the last of which is the end of the file. The formulas of ltl blocks go
// to the end, where all proctypes are known.
void pml_scan_text(struct pml_scan *s, const char *text, size_t bytes);

// ---------------------------------------------------------------------------------------------
// The stream (stream.c): inlines expanded, semicolons that may be left out put in

enum pml_word_kind { PML_WORD_TYPE, PML_WORD_PROCTYPE, PML_WORD_MTYPE, PML_WORD_INLINE };

struct pml_inline {
  const char *name;
  struct span span;
  const char **params;
  uint32_t param_count;
  const struct pml_token *body; // from { to }
  size_t body_count;
  bool open; // being expanded
};

struct pml_word { // a name that the grammar must know
  const char *name;
  enum pml_word_kind kind;
  struct pml_inline *def;
  struct pml_word *next;
};

struct pml_frame { // tokens being read: the text, the body of an inline, an argument
  const struct pml_token *tokens;
  size_t count, at;
  struct pml_inline *def;          // NULL: not a body
  struct pml_args *args;           // of the body
  const struct pml_token *seen_as; // an argument: the name in the body that it stands for
};

struct pml_stream {
  struct diag *diag;
  struct arena *arena;
  struct pml_word *words[4096];
  VEC(struct pml_frame) frames;
  uint64_t expanded; // tokens made by inlines so far
  bool stopped;      // too many: only the end comes
  // for the semicolons
  struct pml_token before; // the last token given
  struct pml_token held;   // one read ahead
  bool has_held;
  uint32_t braces;       // open
  uint32_t parens;       // open since the last brace
  struct span outermost; // brace that is open
  bool in_sequence;      // inside a body or typedef
  bool in_ltl;           // inside an ltl block
  uint32_t for_parens;   // parens when a for( began, plus 1; 0: in none
};

void pml_stream_init(struct pml_stream *s, struct diag *d, struct arena *a,
                     const struct pml_tokens *tokens);
void pml_stream_clear(struct pml_stream *s);
void pml_stream_next(struct pml_stream *s, struct pml_token *out);
void pml_stream_word(struct pml_stream *s, const char *name, enum pml_word_kind kind);

// ---------------------------------------------------------------------------------------------
// The parser (parse.y)

struct pml_build {
  struct pml_parse *parse;
  const struct pml_files *files;
  struct pml_stream *stream;
  struct ast_expr *result; // of the inline being parsed: where its return goes; NULL: nowhere
  bool given;              // the text is one expression
  bool announced;          // given: the parser has been told
  struct ast_expr *expr;   // given: the result
  bool in_ltl;
  bool too_deep; // an expression was
};

int pml_yyparse(struct pml_build *b);
