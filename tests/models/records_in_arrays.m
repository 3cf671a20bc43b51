-- expect: holds
-- states: 4397
-- rules: 13475
-- options: --deadlock stuck
-- Records in arrays in records, copied as wholes.
type In : record x : 0..2; y : boolean; end;
     Out : record n : 0..1; row : array [0..1] of In; end;
var m : array [0..1] of Out; t : In;
startstate begin
  for i := 0 to 1 do m[i].n := 0; for j := 0 to 1 do m[i].row[j].x := j; m[i].row[j].y := false; end; end;
  t.x := 0; t.y := true;
end;
rule "rotate" begin t := m[0].row[0]; m[0].row[0] := m[0].row[1]; m[0].row[1] := m[1].row[0];
  m[1].row[0] := m[1].row[1]; m[1].row[1] := t; end;
ruleset i : 0..1 do rule "bump" m[i].row[i].x < 2 ==> begin m[i].row[i].x := m[i].row[i].x + 1; m[i].n := 1 - m[i].n; end;
rule "rows" m[i].n = 1 ==> begin m[1 - i].row := m[i].row; m[i].row[0].y := !m[i].row[0].y; end; end;
