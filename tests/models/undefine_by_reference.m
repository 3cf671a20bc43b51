-- expect: holds
-- states: 9
-- rules: 36
--
-- A variable that one rule undefines and another hands on by reference: both
-- x and y are reached through v, x is undefined by name and y through v.

var x : 0..1; y : 0..1;
procedure put1(var v : 0..1); begin v := 1; end;
procedure lose(var v : 0..1); begin undefine v; end;
startstate begin x := 0; y := 0; end;
rule "lose x" begin undefine x; end;
rule "give x" begin put1(x); end;
rule "give y" begin put1(y); end;
rule "lose y" begin lose(y); end;
