// expect: holds
// states: 38
// A pid is free for another process once its owner is gone, not before.
byte last_pid, count;

proctype brief() { last_pid = _pid; count++ }

init {
  run brief();
  run brief();
  _nr_pr == 1;
  assert(count == 2);
  run brief();
  _nr_pr == 1;
  assert(last_pid == 1 && count == 3)
}
