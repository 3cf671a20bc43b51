-- expect: holds
-- states: 4
-- rules: 4
-- Comments of both kinds, everywhere. /* not the start of one
/* a comment -- over
   several ** lines * /
 **/
var /* here */ x : 0..3; -- there "not a string
startstate "s" /* -- */ begin x := 0; end /**/;
rule "a -- b /* c" x < 3 /***/ ==> -- guard
begin x := x + 1; /* x := 0; */ end;
rule "back" x=3==>begin x:=0;end;
