// error: 4:17 main
// Two proctypes of one name.
active proctype main() { skip }
active proctype main() { skip }
