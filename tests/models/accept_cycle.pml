// expect: violated "acceptance cycles"
// A cycle through an accept label.
byte x;

active proctype a() { do :: x = 1; accept: x = 2 :: x = 3 od }
