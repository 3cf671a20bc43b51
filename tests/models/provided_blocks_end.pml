// expect: violated "deadlock"
// trace: 3
// A process that may not move is not at its end.
bool go;

active proctype waiting() provided (go) { skip }
active proctype other() { skip; skip }
