// expect: holds
// options: --fairness weak
// with: BUG=1 expect: violated "north_goes"
// with: BUG=2 expect: violated "safe"
//
// A crossing of two roads. Cars come when they like; the controller asks the roads by turns and gives green to one car where somebody
// waits. What drivers want are formulas: no two cars are on the crossing at once, and who waits will go. For the second
// one it takes a controller that is fair to the roads, and runs that are fair to the processes (--fairness weak): there is a
// pedestrian who could walk to and fro for ever while all others stand still.
//
//   fathom check examples/promela/crossing.pml --fairness weak
//   fathom check examples/promela/crossing.pml                            only the pedestrian moves
//   fathom check examples/promela/crossing.pml -D BUG=1 --fairness weak   the east goes first, whenever it likes
//   fathom check examples/promela/crossing.pml -D BUG=2                   the controller does not wait until the car is gone
//   fathom show examples/promela/crossing.pml --buchi
#ifndef BUG
#define BUG 0
#endif
#define north 0
#define east  1

mtype = { red, green };
mtype light[2] = red;
bool waits[2]; // somebody stands at the light
bool on[2];    // somebody is on the crossing
bool walks;

active [2] proctype road()
{
  do
  :: waits[_pid] = true;
     atomic { light[_pid] == green -> light[_pid] = red; waits[_pid] = false; on[_pid] = true };
     on[_pid] = false
  od
}

active proctype pedestrian() { do :: walks = !walks od }

inline serve(r)
{
  light[r] = green;
  light[r] == red;
#if BUG != 2
  !on[r]
#else
  skip
#endif
}

active proctype controller()
{
  do
#if BUG == 1
  :: waits[east] -> serve(east)
  :: !waits[east] && waits[north] -> serve(north)
#else
  :: if
     :: waits[north] -> serve(north)
     :: !waits[north]
     fi;
     if
     :: waits[east] -> serve(east)
     :: !waits[east]
     fi
#endif
  od
}

ltl safe { [] !(on[north] && on[east]) }
ltl north_goes { [] (waits[north] -> <> on[north]) }
ltl east_goes { [] (waits[east] -> <> on[east]) }
