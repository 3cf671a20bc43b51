// expect: holds
// states: 75
// Assignments as guards, increments in choices: each step is one statement.
byte x, y;

active [2] proctype p() { do :: x = (x + 1) % 3; y = x :: y = (y + 1) % 3 :: x == y -> x = 0 od }
