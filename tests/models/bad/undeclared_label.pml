// error: 3:26 nowhere
// A jump to a label that the process does not have.
active proctype main() { goto nowhere }
