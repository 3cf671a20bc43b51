// expect: holds
// states: 33
// break and goto that leave an atomic sequence from inside a loop.
byte x;

active [2] proctype p()
{
  do
  :: atomic { x < 3 -> x++; if :: x == 2 -> break :: x != 2 fi }
  :: atomic { x >= 3 -> goto done }
  od;
  x = 0;
done:
  skip
}
