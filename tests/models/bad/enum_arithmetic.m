-- error: 5:21
-- Enums are not numbers.
type E : enum { A, B }; var e : E;
startstate begin e := A; end;
rule "r" begin e := A + 1; end;
