// expect: holds
// states: 39
// Questions about channels in larger conditions, by negation.
chan q = [1] of { byte };
byte x;

active proctype a() { do :: nempty(q) && x < 2 -> q?_; x++ :: x == 2 -> break od }
active proctype b() { do :: nfull(q) && x < 2 -> q!x :: x == 2 -> break od }
