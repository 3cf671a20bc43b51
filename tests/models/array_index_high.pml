// expect: violated "assertions and errors"
// trace: 7
// An index beyond the array, read in a guard.
byte a[3], i;

active proctype main()
{
  do
  :: a[i] == 0 -> i++
  od
}
