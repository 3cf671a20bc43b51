// expect: holds
// An accept label that is passed only once.
byte x;

active proctype a() { accept: x = 1; do :: x = 2 od }
