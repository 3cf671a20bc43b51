-- expect: violated "assertions and errors"
-- rumur: no, multisets
-- trace: 3
-- Adding a third element to a multiset of two.
var m : multiset [2] of boolean;
startstate begin undefine m; end;
ruleset b : boolean do rule "add" begin multisetadd(b, m); end; end;
