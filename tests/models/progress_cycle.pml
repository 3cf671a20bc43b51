// expect: violated "non-progress cycles"
// options: --non-progress
// One process goes round without progress, the other need not move.
byte x;

active proctype a() { do :: x = 1; progress: x = 2 od }
active proctype b() { do :: x = 3 od }
