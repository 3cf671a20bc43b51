// expect: violated "assertions and errors"
// trace: 2
// select reaches the last value.
byte i;

active proctype main()
{
  select (i : 0 .. 6);
  assert(i != 6)
}
