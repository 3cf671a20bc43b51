// error: 3:26 c_code
// Embedded C is refused by its name.
active proctype main() { c_code { int x; } }
