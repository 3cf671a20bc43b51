// expect: violated "never_both"
// options: --por on
// The bad runs go round through the steps of b, of which the second search must not lose any, whatever a does.
byte x;

active proctype a() { byte n; do :: n = 1 - n od }
active proctype b() { do :: x = 1; x = 2; x = 3; x = 0 od }
ltl never_both { <> [] (x != 1) || <> [] (x != 3) }
