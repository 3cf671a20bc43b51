-- expect: violated "deadlock"
-- trace: 4
-- In the last state a rule is enabled but changes nothing: a deadlock by default, as in Rumur.
var x : 0..4;
startstate begin x := 0; end;
rule "up" x < 4 ==> begin x := x + 1; end;
rule "idle" begin x := x; end;
