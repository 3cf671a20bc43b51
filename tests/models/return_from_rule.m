-- expect: holds
-- states: 4
-- rules: 4
-- A return without a value in a procedure and in a rule's body.
var x : 0..5;
procedure p(); begin if x = 3 then x := 0; return; end; x := x + 1; end;
startstate begin x := 0; end;
rule "p" begin p(); end;
