-- expect: holds
-- states: 360
-- rules: 2520
-- rumur: no, no multisets
-- Loops over a scalarset whose order makes no difference: their own places, sums, flags, locals of a
-- round, a multiset. Symmetry stays on.
type P : scalarset(2);
var n : array [P] of 0..2; sum : 0..4; some : boolean; net : multiset [2] of P;
procedure Up(var v : 0..2); begin if v < 2 then v := v + 1; end; end;
startstate begin for p : P do n[p] := 0; end; sum := 0; some := false; undefine net; end;
ruleset p : P do rule "up" begin Up(n[p]); end; end;
rule "all" begin for p : P do Up(n[p]); end; end;
rule "sum" begin sum := 0; for p : P do sum := sum + n[p]; end; end;
rule "some" begin some := false; for p : P do if n[p] = 2 then some := true; end; end; end;
rule "net" var big : boolean;
begin
  undefine net;
  for p : P do
    big := n[p] > 1;
    if big then multisetadd(p, net); end;
  end;
end;
rule "reset" begin for p : P do n[p] := 0; end; end;
invariant "no more than there are" multisetcount(o : net, true) <= 2 & sum <= 4;
