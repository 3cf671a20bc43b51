// SPDX-License-Identifier: Apache-2.0
// Diagrams against truth tables: random operations on functions of ten variables, with variables
// reordered all the while, and what happens at the limits.
#include "symbolic/dd.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
// cmocka wants those above
#include <cmocka.h>

#define VARS 10
#define ROWS (1 << VARS)
#define POOL 12

struct function {
  dd diagram;
  uint8_t row[ROWS]; // bit i of the row's number is the value of variable i
};

static bool value_at(dd a, unsigned row) {
  while (!dd_is_true(a) && !dd_is_false(a)) a = row >> dd_top(a) & 1 ? dd_high(a) : dd_low(a);
  return dd_is_true(a);
}

static void check(const struct function *f) {
  for (unsigned r = 0; r < ROWS; r++) assert_int_equal(value_at(f->diagram, r), f->row[r]);
}

static void check_order(void) {
  for (unsigned v = 0; v + 1 < VARS; v += 2) assert_int_equal(dd_level(v) + 1, dd_level(v + 1));
}

static void literal(struct function *f, struct rng *g) {
  unsigned v = (unsigned)rng_below(g, VARS);
  bool positive = rng_below(g, 2);
  dd_set(&f->diagram, dd_var(v, positive));
  for (unsigned r = 0; r < ROWS; r++) f->row[r] = (r >> v & 1) == positive;
}

static void connect(struct function *to, const struct function *a, const struct function *b,
                    const struct function *c, unsigned op) {
  struct function out;
  dd (*const binary[])(dd, dd) = {dd_and, dd_or, dd_xor, dd_equal, dd_minus};
  out.diagram = op < 5    ? binary[op](a->diagram, b->diagram)
                : op == 5 ? dd_not(a->diagram)
                          : dd_ite(c->diagram, a->diagram, b->diagram);
  for (unsigned r = 0; r < ROWS; r++) {
    bool x = a->row[r], y = b->row[r], z = c->row[r];
    bool results[] = {x && y, x || y, x != y, x == y, x && !y, !x, z ? x : y};
    out.row[r] = results[op];
  }
  dd_drop(to->diagram);
  *to = out;
}

// Variables of a random set: their cube, and as a mask.
static dd random_cube(struct rng *g, unsigned *mask) {
  unsigned vars[VARS], count = 0;
  *mask = (unsigned)rng_below(g, ROWS);
  for (unsigned v = 0; v < VARS; v++)
    if (*mask >> v & 1) vars[count++] = v;
  return dd_cube(vars, count);
}

static bool some_row(const uint8_t *row, unsigned fixed, unsigned mask, bool want) {
  for (unsigned r = 0; r < ROWS; r++)
    if ((r & ~mask) == (fixed & ~mask) && row[r] == want) return true;
  return false;
}

static void quantify(struct function *to, const struct function *a, const struct function *b,
                     struct rng *g) {
  unsigned mask, kind = (unsigned)rng_below(g, 3);
  dd cube = random_cube(g, &mask);
  struct function out;
  uint8_t both[ROWS];
  for (unsigned r = 0; r < ROWS; r++) both[r] = a->row[r] && (kind < 2 || b->row[r]);
  out.diagram = kind == 0   ? dd_exists(a->diagram, cube)
                : kind == 1 ? dd_forall(a->diagram, cube)
                            : dd_and_exists(a->diagram, b->diagram, cube);
  for (unsigned r = 0; r < ROWS; r++)
    out.row[r] = kind == 1 ? !some_row(both, r, mask, false) : some_row(both, r, mask, true);
  dd_drop(cube);
  dd_drop(to->diagram);
  *to = out;
}

// Of a function without the odd variables: each even one becomes the odd one beside it.
static void rename_some(struct function *to, const struct function *a) {
  unsigned even[VARS / 2], odd[VARS / 2];
  for (unsigned i = 0; i < VARS / 2; i++) {
    even[i] = 2 * i;
    odd[i] = 2 * i + 1;
  }
  struct dd_renaming *up = dd_renaming_new(even, odd, VARS / 2);
  struct dd_renaming *down = dd_renaming_new(odd, even, VARS / 2);
  dd cube = dd_cube(odd, VARS / 2);
  dd plain = dd_exists(a->diagram, cube);
  dd moved = dd_rename(plain, up), back = dd_rename(moved, down);
  assert_int_equal(back, plain);
  dd_set(&to->diagram, dd_copy(moved));
  uint8_t out[ROWS];
  for (unsigned r = 0; r < ROWS; r++) out[r] = some_row(a->row, (r & 0x2aa) >> 1, 0x2aa, true);
  memcpy(to->row, out, sizeof(out));
  dd_drop(cube);
  dd_drop(plain);
  dd_drop(moved);
  dd_drop(back);
  dd_renaming_free(up);
  dd_renaming_free(down);
}

static void ask(const struct function *a, const struct function *b) {
  bool meet = false, part = true;
  unsigned count = 0;
  for (unsigned r = 0; r < ROWS; r++) {
    meet |= a->row[r] && b->row[r];
    part &= !a->row[r] || b->row[r];
    count += a->row[r];
  }
  assert_int_equal(dd_meets(a->diagram, b->diagram), meet);
  assert_int_equal(dd_implies(a->diagram, b->diagram), part);
  unsigned vars[VARS];
  for (unsigned v = 0; v < VARS; v++) vars[v] = (v * 7 + 3) % VARS;
  char *text = dd_count(a->diagram, vars, VARS);
  assert_int_equal(atoi(text), count);
  assert_true(dd_count_real(a->diagram, vars, VARS) == count);
  mem_free(text);
  if (!count) return;
  uint8_t values[VARS];
  dd_pick(a->diagram, vars, VARS, values);
  unsigned picked = 0, first = ROWS, row_of_first = 0;
  for (unsigned v = 0; v < VARS; v++) picked |= (unsigned)values[v] << vars[v];
  for (unsigned r = 0; r < ROWS; r++) {
    unsigned key = 0; // its rank in the order of `vars`
    for (unsigned v = 0; v < VARS; v++) key = key << 1 | (r >> vars[v] & 1);
    if (a->row[r] && key < first) first = key, row_of_first = r;
  }
  assert_int_equal(picked, row_of_first);
}

static void narrow(struct function *a, const struct function *care) {
  dd smaller = dd_restrict(a->diagram, care->diagram);
  for (unsigned r = 0; r < ROWS; r++) {
    if (care->row[r]) assert_int_equal(value_at(smaller, r), a->row[r]);
    a->row[r] = value_at(smaller, r);
  }
  dd_set(&a->diagram, smaller);
}

static void support(const struct function *a) {
  dd cube = dd_support(a->diagram);
  unsigned mask = 0, want = 0;
  for (dd n = cube; !dd_is_true(n); n = dd_high(n)) mask |= 1u << dd_top(n);
  for (unsigned v = 0; v < VARS; v++)
    for (unsigned r = 0; r < ROWS; r++)
      if (a->row[r] != a->row[r ^ 1u << v]) want |= 1u << v;
  assert_int_equal(mask, want);
  dd_drop(cube);
}

// small: functions of few variables only, so that most pairs of variables never meet.
static void walk(struct rng *g, unsigned steps, unsigned reorder_every, bool small) {
  struct dd_config config = {.reorder_every = reorder_every};
  dd_open(&config);
  dd_vars(VARS);
  for (unsigned v = 0; v < VARS; v += 2) dd_block(v, 2);
  static struct function pool[POOL];
  for (unsigned i = 0; i < POOL; i++) {
    pool[i].diagram = dd_false();
    literal(&pool[i], g);
  }
  for (unsigned i = 0; i < steps; i++) {
    struct function *to = &pool[rng_below(g, POOL)], *a = &pool[rng_below(g, POOL)];
    struct function *b = &pool[rng_below(g, POOL)], *c = &pool[rng_below(g, POOL)];
    switch (rng_below(g, 14)) {
    case 0: literal(to, g); break;
    case 1: quantify(to, a, b, g); break;
    case 2: rename_some(to, a); break;
    case 3: ask(a, b); break;
    case 4: narrow(a, b); break;
    case 5: support(a); break;
    default: connect(to, a, b, c, (unsigned)rng_below(g, 7)); break;
    }
    if (small && dd_nodes(to->diagram) > 5) literal(to, g);
    check(&pool[rng_below(g, POOL)]);
    check_order();
  }
  for (unsigned i = 0; i < POOL; i++) {
    check(&pool[i]);
    dd_drop(pool[i].diagram);
  }
  size_t base = dd_nodes_now();
  dd_reorder(); // collects, too: nothing is left but the variables themselves
  assert_true(dd_nodes_now() <= base);
  assert_true(dd_nodes_now() <= 2 + 2 * (VARS + 64));
  dd_close();
}

static void test_random(void **unused) {
  (void)unused;
  struct rng g;
  rng_init(&g, 1);
  for (unsigned round = 0; round < 16; round++) walk(&g, 300, round % 8, round % 3 == 0);
}

// More ways than 64 bits can tell, of variables of which some do not occur.
static void test_count(void **unused) {
  (void)unused;
  dd_open(&(struct dd_config){0});
  unsigned vars[200];
  dd_vars(200);
  for (unsigned i = 0; i < 200; i++) vars[i] = 199 - i;
  dd a = dd_true();
  for (unsigned i = 0; i < 100; i += 2) {
    dd x = dd_var(i, true);
    dd_or_to(&x, dd_var(i + 1, true));
    dd_and_to(&a, x);
  }
  char *text = dd_count(a, vars, 200); // 3^50 * 2^100
  assert_string_equal(text, "910043815000214977332758527534256632492715260325658624");
  mem_free(text);
  dd_drop(a);
  text = dd_count(dd_true(), vars, 64);
  assert_string_equal(text, "18446744073709551616");
  mem_free(text);
  text = dd_count(dd_false(), vars, 64);
  assert_string_equal(text, "0");
  mem_free(text);
  dd_close();
}

// The hidden weighted bit is large in every order.
static dd weighted(unsigned vars) {
  static dd is[100]; // it may be left by a jump
  assert_true(vars < 100);
  for (unsigned k = 0; k <= vars; k++) is[k] = k ? dd_false() : dd_true();
  for (unsigned v = 0; v < vars; v++) {
    dd x = dd_var(v, true);
    for (unsigned k = v + 1; k > 0; k--) dd_set(&is[k], dd_ite(x, is[k - 1], is[k]));
    dd_set(&is[0], dd_minus(is[0], x));
    dd_drop(x);
  }
  dd out = dd_false();
  for (unsigned k = 1; k <= vars; k++) {
    dd_and_to(&is[k], dd_var((k * 17) % vars, true));
    dd_or_to(&out, is[k]);
  }
  dd_drop(is[0]);
  return out;
}

static bool never(void *context) { return ++*(unsigned *)context < 3; }

static void test_limits(void **unused) {
  (void)unused;
  unsigned asked = 0;
  struct dd_config configs[] = {{.mem_bytes = 8 << 20}, {.goes_on = never, .context = &asked}};
  for (unsigned i = 0; i < 2; i++) {
    struct mem_boundary b;
    volatile bool stopped = false;
    if (mem_boundary_enter(&b)) {
      stopped = true;
    } else {
      dd_open(&configs[i]);
      dd_vars(80);
      weighted(80);
      mem_boundary_leave(&b);
    }
    assert_true(stopped);
    assert_string_equal(dd_why(), i ? "stopped" : "memory");
    dd_close();
  }
}

// Sifting brings pairs together that began far apart.
static void test_sift(void **unused) {
  (void)unused;
  dd_open(&(struct dd_config){0});
  dd_vars(24);
  for (unsigned v = 0; v < 24; v++) dd_block(v, 1);
  dd a = dd_true();
  for (unsigned v = 0; v < 12; v++) {
    dd x = dd_var(v, true), y = dd_var(v + 12, true);
    dd_and_to(&a, dd_equal(x, y));
    dd_drop(x);
    dd_drop(y);
  }
  size_t before = dd_nodes(a);
  dd_reorder();
  assert_true(before > 4000 && dd_nodes(a) <= 3 * 12);
  dd_drop(a);
  dd_close();
}

// Sums modulo 2 and 3 of all variables have few nodes, of which all pairs of a level meet; a
// cut-off ends the count one past it. What earlier counts have left behind changes nothing.
static void test_pairs(void **unused) {
  (void)unused;
  dd_open(&(struct dd_config){0});
  unsigned first = dd_vars(VARS);
  dd two[2] = {dd_true(), dd_false()}, three[3] = {dd_true(), dd_false(), dd_false()};
  for (unsigned v = VARS; v-- > 0;) {
    dd x = dd_var(first + v, true);
    dd more[5] = {dd_ite(x, two[1], two[0]), dd_ite(x, two[0], two[1]),
                  dd_ite(x, three[1], three[0]), dd_ite(x, three[2], three[1]),
                  dd_ite(x, three[0], three[2])};
    for (size_t i = 0; i < 2; i++) dd_set(&two[i], more[i]);
    for (size_t i = 0; i < 3; i++) dd_set(&three[i], more[2 + i]);
    dd_drop(x);
  }
  dd both = dd_and(two[0], three[0]);
  size_t pairs = dd_and_pairs(two[0], three[0], 1000);
  assert_true(pairs > VARS && pairs <= 6 * VARS);
  assert_true(dd_nodes(both) <= pairs + dd_nodes(two[0]) + dd_nodes(three[0]));
  for (int i = 0; i < 5000; i++) {
    assert_int_equal(dd_and_pairs(three[0], two[0], 1000), pairs);
    assert_int_equal(dd_and_pairs(two[0], three[0], 7), 8);
  }
  assert_int_equal(dd_and_pairs(two[0], two[0], 7), 0);
  assert_int_equal(dd_and_pairs(two[0], dd_true(), 7), 0);
  dd_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random), cmocka_unit_test(test_count), cmocka_unit_test(test_limits),
      cmocka_unit_test(test_sift),   cmocka_unit_test(test_pairs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
