-- expect: holds
-- states: 8
-- rules: 10
-- The operators in Unicode: ≔ ≤ ≥ ≠ ¬ ∧ ∨ → ∀ ∃ ⇒, and its quotes.
type I : 0..2;
var a : array [I] of boolean; n : I;
startstate "begin" begin for i : I do a[i] ≔ false; end; n ≔ 0; end;
rule "set" ∃ i : I do ¬a[i] end ∧ n ≥ 0 ⇒ begin a[n] ≔ true; n ≔ (n + 1) % 3; end;
rule "clear" ∀ i : I do a[i] end ∨ n ≠ 0 ∧ n ≤ 1 ⇒ begin a[n] ≔ false; end;
invariant “follows” ∀ i : I do a[i] → ∃ j : I do a[j] end end;
