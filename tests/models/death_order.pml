// expect: holds
// states: 16
// Only the youngest process may go: an older one that is through waits for it.
byte done;

proctype old() { done++ }
proctype young() { done == 1; done++ }

init {
  atomic { run old(); run young() };
  if
  :: atomic { done == 1 -> assert(_nr_pr == 3) }
  :: done == 2 && _nr_pr == 2 -> skip
  :: timeout -> assert(_nr_pr <= 3)
  fi
}
