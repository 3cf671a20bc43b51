#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# --symmetry on: fewer states, the same verdicts, traces that are real executions.
. "$(dirname "$0")/lib.sh"
german=$SRC/examples/murphi/german.m

# The counts are those of rumur --symmetry-reduction exhaustive.
run 0 check --symmetry on "$SRC/examples/murphi/mesi_bus.m"
has out "exact store, symmetry"; has out "10,640 states, 54,360 rules fired"
run 0 check --symmetry on --search dfs "$SRC/examples/murphi/mcs_lock.m"
has out "96 states, 232 rules fired"

# The trace is as short as without, and replays by itself.
run 10 check --symmetry on -D BUG=1 --json s.json "$german"
has out "after 8 steps"; has s.json '"symmetry": "on"'
run 10 replay s.json
run 10 check --symmetry off -D BUG=1 --json s.json "$german"; has s.json '"symmetry": "off"'

# Where it cannot be had, it is refused, not ignored.
counter 7 >m.m
run 1 check --symmetry on m.m; has err "no scalarset"
{ cat "$german"; echo 'liveness "grants" ExGranted;'; } >live.m
run 1 check --symmetry on live.m; has err "speaks of the order of states"
run 10 check --symmetry on -D BUG=1 --property CntrlProp live.m
finish
