// expect: holds
// states: 123
// A server answers on the channel that comes with the request, of two clients.
chan req = [2] of { byte, chan };

active [2] proctype client()
{
  chan mine = [1] of { byte };
  byte x;
  req!_pid, mine;
  mine?x;
  assert(x == _pid + 10)
}
active proctype server()
{
  byte who, n;
  chan back;
  do
  :: n < 2 -> req?who, back; back!who + 10; n++
  :: else -> break
  od
}
