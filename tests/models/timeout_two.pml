// expect: holds
// states: 31
// Two processes wait for a timeout: either may have it.
byte n;

active [2] proctype p() { timeout; n++; n == 2 || timeout; n = 2 }
