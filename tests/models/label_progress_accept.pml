// expect: violated "acceptance cycles"
// states: 4
// Accept labels are checked; progress labels only if --non-progress asks for it.
byte x;

active proctype a()
{
  do
  :: x == 0 ->
accept_a: x = 1
  :: x == 1 ->
progress_b: x = 0
  od
}
