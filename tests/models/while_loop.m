-- expect: holds
-- states: 11
-- rules: 11
-- A while loop that ends; its variable is a local.
var s : 0..45; n : 0..9;
startstate begin s := 0; n := 0; end;
rule "sum"
var i : 0..10;
begin
  i := 0; s := 0;
  while i <= n do s := s + i; i := i + 1; end;
  n := (n + 1) % 10;
end;
invariant "triangle" n > 0 -> s = n * (n - 1) / 2;
