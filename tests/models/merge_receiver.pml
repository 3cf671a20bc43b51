// expect: violated "assertions and errors"
// trace: 7
// options: --merge on
// spin: no, the option is ours
// A receiver that is not ready yet lets a blocked atomic sequence be interrupted.
chan r = [0] of { byte };
byte g;

active proctype B() { byte y, x; end: do :: r?y; x = y; assert(x != 5) od }
active proctype A() { r!0; atomic { g = 1; r!g } }
active proctype C() { g == 1; g = 5 }
