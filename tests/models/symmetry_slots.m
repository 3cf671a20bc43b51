-- expect: violated "the marked one is left"
-- trace: 4
-- rumur: no, no multisets
-- The slots of a multiset are in the order of their elements' names. What is removed one by one as
-- long as there is more than one depends on that order.
type P : scalarset(2);
var mark : array [P] of boolean; net : multiset [2] of P; pruned : boolean;
startstate begin undefine net; for p : P do mark[p] := false; end; pruned := false; end;
ruleset p : P do
  rule "mark" forall q : P do !mark[q] end ==> begin mark[p] := true; end;
  rule "add" multisetcount(o : net, net[o] = p) = 0 & !pruned ==> begin multisetadd(p, net); end;
end;
rule "prune" multisetcount(o : net, true) = 2 & exists p : P do mark[p] end ==>
begin multisetremovepred(o : net, multisetcount(o2 : net, true) > 1); pruned := true; end;
rule "again" pruned ==> begin undefine net; pruned := false; end;
invariant "the marked one is left" pruned -> forall p : P do multisetcount(o : net, net[o] = p) = 1 -> mark[p] end;
