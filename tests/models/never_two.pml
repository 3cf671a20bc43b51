// expect: violated "second"
// Claims and formulas are checked all, one after the other (SPIN: -N name).
byte x;

active proctype a() { do :: x = 1 - x od }
never first { do :: x == 2 -> break :: else od }
never second { do :: x == 1 -> break :: else od }
ltl third { [] (x < 2) }
