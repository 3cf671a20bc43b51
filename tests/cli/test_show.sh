#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# fathom show: the summary, the leaves, C, and IR text that reads back as the same model.
. "$(dirname "$0")/lib.sh"
counter 3 >bad.m

run 0 show bad.m;           has out "below"; has out "reset"; has out "rule instances"
run 0 show --leaves bad.m;  has out "a[2]"
run 0 show --c bad.m;       has out "#line"
run 0 show --ir bad.m;      has out "below"
cp out bad.ir
run 0 show --ir bad.ir;     cmp -s out bad.ir || { fail "the IR text does not read back"; diff out bad.ir | head; }
run 10 check bad.ir;        has out 'violated: invariant "below"'; has out "x: 2 -> 3"
run 1 check -D LIMIT=2 bad.ir; has err "-D"
echo "nonsense {" >wrong.ir
run 2 check wrong.ir;       has err "wrong.ir:1:"
finish
