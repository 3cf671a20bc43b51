// expect: holds
// states: 3
// An init that does nothing.
init { skip }
