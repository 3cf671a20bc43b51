#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The JSON result: its keys, and that a file appears whole or not at all.
. "$(dirname "$0")/lib.sh"
counter 7 >good.m
counter 3 >bad.m

run 0 check --json - good.m
for key in schema model language engine search store verdict reason properties stats trace \
  states transitions depth seconds compile_seconds memory_bytes revisits name kind span; do
  has out "\"$key\""
done
has out '"schema": "fathom-result/1"'
has out '"verdict": "holds"'
has out '"states": 12'
has out '"trace": null'
[ "$(head -c 1 out)" = "{" ] || fail "--json - prints something before the JSON"
[ "$(tail -n 1 out)" = "}" ] || fail "--json - prints something after the JSON"

run 10 check --json r.json bad.m
has out "violated"
has r.json '"verdict": "violated"'
for key in steps rule agent changes loop_start start instance choice; do has r.json "\"$key\""; done
has r.json '"x": 3'
has r.json '"a[0]": false'
[ "$(ls r.json* | wc -l)" -eq 1 ] || fail "a temporary file is left"

run 5 check --depth 2 --json r.json good.m
has r.json '"reason": "depth"'

# Figures of one search only.
has r.json '"bounded": null'
run 5 check --search bounded --increment 1 --depth 2 --json r.json --html r.html good.m
has r.json '"increment": 1'
has r.json '"bounding": "threshold"'
has r.json '"depth_complete": 2'
has r.html "Complete to depth 2"
has r.html "iterations completed"
run 5 check --depth 2 --html r.html good.m
has r.html "Complete to depth 2"
lacks r.html "iterations"

# A bad model is said in JSON too.
echo 'var x : nosuch;' >wrong.m
run 2 check --json r.json wrong.m
has r.json '"verdict": "error"'
has r.json '"line": 1'
has r.json '"message"'

# HTML tells the same.
run 10 check --html r.html bad.m
has r.html "<!doctype html>"
has r.html "invariant &quot;below&quot;"
has r.html "up"
run 1 check --html - --json - bad.m;      has err "both"
run 0 check --html - good.m
[ "$(head -c 9 out)" = "<!doctype" ] || fail "--html - prints something before the page"

# A place that cannot be written is known before the search.
run 1 check --json nosuch/r.json good.m;  has err "nosuch/r.json"; empty out
mkdir folder
run 1 check --json folder good.m;         has err "folder"
finish
