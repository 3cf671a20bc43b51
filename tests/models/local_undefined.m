-- expect: violated "assertions and errors"
-- trace: 3
-- A local starts undefined each time, whatever it held before.
var x : 0..3;
startstate begin x := 0; end;
rule "r" var t : 0..3; begin if x < 2 then t := x + 1; end; x := t; end;
