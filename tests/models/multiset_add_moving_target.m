-- expect: holds
-- states: 3
-- rules: 2
-- rumur: no, multisets
-- options: --deadlock off
--
-- Which multiset is meant is decided once, before the element is in it.

type W : 0..1;
var q : array [W] of multiset [2] of 0..1;
startstate begin undefine q; end;
rule "add" multisetcount(i : q[1], true) = 0 ==>
begin multisetadd(1, q[multisetcount(i : q[0], true)]); end;
invariant "in turn" multisetcount(i : q[1], true) <= multisetcount(j : q[0], true);
