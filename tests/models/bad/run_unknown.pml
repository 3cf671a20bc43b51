// error: 3:8 nobody
// A run of something that is no proctype.
init { run nobody() }
