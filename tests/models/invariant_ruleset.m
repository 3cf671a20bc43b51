-- expect: violated "limit"
-- trace: 2
-- An invariant inside a ruleset: one obligation per instance.
type N : 0..2;
var c : array [N] of 0..4;
startstate begin for n : N do c[n] := 0; end; end;
ruleset n : N do
  rule "up" c[n] < 4 ==> begin c[n] := c[n] + 1; end;
  invariant "limit" c[n] <= n + 1;
end;
