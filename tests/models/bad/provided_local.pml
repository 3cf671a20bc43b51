// error: 4:30 provided clause can read globals
byte g;

proctype P(byte n) provided (n == 0) { g = n; n = 3; g = 2 }
init { run P(0) }
