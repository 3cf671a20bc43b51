// SPDX-License-Identifier: Apache-2.0
// Rules whose guards begin alike: a switch in the C, and the same successors in the same order.
#include "agree.h"

static unsigned count_of(const char *text, const char *word) {
  unsigned n = 0;
  for (; (text = strstr(text, word)); text += strlen(word)) n++;
  return n;
}

// So many switches, of which so many stand behind common conditions.
static void expect(const char *text, unsigned switches, unsigned behind, size_t states) {
  struct ir_model *m = parse(text);
  struct text c = {0};
  sys_print_c(&c, m);
  assert_int_equal(count_of(text_str(&c), "switch ("), switches);
  assert_int_equal(count_of(text_str(&c), "== 1) switch ("), behind);
  text_clear(&c);
  assert_int_equal(agree(m, 10000).states, states);
}

#define HEAD                                                                                       \
  "model \"m\"; type S : record { p : 0..5; x : 0..3; }; var s : array [0..1] of S;\n"             \
  "var lock : 0..2; var n : 0..7;\n"                                                               \
  "start \"s\" { clear s; lock := 0; n := 0; }\n"

// The places come in no order, and some rules of a place are apart.
static void test_places(void **state) {
  (void)state;
  expect(HEAD "rule \"a\" when s[0].p = 0 { s[0].p := 2; }\n"
              "rule \"b\" when s[0].p = 2 & s[0].x < 3 { s[0].p := 1; s[0].x := s[0].x + 1; }\n"
              "rule \"c\" when 1 = s[0].p { s[0].p := 0; }\n"
              "rule \"d\" choose (k : 0..3) when s[0].p = 0 & k != 2 { s[0].x := k; }\n"
              "rule \"e\" when s[0].p = 2 { s[0].p := 3; }\n"
              "rule \"f\" when n < 2 & s[0].p = 3 { n := n + 1; }\n"
              "rule \"g\" when s[1].p = 0 { s[1].p := 1; }\n",
         1, 0, 46);
}

// Before that all ask for the lock.
static void test_common_conditions(void **state) {
  (void)state;
  expect(HEAD "rule \"a\" when (lock = 0 | lock = 1) & s[0].p = 0 { s[0].p := 1; lock := 1; }\n"
              "rule \"b\" when (lock = 0 | lock = 1) & s[0].p = 1 { s[0].p := 2; lock := 0; }\n"
              "rule \"c\" when (lock = 0 | lock = 1) & s[0].p = 2 & n < 7 { s[0].p := 0; n := n + "
              "1; }\n"
              "rule \"d\" when (lock = 0 | lock = 2) & s[1].p = 0 { s[1].p := 1; lock := 2; }\n"
              "rule \"e\" when (lock = 0 | lock = 2) & s[1].p = 1 { s[1].p := 0; lock := 0; }\n",
         2, 2, 40);
}

// A switch inside a case; what two processes do together.
static void test_nested(void **state) {
  (void)state;
  expect(HEAD "rule \"a\" when s[0].p = 0 & s[1].p = 0 { s[0].p := 1; s[1].p := 1; }\n"
              "rule \"b\" when s[0].p = 0 & s[1].p = 1 { s[0].p := 2; s[1].p := 2; }\n"
              "rule \"c\" when s[0].p = 1 & n < 3 & s[1].p = 1 { s[0].p := 0; n := n + 1; }\n"
              "rule \"d\" when s[0].p = 1 & n < 3 & s[1].p = 2 { s[0].p := 5; }\n"
              "rule \"e\" when s[0].p = 2 { s[0].p := 0; s[1].p := 0; }\n",
         3, 1, 14);
}

// What may fail stays where it is, and so does what comes behind it.
static void test_failures(void **state) {
  (void)state;
  expect("model \"m\"; var p : 0..3; var u : 0..3; var n : 0..7;\n"
         "start \"s\" { p := 0; undefine u; n := 0; }\n"
         "rule \"a\" when u = 0 & p = 0 { n := 1; }\n"
         "rule \"b\" when u = 0 & p = 1 { n := 2; }\n"
         "rule \"c\" when p = 0 & 7 / n > 0 { n := n + 1; }\n"
         "rule \"d\" when p = 1 & 7 / n > 0 { n := n + 1; p := 0; }\n"
         "rule \"e\" when p = 0 { p := 1; n := (n + 1) % 8; }\n"
         "rule \"f\" when p = 1 { assert n < 5; p := 2; }\n",
         1, 0, 18);
}

// Constants that the leaf cannot be, parameters, machine integers.
static void test_others(void **state) {
  (void)state;
  expect("model \"m\"; var p : u8; var q : i8; var w : u64;\n"
         "start \"s\" { p := 0:u8; q := 0:i8; w := 0:u64; }\n"
         "rule \"a\" when p = 0:i32 { p := 1:u8; }\n"
         "rule \"b\" when p = 1:i32 { p := 200:u8; }\n"
         "rule \"c\" when p = 200:i32 { p := 0:u8; }\n"
         "rule \"d\" when p = 300:i32 { p := 0:u8; }\n"
         "rule \"e\" when q = -1:i8 { q := 0:i8; }\n"
         "rule \"f\" when q = 0:i8 { q := -1:i8; }\n"
         "rule \"g\" when w = 0:u64 { w := 1:u64; }\n"
         "rule \"h\" when w = 1:u64 { w := 0:u64; }\n"
         "rule \"i\" (i : 0..1) when p = 0 & i = 0 { p := 1:u8; }\n",
         2, 0, 12);
}

// Many rules of many processes: the switches are cut where a C function would become too long.
static void test_many(void **state) {
  (void)state;
  struct text t = {0};
  text_add(&t, "model \"m\"; var p : 0..999; var n : 0..3; start \"s\" { p := 0; n := 0; }\n");
  for (int i = 0; i < 1000; i++)
    text_printf(&t,
                "rule \"%d\" when n < 3 & p = %d & (n + %d) %% 2 = 0 { p := %d; n := (n + 1) %% 3; "
                "}\n",
                i, i, i, (i + 1) % 1000);
  struct ir_model *m = parse(t.data);
  struct text c = {0};
  sys_print_c(&c, m);
  assert_true(count_of(text_str(&c), "switch (") > 1);
  text_clear(&c);
  text_clear(&t);
  agree(m, 10000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_places), cmocka_unit_test(test_common_conditions),
      cmocka_unit_test(test_nested), cmocka_unit_test(test_failures),
      cmocka_unit_test(test_others), cmocka_unit_test(test_many),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
