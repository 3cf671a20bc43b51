// SPDX-License-Identifier: Apache-2.0
// The parser of Promela: what is refused, where and with what sentence; what statements look like
// when they are printed again, as SPIN prints them; the preprocessor, and where things stand in the
// user's own files.
#include "front/promela/parse.h"

// cmocka wants these first
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static struct {
  struct diag d;
  struct pml_parse p;
} t;

static void parse(const char *path, const char *text, const struct pml_define *defines, size_t n) {
  t.d = (struct diag){0};
  t.p = (struct pml_parse){.diag = &t.d, .arena = arena_new()};
  pml_parse(&t.p, source_from_text(path, text, strlen(text)), defines, n);
}

static void clear(void) {
  for (size_t i = 0; i < t.p.sources.count; i++) source_free(t.p.sources.data[i]);
  VEC_CLEAR(&t.p.sources);
  arena_free(t.p.arena);
  diag_clear(&t.d);
}

static void good(const char *text) {
  parse("t.pml", text, NULL, 0);
  if (t.d.errors) {
    diag_print(&t.d, stderr, false);
    fail_msg("refused: %s", text);
  }
}

// --- errors ---

struct bad {
  const char *text;
  uint32_t line, column;
  const char *says;
};

static const struct bad refused[] = {
    {"", 1, 1, "the file is empty; expected a Promela model"},
    {" \n\t\n", 1, 1, "the file is empty"},
    {"init { skip } /* abc", 1, 15, "the comment is not closed; expected '*/'"},
    {"init { printf(\"abc); }\n", 1, 15, "the string is not closed on its line"},
    {"init { x = 'ab' }", 1, 12, "expected one character between apostrophes"},
    {"init { x = 99999999999 }", 1, 12, "the number does not fit into 32 bits"},
    {"\ninit { x = \xff }", 2, 12, "byte 0xff where a Promela token was expected"},
    {"init { x = ; }", 1, 12, "expected an expression, but found ';'"},
    {"init { x = 1 y = 2 }", 1, 14, "expected ';' or '}', but found the name 'y'"},
    {"init { if :: x fi; do :: y od", 1, 30, "but found the end of the file"},
    {"proctype P() { }", 1, 16, "expected a statement, but found '}'"},
    {"proctype { skip }", 1, 10, "expected a name, but found '{'"},
    {"chan c = [2] of { foo };", 1, 19, "expected a type, but found the name 'foo'"},
    {"chan c = [2] of { unsigned };", 1, 19, "a message cannot hold an unsigned"},
    {"byte c = [2] of { int };", 1, 6, "expected the type chan"},
    {"byte : set c;", 1, 1, "only an mtype can be one of a named set"},
    {"int = { a }", 1, 1, "names are declared for an mtype only"},
    {"init { mtype = { a } }", 1, 8, "mtype names are declared outside of proctypes"},
    {"init { L: byte x; skip }", 1, 8, "label 'L' stands before a declaration"},
    {"init { !full(q) }", 1, 8, "full(...) cannot be negated; expected nfull(...)"},
    {"init { return 3 }", 1, 8, "return stands outside of an inline"},
    {"init { foo(3) }", 1, 8, "no inline 'foo' is defined before this line"},
    {"inline f(a) { f(a) }\ninit { f(1) }", 1, 15, "inline 'f' calls itself"},
    {"inline f(a) { a = 1 }\ninit { f(x, y) }", 2, 8, "has 1 parameter, but is called with 2"},
    {"inline f(a) { a = 1 }\ninit { f() }", 2, 8, "has 1 parameter, but is called with 0"},
    {"inline f(a, b) { a = b }\ninit { f(x,) }", 2, 8, "argument 2 of 'f' is empty"},
    {"inline f(a) { a = 1 }\ninit { f(x; }", 2, 8, "the arguments of 'f' are not closed"},
    {"inline f(a) { a = 1 ", 1, 13, "the body of inline 'f' is not closed"},
    {"inline f(3) { skip }", 1, 10, "expected a parameter's name in the inline's definition"},
    {"inline f() { skip } inline f() { skip }", 1, 28, "'f' is declared twice"},
    {"c_code { if (x) { }", 1, 1, "the C text is not closed; expected '}'"},
    {"c_code x", 1, 1, "expected '{' and C text after 'c_code'"},
    {"ltl p { [] }", 1, 12, "expected an expression, but found '}'"},
    {"init { select (x : 3 .. 1) }", 1, 8, "the range is empty"},
    {"#include \"nothing.h\"\ninit { skip }", 1, 10, "nothing.h: No such file"},
    {"\n#error stop here\ninit { skip }", 2, 2, "#error stop here"},
    {"#if 1\ninit { skip }", 1, 1, "unterminated #if"},
};

static void errors_are_located(void **unused) {
  (void)unused;
  for (size_t i = 0; i < COUNT(refused); i++) {
    const struct bad *b = &refused[i];
    parse("t.pml", b->text, NULL, 0);
    if (t.d.errors == 0) fail_msg("accepted: %s", b->text);
    const struct diag_entry *e = &t.d.entries[0];
    if (e->span.line != b->line || e->span.column != b->column || !strstr(e->message, b->says))
      fail_msg("%s\n%u:%u: %s\ninstead of %u:%u: %s", b->text, e->span.line, e->span.column,
               e->message, b->line, b->column, b->says);
    clear();
  }
}

static void several_errors_in_one_go(void **unused) {
  (void)unused;
  parse("t.pml",
        "byte x = ;\n"
        "proctype P() { x = ; y = 1; z ! ; skip }\n"
        "init { if :: x - :: else fi }\n",
        NULL, 0);
  static const uint32_t lines[] = {1, 2, 2, 3};
  assert_int_equal(t.d.errors, COUNT(lines));
  for (size_t i = 0; i < COUNT(lines); i++) assert_int_equal(t.d.entries[i].span.line, lines[i]);
  clear();
}

static void an_open_brace_is_shown(void **unused) {
  (void)unused;
  parse("t.pml", "byte x;\ninit { x = 1;\nproctype P() { skip }\n", NULL, 0);
  assert_int_equal(t.d.entries[0].span.line, 3);
  assert_int_equal(t.d.entries[1].level, DIAG_NOTE);
  assert_int_equal(t.d.entries[1].span.line, 2);
  assert_int_equal(t.d.entries[1].span.column, 6);
  assert_string_equal(t.d.entries[1].message, "this '{' is not closed");
  clear();
}

static void nul_bytes_are_refused(void **unused) {
  (void)unused;
  static const char text[] = "init {\n x\0y }";
  t.d = (struct diag){0};
  t.p = (struct pml_parse){.diag = &t.d, .arena = arena_new()};
  pml_parse(&t.p, source_from_text("t.pml", text, sizeof text - 1), NULL, 0);
  assert_int_equal(t.d.errors, 1);
  assert_int_equal(t.d.entries[0].span.line, 2);
  assert_int_equal(t.d.entries[0].span.column, 3);
  clear();
}

static char *repeated(const char *before, const char *piece, size_t n, const char *after) {
  struct text s = {0};
  text_add(&s, before);
  for (size_t i = 0; i < n; i++) text_add(&s, piece);
  text_add(&s, after);
  return s.data;
}

static void refuses(char *text, const char *says) {
  parse("t.pml", text, NULL, 0);
  assert_true(t.d.errors > 0);
  if (!strstr(t.d.entries[0].message, says))
    fail_msg("%s instead of %s", t.d.entries[0].message, says);
  clear();
  free(text);
}

static void what_is_too_large_is_refused(void **unused) {
  (void)unused;
  struct text bomb = {0};
  refuses(repeated("init { x = ", "(", 50000, "1 }"), "nested too deeply");
  refuses(repeated("init { x = 1", " + 1", 50000, " }"), "nested too deeply");
  refuses(repeated("init { ", "{ ", 50000, "skip"), "nested too deeply");
  text_add(&bomb, "inline f0(a) { a = 1; a = 2 }\n");
  for (int i = 1; i < 40; i++)
    text_printf(&bomb, "inline f%d(a) { f%d(a); f%d(a) }\n", i, i - 1, i - 1);
  text_add(&bomb, "init { f39(x) }");
  refuses(bomb.data, "the inlines expand to more than");
}

// --- statements as they are printed ---

struct stmt {
  const char *text, *shown;
};

static const struct stmt stmts[] = {
    {"skip", "(1)"},
    {"x = 1", "x = 1"},
    {"x++", "x = (x+1)"},
    {"x--", "x = (x-1)"},
    {"t[1].y[i] = 'a'", "t[1].y[i] = 97"},
    {"x == 1 && !y || z", "((((x==1)&&!(y))||z))"},
    {"a + b * c - d", "(((a+(b*c))-d))"},
    {"a | b ^ c & d == e < f << g", "((a|(b^(c&(d==(e<(f<<g)))))))"},
    {"~a - -b", "((~(a)--(b)))"},
    {"(a -> b : c) == 3", "((( (a) -> (b) : (c) )==3))"},
    {"q!a(1,2)", "q!a,1,2"},
    {"q!!a,1", "q!!a,1"},
    {"q?a(x,_)", "q?a,x,_"},
    {"q??a,eval(x+1)", "q??a,eval((x+1))"},
    {"q?<a,x>", "q?<a,x>"},
    {"q?\?<-3,x>", "q?\?<-3,x>"},
    {"q?[a,1]", "(q?[a,1])"},
    {"q[2]??[a,_] && x", "((q[2]??[a,_]&&x))"},
    {"empty(q) || nfull(q)", "((empty(q)||nfull(q)))"},
    {"len(q) > 2", "((len(q)>2))"},
    {"run P(1, x) priority 3", "(run P(1,x))"},
    {"x = run P()", "x = run P()"},
    {"assert(x != 2)", "assert((x!=2))"},
    {"assert x", "assert(x)"},
    {"printf(\"a \\\"%d\\\"\\n\", x)", "printf('a \\'%d\\'\\n',x)"},
    {"printm(x)", "printm(x)"},
    {"timeout", "(timeout)"},
    {"np_", "(np_)"},
    {"enabled(1) && pc_value(2) == 3", "((enabled(1)&&(pc_value(2)==3)))"},
    {"set_priority(_pid, 3)", "set_priority(_pid, 3)"},
    {"get_priority(_pid) > 1", "((get_priority(_pid)>1))"},
    {"R[1]:z == R:z", "((R[1].z==R.z))"},
    {"R[x]@lab", "((R[x]._p==lab))"},
    {"R@lab", "((R._p==lab))"},
    {"Later@lab", "((Later._p==lab))"},
    {"else", "else"},
    {"goto L", "goto L"},
    {"break", "break"},
    {"in ! 1", "in!1"},
    {"select (x : 1 .. n)", "select"},
    {"select (x : 1 .. 3)", "IF"},
    {"d_step { skip }", "D_STEP4"},
    {"L: x = 1", "x = 1"},
    {"L:", "(1)"},
};

static void statements_print_like_spins(void **unused) {
  (void)unused;
  for (size_t i = 0; i < COUNT(stmts); i++) {
    struct text model = {0}, shown = {0};
    text_printf(&model, "proctype R() { byte z; skip }\n\nproctype P() {\n%s }", stmts[i].text);
    good(text_str(&model));
    ast_print_stmt(&shown, t.p.units->next->body);

    if (strcmp(text_str(&shown), stmts[i].shown) != 0)
      fail_msg("%s: %s", stmts[i].text, text_str(&shown));
    text_clear(&model);
    text_clear(&shown);
    clear();
  }
}

// --- the forms that are read ---

static const char *const accepted[] = {
    "byte a\nbyte b = 3, c[4], d[2] = { 1, 2 }; bit e; bool f = true; short g; int h = -1; pid p\n"
    "unsigned u : 5 = 3; mtype m; hidden byte i; local byte j; show byte k; chan l; init { skip }",
    "chan a = [1] of { byte }, b = [0] of { mtype, chan }; chan c[3] = [2] of { int, bool }; init "
    "{ skip }",
    "mtype = { a, b c }; mtype { d }; mtype:set = { e, f }; mtype:set x = e; chan q = [1] of { "
    "mtype:set }; "
    "init { mtype:set y; y = f }",
    "typedef T { byte a; byte b[2]\n bool c }; typedef U { T t[2]; T u }; U u; init { u.t[1].b[0] "
    "= 1; T v; v.a = 1 }",
    "active proctype P() { skip } active [3] proctype Q() priority 2 provided (x > 0) { skip }\n"
    "D_proctype R(byte a, b; int c) { skip } init priority 3 { skip }",
    "never { do :: skip od } never foo { skip } trace { do :: q?a :: q!b od } notrace { q!c }",
    "init { if :: a -> b :: else -> c fi; do :: d -> break :: else od }",
    "init { if :: a -> b; :: else fi unless { c }; { d; e } unless { f; g } h = 1 }",
    "init { atomic { a; b } d_step { c = 1; d = 2 } e = 1 }", // no semicolons after braces
    "init { for (i : 1 .. 3) { skip } for (j in a) { k = 1 } for (in in in)\n{ skip } in ! 2; in = "
    "3 }",
    "init {\n  a = 1\n  b = 2 // comment\n  c[1] = 3\n  if\n  :: d\n  :: else\n  fi\n  e++\n  run "
    "P()\n  break\n}",
    "init {\n if\n :: a == 1\n    && b == 2 ->\n    c = 1\n fi\n}", // where SPIN wants parentheses
    "init { a: b: c = 1; d: skip; end: }",
    "init { xr q; xs r, s[1]; skip }",
    "c_decl { int x; struct { int y; } z; } c_code { x = '}'; /* } */ char *s = \"}\"; }\n"
    "c_state \"int x\" \"Global\" c_state \"int y\" \"Local P\" \"3\" c_track \"&x\" \"4\"\n"
    "init { c_code { x++; }; c_code [now.a > 0] { x--; }; c_expr { x > 0 } && y; z = c_expr { 3 } "
    "}",
    "ltl p { [] (a -> <> b) } ltl { always eventually x until y } ltl r { !(a U b) && (c W d) || X "
    "e <-> (f V g) }\n"
    "init { skip }",
    "ltl p { [] P[0]@lab } active proctype P() { lab: skip }", // formulas come last
    "init { printf(\"a\"); printf(\"%d %e\\n\", x, y); printm(z) }",
    "inline f(a, b) { a = b; g(a) } init { skip }",
    "inline g(a) { a++ } inline f(a, b) { a = b; g(a); g(b) } init { f(x, y[3]); L: f(z.w, x) }",
    "inline h(a) { return a + 1 } inline k(a) { return a } init { x = h(3); y[1] = k(x) }",
    "\xef\xbb\xbfinit {\r\n skip\r\n}\r\n",
    ";;; init { skip };;;",
    "init { q?(a, b); q?a(b, c); q?a; q!(a)(b) }",
};

static void forms_are_read(void **unused) {
  (void)unused;
  for (size_t i = 0; i < COUNT(accepted); i++) {
    good(accepted[i]);
    assert_non_null(t.p.units);
    clear();
  }
}

// The first statement of init.
static const struct ast_stmt *first(void) {
  const struct ast_unit *u = t.p.units;
  while (u && u->kind != AST_UNIT_INIT) u = u->next;
  assert_non_null(u);
  return u->body;
}

static void shows(const struct ast_stmt *s, const char *text) {
  struct text shown = {0};
  ast_print_stmt(&shown, s);
  assert_string_equal(text_str(&shown), text);
  text_clear(&shown);
}

static void at(const struct ast_stmt *s, const char *path, uint32_t line, uint32_t column,
               uint32_t end_column) {
  assert_string_equal(s->span.source->path, path);
  assert_int_equal(s->span.line, line);
  assert_int_equal(s->span.column, column);
  assert_int_equal(s->span.end_column, end_column);
}

// By name, not by value: the arguments' tokens take the parameters' places.
static void inlines_are_textual(void **unused) {
  (void)unused;
  good("inline square(v) { return v * v }\n"
       "inline swap(a, b) { byte t; t = a; a = b; b = t }\n"
       "init { x = square(i + 1); swap(y, x); swap(a[i], t.b) }");
  const struct ast_stmt *s = first();
  assert_int_equal(s->kind, AST_BLOCK);
  shows(s->body, "x = ((i+(1*i))+1)");
  at(s->body, "t.pml", 1, 20, 32);
  s = s->next;
  assert_int_equal(s->body->kind, AST_DECLS);
  shows(s->body->next, "t = y");
  shows(s->body->next->next, "y = x");
  shows(s->body->next->next->next, "x = t");
  shows(s->next->body->next, "t = a[i]");
  shows(s->next->body->next->next, "a[i] = t.b");
  clear();
}

// Where SPIN's scanner replaces a select, so does the parser.
static void selects_are_choices(void **unused) {
  (void)unused;
  good("inline pick(a) { select (a : 1 .. 3) }\n"
       "init { select (x : 1 .. 2); select (x : 0 .. 99); select (x_ : 1 .. 2); pick(x) }");
  const struct ast_stmt *s = first();
  assert_int_equal(s->kind, AST_IF);
  shows(s->options->body, "x = 1");
  shows(s->options->next->body, "x = 2");
  assert_null(s->options->next->next);
  s = s->next;
  assert_int_equal(s->kind, AST_SELECT);
  assert_int_equal(s->how, 't');
  s = s->next;
  assert_int_equal(s->kind, AST_SELECT);
  assert_int_equal(s->how, 0);
  assert_int_equal(s->next->body->kind, AST_SELECT);
  clear();
}

static void units_hold_what_is_written(void **unused) {
  (void)unused;
  good("ltl one { [] (x\n   == 1) }\n"
       "mtype = { red, green };\n"
       "active [2] proctype P(byte a; int b) priority 4 provided (a > 1) { skip }\n"
       "c_state \"int x\" \"Global\" \"7\"\n");
  const struct ast_unit *u = t.p.units;
  assert_int_equal(u->kind, AST_UNIT_MTYPE);
  assert_int_equal(u->name_count, 2);
  assert_string_equal(u->names[1], "green");
  assert_int_equal(u->name_spans[1].column, 16);
  u = u->next;
  assert_string_equal(u->name, "P");
  assert_true(u->is_active);
  assert_int_equal(u->active->value, 2);
  assert_int_equal(u->priority->value, 4);
  assert_int_equal(u->provided->op, AST_GT);
  assert_string_equal(u->decls->next->name, "b");
  u = u->next;
  assert_int_equal(u->kind, AST_UNIT_C_STATE);
  assert_int_equal(u->name_count, 3);
  assert_string_equal(u->names[2], "7");
  u = u->next;
  assert_int_equal(u->kind, AST_UNIT_LTL);
  assert_string_equal(u->text, "[] (x == 1)");
  assert_int_equal(u->expr->op, AST_LTL_ALWAYS);
  assert_null(u->next);
  clear();
}

// --- the preprocessor ---

static void write_file(const char *folder, const char *name, const char *text) {
  struct text path = {0};
  text_printf(&path, "%s/%s", folder, name);
  FILE *f = fopen(text_str(&path), "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
  text_clear(&path);
}

static void remove_file(const char *folder, const char *name) {
  struct text path = {0};
  text_printf(&path, "%s/%s", folder, name);
  unlink(text_str(&path));
  text_clear(&path);
}

static void macros_and_places(void **unused) {
  (void)unused;
  good("#define N 3\n"
       "#define MAX(a, b) ((a) > (b) -> (a) : (b))\n"
       "/* over\n"
       "   lines */ init { x = N; y = MAX(x, N) + 1; N == 3; skip\n"
       "  L: z = 4 }\n");
  const struct ast_stmt *s = first();
  shows(s, "x = 3");
  at(s, "t.pml", 4, 20, 25);
  s = s->next;
  shows(s, "y = (( ((x>3)) -> (x) : (3) )+1)");
  at(s, "t.pml", 4, 27, 44);
  s = s->next;
  at(s, "t.pml", 4, 46, 52);
  at(s->next->next, "t.pml", 5, 3, 11);
  clear();
}

static void included_files(void **unused) {
  (void)unused;
  char folder[] = "/tmp/fathom-test-XXXXXX", path[64], included[64];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/m.pml", folder);
  snprintf(included, sizeof included, "%s/lib.h", folder);
  write_file(folder, "lib.h", "#define LIM 8\ninline bump(v) {\n  v = v + LIM\n}\n");
  parse(path, "#include \"lib.h\"\ninit { bump(x) }\n", NULL, 0);
  assert_int_equal(t.d.errors, 0);
  shows(first()->body, "x = (x+8)");
  at(first()->body, included, 3, 3, 14);
  assert_int_equal(t.p.sources.count, 2);
  clear();
  static const struct pml_define lim = {"LIM", "9"};
  parse(path, "#include \"lib.h\"\ninit { bump(x) }\n", &lim, 1);
  assert_int_equal(t.d.errors, 1);
  assert_non_null(strstr(t.d.entries[0].message, "-D LIM: an included file defines it, too"));
  assert_string_equal(t.d.entries[0].span.source->path, included);
  clear();
  write_file(folder, "loop.h", "#include \"loop.h\"\n");
  parse(path, "#include \"loop.h\"\ninit { skip }\n", NULL, 0);
  assert_true(t.d.errors > 0);
  clear();
  remove_file(folder, "lib.h");
  remove_file(folder, "loop.h");
  rmdir(folder);
}

static void defines_win(void **unused) {
  (void)unused;
  static const struct pml_define given[] = {{"N", "5"}, {"FAST", "1"}};
  static const char text[] =
      "#define N 3\n#define NN \\\n  7\n#ifdef FAST\nbyte fast;\n#endif\ninit { x = N + NN }\n";
  parse("t.pml", text, given, 2);
  assert_int_equal(t.d.errors, 0);
  assert_int_equal(t.p.units->kind, AST_UNIT_DECLS);
  shows(first(), "x = (5+7)");
  clear();
  static const struct pml_define wrong = {"FASTT", "1"}, worse = {"F(x)", "1"};
  parse("t.pml", text, &wrong, 1);
  assert_string_equal(t.d.entries[0].message,
                      "-D FASTT: the model has no macro 'FASTT'; did you mean 'FAST'?");
  clear();
  parse("t.pml", text, &worse, 1);
  assert_string_equal(t.d.entries[0].message, "-D F(x): expected the name of a macro");
  clear();
}

static void without_a_compiler(void **unused) {
  (void)unused;
  const char *cc = getenv("CC");
  char *before = cc ? mem_strdup(cc) : NULL;
  setenv("CC", "no-such-compiler", 1);
  good("init { skip }");
  clear();
  parse("t.pml", "#define N 3\ninit { x = N }", NULL, 0);
  assert_int_equal(t.d.errors, 1);
  assert_non_null(
      strstr(t.d.entries[0].message, "the C compiler 'no-such-compiler' cannot be run"));
  clear();
  if (before)
    setenv("CC", before, 1);
  else
    unsetenv("CC");
  mem_free(before);
}

static void given_expressions(void **unused) {
  (void)unused;
  static const char *const procs[] = {"P"};
  struct diag d = {0};
  struct text shown = {0};
  struct pml_parse p = {.diag = &d, .arena = arena_new(), .procs = procs, .proc_count = 1};
  static const char text[] = "[] (P[1]:x > 2 && P[0]@lab -> <> q?[a,_])";
  struct source *s = source_from_text("--given", text, strlen(text));
  struct ast_expr *e = pml_parse_expr(&p, s);
  assert_non_null(e);
  ast_print_expr(&shown, e);
  assert_string_equal(text_str(&shown), "[] ((((P[1].x>2)&&(P[0]._p==lab)) -> <> (q?[a,_])))");
  struct source *bad = source_from_text("--given", "x +", 3);
  assert_null(pml_parse_expr(&p, bad));
  assert_string_equal(d.entries[0].message,
                      "expected an expression, but found the end of the expression");
  text_clear(&shown);
  source_free(s);
  source_free(bad);
  diag_clear(&d);
  arena_free(p.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(errors_are_located),
      cmocka_unit_test(several_errors_in_one_go),
      cmocka_unit_test(an_open_brace_is_shown),
      cmocka_unit_test(nul_bytes_are_refused),
      cmocka_unit_test(what_is_too_large_is_refused),
      cmocka_unit_test(statements_print_like_spins),
      cmocka_unit_test(forms_are_read),
      cmocka_unit_test(inlines_are_textual),
      cmocka_unit_test(selects_are_choices),
      cmocka_unit_test(units_hold_what_is_written),
      cmocka_unit_test(macros_and_places),
      cmocka_unit_test(included_files),
      cmocka_unit_test(defines_win),
      cmocka_unit_test(without_a_compiler),
      cmocka_unit_test(given_expressions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
