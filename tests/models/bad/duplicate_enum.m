-- error: 4:12 B
-- An enum member that another enum has.
type E : enum { A, B };
F : enum { B, C };
var e : E;
startstate begin e := A; end;
rule "r" begin e := B; end;
