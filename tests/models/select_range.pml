// expect: holds
// states: 51
// select takes any value of a range.
byte i, j;

active proctype main()
{
  select (i : 2 .. 5);
  select (j : i .. 5);
  assert(i >= 2 && j >= i && j <= 5)
}
