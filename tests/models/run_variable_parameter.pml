// expect: holds
// states: 25
// A process of one type is started with different arguments under the same pid.
byte total;

proctype worker(byte n) { total = (total + n) % 16; n = 0 }

init {
  byte k;
  do
  :: k < 3 -> k++; run worker(k); _nr_pr == 1
  :: else -> break
  od;
  assert(total == 6)
}
