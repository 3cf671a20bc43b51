-- expect: unknown "depth"
-- options: --depth 4
-- rumur: no, the bound is ours
--
-- The long way round a diamond is tried first, so that its end is met at the
-- bound; nothing is violated within it, and there is more behind.

var x : 0..20;
startstate begin x := 0; end;
rule "slow" x < 10 ==> begin x := x + 1; end;
rule "quick" x = 0 ==> begin x := 10; end;
rule "on" x >= 10 & x < 20 ==> begin x := x + 1; end;
rule "round" x = 20 ==> begin x := 0; end;
invariant "goal" x != 14;
