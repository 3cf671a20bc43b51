-- error: 5:26 boolean
-- A boolean where a number belongs.
var x : 0..3; b : boolean;
startstate begin x := 0; b := true; end;
rule "r" x < 3 ==> begin x := b; end;
