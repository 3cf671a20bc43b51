// expect: violated "assertions and errors"
// options: --por on
// The first statement of an atomic sequence looks at a variable of others, though it comes from an inline: who takes it
// alone does not see that b was faster.
byte x = 1;

inline take() { x == 1 -> x = 2 }

active proctype a() { atomic { take(); skip } }
active proctype b() { end: x == 1 -> assert(false) }
