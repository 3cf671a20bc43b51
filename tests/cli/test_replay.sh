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
finish
