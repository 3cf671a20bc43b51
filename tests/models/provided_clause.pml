// expect: holds
// states: 12
// A process moves only while its condition holds.
byte turn, count[2];

active [2] proctype p() provided (turn == _pid)
{
  do
  :: assert(turn == _pid); count[_pid] = 1 - count[_pid]; turn = 1 - turn
  od
}
