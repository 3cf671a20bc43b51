-- expect: holds
-- states: 64
-- rules: 176
-- var parameters: the callee writes the caller's variable, an array element, a record field.
type V : 0..3; R : record a, b : V; end;
var r : R; m : array [0..1] of V;
procedure swap(var p : V; var q : V); var t : V; begin t := p; p := q; q := t; end;
procedure bump(var p : V); begin p := (p + 1) % 4; end;
procedure both(var s : R); begin bump(s.a); swap(s.a, s.b); end;
startstate begin r.a := 0; r.b := 1; m[0] := 2; m[1] := 3; end;
rule "swap" begin swap(r.a, m[0]); end;
rule "both" begin both(r); end;
ruleset i : 0..1 do rule "bump" m[i] < 3 ==> begin bump(m[i]); end; end;
