// expect: holds
// states: 58
// with: ALGO=1 BUG=1 expect: violated "assertions and errors"
// with: ALGO=2 expect: holds states: 166
// with: ALGO=2 BUG=1 expect: violated "deadlock"
// with: ALGO=3 expect: holds states: 3304
// with: ALGO=3 BUG=1 expect: violated "assertions and errors"
// with: ALGO=4 expect: holds states: 28327
// with: ALGO=4 BUG=1 expect: violated "assertions and errors"
// with: ALGO=5 expect: holds states: 7702
// with: ALGO=5 BUG=1 expect: violated "assertions and errors"
// with: ALGO=6 expect: holds states: 564
// with: ALGO=6 BUG=1 expect: violated
// with: ALGO=7 expect: holds states: 39533
// with: ALGO=7 BUG=1 expect: violated "assertions and errors"
// with: ALGO=8 expect: violated "assertions and errors"
// with: ALGO=9 expect: violated "deadlock"
//
// A zoo of mutual exclusion algorithms. ALGO chooses one:
//
//   1  Peterson's, two processes          BUG: the turn is taken before the flag
//   2  Dekker's, two processes            BUG: nobody steps back, so both wait for ever
//   3  Lamport's bakery, N processes      BUG: nobody waits while others choose
//   4  Szymanski's, N processes           BUG: the waiting room has no door
//   5  Burns and Lynch's, N processes     BUG: higher numbers are not looked at
//   6  a ticket lock, N processes         BUG: taking a ticket is two steps
//   7  Lamport's fast one, N processes    BUG: nobody looks who else is on his way
//   8  Hyman's, two processes             wrong, as published in CACM in 1966
//   9  flags alone, two processes         wrong: both wait for ever
//
//   fathom check examples/promela/mutex_zoo.pml -D ALGO=3
//   fathom check examples/promela/mutex_zoo.pml -D ALGO=8
//
// What comes out: 1 to 7 hold; each of them with -D BUG=1 is violated, and so are 8
// and 9 as they are. Violated means an assertion (two processes inside), but for 2
// with BUG and 9, which reach an invalid end state.
//
// Macros
//   ALGO  which one (default 1)
//   N     processes, of those that work for any number (default 3; bakery 2)
//   BUG   1: the mistake named above

#define PETERSON  1
#define DEKKER    2
#define BAKERY    3
#define SZYMANSKI 4
#define BURNS     5
#define TICKET    6
#define FAST      7
#define HYMAN     8
#define FLAGS     9

#ifndef ALGO
#define ALGO PETERSON
#endif
#ifndef BUG
#define BUG 0
#endif
#if ALGO == PETERSON || ALGO == DEKKER || ALGO == HYMAN || ALGO == FLAGS
#undef N
#define N 2
#elif !defined(N) && ALGO == BAKERY
#define N 2
#elif !defined(N)
#define N 3
#endif

byte inside; // processes in the critical section

inline visit()
{
  inside++;
  assert(inside == 1);
  inside--
}

// Waits until a condition holds of all processes from `from` up to `to`, one after the other;
// k is the process looked at.
#define AWAIT_ALL(k, from, to, condition) \
  k = from; \
  do \
  :: k < (to) && (condition) -> k++ \
  :: k == (to) -> break \
  od; \
  k = 0

#if ALGO == PETERSON
bool flag[N];
byte turn;

active [N] proctype process()
{
  do
  :: if
     :: BUG -> turn = 1 - _pid; flag[_pid] = true
     :: else -> flag[_pid] = true; turn = 1 - _pid
     fi;
     !flag[1 - _pid] || turn == _pid;
     visit();
     flag[_pid] = false
  od
}

#elif ALGO == DEKKER
bool flag[N];
byte turn;

active [N] proctype process()
{
  do
  :: flag[_pid] = true;
     do
     :: flag[1 - _pid] ->
       if
       :: turn != _pid && !BUG ->
         flag[_pid] = false;
         turn == _pid;
         flag[_pid] = true
       :: else -> !flag[1 - _pid] || (turn != _pid && !BUG)
       fi
     :: else -> break
     od;
     visit();
     turn = 1 - _pid;
     flag[_pid] = false
  od
}

#elif ALGO == BAKERY
// Tickets grow without bound if the bakery is never empty: MOST of them, and who would
// draw a larger one waits until it is.
#ifndef MOST
#define MOST 4
#endif
bool choosing[N];
byte ticket[N];

active [N] proctype process()
{
  byte k, most;

  do
  :: choosing[_pid] = true;
     do
     :: k < N ->
       if
       :: ticket[k] > most -> most = ticket[k]
       :: else
       fi;
       k++
     :: else -> break
     od;
     k = 0;
     if
     :: most < MOST -> ticket[_pid] = most + 1; most = 0; choosing[_pid] = false
     :: else -> most = 0; choosing[_pid] = false; goto again
     fi;
     AWAIT_ALL(k, 0, N, (BUG || !choosing[k]) &&
       (ticket[k] == 0 || ticket[_pid] < ticket[k] || (ticket[_pid] == ticket[k] && _pid <= k)));
     visit();
     ticket[_pid] = 0;
again: skip
  od
}

#elif ALGO == SZYMANSKI
// 0: away, 1: wants in, 2: waits for others, 3: at the door, 4: inside the waiting room.
byte flag[N];

active [N] proctype process()
{
  byte k;

  do
  :: flag[_pid] = 1;
     AWAIT_ALL(k, 0, N, BUG || flag[k] < 3);
     flag[_pid] = 3;
     do
     :: k == N -> break
     :: k < N && flag[k] != 1 -> k++
     :: k < N && flag[k] == 1 -> // somebody is still coming: wait until the door is closed
       flag[_pid] = 2;
       k = 0;
       do
       :: flag[k] == 4 -> break
       :: else -> k = (k + 1) % N
       od;
       break
     od;
     flag[_pid] = 4;
     AWAIT_ALL(k, 0, _pid, flag[k] < 2);
     visit();
     AWAIT_ALL(k, _pid + 1, N, flag[k] < 2 || flag[k] == 4);
     flag[_pid] = 0
  od
}

#elif ALGO == BURNS
// One bit a process. Lower numbers go first: whoever sees one of them begins anew.
bool flag[N];

active [N] proctype process()
{
  byte k;

  do
  :: flag[_pid] = false;
     AWAIT_ALL(k, 0, _pid, !flag[k]);
     flag[_pid] = true;
     do
     :: k < _pid && !flag[k] -> k++
     :: k < _pid && flag[k] -> goto again
     :: k == _pid -> break
     od;
     k = 0;
     if
     :: !BUG -> AWAIT_ALL(k, _pid + 1, N, !flag[k])
     :: else
     fi;
     visit();
     flag[_pid] = false;
again: k = 0
  od
}

#elif ALGO == TICKET
byte next, serving;

active [N] proctype process()
{
  byte mine;

  do
  :: if
     :: BUG -> mine = next; next = (mine + 1) % N
     :: else -> d_step { mine = next; next = (next + 1) % N }
     fi;
     serving == mine;
     visit();
     mine = 0;
     serving = (serving + 1) % N
  od
}

#elif ALGO == FAST
// x: who came last; y: who is at the gate (0: nobody). Processes are numbered from 1 here.
#define ME (_pid + 1)
bool busy[N];
byte x, y;

active [N] proctype process()
{
  byte k;

  do
  :: busy[_pid] = true;
     x = ME;
     if
     :: y != 0 -> busy[_pid] = false; y == 0; goto again
     :: y == 0
     fi;
     y = ME;
     if
     :: x == ME
     :: x != ME ->
       busy[_pid] = false;
       if
       :: !BUG -> AWAIT_ALL(k, 0, N, !busy[k])
       :: else
       fi;
       if
       :: y == ME
       :: y != ME -> y == 0; goto again
       fi
     fi;
     visit();
     y = 0;
     busy[_pid] = false;
again: skip
  od
}

#elif ALGO == HYMAN
bool flag[N];
byte turn;

active [N] proctype process()
{
  do
  :: flag[_pid] = true;
     do
     :: turn != _pid -> !flag[1 - _pid]; turn = _pid
     :: else -> break
     od;
     visit();
     flag[_pid] = false
  od
}

#elif ALGO == FLAGS
bool flag[N];

active [N] proctype process()
{
  do
  :: flag[_pid] = true;
     !flag[1 - _pid];
     visit();
     flag[_pid] = false
  od
}

#else
#error ALGO is a number from 1 to 9
#endif
