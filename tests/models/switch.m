-- expect: holds
-- states: 10
-- rules: 13
-- switch with several values a case, an else, and one without a match.
type S : enum { Red, Green, Blue, Black, White };
var s : S; n : 0..3;
startstate begin s := Red; n := 0; end;
rule "turn" begin
  switch s
  case Red, Blue: s := Green; n := (n + 1) % 4;
  case Green: if n > 1 then s := Black; else s := Blue; end;
  else s := White;
  end;
end;
rule "white" s = White ==> begin switch n case 0: n := 1; case 1, 2: s := Red; end; end;
rule "home" s = White & n = 3 ==> begin s := Red; n := 0; end;
