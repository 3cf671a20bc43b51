// expect: holds
// states: 16
// enabled(pid): can that process move?
byte x;

active proctype a() { x == 1; x = 2 }
active proctype b()
{
  assert(!enabled(0));
  x = 1;
  if
  :: enabled(0) -> skip
  :: !enabled(0) -> assert(x == 2)
  fi
}
