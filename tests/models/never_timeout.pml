// expect: violated "never_0"
// In a claim timeout is true where nothing else can happen.
byte x;

active proctype a() { x = 1; x == 2; x = 3; do :: x = 4 od }
active proctype b() { timeout -> x = 2 }
never { do :: timeout -> break :: !timeout od; do :: x == 3 -> break :: true od }
