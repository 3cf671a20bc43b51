// expect: holds
// states: 66
// Nested escapes: the inner one goes before the outer one.
byte x, y;

active proctype a()
{
  {
    { x = 1; x = 2; x = 3 } unless { y == 1 -> x = 10 };
    x = 20
  } unless { y == 2 -> x = 30 };
  assert(x == 20 || x == 30)
}
active proctype b() { if :: y = 1 :: y = 2 :: y = 0 fi }
