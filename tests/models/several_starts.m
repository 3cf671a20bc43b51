-- expect: holds
-- states: 12
-- rules: 12
-- Start states from a ruleset; two of the instances give the same state.
var a : 0..5; b : boolean;
ruleset i : 0..3 do
  startstate "from" begin a := i / 2; b := i > 1; end;
end;
rule "up" a < 5 ==> begin a := a + 1; end;
rule "wrap" a = 5 ==> begin a := 0; b := !b; end;
