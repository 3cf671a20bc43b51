// expect: holds
// states: 27
// run is an expression with an effect, and executable where a process can be made.
byte alive;

proctype child() { alive++; alive-- }

init {
  if
  :: run child() -> skip
  :: alive == 9 -> assert(false)
  fi;
  _nr_pr < 3 -> run child()
}
