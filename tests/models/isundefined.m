-- expect: holds
-- states: 14
-- rules: 21
-- isundefined, undefine and clear of scalars and of whole records.
type R : record a : 0..3; b : boolean; end;
var r : R; n : 0..2;
startstate begin undefine r; n := 0; end;
rule "set" isundefined(r.a) ==> begin r.a := n; end;
rule "set b" isundefined(r.b) ==> begin r.b := n = 1; end;
rule "forget" !isundefined(r.a) & !isundefined(r.b) ==> begin undefine r; n := (n + 1) % 3; end;
rule "zero" !isundefined(r.a) & r.a > 0 ==> begin clear r; end;
invariant "clear gives the smallest" isundefined(r.b) | r.b = false | n > 0;
