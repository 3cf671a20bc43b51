// expect: holds
// states: 8579
// with: BUG=1 expect: violated "assertions and errors"
//
// Leader election in a ring, after Chang and Roberts (1979).
//
// N nodes stand in a ring of one-way channels, each with a number of its own.
// A node sends its number on. It passes on numbers larger than its own and drops
// smaller ones; a node that sees its own number come back has won, and says so
// round the ring. init deals the numbers in every possible order.
//
//   fathom check examples/promela/leader_election.pml
//     holds: one leader, the largest number, and everybody learns it
//   fathom check examples/promela/leader_election.pml -D BUG=1
//     violated: two leaders
//
// Macros
//   N    number of nodes (2 to 8)
//   CAP  messages that fit on a link; less than 2 would be a bottleneck
//   BUG  1: a node takes any number that is not larger for its own

#ifndef N
#define N 4
#endif
#ifndef CAP
#define CAP 2
#endif
#ifndef BUG
#define BUG 0
#endif

mtype = { candidate, elected };

chan link[N] = [CAP] of { mtype, byte };

byte leaders;  // how many think they are
byte informed; // how many know a leader

proctype node(chan from, to; byte number)
{
  byte other;

  to!candidate(number);
end:
  do
  :: from?candidate(other) ->
    if
    :: other > number -> to!candidate(other)
    :: other == number || (BUG && other < number) ->
      leaders++;
      assert(leaders == 1);
      to!elected(number)
    :: else // drop it
    fi
  :: from?elected(other) ->
    informed++;
    assert(BUG || other == N);
    if
    :: other != number -> to!elected(other)
    :: else -> assert(informed == N)
    fi;
    break
  od
}

// Deals the numbers 1 to N to the places 0 to N - 1, one of those not yet dealt at a time.
init {
  byte place, number;
  bool dealt[N];

  atomic {
    for (place : 0 .. N - 1) {
      select(number : 1 .. N);
      do
      :: dealt[number - 1] -> number = number % N + 1
      :: else -> break
      od;
      dealt[number - 1] = true;
      run node(link[place], link[(place + 1) % N], number)
    }
  }
}
