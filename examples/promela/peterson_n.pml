// expect: holds
// states: 19572
// with: BUG=1 expect: violated "assertions and errors"
//
// Peterson's mutual exclusion algorithm for N processes (the filter lock).
//
// A process climbs N - 1 rungs. On each it announces the rung, signs in as the last
// one to have come there, and waits until no other process is on this rung or
// above, or until another one has signed in after it. Each rung holds back at least
// one process. The others are looked at one by one, not all at once: this is the
// algorithm as a program would run it.
//
//   fathom check examples/promela/peterson_n.pml
//     holds
//   fathom check examples/promela/peterson_n.pml -D BUG=1
//     violated: two processes in the critical section
//
// Macros
//   N    number of processes
//   BUG  1: a process signs in before it announces the rung, the classic mistake

#ifndef N
#define N 3
#endif
#ifndef BUG
#define BUG 0
#endif

byte rung[N];     // announced; 0: not interested
byte last[N];     // who signed in last on each rung
byte inside;      // processes in the critical section

active [N] proctype contender()
{
  byte r, k;

  do
  :: r = 1;
    do
    :: r < N ->
      if
      :: BUG -> last[r] = _pid; rung[_pid] = r
      :: else -> rung[_pid] = r; last[r] = _pid
      fi;
      k = 0;
      do
      :: k == N -> break
      :: k < N && (k == _pid || rung[k] < r || last[r] != _pid) -> k++
      od;
      r++
    :: else -> break
    od;
    k = 0;
    r = 0;
critical:
    inside++;
    assert(inside == 1);
    inside--;
    rung[_pid] = 0
  od
}
