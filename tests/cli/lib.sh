# SPDX-License-Identifier: Apache-2.0
# What the command line tests share. Each test is a bash script that gets the program in $FATHOM and
# the source folder in $SRC, works in a folder of its own, says what failed, and exits 1 if anything did.
# Models, expectations and output are plain text: nothing but bash and coreutils is needed.
set -u
: "${FATHOM:?the path of the fathom program}" "${SRC:?the source folder}"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export XDG_CACHE_HOME=$work/cache NO_COLOR=1
failures=0

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# run CODE ARGS...: runs fathom; its output is in ./out and ./err, its exit code must be CODE.
run() {
  local want=$1 got
  shift
  "$FATHOM" "$@" >out 2>err </dev/null
  got=$?
  [ "$got" -eq "$want" ] && return 0
  fail "fathom $*: exit code $got, expected $want"
  head -20 out err
}

# has FILE TEXT: some line of the file holds the text.
has() { grep -qF -e "$2" "$1" || { fail "$1 lacks: $2"; head -40 "$1"; }; }
lacks() { ! grep -qF -e "$2" "$1" || { fail "$1 holds: $2"; head -40 "$1"; }; }
empty() { [ ! -s "$1" ] || { fail "$1 is not empty"; head -20 "$1"; }; }

finish() {
  [ "$failures" -eq 0 ] || { echo "$failures failure(s)"; exit 1; }
  exit 0
}

# A counter that runs round 0..5; the invariant fails at $1 (7: never). Rules: "up", "reset".
counter() {
  cat <<END
const LIMIT : $1;
var x : 0..5; a : array [0..2] of boolean;
startstate "zero" begin x := 0; for i : 0..2 do a[i] := false end; end;
rule "up" x < 5 ==> begin x := x + 1; a[x % 3] := !a[x % 3]; end;
rule "reset" x = 5 ==> begin clear x; end;
invariant "below" x < LIMIT;
invariant "small" x <= 5;
END
}
