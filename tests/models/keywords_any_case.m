-- expect: holds
-- states: 6
-- rules: 8
-- Keywords in any case; names keep theirs.
CONST n : 3;
Type T : 0..n - 1; N : Scalarset(2);
Var X : 0..2; x : BOOLEAN;
StartState Begin X := 0; x := FALSE; End;
RULE "r" X < 2 ==> BEGIN X := X + 1; IF x = True THEN x := False; ELSE x := true; ENDIF; ENDRULE;
ruleSET k : 0..n - 1 DO Rule "s" X = 2 & k > 0 ==> Begin X := k - 1; EndRule; EndRuleset;
Invariant "i" ForAll b : Boolean Do b | X >= 0 EndForAll;
