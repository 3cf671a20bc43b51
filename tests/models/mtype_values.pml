// expect: holds
// states: 10
// The values of mtype constants count down within a declaration and go on from one to the next.
mtype = { a, b, c };
mtype = { d, e };
mtype x;

active proctype main()
{
  assert(a == 3 && b == 2 && c == 1);
  assert(d == 5 && e == 4);
  assert(x == 0);
  do
  :: x = a :: x = b :: x = e
  :: x != 0 && x < 3 -> break
  od;
  assert(x == b)
}
