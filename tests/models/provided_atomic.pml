// expect: holds
// states: 9
// provided holds inside atomic sequences, too.
byte x;
bool go = true;

active proctype a() provided (go) { atomic { x = 1; go = false; x = 2 }; x = 3 }
active proctype b() { do :: !go -> go = true :: x == 3 -> break od }
