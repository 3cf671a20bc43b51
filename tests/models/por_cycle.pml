// expect: violated "comes"
// options: --por on
// Process a can go round alone for ever; b must not be put off until that ends.
byte x;

active proctype a() { byte n; do :: n = 1 - n od }
active proctype b() { x = 1; x = 2 }
ltl comes { [] (x != 2) }
