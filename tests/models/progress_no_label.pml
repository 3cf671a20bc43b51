// expect: violated "non-progress cycles"
// options: --non-progress
// Without any label every cycle is one without progress.
byte x;

active proctype a() { do :: x = 1 - x od }
