-- expect: violated "three"
-- states: 3
-- rules: 4
-- rumur: no, it counts what a step covers before its assumption fails
--
-- A step in which assume fails does not exist, and what it reached before does not count. x is 0, 1 or 2: two
-- steps up, two down; the third step up is dropped.

var x : 0..3;
startstate begin x := 0; end;
rule "up" x < 3 ==> begin x := x + 1; cover "three" x = 3; assume x < 3; end;
rule "down" x > 0 ==> begin x := x - 1; end;
