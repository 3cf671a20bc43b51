// expect: holds
// states: 13
// pc_value(pid): the number of that process's state.
byte x;

active proctype a()
{
  x = 1;
  x = 2;
  x = 3
}
active proctype b()
{
  if
  :: atomic { pc_value(0) == 1 -> assert(x == 0) }
  :: atomic { pc_value(0) == 2 -> assert(x == 1) }
  :: atomic { pc_value(0) > 2 -> assert(x >= 2) }
  fi
}
