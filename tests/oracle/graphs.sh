#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compares our control graphs of Promela models with those of SPIN (`pan -d`): states, transitions in their
# order, flags, labels, texts.
#   graphs.sh [MODEL...]        default: all of tests/oracle/graphs, the public models, the examples
# Needs GRAPHS (the program of tests/oracle/graphs.c), SRC (the sources), spin, cc.
set -u
command -v spin >/dev/null || exit 77
if [ $# -eq 0 ]; then
  shopt -s nullglob
  set -- "$SRC"/tests/oracle/graphs/*.pml "$SRC"/examples/promela/*.pml "$SRC"/../shared/models/promela/*.pml
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# "proctype P" and "state 5 -(tr 3)-> state 7 [id 1 tp 2] [A---G] file:9 => text" become "P 5 7 A--- text".
# Within a state the order stays; states are sorted. Names of mtypes become numbers, which is how SPIN shows
# them when they were arguments of an inline.
normalise() { # MTYPES
  awk -v file="$1" -v with_lines="${WITH_LINES:-}" '
    BEGIN { while ((getline line < file) > 0) if (split(line, m) == 3 && m[1] == "mtype") value[m[2]] = m[3] }
    function numbers(text, out, word) {
      out = ""
      while (match(text, /[A-Za-z_][A-Za-z0-9_]*/)) {
        word = substr(text, RSTART, RLENGTH)
        out = out substr(text, 1, RSTART - 1) (word in value ? value[word] : word)
        text = substr(text, RSTART + RLENGTH)
      }
      return out text
    }
    /^(proctype|claim) / { proc = $2; next }
    /^init/ { proc = ":init:"; next }
    /^(no)?trace assertion/ { proc = ":trace:"; next }
    /^\tstate/ {
      text = $0; sub(/^.* => /, "", text)
      if (text ~ /^printm\(/) text = "printm"
      if (text ~ /^(c_code|c_expr|\{|\(c_|\({)/ || text ~ /c_code[0-9]|c_expr {/) text = "c_code"
      gsub(/_*f0r_t3mp[0-9_]*/, "_for", text)
      gsub(/^[ \t]*|[ \t]*$/, "", text)
      from = $2
      to = $0; sub(/^.*-> state */, "", to); sub(/ .*/, "", to)
      flags = $0; sub(/ => .*$/, "", flags); sub(/^.*\[/, "", flags); flags = substr(flags, 1, 4)
      escape = match($0, /(org +|unless )[0-9]+/) ? substr($0, RSTART, RLENGTH) : "none"
      if (escape != last[proc, from]) run[proc, from]++
      last[proc, from] = escape
      line = $0; sub(/^.*\[.*\] /, "", line); sub(/ => .*/, "", line); sub(/^.*[: ]/, "", line)
      if (text == "IF" || text == "DO") next # never executable
      printf "%s %05d %03d %s %s %d %s%s\n", proc, from, count[proc, from]++, to, flags, run[proc, from],
        with_lines ? line " " : "", numbers(text)
    }' | sort
}

status=0
for model in "$@"; do
  dir=$work/$(basename "$model")
  mkdir -p "$dir"
  name=$(basename "$model")
  cp "$model" "$dir/$name"
  cp "$(dirname "$model")"/*.h "$dir/" 2>/dev/null
  (cd "$dir" && timeout 20 spin -a -o1 -o2 -o3 "$name" >log 2>&1 && [ -f pan.c ] &&
    cc -w -O0 -DNOREDUCE -DSAFETY -o pan pan.c >>log 2>&1 && ./pan -d >theirs 2>>log)
  if [ ! -s "$dir/theirs" ]; then
    echo "skip $name: spin refuses it: $(grep -m1 -i error "$dir/log")"
    continue
  fi
  # Claims that SPIN makes of ltl formulas are not ours.
  if ! "$GRAPHS" "$dir/$name" >"$dir/ours" 2>"$dir/said"; then
    echo "FAIL $name: $(head -1 "$dir/said")"
    status=1
    continue
  fi
  normalise "$dir/ours" <"$dir/ours" >"$dir/ours.n"
  procs=$(cut -d' ' -f1 "$dir/ours.n" | sort -u | tr '\n' ' ')
  normalise "$dir/ours" <"$dir/theirs" | awk -v procs=" $procs" 'index(procs, " " $1 " ")' >"$dir/theirs.n"
  if cmp -s "$dir/ours.n" "$dir/theirs.n"; then
    echo "ok $name: $(wc -l <"$dir/ours.n") transitions"
  else
    echo "FAIL $name:"
    diff "$dir/theirs.n" "$dir/ours.n" | head -"${LINES_MAX:-12}"
    status=1
  fi
done
exit $status
