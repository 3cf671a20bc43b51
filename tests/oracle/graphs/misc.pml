// SPDX-License-Identifier: Apache-2.0
// For tests/oracle/graphs.sh: our control graphs are SPIN's.
mtype = { req, ack }; mtype:col = { red, green };
typedef In { byte v; bool f }; typedef Out { In in; mtype m; chan c };
chan rv = [1] of { mtype, byte }; chan qs[3] = [2] of { In, byte };
Out o; In arr[2]; hidden byte h; local int l; unsigned u : 5; show byte sh;
byte n = 2; mtype:col colour = red;
proctype W(Out p; byte k) priority 3 provided (n > 0) { p.in.v = k; p.c!req; end: do :: p.c?_ -> printf("x %d %e\n", k, p.m) od }
D_proctype D() { n++ }
trace { do :: rv!req,_ :: rv?ack,_ od }
active [2] proctype Z() priority 2 { byte t; pid me = _pid; xs rv;
  lab: rv!req(_pid); rv?ack,eval(_pid); rv?ack(t); qs[1]!arr[0],3; qs[n]?arr[1],t; qs[0]??arr[0],3; qs[2]!!o.in,n;
  if :: timeout -> skip :: (_nr_pr > 2 && nfull(qs[1])) || (len(qs[0]) == 2) :: nempty(qs[0]) :: qs[1]?[arr[0],3] fi;
  set_priority(_pid, 4); t = get_priority(me) + _priority; assert(~t != -3 && (t << 2) > 1 | 3 ^ 4);
  o.m = ack; printm(o.m); u = t % 7; h = 3; l = -l; colour = green;
  if :: n == (t > 2 -> 1 : 0) :: else fi;
  run W(o, 3) }
init { atomic { n = run W(o, 1); run D() } ; (_last == 1); Z[1]@lab; (Z[0]:t == 3) }
