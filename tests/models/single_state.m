-- expect: violated "deadlock"
-- trace: 0
-- One state and no rule that leaves it.
var x : boolean;
startstate begin x := true; end;
rule "never" !x ==> begin x := false; end;
