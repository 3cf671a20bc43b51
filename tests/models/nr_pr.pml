// expect: holds
// states: 14
// _nr_pr counts the processes there are.
proctype child() { skip }

active proctype watch()
{
  do
  :: _nr_pr == 2
  :: _nr_pr == 3
  :: _nr_pr == 4
  :: _nr_pr > 4 -> assert(false)
  :: _nr_pr == 1 -> break
  od
}

init { run child(); run child() }
