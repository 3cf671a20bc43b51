-- expect: holds
-- states: 4
-- rules: 8
-- Start states that fail an assumption are dropped too.
var x : 0..9;
ruleset i : 0..9 do startstate begin x := i; end; end;
rule "same" begin x := x; end;
rule "down" x > 0 ==> begin x := x - 1; end;
rule "up" x = 0 ==> begin x := 1; end;
assume "small" x < 4;
