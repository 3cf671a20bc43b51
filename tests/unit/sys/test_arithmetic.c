// SPDX-License-Identifier: Apache-2.0
// Every operator of every kind of machine integer and of ranges, on pairs of values from the edges
// of the type, as variables and as constants: native code gives what the interpreter gives, faults
// included.
#include "agree.h"

#define N NOWHERE_SPAN
enum { EDGES = 9 };

// Values at the edges of a type, and some in the middle.
static void edges_of(const struct ir_type *t, int64_t *v) {
  uint64_t all[EDGES] = {0,
                         1,
                         2,
                         3,
                         7,
                         (uint64_t)t->hi - 1,
                         (uint64_t)t->hi,
                         (uint64_t)t->lo,
                         t->is_signed || t->lo < 0 ? (uint64_t)-1 : (uint64_t)t->hi / 2};
  for (int i = 0; i < EDGES; i++) v[i] = ir_type_has(t, (int64_t)all[i]) ? (int64_t)all[i] : t->lo;
}

// The k-th edge, k being a rule's parameter.
static struct ir_expr *edge(struct ir_model *m, const struct ir_type *t, const struct ir_local *k) {
  int64_t v[EDGES];
  edges_of(t, v);
  struct ir_expr *e = ir_const(m, t, v[0], N);
  for (int i = 1; i < EDGES; i++) {
    struct ir_expr *is = ir_binary(m, IR_EQ, ir_local_ref(m, k, N), ir_const(m, k->type, i, N), N);
    e = ir_ite(m, is, ir_const(m, t, v[i], N), e, t, N);
  }
  return e;
}

struct operands {
  struct ir_rule *rule;
  struct ir_local *a, *b;
  struct ir_chain body;
};

// A rule over two parameters whose body first puts the edges they name into locals a and b.
static struct operands operands(struct ir_model *m, const struct ir_type *t,
                                const struct ir_type *u, const char *name) {
  struct operands o = {.rule = ir_rule_new(m, false, name, N)};
  struct ir_type *k = ir_type_range(m, 0, EDGES - 1);
  struct ir_frame *f = &o.rule->frame;
  struct ir_local *i = ir_local_new(m, f, IR_LOCAL_BOUND, "i", k, N);
  struct ir_local *j = ir_local_new(m, f, IR_LOCAL_BOUND, "j", k, N);
  i->domain = j->domain = ir_domain_type(m, k);
  o.rule->param_count = 2;
  o.a = ir_local_new(m, f, IR_LOCAL_PLAIN, "a", t, N);
  o.b = ir_local_new(m, f, IR_LOCAL_PLAIN, "b", u, N);
  ir_chain_add(&o.body, ir_assign(m, ir_local_ref(m, o.a, N), edge(m, t, i), N));
  ir_chain_add(&o.body, ir_assign(m, ir_local_ref(m, o.b, N), edge(m, u, j), N));
  return o;
}

static const enum ir_op binary[] = {IR_EQ,    IR_NE,     IR_LT,  IR_LE,  IR_GT,  IR_GE,
                                    IR_ADD,   IR_SUB,    IR_MUL, IR_DIV, IR_MOD, IR_BITAND,
                                    IR_BITOR, IR_BITXOR, IR_SHL, IR_SHR};
#define BINARY_COUNT (sizeof binary / sizeof *binary)

// Ends the rule's body with: r := x, one r for each type of result.
static void add_result(struct ir_model *m, struct operands *o, struct ir_expr *x) {
  const struct ir_var *r = NULL;
  for (size_t i = 0; i < m->vars.count; i++)
    if (m->vars.data[i]->type == x->type) r = m->vars.data[i];
  if (r == NULL) r = ir_var_new(m, "r", x->type, N);
  ir_chain_add(&o->body, ir_assign(m, ir_var_ref(m, r, N), x, N));
  o->rule->body = o->body.first;
}

static void add_operators(struct ir_model *m, const struct ir_type *t, const struct ir_type *u) {
  for (size_t i = 0; i < BINARY_COUNT; i++) {
    struct operands o = operands(m, t, u, "binary");
    add_result(m, &o, ir_binary(m, binary[i], ir_local_ref(m, o.a, N), ir_local_ref(m, o.b, N), N));
  }
  static const enum ir_op unary[] = {IR_NEG, IR_BITNOT};
  for (size_t i = 0; i < 2; i++) {
    struct operands o = operands(m, t, u, "unary");
    add_result(m, &o, ir_unary(m, unary[i], ir_local_ref(m, o.a, N), N));
  }
}

// Is what it gives more than bits of its operands?
static bool bends(enum ir_op op) {
  return op >= IR_ADD && op != IR_BITAND && op != IR_BITOR && op != IR_BITXOR;
}

// A constant on the one side or the other, where native code looks at the interval it is in.
static void add_constants(struct ir_model *m, const struct ir_type *t) {
  int64_t v[EDGES];
  edges_of(t, v);
  for (size_t i = 0; i < BINARY_COUNT; i++)
    for (int k = 0; bends(binary[i]) && k < EDGES; k++) {
      struct operands o = operands(m, t, t, "constant");
      struct ir_expr *right =
          ir_binary(m, binary[i], ir_local_ref(m, o.a, N), ir_const(m, t, v[k], N), N);
      struct ir_expr *left =
          ir_binary(m, binary[i], ir_const(m, t, v[k], N), ir_local_ref(m, o.b, N), N);
      // one of them: the parameters' parity says which, so that both get their faults
      struct ir_expr *first = ir_binary(m, IR_LE, ir_local_ref(m, o.rule->frame.locals[0], N),
                                        ir_local_ref(m, o.rule->frame.locals[1], N), N);
      add_result(m, &o, ir_ite(m, first, right, left, right->type, N));
    }
}

// Casts of a value of t to u, and assignments to a small range.
static void add_casts(struct ir_model *m, const struct ir_type *t, const struct ir_type *u) {
  struct operands o = operands(m, t, u, "cast");
  struct ir_var *r = ir_var_new(m, "c", u, N);
  struct ir_expr *x = ir_cast(m, u, ir_local_ref(m, o.a, N), N);
  ir_chain_add(&o.body, ir_assign(m, ir_var_ref(m, r, N), x, N));
  o.rule->body = o.body.first;
  o = operands(m, t, u, "range");
  r = ir_var_new(m, "small", ir_type_range(m, -2, 5), N);
  ir_chain_add(&o.body, ir_assign(m, ir_var_ref(m, r, N), ir_local_ref(m, o.a, N), N));
  o.rule->body = o.body.first;
}

// Every variable starts with its type's smallest value. Takes the model.
static struct compare_count run(struct ir_model *m) {
  struct ir_rule *start = ir_rule_new(m, true, "start", N);
  struct ir_chain c = {0};
  for (size_t i = 0; i < m->vars.count; i++)
    ir_chain_add(&c, ir_clear(m, ir_var_ref(m, m->vars.data[i], N), N));
  start->body = c.first;
  finish_model(m);
  struct compare_count a = agree(m, 3);
  assert_true(a.fired > 100);
  return a;
}

static void check_types(uint8_t bits, bool is_signed, bool traps, uint8_t bits2, bool signed2) {
  struct ir_model *m = ir_model_new("arithmetic", "ir");
  struct ir_type *t = ir_type_int(m, bits, is_signed, traps);
  struct ir_type *u = ir_type_int(m, bits2, signed2, traps);
  add_operators(m, t, ir_type_same(t, u) ? t : u);
  add_casts(m, t, u);
  add_casts(m, u, t);
  struct compare_count a = run(m);
  if (traps) assert_true(a.faults > 10);
}

static void test_same(void **state) {
  (void)state;
  static const uint8_t bits[] = {8, 16, 32, 33, 64};
  for (size_t i = 0; i < sizeof bits; i++)
    for (int k = 0; k < 4; k++) check_types(bits[i], k & 1, k & 2, bits[i], k & 1);
}

static void test_mixed(void **state) {
  (void)state;
  check_types(64, false, true, 64, true);
  check_types(64, true, false, 64, false);
  check_types(8, true, true, 64, false);
  check_types(32, false, false, 12, true);
}

static void test_constants(void **state) {
  (void)state;
  static const struct {
    uint8_t bits;
    bool is_signed, traps;
  } kinds[] = {
      {8, true, false}, {8, true, true}, {64, true, false}, {64, true, true}, {64, false, true}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    struct ir_model *m = ir_model_new("constants", "ir");
    add_constants(m, ir_type_int(m, kinds[i].bits, kinds[i].is_signed, kinds[i].traps));
    run(m);
  }
}

// The result goes where only some of it fits: the check is left out where the interval allows.
static void add_narrowing(struct ir_model *m, const struct ir_type *t, const struct ir_type *u) {
  static const int64_t into[][2] = {{0, 9}, {-2, 5}};
  for (size_t i = 0; i < BINARY_COUNT; i++)
    for (int k = 0; binary[i] >= IR_ADD && binary[i] <= IR_MOD && k < 2; k++) {
      struct operands o = operands(m, t, u, "narrow");
      struct ir_var *v = ir_var_new(m, "n", ir_type_range(m, into[k][0], into[k][1]), N);
      struct ir_expr *x =
          ir_binary(m, binary[i], ir_local_ref(m, o.a, N), ir_local_ref(m, o.b, N), N);
      ir_chain_add(&o.body, ir_assign(m, ir_var_ref(m, v, N), x, N));
      o.rule->body = o.body.first;
    }
}

// Arithmetic of ranges, which is that of 64 bits that trap, with intervals known of the operands.
static void test_ranges(void **state) {
  (void)state;
  static const int64_t ranges[][2] = {{-3, 3}, {0, 9}, {-9, -1}, {IR_UNDEF + 1, INT64_MAX}};
  enum { COUNT = sizeof ranges / sizeof *ranges };
  for (size_t i = 0; i < COUNT; i++) {
    struct ir_model *m = ir_model_new("ranges", "ir");
    const struct ir_type *t[COUNT];
    for (size_t k = 0; k < COUNT; k++) t[k] = ir_type_range(m, ranges[k][0], ranges[k][1]);
    for (size_t k = 0; k < COUNT; k++) {
      add_operators(m, t[i], t[k]);
      add_narrowing(m, t[i], t[k]);
    }
    run(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_same), cmocka_unit_test(test_mixed),
                                     cmocka_unit_test(test_constants),
                                     cmocka_unit_test(test_ranges)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
