// expect: violated "assertions and errors"
// trace: 3
// As in SPIN, the only field of a channel is a byte even where it is called a bit.
chan q = [2] of { bit };
byte y;

active proctype P() { q!2; q?y; assert(y == 0) }
