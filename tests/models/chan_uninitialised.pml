// expect: violated "assertions and errors"
// trace: 2
// A channel variable that names no channel.
chan real = [1] of { byte };

proctype a(chan c) { c!1 }

init { chan none; run a(none) }
