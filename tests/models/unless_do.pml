// expect: holds
// states: 71
// An escape from a single statement, and one with a choice.
byte x, y;

active proctype a()
{
  do
  :: x < 3 -> x++ unless y == 1
  :: x == 3 -> break
  :: y == 1 -> break
  od;
  { x = 5; x = 6 } unless { if :: y == 1 -> x = 7 :: y == 2 -> assert(false) fi }
}
active proctype b() { if :: y = 1 :: skip fi }
