// expect: holds
// states: 67
// As soon as the escape can be taken, the statement before it cannot go on.
byte x;
bool stop;

active proctype a()
{
  { do
    :: x < 4 -> x++
    :: x == 4 -> break
    od;
    assert(!stop)
  } unless { stop -> assert(x <= 4) };
  skip
}
active proctype b() { stop = true }
