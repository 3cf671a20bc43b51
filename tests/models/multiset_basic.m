-- expect: holds
-- rumur: no, multisets
-- states: 10
-- rules: 32
-- A multiset of up to three elements of 0..1. Contents as counts (n0, n1) with n0 + n1 <= 3:
-- 10 states. "add" (two instances) is enabled with fewer than 3 elements: 6 states, 12 firings.
-- choose fires once per element: sums of sizes 0*1 + 1*2 + 2*3 + 3*4 = 20, so
-- 12 + 20 = 32 rules fire: equal elements count apart.
type V : 0..1; var m : multiset [3] of V;
startstate begin undefine m; end;
ruleset v : V do rule "add" multisetcount(i : m, true) < 3 ==> begin multisetadd(v, m); end; end;
choose i : m do rule "take" begin multisetremove(i, m); end; end;
