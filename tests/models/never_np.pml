// expect: holds
// While a stuck model stutters np_ is false: there is no cycle without progress.
byte x;

active proctype a() { x = 1; x = 2 }
never { do :: true :: np_ -> goto accept od; accept: do :: np_ od }
