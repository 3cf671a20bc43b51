// expect: violated "comes"
// options: --fairness weak
// Weak fairness helps only who can move all the time: b can, again and again, but not while a is inside.
bool inside, got;

active proctype a() { do :: atomic { !inside -> inside = true }; inside = false od }
active proctype b() { atomic { !inside -> got = true } }
ltl comes { <> got }
