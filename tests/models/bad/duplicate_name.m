-- error: 4:1 x
-- The same name twice in one scope.
var x : 0..3;
x : boolean;
startstate begin x := 0; end;
rule "r" begin x := 0; end;
