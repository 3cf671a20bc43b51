// SPDX-License-Identifier: Apache-2.0
// Loops whose rounds commute and loops whose rounds do not, one by one.
#include "model.h"

#include "reduce/plan.h"

#include <stdio.h>

// The body of a rule (or all that comes after the variables) in a model with two scalarsets.
static char *rule_with(const char *body) {
  static const char head[] =
      "type p : scalarset(3); q : scalarset(2); e : enum {A, B}; u : union {p, e};"
      "bag : multiset [2] of p;"
      "var x : array [p] of 0..9; y : array [p] of p; z : array [p] of p; b : array [p] of boolean;"
      "  m : array [p] of array [q] of boolean; c : array [u] of 0..9; k : 0..9; n : 0..9;"
      "  f : boolean; l : p; h : p; w : u; s : record a, b : 0..9; c : p; end;"
      "  qs : array [q] of 0..9; hole : boolean; pot : bag;"
      "  net : multiset [4] of p; box : array [p] of multiset [2] of p; two : array [0..1] of p;"
      "procedure Bump(var v : 0..9); begin if v < 9 then v := v + 1; end; end;"
      "procedure Reset(var v : 0..9; c : boolean); begin if c then return; end; v := 0; end;"
      "procedure Keep(i : p); begin x[i] := 1; l := i; end;"
      "procedure Give(i : p); var t : p; begin t := i; z[t] := i; end;"
      "function Any() : boolean; begin for i : p do if b[i] then return true; end; end;"
      "  return false; end;"
      "function One() : p; begin for i : p do if b[i] then return i; end; end; return l; end;"
      "function Top() : p; begin for i : p do if b[i] then return i; end; end; error \"\"; end;"
      "function Odd() : boolean; begin for i : p do if b[i] then x[i] := 0; return true; end; end;"
      "  return false; end;"
      "function Dare() : boolean; begin for i : p do if y[i] = i then return true; end; end;"
      "  return false; end;"
      "function Value(i : p) : 0..9; begin return x[i] / 2; end;"
      "procedure Count(var v : 0..9; c : boolean); begin if c then v := 0; else v := v + 1; end; "
      "end;"
      "function Meek(i : p) : boolean; begin assume b[i]; return x[i] = 0; end;"
      "function Brave(i : p) : boolean; begin assume b[i]; return y[i] = i; end;"
      "function Seen(i : p) : boolean; begin cover \"c\" b[i]; return x[i] = 0; end;"
      "procedure Wait(); begin for i : p do assume b[i]; if x[i] = 0 then return; end; end; end;"
      "procedure Look(); begin for i : p do cover \"l\" b[i]; if x[i] = 0 then return; end; end; "
      "end;"
      "ruleset g : p; j : q do startstate begin"
      "  for i : p do x[i] := 0; z[i] := i; b[i] := false; m[i][j] := false; c[i] := 0; end;"
      "  for i : p do for o : q do m[i][o] := false; end; undefine box[i]; end;"
      "  for i : u do c[i] := 0; end; undefine net; w := A; s.a := 0; s.b := 0; s.c := g;"
      "  k := 0; n := 0; f := false; l := g; two[0] := g; two[1] := g; undefine pot;"
      "  for i : q do qs[i] := 0; end; hole := false; end; end;"
      "ruleset d : p do rule \"d\" begin y[d] := d; h := d; undefine y[d]; undefine h; end; end;"
      "rule \"u\" begin undefine hole; end;";
  bool whole = strstr(body, "rule ") != NULL;
  size_t bytes = sizeof head + strlen(body) + 200;
  char *text = malloc(bytes);
  snprintf(text, bytes,
           whole ? "%s%s"
                 : "%srule \"r\" var t, t2 : 0..9; v : p; a : boolean; g : array [p] of 0..9; "
                   "begin %s end;",
           head, body);
  return text;
}

// Does the scalarset take part when nobody vouches for the loops? If not, `why` gets the sentence.
static bool takes_part(const struct ir_model *m, const char *set, struct text *why) {
  bool *sets = symmetry_sets(m, false, why), found = false;
  for (size_t i = 0; i < m->types.count; i++) {
    const char *name = m->types.data[i]->name;
    found |= sets[i] && name && strcmp(name, set) == 0;
  }
  mem_free(sets);
  return found;
}

static void check(const char *body, const char *set, bool expected) {
  char *text = rule_with(body);
  struct ir_model *m = load(text);
  struct text why = {0};
  bool found = takes_part(m, set, &why);
  if (found != expected)
    fail_msg("%s %s: %s (%s)", set, found ? "takes part" : "does not", body, text_str(&why));
  text_clear(&why);
  ir_model_free(m);
  free(text);
}

static void commute(const char *body) { check(body, "p", true); }
static void clash(const char *body) { check(body, "p", false); }

static void test_own_places(void **context) {
  (void)context;
  commute("for i : p do x[i] := 0; end;");
  commute("for i : p do x[i] := (x[i] + 1) % 10; b[i] := x[i] > 3; end;");
  commute("for i : p do for j : q do m[i][j] := b[i]; end; end;");
  commute("for i : p do undefine y[i]; y[i] := i; end;");
  commute("for i : p do x[i] := k; end;");
  commute("for i : u do c[i] := 0; end;");
  commute("for i : p do c[i] := x[i]; end;");
  commute("for i : p do alias me : x[i] do if me < 9 then me := me + 1; end; end; end;");
  commute("for i : p do switch x[i] case 0: b[i] := true; case 1, 2: b[i] := false; end; end;");
  commute("for i : p do b[i] := exists o : p do o != i & x[o] > 0 end; end;");
  clash("for i : p do x[i] := x[l]; end;");
  clash("for i : p do x[l] := x[i]; end;");
  clash("for i : p do x[z[i]] := x[i]; end;");
  clash("for i : p do b[i] := exists o : p do b[o] end; end;");
  clash("for i : p do b[i] := forall o : p do o = i | !b[o] end; end;");
  clash("for i : p do z[i] := z[z[i]]; end;");
  clash("for i : p do for o : p do x[o] := x[i]; end; end;");
  clash("for i : p do c[w] := x[i]; end;");
  clash("for i : p do c[w] := 1; x[i] := c[i]; end;");
  clash("for i : u do c[w] := c[i]; end;");
}

static void test_shared_places(void **context) {
  (void)context;
  commute("for i : p do f := true; end;");
  commute("for i : p do if b[i] then f := false; end; end;");
  commute("for i : p do if b[i] then s.a := 1; else s.b := 2; end; end;");
  commute("for i : p do x[z[i]] := 1; end;");
  commute("for i : p do l := s.c; end;");
  commute("for i : p do if b[i] then undefine h; end; end;");
  commute("for i : p do two[0] := l; end;");
  clash("for i : p do l := i; end;");
  clash("for i : p do if b[i] then l := i; end; end;");
  clash("for i : p do if b[i] then f := true; else f := false; end; end;");
  clash("for i : p do f := b[i]; end;");
  clash("for i : p do k := x[i]; end;");
  clash("for i : p do s.a := x[i]; end;");
  clash("for i : p do if !f & b[i] then f := true; l := i; end; end;");
  clash("for i : p do if !f then x[i] := 1; f := true; end; end;");
  clash("for i : p do two[1] := two[0]; two[0] := i; end;");
  clash("for i : p do if b[i] then undefine h; else h := l; end; end;");
  clash("for i : p do w := i; end;");
  clash("for i : u do w := i; end;");
}

// A loop in a loop: in each round of the outer one, what is set may depend on the inner one.
static void test_nested(void **context) {
  (void)context;
  commute("for i : p do for o : p do z[o] := o; end; end;");
  commute("for i : p do for o : p do if b[i] then z[o] := o; end; end; end;");
  commute("for i : p do for j : q do m[i][j] := qs[j] > 0; end; end;");
  commute("if f then t := 1; else t := 2; end; for i : p do if b[i] then k := t; end; end;");
  clash("for i : p do for j : q do if m[i][j] then k := qs[j]; end; end; end;");
  clash("for i : p do for o : p do if b[i] then z[o] := i; end; end; end;");
}

static void test_tallies(void **context) {
  (void)context;
  commute("for i : p do k := k + 1; end;");
  commute("for i : p do if b[i] then k := k + 1; end; end;");
  commute("for i : p do k := x[i] + k; end;");
  commute("for i : p do k := k - x[i]; end;");
  commute("for i : p do k := k + Value(i); end;");
  commute("for i : p do f := f | b[i]; n := n + 1; end;");
  commute("for i : p do f := b[i] & f; end;");
  commute("for i : p do f := y[i] = i | f; end;");
  commute("for i : p do x[z[i]] := x[z[i]] + 1; end;");
  commute("for i : p do hole := hole & b[i]; end;");
  commute("a := true; for i : p do a := b[i] & a; end; f := a;");
  clash("for i : p do a := b[i] & a; end; f := a;");
  clash("for i : p do hole := b[i] & hole; end;");
  clash("for i : p do hole := b[i] | hole; end;");
  clash("for i : p do hole := b[i] -> hole; end;");
  clash("for i : p do k := k + 1; x[i] := k; end;");
  clash("for i : p do if b[i] then k := k + 1; else k := k - 1; end; end;");
  clash("for i : p do if k < 9 then k := k + 1; x[i] := 0; end; end;");
  clash("for i : p do k := (k * 2 + x[i]) % 10; end;");
  clash("for i : p do k := x[i] - k; end;");
  clash("for i : p do k := k + x[i] - 2; end;");
  clash("for i : p do k := k + (x[i] - 2); end;");
  clash("for i : p do f := f & b[i]; if x[i] = 0 then f := f | b[i]; end; end;");
  clash("for i : p do f := f | y[i] = i; end;");
  clash("for i : p do k := k + x[i]; k := k * 2; end;");
  clash("for i : p do if b[i] then k := 0; end; k := k + 1; end;");
}

static void test_locals(void **context) {
  (void)context;
  commute("for i : p do t := x[i]; x[i] := t / 2; end;");
  commute("for i : p do v := z[i]; b[i] := v = i; end; v := l; l := v;");
  commute("t := 0; for i : p do t := t + x[i]; end; k := t % 10;");
  commute("for i : p do t := 0; t := t + x[i]; b[i] := t > 1; end;");
  commute("for i : p do if b[i] then t := 1; else t := 2; end; x[i] := t; end;");
  commute("a := false; for i : p do if b[i] then a := true; end; end; f := a;");
  commute("for i : p do v := i; x[v] := 0; end;");
  commute("for i : p do t := 0; while t < 3 do t := t + 1; end; x[i] := t; end;");
  commute("t := x[l]; for i : p do k := t; x[i] := t; end;");
  clash("for i : p do t := x[i]; end; k := t;");
  clash("t := 0; for i : p do x[i] := t; t := x[i]; end;");
  clash("t := 0; for i : p do if b[i] then t := x[i]; end; x[i] := t; end;");
  clash("t := 0; for i : p do t := t + 1; x[i] := t; end;");
  clash("t := 0; for i : p do t := t + 1; t2 := t; x[i] := t2; end;");
  clash("v := l; for i : p do x[v] := x[i]; v := i; end;");
  clash("t := 0; while t < 2 do k := t2; for i : p do t2 := x[i]; end; t := t + 1; end;");
  clash("for i : p do v := i; if b[i] then v := l; end; x[v] := x[i]; end;");
  clash("for i : p do v := z[i]; x[v] := x[i]; end;");
  commute("for i : p do g[i] := x[i]; end; for i : p do x[i] := g[i]; end;");
  commute("for i : p do undefine g; g[l] := x[i]; x[i] := g[l]; end;");
  clash("for i : p do g[i] := 1; end; for i : p do g[z[i]] := 0; x[i] := g[i]; end;");
  commute("for i : p do v := i; t := 0; while t < 2 do x[v] := t; t := t + 1; end; end;");
  clash("for i : p do v := i; t := 0; while t < 2 do x[v] := x[i]; v := l; t := t + 1; end; end;");
  clash("for i : p do v := z[i]; while n > 9 do v := i; end; x[v] := x[i]; end;");
  clash("for i : p do v := i; for o : q do x[v] := x[i]; v := z[v]; end; end;");
}

// Nobody reads it after the loop, but whether there is an error depends on what was in it before.
static void test_dead_locals(void **context) {
  (void)context;
  commute("undefine v; k := x[v];");
  commute("t := 0; for i : p do t := t + x[i]; end;");
  commute("for i : p do t := 0; if b[i] then t := t + 1; end; end;");
  commute("for i : p do a := b[i]; a := a | x[i] = 0; end;");
  commute("for i : p do t := 0; Bump(t); end;");
  commute("for i : p do t := 0; Count(t, b[i]); end;");
  commute("rule \"r\" var m : bag; begin for i : p do undefine m; multisetadd(i, m);"
          " multisetadd(z[i], m); end; end;");
  clash("t := 1; for i : p do if b[i] then t := 0; else t := t + 1; end; end;");
  clash("t := 0; for i : p do if b[i] then t := t + 1; else t := t - 1; end; end;");
  clash("for i : p do if b[i] then a := true; else a := a | x[i] = 0; end; end;");
  clash("t := 1; for i : p do Count(t, b[i]); end;");
  clash("rule \"r\" var m : bag; begin undefine m; for i : p do multisetadd(i, m);"
        " if b[i] then undefine m; end; end; end;");
}

static void test_calls(void **context) {
  (void)context;
  commute("for i : p do Bump(x[i]); end;");
  commute("for i : p do Give(i); end;");
  commute("f := Any();");
  commute("for i : p do b[i] := x[i] > 0; k := k + Value(i); end;");
  clash("for i : p do Bump(x[l]); x[i] := 0; end;");
  clash("for i : p do Keep(i); end;");
  clash("t := 5; for i : p do Reset(t, b[i]); x[i] := t; end;");
  clash("v := One(); l := v;");
  clash("f := Odd();");
  clash("f := Dare();");
  clash("for i : p do b[i] := Any(); end;");
  clash("t := 0; for i : p do Bump(t); x[i] := t; end;");
  clash(
      "t := 0; for i : p do Bump(t); x[i] := 0; end; k := t; for i : p do t := x[i]; end; k := t;");
}

static void test_faults(void **context) {
  (void)context;
  commute("for i : p do assert b[i]; x[y[i]] := 0; end;");
  commute("for i : p do assume b[i]; x[i] := 0; end;");
  commute("if exists i : p do b[i] end then f := true; end;");
  commute("if exists i : p do !isundefined(y[i]) & y[i] = i end then f := true; end;");
  commute("assert forall i : p do y[i] = i end;");
  commute("assert !(exists i : p do y[i] = i end);");
  commute("rule \"r\" begin f := true; end; invariant \"i\" forall i : p do y[i] = i -> b[i] end;");
  commute("rule \"r\" begin f := true; end; invariant \"i\" b[l] -> forall i : p do y[i] = i end;");
  clash("for i : p do assume b[i]; assert x[i] = 0; end;");
  clash("for i : p do assume x[i] = 0; b[y[i]] := true; end;");
  clash("if exists i : p do y[i] = i end then f := true; end;");
  clash("if forall i : p do h = i end then f := true; end;");
  clash("assert exists i : p do y[i] = i end;");
  clash("assert !(forall i : p do y[i] = i end);");
  clash("assert (forall i : p do y[i] = i end) | b[l];");
  clash("assert !((exists i : p do y[i] = i end) & b[l]);");
  commute("assert b[l] | forall i : p do y[i] = i end;");
  commute("assert !((exists i : p do y[i] = i end) | b[l]);");
  clash("f := exists i : p do 1 / x[i] = 0 end;");
  clash("f := exists i : p do two[x[i]] = i end;");
  clash("f := forall i : p do x[i] * 9 / k = 0 end;");
  clash("rule \"r\" exists i : p do y[i] = i end ==> begin f := true; end;");
  clash("rule \"r\" begin f := true; end; cover \"i\" forall i : p do y[i] = i end;");
  clash("rule \"r\" begin f := true; end;"
        "invariant \"i\" (forall i : p do y[i] = i end) -> b[l];");
}

// A step that an assumption ends does not exist, and reaches no goal.
static void test_assumptions(void **context) {
  (void)context;
  commute("for i : p do cover \"k\" b[i]; x[i] := 0; end;");
  commute("for i : p do f := Meek(i) | f; end;");
  commute("for i : p do f := Seen(i) | f; end;");
  commute("for i : p do cover \"k\" b[i]; assert x[i] = 0; end;");
  commute("if multisetcount(o : net, Meek(l)) = 1 then f := true; end;");
  clash("if exists i : p do Meek(i) end then f := true; end;");
  clash("if forall i : p do Meek(i) end then f := true; end;");
  clash("assert forall i : p do Meek(i) end;");
  clash("if exists i : p do Seen(i) end then f := true; end;");
  clash("assert forall i : p do Seen(i) end;");
  clash("Wait(); f := true;");
  clash("Look();");
  clash("for i : p do f := f | Meek(i); end;");
  clash("for i : p do f := f & Seen(i); end;");
  clash("if multisetcount(o : net, Brave(net[o])) = 1 then f := true; end;");
}

static void test_multisets(void **context) {
  (void)context;
  commute("for i : p do multisetadd(i, net); end;");
  commute("for i : p do if b[i] then multisetadd(z[i], net); end; end;");
  commute("for i : p do multisetadd(l, box[i]); end;");
  commute("multisetremovepred(o : net, b[net[o]]);");
  commute("for i : p do if multisetcount(o : net, net[o] = i) > 0 then b[i] := true; end; end;");
  commute("rule \"r\" begin undefine net; end;");
  commute("choose o : net do rule \"r\" begin l := net[o]; multisetremove(o, net);"
          " multisetadd(z[l], net); end; end;");
  commute("choose o : net do choose o2 : net do rule \"r\" begin l := net[o]; z[l] := net[o2];"
          " multisetremove(o, net); end; end; end;");
  commute("ruleset i : p do choose o : box[i] do rule \"r\" begin l := box[i][o];"
          " multisetremove(o, box[i]); end; end; end;");
  commute("choose o : net do rule \"r\" begin multisetremove(o, net);"
          " for i : p do multisetadd(i, net); end; end; end;");
  clash("ruleset i : p do choose o : box[i] do rule \"r\" begin for j : p do"
        " undefine box[j]; end; multisetadd(l, box[i]); h := box[i][o]; end; end; end;");
  clash("choose o : net do rule \"r\" begin for i : p do if b[i] then x[i] := 1;"
        " multisetremove(o, net); end; multisetadd(i, net); end; end; end;");
  clash("for i : p do if multisetcount(o : net, true) < 3 then multisetadd(i, net); end; end;");
  clash("for i : p do multisetremovepred(o : net, net[o] = i & x[i] > 0);"
        " x[i] := multisetcount(o : net, true); end;");
  clash("multisetremovepred(o : net, multisetcount(o2 : net, true) > 1);");
  clash("multisetremovepred(o : net, multisetcount(o2 : net, net[o2] = net[o]) > 1);");
  clash("choose o : net do choose o2 : net do rule \"r\" begin multisetremove(o, net);"
        " multisetremove(o2, net); multisetadd(l, net); h := net[o]; end; end; end;");
  clash(
      "choose o : net do rule \"r\" begin multisetremovepred(o2 : net, true); multisetadd(l, net);"
      " h := net[o]; end; end;");
  clash("procedure Fill(var e : p); begin multisetremovepred(o : net, true); multisetadd(l, net);"
        " h := e; end; choose o : net do rule \"r\" begin Fill(net[o]); end; end;");
  clash("choose o : net do rule \"r\" begin multisetremove(o, net);"
        " for i : p do multisetadd(i, net); end; h := net[o]; end; end;");
}

// A loop over q says nothing of p.
static void test_in_part(void **context) {
  (void)context;
  const char *body = "for j : q do f := m[l][j]; end;";
  check(body, "p", true);
  check(body, "q", false);
  check("for i : p do for j : q do f := f | m[i][j]; end; end;", "q", true);
  check("for i : p do l := i; end;", "q", true);
  check("v := Top(); for j : q do if m[l][j] then x[v] := 1; else x[v] := 2; end; end;", "q",
        false);
}

// Rounds that are all the same, one round, start rules, what only they call.
static void test_no_matter(void **context) {
  (void)context;
  commute("for i : p do k := (k * 2) % 10; end;");
  commute("ruleset g : p do startstate begin for i : p do x[i] := 0; b[i] := false; l := i;"
          " for j : q do m[i][j] := false; end; end; k := 0; f := false; end; end;"
          "rule \"r\" begin f := true; end;");
  struct ir_model *m = load("type p : scalarset(2); o : scalarset(1); var x : array [p] of o;"
                            "  l : o; k : p; procedure Pick(); begin for i : p do k := i; end; end;"
                            "startstate begin Pick(); undefine x; undefine l; end;"
                            "ruleset i : p do rule begin for c : o do l := c; x[i] := c; end; end;"
                            "end;");
  assert_true(takes_part(m, "p", NULL));
  ir_model_free(m);
}

static void test_sentence(void **context) {
  (void)context;
  struct ir_model *m = load("type p : scalarset(3); var l : p; x : array [p] of 0..3;\n"
                            "startstate begin undefine l; for i : p do x[i] := 0; end; end;\n"
                            "rule \"r\" begin\n for i : p do\n  if x[i] = 0 then\n   l := i;\n"
                            "  end; end; end;");
  struct text why = {0};
  assert_false(reduce_symmetry_applies(m, false, &why));
  assert_string_equal(text_str(&why),
                      "scalarset p: test.m:4: the outcome of this loop may depend on the order of "
                      "its rounds (l, line 6); --symmetry on searches with it all the same: "
                      "violations are then real, but nothing is proved");
  text_clear(&why);
  assert_true(reduce_symmetry_applies(m, true, &why));
  assert_non_null(strstr(text_str(&why), "; violations are real, but nothing is proved"));
  assert_false(reduce_symmetry_proved(m));
  text_clear(&why);
  ir_model_free(m);
}

// A recursive function is not followed.
static void test_recursion(void **context) {
  (void)context;
  struct ir_model *m =
      load("type p : scalarset(3); var l : p; k : 0..3;"
           "procedure Down(n : 0..3); begin if n > 0 then Down(n - 1); end; k := n; end;"
           "ruleset i : p do startstate begin l := i; k := 0; end; end;"
           "ruleset i : p do rule \"r\" begin l := i; Down(2); end; end;");
  struct text why = {0};
  assert_false(reduce_symmetry_applies(m, false, &why));
  assert_non_null(strstr(text_str(&why), "recursive"));
  text_clear(&why);
  ir_model_free(m);
}

// --- the IR's own text can do more ---

static void check_text(const char *text, const char *part) {
  struct diag d = {0};
  struct source *s = source_from_text("test.ir", text, strlen(text));
  struct ir_model *m = ir_parse_model(s, &d);
  if (!m) fail_msg("%s", d.count ? d.entries[0].message : "does not parse");
  assert_true(ir_model_finish(m, &d));
  struct text why = {0};
  bool found = takes_part(m, "p", &why);
  if (part && !strstr(text_str(&why), part)) fail_msg("\"%s\" lacks \"%s\"", text_str(&why), part);
  assert_int_equal(found, part == NULL);
  text_clear(&why);
  diag_clear(&d);
  ir_model_free(m);
}

#define TEXT(rule)                                                                                 \
  "model \"t\" language \"ir\"; type p : scalarset(3); type q : scalarset(3); type r : 0..1;"      \
  "var x : p; var y : q; var a : array [p] of bool; var b : array [q] of bool; var k : 0..2;"      \
  "var n : array [0..2] of p; start \"s\" (i : p) { x := i; y := 1; clear a; clear b; clear k;"    \
  " n[0] := i; n[1] := i; n[2] := i; } " rule

static void test_text_form(void **context) {
  (void)context;
  check_text(TEXT("rule \"r\" (i : p) { x := i; a[i] := true; }"), NULL);
  check_text(TEXT("rule \"r\" { for i : p { a[i] := i = x; } }"), NULL);
  check_text(TEXT("rule \"r\" { for i : p { x := i; } }"), "order of its rounds");
  check_text(TEXT("var g : bool; function f(i : p) : bool { a[i] := true; return false; }"
                  "rule \"r\" { for i : p { g := g & f(i); } }"),
             "order of its rounds");
  check_text(TEXT("function f(i : p) : bool { a[i] := true; return i = x; }"
                  "rule \"r\" { if exists i : p { f(i) } { k := 0; } }"),
             "what this changes");
  check_text(TEXT("function f(i : p, v : 0..1) : bool { k := v; return a[i]; }"
                  "rule \"r\" { for i : p { a[i] := exists c : 0..1 { f(i, c) }; } }"),
             "(k");
  check_text(TEXT("function f(i : p, v : bool) : bool { k := if v then 1 else 0; return a[i]; }"
                  "rule \"r\" { for i : p { a[i] := exists c : 0..1 {"
                  " f(i, exists e : 0..1 { e = c & n[e] = x }) }; } }"),
             "(k");
  check_text(TEXT("var g : bool; rule \"r\" { for i : p { g := exists c : 0..2 { n[c] = x }; } }"),
             NULL);
  // What is called in a condition changes what the condition reads the next time.
  check_text(TEXT("function f(ref v : 0..2) : bool { k := v; v := 1; return k = 0; }"
                  "rule \"r\" { local t : 0..2; for i : p { t := 0; while f(t) limit 3 { a[i] := "
                  "true; } } }"),
             "(k");
  check_text(TEXT("function f(ref v : 0..2) : bool { k := v; v := 1; return k = 0; }"
                  "rule \"r\" { local t : 0..2; for i : p { t := 0;"
                  " a[i] := forall c : 0..1 { f(t) }; } }"),
             "(k");
  // What was found to be defined is not any more.
  check_text(TEXT("var w : array [p] of p; function f(i : p) : bool { undefine w[i]; return true; }"
                  "rule \"r\" { for i : p { assume a[i];"
                  " a[i] := (!isundefined(w[i]) & f(i)) & w[i] = x; } }"),
             "whether this fails");
  check_text(
      TEXT("var w : array [p] of p; function f(i : p) : bool { undefine w[i]; return false; }"
           "rule \"r\" { for i : p { assume a[i];"
           " a[i] := !isundefined(w[i]) & exists c : 0..1 { w[i] = x & f(i) }; } }"),
      "whether this fails");
  // The two sets have the same numbers: an element of the one can turn into one of the other.
  check_text(TEXT("rule \"r\" { y := x; }"), "used as numbers");
  check_text(TEXT("rule \"r\" { b := a; }"), "used as numbers");
  check_text(TEXT("rule \"r\" { b[x] := true; }"), "used as numbers");
  check_text(TEXT("rule \"r\" when x = y { a[x] := true; }"), "used as numbers");
  check_text(TEXT("rule \"r\" { k := x; }"), "used as numbers");
  check_text(TEXT("rule \"r\" when ismember(x, r) { a[x] := true; }"), "used as numbers");
  check_text(TEXT("rule \"r\" (i : p in 0 to 1) { x := i; }"), "used as numbers");
  check_text(TEXT("rule \"r\" when x < 2 { a[x] := true; }"), "put in order");
  check_text(TEXT("rule \"r\" { sort a; }"), "put in another order");
  check_text(TEXT("rule \"r\" { sort n; x := n[0]; }"), "array that is sorted");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_own_places),  cmocka_unit_test(test_shared_places),
      cmocka_unit_test(test_tallies),     cmocka_unit_test(test_locals),
      cmocka_unit_test(test_nested),      cmocka_unit_test(test_dead_locals),
      cmocka_unit_test(test_assumptions), cmocka_unit_test(test_calls),
      cmocka_unit_test(test_faults),      cmocka_unit_test(test_multisets),
      cmocka_unit_test(test_in_part),     cmocka_unit_test(test_no_matter),
      cmocka_unit_test(test_sentence),    cmocka_unit_test(test_recursion),
      cmocka_unit_test(test_text_form),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
