// expect: violated "p"
// A strong until wants what it waits for; a weak one does not.
bool a = true, b;

active proctype p1() { do :: a = true od }
ltl q { a W b }
ltl p { a U b }
