// expect: violated "never_0"
// There is one.
byte x;

active proctype a() { do :: x = 1 :: x = 2; progress: x = 3 od }
never { do :: true :: np_ -> goto accept od; accept: do :: np_ od }
