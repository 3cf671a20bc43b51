// expect: violated "assertions and errors"
// spin: no, the verifier dies of it (SIGFPE)
// The remainder by zero, in a guard.
byte b = 2;

active proctype main()
{
  do
  :: 9 % b < 5 -> b--
  od
}
