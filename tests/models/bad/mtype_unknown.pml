// error: 4:30 blue
// A name that no mtype declaration has.
mtype = { red }; mtype x;
active proctype main() { x = blue }
