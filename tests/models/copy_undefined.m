-- expect: holds
-- states: 4
-- rules: 4
-- Assigning a whole record copies undefined fields without an error.
type R : record a : 0..2; b : 0..2; end;
var p : R; q : R; k : 0..3;
startstate begin k := 0; end;
rule "half" k = 0 ==> begin p.a := 2; k := 1; end;
rule "copy" k = 1 ==> begin q := p; k := 2; end;
rule "rest" k = 2 ==> begin q.b := 1; p := q; k := 3; end;
rule "again" k = 3 ==> begin undefine p; undefine q; k := 0; end;
invariant "copied" k = 2 -> q.a = 2 & isundefined(q.b);
