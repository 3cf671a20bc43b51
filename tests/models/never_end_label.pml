// expect: violated "never_0"
// A state with an end label is an end of the claim.
byte x;

active proctype a() { do :: x = 1 - x od }
never { do :: x == 1 -> goto end :: else od; end: do :: true od }
