-- expect: holds
-- states: 6
-- rules: 12
-- Inner declarations shadow outer ones.
const k : 2;
var x : 0..5;
function f(x : 0..5) : 0..5; var k : 0..9; begin k := 3; return (x + k) % 6; end;
startstate begin x := 0; end;
rule "r" var y : 0..9; begin y := k; x := f(x) ; for x : 0..1 do y := y + x; end; assert y = 3; end;
rule "s" begin x := (x + 1) % 6; end;
