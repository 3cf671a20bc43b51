// expect: holds
// states: 10
// else inside atomic.
byte x;

active [2] proctype p()
{
  do
  :: atomic { if :: x < 3 -> x++ :: else -> break fi }
  od
}
