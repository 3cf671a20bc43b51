-- expect: violated "assertions and errors"
-- trace: 4
-- says: out of range
--
-- An argument outside the parameter's type is an error of the call, before the
-- index that is made of it.

var y : 0..9; a : array [0..3] of boolean;

function at(i : 0..3) : boolean;
begin
  return a[i];
end;

startstate begin y := 0; clear a; end;
rule "up" y < 9 ==> begin y := y + 1; a[1] := at(y); end;
