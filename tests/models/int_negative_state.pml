// expect: holds
// states: 16
// Negative and large numbers are kept as they are.
int i = -1000000;
short s = -300;

active proctype main() { do :: i < 0 -> i = i + 300000; s = s - i % 7 :: else -> break od; assert(i == 200000) }
