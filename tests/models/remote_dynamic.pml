// expect: holds
// states: 54
// Remote references to a process that was started with run, by its pid.
byte done;

proctype w(byte n) { byte k = n; here: k++; done++ }

init {
  pid a, b;
  atomic { a = run w(3); b = run w(7) };
  if
  :: w[a]@here && w[b]:k == 7 -> skip
  :: w[b]:k == 8 -> skip
  :: done == 2 -> skip
  fi
}
