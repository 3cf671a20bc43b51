-- expect: violated "assertions and errors"
-- trace: 4
-- says: out of range
--
-- An argument outside its parameter's type in an invariant, which would hold by its value.

var y : 0..7;

function small(x : 0..3) : boolean;
begin
  return x < 10;
end;

startstate begin y := 0; end;
rule "up" true ==> begin y := (y + 1) % 8; end;
invariant "small" small(y);
