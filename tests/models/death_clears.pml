// expect: holds
// states: 13
// When a process is gone, nothing of it is left in the state.
proctype noisy() { byte x; do :: x < 3 -> x++ :: break od }

init {
  do
  :: run noisy(); _nr_pr == 1
  od
}
