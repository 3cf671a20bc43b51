// expect: holds
// states: 28
// break leaves the innermost loop.
byte x, y;

active proctype main()
{
  do
  :: x < 3 ->
    x++;
    do
    :: y < 2 -> y++
    :: y == 2 -> break
    od;
    y = 0
  :: x == 3 -> break
  od;
  assert(x == 3 && y == 0)
}
