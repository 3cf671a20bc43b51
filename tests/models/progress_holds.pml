// expect: holds
// options: --non-progress
// Every cycle passes the label.
byte x;

active proctype a() { do :: x = 1; x = 2; progress: x = 3 od }
