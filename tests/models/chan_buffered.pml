// expect: holds
// states: 183
// First in, first out; a full channel blocks the sender, an empty one the receiver.
chan q = [3] of { byte };

active proctype s() { byte i = 1; do :: i <= 5 -> q!i; i++ :: else -> break od }
active proctype r() { byte x, last; do :: q?x -> assert(x == last + 1); last = x; if :: last == 5 -> break :: else fi od }
