-- expect: holds
-- states: 5
-- rules: 4
-- options: --deadlock off
-- A stuck state is fine when deadlocks are not looked for.
var x : 0..4;
startstate begin x := 0; end;
rule "up" x < 4 ==> begin x := x + 1; end;
