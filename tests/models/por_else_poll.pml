// expect: violated "assertions and errors"
// options: --por on
// `else` looks at the channel as well: sending does not commute with it, whoever else may send.
chan q = [1] of { byte };

active proctype a() { q!1 }
active proctype b() { if :: q?[1] -> skip :: else -> assert(false) fi }
