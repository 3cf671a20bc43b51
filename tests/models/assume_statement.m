-- expect: holds
-- states: 21
-- rules: 21
-- A failed assume statement makes the step not exist. It is not counted as fired.
var x : 0..9; y : 0..2;
startstate begin x := 0; y := 0; end;
rule "up" begin x := (x + 1) % 10; assume x != 7; end;
rule "reset" x = 6 ==> begin x := 0; y := (y + 1) % 3; end;
