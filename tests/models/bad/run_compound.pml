// error: 6:14 run
// run inside a larger expression: it would be started to find out whether it could be.
proctype p() { skip }
byte x;

init { if :: x == 0 && run p() fi }
