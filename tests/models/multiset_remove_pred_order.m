-- expect: holds
-- states: 2
-- rules: 2
-- rumur: no, multisets
-- options: --deadlock off
--
-- multisetremovepred takes element by element, and its condition sees what is already gone (as in
-- CMurphi): of three equal elements two go, since the third is no longer one of several.

var m : multiset [3] of 0..1; again : boolean;
startstate begin undefine m; multisetadd(1, m); multisetadd(1, m); multisetadd(1, m); again := false; end;
rule "thin" begin
  multisetremovepred(i : m, multisetcount(j : m, m[j] = m[i]) > 1);
  assert multisetcount(i : m, true) = 1;
  multisetadd(1, m);
  again := true;
end;
invariant "few" again -> multisetcount(i : m, true) = 2;
