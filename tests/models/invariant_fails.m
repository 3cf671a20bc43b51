-- expect: violated "below four"
-- trace: 4
-- with: LIMIT=9 expect: holds states: 8 rules: 8
-- A counter that runs past what the invariant allows; a larger limit lets it hold.
const LIMIT : 4;
var x : 0..7;
startstate begin x := 0; end;
rule "up" x < 7 ==> begin x := x + 1; end;
rule "back" x = 7 ==> begin x := 0; end;
invariant "below four" x < LIMIT;
