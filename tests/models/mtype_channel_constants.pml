// expect: holds
// states: 42
// mtype constants as patterns and as heads of messages.
mtype = { open, data, close };
chan wire = [2] of { mtype, byte };

active proctype s() { byte i; wire!open(0); for (i : 1 .. 2) { wire!data(i) }; wire!close(0) }
active proctype r()
{
  byte n, sum;
  wire?open(_);
  do
  :: wire?data(n) -> sum = sum + n
  :: wire?close(0) -> break
  od;
  assert(sum == 3)
}
