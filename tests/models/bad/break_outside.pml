// error: 3:26 break
// break outside of every loop.
active proctype main() { break }
