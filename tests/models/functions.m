-- expect: holds
-- states: 31
-- rules: 45
-- Functions with value parameters, locals and early returns, used in guards and invariants.
type V : 0..6;
var x, y : V;
function max(a, b : V) : V; begin if a > b then return a; end; return b; end;
function gcd(a : V; b : V) : V;
var p, q, t : V;
begin
  p := a; q := b;
  while q != 0 do t := p % q; p := q; q := t; end;
  return p;
end;
startstate begin x := 0; y := 1; end;
rule "x" max(x, y) < 6 ==> begin x := max(x, y) + 1; end;
rule "y" gcd(x, y) = 1 ==> begin y := x; end;
rule "reset" x = 6 ==> begin x := y % 3; y := gcd(x, y) % 4; end;
invariant "divides" gcd(x, y) = 0 | x % gcd(x, y) = 0 & y % gcd(x, y) = 0;
