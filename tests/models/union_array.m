-- expect: holds
-- rumur: no, unions
-- states: 16
-- rules: 64
-- An array indexed by a union of a scalarset of two and an enum of two: four booleans, every
-- combination reachable (2^4 = 16), and four instances of "flip" fire in each (64).
type P : scalarset(2); H : enum { Home, Away }; U : union { P, H };
var a : array [U] of boolean;
startstate begin for u : U do a[u] := false; end; end;
ruleset u : U do rule "flip" begin a[u] := !a[u]; end; end;
