-- expect: holds
-- states: 4
-- rules: 4
-- put prints, and changes nothing.
var x : 0..3;
startstate begin x := 0; put "started"; end;
rule "tick" begin put "x is "; put x; x := (x + 1) % 4; end;
