#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# fathom simulate: the same seed walks the same way; violations end the walk.
. "$(dirname "$0")/lib.sh"
counter 7 >good.m
counter 3 >bad.m

run 0 simulate good.m;                     has out "seed 1"; has out "100 steps"
run 0 simulate --depth 7 --seed 5 good.m;  has out "7 steps"; cp out first
run 0 simulate --depth 7 --seed 5 good.m;  cmp -s out first || fail "the same seed walks differently"
run 10 simulate bad.m;                     has out 'violated: invariant "below"'
run 0 simulate --property small bad.m
cat >dead.m <<'END'
var x : 0..2;
startstate begin x := 0; end;
rule x < 2 ==> begin x := x + 1; put "x is "; put x; put "\n"; end;
END
run 10 simulate --deadlock stuck dead.m;   has out "violated: deadlock"; has out "prints x is 1"
run 0 simulate --deadlock off dead.m;      has out "no rule can be fired"
run 10 simulate --json - bad.m
has out '"verdict": "violated"'
[ "$(head -c 1 out)" = "{" ] || fail "--json - prints something before the JSON"
finish
