// expect: violated "comes"
// options: --fairness weak
// Where nothing can move any more nobody is treated unfairly, whoever has ended before: the run counts, and its last
// state goes on for ever.
// SPIN with -f forgets the run, because a process has ended.
byte x;

active proctype a() { skip }
active proctype b() { end: x == 1; x = 2 }
ltl comes { <> (x == 2) }
