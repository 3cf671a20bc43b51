-- expect: violated "never p"
-- rumur: no, unions
-- trace: 1
-- ismember tells the parts of a union apart.
type P : scalarset(2); H : enum { Home, Away }; U : union { P, H };
var who : U;
startstate begin who := Home; end;
ruleset u : U do rule "set" begin who := u; end; end;
invariant "never p" ismember(who, H);
