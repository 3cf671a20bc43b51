// expect: holds
// states: 19
// c_state "Hidden" is C's own and no part of the state.
c_state "int scratch" "Hidden"
byte x, y;
active [2] proctype p()
{
  c_code { scratch = now.x; now.y = scratch + 1; };
  x = y
}
