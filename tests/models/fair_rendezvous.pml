// expect: violated "comes"
// options: --fairness weak
// A receiver that could be met now and then is served by nobody; but its partner is when another takes the message.
chan c = [0] of { bit };
bool got;

active proctype s() { do :: c!1 od }
active proctype r() { do :: c?1 od }
active proctype q() { c?1 -> got = true }
ltl comes { <> got }
