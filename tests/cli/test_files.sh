#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Files that are written: none is destroyed that is read or says something else, links are followed,
# and a result that cannot be written does not hide the verdict.
. "$(dirname "$0")/lib.sh"
counter 7 >good.m
counter 3 >bad.m
cp good.m kept.m

# intact FILE: still the model, and nothing temporary beside it.
intact() {
  cmp -s "$1" kept.m || fail "$1 was overwritten"
  [ -z "$(ls | grep -E '\.[A-Za-z0-9]{6}$')" ] || fail "a temporary file is left: $(ls)"
}

# The model is not an output, by whichever name.
mkdir sub
ln -s good.m soft.m
ln good.m hard.m
ln -s ../good.m sub/soft.m
for option in json html; do
  for name in good.m ./good.m sub/../good.m "$PWD/good.m" soft.m hard.m sub/soft.m; do
    run 1 check good.m --$option $name; has err "would overwrite good.m"; empty out; intact good.m
  done
done
run 1 check soft.m --json good.m;          has err "would overwrite soft.m"; intact good.m
run 1 simulate good.m --json good.m;       has err "would overwrite good.m"; intact good.m
"$FATHOM" check --language murphi - --json good.m <good.m >out 2>err
[ $? -eq 1 ] || fail "the model from standard input is overwritten"
has err "would overwrite standard input";  intact good.m
[ -L soft.m ] || fail "the link to the model is gone"

# Two outputs are two files.
mkdir here
ln -s nowhere dangling
for other in out.r ./out.r here/../out.r "$PWD/out.r"; do
  run 1 check good.m --json out.r --html $other; has err "same file"; empty out
  [ ! -e out.r ] || fail "out.r was written"
done
run 1 check good.m --json dangling --html nowhere; has err "same file"
touch out.r
ln out.r twin.r
run 1 check good.m --json out.r --html twin.r; has err "same file"
run 0 check good.m --json /dev/null --html /dev/null
"$FATHOM" check good.m --json text.r >text.r 2>err
[ $? -eq 1 ] || fail "the file of standard output is replaced"
has err "standard output"
"$FATHOM" check good.m --json - --html text.r >text.r 2>err
[ $? -eq 1 ] || fail "the JSON on standard output is replaced by the page"
run 0 check good.m --json out.r --html page.r; has out.r '"verdict"'; has page.r "<!doctype"

# Where a search is to be saved is seen before it begins, too; what it goes on from is an input.
bounded="check good.m --search bounded"
for name in good.m sub/soft.m hard.m; do
  run 1 $bounded --save-frontier $name;    has err "would overwrite good.m"; empty out; intact good.m
done
run 1 $bounded --save-frontier nosuch/f;   has err "nosuch/f"; empty out
run 1 $bounded --save-frontier here;       has err "here"; empty out
run 1 $bounded --save-frontier /dev/null;  has err "not a file that can be replaced"; empty out
run 1 $bounded --save-frontier f --json f; has err "same file"; empty out
run 1 $bounded --save-frontier f --html ./f; has err "same file"; empty out
[ ! -e f ] || fail "f was written"
"$FATHOM" $bounded --save-frontier text.r >text.r 2>err
[ $? -eq 1 ] || fail "the file of standard output is replaced"
has err "standard output"
for option in json html; do
  run 1 $bounded --resume kept.m --$option kept.m; has err "would overwrite kept.m"; empty out
done
run 1 $bounded --resume nosuch;            has err "--resume nosuch"; empty out
intact kept.m

# A link is followed, to a file that is there or not, in another folder, over another link.
echo old >here/target
ln -s here/target link
ln -s link chain
run 0 check good.m --json link;            has here/target '"verdict"'
echo old >here/target
run 0 check good.m --json chain;           has here/target '"verdict"'
[ -L link ] && [ -L chain ] || fail "a link was replaced"
run 0 check good.m --html dangling;        has nowhere "<!doctype"
[ -L dangling ] || fail "a dangling link was replaced"
ln -s ../new.r here/up
run 0 check good.m --json here/up;         has new.r '"verdict"'
ln -s loop2 loop1; ln -s loop1 loop2
run 1 check good.m --json loop1;           has err "loop1"
run 1 check good.m --json "";              empty out
ln -s nosuch/file away
run 1 check good.m --json away;            has err "away"

# A file that may not be written is not replaced, and one that may keeps its mode.
echo old >locked; chmod 0400 locked
if [ ! -w locked ]; then
  run 1 check good.m --json locked;        has err "locked"; has locked old; empty out
fi
echo old >private; chmod 0600 private
run 0 check good.m --json private
[ "$(stat -c %a private)" = 600 ] || fail "the mode of a private file was changed"

# What cannot be written is said; the report is there, and the exit code is the verdict's.
for option in json html; do
  run 1 check good.m --$option /dev/full;  has err "could not be written"; has out "holds: every"
  run 10 check bad.m --$option /dev/full;  has err "could not be written"; has out "1 violation found"
  run 5 check --depth 2 good.m --$option /dev/full; has err "could not be written"; has out "to go on"
done
run 1 simulate good.m --json /dev/full;    has err "could not be written"; has out "no violation"
echo 'var x : nosuch;' >wrong.m
run 2 check wrong.m --json /dev/full;      has err "could not be written"; has err "wrong.m:1"
"$FATHOM" check good.m >/dev/full 2>err;   [ $? -eq 1 ] || fail "lost output is success"
has err "could not be written"
"$FATHOM" check bad.m >/dev/full 2>err;    [ $? -eq 10 ] || fail "lost output hides the verdict"
has err "could not be written"

# A compiler that is no longer needed leaves nothing where temporary files go.
mkdir temporary
for i in 1 2 3; do TMPDIR=$PWD/temporary "$FATHOM" check "$SRC/examples/murphi/german.m" --states 20000 --no-cache >out 2>err; done
sleep 0.2
[ -z "$(ls temporary)" ] || fail "left behind: $(ls temporary)"
finish
