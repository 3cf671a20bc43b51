-- error: 6:18 a
-- error: 7:26 b
-- error: 8:23 c
-- Several errors are found in one run.
var x : 0..3;
startstate begin a := 0; end;
rule "r" x < 3 ==> begin b := x + 1; end;
invariant "i" x < 3 & c;
