// error: 4:38 'y'
// A mistake in a C expression.
byte x;
active proctype main() { c_expr { now.y == 0 } }
