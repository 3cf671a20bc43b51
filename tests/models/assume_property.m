-- expect: holds
-- states: 13
-- rules: 26
-- A global assumption: states outside it are not part of the model.
var x, y : 0..4;
startstate begin x := 0; y := 0; end;
rule "x" begin x := (x + 1) % 5; end;
rule "y" begin y := (y + 1) % 5; end;
assume "not far apart" x - y <= 1 & y - x <= 1;
invariant "close" x - y < 2;
