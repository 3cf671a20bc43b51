// expect: holds
// states: 12
// A rendezvous as a guard, beside other options.
chan c = [0] of { byte };
bool quit;

active proctype s() { do :: c!1 :: quit -> break od }
active proctype r() { byte x, n; do :: c?x -> n++; if :: n == 2 -> quit = true; break :: n < 2 fi od }
