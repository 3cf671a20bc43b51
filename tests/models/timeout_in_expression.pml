// expect: holds
// states: 7
// timeout within a larger condition.
byte x;

active proctype a()
{
  do
  :: x < 2 && !timeout -> x++
  :: timeout && x == 2 -> break
  od
}
