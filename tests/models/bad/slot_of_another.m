-- error: 7:59 'i' is a slot of m
-- error: 8:57 'j' is a slot of q[0]
-- error: 9:33 'i' is a slot of m
-- The variable of a choose or a count speaks of its own multiset only, and is no number.
var m : multiset [3] of 0..3; n : multiset [2] of 0..1; q : array [0..1] of multiset [2] of 0..1; x : 0..3;
startstate begin x := 0; end;
choose i : m do rule "other" begin x := 1; multisetremove(i, n); end; end;
choose j : q[0] do rule "array" begin x := 1; x := q[1][j]; end; end;
choose i : m do rule begin x := i; end; end;
