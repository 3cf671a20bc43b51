// expect: violated "assertions and errors"
// spin: no, the verifier dies of it (SIGFPE)
// Division by zero.
byte a = 4, b = 2;

active proctype main()
{
  do
  :: a = 8 / b; b--
  od
}
