-- error: 1:1 start
-- There is no start state.
var x : 0..3;
rule "r" begin x := 0; end;
