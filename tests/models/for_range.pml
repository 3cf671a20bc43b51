// expect: holds
// states: 26
// for over a range; bounds may be expressions, and an empty range has no rounds.
byte sum, i, n = 4;

active proctype main()
{
  for (i : 1 .. 3) { sum = sum + i };
  assert(sum == 6 && i == 4);
  for (i : n - 1 .. n) { sum++ };
  assert(sum == 8);
  for (i : n + 1 .. n) { assert(false) };
  assert(i == 5)
}
