// error: 5:1
// The text ends inside a block.
active proctype main() { atomic { skip

