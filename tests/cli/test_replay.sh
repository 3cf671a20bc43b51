#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# fathom replay: what check found can be run again; anything else than its file is refused.
. "$(dirname "$0")/lib.sh"
counter 3 >bad.m
counter 7 >good.m

run 10 check --json r.json bad.m
sed -n '/^violated/,/^$/p' out >shown
run 10 replay r.json
has out 'violated: invariant "below"'
has out "x: 2 -> 3"
run 10 replay --trace full r.json;  has out "a[0] = false"
cp bad.m elsewhere.m
run 10 replay r.json elsewhere.m

run 10 check -D LIMIT=2 --json d.json good.m
run 10 replay d.json;               has out "after 2 steps"

run 0 simulate --depth 4 --seed 7 --json w.json good.m
run 0 replay w.json;                has out "4 steps"

echo "-- changed" >>bad.m
run 1 replay r.json;                has err "has changed"
rm bad.m
run 2 replay r.json;                has err "bad.m"
mv elsewhere.m bad.m

run 0 check --json h.json good.m
run 1 replay h.json;                has err "no trace"
run 1 replay nosuch.json;           has err "nosuch.json"
run 1 replay bad.m;                 has err "not JSON"
echo '{"schema": "other"}' >o.json
run 1 replay o.json;                has err "schema"
head -c 400 r.json >half.json
run 1 replay half.json;             has err "not JSON"
sed 's/"instance": [0-9]*/"instance": 4000000/' r.json >wild.json
run 1 replay wild.json;             has err "does not replay"
sed 's/"instance": [0-9]*/"instance": -1/' r.json >wild.json
run 1 replay wild.json;             has err "instance"
sed 's/"kind": "property"/"kind": "deadlock"/' r.json >wild.json
run 1 replay wild.json;             has err "does not replay"

# What the file says of a step must be what the model does.
forged() {
  sed "$1" r.json >wild.json
  cmp -s r.json wild.json && fail "nothing is forged by $1"
  run 1 replay wild.json
  has err "not what the model does: $2"; empty out
}
run 10 check --json r.json bad.m
run 10 replay r.json
forged 's/"rule": "up"/"rule": "down"/'   'step 1: its "rule" is "down", but the model gives "up"'
forged 's/"rule": "zero"/"rule": "one"/'  'the start: its "rule" is "one"'
forged 's/"x": 0/"x": 5/'                 'the start state: its "start" is'
forged 's/"x": 2/"x": 4/'                 'step 2: its "changes" is'
forged 's/"x": 2/"y": 2/'                 'step 2: its "changes" is'
forged 's/"x": 3/"x": "3"/'               'step 3: its "changes" is'
forged 's/"agent": null/"agent": 1/'      'the start: its "agent" is 1'
forged 's/"changes"/"turns"/'             'step 1: its "changes" is nothing'
cat >two.m <<'END'
var x : 0..9;
startstate "five" begin x := 5; end;
rule "up" x < 9 ==> begin put "at "; put x; x := x + 1; end;
rule "down" x > 0 ==> begin x := x - 1; end;
invariant "a" x > 3;
invariant "b" x < 8;
END
run 10 check --max-errors 0 --json r.json two.m
run 10 replay r.json;               has out 'invariant "b"'
sed 's/"x": 8/"x": 9/' r.json >wild.json
run 1 replay wild.json;             has out 'invariant "a"'; lacks out 'invariant "b"'; has err "step 3"
sed 's/"prints": "at 5/"prints": "at 7/' r.json >wild.json
run 1 replay wild.json;             has err 'step 1: its "prints" is "at 7'
finish
