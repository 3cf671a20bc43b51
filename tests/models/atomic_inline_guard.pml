// expect: holds
// states: 5
// An inline as the first statement of an atomic sequence: its guard guards the sequence.
bool lock;
byte inside;

inline acquire() { d_step { !lock -> lock = true } }

active [2] proctype p()
{
  do
  :: atomic { acquire(); inside++ }; assert(inside == 1); atomic { inside--; lock = false }
  od
}
