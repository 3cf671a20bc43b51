// expect: holds
// states: 55
// else in nested choices that share a first state.
byte x;

active [2] proctype p()
{
  do
  :: if
     :: x == 0 -> x = 1
     :: x == 1 -> x = 2
     :: else -> x = 3; break
     fi
  od
}
