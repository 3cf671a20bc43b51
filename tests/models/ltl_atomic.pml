// expect: holds
// What is inside an atomic sequence is seen by no formula: x and y change together.
byte x, y, z;

active proctype a() { do :: atomic { x = 1 - x; if :: z = 0 :: z = 1 fi; y = 1 - y } od }
active proctype b() { z = 2 }
ltl together { [] (x == y) }
