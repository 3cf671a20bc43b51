// expect: holds
// states: 8192
// A byte that is counted up without end has 256 values, a 5-bit field 32.
byte b;
unsigned u : 5;

active proctype bytes() { do :: b++ od }
active proctype fields() { do :: u = u + 3 od }
