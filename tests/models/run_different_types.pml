// expect: holds
// states: 21
// Different proctypes sit under the same pid, one after the other.
byte got;

proctype one() { got = 1 }
proctype two(byte n) { byte m = n; got = m + 1 }

init {
  do
  :: run one(); _nr_pr == 1; assert(got == 1)
  :: run two(1); _nr_pr == 1; assert(got == 2)
  :: break
  od
}
