// expect: holds
// states: 259
// Variables of another process: P[pid]:name.
active [2] proctype worker()
{
  byte n = 5;
  do
  :: n > 3 -> n--
  :: else -> break
  od
}

active proctype watcher()
{
  byte copy;
  copy = worker[1]:n;
  assert(copy >= 3 && copy <= 5);
  worker[0]:n < copy || copy == 3
}
