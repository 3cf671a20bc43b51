-- error: 5:18 c
-- A field that the record does not have.
var r : record a : 0..3; b : boolean; end;
startstate begin clear r; end;
rule "r" begin r.c := 0; end;
