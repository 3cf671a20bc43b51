// expect: violated "never_0"
// The model ends, the claim goes on.
byte x;

active proctype a() { x = 1 }
never { do :: x == 1 -> break :: else od; x == 1; x == 1; accept: do :: x == 1 od }
