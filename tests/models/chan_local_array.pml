// expect: holds
// states: 8
// An array of channels inside a process, and questions about its elements.
active proctype main()
{
  chan q[2] = [2] of { byte };
  byte i = 1, x;
  q[i]!3;
  assert(len(q[i]) == 1 && len(q[0]) == 0);
  assert(q[i]?[3]);
  assert(empty(q[1 - i]));
  q[i]?x;
  assert(x == 3)
}
