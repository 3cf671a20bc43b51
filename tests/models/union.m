-- expect: holds
-- rumur: no, unions
-- states: 12
-- rules: 36
-- A union of a scalarset and an enum. who takes 3 + 1 values, n takes 3, all 12 combinations are
-- reachable, and the three instances of "set" fire in each: 36.
type P : scalarset(3); H : enum { Home }; U : union { P, H };
var who : U; n : 0..2;
startstate begin who := Home; n := 0; end;
ruleset p : P do rule "set" begin
  if who = p then who := Home; else who := p; end;
  n := (n + 1) % 3;
end; end;
