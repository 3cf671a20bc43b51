// expect: holds
// states: 33
// Sender and receiver meet in one step.
chan c = [0] of { byte };
byte sent, got;

active proctype s() { byte i = 1; do :: i <= 3 -> c!i; i++ :: else -> break od }
active proctype r() { byte x; do :: c?x -> got++; if :: x == 3 -> break :: else fi od }
