-- expect: violated "assertions and errors"
-- trace: 5
-- says: out of range
--
-- An argument by value is checked wherever the call stands: here in a guard. y reaches 4 after four steps, and the rule is tried in the fifth.

var y : 0..7;

function small(x : 0..3) : boolean;
begin
  return x < 10;
end;

startstate begin y := 0; end;
rule "up" small(y) ==> begin y := (y + 1) % 8; end;
