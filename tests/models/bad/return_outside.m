-- error: 4:37 procedure
-- A value returned by a procedure.
var x : 0..3;
procedure p(); begin x := 0; return 1; end;
startstate begin x := 0; end;
rule "r" begin p(); end;
