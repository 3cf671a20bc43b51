// expect: holds
// states: 52
// _last is the process that moved last; using it makes it part of the state.
byte x;

active [2] proctype p()
{
end:
  do
  :: _last != _pid || x == 0 -> x = (x + 1) % 3
  :: x == 2 -> break
  od
}
