// error: 3:38 here
// Two labels of one name in one process.
active proctype main() { here: skip; here: skip }
