-- expect: holds
-- states: 1
-- rules: 1
-- options: --deadlock off
-- A model without any state: one state, of no bits.
startstate begin end;
rule "nothing" begin end;
