// expect: violated "assertions and errors"
// trace: 3
// c_code [condition]: the condition is asserted.
byte x;
active [2] proctype p() { c_code [now.x < 2] { now.x++; }; c_code [now.x < 3] { now.x++; }; }
