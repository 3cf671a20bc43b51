// error: 3:26 _pid
// _pid cannot be changed.
active proctype main() { _pid = 1 }
