// expect: holds
// states: 15
// Every option that can be taken is tried; without one the process waits.
byte x, y;

active proctype main()
{
  if
  :: x = 1
  :: x = 2; y = 1
  :: x == 0 -> x = 3
  :: x == 5 -> assert(false)
  fi;
  if
  :: x == 1 -> y = 7
  :: x > 1 -> y = 8
  fi
}
