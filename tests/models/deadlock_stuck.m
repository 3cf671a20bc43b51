-- expect: violated "deadlock"
-- trace: 4
-- with: STOP=0 expect: holds states: 5 rules: 5
-- No rule is enabled in the last state.
const STOP : 1;
var x : 0..4;
startstate begin x := 0; end;
rule "up" x < 4 ==> begin x := x + 1; end;
rule "wrap" x = 4 & STOP = 0 ==> begin x := 0; end;
