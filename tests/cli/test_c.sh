#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# C programs: what is reported of them, and what becomes of a violation: witness, test file, replay.
. "$(dirname "$0")/lib.sh"
"$FATHOM" help | grep -q '^  languages .*\bc\b' || exit 77
"$FATHOM" help | grep -q '^  engines .*hybrid' || exit 77

cat >gate.c <<'END'
#ifndef LIMIT
#define LIMIT 3
#endif
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
static int opened;
static void step(int key) {
  if (key == opened * 7 + 1)
    opened++;
  else
    opened = 0;
}
int main(void) {
  while (1) {
    int key = __VERIFIER_nondet_int();
    step(key);
    if (opened == LIMIT)
      reach_error();
    if (opened == 5 || __VERIFIER_nondet_uchar() == 9)
      return 0;
  }
}
END

# --- a violation: path, inputs, witness, test ---
run 10 check gate.c --witness w.yml --test fail.c --json r.json
has out "gate.c: hybrid engine, dfs search"
has out "(gate.c:19:7)"
has out "  inputs"
has out "key = 1"
has out "key = 8"
has out "key = 15"
has out "__VERIFIER_nondet_int()  gate.c:16"
has out "opened = 3"
has out "gate.c:19"
has r.json '"function": "__VERIFIER_nondet_int"'
has r.json '"value": 15'
has r.json '"hybrid": {'
has r.json '"checks": ""'
has w.yml 'entry_type: "violation_sequence"'
has w.yml 'type: "function_return"'
has w.yml 'value: "\\result == 15"'
has w.yml 'type: "target"'
has w.yml 'specification: "CHECK( init(main()), LTL(G ! call(reach_error())) )"'
has w.yml "$(sha256sum gate.c | cut -d' ' -f1)"
has w.yml 'function: "main"'

# fails FILE: what its comment says makes the program fail for real.
fails() {
  local command
  command=$(sed -n 's|^//   \(.* && ./failing\)$|\1|p' "$1")
  rm -f failing
  (eval "$command") >said 2>&1
  local got=$?
  [ -x failing ] && [ "$got" -ne 0 ] || { fail "$1 does not fail: $command"; cat said; }
}
fails fail.c
has said "reach_error"

run 10 replay r.json; has out "opened = 3"; has out "key = 15"
run 10 check gate.c --quiet --trace full; has out "start"
run 10 check gate.c --html page.html --quiet; has page.html "<h3>Inputs</h3>"

# --- no violation: no files ---
run 0 check gate.c -D LIMIT=6 --witness none.yml --test none.c
has out "holds"
[ ! -e none.yml ] && [ ! -e none.c ] || fail "files without a violation"
run 10 check -D LIMIT=1 gate.c --quiet; has out "key = 1"

# --- other engines, the same answers ---
for engine in bmc smt st hybrid; do
  run 10 check gate.c --engine $engine --quiet --trace off
  has out "(gate.c:19:7)"
done
run 10 check gate.c --search glh --quiet --trace off
run 1 check gate.c --engine explicit; has err "one by one: take --engine hybrid"
run 1 simulate gate.c; has err "more choices than can be taken one by one"

cat >small.c <<'END'
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
int main(void) {
  unsigned char n = 0;
  while (n < 3) {
    if (!__VERIFIER_nondet_bool()) return 0;
    n++;
  }
  reach_error();
}
END
run 10 check small.c --engine explicit; has out "n = 3"; has out "explicit engine, bfs search"
run 10 check small.c --engine explicit --test fail.c --quiet; fails fail.c

# --- checks ---
cat >bounds.c <<'END'
extern unsigned __VERIFIER_nondet_uint(void);
int table[4];
int main(void) {
  unsigned i = __VERIFIER_nondet_uint();
  if (i > 4) return 0;
  table[i] = 1;
  return 0;
}
END
run 0 check bounds.c --quiet
run 10 check bounds.c --check bounds --test fail.c --witness w.yml; has out "i = 4"; has out "bounds.c:6"
has fail.c "-fsanitize=address,undefined"
has w.yml "G valid-deref"
fails fail.c
run 10 check bounds.c --check div,bounds --check null --json r.json --quiet; has r.json '"checks": "bounds,div,null"'
run 10 replay r.json; has out "i = 4"
echo 'CHECK( init(main()), LTL(G valid-deref) )' >deref.prp
run 10 check bounds.c --property-file deref.prp --witness w.yml --quiet
has w.yml 'specification: "CHECK( init(main()), LTL(G valid-deref) )"'
echo 'CHECK( init(main()), LTL(G ! call(reach_error())) )' >reach.prp
run 0 check bounds.c --property-file reach.prp --quiet
echo 'CHECK( init(main()), LTL(F end) )' >end.prp
run 1 check bounds.c --property-file end.prp; has err "end.prp"
run 1 check bounds.c --property-file none.prp; has err "none.prp"
run 1 check bounds.c --check bonds; has err "--check"

cat >sum.c <<'END'
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a = __VERIFIER_nondet_int();
  int b = a + 1;
  return b > a;
}
END
run 0 check sum.c --quiet
run 10 check sum.c --check overflow --test fail.c --quiet; has out "2147483647"; fails fail.c

# --- what cannot be carried ---
cat >float.c <<'END'
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x > 0) {
    double d = x * 0.5;
    return d > 1;
  }
#ifdef ERROR
  if (x == -3) reach_error();
#endif
  return 0;
}
END
for engine in hybrid bmc bdd smt; do
  run 5 check float.c --engine $engine; has out "unknown (unsupported: "; has out "float.c:"
  run 10 check float.c -D ERROR --engine $engine; has out "x = -3"
done

sed 's/nondet_int/nondet_uchar/; s/int __V/unsigned char __V/; s/x == -3/x == 0/' float.c >byte.c
for native in on off; do
  run 5 check byte.c --engine explicit --native $native; has out "unknown (unsupported: floating point (byte.c:6))"
  run 10 check byte.c -D ERROR --engine explicit --native $native; has out "x = 0"
done

# --- errors of the program ---
echo 'int main(void) { return x; }' >bad.c
run 2 check bad.c --json r.json; has err "bad.c:1:25: error: use of undeclared identifier 'x'"; has r.json '"verdict": "error"'
run 2 check nothere.c; has err "nothere.c"

# --- what means nothing is refused ---
run 1 check gate.c --ltl 'G x'; has err "no formulas over C programs"
run 1 check gate.c --merge on; has err "Promela"
run 1 check gate.c --test gate.c; has err "would overwrite gate.c"
run 1 check gate.c --test x.c --witness x.c; has err "also to hold something else"
"$FATHOM" check --language c --test x.c - <gate.c >out 2>err; has err "standard input has no name"
run 1 check gate.c --engine smt --reached off; has err "--reached is for --engine hybrid or st"
run 1 check gate.c --engine st --fsize 3; has err "--fsize is for --engine hybrid"
run 1 check gate.c --polyhedra 3; has err "--polyhedra is for --search glh"
run 1 check gate.c --engine hybrid --search bfs; has err "goes by --search dfs or glh"


# --- show, compare ---
run 0 show gate.c; has out "opened"
run 0 show --efsm gate.c; has out "10: if.then (errors in 3)"
run 0 show --ir gate.c
run 0 show --blocks gate.c; has out "while.body"
run 1 show --blocks --efsm gate.c; has err "one thing at a time"
run 10 compare --time 20 small.c; has out "hybrid"; has out "no two runs disagree"

# --- examples ---
run 10 check "$SRC/examples/c/fig2.c" --quiet --trace off; has out "fig2.c:35"
run 10 check "$SRC/examples/c/parser.c" --check bounds -D BUG --test fail.c --quiet; fails fail.c
run 10 check "$SRC/examples/c/ring_buffer.c" --check bounds -D BUG=1 --test fail.c --quiet; fails fail.c
finish
