// expect: violated "never_both"
// options: --por on
// Where the first search takes all steps, because that of a leads back to its stack, the second one must do so, too
// (Holzmann, Peled and Yannakakis, Fig. 3): the bad runs go round through the steps of b, whatever a does.
byte x;

active proctype a() { byte n; do :: n = 1 - n od }
active proctype b() { do :: x = 1; x = 2; x = 3; x = 0 od }
ltl never_both { <> [] (x != 1) || <> [] (x != 3) }
