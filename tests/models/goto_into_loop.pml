// expect: holds
// states: 13
// Jumps into and out of loops and choices.
byte x, n;

active proctype main()
{
  goto inside;
  do
  :: x < 4 ->
    x++;
inside:
    n++;
    if
    :: n == 3 -> goto done
    :: else
    fi
  od;
done:
  assert(n == 3 && x == 2)
}
