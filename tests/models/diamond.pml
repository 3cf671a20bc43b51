// expect: violated "assertions and errors"
// trace: 5
// Two ways to one state, the long one tried first by depth: a bounded search must not lose what is behind it.
byte x, y;

active proctype main()
{
  if
  :: x = 1; x = 2; x = 3; x = 4; x = 5; x = 0
  :: skip
  fi;
  y = 1; y = 2; y = 3;
  assert(y != 3)
}
