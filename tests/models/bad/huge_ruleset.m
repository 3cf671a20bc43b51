-- error: 5:47 instances
-- A ruleset of a thousand million instances: a sentence, not a hang.
var x : 0..3;
startstate begin x := 0; end;
ruleset i : 0..999; j : 0..999; k : 0..999 do rule "r" begin x := 0; end; end;
