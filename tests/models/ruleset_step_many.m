-- expect: holds
-- rumur: no, it crashes on a ruleset over a range with steps
-- states: 1000
-- rules: 1000000
--
-- More instances than anyone writes out, of a parameter that goes in steps.

var x : 0..2997;
startstate begin x := 0; end;
ruleset i := 0 to 2997 by 3 do
  rule "set" begin x := i; end;
end;
invariant "thirds" x % 3 = 0;
