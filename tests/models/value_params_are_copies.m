-- expect: holds
-- states: 7
-- rules: 7
-- A value parameter keeps its value when the variable it came from changes.
var x : 0..7;
function later(v : 0..7) : 0..7; begin x := 0; return v; end;
startstate begin x := 1; end;
rule "keep" var t : 0..7; begin t := later(x); assert x = 0; x := (t + 1) % 8; if x = 0 then x := 1; end; end;
invariant "never zero" x > 0;
