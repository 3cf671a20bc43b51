// expect: holds
// states: 13
// An atomic sequence can be escaped from only where it waits.
byte x;
bool stop;

active proctype a()
{
  { atomic { x = 1; x = 2; x == 3 -> x = 4 } } unless { stop -> x = 9 }
}
active proctype b() { stop = true }
