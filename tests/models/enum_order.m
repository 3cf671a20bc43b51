-- expect: holds
-- states: 5
-- rules: 5
-- Enums: declaration order is the order of loops.
type E : enum { One, Two, Three, };
var e : E; n : 0..3;
startstate begin e := One; n := 0; end;
rule "last" begin for x : E do if x != e then n := (n + 1) % 4; e := x; end; end; end;
