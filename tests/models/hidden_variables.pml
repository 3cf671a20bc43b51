// expect: holds
// states: 24
// A hidden variable that is only written is no part of the state.
hidden byte scratch;
show byte x;
local byte mine;

active proctype main()
{
  do
  :: x = (x + 1) % 4; scratch = x
  :: mine = 1 - mine; scratch = 77
  od
}
