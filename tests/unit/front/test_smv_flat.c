// SPDX-License-Identifier: Apache-2.0
// SMV texts and what is left of them when all modules are put in place: expressions in prefix form,
// symbols, assignments; what is refused, where and with what sentence; limits.
#include "front/smv/flat.h"
#include "front/smv/smv.h"

// cmocka wants these first
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glob.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

// --- reading and printing ---

struct read { // what a text came to; kept together, since the flat model points into the source
  struct source *source;
  struct smv_flat *flat;
  struct diag d;
};

static struct read try_read(const char *text, const struct smv_define *defines, size_t count) {
  struct read r = {.source = source_from_text("t.smv", text, strlen(text))};
  r.flat = smv_flatten(r.source, defines, count, &r.d);
  if (!r.flat != (r.d.errors > 0)) fail_msg("refused without a word, or read with one: %s", text);
  return r;
}

static struct read must_read(const char *text) {
  struct read r = try_read(text, NULL, 0);
  if (r.flat) return r;
  diag_print(&r.d, stderr, false);
  fail_msg("refused: %s", text);
  return r;
}

static void read_clear(struct read *r) {
  smv_flat_free(r->flat);
  diag_clear(&r->d);
  source_free(r->source);
}

static const char *op_name(enum smv_op op) {
  static const char *const names[] = {
      [SMV_INDEX] = "[]",  [SMV_RANGE] = "..",  [SMV_SET] = "{}",      [SMV_BITS] = "[:]",
      [SMV_NOT] = "!",     [SMV_MINUS] = "-",   [SMV_AND] = "&",       [SMV_OR] = "|",
      [SMV_XOR] = "xor",   [SMV_XNOR] = "xnor", [SMV_IMPLIES] = "->",  [SMV_IFF] = "<->",
      [SMV_EQ] = "=",      [SMV_NE] = "!=",     [SMV_LT] = "<",        [SMV_LE] = "<=",
      [SMV_GT] = ">",      [SMV_GE] = ">=",     [SMV_ADD] = "+",       [SMV_SUB] = "-",
      [SMV_MUL] = "*",     [SMV_DIV] = "/",     [SMV_MOD] = "mod",     [SMV_SHL] = "<<",
      [SMV_SHR] = ">>",    [SMV_CONCAT] = "::", [SMV_UNION] = "union", [SMV_IN] = "in",
      [SMV_CASE] = "case", [SMV_ITE] = "?",     [SMV_NEXT] = "next",   [SMV_EX] = "EX",
      [SMV_AX] = "AX",     [SMV_EF] = "EF",     [SMV_AF] = "AF",       [SMV_EG] = "EG",
      [SMV_AG] = "AG",     [SMV_EU] = "EU",     [SMV_AU] = "AU",       [SMV_EBF] = "EBF",
      [SMV_ABF] = "ABF",   [SMV_EBG] = "EBG",   [SMV_ABG] = "ABG",     [SMV_EBU] = "EBU",
      [SMV_ABU] = "ABU",   [SMV_X] = "X",       [SMV_G] = "G",         [SMV_F] = "F",
      [SMV_U] = "U",       [SMV_V] = "V",       [SMV_Y] = "Y",         [SMV_Z] = "Z",
      [SMV_H] = "H",       [SMV_O] = "O",       [SMV_S] = "S",         [SMV_T] = "T",
      [SMV_MIN] = "MIN",   [SMV_MAX] = "MAX",
  };
  return op < COUNT(names) && names[op] ? names[op] : "?";
}

static void print(struct text *out, const struct smv_expr *e) {
  switch (e->op) {
  case SMV_NUMBER: text_printf(out, "%" PRId64, e->value); return;
  case SMV_TRUE: text_add(out, "TRUE"); return;
  case SMV_FALSE: text_add(out, "FALSE"); return;
  case SMV_WORD:
    text_printf(out, "%c%u:%" PRIu64, e->is_signed ? 's' : 'u', e->bits, (uint64_t)e->value);
    return;
  case SMV_SYMBOL: text_add(out, e->symbol->name); return;
  default: break;
  }
  text_printf(out, "(%s", e->op == SMV_CALL ? e->text : op_name(e->op));
  if (e->op >= SMV_EBF && e->op <= SMV_ABU) text_printf(out, "%u..%u", e->lo, e->hi);
  for (uint32_t i = 0; i < e->arg_count; i++) {
    text_char(out, ' ');
    print(out, e->args[i]);
  }
  text_char(out, ')');
}

static void expect_expr(const struct smv_expr *e, const char *expected) {
  struct text t = {0};
  print(&t, e);
  assert_string_equal(text_str(&t), expected);
  text_clear(&t);
}

static void print_assigns(struct text *out, const struct smv_flat *f) {
  static const char *const when[] = {"init", "next", "now"};
  for (size_t i = 0; i < f->assigns.count; i++) {
    const struct smv_assign *a = &f->assigns.data[i];
    text_printf(out, "%s%u %s %s = ", i ? "; " : "", a->process, when[a->when], a->symbol->name);
    print(out, a->expr);
  }
}

static void expect_assigns(const struct smv_flat *f, const char *expected) {
  struct text t = {0};
  print_assigns(&t, f);
  assert_string_equal(text_str(&t), expected);
  text_clear(&t);
}

static void expect_symbols(const struct smv_flat *f, const char *expected) {
  static const char kinds[] = {'v', 'i', 'f', 'd', 'c', 'a', 'r'};
  struct text t = {0};
  for (size_t i = 0; i < f->symbols.count; i++) {
    const struct smv_symbol *s = f->symbols.data[i];
    assert_int_equal(s->id, i);
    text_printf(&t, "%s%c:%s", i ? " " : "", kinds[s->kind], s->name);
  }
  assert_string_equal(text_str(&t), expected);
  text_clear(&t);
}

// --- expressions ---

#define WORLD                                                                                      \
  "MODULE main VAR a : boolean; b : boolean; c : boolean; x : 0..9; y : 0..9; s : {r, g, e-3};"    \
  " w : word[8]; v : signed word[8]; q : array 0..2 of 0..9; m : array 1..2 of array 0..1 of "     \
  "boolean; IVAR i : boolean; DEFINE d := x + 1; k := [1, x, 3]; N := 2; "

struct pair {
  const char *text, *says;
};

static const struct pair expressions[] = {
    {"a", "a"},
    {"a & b & c", "(& (& a b) c)"},
    {"a | b & c", "(| a (& b c))"},
    {"a xor b xnor c | a", "(| (xnor (xor a b) c) a)"},
    {"a -> b -> c", "(-> a (-> b c))"},
    {"a -> b <-> c", "(-> a (<-> b c))"},
    {"a <-> b <-> c", "(<-> (<-> a b) c)"},
    {"a->b", "(-> a b)"},
    {"!a = b", "(= (! a) b)"},
    {"!a & b", "(& (! a) b)"},
    {"a ? b : c ? a : b", "(? a b (? c a b))"},
    {"a | b ? c : a <-> b", "(<-> (? (| a b) c a) b)"},
    {"x + y * 2 - 1 = 3", "(= (- (+ x (* y 2)) 1) 3)"},
    {"-x + 1 < y", "(< (+ (- x) 1) y)"},
    {"x mod 2 = y / 3", "(= (mod x 2) (/ y 3))"},
    {"x - 1 - 2 = +3", "(= (- (- x 1) 2) 3)"},
    {"x in {1, 2} union 4..5", "(in x (union ({} 1 2) (.. 4 5)))"},
    {"x in 1 union 2 = a", "(= (in x (union 1 2)) a)"},
    {"x in 0 .. y - 1", "(in x (.. 0 (- y 1)))"},
    {"x = y != a", "(!= (= x y) a)"},
    {"x <= 1 & x >= 0 | x > 7", "(| (& (<= x 1) (>= x 0)) (> x 7))"},
    {"s = e-3", "(= s e-3)"},
    {"case a : b; x = 1 : c; TRUE : a; esac", "(case a b (= x 1) c TRUE a)"},
    {"case a : b ? c : a; 1 : c; esac", "(case a (? b c a) 1 c)"},
    {"w << 2 + 1 = w >> x", "(= (<< w (+ 2 1)) (>> w x))"},
    {"w[3:0] :: w[7:4] = 0ud8_255", "(= (:: ([:] w 3 0) ([:] w 7 4)) u8:255)"},
    {"(w :: w)[15:8] = w", "(= ([:] (:: w w) 15 8) w)"},
    {"-w :: w * w = w", "(= (* (:: (- w) w) w) w)"},
    {"v = -0sd8_128 | v = 0sh8_FF", "(| (= v (- s8:128)) (= v s8:255))"},
    {"w = 0b8_1010_1010 & w = 0o_17 & w = 0h_f", "(& (& (= w u8:170) (= w u6:15)) (= w u4:15))"},
    {"w = 0ub8_1 | w = 0uh8_A | w = 0so6_7", "(| (| (= w u8:1) (= w u8:10)) (= w s6:7))"},
    {"w = 0uh64_ffffffffffffffff", "(= w u64:18446744073709551615)"},
    {"bool(x) & word1(a) = 0b_1", "(& (bool x) (= (word1 a) u1:1))"},
    {"count(a, b, c) = max(x, min(y, abs(-1)))", "(= (count a b c) (max x (min y (abs (- 1)))))"},
    {"signed(w) = v & unsigned(v) = w", "(& (= (signed w) v) (= (unsigned v) w))"},
    {"extend(w, 8) = resize(w, 16)", "(= (extend w 8) (resize w 16))"},
    {"uwconst(5, 8) = w | swconst(-1, 8) = v", "(| (= (uwconst 5 8) w) (= (swconst (- 1) 8) v))"},
    {"sizeof(w) = toint(w)", "(= (sizeof w) (toint w))"},
    {"q[1] = q[N]", "(= q[1] q[2])"},
    {"q[x] = q[N - 1]", "(= ([] q x) q[1])"},
    {"q.2 = 3", "(= q[2] 3)"},
    {"m[1][0] & m[2][1]", "(& m[1][0] m[2][1])"},
    {"m[x][0] | m[1][x]", "(| ([] ([] m x) 0) ([] m[1] x))"},
    {"k[0] = k[2] & k[x] = k[1]", "(& (= k[0] k[2]) (= ([] k x) k[1]))"},
    {"d = 3", "(= d 3)"},
    {"self.x = 1", "(= x 1)"},
    {"a -- to the end\n & b /-- and\n -- this --/ & c", "(& (& a b) c)"},
    {"a & (b & c) & a", "(& (& a (& b c)) a)"},
    {"a & b & c & a & b", "(& (& (& a b) c) (& a b))"},
};

static void test_expressions(void **unused) {
  for (size_t i = 0; i < COUNT(expressions); i++) {
    struct text t = {0};
    text_printf(&t, WORLD "INIT %s", expressions[i].text);
    struct read r = must_read(text_str(&t));
    assert_int_equal(r.flat->inits.count, 1);
    expect_expr(r.flat->inits.data[0].expr, expressions[i].says);
    read_clear(&r);
    text_clear(&t);
  }
  (void)unused;
}

static const struct pair specs[] = {
    {"SPEC AG a & b", "(& (AG a) b)"},
    {"SPEC AG x = 3 -> AF y = 1", "(-> (AG (= x 3)) (AF (= y 1)))"},
    {"CTLSPEC !EX a | AX !b", "(| (! (EX a)) (AX (! b)))"},
    {"SPEC AG EF EG a", "(AG (EF (EG a)))"},
    {"SPEC E [a & b U c | a]", "(EU (& a b) (| c a))"},
    {"SPEC A [a -> b U A [b U c]]", "(AU (-> a b) (AU b c))"},
    {"SPEC E [a BU 1..3 b]", "(EBU1..3 a b)"},
    {"SPEC A [a <-> b BU 0..0 c xor a]", "(ABU0..0 (<-> a b) (xor c a))"},
    {"SPEC EBF 1..2 a & ABF 0..4 b", "(& (EBF1..2 a) (ABF0..4 b))"},
    {"SPEC EBG 1..2 a | ABG 0..4 (b & c)", "(| (EBG1..2 a) (ABG0..4 (& b c)))"},
    {"LTLSPEC G (a -> F b)", "(G (-> a (F b)))"},
    {"LTLSPEC a U b U c", "(U (U a b) c)"},
    {"LTLSPEC a & b U c & a", "(& (& a (U b c)) a)"},
    {"LTLSPEC ! a U b", "(U (! a) b)"},
    {"LTLSPEC !X x = 1 | Y a", "(| (! (X (= x 1))) (Y a))"},
    {"LTLSPEC a V b S c T a", "(T (S (V a b) c) a)"},
    {"LTLSPEC X G F Z H O a", "(X (G (F (Z (H (O a))))))"},
    {"LTLSPEC F [1,2] a", "(X (| a (X a)))"},
    {"LTLSPEC H [0,2] a", "(& a (Z (& a (Z a))))"},
    {"INVARSPEC x < 9", "(< x 9)"},
    {"COMPUTE MIN [a, b]", "(MIN a b)"},
    {"COMPUTE MAX [a & b, EX c]", "(MAX (& a b) (EX c))"},
};

static void test_specs(void **unused) {
  static const char *const ends[] = {"", ";"};
  for (size_t i = 0; i < 2 * COUNT(specs); i++) {
    struct text t = {0};
    text_printf(&t, WORLD "%s%s", specs[i / 2].text, ends[i % 2]);
    struct read r = must_read(text_str(&t));
    assert_int_equal(r.flat->specs.count, 1);
    expect_expr(r.flat->specs.data[0].expr, specs[i / 2].says);
    assert_null(r.flat->specs.data[0].name);
    read_clear(&r);
    text_clear(&t);
  }
  (void)unused;
}

static void test_spec_names(void **unused) {
  struct read r =
      must_read("MODULE main VAR u : m; v : m; SPEC NAME safe := AG u.x; LTLSPEC NAME l "
                ":= G x IN u INVARSPEC NAME i.j := TRUE COMPUTE NAME c := MIN[u.x, v.x] "
                "MODULE m VAR x : boolean; CTLSPEC NAME mine := EF x\n");
  static const char *const names[] = {"safe", "l", "i.j", "c", "u.mine", "v.mine"};
  static const enum smv_spec_kind kinds[] = {SMV_SPEC_CTL,     SMV_SPEC_LTL, SMV_SPEC_INVAR,
                                             SMV_SPEC_COMPUTE, SMV_SPEC_CTL, SMV_SPEC_CTL};
  assert_int_equal(r.flat->specs.count, COUNT(names));
  for (size_t i = 0; i < COUNT(names); i++) {
    assert_string_equal(r.flat->specs.data[i].name, names[i]);
    assert_int_equal(r.flat->specs.data[i].kind, kinds[i]);
  }
  expect_expr(r.flat->specs.data[1].expr, "(G u.x)");
  expect_expr(r.flat->specs.data[5].expr, "(EF v.x)");
  read_clear(&r);
  (void)unused;
}

// --- declarations ---

static void test_types(void **unused) {
  struct read r = must_read(
      "MODULE main DEFINE N := M + 1; M := 2; VAR b : boolean; r : -N..2*N; e : {p, 3, q, -1, p};"
      " w : word[N]; u : unsigned word[64]; z : signed word[8]; t : {TRUE, FALSE}; CONSTANTS c1, "
      "c2; "
      "FROZENVAR f : 0..N mod 2; IVAR i : {p, o}; VAR g : array -1..0 of 0..1;");
  const struct smv_flat *f = r.flat;
  expect_symbols(
      f, "c:p c:q c:c1 c:c2 c:o d:N d:M v:b v:r v:e v:w v:u v:z v:t f:f i:i a:g v:g[-1] v:g[0]");
  assert_int_equal(smv_find(f, "b")->type->kind, SMV_TYPE_BOOLEAN);
  assert_int_equal(smv_find(f, "t")->type->kind, SMV_TYPE_BOOLEAN);
  const struct smv_type *t = smv_find(f, "r")->type;
  assert_true(t->kind == SMV_TYPE_RANGE && t->lo == -3 && t->hi == 6);
  t = smv_find(f, "e")->type;
  assert_int_equal(t->member_count, 4);
  assert_string_equal(t->members[0].name, "p");
  assert_null(t->members[1].name);
  assert_true(t->members[1].number == 3 && t->members[3].number == -1);
  t = smv_find(f, "w")->type;
  assert_true(t->kind == SMV_TYPE_WORD && t->bits == 3 && !t->is_signed);
  assert_int_equal(smv_find(f, "u")->type->bits, 64);
  assert_true(smv_find(f, "z")->type->is_signed);
  assert_int_equal(smv_find(f, "f")->type->hi, 1);
  const struct smv_symbol *g = smv_find(f, "g");
  assert_true(g->lo == -1 && g->hi == 0);
  assert_ptr_equal(g->elements[1], smv_find(f, "g[0]"));
  assert_null(smv_find(f, "nobody"));
  read_clear(&r);
  (void)unused;
}

// Parameters stand for what they are given: variables to assign, arrays, instances, expressions.
static void test_parameters(void **unused) {
  struct read r = must_read(
      "MODULE main VAR x : boolean; q : array 0..1 of 0..3; a : cell(x, q, b, x & TRUE, q[1], 3);"
      " b : cell(a.y, q, self, FALSE, q[0], 2); DEFINE y := TRUE;\n"
      "MODULE cell(v, arr, other, e, slot, n) VAR y : boolean; z : 0..n; ASSIGN next(v) := e & "
      "next(other.y);"
      " init(arr[n - 2]) := n; next(slot) := arr[slot]; INIT other.y & v");
  expect_assigns(
      r.flat, "0 next x = (& (& x TRUE) (next b.y)); 0 init q[1] = 3; 0 next q[1] = ([] q q[1]); "
              "0 next a.y = (& FALSE (next y)); 0 init q[0] = 2; 0 next q[0] = ([] q q[0])");
  expect_expr(r.flat->inits.data[0].expr, "(& b.y x)");
  expect_expr(r.flat->inits.data[1].expr, "(& y a.y)");
  assert_int_equal(smv_find(r.flat, "a.z")->type->hi, 3);
  assert_int_equal(smv_find(r.flat, "b.z")->type->hi, 2);
  read_clear(&r);
  (void)unused;
}

// What a parameter stands for is one node, however often it is named.
static void test_sharing(void **unused) {
  struct text t = {0};
  text_add(&t, "MODULE main VAR x : boolean; a : m0(x); ");
  for (int i = 0; i < 100; i++) text_printf(&t, "MODULE m%d(p) VAR l : m%d(p xor p); ", i, i + 1);
  text_add(&t, "MODULE m100(p) INIT p");
  struct read r = must_read(text_str(&t));
  assert_true(r.flat->exprs < 500);
  const struct smv_expr *e = r.flat->inits.data[0].expr;
  assert_ptr_equal(e->args[0], e->args[1]);
  assert_true(e->args[0]->id < e->id && e->depth == 100);
  read_clear(&r);
  text_clear(&t);
  (void)unused;
}

static void test_instances(void **unused) {
  struct read r = must_read(
      "MODULE main VAR a : outer; z : boolean; DEFINE a.sub.given := z; here := a.sub.x;\n"
      "MODULE outer VAR sub : inner(self); y : {one, two};\n"
      "MODULE inner(up) VAR x : boolean; one : boolean; ASSIGN x := given & up.y = two & one;");
  expect_symbols(r.flat, "c:one c:two v:a.sub.x v:a.sub.one v:a.y v:z d:here d:a.sub.given");
  expect_assigns(r.flat, "0 now a.sub.x = (& (& a.sub.given (= a.y two)) a.sub.one)");
  expect_expr(smv_find(r.flat, "a.sub.given")->expr, "z");
  assert_int_equal(smv_find(r.flat, "one")->kind, SMV_CONSTANT);
  read_clear(&r);
  (void)unused;
}

static void test_processes(void **unused) {
  struct read r = must_read(
      "MODULE main VAR p : process user(x); m : plain(x); q : process user(x); x : boolean;"
      " FAIRNESS p.running & running JUSTICE x; COMPASSION(x, !x)\n"
      "MODULE user(s) VAR sub : plain(s); w : process plain(s); ASSIGN next(s) := !s; FAIRNESS "
      "running\nMODULE plain(s) VAR l : boolean; ASSIGN init(l) := s; next(l) := running;");
  static const char *const names[] = {"main", "p", "p.w", "q", "q.w"};
  assert_int_equal(r.flat->processes.count, COUNT(names));
  for (size_t i = 0; i < COUNT(names); i++)
    assert_string_equal(r.flat->processes.data[i], names[i]);
  expect_assigns(r.flat,
                 "1 next x = (! x); 1 init p.sub.l = x; 1 next p.sub.l = p.running; "
                 "2 init p.w.l = x; 2 next p.w.l = p.w.running; 0 init m.l = x; "
                 "0 next m.l = running; 3 next x = (! x); 3 init q.sub.l = x; "
                 "3 next q.sub.l = q.running; 4 init q.w.l = x; 4 next q.w.l = q.w.running");
  expect_expr(r.flat->fairness.data[0].p, "(& p.running running)");
  assert_true(r.flat->fairness.data[2].compassion && !r.flat->fairness.data[1].compassion);
  expect_expr(r.flat->fairness.data[2].q, "(! x)");
  expect_expr(r.flat->fairness.data[4].p, "q.running");
  assert_int_equal(smv_find(r.flat, "q.running")->process, 3);
  assert_int_equal(smv_find(r.flat, "q.sub.l")->process, 3);
  read_clear(&r);
  (void)unused;
}

static void test_isa(void **unused) {
  struct read r =
      must_read("MODULE main VAR a : top(x); x : boolean; MODULE top(CMD) ISA base; ISA other "
                "MODULE base VAR y : boolean; ASSIGN next(y) := CMD & z; "
                "MODULE other ISA last MODULE last VAR z : {s1, s2};");
  expect_symbols(r.flat, "c:s1 c:s2 v:a.y v:a.z v:x");
  expect_assigns(r.flat, "0 next a.y = (& x a.z)");
  read_clear(&r);
  (void)unused;
}

static void test_sections(void **unused) {
  struct read r =
      must_read("MODULE main() VAR VAR x : boolean; DEFINE ASSIGN INIT x; INIT x INVAR x "
                "INVAR x; TRANS next(x) TRANS x; ASSIGN init(x) := {FALSE, TRUE}; "
                "CONSTANTS ; PRED x; MIRROR x");
  assert_int_equal(r.flat->inits.count, 2);
  assert_int_equal(r.flat->invars.count, 2);
  assert_int_equal(r.flat->trans.count, 2);
  assert_int_equal(r.flat->assigns.count, 1);
  assert_int_equal(r.d.warnings, 2);
  read_clear(&r);
  (void)unused;
}

// A model that was written out flat has names with dots and brackets in them.
static void test_flat_text(void **unused) {
  struct read r =
      must_read("MODULE main VAR p.s : boolean; q[1] : boolean; p.t[0] : 0..3; DEFINE p.d := "
                "p.s & q[1]; ASSIGN next(p.s) := p.d; INIT p.t[0] = 1");
  expect_assigns(r.flat, "0 next p.s = p.d");
  expect_expr(smv_find(r.flat, "p.d")->expr, "(& p.s q[1])");
  expect_expr(r.flat->inits.data[0].expr, "(= p.t[0] 1)");
  read_clear(&r);
  (void)unused;
}

// A dash belongs to a name only between two of its characters.
static void test_names(void **unused) {
  struct read r =
      must_read("MODULE main VAR _a$1 : boolean; b#2 : boolean; c\\d : boolean; e-3-f : "
                "boolean; max : 0..3;--remark\nINIT _a$1->b#2--remark\n & c\\d & e-3-f & max- 1 "
                "= max(max, 2)");
  expect_expr(r.flat->inits.data[0].expr,
              "(-> _a$1 (& (& b#2 c\\d) (& e-3-f (= (- max 1) (max max 2)))))");
  read_clear(&r);
  (void)unused;
}

// Each DEFINE comes after those that it names.
static void test_define_order(void **unused) {
  struct read r =
      must_read("MODULE main VAR x : 0..1; DEFINE a := b + k[x]; b := next(c); c := x; k := [c, "
                "e]; e := 1; alias := k; f := alias[1];");
  static const char *const order[] = {"c", "b", "k[0]", "e", "k[1]", "a"};
  for (size_t i = 0; i < COUNT(order); i++)
    assert_string_equal(r.flat->defines.data[i]->name, order[i]);
  expect_expr(smv_find(r.flat, "f")->expr, "k[1]");
  read_clear(&r);
  (void)unused;
}

// --- errors ---

struct bad {
  const char *text;
  uint32_t line, column;
  const char *says;
};

#define M "MODULE main VAR x : boolean; y : 0..3;\n"

static const struct bad syntax[] = {
    {"", 1, 1, "the file is empty"},
    {"VAR x : boolean;", 1, 1, "expected 'MODULE'"},
    {"MODULE\nVAR", 2, 1, "expected a name, but found 'VAR'"},
    {M "INIT x &", 2, 9, "expected an expression, but found the end of the file"},
    {M "INIT (x", 2, 8, "expected ')'"},
    {M "x := 1", 2, 3, "expected ':', '[' or '.', but found ':='"},
    {M "BOGUS", 2, 6, "found the end of the file"},
    {M "ASSIGN init(x) := x\n next(x) := x;", 3, 2, "';', but found 'next'"},
    {M "ASSIGN x = 1;", 2, 10, "':='"},
    {M "VAR z : ;", 2, 9, "expected a type"},
    {M "VAR z : x.y;", 2, 9, "expected a type or a module"},
    {M "VAR z : integer;", 2, 9, "the type integer is not supported"},
    {M "VAR z : real;", 2, 9, "the type real is not supported"},
    {M "VAR z : array of boolean;", 2, 9, "arrays without bounds are not supported"},
    {M "VAR z : array word[3] of boolean;", 2, 9, "arrays whose index is a word"},
    {M "INIT y = 1.5", 2, 10, "real numbers are not supported"},
    {M "INIT y = 99999999999999999999", 2, 10, "does not fit into 64 bits"},
    {M "INIT y = 0ud_1", 2, 10, "no word constant"},
    {M "INIT y = 0b2_111", 2, 10, "no word constant"},
    {M "INIT y = 0b8_2", 2, 10, "no word constant"},
    {M "INIT y = 0uh65_0", 2, 10, "no word constant"},
    {M "INIT y = @", 2, 10, "character '@'"},
    {M "INIT y = \xff", 2, 10, "byte 0xff"},
    {M "INIT y = \x01", 2, 10, "control character 0x01"},
    {M "INIT y = \xc3\xa9", 2, 10, "character '\xc3\xa9'"},
    {M "/-- never\nclosed", 2, 1, "the comment is not closed"},
    {M "SPEC EBF 3..1 x", 2, 10, "expected bounds from low to high"},
    {M "LTLSPEC F [0,999] x", 2, 9, "bounds of at most"},
    {M "PSLSPEC always x;", 2, 1, "PSLSPEC is not supported"},
    {M "FUN", 2, 1, "FUN is not supported"},
    {M "SPEC AG X x", 2, 9, "found 'X'"},
    {M "INIT case esac", 2, 11, "expected an expression"},
};

static const struct bad meaning[] = {
    {"MODULE other", 1, 1, "there is no module 'main'"},
    {"MODULE main(p)", 1, 8, "module 'main' has parameters"},
    {M "MODULE main", 2, 8, "module 'main' is already declared"},
    {M "VAR x : 0..1;", 2, 5, "'x' is already declared in module 'main'"},
    {M "DEFINE x := 1;", 2, 8, "'x' is already declared"},
    {M "INIT z", 2, 6, "'z' is not declared; expected a variable"},
    {"MODULE main VAR counter : 0..1;\nINIT countre = 1", 2, 6, "did you mean 'counter'"},
    {"MODULE main VAR c : {stopped, going};\nINIT c = stoped", 2, 10, "did you mean 'stopped'"},
    {M "INIT verylong-1 = 0", 2, 6, "it is one name; a difference is written with"},
    {M "VAR a : nobody;", 2, 9, "there is no module 'nobody'"},
    {M "VAR a : uesr; MODULE user", 2, 9, "did you mean 'user'"},
    {M "VAR a : m(x); MODULE m(p, q)", 2, 9, "expects 2 parameters, but is given 1"},
    {M "VAR a : m(x); MODULE m", 2, 9, "expects 0 parameters, but is given 1"},
    {M "VAR a : m; MODULE m VAR b : n; MODULE n VAR c : m;", 2, 49, "module 'm' contains itself"},
    {M "VAR a : m; INIT a.zz MODULE m VAR q : boolean;", 2, 17, "module 'm' has no 'zz'"},
    {M "VAR a : m; INIT a.statt MODULE m VAR state : boolean;", 2, 17, "did you mean 'state'"},
    {M "INIT x.y", 2, 6, "expected an instance of a module before '.y'"},
    {M "VAR a : m; INIT a MODULE m", 2, 17,
     "expected a value, but this is an instance of module 'm'"},
    {M "VAR a : array 0..1 of m; MODULE m", 2, 23, "arrays of modules are not supported"},
    {M "VAR a : array 0..1 of n; MODULE m", 2, 23, "there is no module 'n'"},
    {M "VAR a : array 0..1 of boolean; INIT a", 2, 37, "expected a value, but this is an array"},
    {M "VAR a : array 0..1 of boolean; INIT a[2]", 2, 39, "the index 2 is outside of 'a'"},
    {M "INIT x[1]", 2, 6, "expected an array before '['"},
    {M "VAR a : array 0..1 of boolean; ASSIGN a := x;", 2, 39, "'a' is an array"},
    {M "VAR a : array 0..1 of boolean; ASSIGN next(a[y]) := x;", 2, 44,
     "expected a constant as the index"},
    {M "VAR a : 0..y;", 2, 12, "expected a constant number as a bound of a range"},
    {M "VAR a : 3..1;", 2, 9, "the range 3..1 is empty"},
    {M "VAR a : array 3..1 of boolean;", 2, 9, "the range 3..1 is empty"},
    {M "VAR a : 0..1/0;", 2, 12, "expected a constant number"},
    {M "VAR a : word[0];", 2, 14, "a word of 0 bits"},
    {M "VAR a : word[65];", 2, 14, "a word of 65 bits"},
    {M "VAR a : word[x];", 2, 14, "as the size of a word"},
    {M "VAR a : {TRUE, off};", 2, 10, "TRUE and FALSE as members"},
    {M "VAR a : array 0..1000000000 of boolean;", 2, 9, "the array is too large"},
    {M "VAR a : array 0..9999 of array 0..9999 of boolean;", 2, 26, "the array is too large"},
    {M "VAR a : 0..b[0]; b : array 0..a of boolean;", 2, 5, "the type of 'a' depends on itself"},
    {M "VAR a : m(b.p); b : m(a.p); MODULE m(p)", 2, 11, "for the parameter 'p' depends on itself"},
    {M "ASSIGN next(x) := x; next(x) := x;", 2, 27, "'x' is assigned twice"},
    {M "ASSIGN init(x) := x; x := x;", 2, 22, "'x' is assigned both plainly and by init"},
    {M "ASSIGN x := TRUE; next(x) := x;", 2, 24, "'x' is assigned both plainly and by next"},
    {M "VAR a : m(x); b : m(x); MODULE m(p) ASSIGN next(p) := p;", 2, 49, "'x' is assigned twice"},
    {M "VAR a : process m(x); b : process m(x); MODULE m(p) ASSIGN init(p) := TRUE;", 2, 65,
     "'x' is assigned twice"},
    {M "VAR a : m(!x); MODULE m(p) ASSIGN next(p) := p;", 2, 40, "what is given for it is none"},
    {M "VAR a : m; ASSIGN a := x; MODULE m", 2, 19, "this is an instance"},
    {M "DEFINE d := x; ASSIGN d := x;", 2, 23, "'d' is a DEFINE"},
    {M "IVAR d : boolean; ASSIGN init(d) := x;", 2, 31, "'d' is an input"},
    {M "FROZENVAR d : boolean; ASSIGN next(d) := x;", 2, 36, "'d' is frozen"},
    {M "VAR d : {red}; ASSIGN red := x;", 2, 23, "'red' is a constant"},
    {M "DEFINE d := e; e := !d;", 2, 8, "'d' depends on itself through 'e'"},
    {M "DEFINE d := next(d);", 2, 8, "'d' depends on itself"},
    {M "ASSIGN x := y = 1; y := x ? 1 : 2;", 2, 8,
     "'x' depends on itself within one state through 'y'"},
    {M "ASSIGN init(x) := d; DEFINE d := x;", 2, 8, "'x' depends on itself within one state"},
    {M "ASSIGN next(x) := next(y) = 1; next(y) := next(x) ? 1 : 2;", 2, 8, "'x' depends on itself"},
    {M "ASSIGN next(x) := next(y) = 1; y := x ? 1 : 2;", 2, 8, "'x' depends on itself"},
    {M "INIT running", 2, 6, "known only where there are processes"},
    {M "ISA nobody", 2, 5, "there is no module 'nobody'"},
    {M "ISA m MODULE m(p)", 2, 5, "module 'm' has parameters"},
    {M "ISA m MODULE m ISA main", 2, 20, "module 'main' takes itself in"},
    {M "SPEC x IN y", 2, 11, "expected an instance of a module after IN"},
    {M "INIT foo(x)", 2, 6, "there is no function 'foo'"},
    {M "INIT ext(x)", 2, 6, "there is no function 'ext'"},
    {M "INIT extendd(x)", 2, 6, "did you mean 'extend'"},
    {M "INIT max(y) = 1", 2, 6, "max expects 2 arguments, but is given 1"},
    {M "INIT READ(x, y)", 2, 6, "READ is not supported"},
};

static void check_bad(const struct bad *b) {
  struct read r = try_read(b->text, NULL, 0);
  if (r.flat) fail_msg("accepted: %s", b->text);
  bool found = false;
  for (size_t i = 0; i < r.d.count; i++)
    found |= r.d.entries[i].level == DIAG_ERROR && r.d.entries[i].span.line == b->line &&
             r.d.entries[i].span.column == b->column && strstr(r.d.entries[i].message, b->says);
  if (!found) {
    diag_print(&r.d, stderr, false);
    fail_msg("not said at %u:%u: %s\nof: %s", b->line, b->column, b->says, b->text);
  }
  read_clear(&r);
}

static void test_syntax_errors(void **unused) {
  for (size_t i = 0; i < COUNT(syntax); i++) check_bad(&syntax[i]);
  (void)unused;
}

static void test_meaning_errors(void **unused) {
  for (size_t i = 0; i < COUNT(meaning); i++) check_bad(&meaning[i]);
  (void)unused;
}

// All of them in one run, each once, although a module has two instances.
static void test_several_errors(void **unused) {
  struct read r =
      try_read("MODULE main VAR a : m; b : m; c : 0..u; INIT v; MODULE m INIT p & q", NULL, 0);
  assert_int_equal(r.d.errors, 4);
  read_clear(&r);
  r = try_read("MODULE main VAR x : ; y : boolean ASSIGN init(y) := (; next(y) := y y;\nINIT &;",
               NULL, 0);
  assert_int_equal(r.d.errors, 4);
  read_clear(&r);
  (void)unused;
}

// What is no circle: processes have their own assignments, next is another state.
static void test_no_circles(void **unused) {
  static const char *const good[] = {
      M "ASSIGN next(x) := y = 1; next(y) := next(x) ? 1 : 2;",
      M "ASSIGN next(x) := x; init(x) := y = 0; init(y) := 1;",
      M "VAR a : process m(x, z); b : process m(z, x); z : boolean;\n"
        "MODULE m(p, q) ASSIGN next(p) := next(q);",
      M "DEFINE d := x & e; e := y = 1; ASSIGN next(x) := next(e) & d;",
  };
  for (size_t i = 0; i < COUNT(good); i++) {
    struct read r = must_read(good[i]);
    read_clear(&r);
  }
  (void)unused;
}

// --- limits ---

static void expect_limit(const char *before, const char *repeat, int times, const char *after,
                         const char *says) {
  struct text t = {0};
  text_add(&t, before);
  for (int i = 0; i < times; i++) text_add(&t, repeat);
  text_add(&t, after);
  struct read r = try_read(text_str(&t), NULL, 0);
  assert_int_equal(r.flat != NULL, says == NULL);
  if (says) {
    assert_non_null(r.d.entries[0].span.source);
    if (!strstr(r.d.entries[0].message, says)) fail_msg("%s", r.d.entries[0].message);
  }
  read_clear(&r);
  text_clear(&t);
}

static void test_depth(void **unused) {
  static const char *deep = "nested too deeply";
  expect_limit(M "INIT ", "(", 100000, "x", deep);
  expect_limit(M "INIT ", "!", 10000, "x", deep);
  expect_limit(M "INIT ", "y + ", 100000, "y = 1", deep);
  expect_limit(M "INIT ", "x -> ", 5000, "x", deep);
  expect_limit(M "INIT x", ".x", 100000, "", deep);
  expect_limit(M "INIT x", "[0]", 100000, "", deep);
  expect_limit(M "INIT ", "x & ", 100000, "x", NULL);
  expect_limit(M "INIT ", "x | ", 100000, "x", NULL);
  expect_limit(M "INIT y in 0", " union 1", 100000, "", NULL);
  expect_limit(M "VAR a : ", "array 0..0 of ", 3000, "boolean;", deep);
  expect_limit(M "DEFINE a := ", "[", 5000, "x", "expected");
  expect_limit(M "INIT ", "case x : ", 3000, "x", "expected");
  (void)unused;
}

static void expect_modules(int count, const char *before, const char *format, const char *after,
                           const char *says) {
  struct text t = {0};
  text_add(&t, before);
  for (int i = 0; i < count; i++) {
    text_printf(&t, "\nMODULE m%d ", i);
    for (const char *c = format; *c; c++) {
      if (*c == '#')
        text_printf(&t, "m%d", i + 1);
      else
        text_char(&t, *c);
    }
  }
  text_printf(&t, "\nMODULE m%d %s", count, after);
  expect_limit(text_str(&t), "", 0, "", says);
  text_clear(&t);
}

static void test_growth(void **unused) {
  static const char *large = "the model grows too large";
  static const char *start = "MODULE main VAR a : m0;";
  expect_modules(60, start, "VAR l : #; r : #;", "", large);
  expect_modules(60, start, "VAR l : process #; r : process #;", "", large);
  expect_modules(40, "MODULE main ISA m0", "ISA # ISA #", "INIT TRUE", large);
  expect_modules(3000, start, "VAR l : #;", "", "instances nested too deeply");
  expect_modules(150, start, "VAR l : #;", "VAR x : boolean;", NULL);
  expect_limit(M "LTLSPEC ", "G [0,200] ", 4, "x", large);
  (void)unused;
}

static void test_define_chain(void **unused) {
  struct text t = {0};
  text_add(&t, M "DEFINE d0 := y;");
  for (int i = 0; i < 20000; i++) text_printf(&t, "d%d := d%d + d%d;", i + 1, i, i);
  struct read r = must_read(text_str(&t));
  assert_string_equal(r.flat->defines.data[20000]->name, "d20000");
  read_clear(&r);
  text_clear(&t);
  (void)unused;
}

// --- what is given from outside ---

static void test_given(void **unused) {
  static const struct pair good[] = {
      {"x & a.z", "(& x a.z)"}, {"y + d = 2", "(= (+ y d) 2)"}, {"q[1] = one", "(= q[1] one)"}};
  static const struct bad bad[] = {
      {"x &", 1, 4, "expected an expression, but found the end of the expression"},
      {"x x", 1, 3, "the end of the expression"},
      {"MODULE main", 1, 1, "expected an expression"},
      {"AG x", 1, 1, "without temporal operators"},
      {"x & nobody", 1, 5, "'nobody' is not declared"},
      {" ", 1, 1, "the text is empty; expected an SMV expression"},
  };
  struct read r = must_read(
      M "VAR a : m; q : array 0..1 of {one, two}; DEFINE d := y;\nMODULE m VAR z : boolean;");
  for (size_t i = 0; i < COUNT(good); i++) {
    struct diag d = {0};
    struct source *s = source_from_text("given", good[i].text, strlen(good[i].text));
    const struct smv_expr *e = smv_flatten_expr(r.flat, s, &d);
    assert_non_null(e);
    assert_true(e->id < r.flat->exprs);
    expect_expr(e, good[i].says);
    diag_clear(&d);
    source_free(s);
  }
  for (size_t i = 0; i < COUNT(bad); i++) {
    struct diag d = {0};
    struct source *s = source_from_text("given", bad[i].text, strlen(bad[i].text));
    assert_null(smv_flatten_expr(r.flat, s, &d));
    assert_int_equal(d.errors, 1);
    assert_int_equal(d.entries[0].span.column, bad[i].column);
    if (!strstr(d.entries[0].message, bad[i].says)) fail_msg("%s", d.entries[0].message);
    diag_clear(&d);
    source_free(s);
  }
  read_clear(&r);
  (void)unused;
}

static void test_defines(void **unused) {
  static const char *text = "MODULE main ISA other DEFINE M := [1, 2]; VAR x : 0..N; "
                            "MODULE other DEFINE N := 2;";
  static const struct smv_define good[] = {{"N", "3 + 1"}, {"M", "7"}};
  static const struct {
    struct smv_define define;
    const char *says;
  } bad[] = {{{"K", "1"}, "module main has no DEFINE 'K'"},
             {{"x", "1"}, "module main has no DEFINE 'x'"},
             {{"N", "1 +"}, "expected an expression"},
             {{"N", "zz"}, "'zz' is not declared"},
             {{"N", ""}, "the text is empty"}};
  struct read r = try_read(text, good, 2);
  assert_int_equal(smv_find(r.flat, "x")->type->hi, 4);
  expect_expr(smv_find(r.flat, "M")->expr, "7");
  read_clear(&r);
  for (size_t i = 0; i < COUNT(bad); i++) {
    r = try_read(text, &bad[i].define, 1);
    assert_null(r.flat);
    if (!strstr(r.d.entries[0].message, bad[i].says)) fail_msg("%s", r.d.entries[0].message);
    read_clear(&r);
  }
  (void)unused;
}

// --- the public models ---

static void test_public_models(void **unused) {
  glob_t found = {0};
  if (glob(FATHOM_SOURCE_DIR "/../shared/models/smv/*.smv", 0, NULL, &found) != 0) {
    print_message(
        "SKIPPED: the public models are not here (../shared/models beside the checkout)\n");
    skip();
  }
  for (size_t i = 0; i < found.gl_pathc; i++) {
    const char *why;
    struct diag d = {0};
    struct source *s = source_read(found.gl_pathv[i], &why);
    struct smv_flat *f = smv_flatten(s, NULL, 0, &d);
    diag_print(&d, stderr, false);
    assert_non_null(f);
    assert_true(f->specs.count > 0);
    smv_flat_free(f);
    diag_clear(&d);
    source_free(s);
  }
  globfree(&found);
  (void)unused;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_expressions),
      cmocka_unit_test(test_specs),
      cmocka_unit_test(test_spec_names),
      cmocka_unit_test(test_types),
      cmocka_unit_test(test_parameters),
      cmocka_unit_test(test_sharing),
      cmocka_unit_test(test_instances),
      cmocka_unit_test(test_processes),
      cmocka_unit_test(test_isa),
      cmocka_unit_test(test_sections),
      cmocka_unit_test(test_flat_text),
      cmocka_unit_test(test_define_order),
      cmocka_unit_test(test_names),
      cmocka_unit_test(test_syntax_errors),
      cmocka_unit_test(test_meaning_errors),
      cmocka_unit_test(test_several_errors),
      cmocka_unit_test(test_no_circles),
      cmocka_unit_test(test_depth),
      cmocka_unit_test(test_growth),
      cmocka_unit_test(test_define_chain),
      cmocka_unit_test(test_given),
      cmocka_unit_test(test_defines),
      cmocka_unit_test(test_public_models),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
