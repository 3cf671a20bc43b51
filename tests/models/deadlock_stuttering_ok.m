-- expect: holds
-- states: 5
-- rules: 9
-- options: --deadlock stuck
-- The same with --deadlock stuck: an enabled rule is enough.
var x : 0..4;
startstate begin x := 0; end;
rule "up" x < 4 ==> begin x := x + 1; end;
rule "idle" begin x := x; end;
