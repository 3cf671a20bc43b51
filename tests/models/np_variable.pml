// expect: holds
// states: 36
// spin: no, it refuses np_ outside of never claims
// np_ is true while no process is at a progress label: 4 states of p, 3 places and 3 values of q.
byte x, seen;

active proctype p()
{
  do
  :: x == 0 ->
progress:
    x = 1
  :: x == 1 -> x = 0
  od
}

active proctype q() { do :: np_ -> seen = 1 :: !np_ -> seen = 2 od }
