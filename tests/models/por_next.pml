// expect: violated "soon"
// options: --por on
// says: counts steps (X): it is searched without
// spin: no, it is built without X
// X counts steps, so that none may be left out.
byte x, y;

active proctype a() { x = 1 }
active proctype b() { y = 1; y = 2 }
ltl soon { X (x == 1) }
