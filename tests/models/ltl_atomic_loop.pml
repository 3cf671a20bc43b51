// expect: violated "p"
// spin: no, it goes round inside the atomic sequence for ever
// An atomic sequence that never ends: the run stays where it comes back to itself, and B never moves.
bool done;
byte y;

active proctype A() {
  atomic {
    do
    :: y = 1; y = 0
    od
  }
}

active proctype B() { done = true }

ltl p { <> done }
