-- expect: holds
-- states: 16
-- rules: 48
-- rumur: no, multisets
--
-- The multiset of a slot may be written as in the choose or as an alias of it. Each of two nets is empty or holds
-- one of three values: 16 states. A net is empty in 4 of them (3 additions) and full in 12 (1 removal): 2 * 24 = 48.

type P : scalarset (2); V : 0..2;
var net : array [P] of multiset [1] of V;
startstate begin undefine net; end;
ruleset p : P; v : V do
  rule "add" multisetcount(i : net[p], true) = 0 ==> begin multisetadd(v, net[p]); end;
end;
ruleset p : P do alias n : net[p] do choose i : net[p] do
  rule "take" n[i] <= 2 ==> begin assert n[i] = net[p][i]; multisetremove(i, n); end;
end; end; end;
