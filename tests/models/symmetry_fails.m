-- expect: violated "I"
-- trace: 1
-- rumur: no, its symmetry reduction takes no account of the order
-- The invariant is false for one element and cannot be evaluated for the other: which of the two
-- comes first depends on the names, and is not the same in a state and in its representative.
type P : scalarset(2);
var b : array [P] of boolean;
startstate begin for p : P do b[p] := true; end; end;
ruleset p : P; q : P do rule "r" p != q ==> begin b[p] := false; undefine b[q]; end; end;
invariant "I" forall p : P do b[p] end;
