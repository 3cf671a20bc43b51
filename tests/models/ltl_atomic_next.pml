// expect: holds
// spin: no, X wants another compilation
// The next state is the one behind the atomic sequence.
byte x, z;

active proctype a() { do :: atomic { z = 1; if :: x = 2 :: x = 3 fi; x = 1 - z } od }
ltl next { [] (x == 0 && X (x == 0)) }
