-- error: 4:12
-- A string that never ends.
var x : 0..3;
startstate "begin begin x := 0; end;
rule r x < 3 ==> begin x := x + 1; end;
