// expect: holds
// states: 17
// for over the indices of an array.
byte a[4], k;

active proctype main()
{
  for (k in a) { a[k] = 2 * k };
  assert(a[0] == 0 && a[3] == 6)
}
