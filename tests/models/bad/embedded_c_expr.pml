// error: 3:26 c_expr
// Embedded C in an expression.
active proctype main() { c_expr { 1 } }
