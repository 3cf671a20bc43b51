// expect: holds
// states: 11
// Channels as arguments, the same proctype with different ones.
chan a = [1] of { byte };
chan b = [1] of { byte };

proctype pass(chan from, to) { byte x; from?x; to!x + 1 }

init {
  byte r;
  run pass(a, b);
  a!4;
  b?r;
  assert(r == 5)
}
