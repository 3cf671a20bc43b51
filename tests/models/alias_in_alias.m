-- expect: holds
-- states: 8
-- rules: 8
-- An alias of an alias, and of an expression.
type R : record v : array [0..1] of 0..3; end;
var r : array [0..1] of R; k : 0..1;
startstate begin for i := 0 to 1 do for j := 0 to 1 do r[i].v[j] := 0; end; end; k := 0; end;
rule "step" begin
  alias row : r[k]; cell : row.v[k]; do
    cell := (cell + 1) % 4;
    alias other : row.v[1 - k]; do other := cell; end;
  end;
  k := 1 - k;
end;
