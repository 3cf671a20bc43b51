// expect: violated "never_0"
// enabled and pc_value in claims.
byte x;

active proctype a() { do :: x == 0 -> x = 1 od }
active proctype b() { do :: x == 1 -> x = 0 od }
never { do :: enabled(1) && pc_value(0) > 0 -> break :: true od }
