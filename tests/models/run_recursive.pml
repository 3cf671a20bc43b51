// expect: holds
// states: 18
// A process starts its successor, to a depth.
byte depth;

proctype chain(byte n)
{
  depth = n;
  if
  :: n < 4 -> run chain(n + 1)
  :: else
  fi
}

init { run chain(1) }
