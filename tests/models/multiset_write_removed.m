-- expect: violated "deadlock"
-- states: 2
-- trace: 1
-- rumur: no, no multisets
-- What is written into a slot after its element was removed is no part of the multiset: the state
-- is that of an empty one.
var m : multiset [1] of 0..1;
startstate multisetadd(0, m); end;
ruleset v : 0..1 do choose c : m do
  rule "take" begin multisetremove(c, m); m[c] := v; end;
end; end;
rule "idle" begin end;
