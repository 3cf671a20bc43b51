-- error: 5:36
-- A ruleset's parameter cannot be written to.
var x : 0..3;
startstate begin x := 0; end;
ruleset i : 0..3 do rule "r" begin i := 2; end; end;
