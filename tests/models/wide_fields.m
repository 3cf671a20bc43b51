-- expect: holds
-- states: 313
-- rules: 313
-- Fields of more than 49 bits beside small ones, in orders that need care when packed.
type W : 0..2000000000;
var a : boolean; w : W; b : 0..4; v : array [0..2] of W; c : boolean; k : 0..2;
startstate begin a := false; w := 1; b := 0; for i := 0 to 2 do v[i] := i; end; c := true; k := 0; end;
rule "grow" w < 1000000000 ==> begin w := w * 2; v[k] := w; k := (k + 1) % 3; a := !a; end;
rule "shrink" w >= 1000000000 ==> begin w := 1; b := (b + 1) % 5; c := !c; end;
invariant "kept" v[0] >= 0 & v[1] < 2000000000 & b <= 4;
