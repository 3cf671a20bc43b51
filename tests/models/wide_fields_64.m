-- expect: holds
-- rumur: no, its value type has 32 bits here
-- states: 120
-- rules: 120
-- Fields of 50, 60 and 63 bits. One cycle: w doubles from 1 to 2^59 (60 values), then falls back
-- to 1 and a flips: 60 * 2 = 120 states, one rule enabled in each.
var a : boolean; w : 0..1152921504606846975; b : 0..1125899906842623; c : -1..4611686018427387903;
startstate begin a := false; w := 1; b := 0; c := -1; end;
rule "double" w < 576460752303423488 ==> begin w := w * 2; b := w % 1125899906842624; c := w * 4 - 1; end;
rule "back" w = 576460752303423488 ==> begin w := 1; a := !a; b := 0; c := -1; end;
