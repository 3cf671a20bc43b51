-- expect: holds
-- states: 4
-- rules: 3
-- rumur: no, multisets
-- options: --deadlock off
--
-- The value that is added speaks of the multiset: it is known before a slot is filled (CMurphi: a
-- function's argument). So the first element is 0, the second 1, the third 2.

var m : multiset [3] of 0..3;
startstate begin undefine m; end;
rule "add" multisetcount(i : m, true) < 3 ==> begin multisetadd(multisetcount(i : m, true), m); end;
invariant "counted" forall v : 0..2 do
  multisetcount(i : m, m[i] = v) = (multisetcount(j : m, true) > v ? 1 : 0)
end;
