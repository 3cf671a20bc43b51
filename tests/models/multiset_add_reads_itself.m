-- expect: holds
-- states: 4
-- rules: 3
-- rumur: no, multisets
-- options: --deadlock off
--
-- No element is read before it is there: 0 zeros, then one, then still one: {0}, {0, 1}, {0, 1, 1}.

var m : multiset [3] of 0..3;
startstate begin undefine m; end;
rule "add" multisetcount(i : m, true) < 3 ==> begin multisetadd(multisetcount(i : m, m[i] = 0), m); end;
invariant "one zero" multisetcount(i : m, true) > 0 -> multisetcount(i : m, m[i] = 0) = 1;
