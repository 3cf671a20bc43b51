// expect: holds
// states: 15
// skip, true and printf are steps like others.
byte x;

active proctype a() { skip; true; printf("a %d\n", x); 1 -> x = 1 }
active proctype b() { printf("b\n"); x == 1 }
