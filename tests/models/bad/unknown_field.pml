// error: 6:28 z
// A field that the typedef does not have.
typedef point { byte x, y };
point p;

active proctype main() { p.z = 1 }
