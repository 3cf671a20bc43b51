// error: 6:26 nothing
// The place of an error behind macros and directives is that in the file.
#define SETS nothing = 1

byte x;
active proctype main() { SETS }
