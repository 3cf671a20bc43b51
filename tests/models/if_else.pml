// expect: holds
// states: 11
// else is taken when nothing else in the statement can be, whatever else there is in the model.
byte x;

active proctype a()
{
  do
  :: x == 1 -> x = 2
  :: x == 3 -> break
  :: else -> if :: x == 2 -> x = 3 :: else -> x = 1 fi
  od
}
