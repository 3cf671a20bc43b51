// error: 3:26 y
// A name that nobody declared.
active proctype main() { y = 1 }
