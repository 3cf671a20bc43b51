// expect: holds
// states: 5
/* Comments of both kinds // inside each other, and in strings they are none. */
byte x; // until the end of the line /* not a beginning
active proctype main() { printf("/* no comment */ // nor this \"quoted\"\n"); x = /* here */ 'a'; assert(x == 97) }
