// expect: holds
// states: 10
// A d_step is one step, with loops and choices that are taken in the order of the text.
byte x, y;

active proctype a()
{
  d_step {
    do
    :: x < 4 -> x++
    :: x == 4 -> break
    od;
    if
    :: y = 1
    :: y = 2
    fi;
    x = 0
  };
  assert(y == 1 && x == 0)
}
active proctype b() { assert(x == 0) }
