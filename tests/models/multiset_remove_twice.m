-- expect: violated "assertions and errors"
-- trace: 1
-- says: still there
-- rumur: no, multisets
--
-- An element can be removed once (CMurphi: "Illegal Multiset element selected").

var m : multiset [2] of 0..1;
startstate begin undefine m; multisetadd(0, m); multisetadd(1, m); end;
choose i : m do rule "twice" begin multisetremove(i, m); multisetremove(i, m); end; end;
