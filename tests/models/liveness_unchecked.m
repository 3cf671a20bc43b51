-- expect: unknown
-- rumur: no, Rumur checks liveness, we do not yet
-- states: 10
-- rules: 10
-- Liveness is parsed and kept, its check comes later: never silence, never `holds`.
var x : 0..9;
startstate begin x := 0; end;
rule "up" begin x := (x + 1) % 10; end;
liveness "back to zero" x = 0;
