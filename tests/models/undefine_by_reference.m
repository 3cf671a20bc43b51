-- expect: holds
-- states: 9
-- rules: 36
--
-- One rule undefines x by its name and another hands it on by reference; y is
-- undefined through a reference only.

var x : 0..1; y : 0..1;
procedure put1(var v : 0..1); begin v := 1; end;
procedure lose(var v : 0..1); begin undefine v; end;
startstate begin x := 0; y := 0; end;
rule "lose x" begin undefine x; end;
rule "give x" begin put1(x); end;
rule "lose y" begin lose(y); end;
rule "set y" begin y := 1; end;
