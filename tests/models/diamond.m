-- expect: violated "goal"
-- trace: 5
-- Two ways to the goal, the longer one tried first: breadth-first must show the short one, and a
-- depth-first search must not miss what lies behind.
var x : 0..20;
startstate begin x := 0; end;
rule "slow" x < 10 ==> begin x := x + 1; end;
rule "quick" x = 0 ==> begin x := 10; end;
rule "on" x >= 10 & x < 20 ==> begin x := x + 1; end;
rule "round" x = 20 ==> begin x := 0; end;
invariant "goal" x != 14;
