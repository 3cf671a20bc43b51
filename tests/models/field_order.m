-- expect: holds
-- states: 30
-- rules: 30
-- Fields of many widths in an awkward order: packing must not let them touch each other.
type R : record a : boolean; b : 0..100; c : 0..1; d : 0..70000; e : boolean; f : 0..2; g : 0..1000000; end;
var r : array [0..2] of R; i : 0..2;
startstate begin for k := 0 to 2 do clear r[k]; end; i := 0; end;
rule "touch" begin
  alias q : r[i] do
    q.a := !q.a; q.b := (q.b + 37) % 101; q.c := 1 - q.c; q.d := (q.d + 33333) % 70001;
    q.e := !q.e; q.f := (q.f + 1) % 3; q.g := (q.g + 500000) % 1000001;
    if q.f = 0 then i := (i + 1) % 3; end;
    if q.b > 90 then clear r[i]; end;
  end;
end;
invariant "sums" forall k : 0..2 do r[k].a = r[k].e & (r[k].c = 1) = r[k].a end;
