// SPDX-License-Identifier: Apache-2.0
// Reading C programs: what clang says of bad ones, and what good ones are read as.
#include "load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void assert_error(const char *text, uint32_t line, uint32_t column, const char *message) {
  struct loaded l;
  load(&l, text, READ);
  assert_false(l.ok);
  assert_true(l.d.errors > 0);
  assert_string_equal(l.d.entries[0].message, message);
  assert_ptr_equal(l.d.entries[0].span.source, l.source);
  assert_int_equal(l.d.entries[0].span.line, line);
  assert_int_equal(l.d.entries[0].span.column, column);
  unload(&l);
}

static void test_errors(void **state) {
  (void)state;
  assert_error("int main(void) { return x; }\n", 1, 25, "use of undeclared identifier 'x'");
  assert_error("\nint main(void) {\n  return 1\n}\n", 3, 11, "expected ';' after return statement");
  assert_error("# 7 \"other.c\"\nint f(void) {\n#line 99\n  return y;\n}\n", 4, 10,
               "use of undeclared identifier 'y'");
  assert_error("int f(void) { return 1; }\n", 1, 1,
               "the program has no function main: nothing says where it begins");
  assert_error("int main(void);\n", 1, 1,
               "the program has no function main: nothing says where it begins");
  assert_error("", 1, 1, "the file is empty; expected a C program");
  assert_error("#include <no/such/file.h>\n", 1, 10, "'no/such/file.h' file not found");
}

// Whatever the bytes, there is an error and nothing worse.
static void test_rubbish(void **state) {
  (void)state;
  struct rng r;
  rng_init(&r, 7);
  for (int round = 0; round < 10; round++) {
    struct loaded l;
    char text[200];
    for (size_t i = 0; i < sizeof text - 1; i++) text[i] = (char)(1 + rng_below(&r, 255));
    text[sizeof text - 1] = '\0';
    load(&l, text, READ);
    assert_false(l.ok);
    assert_true(l.d.errors > 0);
    unload(&l);
  }
}

static void test_warnings(void **state) {
  (void)state;
  struct loaded l;
  load(&l, "int *p = 3; int main(void) { int x; f(&x, \"a\" + 7); }\n", READ);
  assert_true(l.ok);
  assert_int_equal(l.d.count, 0);
  unload(&l);
}

static void test_defines(void **state) {
  (void)state;
  const struct c_define defines[] = {{"N", "7"}, {"FLAG", NULL}};
  struct loaded l;
  load_with(&l, "#ifdef FLAG\nint n = N;\n#endif\nint main(void) { return n; }\n", READ,
            &(struct c_config){.defines = defines, .define_count = 2});
  assert_true(l.ok);
  assert_int_equal(object_of(&l.p, "n")->initial[0].number, 7);
  unload(&l);
}

// Included files lie beside the program; errors and places in them are told with their names.
static void test_include(void **state) {
  (void)state;
  char folder[] = "/tmp/fathom-test-XXXXXX";
  assert_non_null(mkdtemp(folder));
  struct text header = {0}, path = {0};
  text_printf(&header, "%s/part.h", folder);
  text_printf(&path, "%s/program.c", folder);
  for (int bad = 0; bad < 2; bad++) {
    FILE *f = fopen(header.data, "w");
    fprintf(f, "static int half(int x) {\n  return x / %s;\n}\n", bad ? "two" : "2");
    fclose(f);
    static const char program[] = "#include \"part.h\"\nint main(void) { return half(4); }\n";
    struct loaded l = {.source = source_from_text(path.data, program, strlen(program))};
    l.ok = c_program_read(&l.p, l.source, &(struct c_config){0}, &l.d);
    assert_int_equal(l.ok, !bad);
    const struct source *other =
        bad ? l.d.entries[0].span.source
            : l.p.functions.data[1].blocks.data[0].code.data[2].span.source;
    assert_string_equal(other->path, header.data);
    unload(&l);
  }
  unlink(header.data);
  rmdir(folder);
  text_clear(&header);
  text_clear(&path);
}

static void test_print(void **state) {
  (void)state;
  struct loaded l;
  struct text out = {0};
  load(&l,
       "unsigned char c = 200;\n"
       "static int f(int *p, int i) { return p[i] + c; }\n"
       "int main(void) {\n"
       "  int a[2] = {0};\n"
       "  while (f(a, 1)) a[0]++;\n"
       "}\n",
       READ);
  c_program_print(&out, &l.p);
  assert_string_equal(text_str(&out), "object 0 c: i8 global unsigned = -56 ; line 1\n"
                                      "object 1 retval: i32 temporary ; line 3\n"
                                      "object 2 a: [2 x i32] ; line 4\n"
                                      "object 3 f.p: i32* ; line 2\n"
                                      "object 4 f.i: i32 ; line 2\n"
                                      "function main: i32\n"
                                      "  block 0 entry\n"
                                      "    enter &retval#1\n"
                                      "    store 0, &retval#1\n"
                                      "    enter &a#2 ; 4:7\n"
                                      "    %0 = bitcast i8* &a#2 ; 4:7\n"
                                      "    memset %0, 0, 8 ; 4:7\n"
                                      "    jump -> 1 ; 5:3\n"
                                      "  block 1 while.cond\n"
                                      "    %1 = element i32* of [2 x i32] &a#2, 0, 0 ; 5:12\n"
                                      "    %2 = call i32 \"f\" %1, 1 ; 5:10\n"
                                      "    %3 = ne i1 %2, 0 ; 5:3\n"
                                      "    branch %3 -> 2, 3 ; 5:3\n"
                                      "  block 2 while.body\n"
                                      "    %4 = element i32* of [2 x i32] &a#2, 0, 0 ; 5:19\n"
                                      "    %5 = load i32 %4 ; 5:23\n"
                                      "    %6 = add i32 %5, 1 ; 5:23\n"
                                      "    store %6, %4 ; 5:23\n"
                                      "    jump -> 1 ; 5:3\n"
                                      "  block 3 while.end\n"
                                      "    %7 = load i32 &retval#1 ; 6:1\n"
                                      "    leave &retval#1 ; 6:1\n"
                                      "    leave &a#2 ; 6:1\n"
                                      "    return %7 ; 6:1\n"
                                      "function f: i32 of i32*, i32\n"
                                      "  block 0 entry\n"
                                      "    enter &f.p#3\n"
                                      "    enter &f.i#4\n"
                                      "    store argument 0, &f.p#3\n"
                                      "    store argument 1, &f.i#4\n"
                                      "    %0 = load i32* &f.p#3 ; 2:38\n"
                                      "    %1 = load i32 &f.i#4 ; 2:40\n"
                                      "    %2 = sext i64 %1 ; 2:38\n"
                                      "    %3 = element i32* of i32 %0, %2 ; 2:38\n"
                                      "    %4 = load i32 %3 ; 2:38\n"
                                      "    %5 = load i8 &c#0 ; 2:45\n"
                                      "    %6 = zext i32 %5 ; 2:45\n"
                                      "    %7 = add i32 %4, %6 ; 2:43\n"
                                      "    leave &f.p#3 ; 2:31\n"
                                      "    leave &f.i#4 ; 2:31\n"
                                      "    return %7 ; 2:31\n");
  text_clear(&out);
  unload(&l);
}

static void test_objects(void **state) {
  (void)state;
  struct loaded l;
  load(&l,
       "struct in { short s; unsigned char u; }; typedef unsigned long word;\n"
       "struct out { int x; struct in i[2]; struct out *next; word w; };\n"
       "struct out g = {1, {{2, 3}, {4, 5}}, &g, 6};\n"
       "int a[3] = {7}; int *p = &a[2]; word big[4]; extern int e;\n"
       "int main(void) { static int n = 4; n++; return e + *p + (int)big[0]; }\n",
       READ);
  const struct c_object *g = object_of(&l.p, "g");
  assert_int_equal(g->scalars, 7);
  static const int64_t numbers[] = {1, 2, 3, 4, 5, 0, 6};
  for (int i = 0; i < 7; i++)
    assert_int_equal(g->initial[i].kind == C_OBJECT ? 0 : g->initial[i].number, numbers[i]);
  assert_int_equal(g->initial[5].kind, C_OBJECT);
  assert_string_equal(g->type->name, "out");
  assert_string_equal(g->type->fields[1].name, "i");
  assert_int_equal(g->type->fields[2].offset, 16);
  assert_true(g->type->fields[3].is_unsigned);
  const struct c_type *in = g->type->fields[1].type->to;
  assert_string_equal(in->fields[1].name, "u");
  assert_true(in->fields[1].is_unsigned);
  assert_false(in->fields[0].is_unsigned);
  assert_int_equal(object_of(&l.p, "p")->initial[0].number, 8);
  assert_null(object_of(&l.p, "big")->initial);
  assert_true(object_of(&l.p, "big")->is_unsigned);
  assert_int_equal(object_of(&l.p, "e")->initial[0].kind, C_UNDEF);
  assert_int_equal(object_of(&l.p, "n")->initial[0].number, 4);
  unload(&l);
}

// What cannot be carried is named, and the rest is read.
static void assert_unable(const char *text, const char *what) {
  struct loaded l;
  struct text out = {0};
  load(&l, text, READ);
  assert_true(l.ok);
  c_program_print(&out, &l.p);
  if (!strstr(text_str(&out), what)) fail_msg("%s", text_str(&out));
  text_clear(&out);
  unload(&l);
}

static void test_unable(void **state) {
  (void)state;
  assert_unable("int main(void) { double d = 1; return d > 0; }", "\"floating point\"");
  assert_unable("int main(void) { asm(\"nop\"); return 0; }", "\"inline assembly\"");
  assert_unable("int f(int n) { int a[n]; return a[0]; } int main(void) { return f(3); }",
                "\"an array whose length is not constant\"");
  assert_unable("int f(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n);"
                "return __builtin_va_arg(l, int); } int main(void) { return f(1, 2); }",
                "\"variable arguments\"");
  assert_unable("int main(void) { __int128 x = 1; return x * x > 2; }", "\"integers of 128 bits\"");
  assert_unable("int x; __attribute__((constructor)) static void f(void) { x = 1; }"
                "int main(void) { return x; }",
                "\"a function that runs before main\"");
  assert_unable("int main(void) { void *p = &&l; goto *p; l: return 0; }", "\"a computed goto\"");
}

// Barriers of the compiler's and atomic operations are plain ones for a program on its own.
static void test_alone(void **state) {
  (void)state;
  struct loaded l;
  load(&l, "_Atomic int x; int main(void) { x++; asm volatile(\"\" ::: \"memory\"); return x; }",
       READ);
  assert_int_equal(count_of(&l.p, "main", C_UNABLE), 0);
  assert_int_equal(count_of(&l.p, "main", C_ADD), 1);
  unload(&l);
}

static void test_overflow(void **state) {
  (void)state;
  struct loaded l;
  load_with(&l, "int main(void) { int x = 1; unsigned y = 1; x++; y++; x *= 3; return x - y; }",
            READ, &(struct c_config){.checks = C_CHECK_OVERFLOW});
  assert_int_equal(count_of(&l.p, "main", C_SADD_OVER), 1);
  assert_int_equal(count_of(&l.p, "main", C_SMUL_OVER), 1);
  assert_int_equal(count_of(&l.p, "main", C_UADD_OVER), 0);
  assert_int_equal(count_of(&l.p, "main", C_CALL), 2);
  unload(&l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_errors),   cmocka_unit_test(test_rubbish),
      cmocka_unit_test(test_warnings), cmocka_unit_test(test_defines),
      cmocka_unit_test(test_include),  cmocka_unit_test(test_print),
      cmocka_unit_test(test_objects),  cmocka_unit_test(test_unable),
      cmocka_unit_test(test_overflow), cmocka_unit_test(test_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
