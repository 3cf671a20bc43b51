// expect: holds
// states: 422
// How many processes there are is not known before.
byte n;

proctype node() { atomic { n++; assert(n <= 5) } }

init {
  byte k;
  do
  :: k < 5 -> run node(); k++
  :: break
  od
}
