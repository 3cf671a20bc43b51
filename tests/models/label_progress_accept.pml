// expect: unknown "not checked: accept labels, progress labels"
// states: 4
// Accept and progress labels are kept as properties; they are checked in a later issue.
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
