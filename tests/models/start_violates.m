-- expect: violated "never two"
-- trace: 0
-- The second of two start states violates the invariant at once: a trace without steps.
var x : 0..3;
startstate "good" begin x := 0; end;
startstate "bad" begin x := 2; end;
rule "flip" begin x := 3 - x; end;
invariant "never two" x != 2;
