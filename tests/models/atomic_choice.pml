// expect: holds
// states: 50
// Choices and loops inside atomic: all of them are tried, none of the states in between is kept.
byte x, y;

active proctype a()
{
  atomic {
    do
    :: x < 5 -> x++
    :: x > 1 -> break
    od;
    if
    :: y = 1
    :: y = 2
    fi
  }
}
active proctype b() { assert(x != 1); x > 0; y > 0 }
