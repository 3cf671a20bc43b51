// expect: violated "never_0"
// As spin -f writes a claim for []: both conditions are asked of one state, and the assertion fails.
byte x;

active proctype a() { do :: x < 3 -> x++ :: x == 3 -> x = 0 od }
never {
T0_init:
  do
  :: atomic { (! (x < 3)) -> assert(!(! (x < 3))) }
  :: (1) -> goto T0_init
  od;
accept_all:
  skip
}
