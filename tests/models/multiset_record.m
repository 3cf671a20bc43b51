-- expect: violated "never three"
-- rumur: no, multisets
-- trace: 3
-- Records as elements, counted by a condition on their fields.
type R : record a : 0..1; b : boolean; end;
var m : multiset [4] of R; r : R;
startstate begin undefine m; undefine r; end;
rule "one" multisetcount(i : m, m[i].a = 1) < 4 ==> begin r.a := 1; r.b := true; multisetadd(r, m); undefine r; end;
choose i : m do rule "drop" m[i].b ==> begin multisetremovepred(j : m, m[j].a = 1); end; end;
invariant "never three" multisetcount(i : m, m[i].a = 1) != 3;
