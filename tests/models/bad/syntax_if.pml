// error: 5:1
// An if without fi.
byte x;
active proctype main() { if :: x = 1
}
