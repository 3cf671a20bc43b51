-- expect: violated "assertions and errors"
-- trace: 4
-- says: out of range
-- with: KIND=1 expect: violated "assertions and errors" trace: 4
-- with: KIND=2 expect: violated "assertions and errors" trace: 4
-- with: KIND=3 expect: violated "assertions and errors" trace: 4
-- with: KIND=4 expect: violated "assertions and errors" trace: 4
-- with: KIND=5 expect: holds states: 9 rules: 9
--
-- The argument is out of range right of & | ->, in ?: and in a quantifier, where it is evaluated; where it
-- is skipped nothing happens.

const KIND : 0;
var y : 0..7; b : boolean;

function small(x : 0..3) : boolean;
begin
  return x < 10;
end;

startstate begin y := 0; b := false; end;
rule "up" true ==>
begin
  y := (y + 1) % 8;
  switch KIND
    case 0: b := y < 8 & small(y);
    case 1: b := y = 9 | small(y);
    case 2: b := y < 8 -> small(y);
    case 3: b := y = 9 ? true : small(y);
    case 4: b := exists i : 0..1 do small(y + i - i) end;
    else b := y < 4 & small(y);
  end;
end;
