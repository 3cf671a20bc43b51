// expect: violated "assertions and errors"
// trace: 5
// An index beyond an array of channels.
chan q[2] = [1] of { byte };
byte i;

active proctype s() { do :: q[i]!1; i++ od }
