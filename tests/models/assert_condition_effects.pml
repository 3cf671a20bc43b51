// expect: holds
// states: 11
// Conditions as statements: executable when not zero, negative numbers too.
int x = -1;

active proctype main() { x; x + 1 == 0; (x < 0 && -x); x = 0; assert(!x); !x; 1; skip; true }
