-- expect: holds
-- states: 8
-- rules: 8
--
-- An undefined argument is handed on, though its type is wider than the parameter's.

var y, z : 0..7;

function absent(x : 0..3) : boolean;
begin
  return isundefined(x);
end;

startstate begin y := 0; undefine z; end;
rule "up" absent(z) ==> begin y := (y + 1) % 8; end;
