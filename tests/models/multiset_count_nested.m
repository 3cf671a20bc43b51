-- expect: holds
-- states: 20
-- rules: 30
-- rumur: no, multisets
-- options: --deadlock off
--
-- A count inside a count, and slots compared with each other. Contents as counts (n0, n1, n2) with a sum of at
-- most 3: 20 states; three additions in each of the 10 with a sum below 3. Pairs of equal elements are counted
-- in two ways, and n * (n - 1) ordered pairs of different slots.

type V : 0..2;
var m : multiset [3] of V;
function number(v : V) : 0..3; begin return multisetcount(i : m, m[i] = v); end;
startstate begin undefine m; end;
ruleset v : V do
  rule "add" multisetcount(i : m, true) < 3 ==> begin multisetadd(v, m); end;
end;
invariant "pairs" forall v : V do
  multisetcount(i : m, m[i] = v & multisetcount(j : m, i != j & m[j] = m[i]) = number(v) - 1) = number(v)
end;
invariant "alone" multisetcount(i : m, multisetcount(j : m, i = j) = 1) = multisetcount(k : m, true);
