// error: 3:8
// An array of no elements.
byte a[0];
active proctype main() { skip }
