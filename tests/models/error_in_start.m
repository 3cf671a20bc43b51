-- expect: violated "assertions and errors"
-- trace: 0
-- The start state itself runs into an error: a trace of no steps.
var x : 0..9;
startstate "s" begin x := 1; error "no way to begin"; end;
rule "up" begin x := 0; end;
