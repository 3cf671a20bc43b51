// expect: violated "assertions and errors"
// spin: no, the verifier dies of it (SIGSEGV)
// An index below the array.
byte a[3];
int i = 2;

active proctype main()
{
  do
  :: a[i] = i; i--
  od
}
