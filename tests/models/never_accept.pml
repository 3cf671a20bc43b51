// expect: violated "never_0"
// A claim that accepts: x is 1 again and again.
byte x;

active proctype a() { do :: x = 1 - x od }
never {
T0:
  do
  :: x == 1 -> goto accept
  :: true
  od;
accept:
  do
  :: x == 1 -> goto accept
  :: else -> goto T0
  od
}
