// error: 3:1 c_decl
// Embedded C declarations.
c_decl { int x; }
active proctype main() { skip }
