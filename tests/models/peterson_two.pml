// expect: holds
// states: 38
// The usual small whole.
bool want[2];
byte turn, inside;

active [2] proctype p()
{
  do
  :: want[_pid] = true; turn = 1 - _pid;
    !want[1 - _pid] || turn == _pid;
    inside++; assert(inside == 1); inside--;
    want[_pid] = false
  od
}
