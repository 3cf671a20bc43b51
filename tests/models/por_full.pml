// expect: violated "deadlock"
// options: --por on
// Messages that do not fit: whether a sender can go on is up to the receiver, and the other way round.
chan q = [1] of { byte };

active proctype a() { q!1; q!2; q!3 }
active proctype b() { q?1; q?3 }
