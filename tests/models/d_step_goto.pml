// expect: holds
// states: 7
// Jumps within a d_step, and a break out of its loop.
byte x, n;

active [2] proctype p()
{
  d_step {
    n = 0;
again:
    n++;
    if
    :: n < 3 -> goto again
    :: n >= 3
    fi;
    do
    :: n > 0 -> n--
    :: n == 0 -> break
    od;
    x++
  }
}
