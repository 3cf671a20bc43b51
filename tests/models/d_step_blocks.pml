// expect: violated "assertions and errors"
// trace: 1
// A later statement of a d_step must not wait.
byte x;

active proctype a() { d_step { x = 1; x == 2; x = 3 } }
