// expect: holds
// states: 13
// Where another process is: P[pid]@label, by the name alone if there is one.
byte x;

active proctype worker()
{
start:
  x = 1;
middle:
  x = 2;
finish:
  x = 3
}

active proctype watcher()
{
  if
  :: atomic { worker@start -> assert(x == 0) }
  :: atomic { worker[0]@middle -> assert(x == 1) }
  :: atomic { worker[0]@finish -> assert(x == 2) }
  :: x == 3
  fi
}
