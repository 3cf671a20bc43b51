-- expect: holds
-- states: 189
-- rules: 405
-- Aliases around rules, with rulesets inside and outside.
type N : 0..2; R : record st : enum { Idle, Busy }; cnt : 0..2; end;
var p : array [N] of R;
startstate begin for n : N do p[n].st := Idle; p[n].cnt := 0; end; end;
ruleset n : N do
  alias me : p[n]; next : p[(n + 1) % 3] do
    rule "work" me.st = Idle & next.st = Idle ==> begin me.st := Busy; end;
    rule "done" me.st = Busy ==> begin me.st := Idle; me.cnt := (me.cnt + 1) % 3; end;
    invariant "not both" !(me.st = Busy & next.st = Busy) | me.cnt <= 2;
  end;
end;
