-- expect: violated "assertions and errors"
-- states: 2
-- rules: 1
-- trace: 1
-- says: undefined
-- options: --deadlock off
--
-- The goal is reached in the start state; evaluating it one step later reads
-- an undefined value.  That is an error in whatever order states are visited.

var x: 0..1; y: boolean;
startstate begin x := 0; y := false; end;
rule "lose x" !y ==> begin undefine x; y := true; end;
cover "goal" x = 0;
