// expect: holds
// Where the claim cannot move nothing goes on: runs that leave x below 2 are of no interest to it.
byte x;

active proctype a() { do :: x++ od }
never { accept: do :: x < 2 od }
