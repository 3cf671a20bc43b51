-- expect: holds
-- states: 10
-- rules: 20
-- return leaves loops and switches of its function.
var x : 0..9;
function first(limit : 0..9) : 0..9;
begin
  for i := 0 to 9 do
    switch i case 7: return 7; else if i * i > limit then return i; end; end;
  end;
  return 9;
end;
startstate begin x := 0; end;
rule "go" begin x := (first(x) + x) % 10; end;
rule "up" begin x := (x + 1) % 10; end;
