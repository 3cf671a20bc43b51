-- expect: violated "assertions and errors"
-- trace: 3
-- says: undefined
--
-- The left side of a guard fails although the right side, which does not
-- depend on the ruleset's parameter, is false: left comes first.

var a : array [0..2] of 0..1; done : boolean; x : 0..1;
startstate begin clear a; done := false; x := 0; end;
rule "done" x = 0 & !done ==> begin done := true; end;
rule "lose" x = 0 & done ==> begin x := 1; undefine a[2]; end;
ruleset i : 0..2 do
  rule "use" a[i] = 1 & x = 0 ==> begin a[i] := 0; end;
end;
