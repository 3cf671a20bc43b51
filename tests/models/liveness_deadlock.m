-- expect: violated "leaves"
-- options: --deadlock off
-- trace: 3
-- says: no other state can be reached from it
-- A state without successors reaches nothing but itself.
var x : 0..3;
startstate begin x := 0; end;
rule "up" x < 3 ==> begin x := x + 1; end;
rule "back" x = 1 ==> begin x := 0; end;
liveness "leaves" x < 3;
liveness "two or more" x >= 2;
