// expect: violated "never_0"
// Likewise in a d_step, along the first option that is true.
byte x, y;

active proctype a() { do :: x = 1 - x :: y = 1 - y od }
never {
T0:
  do
  :: d_step { x == 1; if :: y == 0 -> skip :: else -> skip fi } -> goto accept
  :: true
  od;
accept:
  do :: x == 1 od
}
