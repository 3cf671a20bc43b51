// expect: holds
// states: 10
// Channel operations inside d_step.
chan q = [2] of { byte, bit };
byte x;

active proctype a()
{
  d_step { q!3, 1; q!4, 0 };
  d_step { q?x, _; assert(x == 3); if :: q?x, 1 :: q?x, 0 fi; assert(x == 4 && empty(q)); x = 0 }
}
active proctype b() { assert(len(q) != 1) }
