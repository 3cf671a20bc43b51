-- expect: violated "assertions and errors"
-- trace: 2
-- says: out of range
-- rumur: no, multisets
--
-- The value is checked before there is found to be no room for it.

var m : multiset [1] of 0..1; x : 0..3;
startstate begin undefine m; x := 0; end;
rule "add" begin x := x + 1; multisetadd(x, m); end;
