// expect: violated "deadlock"
// trace: 1
// No option can be taken, and no other process will ever help.
byte x;

active proctype main()
{
  x = 4;
  if
  :: x < 4 -> skip
  :: x > 4 -> skip
  fi
}
