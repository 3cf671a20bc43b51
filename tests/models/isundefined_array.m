-- expect: holds
-- states: 81
-- rules: 324
-- Elements become undefined one at a time.
var a : array [0..3] of 1..2;
startstate begin for i := 0 to 3 do a[i] := 1; end; end;
ruleset i : 0..3 do
  rule "lose" !isundefined(a[i]) & a[i] = 2 ==> begin undefine a[i]; end;
  rule "set" isundefined(a[i]) | a[i] = 1 ==> begin a[i] := 2; end;
end;
