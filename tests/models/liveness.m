-- expect: holds
-- states: 10
-- rules: 10
-- From every state zero can be reached again.
var x : 0..9;
startstate begin x := 0; end;
rule "up" begin x := (x + 1) % 10; end;
liveness "back to zero" x = 0;
